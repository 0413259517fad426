/* SPDX-License-Identifier: MIT */
/* Items near the hulls of hull_inputs.c, and pairs of both. */
#include "hull/hull.h"
#include "hull_inputs.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The hull near which an item is made. */
struct place {
    enum kind kind;
    const float *hull, *centre;
    int exponent;
};

static float coordinate(const struct place *place, struct random *random, unsigned axis)
{
    const bool whole = place->kind == kind_box || place->kind == kind_hull_integers || place->kind == kind_hull_flat;
    const float x = whole ? random_integer(random, 5) : random_between(random, -2, 2);
    return ldexpf(place->centre[axis] + x, place->exponent);
}

/* Moves a member on the way to far, to one of the two neighbours between which the answer changes. */
static void bisect(const struct subject *subject, struct random *random, const float *item, const float *hull,
                   float *member, float near, float far)
{
    const enum answer wanted = random_below(random, 2) == 0 ? ANSWER_TOUCH : ANSWER_HIT;
    int64_t low, high;
    if (find_change(subject, wanted, item, hull, member, near, far, &low, &high))
        *member = from_rank((int32_t)(random_below(random, 2) == 0 ? low : high));
}

/* World axes in any order, a rotation, or arbitrary axes. */
static void make_axes(struct random *random, float *axes)
{
    unsigned form = random_below(random, 4), turn = random_below(random, 3);
    float cosine = random_between(random, -1, 1), sine = sqrtf(1 - cosine * cosine);
    for (unsigned k = 0; k < 9; k++)
        axes[k] = form == 0 ? (k / 3 + turn) % 3 == k % 3 : form == 1 ? random_between(random, -1, 1) : k == 8;
    if (form >= 2) {
        axes[0] = axes[4] = cosine;
        axes[1] = sine;
        axes[3] = -sine;
    }
}

/* Makes the first axis of an OBB long and, but for rounding, parallel to the plane: the terms of n.u cancel. */
static void lay_along(const float *plane, struct random *random, const struct place *place, float *item)
{
    unsigned zero = random_below(random, 3), i = (zero + 1) % 3, j = (zero + 2) % 3;
    float length = sqrtf(plane[i] * plane[i] + plane[j] * plane[j]);
    item[3] = ldexpf(1, place->exponent + (int)random_below(random, 24));
    item[6 + zero] = 0;
    item[6 + i] = plane[j] / length;
    item[6 + j] = -plane[i] / length;
}

/* Makes an OBB flat along an axis whose product with a normal overflows: the term 0 * infinity must count as 0. */
static void make_flat(const float *plane, struct random *random, float *item)
{
    unsigned axis = random_below(random, 3);
    item[3 + axis] = 0;
    for (unsigned k = 0; k < 3; k++)
        item[6 + 3 * axis + k] = copysignf(FLT_MAX, plane[k]);
}

static void make_axes_at(const struct place *place, struct random *random, float *item)
{
    const float *plane = plane_of(place->hull, 0);
    make_axes(random, item + 6);
    if (random_below(random, 4) == 0)
        lay_along(plane, random, place, item);
    if (random_below(random, 8) == 0)
        make_flat(plane, random, item);
}

static void make_members(const struct place *place, enum shape shape, struct random *random, float *item)
{
    const struct shape_info *info = shape_info(shape);
    for (unsigned k = 0; k < info->fields; k++) {
        if (info->roles[k] == ROLE_COORDINATE || info->roles[k] == ROLE_LOWER)
            item[k] = coordinate(place, random, info->axes[k]);
        else if (info->roles[k] == ROLE_RADIUS)
            item[k] = random_below(random, 8) == 0
                          ? 0
                          : fabsf(coordinate(place, random, 0) - ldexpf(place->centre[0], place->exponent));
        else if (info->roles[k] == ROLE_HALF)
            item[k] =
                random_below(random, 16) == 0 ? INFINITY : ldexpf((float)random_below(random, 5) / 2, place->exponent);
        else if (info->roles[k] == ROLE_UPPER)
            item[k] = item[info->partners[k]] + ldexpf((float)random_below(random, 4), place->exponent);
    }
    if (shape == shape_obb)
        make_axes_at(place, random, item);
}

/* hull/hull.c leaves out planes that bound nothing, and if it leaves out all, no radius changes the answer. */
static bool has_bounding_plane(const float *hull)
{
    struct hull prepared;
    prepare_hull(&prepared, hull);
    return prepared.planes > 0;
}

/* At times invalid; a third of the time one member is moved to where the answer changes. */
static void make_usual_item(const struct subject *subject, const struct place *place, struct random *random,
                            float *item)
{
    const struct shape_info *info = shape_info(subject->shape_a);
    make_members(place, subject->shape_a, random, item);
    const unsigned chance = random_below(random, 16), member = random_below(random, info->fields);
    if (chance == 0) {
        static const float values[] = {NAN, INFINITY, -INFINITY, -1, -0.0f, FLT_MAX, 0x1p-149f};
        item[member] = values[random_below(random, sizeof values / sizeof *values)];
    } else if (chance < 6) {
        const bool radius = info->roles[info->fields - 1] == ROLE_RADIUS && random_below(random, 2) == 0;
        float *at = &item[radius ? info->fields - 1 : member];
        const float far = radius || random_below(random, 2) == 0 ? FLT_MAX : -FLT_MAX;
        bisect(subject, random, item, place->hull, at, *at, far);
        if (radius && has_bounding_plane(place->hull))
            bisect(subject, random, item, place->hull, at, 0, FLT_MAX);
    }
}

/* A sphere, or as well as the shape can be like one. */
static void make_ball(enum shape shape, const float *centre, float r, float *item)
{
    const struct shape_info *info = shape_info(shape);
    for (unsigned k = 0; k < info->fields; k++) {
        const unsigned axis = info->axes[k];
        if (info->roles[k] == ROLE_DIRECTION)
            item[k] = (k - 6) % 4 == 0;
        else if (axis == 3)
            item[k] = r;
        else
            item[k] = centre[axis] + (info->roles[k] == ROLE_LOWER ? -r : info->roles[k] == ROLE_UPPER ? r : 0);
    }
}

static void make_special_item(enum shape shape, const struct place *place, struct random *random, float *item)
{
    float centre[3], size = place->hull[HULL_SIZE];
    memcpy(centre, place->centre, sizeof centre);
    if (place->kind == kind_hull_mixed) {
        const float scale = ldexpf(1, place->exponent);
        for (unsigned k = 0; k < 3; k++)
            centre[k] = scale * random_between(random, -2, 2);
        size = scale * random_between(random, 0.2f, 1);
    } else if (place->kind == kind_blade) {
        const float beyond = size * ldexpf(random_between(random, 1, 2), -18 + (int)random_below(random, 3));
        centre[0] += beyond;
        size = beyond * random_between(random, 0.5f, 1.2f);
    }
    make_ball(shape, centre, size, item);
    if (place->kind == kind_space && random_below(random, 16) == 0)
        item[random_below(random, shape_info(shape)->fields)] = random_below(random, 4) == 0 ? INFINITY : NAN;
}

/* Moves all planes, which rounds. */
static void move_hull(const struct place *place, struct random *random, float *item)
{
    float by[3];
    for (unsigned k = 0; k < 3; k++)
        by[k] = coordinate(place, random, k) - ldexpf(place->centre[k], place->exponent);
    for (unsigned i = 0; i < planes_of(item); i++) {
        float *plane = item + HULL_PLANES + 4 * i;
        const float d = plane[3] - (plane[0] * by[0] + plane[1] * by[1] + plane[2] * by[2]);
        plane[3] = isfinite(d) ? d : plane[3];
    }
}

/*
 * A hull near the other one: of the same kind, or a copy with some planes turned; usually moved, at times invalid or
 * until it touches. The oracle takes long for many planes of both.
 */
static void make_hull_item(const struct subject *subject, const struct place *place, struct random *random, float *item)
{
    if (random_below(random, 2) == 0) {
        item[HULL_EXPONENT] = place->hull[HULL_EXPONENT];
        make_hull(place->kind == kind_many ? kind_cut : place->kind, random, item);
    } else {
        memcpy(item, place->hull, MAX_MEMBERS * sizeof *item);
        item[HULL_COUNT] = place->kind == kind_many ? 6 : item[HULL_COUNT];
        for (unsigned i = 0; i < planes_of(item) && random_below(random, 4) > 0; i++)
            for (unsigned k = 0; k < 4; k++)
                item[HULL_PLANES + 4 * i + k] *= -1;
    }
    if (random_below(random, 8) > 0)
        move_hull(place, random, item);
    const unsigned chance = random_below(random, 16);
    float *d = item + HULL_PLANES + 4 * random_below(random, planes_of(item)) + 3;
    if (chance == 0) {
        static const float values[] = {NAN, INFINITY, -INFINITY, FLT_MAX, 0x1p-149f};
        *d = values[random_below(random, sizeof values / sizeof *values)];
    } else if (chance < 6) {
        bisect(subject, random, item, place->hull, d, *d, random_below(random, 2) == 0 ? FLT_MAX : -FLT_MAX);
    }
}

static void make_item(const struct subject *subject, enum kind kind, const float *hull, struct random *random,
                      float *item)
{
    struct place place = {kind, hull, hull + HULL_CENTRE, (int)hull[HULL_EXPONENT]};
    if (kind == kind_along)
        place.kind = kind_hull_far;
    if (subject->shape_a == shape_hull)
        make_hull_item(subject, &place, random, item);
    else if (place.kind <= kind_many)
        make_usual_item(subject, &place, random, item);
    else
        make_special_item(subject->shape_a, &place, random, item);
}

/* Another hull for the item, which is about there: most items across it are elsewhere than those of the last one. */
static void make_other_hull(enum kind kind, struct random *random, const float *at, float *hull)
{
    const unsigned chance = random_below(random, 4);
    if (chance == 0) {
        static const float invalid[4] = {0, 0, 0, 1};
        hull[HULL_COUNT] = 1;
        memcpy(hull + HULL_PLANES, invalid, sizeof invalid);
    } else if (chance < 3) {
        float *plane = hull + HULL_PLANES + 4 * random_below(random, planes_of(hull));
        const float d = -(plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2]);
        plane[3] = isfinite(d) ? d : plane[3];
    } else {
        make_hull(kind, random, hull);
    }
}

void make_hull_pair(const struct subject *subject, enum kind kind, enum free_sides sides, struct random *random,
                    float *item, float *hull)
{
    if (sides == FREE_B) {
        make_other_hull(kind, random, subject->shape_a == shape_hull ? item + HULL_CENTRE : item, hull);
        return;
    }
    if (sides == FREE_BOTH) {
        hull[HULL_EXPONENT] = 0;
        make_hull(kind, random, hull);
    }
    make_item(subject, kind, hull, random, item);
}
