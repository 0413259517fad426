/* SPDX-License-Identifier: MIT */
/*
 * Tests triangles and segments with one to three vertices in common, as neighbours in meshes have, against the exact
 * stage: of any form, of small integers, in one plane along the axes or not, nearly flat, without area, huge and tiny.
 * By the closed rule none of them may need exact arithmetic. And the same in one plane along the axes without a vertex
 * in common, where few may need it.
 */
#include "batch/pairs.h"
#include "batches.h"
#include "exact/resolve.h"
#include "report.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 4096 };

enum form {
    ANY,
    INTEGERS,
    ALONG_AXES,
    TILTED,
    NEARLY_FLAT,
    NO_AREA,
    HUGE_ONES,
    TINY,
    WALLS,
    INTEGER_WALLS,
    NEAR_WALLS,
    FORMS
};
static const char *const form_names[FORMS] = {
    "any form", "integers", "along the axes", "a tilted plane",    "nearly flat",          "no area",
    "huge",     "tiny",     "walls",          "walls of integers", "walls one float apart"};

/* In one plane, with or without vertices in common. */
static bool is_wall(enum form form)
{
    return form == WALLS || form == INTEGER_WALLS || form == NEAR_WALLS;
}

static void draw_vertex(struct random *random, enum form form, const float *a, float v[3])
{
    for (unsigned k = 0; k < 3; k++)
        v[k] = form == INTEGERS || form == ALONG_AXES || form == INTEGER_WALLS ? (float)random_below(random, 5)
                                                                               : random_between(random, -1, 1);
    if (form == ALONG_AXES)
        v[2] = 3;
    if (is_wall(form))
        v[0] = -2.1f;
    if (form == TILTED || form == NEARLY_FLAT)
        v[2] = v[0] * 0.5f + v[1] * 0.25f + (form == NEARLY_FLAT ? random_between(random, -1e-6f, 1e-6f) : 0);
    if (form == NO_AREA && a != NULL && random_below(random, 2) == 0)
        for (unsigned k = 0; k < 3; k++)
            v[k] = a[k] + (a[3 + k] - a[k]) * (float)random_below(random, 3);
    for (unsigned k = 0; k < 3; k++)
        v[k] *= form == HUGE_ONES ? 0x1p125f : form == TINY ? 0x1p-140f : 1;
}

static void make_neighbours(struct random *random, enum form form, unsigned n_a, unsigned n_b, float *a, float *b)
{
    const unsigned shared = 1 + random_below(random, n_a < n_b ? n_a : n_b), turn_a = random_below(random, n_a),
                   turn_b = random_below(random, n_b);
    for (unsigned i = 0; i < n_a; i++)
        draw_vertex(random, form, i < 2 ? NULL : a, a + 3 * i);
    for (unsigned i = 0; i < n_b; i++)
        draw_vertex(random, form, i < 2 ? NULL : b, b + 3 * i);
    for (unsigned i = 0; i < shared && !is_wall(form); i++)
        memcpy(b + 3 * ((turn_b + i) % n_b), a + 3 * ((turn_a + i) % n_a), 3 * sizeof *a);
    for (unsigned i = 0; i < n_b && form == NEAR_WALLS; i++)
        b[3 * i] = random_below(random, 2) == 0 ? b[3 * i] : nextafterf(b[3 * i], 0);
}

/* Returns how many pairs take exact arithmetic. */
static uint64_t check_rule(const struct tested *tested, enum predicate predicate, const struct batch *a,
                           const struct batch *b, bool closed, const enum answer *expected, enum form form)
{
    static uint64_t hits[PAIRS / 64];
    const struct columns columns_a = batch_columns(a), columns_b = batch_columns(b);
    struct abut_stats stats = {0};
    const struct kernel_args args = {columns_a.at, columns_b.at, PAIRS, closed, &stats, 1, 0};
    abut_run_batch(tested->isa, predicate, BROADCAST_ZIP, &args, hits);
    for (size_t i = 0; i < PAIRS; i++)
        check_that(hit_at(hits, i) == (closed ? expected[i] >= ANSWER_TOUCH : expected[i] == ANSWER_HIT),
                   "%s, %s, %s, %s: pair %zu", subjects[predicate].name, tested->name, form_names[form],
                   closed ? "closed" : "open", i);
    return stats.exact;
}

static void check_form(const struct tested *tested, unsigned n, enum predicate predicate, enum form form, uint64_t seed)
{
    static enum answer expected[PAIRS];
    const struct subject *subject = &subjects[predicate];
    const unsigned n_a = subject->shape_a == shape_segment ? 2 : 3, n_b = subject->shape_b == shape_segment ? 2 : 3;
    struct random random = {seed};
    struct batch a = batch_new(subject->shape_a, PAIRS), b = batch_new(subject->shape_b, PAIRS);
    unsigned touches = 0;
    for (size_t i = 0; i < PAIRS; i++) {
        float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
        make_neighbours(&random, form, n_a, n_b, item_a, item_b);
        batch_set(&a, i, item_a);
        batch_set(&b, i, item_b);
        expected[i] = abut_exact(predicate, item_a, item_b);
        touches += expected[i] == ANSWER_TOUCH;
        check_that(expected[i] >= ANSWER_TOUCH || is_wall(form), "%s: pair %zu shares a vertex and misses",
                   subject->name, i);
    }
    check_that(touches > PAIRS / 32, "%s, %s: only %u touches", subject->name, form_names[form], touches);
    for (unsigned v = 0; v < n; v++) {
        const uint64_t exact = check_rule(&tested[v], predicate, &a, &b, true, expected, form);
        check_that(exact == 0 || (is_wall(form) && (form != WALLS || exact < PAIRS / 1000)),
                   "%s, %s: %llu pairs in exact arithmetic", subject->name, form_names[form],
                   (unsigned long long)exact);
        const uint64_t open = check_rule(&tested[v], predicate, &a, &b, false, expected, form);
        check_that((form != ANY && form != ALONG_AXES && form != WALLS && form != INTEGER_WALLS) ||
                       open <= touches / 100,
                   "%s, %s, %s: %llu of %u touches in exact arithmetic", subject->name, form_names[form],
                   tested[v].name, (unsigned long long)open, touches);
    }
    batch_free(&a);
    batch_free(&b);
}

int main(int argc, char **argv)
{
    static const enum predicate predicates[] = {predicate_segment_segment, predicate_segment_triangle,
                                                predicate_triangle_triangle};
    const struct options options = read_options(argc, argv, (struct options){.seed = 20, .rounds = 1});
    struct tested tested[MAX_TESTED];
    const unsigned n = tested_isas(tested);
    print_isas();
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0; p < sizeof predicates / sizeof *predicates; p++)
            for (enum form form = 0; form < FORMS; form++)
                check_form(tested, n, predicates[p], form, options.seed + round);
    return finish("mesh_pairs");
}
