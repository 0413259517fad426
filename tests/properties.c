/* SPDX-License-Identifier: MIT */
/*
 * Properties of geometry and of batches, tested through the public functions with each instruction set of this machine.
 * All but property_touch() need neither exact stage nor oracle, so an error common to both would show.
 */
#include "batches.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 300 };

/* One property on one set of pairs. Many items are with one hull, which is what its kernels take. */
struct lawsuit {
    const struct subject *subject;
    enum kind kind;
    enum abut_touch touch;
    uint64_t seed;
    struct random *random;
    struct batch a, b;
    uint64_t *hits;
};

/* The item of pair i. */
static void get(const struct batch *batch, size_t i, float *item)
{
    batch_get(batch, batch->n == 1 ? 0 : i, item);
}

static bool property(const struct lawsuit *suit, const char *name, bool holds, const struct batch *a,
                     const struct batch *b, size_t i)
{
    float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
    if (check_that(holds, "%s: %s, %s, %s, %s input, pair %zu; seed %llu", name, suit->subject->name, abut_isa(),
                   suit->touch == ABUT_CLOSED ? "closed" : "open", kind_names[suit->kind], i,
                   (unsigned long long)suit->seed))
        return true;
    get(&suit->a, i, item_a);
    get(&suit->b, i, item_b);
    print_pair(suit->subject, item_a, item_b);
    if (a != NULL) {
        get(a, i, item_a);
        get(b, i, item_b);
        print_pair(suit->subject, item_a, item_b);
    }
    return false;
}

static bool is(const char *question, const struct subject *subject)
{
    return strcmp(subject->question, question) == 0;
}

static bool same_words(const uint64_t *x, const uint64_t *y, size_t n)
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
static struct batch grown(const struct lawsuit *suit, const struct batch *from, bool shrink)
{
    struct batch batch = batch_copy(from, 0, from->n);
    for (size_t i = 0; i < from->n; i++) {
        float item[MAX_MEMBERS];
        batch_get(from, i, item);
        grow(from->shape, suit->random, item, shrink);
        if (item_valid(from->shape, item))
            batch_set(&batch, i, item);
    }
    return batch;
}

/*
 * Growth never loses a hit: of either operand of a touch, of the outer one of an inside; nor does shrinking the inner.
 */
static void property_growth(const struct lawsuit *suit)
{
    const bool inside = is("inside", suit->subject) || is("in", suit->subject);
    struct batch a = grown(suit, &suit->a, inside), b = grown(suit, &suit->b, false);
    uint64_t *hits = ask(suit->subject, &a, &b, suit->touch, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(suit, "growth never loses a hit", !hit_at(suit->hits, i) || hit_at(hits, i), &a, &b, i);
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

static void property_permutation(const struct lawsuit *suit)
{
    size_t order[PAIRS];
    struct batch a = batch_new(suit->a.shape, PAIRS), b = batch_copy(&suit->b, 0, suit->b.n);
    for (size_t i = 0; i < PAIRS; i++) {
        size_t j = random_below(suit->random, (unsigned)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < PAIRS; i++) {
        float item[MAX_MEMBERS];
        batch_get(&suit->a, order[i], item);
        batch_set(&a, i, item);
        if (b.n == 1)
            continue;
        batch_get(&suit->b, order[i], item);
        batch_set(&b, i, item);
    }
    if (b.shape == shape_hull)
        permute_planes(suit->random, &b);
    uint64_t *hits = ask(suit->subject, &a, &b, suit->touch, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(suit, "permuted input permutes the hits", hit_at(hits, i) == hit_at(suit->hits, order[i]), NULL, NULL,
                 order[i]);
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

/* Hits and statistics of a batch are those of its parts. */
static void property_parts(const struct lawsuit *suit)
{
    struct abut_stats whole = {0}, parts = {0};
    free(ask(suit->subject, &suit->a, &suit->b, suit->touch, &whole));
    for (size_t first = 0, n; first < PAIRS; first += n) {
        n = 1 + random_below(suit->random, 150);
        n = n < PAIRS - first ? n : PAIRS - first;
        const bool one = suit->b.n == 1;
        struct batch a = batch_copy(&suit->a, first, n), b = batch_copy(&suit->b, one ? 0 : first, one ? 1 : n);
        uint64_t *hits = ask(suit->subject, &a, &b, suit->touch, &parts);
        for (size_t i = 0; i < n; i++)
            property(suit, "a batch equals its parts", hit_at(hits, i) == hit_at(suit->hits, first + i), NULL, NULL,
                     first + i);
        free(hits);
        batch_free(&a);
        batch_free(&b);
    }
    /* Spheres across a hull count with those that they are resolved with. */
    const bool counted = of_hulls(suit->subject) || (whole.undecided == parts.undecided && whole.exact == parts.exact);
    check_that(whole.pairs == PAIRS && parts.pairs == PAIRS && counted && whole.exact <= whole.undecided &&
                   whole.undecided <= PAIRS,
               "statistics add up: %s, %s: %llu undecided and %llu exact, in parts %llu and %llu", suit->subject->name,
               abut_isa(), (unsigned long long)whole.undecided, (unsigned long long)whole.exact,
               (unsigned long long)parts.undecided, (unsigned long long)parts.exact);
}

/* Broadcasting one item equals repeating it. */
static void property_broadcast(const struct lawsuit *suit)
{
    for (int side = 0; side < 2; side++) {
        const struct batch *from = side == 0 ? &suit->a : &suit->b;
        size_t chosen = random_below(suit->random, (unsigned)from->n);
        if (side == 0 && suit->b.n == 1)
            continue;
        struct batch one = batch_copy(from, chosen, 1), repeated = batch_new(from->shape, PAIRS);
        float item[MAX_MEMBERS];
        batch_get(from, chosen, item);
        for (size_t i = 0; i < PAIRS; i++)
            batch_set(&repeated, i, item);
        uint64_t *expected =
            ask(suit->subject, side == 0 ? &repeated : &suit->a, side == 0 ? &suit->b : &repeated, suit->touch, NULL);
        uint64_t *hits =
            ask(suit->subject, side == 0 ? &one : &suit->a, side == 0 ? &suit->b : &one, suit->touch, NULL);
        uint64_t *row = side == 0 ? ask_all(suit->subject, &one, &suit->b, suit->touch, NULL) : NULL;
        property(suit, "broadcasting is repeating", same_words(hits, expected, PAIRS), NULL, NULL, chosen);
        property(suit, "a row of all is a broadcast", row == NULL || same_words(row, expected, PAIRS), NULL, NULL,
                 chosen);
        free(expected);
        free(hits);
        free(row);
        batch_free(&one);
        batch_free(&repeated);
    }
}

static void property_symmetry(const struct lawsuit *suit)
{
    if (suit->subject->shape_a != suit->subject->shape_b || !is("touches", suit->subject))
        return;
    uint64_t *hits = ask(suit->subject, &suit->b, &suit->a, suit->touch, NULL);
    property(suit, "touching is symmetric", same_words(hits, suit->hits, PAIRS), NULL, NULL, 0);
    free(hits);
}

/* The pairs that only the closed rule finds are exactly those with the exact result ANSWER_TOUCH. */
static void property_touch(const struct lawsuit *suit)
{
    if (suit->touch != ABUT_CLOSED)
        return;
    uint64_t *open = ask(suit->subject, &suit->a, &suit->b, ABUT_OPEN, NULL);
    for (size_t i = 0; i < PAIRS; i++) {
        float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
        get(&suit->a, i, item_a);
        get(&suit->b, i, item_b);
        bool touching = exact_answer(suit->subject, item_a, item_b) == ANSWER_TOUCH;
        property(suit, "an open hit is a closed one", hit_at(suit->hits, i) || !hit_at(open, i), NULL, NULL, i);
        property(suit, "closed without open is touching", (hit_at(suit->hits, i) && !hit_at(open, i)) == touching, NULL,
                 NULL, i);
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

static void move_row(enum shape shape, const struct motion *motion, const float *item, float *moved)
{
    const struct shape_info *info = shape_info(shape);
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
        if (!direction)
            moved[k] = moved[k] * motion->scale + motion->move[axis];
    }
}

static void move_item(enum shape shape, const struct motion *motion, const float *item, float *moved)
{
    const unsigned first = first_member(shape), end = end_of_members(shape, item);
    memcpy(moved, item, first * sizeof *moved);
    for (unsigned k = first; k < end; k += shape_info(shape)->fields)
        move_row(shape, motion, item + k, moved + k);
}

static struct batch moved_batch(const struct batch *from, const struct motion *motion)
{
    struct batch batch = batch_new(from->shape, from->n);
    for (size_t i = 0; i < from->n; i++) {
        float item[MAX_MEMBERS], moved[MAX_MEMBERS];
        batch_get(from, i, item);
        move_item(from->shape, motion, item, moved);
        batch_set(&batch, i, moved);
    }
    return batch;
}

/* Permuting and mirroring axes, scaling by powers of two and integer steps change no answer where they are exact. */
static void property_motion(const struct lawsuit *suit)
{
    static const unsigned orders[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    const bool exact = suit->kind == kind_integers;
    if (suit->kind < kind_box && !exact && suit->kind != kind_uniform && suit->kind != kind_infinite &&
        suit->kind != kind_tangent_radius && suit->kind != kind_tangent_worst)
        return;
    struct motion motion = {.scale = exact ? ldexpf(1, (int)random_below(suit->random, 200) - 120) : 1};
    memcpy(motion.order, orders[random_below(suit->random, 6)], sizeof motion.order);
    for (unsigned k = 0; k < 3; k++) {
        motion.sign[k] = random_below(suit->random, 2) == 0 ? -1 : 1;
        motion.move[k] = exact ? (float)((int)random_below(suit->random, 20001) - 10000) * motion.scale : 0;
    }
    struct batch a = moved_batch(&suit->a, &motion), b = moved_batch(&suit->b, &motion);
    uint64_t *hits = ask(suit->subject, &a, &b, suit->touch, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(suit, "exact motions change nothing", hit_at(hits, i) == hit_at(suit->hits, i), &a, &b, i);
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

/* Whether a relation follows from another one: from inside to cull. */
static int rank(const struct subject *subject)
{
    return is("inside", subject) ? 2 : is("touches", subject) ? 1 : is("cull", subject) ? 0 : -1;
}

static bool has_zero_radius(const struct batch *batch, size_t i)
{
    for (unsigned k = 0; k < batch->fields; k++)
        if (shape_info(batch->shape)->roles[k] == ROLE_RADIUS && batch->at[k][i] == 0)
            return true;
    return false;
}

/*
 * A shape inside another touches it, and what touches a hull is culled by none of its planes; under the open rule what
 * is inside touches only where no radius is 0.
 */
static void property_order(const struct lawsuit *suit)
{
    for (unsigned p = 0; p < predicate_count; p++) {
        const struct subject *other = &subjects[p];
        bool straight = other->shape_a == suit->a.shape && other->shape_b == suit->b.shape;
        bool swapped = other->shape_a == suit->b.shape && other->shape_b == suit->a.shape;
        if (rank(other) < 0 || rank(other) >= rank(suit->subject) || (!straight && !swapped))
            continue;
        uint64_t *weaker =
            ask(other, straight ? &suit->a : &suit->b, straight ? &suit->b : &suit->a, suit->touch, NULL);
        for (size_t i = 0; i < PAIRS; i++) {
            const bool zero = has_zero_radius(&suit->a, i) || has_zero_radius(&suit->b, suit->b.n == 1 ? 0 : i);
            if (suit->touch == ABUT_CLOSED || !zero || is("touches", suit->subject))
                property(suit, is("cull", other) ? "a hit is not culled" : "an item inside touches",
                         !hit_at(suit->hits, i) || hit_at(weaker, i), NULL, NULL, i);
        }
        free(weaker);
    }
}

/* The predicate of these shapes with this relation, if there is one. */
static const struct subject *like(enum shape a, enum shape b, const char *question)
{
    for (unsigned p = 0; p < predicate_count; p++)
        if (subjects[p].shape_a == a && subjects[p].shape_b == b && is(question, &subjects[p]))
            return &subjects[p];
    return NULL;
}

/* A point is inside every shape that a sphere of radius 0 touches (closed). */
static void property_points(const struct lawsuit *suit)
{
    const struct subject *touches = like(shape_sphere, suit->b.shape, "touches");
    if (!is("in", suit->subject) || suit->touch != ABUT_CLOSED || touches == NULL)
        return;
    struct batch spheres = batch_new(shape_sphere, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        float item[MAX_MEMBERS] = {0};
        batch_get(&suit->a, i, item);
        batch_set(&spheres, i, item);
    }
    uint64_t *touching = ask(touches, &spheres, &suit->b, ABUT_CLOSED, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(suit, "points are spheres of radius 0", hit_at(touching, i) == hit_at(suit->hits, i), NULL, NULL, i);
    free(touching);
    batch_free(&spheres);
}

/* The corners of a box inside a shape are inside it. */
static void property_corners(const struct lawsuit *suit)
{
    const struct subject *in = like(shape_point, suit->b.shape, "in");
    if (!is("inside", suit->subject) || suit->a.shape != shape_aabb || in == NULL)
        return;
    for (unsigned corner = 0; corner < 8; corner++) {
        struct batch points = batch_new(shape_point, PAIRS);
        for (size_t i = 0; i < PAIRS; i++)
            for (unsigned k = 0; k < 3; k++)
                points.at[k][i] = suit->a.at[k + (corner >> k & 1 ? 3 : 0)][i];
        uint64_t *inside = ask(in, &points, &suit->b, suit->touch, NULL);
        for (size_t i = 0; i < PAIRS; i++) {
            const bool finite = isfinite(points.at[0][i]) && isfinite(points.at[1][i]) && isfinite(points.at[2][i]);
            property(suit, "a box inside has its corners inside",
                     !finite || !hit_at(suit->hits, i) || hit_at(inside, i), NULL, NULL, i);
        }
        free(inside);
        batch_free(&points);
    }
}

/* An AABB and the same as an OBB, near a box, with few bits, so that centre and half extents are exact. */
static void make_straight(struct random *random, float *aabb, float *obb)
{
    static const float axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (unsigned k = 0; k < 3; k++) {
        const float near = isfinite(aabb[k]) && fabsf(aabb[k]) < 1e4f ? aabb[k] : 1;
        obb[k] = rintf(near * 8) / 8;
        obb[3 + k] = (float)random_below(random, 9) / 8;
        aabb[k] = obb[k] - obb[3 + k];
        aabb[3 + k] = obb[k] + obb[3 + k];
    }
    memcpy(obb + 6, axes, sizeof axes);
}

/* An AABB is an OBB with the world axes. */
static void property_straight(const struct lawsuit *suit)
{
    const bool is_a = suit->a.shape == shape_aabb, is_b = suit->b.shape == shape_aabb;
    const struct subject *of_obbs = is_a == is_b ? NULL
                                                 : like(is_a ? shape_obb : suit->a.shape,
                                                        is_b ? shape_obb : suit->b.shape, suit->subject->question);
    if (of_obbs == NULL)
        return;
    struct batch aabbs = batch_new(shape_aabb, PAIRS), obbs = batch_new(shape_obb, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        float aabb[MAX_MEMBERS], obb[MAX_MEMBERS];
        batch_get(is_a ? &suit->a : &suit->b, i, aabb);
        make_straight(suit->random, aabb, obb);
        batch_set(&aabbs, i, aabb);
        batch_set(&obbs, i, obb);
    }
    uint64_t *straight = ask(suit->subject, is_a ? &aabbs : &suit->a, is_b ? &aabbs : &suit->b, suit->touch, NULL);
    uint64_t *oriented = ask(of_obbs, is_a ? &obbs : &suit->a, is_b ? &obbs : &suit->b, suit->touch, NULL);
    property(suit, "an AABB is an OBB", same_words(straight, oriented, PAIRS), NULL, NULL, 0);
    free(straight);
    free(oriented);
    batch_free(&aabbs);
    batch_free(&obbs);
}

static void hold_all(struct lawsuit *suit)
{
    for (enum abut_touch touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
        suit->touch = touch;
        suit->hits = ask(suit->subject, &suit->a, &suit->b, touch, NULL);
        property_growth(suit);
        property_permutation(suit);
        property_parts(suit);
        property_broadcast(suit);
        property_symmetry(suit);
        property_touch(suit);
        property_motion(suit);
        property_order(suit);
        property_points(suit);
        property_corners(suit);
        property_straight(suit);
        free(suit->hits);
    }
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 5, .rounds = 2});
    const char *before = abut_isa();
    for (const char *const *isa = abut_isas(); *isa != NULL; isa++) {
        struct random random = {options.seed};
        CHECK(abut_use_isa(*isa) == ABUT_OK);
        for (unsigned round = 0; round < options.rounds; round++)
            for (enum kind kind = 0; kind < kind_count; kind++) {
                for (unsigned p = 0; p < predicate_count; p++) {
                    struct random of_suit = {random_next(&random)};
                    struct lawsuit suit = {&subjects[p], kind, ABUT_CLOSED, options.seed, &of_suit, .hits = NULL};
                    if ((options.only != NULL && options.only != &subjects[p]) || !has_kind(&subjects[p], kind) ||
                        kind == kind_many)
                        continue;
                    if (of_hulls(&subjects[p]))
                        batches_of_items(&subjects[p], kind, &of_suit, PAIRS, 1, &suit.a, &suit.b);
                    else
                        batches_of_pairs(&subjects[p], kind, &of_suit, PAIRS, &suit.a, &suit.b);
                    hold_all(&suit);
                    batch_free(&suit.a);
                    batch_free(&suit.b);
                }
            }
    }
    CHECK(abut_use_isa(before) == ABUT_OK);
    return finish("properties");
}
