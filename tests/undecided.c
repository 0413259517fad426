/* SPDX-License-Identifier: MIT */
/*
 * Tests batches of many words, few of them undecided: kernels check several words at once. Answers and statistics must
 * equal those of each word alone, which other tests compare with the exact stage.
 */
#include "batches.h"
#include "report.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 150, LENGTH = WORDS * 64, POOL = 64 };

/* Pairs to draw from: one pool has those whose word is decided at once, the other the rest. */
struct pool {
    unsigned count;
    float a[POOL][ABUT_MAX_FIELDS], b[POOL][ABUT_MAX_FIELDS]; /* b is left out for hulls */
};

static struct pool plain, undecided_pair;

/* The columns of both operands, but for a hull. */
static float columns_a[ABUT_MAX_FIELDS][LENGTH], columns_b[ABUT_MAX_FIELDS][LENGTH];

static uint64_t words_redone, words_seen;

static void add(struct pool *pool, const float *a, const float *b)
{
    if (pool->count == POOL)
        return;
    memcpy(pool->a[pool->count], a, sizeof pool->a[0]);
    memcpy(pool->b[pool->count++], b, sizeof pool->b[0]);
}

static void set(float columns[ABUT_MAX_FIELDS][LENGTH], size_t i, const float *item)
{
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        columns[k][i] = item[k];
}

static struct columns from(float columns[ABUT_MAX_FIELDS][LENGTH], size_t i)
{
    struct columns at = {0};
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        at.at[k] = columns[k] + i;
    return at;
}

/* The kernel under test, with its entry, and its hull if there is one. */
struct asked {
    const struct tested *tested;
    const struct subject *subject;
    enum entry entry;
    const struct batch *hull;
    bool closed;
};

static void run(const struct asked *asked, size_t i, size_t n, struct abut_stats *stats, uint64_t *hits)
{
    const bool many_a = asked->entry == ENTRY_ZIP || asked->entry == ENTRY_MANY_ONE,
               many_b = asked->entry != ENTRY_MANY_ONE;
    const struct columns a = from(columns_a, many_a ? i : 0),
                         b = asked->hull != NULL ? batch_columns(asked->hull) : from(columns_b, many_b ? i : 0);
    const struct entry_args args = {&a, &b, n, 1, WORDS, asked->closed, stats, SIZE_MAX};
    run_entry(asked->tested->isa, asked->subject, asked->entry, &args, hits);
}

/* A word of copies of one pair is decided at once, or all of its lanes are undecided. */
static void sort_pair(const struct asked *asked, const float *a, const float *b)
{
    struct abut_stats stats = {0};
    uint64_t hits;
    for (size_t i = 0; i < 64; i++) {
        set(columns_a, i, a);
        set(columns_b, i, b);
    }
    run(asked, 0, 64, &stats, &hits);
    add(stats.undecided == 0 ? &plain : &undecided_pair, a, b);
}

static void check_long(const struct asked *asked, struct random *random)
{
    static uint64_t hits[WORDS], alone[WORDS];
    if (plain.count == 0 || undecided_pair.count == 0)
        return;
    const size_t n = LENGTH - (random_below(random, 2) == 0 ? 0 : random_below(random, 64));
    /* Undecided pairs in one word of so many: none for a while, then some. */
    const unsigned rare = 1 + random_below(random, 40);
    for (size_t i = 0; i < LENGTH; i++) {
        const bool close = random_below(random, 64 * rare) == 0;
        const struct pool *pool = close ? &undecided_pair : &plain;
        const unsigned k = random_below(random, pool->count);
        if (i == 0 || asked->entry != ENTRY_ONE_MANY)
            set(columns_a, i, pool->a[k]);
        if (i == 0 || asked->entry != ENTRY_MANY_ONE)
            set(columns_b, i, pool->b[k]);
    }
    struct abut_stats together = {0}, apart = {0};
    run(asked, 0, n, &together, hits);
    for (size_t w = 0; w * 64 < n; w++) {
        const uint64_t before = apart.undecided;
        run(asked, w * 64, n - w * 64 < 64 ? n - w * 64 : 64, &apart, &alone[w]);
        words_redone += apart.undecided > before;
        words_seen++;
        check_that(hits[w] == alone[w], "%s, %s, %s, %s: word %zu of %zu pairs differs from the word alone",
                   asked->subject->name, asked->tested->name, entry_names[asked->entry],
                   asked->closed ? "closed" : "open", w, n);
    }
    /* A last word may repeat undecided lanes; spheres across a hull count with those they are resolved with. */
    const bool crosses = asked->subject->predicate == predicate_sphere_hull;
    check_that(n % 64 != 0 || crosses || memcmp(&together, &apart, sizeof apart) == 0,
               "%s, %s, %s: statistics of %zu pairs are not the sum over words", asked->subject->name,
               asked->tested->name, entry_names[asked->entry], n);
}

/* Kernels with one item take pairs that have it in common. */
static void check_entry(struct asked *asked, struct random *random)
{
    const struct subject *subject = asked->subject;
    const bool hulls = of_hulls(subject);
    const enum kind kind = hulls ? any_kind(subject, random) : (enum kind)random_below(random, kind_box);
    const struct theme theme = theme_of(kind, random), other = hulls ? theme : theme_of(kind_tangent_radius, random);
    const enum free_sides sides = asked->entry == ENTRY_ZIP        ? FREE_BOTH
                                  : asked->entry == ENTRY_ONE_MANY ? FREE_B
                                                                   : FREE_A;
    float a[MAX_MEMBERS] = {0}, b[MAX_MEMBERS] = {0};
    struct batch hull = {.n = 0};
    plain.count = undecided_pair.count = 0;
    make_pair(subject, theme, FREE_BOTH, random, a, b);
    if (hulls) {
        hull = batch_new(shape_hull, 1);
        batch_set(&hull, 0, b);
        asked->hull = &hull;
    }
    for (unsigned i = 0; i < 2 * POOL; i++) {
        make_pair(subject, i % 2 == 0 ? theme : other, sides, random, a, b);
        sort_pair(asked, a, b);
    }
    check_long(asked, random);
    batch_free(&hull);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 2});
    struct tested tested[MAX_TESTED];
    const unsigned isas = tested_isas(tested);
    struct random random = {options.seed};
    print_isas();
    check_expected(&options);
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0; p < predicate_count; p++)
            for (enum entry entry = ENTRY_ZIP; entry <= ENTRY_MANY_ONE; entry++)
                for (unsigned v = 0; v < isas_apart(&subjects[p], tested, isas); v++) {
                    struct asked asked = {&tested[v], &subjects[p], entry, NULL, random_below(&random, 2) == 0};
                    /* Hulls are decided one by one: they have no words. */
                    if ((options.only == NULL || options.only == &subjects[p]) && has_entry(&subjects[p], entry) &&
                        subjects[p].shape_a != shape_hull)
                        check_entry(&asked, &random);
                }
    check_that(words_redone > 0 && words_redone < words_seen / 2, "lanes are undecided in %llu of %llu words",
               (unsigned long long)words_redone, (unsigned long long)words_seen);
    printf("undecided: %llu of %llu words\n", (unsigned long long)words_redone, (unsigned long long)words_seen);
    return finish("undecided");
}
