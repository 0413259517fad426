/* SPDX-License-Identifier: MIT */
/*
 * Properties of geometry and of batches, tested through the public functions with each instruction set of this machine.
 * All but property_touch() need neither exact stage nor oracle, so an error common to both would show.
 */
#include "batches.h"
#include "exact/resolve.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 300 };

/* One property on one set of pairs. */
struct lawsuit {
    const struct subject *subject;
    enum kind kind;
    enum abut_touch touch;
    uint64_t seed;
    struct random *random;
    struct batch a, b;
    uint64_t *hits;
};

static bool property(const struct lawsuit *suit, const char *name, bool holds, const struct batch *a,
                     const struct batch *b, size_t i)
{
    float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
    if (check_that(holds, "%s: %s, %s, %s, %s input, pair %zu; seed %llu", name, suit->subject->name, abut_isa(),
                   suit->touch == ABUT_CLOSED ? "closed" : "open", kind_names[suit->kind], i,
                   (unsigned long long)suit->seed))
        return true;
    batch_get(&suit->a, i, item_a);
    batch_get(&suit->b, i, item_b);
    print_pair(suit->subject, item_a, item_b);
    if (a != NULL) {
        batch_get(a, i, item_a);
        batch_get(b, i, item_b);
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

/* Makes some members of a shape larger, or smaller, by one relative amount. */
static void grow(enum shape shape, struct random *random, float *item, bool shrink)
{
    const struct shape_info *info = shape_info(shape);
    const int exponent = (int)random_below(random, 30) - 24;
    const float amount = ldexpf(random_between(random, 0, 1), exponent);
    for (unsigned k = 0; k < info->fields; k++) {
        float step = amount * (fabsf(item[k]) + 1);
        bool up = info->roles[k] == ROLE_RADIUS || info->roles[k] == ROLE_UPPER || info->roles[k] == ROLE_HALF;
        if ((up || info->roles[k] == ROLE_LOWER) && random_below(random, 2) == 0)
            item[k] = up != shrink ? item[k] + step : item[k] - step;
    }
}

/*
 * Growth never loses a hit: of either operand of a touch, of the outer one of an inside; nor does shrinking the inner.
 */
static void property_growth(const struct lawsuit *suit)
{
    struct batch a = batch_copy(&suit->a, 0, PAIRS), b = batch_copy(&suit->b, 0, PAIRS);
    const bool touches = is("touches", suit->subject);
    for (size_t i = 0; i < PAIRS; i++) {
        float item[ABUT_MAX_FIELDS], shrunk[ABUT_MAX_FIELDS];
        batch_get(&b, i, item);
        grow(b.shape, suit->random, item, false);
        batch_set(&b, i, item);
        batch_get(&a, i, item);
        memcpy(shrunk, item, sizeof shrunk);
        grow(a.shape, suit->random, shrunk, !touches);
        if (item_valid(a.shape, shrunk))
            batch_set(&a, i, shrunk);
    }
    uint64_t *hits = ask(suit->subject, &a, &b, suit->touch, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(suit, "growth never loses a hit", !hit_at(suit->hits, i) || hit_at(hits, i), &a, &b, i);
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

static void property_permutation(const struct lawsuit *suit)
{
    size_t order[PAIRS];
    struct batch a = batch_new(suit->a.shape, PAIRS), b = batch_new(suit->b.shape, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        size_t j = random_below(suit->random, (unsigned)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (size_t i = 0; i < PAIRS; i++) {
        float item[ABUT_MAX_FIELDS];
        batch_get(&suit->a, order[i], item);
        batch_set(&a, i, item);
        batch_get(&suit->b, order[i], item);
        batch_set(&b, i, item);
    }
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
        struct batch a = batch_copy(&suit->a, first, n), b = batch_copy(&suit->b, first, n);
        uint64_t *hits = ask(suit->subject, &a, &b, suit->touch, &parts);
        for (size_t i = 0; i < n; i++)
            property(suit, "a batch equals its parts", hit_at(hits, i) == hit_at(suit->hits, first + i), NULL, NULL,
                     first + i);
        free(hits);
        batch_free(&a);
        batch_free(&b);
    }
    check_that(whole.pairs == PAIRS && parts.pairs == PAIRS && whole.undecided == parts.undecided &&
                   whole.exact == parts.exact && whole.exact <= whole.undecided && whole.undecided <= PAIRS,
               "statistics add up: %s, %s: %llu undecided and %llu exact, in parts %llu and %llu", suit->subject->name,
               abut_isa(), (unsigned long long)whole.undecided, (unsigned long long)whole.exact,
               (unsigned long long)parts.undecided, (unsigned long long)parts.exact);
}

/* Broadcasting one item equals repeating it. */
static void property_broadcast(const struct lawsuit *suit)
{
    size_t chosen = random_below(suit->random, PAIRS);
    for (int side = 0; side < 2; side++) {
        const struct batch *from = side == 0 ? &suit->a : &suit->b;
        struct batch one = batch_copy(from, chosen, 1), repeated = batch_new(from->shape, PAIRS);
        float item[ABUT_MAX_FIELDS];
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
        float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
        batch_get(&suit->a, i, item_a);
        batch_get(&suit->b, i, item_b);
        bool touching = abut_exact(suit->subject->predicate, item_a, item_b) == ANSWER_TOUCH;
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

static void move_item(enum shape shape, const struct motion *motion, const float *item, float *moved)
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

/* Permuting and mirroring axes, scaling by powers of two and integer steps change no answer where they are exact. */
static void property_motion(const struct lawsuit *suit)
{
    static const unsigned orders[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    const bool exact = suit->kind == kind_integers;
    if (!exact && suit->kind != kind_uniform && suit->kind != kind_infinite && suit->kind != kind_tangent_radius &&
        suit->kind != kind_tangent_worst)
        return;
    struct motion motion = {.scale = exact ? ldexpf(1, (int)random_below(suit->random, 200) - 120) : 1};
    memcpy(motion.order, orders[random_below(suit->random, 6)], sizeof motion.order);
    for (unsigned k = 0; k < 3; k++) {
        motion.sign[k] = random_below(suit->random, 2) == 0 ? -1 : 1;
        motion.move[k] = exact ? (float)((int)random_below(suit->random, 20001) - 10000) * motion.scale : 0;
    }
    struct batch a = batch_new(suit->a.shape, PAIRS), b = batch_new(suit->b.shape, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        float item[ABUT_MAX_FIELDS], moved[ABUT_MAX_FIELDS];
        batch_get(&suit->a, i, item);
        move_item(a.shape, &motion, item, moved);
        batch_set(&a, i, moved);
        batch_get(&suit->b, i, item);
        move_item(b.shape, &motion, item, moved);
        batch_set(&b, i, moved);
    }
    uint64_t *hits = ask(suit->subject, &a, &b, suit->touch, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(suit, "exact motions change nothing", hit_at(hits, i) == hit_at(suit->hits, i), &a, &b, i);
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

/* A shape inside another touches it; under the open rule only where no radius is 0. */
static void property_inside(const struct lawsuit *suit)
{
    if (!is("inside", suit->subject))
        return;
    for (unsigned p = 0; p < predicate_count; p++) {
        const struct subject *other = &subjects[p];
        bool straight = other->shape_a == suit->a.shape && other->shape_b == suit->b.shape;
        bool swapped = other->shape_a == suit->b.shape && other->shape_b == suit->a.shape;
        if (!is("touches", other) || (!straight && !swapped))
            continue;
        uint64_t *touches =
            ask(other, straight ? &suit->a : &suit->b, straight ? &suit->b : &suit->a, suit->touch, NULL);
        for (size_t i = 0; i < PAIRS; i++) {
            bool zero = false;
            for (int side = 0; side < 2; side++) {
                const struct batch *batch = side == 0 ? &suit->a : &suit->b;
                for (unsigned k = 0; k < batch->fields; k++)
                    zero |= shape_info(batch->shape)->roles[k] == ROLE_RADIUS && batch->at[k][i] == 0;
            }
            if (suit->touch == ABUT_CLOSED || !zero)
                property(suit, "an item inside touches", !hit_at(suit->hits, i) || hit_at(touches, i), NULL, NULL, i);
        }
        free(touches);
    }
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
        property_inside(suit);
        free(suit->hits);
    }
}

/* A point is inside every shape that a sphere of radius 0 touches (closed). */
static void property_points(struct random *random, enum kind kind, uint64_t seed)
{
    struct batch points, boxes, spheres = batch_new(shape_sphere, PAIRS);
    batches_of_pairs(&subjects[predicate_point_in_aabb], kind, random, PAIRS, &points, &boxes);
    for (size_t i = 0; i < PAIRS; i++) {
        float item[ABUT_MAX_FIELDS] = {0};
        batch_get(&points, i, item);
        item[3] = 0;
        batch_set(&spheres, i, item);
    }
    uint64_t *inside = ask(&subjects[predicate_point_in_aabb], &points, &boxes, ABUT_CLOSED, NULL);
    uint64_t *touching = ask(&subjects[predicate_sphere_aabb], &spheres, &boxes, ABUT_CLOSED, NULL);
    check_that(same_words(inside, touching, PAIRS), "points are spheres of radius 0: %s, %s input; seed %llu",
               abut_isa(), kind_names[kind], (unsigned long long)seed);
    free(inside);
    free(touching);
    batch_free(&points);
    batch_free(&boxes);
    batch_free(&spheres);
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
                    if (options.only != NULL && options.only != &subjects[p])
                        continue;
                    batches_of_pairs(&subjects[p], kind, &of_suit, PAIRS, &suit.a, &suit.b);
                    hold_all(&suit);
                    batch_free(&suit.a);
                    batch_free(&suit.b);
                }
                property_points(&random, kind, options.seed);
            }
    }
    CHECK(abut_use_isa(before) == ABUT_OK);
    return finish("properties");
}
