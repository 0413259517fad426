/* SPDX-License-Identifier: MIT */
/*
 * selftest: every predicate and search of the variants that run here against the judge, every number against the scalar
 * one.
 */
#include "selftest.h"

#include "dispatch/dispatch.h"
#include "exact/resolve.h"
#include "kinds.h"
#include "output.h"
#include "progress.h"
#include "relation.h"
#include "selftest_items.h"

#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PAIRS = 300, WORDS = MOST_PAIRS / 64 + 2, MOST_ROWS = 2 };
static const uint64_t seed = 1, untouched = SELFTEST_UNTOUCHED;

enum entry { ENTRY_ZIP, ENTRY_ONE_MANY, ENTRY_MANY_ONE, ENTRY_BLOCK, entry_count };

static const struct {
    const char *name;
    size_t step_a, step_b, rows;
} entries[entry_count] = {{"zip", 1, 1, 1}, {"one_many", 0, 1, 1}, {"many_one", 1, 0, 1}, {"block", 0, 1, MOST_ROWS}};

typedef float item[ABUT_MAX_FIELDS];

struct batch {
    enum predicate predicate;
    enum entry entry;
    size_t n;
    item a[MOST_PAIRS], b[MOST_PAIRS];
    float columns[2][ABUT_MAX_FIELDS][MOST_PAIRS];
    enum answer answers[MOST_ROWS][MOST_PAIRS];
};

/* Of a row: the items of pair i, which are those of the batch from this one on. */
static const float *item_a(const struct batch *batch, size_t row, size_t i)
{
    return batch->a[row + i * entries[batch->entry].step_a];
}

static const float *item_b(const struct batch *batch, size_t i)
{
    return batch->b[i * entries[batch->entry].step_b];
}

/* A pair as the search for a tangent radius sees it. */
struct exact_pair {
    enum predicate predicate;
    const float *a, *b;
};

static bool closed_hit(const void *context)
{
    const struct exact_pair *pair = context;
    return abut_exact(pair->predicate, pair->a, pair->b) >= ANSWER_TOUCH;
}

static void tune(struct random *random, struct batch *batch, size_t i)
{
    const enum shape *shapes = predicate_shapes[batch->predicate];
    size_t step_a = entries[batch->entry].step_a, step_b = entries[batch->entry].step_b;
    float *a = batch->a[i * step_a], *b = batch->b[i * step_b];
    float *radius_a = step_a || i == 0 ? item_radius(shapes[0], a) : NULL;
    float *radius_b = step_b || i == 0 ? item_radius(shapes[1], b) : NULL;
    const struct exact_pair pair = {batch->predicate, a, b};
    if (radius_b || radius_a)
        make_tangent(random, radius_b ? radius_b : radius_a, closed_hit, &pair);
}

static void fill(struct random *random, struct batch *batch, enum mood mood)
{
    const enum shape *shapes = predicate_shapes[batch->predicate];
    batch->n = 1 + random_below(random, MOST_PAIRS);
    for (size_t i = 0; i < batch->n || i < MOST_ROWS; i++) {
        item_draw(random, shapes[0], mood, batch->a[i]);
        item_draw(random, shapes[1], mood, batch->b[i]);
    }
    for (size_t i = 0; mood == TANGENT && i < batch->n; i++)
        tune(random, batch, i);
    for (size_t i = 0; i < batch->n || i < MOST_ROWS; i++) {
        for (unsigned k = 0; k < kinds[shapes[0]].field_count; k++)
            batch->columns[0][k][i] = batch->a[i][k];
        for (unsigned k = 0; k < kinds[shapes[1]].field_count; k++)
            batch->columns[1][k][i] = batch->b[i][k];
    }
    for (size_t row = 0; row < entries[batch->entry].rows; row++)
        for (size_t i = 0; i < batch->n; i++)
            batch->answers[row][i] = abut_exact(batch->predicate, item_a(batch, row, i), item_b(batch, i));
}

static void tell(const struct batch *batch, const struct isa *isa, bool closed, size_t row, size_t i, bool hit)
{
    const enum shape *shapes = predicate_shapes[batch->predicate];
    complain("selftest: %s %s %s %s: pair %zu of %zu is a %s, the judge says %s", isa->name,
             predicate_names[batch->predicate], entries[batch->entry].name, closed ? "closed" : "open", i, batch->n,
             hit ? "hit" : "miss", hit ? "miss" : "hit");
    item_tell("a", &kinds[shapes[0]], item_a(batch, row, i));
    item_tell("b", &kinds[shapes[1]], item_b(batch, i));
}

static batch_function *function_of(const struct kernel *kernel, enum entry entry)
{
    batch_function *const functions[entry_count] = {kernel->zip, kernel->one_many, kernel->many_one, kernel->block};
    return functions[entry];
}

static void check_row(struct selftest *selftest, const struct batch *batch, const struct isa *isa, bool closed,
                      size_t row, const uint64_t *hits)
{
    selftest->answers += batch->n;
    for (size_t i = 0; i < batch->n; i++) {
        bool hit = hits[i / 64] >> i % 64 & 1;
        bool expected = batch->answers[row][i] >= (closed ? ANSWER_TOUCH : ANSWER_HIT);
        if (hit != expected && selftest->wrong++ < MOST_REPORTED)
            tell(batch, isa, closed, row, i, hit);
    }
    size_t words = abut_mask_words(batch->n);
    bool tail = batch->n % 64 && hits[words - 1] >> batch->n % 64;
    if ((tail || hits[words] != untouched) && selftest->wrong++ < MOST_REPORTED)
        complain("selftest: %s %s %s: writes beyond pair %zu", isa->name, predicate_names[batch->predicate],
                 entries[batch->entry].name, batch->n);
}

static void check(struct selftest *selftest, const struct batch *batch, const struct isa *isa, bool closed)
{
    const float *a[ABUT_MAX_FIELDS], *b[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        a[k] = batch->columns[0][k];
        b[k] = batch->columns[1][k];
    }
    uint64_t hits[MOST_ROWS * WORDS];
    struct abut_stats stats = {0};
    for (size_t w = 0; w < MOST_ROWS * WORDS; w++)
        hits[w] = untouched;
    const size_t rows = entries[batch->entry].rows;
    const struct kernel_args args = {a, b, batch->n, closed, &stats, rows, WORDS};
    function_of(&isa->kernels[batch->predicate], batch->entry)(&args, hits);
    for (size_t row = 0; row < rows; row++)
        check_row(selftest, batch, isa, closed, row, hits + row * WORDS);
}

static void run_pairs(struct selftest *selftest, struct random *random, enum predicate predicate)
{
    static struct batch batch;
    batch.predicate = predicate;
    for (size_t e = 0; e < entry_count; e++) {
        for (size_t mood = 0; mood < mood_count; mood++) {
            batch.entry = (enum entry)e;
            fill(random, &batch, (enum mood)mood);
            for (const struct isa *const *v = selftest->isas; *v; v++) {
                check(selftest, &batch, *v, true);
                check(selftest, &batch, *v, false);
            }
        }
    }
}

static void run_round(struct selftest *selftest, struct random *random)
{
    for (size_t p = selftest->first; p < selftest->end; p++) {
        if (p < predicate_count)
            run_pairs(selftest, random, (enum predicate)p);
        else if (p < SELFTEST_PREDICATES)
            selftest_hulls(selftest, random, (enum hull_predicate)(p - predicate_count));
        else if (p < SELFTEST_DISTANCES)
            selftest_distances(selftest, random, (enum distance_kind)(p - SELFTEST_PREDICATES));
        else
            selftest_searches(selftest, random, (enum search_kind)(p - SELFTEST_DISTANCES));
    }
}

const char *selftest_name(size_t number)
{
    return number < predicate_count       ? predicate_names[number]
           : number < SELFTEST_PREDICATES ? selftest_hull_name((enum hull_predicate)(number - predicate_count))
           : number < SELFTEST_DISTANCES  ? selftest_distance_name((enum distance_kind)(number - SELFTEST_PREDICATES))
                                          : selftest_search_name((enum search_kind)(number - SELFTEST_DISTANCES));
}

void selftest_run(struct selftest *selftest)
{
    struct random random = {seed};
    double start = now();
    struct progress progress;
    progress_begin(&progress, "selftest", !selftest->quiet);
    for (unsigned round = 0; round < selftest->rounds && now() - start < selftest->seconds; round++) {
        run_round(selftest, &random);
        progress_at(&progress, (double)round / selftest->rounds);
    }
    progress_end(&progress);
}

enum exit_code command_selftest(const struct options *options)
{
    struct output output;
    if (!output_open(&output, options->output))
        return EXIT_FAILED;
    const struct isa *const one[] = {abut_active_isa(), NULL};
    struct selftest selftest = {.isas = options->isa ? one : abut_native_isas(),
                                .end = SELFTEST_ALL,
                                .rounds = 24,
                                .seconds = 40,
                                .quiet = options->quiet};
    selftest_run(&selftest);
    output_text(&output, "instruction sets:");
    for (const struct isa *const *v = selftest.isas; *v; v++)
        output_text(&output, " %s", (*v)->name);
    output_text(&output,
                "\nanswers: %" PRIu64 " of %d predicates and %d searches against exact arithmetic, and %" PRIu64
                " of %d distances against the bits of the scalar kernels, %" PRIu64 " wrong\n",
                selftest.answers, (int)SELFTEST_PREDICATES, (int)search_count, selftest.distances, (int)distance_count,
                selftest.wrong);
    if (!output_close(&output))
        return EXIT_FAILED;
    return selftest.wrong ? EXIT_FAILED : EXIT_DONE;
}
