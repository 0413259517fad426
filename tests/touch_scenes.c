/* SPDX-License-Identifier: MIT */
/*
 * The lattice consists of the points a0 n0 + a1 n1 + a2 n2 with integers a. The n are integers too, at right angles,
 * and of one integer length. So planes through its points have integers for all members. A sphere whose centre is k0 n0
 * + k1 n1 + k2 n2 beside a corner touches it where the radius is that length times |k|, an integer for a Pythagorean k.
 * Powers of two scale all of this without rounding.
 */
#include "touch_scenes.h"

#include <math.h>
#include <string.h>

struct lattice {
    float n[3][3], length;
    int exponent, time; /* of lengths, and of times */
    int origin[3];      /* around which the blocks are, far from 0 at times: heights there are small differences */
    bool tilts, scales; /* planes are off by less than float64 sees; planes have normals of any length */
};

static const struct lattice lattices[] = {
    {.n = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .length = 1},
    {.n = {{3, 4, 0}, {-4, 3, 0}, {0, 0, 5}}, .length = 5},
    {.n = {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}}, .length = 3},
};

/* A box along the directions of the lattice. */
struct block {
    int low[3], high[3];
};

#define ONE_OF(random, values) ((values)[random_below(random, sizeof(values) / sizeof *(values))])

static struct lattice make_lattice(struct random *random)
{
    static const int lengths[] = {0, 0, 0, 0, 0, -30, -60, -100, -140, 60, 100};
    static const int times[] = {0, 0, 0, 0, -3, 20, 126, 127, 140, -149, -150, -151};
    struct lattice lattice = ONE_OF(random, lattices);
    lattice.exponent = ONE_OF(random, lengths);
    lattice.time = ONE_OF(random, times);
    /* Motions are floats. */
    if (lattice.exponent - lattice.time > 116 || lattice.exponent - lattice.time < -148)
        lattice.time = 0;
    const int far = random_below(random, 2) ? 0 : random_below(random, 2) ? 1 << 12 : 1 << 17;
    for (unsigned k = 0; k < 3; k++)
        lattice.origin[k] = far * (int)random_integer(random, 1);
    lattice.tilts = random_below(random, 3) == 0;
    lattice.scales = random_below(random, 3) == 0;
    return lattice;
}

static void point_of(const struct lattice *lattice, const float a[3], int exponent, float point[3])
{
    for (unsigned k = 0; k < 3; k++)
        point[k] = ldexpf(a[0] * lattice->n[0][k] + a[1] * lattice->n[1][k] + a[2] * lattice->n[2][k], exponent);
}

/* ---- Hulls */

/* The plane of a normal m through a point a; the directions face outwards. */
static void add_plane(const struct lattice *lattice, float *hull, const float m[3], const float a[3])
{
    float *plane = hull + HULL_PLANES + 4 * planes_of(hull);
    point_of(lattice, m, 0, plane);
    plane[3] =
        ldexpf(-lattice->length * lattice->length * (m[0] * a[0] + m[1] * a[1] + m[2] * a[2]), lattice->exponent);
    hull[HULL_COUNT]++;
}

static struct block make_block(const struct lattice *lattice, struct random *random)
{
    struct block block;
    for (unsigned k = 0; k < 3; k++) {
        block.low[k] = lattice->origin[k] + (int)random_integer(random, 4);
        block.high[k] = block.low[k] + (int)random_below(random, 4);
    }
    return block;
}

static void add_block(const struct lattice *lattice, struct random *random, const struct block *block, bool whole,
                      float *hull)
{
    for (unsigned k = 0; k < 6; k++) {
        float m[3] = {0}, a[3] = {0};
        m[k % 3] = k < 3 ? 1 : -1;
        a[k % 3] = (float)(k < 3 ? block->high : block->low)[k % 3];
        if (whole || random_below(random, 3) > 0)
            add_plane(lattice, hull, m, a);
    }
}

/* Through a corner of the block, or outside or inside of it. */
static void add_cut(const struct lattice *lattice, struct random *random, const struct block *block, float *hull)
{
    float m[3], a[3];
    for (unsigned k = 0; k < 3; k++) {
        m[k] = random_integer(random, 1);
        a[k] = (float)(m[k] > 0 ? block->high[k] : block->low[k]) + (random_below(random, 4) ? 0 : 0.5f);
    }
    add_plane(lattice, hull, m, a);
}

/* Once more, at another length. */
static void repeat_plane(struct random *random, float *hull)
{
    const float *plane = plane_of(hull, random_below(random, planes_of(hull)));
    float *other = hull + HULL_PLANES + 4 * planes_of(hull);
    const float by = (float)(1 + random_below(random, 3));
    for (unsigned k = 0; k < 4; k++)
        other[k] = by * plane[k];
    hull[HULL_COUNT]++;
}

static void add_endless(struct random *random, float *hull)
{
    float *plane = hull + HULL_PLANES + 4 * planes_of(hull);
    memset(plane, 0, 4 * sizeof *plane);
    plane[0] = random_below(random, 2) ? 1 : 0;
    plane[3] = plane[0] > 0 ? -INFINITY : random_below(random, 2) ? 0 : -1.0f;
    hull[HULL_COUNT]++;
}

static void spoil(struct random *random, float *hull)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, -NAN};
    float *plane = hull + HULL_PLANES + 4 * random_below(random, planes_of(hull));
    if (random_below(random, 2))
        plane[random_below(random, 4)] = ONE_OF(random, values);
    else
        memcpy(plane, (const float[4]){0, -0.0f, 0, 0x1p-149f}, 4 * sizeof *plane);
}

static void shuffle_and_scale(const struct lattice *lattice, struct random *random, float *hull)
{
    for (unsigned n = planes_of(hull); n > 0; n--) {
        float *last = hull + HULL_PLANES + 4 * (n - 1), *other = hull + HULL_PLANES + 4 * random_below(random, n),
              kept[4];
        const int up = (int)random_below(random, 80), by = lattice->exponent < 0 ? up : -up;
        memcpy(kept, last, sizeof kept);
        memmove(last, other, sizeof kept);
        memcpy(other, kept, sizeof kept);
        for (unsigned k = 0; k < 4 && lattice->scales; k++)
            last[k] = ldexpf(last[k], by);
    }
}

static void make_hull_of(const struct lattice *lattice, struct random *random, struct block *block, bool whole,
                         float *hull)
{
    const unsigned form = whole ? 0 : random_below(random, 8);
    hull[HULL_COUNT] = 0;
    if (form == 1) /* without points */
        block->high[0] = block->low[0] - 1;
    add_block(lattice, random, block, form != 2 && form != 3, hull);
    if (form >= 3 && form <= 5)
        add_cut(lattice, random, block, hull);
    if (form == 5)
        add_cut(lattice, random, block, hull);
    if (lattice->tilts)
        tilt(random, hull);
    if (planes_of(hull) > 0 && random_below(random, 3) == 0)
        repeat_plane(random, hull);
    if (planes_of(hull) == 0 || form == 6)
        add_endless(random, hull);
    shuffle_and_scale(lattice, random, hull);
    if (form == 7 && random_below(random, 2))
        spoil(random, hull);
}

/* Beside another block, with a face in common, or its mirror image. */
static struct block block_beside(const struct lattice *lattice, struct random *random, const struct block *other)
{
    struct block block = *other;
    const unsigned k = random_below(random, 3);
    const bool mirrors = random_below(random, 2);
    block.low[k] = mirrors ? 2 * lattice->origin[k] - other->high[k] : other->high[k];
    block.high[k] = mirrors ? 2 * lattice->origin[k] - other->low[k] : other->high[k] + 1;
    return block;
}

/* ---- Rays */

static void cross(const float a[3], const float b[3], float c[3])
{
    for (unsigned k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* A point a of the block and the way k from there to a centre: no part along a direction in which it is within. */
static void choose_touch(struct random *random, const struct block *block, float a[3], float k[3])
{
    static const float one[] = {1, 2, 3}, two[][2] = {{3, 4}, {3, 4}, {1, 1}, {12, 5}},
                       three[][3] = {{1, 2, 2}, {2, 3, 6}, {4, 4, 7}, {1, 1, 1}, {8, 1, 4}};
    const unsigned axis = random_below(random, 3), beyond = 1 + random_below(random, 3);
    const float *way = beyond == 1 ? &ONE_OF(random, one) : beyond == 2 ? ONE_OF(random, two) : ONE_OF(random, three);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (axis + i) % 3;
        const bool high = random_below(random, 2);
        a[j] = (float)(high ? block->high[j] : block->low[j]);
        k[j] = i >= beyond ? 0 : high ? way[i] : -way[i];
        if (i >= beyond && random_below(random, 2))
            a[j] = (float)(block->low[j] + block->high[j]) / 2;
    }
}

/* Head on, past the point touched, along one direction, none, or any. */
static void choose_motion(struct random *random, const float k[3], float m[3])
{
    const unsigned form = random_below(random, 8);
    const float any[3] = {random_integer(random, 2), random_integer(random, 2), random_integer(random, 2)};
    memcpy(m, any, sizeof any);
    for (unsigned i = 0; i < 3; i++)
        m[i] = form == 0 ? -k[i] : form == 3 ? 0 : form == 4 && any[i] != 2 ? 0 : m[i];
    if (form == 1 || form == 2)
        cross(k, any, m);
}

/* A float, or a neighbour of it at times. */
static float near(struct random *random, float x)
{
    return random_below(random, 8) ? x : nextafterf(x, random_below(random, 2) ? INFINITY : -INFINITY);
}

static float end_of(struct random *random, float time)
{
    const unsigned form = random_below(random, 8);
    return form <= 1   ? time
           : form == 2 ? nextafterf(time, INFINITY)
           : form == 3 ? (time > 0 ? nextafterf(time, 0) : 0)
           : form == 4 ? 2 * time
                       : INFINITY;
}

static void make_touch(const struct lattice *lattice, struct random *random, const struct block *block, float ray[8])
{
    static const float times[] = {0, 0.5f, 1, 1, 2, 3, 10};
    const float time = ONE_OF(random, times);
    float a[3], k[3], m[3];
    choose_touch(random, block, a, k);
    choose_motion(random, k, m);
    const float length = sqrtf(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
    for (unsigned i = 0; i < 3; i++)
        a[i] += k[i] - time * m[i];
    point_of(lattice, a, lattice->exponent, ray);
    point_of(lattice, m, lattice->exponent - lattice->time, ray + 3);
    ray[6] = near(random, ldexpf(length * lattice->length, lattice->exponent));
    ray[7] = end_of(random, ldexpf(time, lattice->time));
    const unsigned axis = random_below(random, 3);
    ray[axis] = near(random, ray[axis]);
}

/* In a plane that maps blocks to their mirror images: both are hit at once. */
static void make_mirrored(const struct lattice *lattice, struct random *random, float ray[8])
{
    const unsigned axis = random_below(random, 3);
    float a[3], m[3];
    for (unsigned k = 0; k < 3; k++) {
        const float from = random_integer(random, 12), speed = (float)random_below(random, 3);
        a[k] = (float)lattice->origin[k] + (k == axis ? 0 : from);
        m[k] = k == axis ? 0 : from > 0 ? -speed : speed;
    }
    point_of(lattice, a, lattice->exponent, ray);
    point_of(lattice, m, lattice->exponent - lattice->time, ray + 3);
    ray[6] = ldexpf((float)random_below(random, 9) * 0.5f * lattice->length, lattice->exponent);
    ray[7] = end_of(random, ldexpf(2, lattice->time));
}

static void make_other_radius(struct random *random, float ray[8])
{
    static const float radii[] = {0, -0.0f, INFINITY, 0x1p-140f, 0x1p-149f, 0x1p100f, 0x1.fffffep127f};
    if (random_below(random, 10) == 0)
        ray[6] = ONE_OF(random, radii);
}

void make_touches(struct cast_scene *scene, struct random *random)
{
    const struct lattice lattice = make_lattice(random);
    static float hull[HULLS][MAX_MEMBERS];
    struct block block[HULLS];
    for (size_t i = 0; i < HULLS; i++) {
        const unsigned form = i > 0 ? random_below(random, 6) : 5, other = random_below(random, (unsigned)i);
        block[i] = form == 0   ? block[other]
                   : form <= 2 ? block_beside(&lattice, random, &block[other])
                               : make_block(&lattice, random);
        if (form == 0)
            memcpy(hull[i], hull[other], sizeof hull[i]);
        else
            make_hull_of(&lattice, random, &block[i], form <= 2, hull[i]);
        set_hull(scene, i, hull[i]);
    }
    make_boxes(scene);
    for (size_t i = 0; i < RAYS; i++) {
        float ray[8];
        if (random_below(random, 4) == 0)
            make_mirrored(&lattice, random, ray);
        else
            make_touch(&lattice, random, &block[random_below(random, HULLS)], ray);
        make_other_radius(random, ray);
        set_ray(scene, i, ray);
    }
}
