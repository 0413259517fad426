/* SPDX-License-Identifier: MIT */
/* Pairs of shapes with corners that touch or are degenerate: copied corners, common planes, parallel edges. */
#include "contact.h"

#include <math.h>
#include <string.h>

bool has_corners(const struct subject *subject)
{
    return subject->predicate > predicate_sphere_triangle && subject->predicate < predicate_sphere_hull;
}

bool takes_long(const struct subject *subject)
{
    return has_corners(subject) || subject->predicate > predicate_obb_in_hull;
}

bool is_thin(const struct subject *subject)
{
    switch (subject->predicate) {
    case predicate_point_in_segment:
    case predicate_point_in_triangle:
    case predicate_segment_segment:
        return true;
    default:
        return false;
    }
}

static unsigned corners_of(enum shape shape)
{
    return shape == shape_aabb || shape == shape_obb          ? 8
           : shape == shape_segment || shape == shape_capsule ? 2
           : shape == shape_triangle                          ? 3
                                                              : 1;
}

/* Corner i, rounded. */
static void corner_of(enum shape shape, const float *item, unsigned i, float *corner)
{
    for (unsigned k = 0; k < 3; k++) {
        corner[k] = shape == shape_aabb ? item[(i >> k & 1) * 3 + k] : item[shape == shape_obb ? k : 3 * i + k];
        for (unsigned j = 0; j < 3 && shape == shape_obb; j++)
            corner[k] += (i >> j & 1 ? 1.0f : -1.0f) * item[3 + j] * item[6 + 3 * j + k];
    }
}

/* Moves corner i there; a box keeps its size if that is possible. */
static void put_corner(enum shape shape, float *item, unsigned i, const float *at)
{
    float corner[3];
    corner_of(shape, item, i, corner);
    for (unsigned k = 0; k < 3; k++) {
        if (shape == shape_obb)
            item[k] += at[k] - corner[k];
        else if (shape != shape_aabb)
            item[3 * i + k] = at[k];
        else {
            item[(i >> k & 1) * 3 + k] = at[k];
            if (item[k] > item[3 + k])
                item[k] = item[3 + k] = at[k];
        }
    }
}

/* Makes a shape flat, straight or a point, or two of its edges parallel. */
static void degenerate(enum shape shape, struct random *random, float *item)
{
    const unsigned i = random_below(random, 3), j = (i + 1 + random_below(random, 2)) % 3;
    if (shape == shape_aabb)
        item[3 + i] = item[i];
    if (shape == shape_segment || shape == shape_capsule)
        memcpy(item + 3, item, 3 * sizeof *item);
    if (shape == shape_triangle) {
        const float t = (float)random_below(random, 4) - 1;
        for (unsigned k = 0; k < 3; k++)
            item[3 * i + k] = item[3 * j + k] + t * (item[3 * ((6 - i - j) % 3) + k] - item[3 * j + k]);
    }
    if (shape != shape_obb)
        return;
    if (random_below(random, 2) == 0)
        item[3 + i] = 0;
    else
        for (unsigned k = 0; k < 3; k++)
            item[6 + 3 * i + k] = ((float)random_below(random, 2) * 2 - 1) * item[6 + 3 * j + k];
}

/* Puts a shape into a plane normal to an axis. */
static void flatten(enum shape shape, float *item, unsigned axis, float at)
{
    const struct shape_info *info = shape_info(shape);
    for (unsigned k = 0; k < info->fields; k++) {
        if (info->axes[k] != axis)
            continue;
        if (info->roles[k] == ROLE_DIRECTION && shape == shape_obb)
            item[k] = 0;
        else if (info->roles[k] != ROLE_DIRECTION)
            item[k] = at;
    }
}

/* Gives the second shape an axis or edge of the first, where both have such. */
static void align(enum shape shape_a, enum shape shape_b, struct random *random, const float *a, float *b)
{
    if (shape_a == shape_obb && shape_b == shape_obb)
        memcpy(b + 6, a + 6, (random_below(random, 2) == 0 ? 9 : 3) * sizeof *b);
    if (corners_of(shape_a) % 8 == 0 || corners_of(shape_b) % 8 == 0 || corners_of(shape_b) < 2 ||
        corners_of(shape_a) < 2)
        return;
    for (unsigned k = 0; k < 3; k++)
        b[3 + k] = b[k] + (a[3 + k] - a[k]);
}

/* The centre of the corners. */
static void centre_of(enum shape shape, const float *item, float *centre)
{
    const unsigned n = corners_of(shape);
    for (unsigned k = 0; k < 3; k++)
        centre[k] = 0;
    for (unsigned i = 0; i < n; i++) {
        float corner[3];
        corner_of(shape, item, i, corner);
        for (unsigned k = 0; k < 3; k++)
            centre[k] += corner[k] / (float)n;
    }
}

/* Moves a shape to another place, and scales it about its centre; an infinite member stays. */
static void resize(enum shape shape, float *item, const float *to, float scale)
{
    const struct shape_info *info = shape_info(shape);
    float centre[3];
    centre_of(shape, item, centre);
    for (unsigned k = 0; k < info->fields; k++) {
        const bool place = info->axes[k] < 3 && info->roles[k] != ROLE_DIRECTION;
        const bool half = info->roles[k] == ROLE_HALF || info->roles[k] == ROLE_RADIUS;
        const float moved = place  ? to[info->axes[k]] + scale * (item[k] - centre[info->axes[k]])
                            : half ? scale * item[k]
                                   : item[k];
        if (isfinite(moved))
            item[k] = moved;
    }
}

/* Puts the first shape around the middle of the second, smaller, or the second around the first, larger. */
static void nest(const struct subject *subject, enum free_sides sides, struct random *random, float *a, float *b)
{
    float centre[3];
    const float scale = ldexpf(1, (int)random_below(random, 5));
    if (sides == FREE_B) {
        centre_of(subject->shape_a, a, centre);
        resize(subject->shape_b, b, centre, scale);
    } else {
        centre_of(subject->shape_b, b, centre);
        resize(subject->shape_a, a, centre, 1 / scale);
    }
}

void make_contact(const struct subject *subject, enum free_sides sides, struct random *random, float *a, float *b)
{
    const bool use_b = sides == FREE_B || (sides == FREE_BOTH && random_below(random, 2) == 0);
    const enum shape free = use_b ? subject->shape_b : subject->shape_a,
                     other = use_b ? subject->shape_a : subject->shape_b;
    float *item = use_b ? b : a, *fixed = use_b ? a : b, corner[3];
    const unsigned axis = random_below(random, 3), what = random_below(random, 16);
    if (what >= 12 && strcmp(subject->question, "inside") == 0 && subject->shape_b != shape_plane)
        nest(subject, sides, random, a, b);
    if (what >= 8 || free == shape_plane)
        return;
    if (what < 3)
        degenerate(free, random, item);
    if (other == shape_plane || other == shape_sphere)
        return;
    if (what == 3 || what == 4)
        align(other, free, random, fixed, item);
    corner_of(other, fixed, random_below(random, corners_of(other)), corner);
    if (what == 5 || what == 2) {
        flatten(free, item, axis, corner[axis]);
        if (sides == FREE_BOTH)
            flatten(other, fixed, axis, corner[axis]);
    }
    if (what == 1 || what == 4 || what >= 6)
        put_corner(free, item, random_below(random, corners_of(free)), corner);
}
