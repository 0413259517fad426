/* SPDX-License-Identifier: MIT */
/* Compares the public predicates and their _all forms, on each native instruction set, with the exact stage. */
#include "batches.h"
#include "contact.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

/* Around the sizes of words and of the blocks of the _all functions. */
static const size_t lengths[] = {0, 1, 2, 63, 64, 65, 200, 1023, 1024, 1025, 2500};

enum { LONGEST_WITH_CORNERS = 200 };

static void check_bit(const struct subject *subject, const char *form, enum kind kind, const struct batch *a, size_t i,
                      const struct batch *b, size_t j, enum abut_touch touch, bool hit, uint64_t seed)
{
    float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
    batch_get(a, i, item_a);
    batch_get(b, j, item_b);
    bool right = (int)exact_answer(subject, item_a, item_b) >= (touch == ABUT_CLOSED ? 0 : 1);
    if (!check_that(hit == right, "%s%s, %s, %s, %s input, %zu with %zu items: item %zu with %zu is a %s; seed %llu",
                    subject->name, form, abut_isa(), touch == ABUT_CLOSED ? "closed" : "open", kind_names[kind], a->n,
                    b->n, i, j, hit ? "hit" : "miss", (unsigned long long)seed))
        print_pair(subject, item_a, item_b);
}

static void check_padding(const struct subject *subject, const uint64_t *row, size_t n)
{
    if (n % 64 != 0)
        check_that(row[n / 64] >> n % 64 == 0, "%s, %s: %zu pairs: unused bits are set", subject->name, abut_isa(), n);
}

static void check_call(const struct subject *subject, enum kind kind, const struct batch *a, const struct batch *b,
                       enum abut_touch touch, uint64_t seed)
{
    size_t n = a->n == 1 ? b->n : a->n;
    struct abut_stats stats = {.pairs = 5, .undecided = 5, .exact = 5};
    uint64_t *hits = ask(subject, a, b, touch, &stats);
    uint64_t *unwatched = ask(subject, a, b, touch, NULL);
    check_that(stats.pairs == 5 + n, "%s: %llu of %zu pairs were counted", subject->name,
               (unsigned long long)stats.pairs - 5, n);
    check_padding(subject, hits, n);
    for (size_t i = 0; i < n; i++) {
        check_bit(subject, "", kind, a, a->n == 1 ? 0 : i, b, b->n == 1 ? 0 : i, touch, hit_at(hits, i), seed);
        check_that(hit_at(hits, i) == hit_at(unwatched, i), "%s: without statistics pair %zu differs", subject->name,
                   i);
    }
    free(hits);
    free(unwatched);
}

static void check_call_all(const struct subject *subject, enum kind kind, const struct batch *a, const struct batch *b,
                           enum abut_touch touch, uint64_t seed)
{
    struct abut_stats stats = {0};
    uint64_t *hits = ask_all(subject, a, b, touch, &stats);
    check_that(stats.pairs == a->n * b->n, "%s of all: %llu of %zu pairs were counted", subject->name,
               (unsigned long long)stats.pairs, a->n * b->n);
    const size_t rows = of_hulls(subject) ? b->n : a->n, length = of_hulls(subject) ? a->n : b->n;
    for (size_t row = 0; row < rows; row++)
        check_padding(subject, hits + row * abut_mask_words(length), length);
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++)
            check_bit(subject, " of all", kind, a, i, b, j, touch, hit_in_all(subject, hits, a->n, b->n, i, j), seed);
    free(hits);
}

/* Makes members of some items invalid or huge: many-to-many kernels skip the validity check where they can. */
static void spoil(struct batch *batch, struct random *random)
{
    static const float odd[] = {NAN, -1, INFINITY, -INFINITY, 1e30f, -1e30f};
    for (size_t i = random_below(random, 8); i < batch->n; i += 1 + random_below(random, 8))
        batch->at[random_below(random, batch->fields)][i] = odd[random_below(random, sizeof odd / sizeof *odd)];
}

static void check_lengths(const struct subject *subject, enum kind kind, struct random *random, size_t n, uint64_t seed)
{
    const size_t rows = random_below(random, n < 100 ? 100 : 10); /* more than one block, where that is cheap */
    const size_t counts[][2] = {{n, n}, {1, n}, {n, 1}, {rows, n}};
    for (unsigned form = 0; form < 4; form++) {
        struct batch a, b;
        if (form == 0)
            batches_of_pairs(subject, kind, random, n, &a, &b);
        else
            batches_of_items(subject, kind, random, counts[form][0], counts[form][1], &a, &b);
        if (form == 3) {
            spoil(&a, random);
            spoil(&b, random);
        }
        for (enum abut_touch touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++)
            (form == 3 ? check_call_all : check_call)(subject, kind, &a, &b, touch, seed);
        batch_free(&a);
        batch_free(&b);
    }
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 3, .rounds = 1});
    const char *before = abut_isa();
    for (const char *const *isa = abut_isas(); *isa != NULL; isa++) {
        struct random random = {options.seed + (uint64_t)(isa - abut_isas())}, of_corners = {random.state + 1000};
        CHECK(abut_use_isa(*isa) == ABUT_OK);
        for (unsigned p = 0; p < predicate_count; p++)
            for (unsigned length = 0; length < sizeof lengths / sizeof *lengths; length++)
                for (unsigned round = 0; round < options.rounds; round++) {
                    const bool corners = takes_long(&subjects[p]);
                    struct random of_call = {random_next(corners ? &of_corners : &random)};
                    /* All instruction sets share their kernels, whose exact answers take long. */
                    if (corners && (isa != abut_isas() || lengths[length] > LONGEST_WITH_CORNERS))
                        continue;
                    enum kind kind = any_kind(&subjects[p], &of_call);
                    if (options.only == NULL || options.only == &subjects[p])
                        check_lengths(&subjects[p], kind, &of_call, lengths[length], options.seed);
                }
    }
    CHECK(abut_use_isa(before) == ABUT_OK);
    return finish("public");
}
