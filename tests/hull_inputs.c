/* SPDX-License-Identifier: MIT */
/* Generators of hulls of every kind; hull_items.c makes items near them. */
#include "hull_inputs.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A hull being made, and what is remembered of it. */
struct planes {
    unsigned count;
    float at[ABUT_MAX_PLANES][4];
    float centre[3], size;
    int exponent;
};

float random_integer(struct random *random, int limit)
{
    return (float)random_below(random, (unsigned)(2 * limit + 1)) - (float)limit;
}

static void add(struct planes *planes, float nx, float ny, float nz, float d)
{
    if (planes->count < ABUT_MAX_PLANES) {
        const float plane[4] = {nx, ny, nz, d};
        memcpy(planes->at[planes->count++], plane, sizeof plane);
    }
}

/* Adds a plane of random normal at about this distance from the centre. */
static void add_random(struct planes *planes, struct random *random, const float *centre, float distance)
{
    float n[3];
    for (int k = 0; k < 3; k++)
        n[k] = random_between(random, -1, 1);
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    float scale = random_below(random, 2) == 0 ? 1 / length : ldexpf(1, (int)random_below(random, 9) - 4);
    for (int k = 0; k < 3; k++)
        n[k] *= scale;
    length *= scale;
    add(planes, n[0], n[1], n[2], -(n[0] * centre[0] + n[1] * centre[1] + n[2] * centre[2]) - distance * length);
}

static void add_box(struct planes *planes, struct random *random, bool may_cross)
{
    for (int k = 0; k < 3; k++) {
        float low = random_integer(random, 3), high = low + (float)random_below(random, 5) - (may_cross ? 2.0f : 0.0f);
        float scale = (float)(1 + random_below(random, 3)), n[3] = {0, 0, 0};
        n[k] = scale;
        add(planes, n[0], n[1], n[2], -high * scale);
        n[k] = -1;
        add(planes, n[0], n[1], n[2], low);
    }
}

static void add_frustum(struct planes *planes, struct random *random)
{
    float x = random_between(random, 0.2f, 2), y = random_between(random, 0.2f, 2),
          near = random_between(random, 0.01f, 0.5f);
    add(planes, 1, 0, x, 0);
    add(planes, -1, 0, x, 0);
    add(planes, 0, 1, y, 0);
    add(planes, 0, -1, y, 0);
    add(planes, 0, 0, 1, near);
    if (random_below(random, 4) > 0)
        add(planes, 0, 0, -1, -random_between(random, 1, 5));
}

/* Adds a plane with the opposite normal: both bound a slab. */
static void add_opposite(struct planes *planes, struct random *random, const float *p)
{
    const float length = sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    add(planes, -p[0], -p[1], -p[2], -p[3] - length * random_between(random, 0.5f, 3));
}

static void add_slabs(struct planes *planes, struct random *random, const float *centre, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const float *plane = planes->at[planes->count];
        add_random(planes, random, centre, random_between(random, 0.5f, 1));
        for (unsigned left = (random_below(random, 8) + 3) / 4; left > 0; left--)
            add_opposite(planes, random, plane);
    }
    for (unsigned i = planes->count; i > 1; i--) {
        float *last = planes->at[i - 1], *other = planes->at[random_below(random, i)], kept[4];
        memcpy(kept, last, sizeof kept);
        memmove(last, other, sizeof kept);
        memcpy(other, kept, sizeof kept);
    }
    if (random_below(random, 4) == 0)
        planes->at[0][3] = -INFINITY;
}

static void spoil(struct planes *planes, struct random *random)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, 0, -0.0f, FLT_MAX, 0x1p-149f};
    float *plane = planes->at[random_below(random, planes->count)];
    if (random_below(random, 2) == 0)
        plane[0] = plane[1] = plane[2] = 0;
    if (random_below(random, 3) > 0)
        plane[random_below(random, 4)] = values[random_below(random, sizeof values / sizeof *values)];
}

static void scale_all(struct planes *planes, struct random *random)
{
    int normals = (int)random_below(random, 240) - 140;
    planes->exponent = (int)random_below(random, 270) - 146;
    for (unsigned i = 0; i < planes->count; i++)
        for (int k = 0; k < 4; k++) {
            float x = ldexpf(planes->at[i][k], normals);
            planes->at[i][k] = k == 3 ? ldexpf(planes->at[i][k], normals + planes->exponent) : isinf(x) ? 1 : x;
        }
}

static void make_usual(enum kind kind, struct random *random, struct planes *planes)
{
    if (kind == kind_hull_far || (kind == kind_slabs && random_below(random, 2) == 0)) {
        float distance = ldexpf(1e6f, -4 * (int)random_below(random, 4));
        for (int k = 0; k < 3; k++)
            planes->centre[k] = distance * random_integer(random, 2);
    }
    const float *centre = planes->centre;
    unsigned n = 1 + random_below(random, 8);
    switch (kind) {
    case kind_box:
    case kind_hull_flat:
        add_box(planes, random, kind == kind_hull_flat);
        break;
    case kind_frustum:
        add_frustum(planes, random);
        break;
    case kind_slabs:
        add_slabs(planes, random, centre, n);
        break;
    case kind_hull_integers:
        for (unsigned i = 0; i < n; i++) {
            float x = random_integer(random, 2), y = random_integer(random, 2), z = random_integer(random, 2);
            add(planes, x, y, z, random_integer(random, 4));
        }
        break;
    case kind_wedge:
        add_random(planes, random, centre, 0.5f);
        for (unsigned i = 0; i < n; i++) {
            const float *p = planes->at[0];
            float sign = random_below(random, 2) == 0 ? 1 : -1, off = ldexpf(1, -(int)random_below(random, 24));
            float x = sign * p[0] + off * random_integer(random, 3);
            add(planes, x, sign * p[1] + off, sign * p[2], sign * p[3] + off * random_integer(random, 2));
        }
        break;
    case kind_unbounded:
        for (unsigned i = 0; i < 1 + n % 3; i++)
            add_random(planes, random, centre, 1);
        break;
    default:
        n = kind == kind_many ? ABUT_MAX_PLANES : 3 + n;
        for (unsigned i = 0; i < n; i++)
            add_random(planes, random, centre, random_between(random, 0.5f, 1));
    }
    if (kind == kind_doubled)
        for (unsigned i = 0, old = planes->count; i < old && i < 5; i++) {
            const float *p = planes->at[i], by = (float)(1 + random_below(random, 3));
            add(planes, p[0] * by, p[1] * by, p[2] * by, p[3] * by + (random_below(random, 2) == 0 ? 0 : 0.125f));
        }
    if (kind == kind_scaled)
        scale_all(planes, random);
    if (kind == kind_hull_invalid)
        spoil(planes, random);
}

/* A plane near the origin, and a centre far away along it. */
static void make_along(struct random *random, struct planes *planes)
{
    const float x = random_between(random, 0.5f, 1), y = random_between(random, 0.5f, 1);
    const float far = ldexpf(random_below(random, 2) == 0 ? 1 : -1, 22);
    const float centre[3] = {far * x, far * y, far};
    memcpy(planes->centre, centre, sizeof centre);
    add(planes, y, -x, 0, random_between(random, -1, 1));
}

static void make_overflow(struct random *random, struct planes *planes)
{
    const float sign = random_below(random, 2) == 0 ? 1 : -1;
    add(planes, sign * -0.7f, sign * 0.505f, sign * 0.505f, 0);
    for (unsigned k = 0; k < 3; k++)
        planes->centre[k] = FLT_MAX;
    planes->size = FLT_MAX / 2;
}

/* The size becomes about the depth of the centre. */
static void fit_size(struct planes *planes)
{
    for (unsigned k = 0; k < planes->count; k++) {
        const float *n = planes->at[k], *c = planes->centre;
        const double length = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
        const double depth = ((double)n[0] * c[0] + (double)n[1] * c[1] + (double)n[2] * c[2] + n[3]) / length;
        planes->size = k == 0 || depth > planes->size ? (float)depth : planes->size;
    }
}

/* Four or more planes around the origin, for which find_bound() of hull/hull.c finds a bound. */
static void make_far_away(struct random *random, struct planes *planes)
{
    static const float far[] = {INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0x1p126f, -0x1p125f, 0x1p90f, 1, 0, NAN};
    static const float radii[] = {0, -0.0f, 1, 0x1p99f, 0x1p119f, 0x1p126f, FLT_MAX, INFINITY, -0.25f, NAN};
    static const float normals[4][3] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
    for (unsigned k = 0; k < 4; k++) {
        float *plane = planes->at[planes->count++];
        for (unsigned i = 0; i < 4; i++)
            plane[i] =
                (i < 3 ? normals[k][i] : 0) + (random_below(random, 3) == 0 ? 0 : random_between(random, -0.5f, 0.1f));
    }
    for (unsigned k = 0; k < 4 && random_below(random, 2) == 0; k++)
        add(planes, -planes->at[k][0], -planes->at[k][1], -planes->at[k][2], -1);
    const float scale = ldexpf(1, (int)random_below(random, 40) - 10);
    const unsigned form = random_below(random, 3);
    for (unsigned k = 0; k < 3; k++)
        planes->centre[k] = form == 0   ? random_between(random, -0.1f, 0.1f)
                            : form == 1 ? scale * random_between(random, -1, 1)
                                        : far[random_below(random, sizeof far / sizeof *far)];
    planes->size = radii[random_below(random, sizeof radii / sizeof *radii)];
    if (form == 1)
        fit_size(planes);
}

/* The exponent is the old one if there is one, so that several hulls suit the same items. */
static void make_mixed(struct random *random, struct planes *planes)
{
    if (planes->exponent == 0)
        planes->exponent = (int)random_below(random, 9) - 4;
    const float scale = ldexpf(1, planes->exponent);
    for (unsigned n = 1 + random_below(random, 12); n > 0; n--) {
        float plane[4];
        for (unsigned k = 0; k < 3; k++)
            plane[k] = random_between(random, -1, 1);
        add(planes, plane[0], plane[1], plane[2], scale * random_between(random, -1, 0));
    }
}

/*
 * Nearly parallel planes that meet in an edge along z; the blade is thin along y. A centre beyond the edge that float32
 * rounding puts inside can be farther away than its radius, though the radius exceeds the error of a depth.
 */
static void make_blade(struct random *random, struct planes *planes)
{
    const float slope = ldexpf(1, -4 - (int)random_below(random, 5));
    float *edge = planes->centre;
    for (unsigned k = 0; k < 3; k++) /* few bits, so that the planes are exact */
        edge[k] = (float)random_below(random, 1024) / 4 - 128;
    planes->size = ldexpf(random_between(random, 1, 2), 6);
    add(planes, slope, 1, 0, -(slope * edge[0] + edge[1]));
    add(planes, slope, -1, 0, -(slope * edge[0] - edge[1]));
}

/* Tangents of a paraboloid, some with a floor that may lie above all their points. */
static void make_paraboloid(struct random *random, struct planes *planes)
{
    const float flat = ldexpf(1, -40 - (int)random_below(random, 80));
    for (unsigned i = 0; i < 9; i++) {
        const float x = random_between(random, -2, 2), y = random_between(random, -2, 2);
        add(planes, flat * x, flat * y, 1, -flat * (x * x + y * y) / 2);
    }
    if (random_below(random, 2) == 0)
        add(planes, 0, 0, -1, flat * random_between(random, -1, 1));
    planes->centre[0] = random_between(random, -2, 2);
    planes->centre[1] = random_between(random, -2, 2);
    planes->centre[2] = planes->size = 1;
}

/* float64 cannot decide on which side of the other plane the sphere touches. Outside, the edge is nearest. */
static void make_tight_edge(struct random *random, struct planes *planes)
{
    const float i = (float)(1 + random_below(random, 8)), j = (float)(1 + random_below(random, 8));
    const float x = 1 + j * 0x1p-23f, r = random_between(random, 0.5f, 2);
    const float nx = 1 + i * 0x1p-23f, ny = random_between(random, 1, 2), d = -1 - (i + j) * 0x1p-23f;
    const float centre[3] = {x, -(i * j * 0x1p-46f) / ny, r};
    memcpy(planes->centre, centre, sizeof centre);
    planes->size = r;
    add(planes, 0, 0, 1, 0);
    add(planes, nx, ny, random_between(random, -1, 1), d);
}

/* An unknown sign must not count as proof that the nearest point lies on other planes. */
static const struct planes wide = {
    3, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0x1p100f, 0x1p-140f, 0, -1}}, {0x1p100f, 0x1p-149f, 0}, 0x1p101f, 0};

/* The critical radius is within 2^-35 (relative) of a float; random radii hardly ever come as close. */
static const struct planes slivers[] = {
    {2,
     {{-0x1.4862ecp-1f, -0x1.8c6b74p-2f, -0x1.b85934p-1f, 0x1.161a9ap-1f},
      {0x1.4863c2p-1f, 0x1.8c6c84p-2f, 0x1.b85a12p-1f, 0x1.4144c6p-1f}},
     {-0x1.35c86p-2f, -0x1.14e248p-1f, 0x1.6e3f3p-3f},
     0x1.a3a1dcp+19f,
     0},
    {2,
     {{0x1.282f0ap-2f, 0x1.647a14p-2f, -0x1.71957ap-1f, 0x1.5b6632p-1f},
      {-0x1.282e24p-2f, -0x1.64797ep-2f, 0x1.7195dcp-1f, 0x1.b4cb5p-3f}},
     {-0x1.c639p-7f, -0x1.210484p-1f, 0x1.eb2e78p-2f},
     0x1.5b9078p+17f,
     0},
    {2,
     {{-0x1.5265a8p-1f, -0x1.5e324ep-1f, -0x1.b9d1ep-6f, 0x1.9e7064p-2f},
      {0x1.5265acp-1f, 0x1.5e3296p-1f, 0x1.b9c22ep-6f, 0x1.8d8148p-1f}},
     {0x1.bd052p-3f, 0x1.65c3fcp-1f, 0x1.121638p-1f},
     0x1.1d92p+18f,
     0},
};

/* A hit under the open rule. */
static const struct planes far_corner = {8,
                                         {{-0x1.5a14e8p+1f, 0x1.8ea148p+0f, -0x1.5c682p-1f, 0x1.477cc2p+7f},
                                          {0x1.92f1a6p-3f, 0x1.5cb6aep-1f, -0x1.691a4p-1f, 0x1.56af6p+7f},
                                          {0x1.37dff2p-1f, -0x1.35b72p-2f, -0x1.775cdep-1f, 0x1.64f302p+7f},
                                          {-0x1.2a3db8p-1f, 0x1.be8484p-1f, -0x1.99f0d8p-2f, 0x1.83b0ap+6f},
                                          {-0x1.7cedb8p-2f, -0x1.d35c5cp-1f, -0x1.590d1ep-3f, 0x1.42bb28p+5f},
                                          {-0x1.0d84b8p-5f, -0x1.0d836p-7f, -0x1.4c8038p-5f, 0x1.3b73dcp+3f},
                                          {-0x1.22631ep-1f, -0x1.705p-1f, 0x1.9aaeecp-2f, -0x1.89f626p+6f},
                                          {-0x1.3a618p-9f, -0x1.f8d76p-4f, -0x1.fee8ap-4f, 0x1.e5a664p+4f}},
                                         {0x1.8ca14p-4f, -0x1.48b93p-2f, 0x1.e6fa06p+7f},
                                         0x1.0c54d6p-3f,
                                         0};

void make_hull(enum kind kind, struct random *random, float *hull)
{
    struct planes planes = {.exponent = kind == kind_hull_mixed ? (int)hull[HULL_EXPONENT] : 0};
    if (kind <= kind_many)
        make_usual(kind, random, &planes);
    else if (kind == kind_along)
        make_along(random, &planes);
    else if (kind == kind_space)
        add(&planes, 0, 0, 0, -1);
    else if (kind == kind_overflow)
        make_overflow(random, &planes);
    else if (kind == kind_far_away)
        make_far_away(random, &planes);
    else if (kind == kind_hull_mixed)
        make_mixed(random, &planes);
    else if (kind == kind_blade)
        make_blade(random, &planes);
    else if (kind == kind_paraboloid)
        make_paraboloid(random, &planes);
    else if (kind == kind_tight_edge)
        make_tight_edge(random, &planes);
    else
        planes = kind == kind_far_corner ? far_corner
                 : kind == kind_wide     ? wide
                                         : slivers[random_below(random, sizeof slivers / sizeof *slivers)];
    hull[HULL_COUNT] = (float)planes.count;
    memcpy(hull + HULL_CENTRE, planes.centre, sizeof planes.centre);
    hull[HULL_SIZE] = planes.size;
    hull[HULL_EXPONENT] = (float)planes.exponent;
    memcpy(hull + HULL_PLANES, planes.at, planes.count * sizeof planes.at[0]);
}
