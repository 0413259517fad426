/* SPDX-License-Identifier: MIT */
/* Tests that no call takes more stack than abut.h promises: fibers, and threads of some systems, have little. */
#include <abut/cast.h>

#include "api/sets.h"
#include "cast_scenes.h"
#include "contact.h"
#include "index_scenes.h"
#include "options.h"
#include "report.h"
#include "touch_scenes.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LIMIT is the promise; the measured stack is larger. */
enum { LIMIT = 96 << 10, STACK_BYTES = 1 << 20, PAINT = 0xa5 };

enum { PAIRS = 100, ITEMS = 200, FEW_HULLS = 9, MANY = 1000, QUERIES = 60, NEIGHBOURS = 20 };

static unsigned char *stack;

typedef void use_function(void *context);

struct call {
    use_function *use;
    void *context;
    const unsigned char *top;
};

static void *run(void *argument)
{
    struct call *call = argument;
    const unsigned char here = 0;
    call->top = &here;
    call->use(call->context);
    return NULL;
}

/* Runs on a thread whose stack is painted, and counts the overwritten bytes. */
static size_t stack_of(use_function *use, void *context)
{
    struct call call = {use, context, stack};
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, PAINT, STACK_BYTES);
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, stack, STACK_BYTES) == 0);
    CHECK(pthread_create(&thread, &attributes, run, &call) == 0 && pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&attributes);
    const unsigned char *lowest = stack;
    while (lowest < call.top && *lowest == PAINT)
        lowest++;
    return (size_t)(call.top - lowest);
}

static void check_stack(use_function *use, void *context, const char *what, const char *input, size_t *most)
{
    const size_t bytes = stack_of(use, context);
    check_that(bytes > 0 && bytes <= LIMIT, "%s, %s inputs, %s: %zu bytes of stack", what, input, abut_isa(), bytes);
    *most = bytes > *most ? bytes : *most;
}

struct pairs {
    const struct subject *subject;
    struct columns a, b, one_a, one_b;
};

static void use_pairs(void *context)
{
    static uint64_t hits[PAIRS * (PAIRS / 64 + 1)];
    const struct pairs *p = context;
    CHECK(p->subject->call(&p->a, &p->b, OPTIONS(ABUT_OPEN, NULL), hits) == ABUT_OK);
    CHECK(p->subject->call(&p->one_a, &p->b, OPTIONS(ABUT_OPEN, NULL), hits) == ABUT_OK);
    CHECK(p->subject->call(&p->a, &p->one_b, OPTIONS(ABUT_OPEN, NULL), hits) == ABUT_OK);
    CHECK(p->subject->call_all(&p->a, &p->b, OPTIONS(ABUT_OPEN, NULL), hits) == ABUT_OK);
}

/* The exact answers of shapes with corners take long: a few of their inputs have to do. */
static bool is_left_out(unsigned predicate, unsigned input)
{
    return takes_long(&subjects[predicate]) && (predicate + input) % 16 != 0;
}

static void check_predicates(unsigned step, struct random *random, size_t *most)
{
    for (unsigned p = 0; p < predicate_count; p += step)
        for (enum kind kind = 0; kind < kind_count; kind++) {
            struct batch a, b;
            if (!has_kind(&subjects[p], kind) || is_left_out(p, kind))
                continue;
            batches_of_pairs(&subjects[p], kind, random, PAIRS, &a, &b);
            struct pairs pairs = {&subjects[p], batch_columns(&a), batch_columns(&b), batch_columns(&a),
                                  batch_columns(&b)};
            pairs.one_a.n = pairs.one_b.n = 1;
            check_stack(use_pairs, &pairs, subjects[p].name, kind_names[kind], most);
            batch_free(&a);
            batch_free(&b);
        }
}

/* An index of items, and the queries for it. */
struct searches {
    struct abut_set items, queries;
    struct abut_points points;
    enum abut_relation answer;
};

/* Moving spheres whose motions and radii are coordinates, too. Invalid ones hit nothing. */
static void cast_rays(const struct abut_index *index, const struct abut_points *p)
{
    static uint64_t offsets[MANY + 1];
    static uint32_t items[MANY];
    static float t[MANY];
    const struct abut_rays rays = {p->n, p->x, p->y, p->z, p->y, p->z, p->x, p->y, p->x};
    CHECK(abut_cast_first(index, &rays, NULL, items, t) == ABUT_OK);
    CHECK(abut_cast_all(index, &rays, NULL, offsets, items, t, MANY) == ABUT_OK);
}

static void use_index(void *context)
{
    static uint64_t offsets[MANY + 1], count;
    static uint32_t indices[MANY * NEIGHBOURS], rows[MANY];
    const struct searches *s = context;
    const struct abut_options skip = {.skip_invalid = true}, options = {.relation = s->answer};
    for (unsigned is_view = 0; is_view < 2; is_view++) {
        struct abut_index *index = NULL;
        CHECK((is_view ? abut_index_view(s->items, 0.5f, &skip, NULL, &index)
                       : abut_index_new(s->items, &skip, NULL, &index)) == ABUT_OK);
        CHECK(abut_index_refit(index, s->items, &skip, NULL, NULL) == ABUT_OK);
        CHECK(abut_join(index, s->queries, &options, NULL, 0, &count) == ABUT_OK);
        CHECK(abut_join_rows(index, s->queries, &options, offsets, indices, sizeof indices / sizeof *indices) ==
              ABUT_OK);
        CHECK(abut_join_rows_unsorted(index, s->queries, &options, rows, offsets, indices,
                                      sizeof indices / sizeof *indices) == ABUT_OK);
        /* Not all shapes have a self join, and hulls no distances; an error is fine here. */
        abut_self_join(index, &options, NULL, 0, &count);
        abut_join_within(index, s->queries, &(const struct abut_reach){.within = 1}, &options, NULL, 0, &count);
        abut_nearest(index, &s->points, NEIGHBOURS, &options, indices, NULL);
        cast_rays(index, &s->points);
        abut_index_free(index);
    }
}

static void check_indices(unsigned step, struct random *random, size_t *most)
{
    for (unsigned p = 0; p < predicate_count; p += step) {
        const enum abut_set_kind kind = (enum abut_set_kind)subjects[p].shape_b;
        if (strcmp(subjects[p].question, "touches") != 0 || abut_indexed_shape(kind) == shape_count)
            continue;
        for (enum layout layout = 0; layout < layout_count; layout++) {
            if (is_left_out(p, layout))
                continue;
            struct batch items = make_batch(subjects[p].shape_b, layout, true, random, MANY),
                         queries = make_batch(subjects[p].shape_a, layout, false, random, QUERIES);
            union any_batch any_items, any_queries;
            struct searches s = {.items = set_of(&items, &any_items),
                                 .queries = set_of(&queries, &any_queries),
                                 .points = {QUERIES, queries.at[0], queries.at[1], queries.at[2]}};
            check_stack(use_index, &s, subjects[p].name, layout_names[layout], most);
            batch_free(&items);
            batch_free(&queries);
        }
    }
}

/* Several hulls of a kind as queries of an index of items near them. */
static void check_hull_searches(unsigned step, struct random *random, size_t *most)
{
    unsigned turn = 0;
    for (unsigned p = 0; p < predicate_count; p++)
        for (enum kind kind = 0; kind < kind_count; kind++) {
            if (!of_hulls(&subjects[p]) || subjects[p].shape_a == shape_hull || !has_kind(&subjects[p], kind) ||
                is_left_out(p, kind) || turn++ % step != 0)
                continue;
            struct batch items, hulls;
            union any_batch any_items, any_hulls;
            batches_of_items(&subjects[p], kind, random, MANY, FEW_HULLS, &items, &hulls);
            const bool boxes = items.shape == shape_aabb || items.shape == shape_obb;
            struct searches s = {.items = set_of(&items, &any_items),
                                 .queries = set_of(&hulls, &any_hulls),
                                 .points = {QUERIES, items.at[0], items.at[1], items.at[2]},
                                 .answer = boxes ? ABUT_CULL : ABUT_TOUCHES};
            check_stack(use_index, &s, subjects[p].name, kind_names[kind], most);
            batch_free(&items);
            batch_free(&hulls);
        }
}

/* ---- Moving spheres among hulls */

static struct abut_stats cast_stats;

static void use_casts(void *context)
{
    static uint64_t offsets[RAYS + 1];
    static uint32_t items[HITS];
    static float t[HITS];
    const struct cast_scene *scene = context;
    const struct abut_hulls hulls = hulls_of(scene);
    const struct abut_aabbs boxes = boxes_of(scene);
    const struct abut_rays rays = rays_of(scene);
    const struct abut_options options = {.stats = &cast_stats, .skip_invalid = true};
    struct abut_index *index = NULL;
    CHECK(abut_index_new(abut_of_aabbs(&boxes), &options, NULL, &index) == ABUT_OK);
    CHECK(abut_cast_hulls_first(index, &hulls, &rays, &options, items, t) == ABUT_OK);
    CHECK(abut_cast_hulls_all(index, &hulls, &rays, &options, offsets, items, t, HITS) == ABUT_OK);
    abut_index_free(index);
}

/* Of any exponent at which the length of a box does not overflow. */
static float power(struct random *random)
{
    const float x = ldexpf(random_between(random, 1, 2), (int)random_below(random, 260) - 140);
    return random_below(random, 2) ? x : -x;
}

/* Hulls and their mirror images. A ray in the plane between them hits both at the same time. */
static void make_powers(struct cast_scene *scene, struct random *random)
{
    float hull[MAX_MEMBERS] = {0}, ray[8];
    for (size_t i = 0; i < HULLS; i++) {
        if (i % 2 == 0)
            hull[HULL_COUNT] = (float)(1 + i / 2 % 6);
        for (unsigned k = 0; k < 4 * planes_of(hull); k++)
            hull[HULL_PLANES + k] = i % 2 == 0   ? power(random)
                                    : k % 4 == 0 ? -hull[HULL_PLANES + k]
                                                 : hull[HULL_PLANES + k];
        set_hull(scene, i, hull);
    }
    make_boxes(scene);
    for (size_t i = 0; i < RAYS; i++) {
        for (unsigned k = 0; k < 7; k++)
            ray[k] = k % 3 == 0 && k < 6 && i % 2 ? 0 : k < 6 ? power(random) : fabsf(power(random));
        ray[7] = INFINITY;
        set_ray(scene, i, ray);
    }
}

/* Any kind of hulls, with radii of about their size. */
static void make_usual(struct cast_scene *scene, struct random *random, enum kind kind)
{
    make_hulls(scene, random, kind);
    for (size_t i = 0; i < RAYS; i++) {
        float ray[8];
        const size_t hull = make_ray(scene, random, false, ray);
        const float size = scene->box[3][hull] - scene->box[0][hull];
        ray[6] = isfinite(size) ? fabsf(size) * random_between(random, 0, 1) : 1;
        set_ray(scene, i, ray);
    }
}

/* The exact stage decides the touches of lattices, which are exact; powers have the most bits. */
static void check_casts(unsigned step, struct random *random, size_t *most)
{
    static struct cast_scene scene;
    for (unsigned i = 0; i < 40; i += step) {
        make_touches(&scene, random);
        check_stack(use_casts, &scene, "casts among hulls", "touching", most);
        make_powers(&scene, random);
        check_stack(use_casts, &scene, "casts among hulls", "powers", most);
    }
    for (enum kind kind = kind_box; kind < kind_count; kind++) {
        make_usual(&scene, random, kind);
        check_stack(use_casts, &scene, "casts among hulls", kind_names[kind], most);
    }
    CHECK(cast_stats.exact > 0);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    stack = aligned_alloc(1 << 12, STACK_BYTES);
    CHECK(stack != NULL);
    for (const char *const *isa = abut_isas(); stack && *isa; isa++) {
        size_t predicates = 0, hulls = 0, indices = 0;
        CHECK(abut_use_isa(*isa) == ABUT_OK);
        check_predicates(options.step, &random, &predicates);
        check_hull_searches(options.step, &random, &hulls);
        check_indices(options.step, &random, &indices);
        printf("%s: at most %zu bytes of stack for predicates, %zu for hulls, %zu for indices\n", *isa, predicates,
               hulls, indices);
    }
    /* Once: they are the same for every instruction set. */
    size_t casts = 0;
    if (stack)
        check_casts(options.step, &random, &casts);
    printf("at most %zu bytes of stack for casts among hulls\n", casts);
    free(stack);
    return finish("stack");
}
