/* SPDX-License-Identifier: MIT */
/*
 * Tests corners of hulls by rational arithmetic: which points are corners, their order, that each coordinate is the
 * nearest float, and which hulls are bounded, unbounded or empty.
 */
#include "hull_item.h"
#include "inputs.h"
#include "rational.h"
#include "report.h"

#include <abut/engine.h>

#include <string.h>

enum { MOST = 48 };

static float plane[4][2 * MOST];
static uint32_t offsets[3];
static const struct abut_hulls hull = {1, offsets, plane[0], plane[1], plane[2], plane[3]};

/* Corners in the order of the first three planes through them. The planes hold numbers of the oracle. */
struct solid {
    unsigned n, corners;
    mpq_ptr plane[MOST][4], corner[ABUT_MAX_CORNERS][3];
};

static void add(struct solid *solid, float x, float y, float z, mpq_ptr d)
{
    mpq_ptr *plane_at = solid->plane[solid->n++];
    plane_at[0] = of(x);
    plane_at[1] = of(y);
    plane_at[2] = of(z);
    plane_at[3] = d;
}

static bool outside(const mpq_ptr *p, mpq_ptr *at)
{
    mpq_ptr sum = p[3];
    for (unsigned k = 0; k < 3; k++)
        sum = plus(sum, times(p[k], at[k]));
    return mpq_sgn(sum) > 0;
}

static void add_corner(struct solid *solid, mpq_ptr *at)
{
    for (unsigned i = 0; i < solid->n; i++)
        if (outside(solid->plane[i], at))
            return;
    for (unsigned c = 0; c < solid->corners; c++)
        if (mpq_equal(solid->corner[c][0], at[0]) && mpq_equal(solid->corner[c][1], at[1]) &&
            mpq_equal(solid->corner[c][2], at[2]))
            return;
    if (!CHECK(solid->corners < ABUT_MAX_CORNERS))
        return;
    memcpy(solid->corner[solid->corners++], at, 3 * sizeof *at);
}

/* Tries the point where each three planes meet. */
static void find(struct solid *solid)
{
    solid->corners = 0;
    for (unsigned i = 0; i < solid->n; i++)
        for (unsigned j = i + 1; j < solid->n; j++)
            for (unsigned k = j + 1; k < solid->n; k++) {
                mpq_ptr a[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], at[3];
                const unsigned which[3] = {i, j, k};
                const unsigned mark = used;
                for (unsigned row = 0; row < 3; row++)
                    for (unsigned c = 0; c < 4; c++)
                        a[row][c] = c < 3 ? solid->plane[which[row]][c] : minus(of(0), solid->plane[which[row]][3]);
                const unsigned before = solid->corners;
                if (eliminate(a, 3)) {
                    for (unsigned c = 0; c < 3; c++)
                        at[c] = a[c][3];
                    add_corner(solid, at);
                }
                if (solid->corners == before)
                    used = mark;
            }
}

/* Adds a cube of half this size around the origin. */
static void add_cube(struct solid *solid, mpq_ptr size)
{
    for (unsigned k = 0; k < 6; k++) {
        const float sign = k < 3 ? 1 : -1;
        add(solid, k % 3 == 0 ? sign : 0, k % 3 == 1 ? sign : 0, k % 3 == 2 ? sign : 0, minus(of(0), size));
    }
}

/* The planes of the hull; flat: moved through the origin. */
static enum abut_extent take(struct solid *solid, bool cone)
{
    enum abut_extent extent = ABUT_EXTENT_BOUNDED;
    solid->n = 0;
    for (unsigned i = 0; i < offsets[1]; i++) {
        const float x = plane[0][i], y = plane[1][i], z = plane[2][i], d = plane[3][i];
        if (!isfinite(x) || !isfinite(y) || !isfinite(z) || isnan(d))
            return ABUT_EXTENT_INVALID;
        if (d == INFINITY || (x == 0 && y == 0 && z == 0 && d > 0))
            extent = ABUT_EXTENT_EMPTY;
        else if (d != -INFINITY && (x != 0 || y != 0 || z != 0))
            add(solid, x, y, z, of(cone ? 0 : d));
    }
    return extent;
}

/*
 * A hull is bounded if no direction is within all planes through the origin, and has points if it has some in a cube
 * that holds all corners which float32 planes can make.
 */
static enum abut_extent right_extent(struct solid *solid)
{
    const enum abut_extent extent = take(solid, true);
    if (extent != ABUT_EXTENT_BOUNDED)
        return extent;
    bool bounded = true;
    mpq_ptr size = of(1);
    add_cube(solid, size);
    find(solid);
    for (unsigned c = 0; c < solid->corners; c++)
        for (unsigned k = 0; k < 3; k++)
            bounded &= mpq_sgn(solid->corner[c][k]) == 0;
    if (!bounded) {
        take(solid, false);
        mpq_ptr huge = new_number();
        mpq_set_ui(huge, 1, 1);
        mpq_mul_2exp(huge, huge, 2000);
        add_cube(solid, huge);
        find(solid);
        return solid->corners > 0 ? ABUT_EXTENT_UNBOUNDED : ABUT_EXTENT_EMPTY;
    }
    take(solid, false);
    find(solid);
    return solid->corners > 0 ? ABUT_EXTENT_BOUNDED : ABUT_EXTENT_EMPTY;
}

/* Whether no float is nearer, and of two as near ones it is the even one. */
static bool is_nearest(float x, mpq_srcptr exact)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x == 0 && bits != 0)
        return false;
    if (isinf(x)) {
        mpq_ptr greatest = new_number();
        mpq_set_d(greatest, 0x1.ffffffp127);
        return mpq_cmp(absolute(exact), greatest) >= 0 && (x > 0) == (mpq_sgn(exact) > 0);
    }
    for (unsigned side = 0; side < 2; side++) {
        const double step = (double)nextafterf(x, side ? INFINITY : -INFINITY);
        mpq_ptr other = new_number();
        mpq_set_d(other, isinf(step) ? copysign(0x1p128, step) : step);
        const int order = mpq_cmp(absolute(minus(of(x), exact)), absolute(minus(other, exact)));
        if (order > 0 || (order == 0 && bits % 2 != 0))
            return false;
    }
    return true;
}

static enum abut_extent check_hull(const char *what)
{
    static struct solid solid;
    float at[3][ABUT_MAX_CORNERS + 1], few[3][4];
    float *const columns[3] = {at[0], at[1], at[2]}, *const some[3] = {few[0], few[1], few[2]};
    uint64_t found[2] = {99, 99}, again[2];
    uint8_t extent = 99;
    used = 0;
    memset(at, 0xa5, sizeof at);
    const enum abut_extent right = right_extent(&solid);
    CHECK(abut_corners_of_hulls(&hull, found, columns, ABUT_MAX_CORNERS, &extent) == ABUT_OK);
    const unsigned corners = right == ABUT_EXTENT_BOUNDED ? solid.corners : 0;
    check_that(extent == right && found[0] == 0 && found[1] == corners,
               "%s: extent %u and not %u, %u corners and not %u", what, extent, right, (unsigned)found[1], corners);
    for (unsigned c = 0; c < corners; c++)
        for (unsigned k = 0; k < 3; k++)
            check_that(is_nearest(at[k][c], solid.corner[c][k]), "%s: coordinate %u of corner %u is %a, not near %a",
                       what, k, c, (double)at[k][c], mpq_get_d(solid.corner[c][k]));
    CHECK(abut_corners_of_hulls(&hull, again, some, 3, NULL) == ABUT_OK && again[1] == found[1]);
    for (unsigned c = 0; c < corners && c < 3; c++)
        for (unsigned k = 0; k < 3; k++)
            CHECK(memcmp(&few[k][c], &at[k][c], sizeof(float)) == 0);
    return right;
}

static void set_plane(unsigned i, const float *p)
{
    for (unsigned k = 0; k < 4; k++)
        plane[k][i] = p[k];
}

static void set_hull(unsigned n, float (*planes)[4])
{
    offsets[1] = n;
    for (unsigned i = 0; i < n; i++)
        set_plane(i, planes[i]);
}

/* Boxes, sheared boxes and frusta have eight corners, also with planes that touch them from outside, in any order. */
static void check_solids(struct random *random)
{
    float planes[ABUT_MAX_PLANES][4], centre[3], edges[3][3], min[3], max[3];
    struct abut_camera camera = {.direction = {random_between(random, -1, 1), random_between(random, -1, 1), -1},
                                 .up = {0, 1, 0},
                                 .tangent = random_between(random, 0.1f, 2),
                                 .aspect = random_between(random, 0.5f, 2),
                                 .near_distance = 1,
                                 .far_distance = random_between(random, 2, 1000)};
    for (unsigned k = 0; k < 3; k++) {
        centre[k] = camera.eye[k] = random_between(random, -100, 100);
        min[k] = random_between(random, -9, 9);
        max[k] = random_below(random, 4) ? min[k] + random_between(random, 0, 9) : min[k];
        for (unsigned e = 0; e < 3; e++)
            edges[e][k] = random_between(random, -3, 3) + (e == k ? 7.0f : 0.0f);
    }
    set_hull(abut_hull_box(centre, (const float(*)[3])edges, planes), planes);
    CHECK(check_hull("sheared box") == ABUT_EXTENT_BOUNDED);
    set_hull(abut_frustum_from_camera(&camera, planes), planes);
    CHECK(check_hull("frustum") == ABUT_EXTENT_BOUNDED);
    unsigned n = abut_hull_aabb(min, max, planes);
    while (n < 14) {
        float *p = planes[n++];
        const unsigned corner = random_below(random, 8);
        double d = 0;
        for (unsigned k = 0; k < 3; k++) {
            const bool high = (corner >> k & 1) != 0;
            p[k] = (high ? 1.0f : -1.0f) * (float)random_below(random, 4);
            d -= (double)p[k] * (double)(high ? max[k] : min[k]);
        }
        /* Rounded: some cut a little off the corner, and some miss it. */
        p[3] = (float)d;
    }
    for (unsigned i = n; i-- > 1;) {
        const unsigned j = random_below(random, i + 1);
        float swap[4];
        memcpy(swap, planes[i], sizeof swap);
        memcpy(planes[i], planes[j], sizeof swap);
        memcpy(planes[j], swap, sizeof swap);
    }
    set_hull(n, planes);
    check_hull("box with planes at its corners");
}

/* Small integers: bundles of planes through one point and through one line, in hulls of every extent. */
static enum abut_extent check_integers(struct random *random)
{
    const unsigned n = 1 + random_below(random, 9), range = 2 + random_below(random, 2);
    offsets[1] = n;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 4; k++)
            plane[k][i] = (float)random_below(random, 2 * range - 1) - (float)(range - 1);
    return check_hull("small integers");
}

static void check_kinds(const struct options *options, struct random *random)
{
    const struct subject *subject = subject_of("point_in_hull");
    for (unsigned kind = 0; kind < kind_count; kind++)
        for (unsigned i = 0; has_kind(subject, (enum kind)kind) && i < options->rounds / 8; i++) {
            float a[MAX_MEMBERS], b[MAX_MEMBERS];
            make_any_pair(subject, (enum kind)kind, random, a, b);
            offsets[1] = planes_of(b);
            if (offsets[1] > 14 && i > 1)
                continue;
            for (unsigned p = 0; p < offsets[1]; p++)
                set_plane(p, plane_of(b, p));
            check_hull(kind_names[kind]);
        }
}

/* 32 planes that are tangent to a ball have 60 corners, and two hulls come one after the other. */
static void check_most(struct random *random)
{
    float at[3][2 * ABUT_MAX_CORNERS];
    float *const columns[3] = {at[0], at[1], at[2]};
    uint64_t found[3];
    uint8_t extents[2];
    for (unsigned i = 0; i < ABUT_MAX_PLANES; i++) {
        double length = 0;
        for (unsigned k = 0; k < 3; k++) {
            plane[k][i] = random_between(random, -1, 1);
            length += (double)plane[k][i] * (double)plane[k][i];
        }
        plane[3][i] = -(float)sqrt(length);
    }
    offsets[1] = ABUT_MAX_PLANES;
    check_hull("tangent planes");
    for (unsigned i = 0; i < ABUT_MAX_PLANES; i++)
        for (unsigned k = 0; k < 4; k++)
            plane[k][ABUT_MAX_PLANES + i] = plane[k][i];
    offsets[2] = 2 * ABUT_MAX_PLANES;
    const struct abut_hulls two = {2, offsets, plane[0], plane[1], plane[2], plane[3]};
    CHECK(abut_corners_of_hulls(&two, found, columns, 2 * ABUT_MAX_CORNERS, extents) == ABUT_OK);
    CHECK(found[1] == ABUT_MAX_CORNERS && found[2] == 2 * ABUT_MAX_CORNERS && extents[0] == 0 && extents[1] == 0);
    for (unsigned k = 0; k < 3; k++)
        CHECK(memcmp(at[k], at[k] + ABUT_MAX_CORNERS, ABUT_MAX_CORNERS * sizeof(float)) == 0);
}

/* Coordinates half way between two floats, beyond the greatest one, denormal, and 0. */
static void check_rounding(void)
{
    static const float ends[][2] = {{0x1p-149f, 2},
                                    {0x1.8p-148f, 4},
                                    {3, 0x1p24f},
                                    {0x1.000002p0f, 0x1p24f},
                                    {0x1.fffffep127f, 1},
                                    {0x1p127f, 0.5f},
                                    {0x1.fffffep127f, 0x1p-20f},
                                    {0x1p-126f, 0x1p100f},
                                    {-0.0f, 1},
                                    {0x1.fffffep126f, 0.5f}};
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int odd = 0; odd < 2; odd++) {
            /* x is ends[0] / ends[1], or 2^24 + odd + 1/2 of it. */
            const float x = ends[i][0], by = ends[i][1];
            float planes[][4] = {{by, 0, 0, -x},
                                 {-by, 0, 0, x},
                                 {1, 2, 0, -0x1.000001p24f},
                                 {-1, -2, 0, 0x1p24f},
                                 {0, 2, 1, -(0x1p24f - 1)},
                                 {0, -2, -1, 0x1p24f - 1 + (float)odd}};
            set_hull(6, planes);
            check_hull("rounding");
        }
    /* Odd numbers over 2, where doubles tell 2^23 + 1/2 exactly, and three planes that leave more than 24 bits. */
    for (unsigned i = 0; i < 8; i++) {
        float planes[][4] = {{2, 0, 0, -(0x1p24f - (float)(2 * i + 1))},
                             {-2, 0, 0, 0},
                             {0, 4, 0, -(0x1p24f - (float)i)},
                             {0, -1, 0, 0},
                             {1, 1, 8, -0x1p24f},
                             {0, 0, -1, 0}};
        set_hull(6, planes);
        CHECK(check_hull("halves") == ABUT_EXTENT_BOUNDED);
    }
}

/* A box whose third normal is nearly the sum of the others, so that most bits of float64 cancel. */
static void check_sharp(struct random *random)
{
    float planes[6][4];
    for (unsigned k = 0; k < 3; k++) {
        planes[0][k] = random_between(random, 1, 2);
        planes[1][k] = random_between(random, -1, 1) * 0x1p-9f;
        planes[2][k] = planes[0][k] + planes[1][k];
    }
    for (unsigned i = 0; i < 3; i++) {
        planes[i][3] = random_between(random, -2, -1);
        for (unsigned k = 0; k < 4; k++)
            planes[i + 3][k] = k < 3 ? -planes[i][k] : 1;
    }
    set_hull(6, planes);
    check_hull("normals in a plane, nearly");
}

/* Half a unit above the greatest float is infinite; a little less is not. */
static void check_greatest(void)
{
    for (unsigned i = 0; i < 2; i++) {
        const float z = i == 0 ? 0 : 0x1p50f;
        float planes[][4] = {{1, 1, 1, -0x1.fffffep127f},
                             {0, 1, 0, 0x1p103f},
                             {0, -1, 0, -0x1p103f},
                             {0, 0, 1, -z},
                             {0, 0, -1, z},
                             {-1, 0, 0, 0}};
        float x[2], y[2], at_z[2], *const columns[3] = {x, y, at_z};
        uint64_t found[2];
        set_hull(6, planes);
        CHECK(check_hull("greatest float") == ABUT_EXTENT_BOUNDED);
        CHECK(abut_corners_of_hulls(&hull, found, columns, 2, NULL) == ABUT_OK && found[1] == 2);
        CHECK(x[0] == (i == 0 ? INFINITY : 0x1.fffffep127f) && x[1] == 0 && y[0] == -0x1p103f && at_z[1] == z);
    }
}

static void check_special(void)
{
    float none[1][4] = {{0, 0, 0, -1}}, invalid[2][4] = {{0, 0, 0, 1}, {1, 0, NAN, 0}}, empty[2][4] = {{0, 0, 0, 1}},
          far[1][4] = {{1, 0, 0, -INFINITY}}, beyond[1][4] = {{1, 0, 0, INFINITY}}, point[4][4] = {{1, 1, 1, 0}};
    float slabs[2][4] = {{1, 2, 3, -1}, {-2, -4, -6, 2}};
    uint64_t found[2];
    float x[1], *columns[3] = {x, x, NULL};
    set_hull(1, none);
    CHECK(check_hull("no plane") == ABUT_EXTENT_UNBOUNDED);
    set_hull(2, invalid);
    CHECK(check_hull("NaN") == ABUT_EXTENT_INVALID);
    invalid[1][2] = INFINITY;
    set_hull(2, invalid);
    CHECK(check_hull("an infinite normal") == ABUT_EXTENT_INVALID);
    set_hull(1, empty);
    CHECK(check_hull("no inside") == ABUT_EXTENT_EMPTY);
    set_hull(1, far);
    CHECK(check_hull("infinitely far") == ABUT_EXTENT_UNBOUNDED);
    set_hull(1, beyond);
    CHECK(check_hull("infinitely far outside") == ABUT_EXTENT_EMPTY);
    set_hull(2, slabs);
    CHECK(check_hull("a flat slab") == ABUT_EXTENT_UNBOUNDED);
    plane[3][1] = nextafterf(2, 3);
    CHECK(check_hull("contradictory slab") == ABUT_EXTENT_EMPTY);
    for (unsigned k = 0; k < 3; k++)
        point[k + 1][k] = -1;
    set_hull(4, point);
    CHECK(check_hull("one point") == ABUT_EXTENT_BOUNDED);
    CHECK(abut_corners_of_hulls(NULL, found, columns, 0, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_corners_of_hulls(&hull, NULL, columns, 0, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_corners_of_hulls(&hull, found, columns, 1, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_corners_of_hulls(&hull, found, NULL, 1, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_corners_of_hulls(&hull, found, NULL, 0, NULL) == ABUT_OK && found[1] == 1);
    offsets[1] = 0;
    CHECK(abut_corners_of_hulls(&hull, found, NULL, 0, NULL) == ABUT_ERROR_ARGUMENT);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 64});
    struct random random = {options.seed};
    unsigned extents[4] = {0};
    for (unsigned round = 0; round < options.rounds; round++) {
        check_solids(&random);
        check_sharp(&random);
        for (unsigned i = 0; i < 20; i++)
            extents[check_integers(&random)]++;
    }
    CHECK(extents[ABUT_EXTENT_BOUNDED] > 9 && extents[ABUT_EXTENT_UNBOUNDED] > 9 && extents[ABUT_EXTENT_EMPTY] > 9);
    check_kinds(&options, &random);
    check_most(&random);
    check_rounding();
    check_greatest();
    check_special();
    return finish("hull_corners");
}
