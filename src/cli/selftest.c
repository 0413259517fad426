/* SPDX-License-Identifier: MIT */
/* selftest: predicates, searches and distances of the instruction sets that run here, on generated input. */
#include "selftest.h"

#include "cli.h"
#include "output.h"
#include "progress.h"
#include "selftest_items.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_ROWS = 3,
    WORDS = (MOST_ITEMS + 63) / 64,
    MOST_SEARCHED = 70,
    MOST_HULLS = 12,
    NEIGHBOURS = 4,
    REPORTS = 10
};
static const uint64_t seed = 1, untouched = UINT64_C(0xA5A5A5A5A5A5A5A5);

const struct under_test the_library = {abut_test, abut_test_all,  abut_distance,
                                       abut_join, abut_self_join, abut_nearest};

/* What is tested now, for messages. */
struct context {
    struct selftest *selftest;
    const struct subject *subject;
    struct random *random;
    enum input input;
    const char *isa, *layout;
    enum abut_touch touch;
};

static struct items set_a, set_b;

size_t selftest_subjects(struct subject subjects[MOST_SUBJECTS])
{
    size_t count, n = 0;
    const struct abut_predicate *p = abut_predicates(&count), *end = p + count;
    for (; p < end && n < MOST_SUBJECTS - 4; p++) {
        subjects[n++] = (struct subject){PREDICATE, p, p->a};
        if (p->search)
            subjects[n++] = (struct subject){SEARCH, p, p->a};
        if (p->search_swapped && p->a != p->b)
            subjects[n++] = (struct subject){SWAPPED_SEARCH, p, p->a};
        if (p->self)
            subjects[n++] = (struct subject){SELF_SEARCH, p, p->a};
    }
    for (int kind = ABUT_SET_SPHERES; kind <= ABUT_SET_TRIANGLES && n < MOST_SUBJECTS; kind++)
        subjects[n++] = (struct subject){DISTANCE, NULL, (enum abut_set_kind)kind};
    for (int kind = ABUT_SET_POINTS; kind <= ABUT_SET_TRIANGLES && n < MOST_SUBJECTS; kind++)
        if (kind != ABUT_SET_PLANES)
            subjects[n++] = (struct subject){NEAREST, NULL, (enum abut_set_kind)kind};
    return n;
}

const char *selftest_name(const struct subject *subject, char name[SUBJECT_NAME])
{
    static const char *const types[subject_types] = {
        "", " distance", " search", " swapped search", " self search", " nearest"};
    snprintf(name, SUBJECT_NAME, "%s%s", subject->predicate ? subject->predicate->name : kinds[subject->kind].name,
             types[subject->type]);
    return name;
}

/* Counts a wrong answer. The first ones get a message, and true is returned so that items can follow it. */
static bool report(const struct context *context, const char *what, size_t i, size_t n)
{
    const bool reported = context->selftest->wrong++ < REPORTS;
    char name[SUBJECT_NAME];
    if (reported)
        complain("selftest: %s %s, %s, %s: %s %zu of %zu", context->isa, selftest_name(context->subject, name),
                 context->layout, context->touch == ABUT_CLOSED ? "closed" : "open", what, i, n);
    return reported;
}

static void check_status(const struct context *context, enum abut_status status)
{
    if (status != ABUT_OK)
        report(context, abut_status_text(status), 0, 0);
}

static enum abut_status exact_hits(const struct context *context, const struct rows *a, const struct rows *b,
                                   uint64_t *hits)
{
    union batch batch_a, batch_b;
    const struct abut_options options = {.touch = context->touch};
    return abut_test_exactly(context->subject->predicate->relation, rows_set(a, &batch_a), rows_set(b, &batch_b),
                             &options, hits);
}

/* Sets the radius to one of the two neighbours between which the answer of a pair changes, if it does. */
static void tune(const struct context *context, float *radius, const struct rows *a, const struct rows *b)
{
    static const float largest = 1024;
    const float old = *radius;
    uint64_t low_hit, hit;
    uint32_t low = 0, high;
    memcpy(&high, &largest, sizeof high);
    *radius = 0;
    exact_hits(context, a, b, &low_hit);
    *radius = largest;
    exact_hits(context, a, b, &hit);
    *radius = old;
    while (hit != low_hit && high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        uint64_t middle_hit;
        memcpy(radius, &middle, sizeof middle);
        exact_hits(context, a, b, &middle_hit);
        *(middle_hit == low_hit ? &low : &high) = middle;
    }
    if (hit != low_hit)
        memcpy(radius, random_below(context->random, 2) ? &low : &high, sizeof low);
}

/*
 * Draws both sets; every radius of b, or of a if b has none, is tuned to an item of the other. For "inside" half of
 * the sets a are small, as items of one size hardly ever lie in each other.
 */
static void draw_sets(struct context *context, size_t n_a, size_t n_b)
{
    const struct abut_predicate *predicate = context->subject->predicate;
    const bool small = predicate->relation == ABUT_INSIDE && random_below(context->random, 2);
    items_draw(&set_a, context->random, predicate->a, context->input, small ? SMALL_REACH : REACH, n_a);
    items_draw(&set_b, context->random, predicate->b, context->input, REACH, n_b);
    const bool of_b = items_radius(&set_b, 0);
    context->touch = ABUT_CLOSED;
    for (size_t i = 0; context->input == TANGENT && i < (of_b ? n_b : n_a); i++) {
        const struct rows a = rows_slice(&set_a.rows, i % n_a, 1), b = rows_slice(&set_b.rows, i % n_b, 1);
        float *radius = of_b ? items_radius(&set_b, i) : items_radius(&set_a, i);
        if (radius)
            tune(context, radius, &a, &b);
    }
}

/* ---- Predicates ---- */

enum layout { ELEMENTWISE, ONE_MANY, MANY_ONE, ALL, layout_count };
static const char *const layout_names[] = {"elementwise", "one-many", "many-one", "all pairs"};

/* Item i of a row of all pairs. Of hulls there is a row for each b. */
static void report_hit(const struct context *context, enum layout layout, size_t row, size_t i, size_t n, bool hit)
{
    const bool by_b = layout == ALL && set_b.rows.offsets;
    const char *what = hit ? "exact arithmetic says miss for pair" : "exact arithmetic says hit for pair";
    if (!report(context, what, i, n))
        return;
    items_print("a", &set_a, layout == ONE_MANY ? 0 : layout == ALL && !by_b ? row : i);
    items_print("b", &set_b, layout == MANY_ONE ? 0 : by_b ? row : i);
}

static void check_hits(const struct context *context, enum layout layout, size_t rows, size_t n, const uint64_t *exact)
{
    static uint64_t hits[MOST_ROWS * WORDS + 1];
    const struct under_test *under_test = context->selftest->under_test;
    const struct abut_options options = {.touch = context->touch};
    const size_t words = abut_mask_words(n);
    union batch a, b;
    memset(hits, untouched & 0xFF, sizeof hits);
    check_status(context, (layout == ALL ? under_test->test_all : under_test->test)(
                              context->subject->predicate->relation, rows_set(&set_a.rows, &a),
                              rows_set(&set_b.rows, &b), &options, hits));
    context->selftest->answers += rows * n;
    for (size_t w = 0; w < rows * words; w++)
        for (unsigned bit = 0; hits[w] != exact[w] && bit < 64; bit++)
            if ((hits[w] ^ exact[w]) >> bit & 1 && w % words * 64 + bit < n)
                report_hit(context, layout, w / words, w % words * 64 + bit, n, hits[w] >> bit & 1);
            else if ((hits[w] ^ exact[w]) >> bit & 1)
                report(context, "a bit is set beyond pair", w % words * 64 + bit, n);
    if (hits[rows * words] != untouched)
        report(context, "writes beyond pair", n, n);
}

static void check_predicate(struct context *context)
{
    static uint64_t exact[MOST_ROWS * WORDS];
    for (unsigned layout = 0; layout < layout_count; layout++) {
        const bool hulls = context->subject->predicate->b == ABUT_SET_HULLS;
        const size_t n = 1 + random_below(context->random, MOST_ITEMS), words = abut_mask_words(n);
        const size_t rows = layout == ALL ? 1 + random_below(context->random, MOST_ROWS) : 1;
        const bool few_a = layout == ONE_MANY || (layout == ALL && !hulls);
        const bool few_b = layout == MANY_ONE || (layout == ALL && hulls);
        context->layout = layout_names[layout];
        draw_sets(context, few_a ? rows : n, few_b ? rows : n);
        for (int touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
            context->touch = (enum abut_touch)touch;
            for (size_t row = 0; row < rows; row++) {
                const struct rows a = layout == ALL && few_a ? rows_slice(&set_a.rows, row, 1) : set_a.rows;
                const struct rows b = layout == ALL && few_b ? rows_slice(&set_b.rows, row, 1) : set_b.rows;
                exact_hits(context, &a, &b, exact + row * words);
            }
            for (const char *const *isa = context->selftest->isas; *isa; isa++) {
                abut_use_isa(context->isa = *isa);
                check_hits(context, (enum layout)layout, rows, n, exact);
            }
        }
    }
}

/* ---- Distances and neighbours ---- */

/* What one call writes, and what is behind it. */
struct results {
    float d2[MOST_ITEMS + 1], closest[3][MOST_ITEMS + 1];
    uint32_t neighbours[MOST_ITEMS + 1];
};

static enum abut_status measure(const struct under_test *under_test, const struct abut_index *index,
                                struct results *results)
{
    union batch points, shapes;
    const struct abut_closest closest = {results->closest[0], results->closest[1], results->closest[2]};
    memset(results, 0x5A, sizeof *results);
    rows_set(&set_a.rows, &points);
    return index ? under_test->nearest(index, &points.points, NEIGHBOURS, NULL, results->neighbours, results->d2)
                 : under_test->distance(&points.points, rows_set(&set_b.rows, &shapes), results->d2, &closest);
}

/* Of all instruction sets, against the bits of the scalar one. */
static void compare_results(struct context *context, const struct abut_index *index, size_t n)
{
    static struct results scalar, found;
    abut_use_isa("scalar");
    check_status(context, measure(&the_library, index, &scalar));
    for (const char *const *isa = context->selftest->isas; *isa; isa++) {
        abut_use_isa(context->isa = *isa);
        check_status(context, measure(context->selftest->under_test, index, &found));
        context->selftest->distances += n;
        if (memcmp(&found, &scalar, sizeof found) != 0)
            report(context, "other bits than scalar has among", n, n);
    }
}

static void check_distance(struct context *context)
{
    for (unsigned layout = 0; layout < ALL; layout++) {
        const size_t n = 1 + random_below(context->random, MOST_ITEMS);
        context->layout = layout_names[layout];
        items_draw(&set_a, context->random, ABUT_SET_POINTS, context->input, REACH, layout == ONE_MANY ? 1 : n);
        items_draw(&set_b, context->random, context->subject->kind, context->input, REACH, layout == MANY_ONE ? 1 : n);
        compare_results(context, NULL, n);
    }
}

static struct abut_index *index_of(const struct context *context, const struct items *items)
{
    const struct abut_options options = {.skip_invalid = true};
    struct abut_index *index;
    union batch batch;
    check_status(context, abut_index_new(rows_set(&items->rows, &batch), &options, NULL, &index));
    return index;
}

static void check_nearest(struct context *context)
{
    const size_t n = 1 + random_below(context->random, MOST_ITEMS / NEIGHBOURS);
    items_draw(&set_a, context->random, ABUT_SET_POINTS, context->input, REACH, n);
    items_draw(&set_b, context->random, context->subject->kind, context->input, REACH, MOST_ITEMS);
    struct abut_index *index = index_of(context, &set_b);
    if (index)
        compare_results(context, index, n);
    abut_index_free(index);
}

/* ---- Searches ---- */

/*
 * How often a search must find each pair: once if exact arithmetic says hit. An index leaves out invalid items, and of
 * a set with itself there are pairs with the items behind only.
 */
static void find_exact(const struct context *context, const struct items *queries, const struct items *items,
                       uint8_t (*times)[MOST_SEARCHED])
{
    const enum subject_type type = context->subject->type;
    bool valid[MOST_SEARCHED];
    for (size_t i = 0; i < items->rows.n; i++) {
        const struct rows one = rows_slice(&items->rows, i, 1);
        valid[i] = rows_check(&one, NULL) == ABUT_OK;
    }
    for (size_t q = 0; q < queries->rows.n; q++) {
        const struct rows query = rows_slice(&queries->rows, q, 1);
        uint64_t hits[2];
        if (type == SWAPPED_SEARCH)
            exact_hits(context, &items->rows, &query, hits);
        else
            exact_hits(context, &query, &items->rows, hits);
        for (size_t i = 0; i < items->rows.n; i++)
            times[q][i] = hits[i / 64] >> i % 64 & 1 && valid[i] && (type != SELF_SEARCH || (valid[q] && q < i));
    }
}

static void check_join(const struct context *context, const struct abut_index *index, const struct items *queries,
                       const struct items *items, uint8_t (*exact)[MOST_SEARCHED])
{
    static struct abut_pair pairs[2 * MOST_SEARCHED * MOST_SEARCHED];
    static uint8_t found[MOST_SEARCHED][MOST_SEARCHED];
    const struct under_test *under_test = context->selftest->under_test;
    const struct abut_predicate *predicate = context->subject->predicate;
    const bool hulls = predicate->b == ABUT_SET_HULLS, self = context->subject->type == SELF_SEARCH;
    const size_t capacity = sizeof pairs / sizeof *pairs;
    const struct abut_options options = {.touch = context->touch,
                                         .relation = hulls ? predicate->relation : ABUT_TOUCHES};
    union batch batch;
    uint64_t count = 0;
    const struct abut_set set = rows_set(&queries->rows, &batch);
    check_status(context, self ? under_test->self_join(index, &options, pairs, capacity, &count)
                               : under_test->join(index, set, &options, pairs, capacity, &count));
    memset(found, 0, sizeof found);
    for (size_t p = 0; p < count && p < capacity; p++)
        if (pairs[p].a < queries->rows.n && pairs[p].b < items->rows.n)
            found[pairs[p].a][pairs[p].b]++;
        else
            report(context, "a spurious pair", p, (size_t)count);
    for (size_t q = 0; q < queries->rows.n; q++)
        for (size_t i = 0; i < items->rows.n; i++, context->selftest->answers++)
            if (found[q][i] != exact[q][i] &&
                report(context, exact[q][i] ? "a hit is not found once, query" : "a miss is found, query", q,
                       queries->rows.n)) {
                items_print("query", queries, q);
                items_print("item", items, i);
            }
}

static void check_search(struct context *context)
{
    static uint8_t exact[MOST_SEARCHED][MOST_SEARCHED];
    const enum subject_type type = context->subject->type;
    const bool hulls = context->subject->predicate->b == ABUT_SET_HULLS;
    const struct items *items = type == SEARCH ? &set_b : &set_a, *queries = type == SWAPPED_SEARCH ? &set_b : &set_a;
    const size_t n_a = 1 + random_below(context->random, MOST_SEARCHED);
    draw_sets(context, n_a, 1 + random_below(context->random, hulls ? MOST_HULLS : MOST_SEARCHED));
    struct abut_index *index = index_of(context, items);
    for (int touch = ABUT_CLOSED; index && touch <= ABUT_OPEN; touch++) {
        context->touch = (enum abut_touch)touch;
        find_exact(context, queries, items, exact);
        for (const char *const *isa = context->selftest->isas; *isa; isa++) {
            abut_use_isa(context->isa = *isa);
            check_join(context, index, queries, items, exact);
        }
    }
    abut_index_free(index);
}

/* ---- All subjects ---- */

void selftest_run(struct selftest *selftest)
{
    static void (*const checks[subject_types])(struct context *) = {check_predicate, check_distance, check_search,
                                                                    check_search,    check_search,   check_nearest};
    const char *const active = abut_isa();
    struct random random = {seed};
    struct progress progress;
    const double start = now();
    progress_begin(&progress, "selftest", (double)selftest->rounds, "rounds", !selftest->quiet);
    for (unsigned round = 0; round < selftest->rounds && now() - start < selftest->seconds; round++) {
        for (size_t s = 0; s < selftest->subject_count; s++)
            for (unsigned input = 0; input < input_count; input++) {
                struct context context = {selftest, &selftest->subjects[s], &random, (enum input)input, active, "sets",
                                          0};
                checks[selftest->subjects[s].type](&context);
            }
        progress_at(&progress, (double)round / selftest->rounds);
    }
    progress_end(&progress);
    abut_use_isa(active);
}

enum exit_code command_selftest(const struct options *options)
{
    struct output output;
    struct subject subjects[MOST_SUBJECTS];
    const char *const one[] = {abut_isa(), NULL};
    size_t predicates = 0, distances = 0;
    if (!output_open(&output, options->output))
        return EXIT_FAILED;
    struct selftest selftest = {.under_test = &the_library,
                                .isas = options->isa ? one : abut_isas(),
                                .subjects = subjects,
                                .subject_count = selftest_subjects(subjects),
                                .rounds = 8,
                                .seconds = 20,
                                .quiet = options->quiet};
    for (size_t s = 0; s < selftest.subject_count; s++) {
        predicates += subjects[s].type == PREDICATE;
        distances += subjects[s].type == DISTANCE || subjects[s].type == NEAREST;
    }
    selftest_run(&selftest);
    output_text(&output, "instruction sets:");
    for (const char *const *isa = selftest.isas; *isa; isa++)
        output_text(&output, " %s", *isa);
    output_text(&output,
                "\nanswers: %" PRIu64 " of %zu predicates and %zu searches against exact arithmetic, and %" PRIu64
                " of %zu distances and neighbours against the bits of the scalar kernels, %" PRIu64 " wrong\n",
                selftest.answers, predicates, selftest.subject_count - predicates - distances, selftest.distances,
                distances, selftest.wrong);
    if (!output_close(&output))
        return EXIT_FAILED;
    return selftest.wrong ? EXIT_FAILED : EXIT_DONE;
}
