/* SPDX-License-Identifier: MIT */
/*
 * Properties of geometry and of batches, tested through the public functions with each instruction set of this machine.
 * All but property_touch() need neither exact stage nor oracle, so an error common to both would show.
 */
#include "properties.h"

#include "contact.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void scene_item(const struct batch *batch, size_t i, float *item)
{
    batch_get(batch, batch->n == 1 ? 0 : i, item);
}

bool property(const struct scene *scene, const char *name, bool holds, const struct batch *a, const struct batch *b,
              size_t i)
{
    float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
    if (check_that(holds, "%s: %s, %s, %s, %s input, pair %zu; seed %llu", name, scene->subject->name, abut_isa(),
                   scene->touch == ABUT_CLOSED ? "closed" : "open", kind_names[scene->kind], i,
                   (unsigned long long)scene->seed))
        return true;
    scene_item(&scene->a, i, item_a);
    scene_item(&scene->b, i, item_b);
    print_pair(scene->subject, item_a, item_b);
    if (a != NULL) {
        scene_item(a, i, item_a);
        scene_item(b, i, item_b);
        print_pair(scene->subject, item_a, item_b);
    }
    return false;
}

bool is(const char *question, const struct subject *subject)
{
    return strcmp(subject->question, question) == 0;
}

bool same_words(const uint64_t *x, const uint64_t *y, size_t n)
{
    return memcmp(x, y, abut_mask_words(n) * sizeof *x) == 0;
}

/* Makes some members of a shape larger, or smaller, by one relative amount. A hull also grows by losing a plane. */
static void grow(enum shape shape, struct random *random, float *item, bool shrink)
{
    const int exponent = (int)random_below(random, 30) - 24;
    const float amount = ldexpf(random_between(random, 0, 1), exponent);
    for (unsigned k = first_member(shape); k < end_of_members(shape, item); k++) {
        const float step = amount * (fabsf(item[k]) + 1);
        const enum role role = role_of(shape, k);
        const bool up = role == ROLE_RADIUS || role == ROLE_UPPER || role == ROLE_HALF,
                   down = role == ROLE_LOWER || role == ROLE_OFFSET;
        if ((up || down) && random_below(random, 2) == 0)
            item[k] = up != shrink ? item[k] + step : item[k] - step;
    }
    if (shape == shape_hull && !shrink && planes_of(item) > 1 && random_below(random, 2) == 0)
        item[HULL_COUNT]--;
}

/* A batch of which each item is replaced by a larger or smaller valid one. */
static struct batch grown(const struct scene *scene, const struct batch *from, bool shrink)
{
    struct batch batch = batch_copy(from, 0, from->n);
    for (size_t i = 0; i < from->n; i++) {
        float item[MAX_MEMBERS];
        batch_get(from, i, item);
        grow(from->shape, scene->random, item, shrink);
        if (item_valid(from->shape, item))
            batch_set(&batch, i, item);
    }
    return batch;
}

/*
 * Growth never loses a hit: of either operand of a touch, of the outer one of an inside; nor does shrinking the inner.
 */
static void property_growth(const struct scene *scene)
{
    const bool inside = is("inside", scene->subject) || is("in", scene->subject);
    struct batch a = grown(scene, &scene->a, inside), b = grown(scene, &scene->b, false);
    uint64_t *hits = ask(scene->subject, &a, &b, scene->touch, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(scene, "growth never loses a hit", !hit_at(scene->hits, i) || hit_at(hits, i), &a, &b, i);
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

/* The order of the planes of a hull does not matter. */
static void permute_planes(struct random *random, struct batch *hull)
{
    float item[MAX_MEMBERS], plane[4];
    batch_get(hull, 0, item);
    for (unsigned i = planes_of(item) - 1; i > 0; i--) {
        float *last = item + HULL_PLANES + 4 * i, *other = item + HULL_PLANES + 4 * random_below(random, i + 1);
        memcpy(plane, last, sizeof plane);
        memmove(last, other, sizeof plane);
        memcpy(other, plane, sizeof plane);
    }
    batch_set(hull, 0, item);
}

static void property_permutation(const struct scene *scene)
{
    size_t order[PAIRS];
    struct batch a = batch_new(scene->a.shape, PAIRS), b = batch_copy(&scene->b, 0, scene->b.n);
    for (size_t i = 0; i < PAIRS; i++) {
        size_t j = random_below(scene->random, (unsigned)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < PAIRS; i++) {
        float item[MAX_MEMBERS];
        batch_get(&scene->a, order[i], item);
        batch_set(&a, i, item);
        if (b.n == 1)
            continue;
        batch_get(&scene->b, order[i], item);
        batch_set(&b, i, item);
    }
    if (b.shape == shape_hull)
        permute_planes(scene->random, &b);
    uint64_t *hits = ask(scene->subject, &a, &b, scene->touch, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(scene, "permuted input permutes the hits", hit_at(hits, i) == hit_at(scene->hits, order[i]), NULL,
                 NULL, order[i]);
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

/* Hits and statistics of a batch are those of its parts. */
static void property_parts(const struct scene *scene)
{
    struct abut_stats whole = {0}, parts = {0};
    free(ask(scene->subject, &scene->a, &scene->b, scene->touch, &whole));
    for (size_t first = 0, n; first < PAIRS; first += n) {
        /* Fewer pairs than a vector has lanes are decided by a narrower instruction set. */
        n = ABUT_WIDEST + random_below(scene->random, 149 - ABUT_WIDEST);
        n = n + ABUT_WIDEST < PAIRS - first ? n : PAIRS - first;
        const bool one = scene->b.n == 1;
        struct batch a = batch_copy(&scene->a, first, n), b = batch_copy(&scene->b, one ? 0 : first, one ? 1 : n);
        uint64_t *hits = ask(scene->subject, &a, &b, scene->touch, &parts);
        for (size_t i = 0; i < n; i++)
            property(scene, "a batch equals its parts", hit_at(hits, i) == hit_at(scene->hits, first + i), NULL, NULL,
                     first + i);
        free(hits);
        batch_free(&a);
        batch_free(&b);
    }
    /* Spheres across a hull count with those that they are resolved with. */
    const bool counted = of_hulls(scene->subject) || (whole.undecided == parts.undecided && whole.exact == parts.exact);
    check_that(whole.pairs == PAIRS && parts.pairs == PAIRS && counted && whole.exact <= whole.undecided &&
                   whole.undecided <= PAIRS,
               "statistics add up: %s, %s: %llu undecided and %llu exact, in parts %llu and %llu", scene->subject->name,
               abut_isa(), (unsigned long long)whole.undecided, (unsigned long long)whole.exact,
               (unsigned long long)parts.undecided, (unsigned long long)parts.exact);
}

/* Broadcasting one item equals repeating it. */
static void property_broadcast(const struct scene *scene)
{
    for (int side = 0; side < 2; side++) {
        const struct batch *from = side == 0 ? &scene->a : &scene->b;
        size_t chosen = random_below(scene->random, (unsigned)from->n);
        if (side == 0 && scene->b.n == 1)
            continue;
        struct batch one = batch_copy(from, chosen, 1), repeated = batch_new(from->shape, PAIRS);
        float item[MAX_MEMBERS];
        batch_get(from, chosen, item);
        for (size_t i = 0; i < PAIRS; i++)
            batch_set(&repeated, i, item);
        uint64_t *expected = ask(scene->subject, side == 0 ? &repeated : &scene->a, side == 0 ? &scene->b : &repeated,
                                 scene->touch, NULL);
        uint64_t *hits =
            ask(scene->subject, side == 0 ? &one : &scene->a, side == 0 ? &scene->b : &one, scene->touch, NULL);
        uint64_t *row = side == 0 ? ask_all(scene->subject, &one, &scene->b, scene->touch, NULL) : NULL;
        property(scene, "broadcasting is repeating", same_words(hits, expected, PAIRS), NULL, NULL, chosen);
        property(scene, "a row of all is a broadcast", row == NULL || same_words(row, expected, PAIRS), NULL, NULL,
                 chosen);
        free(expected);
        free(hits);
        free(row);
        batch_free(&one);
        batch_free(&repeated);
    }
}

static void property_symmetry(const struct scene *scene)
{
    if (scene->subject->shape_a != scene->subject->shape_b || !is("touches", scene->subject))
        return;
    uint64_t *hits = ask(scene->subject, &scene->b, &scene->a, scene->touch, NULL);
    property(scene, "touching is symmetric", same_words(hits, scene->hits, PAIRS), NULL, NULL, 0);
    free(hits);
}

/* The pairs that only the closed rule finds are exactly those with the exact result ANSWER_TOUCH. */
static void property_touch(const struct scene *scene)
{
    if (scene->touch != ABUT_CLOSED)
        return;
    uint64_t *open = ask(scene->subject, &scene->a, &scene->b, ABUT_OPEN, NULL);
    for (size_t i = 0; i < PAIRS; i++) {
        float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
        scene_item(&scene->a, i, item_a);
        scene_item(&scene->b, i, item_b);
        bool touching = exact_answer(scene->subject, item_a, item_b) == ANSWER_TOUCH;
        property(scene, "an open hit is a closed one", hit_at(scene->hits, i) || !hit_at(open, i), NULL, NULL, i);
        property(scene, "closed without open is touching", (hit_at(scene->hits, i) && !hit_at(open, i)) == touching,
                 NULL, NULL, i);
    }
    free(open);
}

/* A motion of space: new axis k is old axis order[k], mirrored if sign[k] < 0, scaled, then moved. */
struct motion {
    unsigned order[3];
    float sign[3], move[3], scale;
};

/* The normal of a plane comes first. */
static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Returns whether no place was rounded: corners of triangles that touch a box are no integers. */
static bool move_row(enum shape shape, const struct motion *motion, const float *item, float *moved)
{
    const struct shape_info *info = shape_info(shape);
    bool exact = true;
    for (unsigned k = 0; k < info->fields; k++) {
        unsigned axis = info->axes[k];
        if (info->roles[k] == ROLE_OFFSET) {
            moved[k] = item[k] * motion->scale - dot(moved, motion->move);
            continue;
        }
        if (axis == 3) {
            moved[k] = item[k] * motion->scale;
            continue;
        }
        unsigned from = k - axis + motion->order[axis]; /* members come in x y z order */
        if (motion->sign[axis] < 0)
            from = info->partners[from];
        bool direction = info->roles[k] == ROLE_DIRECTION;
        moved[k] = item[from] * motion->sign[axis];
        if (direction)
            continue;
        const float scaled = moved[k] * motion->scale;
        moved[k] = scaled + motion->move[axis];
        exact &= isnan(scaled) || (double)moved[k] == (double)scaled + (double)motion->move[axis];
    }
    return exact;
}

static bool move_item(enum shape shape, const struct motion *motion, const float *item, float *moved)
{
    const unsigned first = first_member(shape), end = end_of_members(shape, item);
    bool exact = true;
    memcpy(moved, item, first * sizeof *moved);
    for (unsigned k = first; k < end; k += shape_info(shape)->fields)
        exact &= move_row(shape, motion, item + k, moved + k);
    return exact;
}

/* exact[i] becomes false where item i was rounded, of a single item for all. */
static struct batch moved_batch(const struct batch *from, const struct motion *motion, bool exact[PAIRS])
{
    struct batch batch = batch_new(from->shape, from->n);
    for (size_t i = 0; i < from->n; i++) {
        float item[MAX_MEMBERS], moved[MAX_MEMBERS];
        batch_get(from, i, item);
        const bool rounded = !move_item(from->shape, motion, item, moved);
        for (size_t pair = i; rounded && pair < (from->n == 1 ? PAIRS : i + 1); pair++)
            exact[pair] = false;
        batch_set(&batch, i, moved);
    }
    return batch;
}

/* Permuting and mirroring axes, scaling by powers of two and integer steps change no answer where they are exact. */
static void property_motion(const struct scene *scene)
{
    static const unsigned orders[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    const bool exact = scene->kind == kind_integers;
    if (scene->kind < kind_box && !exact && scene->kind != kind_uniform && scene->kind != kind_infinite &&
        scene->kind != kind_tangent_radius && scene->kind != kind_tangent_worst)
        return;
    struct motion motion = {.scale = exact ? ldexpf(1, (int)random_below(scene->random, 200) - 120) : 1};
    memcpy(motion.order, orders[random_below(scene->random, 6)], sizeof motion.order);
    for (unsigned k = 0; k < 3; k++) {
        motion.sign[k] = random_below(scene->random, 2) == 0 ? -1 : 1;
        motion.move[k] = exact ? (float)((int)random_below(scene->random, 20001) - 10000) * motion.scale : 0;
    }
    bool unrounded[PAIRS];
    memset(unrounded, true, sizeof unrounded);
    struct batch a = moved_batch(&scene->a, &motion, unrounded), b = moved_batch(&scene->b, &motion, unrounded);
    uint64_t *hits = ask(scene->subject, &a, &b, scene->touch, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(scene, "exact motions change nothing", !unrounded[i] || hit_at(hits, i) == hit_at(scene->hits, i), &a,
                 &b, i);
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

static void hold_all(struct scene *scene)
{
    for (enum abut_touch touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
        scene->touch = touch;
        scene->hits = ask(scene->subject, &scene->a, &scene->b, touch, NULL);
        property_growth(scene);
        property_permutation(scene);
        property_parts(scene);
        property_broadcast(scene);
        property_symmetry(scene);
        property_touch(scene);
        property_motion(scene);
        check_relations(scene);
        free(scene->hits);
    }
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 5, .rounds = 2});
    const char *before = abut_isa();
    for (const char *const *isa = abut_isas(); *isa != NULL; isa++) {
        struct random random = {options.seed}, of_corners = {options.seed + 1000};
        CHECK(abut_use_isa(*isa) == ABUT_OK);
        for (unsigned round = 0; round < options.rounds; round++)
            for (enum kind kind = 0; kind < kind_count; kind++) {
                for (unsigned p = (kind + round) % options.step; p < predicate_count; p += options.step) {
                    const bool corners = takes_long(&subjects[p]);
                    struct random of_scene = {random_next(corners ? &of_corners : &random)};
                    struct scene scene = {&subjects[p], kind, ABUT_CLOSED, options.seed, &of_scene, .hits = NULL};
                    if ((options.only != NULL && options.only != &subjects[p]) || !has_kind(&subjects[p], kind) ||
                        kind == kind_many)
                        continue;
                    if (corners && isa != abut_isas()) /* all share their kernels */
                        continue;
                    if (of_hulls(&subjects[p]))
                        batches_of_items(&subjects[p], kind, &of_scene, PAIRS, 1, &scene.a, &scene.b);
                    else
                        batches_of_pairs(&subjects[p], kind, &of_scene, PAIRS, &scene.a, &scene.b);
                    hold_all(&scene);
                    batch_free(&scene.a);
                    batch_free(&scene.b);
                }
            }
    }
    CHECK(abut_use_isa(before) == ABUT_OK);
    return finish("properties");
}
