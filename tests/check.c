/* SPDX-License-Identifier: MIT */
/*
 * Compares every ISA, native and emulated, with the exact stage, bit for bit: every predicate, entry, kind of input,
 * touch rule and length from 0 to 200, in buffers that begin or end at an unmapped page. Nothing but the hits may be
 * written. Emulated builds of an ISA that also runs natively take a share of the lengths.
 */
#include "exact/resolve.h"
#include "guard.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 200, MAX_WORDS = (MAX_LENGTH + 63) / 64, PAD_WORDS = 2 };

/* Each member can be invalid in many ways, and few of them change an answer: more scenes than of other kinds. */
enum { INVALID_SCENES = 3 };

static const uint64_t pattern = UINT64_C(0xA5C3F00D5EEDBEEF);

/* One operand of a scene: its items twice, right after an unmapped page and right before one. */
struct operand {
    unsigned fields;
    size_t n;
    struct guarded memory[2][ABUT_MAX_FIELDS];
};

/* Inputs for one entry, and the exact result for each pair: -1, 0 or 1. */
struct scene {
    const struct subject *subject;
    enum entry entry;
    enum kind kind;
    uint64_t seed;
    struct operand a, b;
    int answers[MAX_LENGTH];
};

static void side_new(struct operand *side, enum shape shape, size_t n)
{
    side->fields = shape_info(shape)->fields;
    side->n = n;
    for (int at_end = 0; at_end < 2; at_end++)
        for (unsigned k = 0; k < side->fields; k++)
            side->memory[at_end][k] = guarded_new(n * sizeof(float), at_end);
}

static void side_free(struct operand *side)
{
    for (int at_end = 0; at_end < 2; at_end++)
        for (unsigned k = 0; k < side->fields; k++)
            guarded_free(&side->memory[at_end][k]);
}

static void side_set(struct operand *side, size_t i, const float *item)
{
    for (int at_end = 0; at_end < 2; at_end++)
        for (unsigned k = 0; k < side->fields; k++)
            memcpy((float *)side->memory[at_end][k].at + i, &item[k], sizeof item[k]);
}

static void side_get(const struct operand *side, size_t i, float *item)
{
    for (unsigned k = 0; k < side->fields; k++)
        memcpy(&item[k], (const float *)side->memory[0][k].at + i, sizeof item[k]);
}

static void scene_new(struct scene *scene, struct random *random)
{
    const struct subject *subject = scene->subject;
    const bool zip = scene->entry == ENTRY_ZIP, many_a = zip || scene->entry == ENTRY_MANY_ONE,
               many_b = scene->entry != ENTRY_MANY_ONE;
    side_new(&scene->a, subject->shape_a, many_a ? MAX_LENGTH : 1);
    side_new(&scene->b, subject->shape_b, many_b ? MAX_LENGTH : 1);
    float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
    struct theme theme = theme_of(scene->kind, random);
    for (size_t i = 0; i < MAX_LENGTH; i++) {
        enum free_sides sides = zip || i == 0 ? FREE_BOTH : many_a ? FREE_A : FREE_B;
        if (zip)
            theme = theme_of(scene->kind, random);
        make_pair(subject, theme, sides, random, a, b);
        side_set(&scene->a, many_a ? i : 0, a);
        side_set(&scene->b, many_b ? i : 0, b);
        scene->answers[i] = abut_exact(subject->predicate, a, b);
    }
}

static void scene_free(struct scene *scene)
{
    side_free(&scene->a);
    side_free(&scene->b);
}

/* Finds the address of item first (or of the only item) in each column, in the copy at that edge of memory. */
static void place(const struct operand *side, size_t first, int at_end, const float **columns)
{
    for (unsigned k = 0; k < side->fields; k++)
        columns[k] = (const float *)side->memory[at_end][k].at + (side->n > 1 ? first : 0);
}

static void report_pair(const struct scene *scene, const char *isa, bool closed, size_t n, size_t first, size_t i,
                        bool got)
{
    float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
    size_t pair = first + i;
    bool said = check_that(false, "%s, %s, %s, %s, %s input: n = %zu, pair %zu is a %s, and %s is right; seed %llu",
                           scene->subject->name, isa, entry_names[scene->entry], closed ? "closed" : "open",
                           kind_names[scene->kind], n, i, got ? "hit" : "miss", got ? "a miss" : "a hit",
                           (unsigned long long)scene->seed);
    if (said)
        return;
    side_get(&scene->a, scene->a.n > 1 ? pair : 0, a);
    side_get(&scene->b, scene->b.n > 1 ? pair : 0, b);
    print_pair(scene->subject, a, b);
}

/*
 * One call for the n pairs from first on. out has PAD_WORDS words, then the hits, then PAD_WORDS more words unless it
 * ends at an unmapped page.
 */
static void check_call(const struct scene *scene, const struct tested *tested, bool closed, size_t first, size_t n,
                       int at_end, uint64_t *out, size_t out_words)
{
    const float *a[ABUT_MAX_FIELDS], *b[ABUT_MAX_FIELDS];
    const size_t words = (n + 63) / 64;
    place(&scene->a, first, at_end, a);
    place(&scene->b, first, at_end, b);
    struct abut_stats stats = {.pairs = 1000, .undecided = 100, .exact = 10};
    const struct kernel_args args = {a, b, n, closed, &stats, 1, 0};
    for (size_t i = 0; i < out_words; i++)
        out[i] = pattern;
    now_testing(scene->subject, tested->name, entry_names[scene->entry], kind_names[scene->kind], n, scene->seed);
    uint64_t *hits = at_end ? out + out_words - words : out + PAD_WORDS;
    entry_of(tested->isa, scene->subject->predicate, scene->entry)(&args, hits);

    uint64_t expected[MAX_WORDS] = {0};
    for (size_t i = 0; i < n; i++)
        expected[i / 64] |= (uint64_t)(scene->answers[first + i] >= (closed ? 0 : 1)) << i % 64;
    if (memcmp(hits, expected, words * sizeof *hits) != 0) {
        for (size_t i = 0; i < n; i++)
            if (hit_at(hits, i) != hit_at(expected, i)) {
                report_pair(scene, tested->name, closed, n, first, i, hit_at(hits, i));
                break;
            }
        check_that(n % 64 == 0 || hits[words - 1] >> n % 64 == 0, "%s, %s, %s: n = %zu: unused bits are set",
                   scene->subject->name, tested->name, entry_names[scene->entry], n);
    }
    bool intact = true;
    for (uint64_t *word = out; word < out + out_words; word++)
        intact &= (word >= hits && word < hits + words) || *word == pattern;
    check_that(intact, "%s, %s, %s: n = %zu: words beside the hits were written", scene->subject->name, tested->name,
               entry_names[scene->entry], n);
    check_that(stats.pairs == 1000 + n && stats.undecided - 100 <= n && stats.exact - 10 <= stats.undecided - 100,
               "%s, %s, %s: n = %zu: statistics %llu %llu %llu do not add up", scene->subject->name, tested->name,
               entry_names[scene->entry], n, (unsigned long long)stats.pairs, (unsigned long long)stats.undecided,
               (unsigned long long)stats.exact);
    checks_passed(n);
}

/* valid() accepts a batch exactly when every shape in it is valid. */
static void check_valid(const struct scene *scene, const struct tested *tested, size_t first, size_t n, int at_end)
{
    const struct operand *sides[] = {&scene->a, &scene->b};
    const enum shape shapes[] = {scene->subject->shape_a, scene->subject->shape_b};
    for (int s = 0; s < 2; s++) {
        const float *columns[ABUT_MAX_FIELDS];
        float item[ABUT_MAX_FIELDS];
        if (n > sides[s]->n)
            continue;
        place(sides[s], first, at_end, columns);
        bool all = true;
        for (size_t i = 0; i < n; i++) {
            side_get(sides[s], sides[s]->n > 1 ? first + i : 0, item);
            all &= item_valid(shapes[s], item);
        }
        bool valid = tested->isa->valid[shapes[s]](columns, n);
        check_that(valid == all, "%s, %s: %zu shapes of %s, %s input: valid says %d; seed %llu", scene->subject->name,
                   tested->name, n, shape_info(shapes[s])->name, kind_names[scene->kind], valid,
                   (unsigned long long)scene->seed);
    }
}

/*
 * Takes one length in share, each at one edge of memory and under one touch rule, and as many single pairs, whose words
 * hold no other uncertain lane. turn changes all of these.
 */
static void check_scene(const struct scene *scene, unsigned turn, unsigned step, const struct tested *tested,
                        unsigned n_tested)
{
    struct guarded out[2] = {guarded_new((MAX_WORDS + 2 * PAD_WORDS) * sizeof(uint64_t), 0),
                             guarded_new((MAX_WORDS + PAD_WORDS) * sizeof(uint64_t), 1)};
    for (unsigned v = 0; v < n_tested; v++) {
        const unsigned share = tested[v].build ? step * BUILD_SHARE : step;
        for (size_t n = turn % share; n <= MAX_LENGTH; n += share) {
            const int at_end = (n + turn) & 1, closed = (n + turn) >> 1 & 1;
            const size_t first = at_end ? MAX_LENGTH - n : 0, words = MAX_WORDS + (at_end ? 1 : 2) * PAD_WORDS;
            check_call(scene, &tested[v], closed, first, n, at_end, out[at_end].at, words);
            check_valid(scene, &tested[v], first, n, at_end);
            if (n < MAX_LENGTH)
                check_call(scene, &tested[v], closed, n, 1, at_end, out[at_end].at, words);
        }
    }
    guarded_free(&out[0]);
    guarded_free(&out[1]);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_isas(tested);
    print_isas();
    check_expected(&options);
    for (unsigned round = 0; round < options.rounds; round++) {
        struct random random = {options.seed + round};
        for (unsigned p = 0; p < predicate_count; p++)
            for (enum entry entry = 0; entry < entry_count; entry++)
                for (unsigned i = 0; i < kind_count + INVALID_SCENES; i++) {
                    const enum kind kind = i < kind_count ? (enum kind)i : kind_invalid;
                    static struct scene scene;
                    struct random of_scene = {random_next(&random)};
                    if (options.only != NULL && options.only != &subjects[p])
                        continue;
                    scene = (struct scene){&subjects[p], entry, kind, options.seed + round, .a = {0}};
                    scene_new(&scene, &of_scene);
                    check_scene(&scene, i + round, options.step, tested, n_tested);
                    scene_free(&scene);
                }
    }
    return finish("check");
}
