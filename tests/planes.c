/* SPDX-License-Identifier: MIT */
/*
 * Tests the functions that make planes, and compares two published rules with the library: the face-by-face rule, often
 * called the correct test of a sphere and a box, and the folk rule "crosses any face plane".
 */
#include "options.h"
#include "report.h"
#include "rules.h"
#include <abut/shapes.h>

#include <math.h>
#include <string.h>

struct gathered {
    float columns[4][8];
    uint32_t offsets[2];
};

static struct abut_hulls gather(struct gathered *gathered, float planes[][4], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            gathered->columns[k][i] = planes[i][k];
    gathered->offsets[0] = 0;
    gathered->offsets[1] = count;
    return (struct abut_hulls){
        1, gathered->offsets, gathered->columns[0], gathered->columns[1], gathered->columns[2], gathered->columns[3]};
}

typedef enum abut_status sphere_call(const struct abut_spheres *spheres, const struct abut_hulls *hulls,
                                     const struct abut_options *options, uint64_t *ABUT_RESTRICT hits);

static bool ask_one(sphere_call *call, float planes[][4], unsigned count, const float *s)
{
    struct gathered gathered;
    const struct abut_hulls hulls = gather(&gathered, planes, count);
    const struct abut_spheres spheres = {1, &s[0], &s[1], &s[2], &s[3]};
    uint64_t hits;
    CHECK(call(&spheres, &hulls, NULL, &hits) == ABUT_OK);
    return hits == 1;
}

static bool holds(float planes[][4], unsigned count, float x, float y, float z)
{
    const float s[4] = {x, y, z, 0};
    return ask_one(abut_spheres_cull_hulls, planes, count, s);
}

/* Planes come in opposite pairs. */
static bool face_by_face(float planes[6][4], const float *s, bool any_face)
{
    static const int opposite[] = {1, 0, 3, 2, 5, 4};
    return published_rule((const float(*)[4])planes, opposite, 6, s, any_face);
}

/* On boxes this rule equals "planes", which accepts spheres off an edge or a corner; on frusta it accepts more. */
static void check_published_rule(struct random *random)
{
    float box[6][4], frustum[6][4] = {{4, 0, -3, 0},  {-4, 0, -3, 0},   {0, 4, -3, 0},
                                      {0, -4, -3, 0}, {0, 0, -1, 0.1f}, {0, 0, 1, -10}};
    for (unsigned i = 0; i < 6; i++)
        frustum[i][2] = -frustum[i][2]; /* looks along -z */
    frustum[4][2] = 1, frustum[5][2] = -1;
    const float low[3] = {-2, -1, 0}, high[3] = {2, 1, 3};
    CHECK(abut_hull_aabb(low, high, box) == 6);
    unsigned differ = 0, false_planes = 0;
    for (unsigned i = 0; i < 20000; i++) {
        /* Multiples of 1/8: the double arithmetic above is exact for the box. */
        const float s[4] = {(float)random_below(random, 65) / 8 - 4, (float)random_below(random, 65) / 8 - 4,
                            (float)random_below(random, 65) / 8 - 4, (float)random_below(random, 33) / 8};
        bool planes = ask_one(abut_spheres_cull_hulls, box, 6, s), exact = ask_one(abut_spheres_touch_hulls, box, 6, s);
        CHECK(face_by_face(box, s, false) == planes);
        CHECK(!exact || planes);
        false_planes += planes && !exact;
        bool in_frustum = ask_one(abut_spheres_cull_hulls, frustum, 6, s);
        CHECK(!in_frustum || face_by_face(frustum, s, false) || s[3] == 0);
        differ += face_by_face(frustum, s, false) && !in_frustum;
    }
    CHECK(false_planes > 0 && differ > 0);
    const float off_edge[4] = {3.5f, 2.5f, 1, 1.75f}, off_corner[4] = {3, 2, 4, 1.5f}, far_off[4] = {2, 50, 50, 1};
    CHECK(face_by_face(box, off_edge, false) && !ask_one(abut_spheres_touch_hulls, box, 6, off_edge));
    CHECK(face_by_face(box, off_corner, false) && !ask_one(abut_spheres_touch_hulls, box, 6, off_corner));
    CHECK(face_by_face(box, far_off, true) && !face_by_face(box, far_off, false));
    const float beside[4] = {-1.9f, 0, 0.9f, 1};
    CHECK(face_by_face(frustum, beside, false) && !ask_one(abut_spheres_cull_hulls, frustum, 6, beside));
}

static void check_boxes(struct random *random)
{
    float planes[6][4];
    const float low[3] = {-INFINITY, 0, -1}, high[3] = {3, INFINITY, 1}, centre[3] = {1, 2, 3};
    CHECK(abut_hull_aabb(low, high, planes) == 4);
    CHECK(holds(planes, 4, -1e30f, 1e30f, 1) && holds(planes, 4, 3, 0, -1) && !holds(planes, 4, 3, 0, -1.1f));
    const float edges[3][3] = {{2, 0, 0}, {2, 1, 0}, {0, 0, -3}}, flat[3][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    CHECK(abut_hull_box(centre, edges, planes) == 6);
    CHECK(holds(planes, 6, 4.9f, 2.95f, 5.9f) && holds(planes, 6, -2.9f, 1.05f, 0.1f) &&
          !holds(planes, 6, 4.9f, 1.1f, 3));
    CHECK(!holds(planes, 6, 1, 2, 6.1f) && !holds(planes, 6, 1, 3.1f, 3));
    CHECK(abut_hull_box(centre, flat, planes) == 0);
    const float inverted[3] = {3, 1, -1}, nowhere[3] = {INFINITY, 0, 0}, top[3] = {INFINITY, INFINITY, INFINITY};
    CHECK(abut_hull_aabb(high, inverted, planes) == 0 && abut_hull_aabb(nowhere, top, planes) == 0);
    CHECK(abut_hull_aabb((const float[3]){0, NAN, 0}, top, planes) == 0);
    const float far_off[3] = {3e38f, 3e38f, 3e38f}, slanted[3][3] = {{1, 1, 1}, {1, -1, 0}, {0, 1, -1}};
    CHECK(abut_hull_box(far_off, slanted, planes) == 0);
    /* Flat boxes, even where rounding gives a volume in float64; then boxes that are not quite flat. */
    for (unsigned i = 0; i < 2000; i++) {
        float skew[3][3];
        for (unsigned k = 0; k < 3; k++) {
            skew[0][k] = ldexpf((float)((int)random_below(random, 1 << 23) - (1 << 22)), -(int)random_below(random, 2));
            skew[1][k] = (float)((int)random_below(random, 1 << 22) - (1 << 21));
            skew[2][k] = skew[0][k] + skew[1][k];
        }
        CHECK(abut_hull_box(centre, (const float(*)[3])skew, planes) == 0);
        skew[2][i % 3] += 0x1p16f;
        CHECK(abut_hull_box(centre, (const float(*)[3])skew, planes) == 6);
    }
    const float sheared[3][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0x1p-21f}};
    CHECK(abut_hull_box(centre, sheared, planes) == 6);
}

/* A camera at (1, 2, 3) that looks along -z, from its members and from matrices of each convention. */
static void check_frusta(struct random *random)
{
    const float near = 0.5f, far = 8, tangent = 0.75f, aspect = 1.5f;
    const struct abut_camera camera = {{1, 2, 3}, {0, 0, -2}, {0, 5, 1}, tangent, aspect, near, far};
    float by_camera[6][4], planes[6][4];
    CHECK(abut_frustum_from_camera(&camera, by_camera) == 6);
    for (unsigned form = 0; form < 12; form++) {
        bool infinite = form % 3 == 1, reversed = form % 3 == 2, rows = form / 3 % 2, symmetric = form / 6;
        /* clip z = a depth + b, with depth = -z in view space and w = depth */
        float from = symmetric ? -1.0f : 0.0f, start = reversed ? 1 : from, end = reversed ? from : 1;
        float a = infinite ? end : (end * far - start * near) / (far - near), b = (start - a) * near;
        float m[4][4] = {{1 / (tangent * aspect), 0, 0, -1 / (tangent * aspect)},
                         {0, 1 / tangent, 0, -2 / tangent},
                         {0, 0, -a, 3 * a + b},
                         {0, 0, -1, 3}};
        for (unsigned i = 0; i < 4 && rows; i++)
            for (unsigned k = 0; k < i; k++) {
                float swap = m[i][k];
                m[i][k] = m[k][i];
                m[k][i] = swap;
            }
        unsigned count = abut_frustum_from_matrix(&m[0][0], rows ? ABUT_ROW_VECTORS : ABUT_COLUMN_VECTORS,
                                                  symmetric ? ABUT_DEPTH_MINUS_1_1 : ABUT_DEPTH_0_1, planes);
        CHECK(count == (infinite ? 5u : 6u));
        for (unsigned i = 0; i < 500; i++) {
            float x = random_between(random, -9, 11), y = random_between(random, -5, 9),
                  z = random_between(random, -7, 4);
            double depth = 3 - (double)z, reach = depth * (double)tangent;
            double margin = fmin(reach - fabs((double)y - 2), reach * (double)aspect - fabs((double)x - 1));
            margin = fmin(margin, infinite ? depth - (double)near : fmin(depth - (double)near, (double)far - depth));
            if (fabs(margin) < 1e-4)
                continue;
            CHECK(holds(planes, count, x, y, z) == (margin > 0));
            CHECK(infinite || holds(by_camera, 6, x, y, z) == (margin > 0));
        }
    }
    struct abut_camera other = camera;
    other.far_distance = INFINITY;
    CHECK(abut_frustum_from_camera(&other, planes) == 5 && holds(planes, 5, 1, 2, -1e9f));
    for (unsigned i = 0; i < 2; i++) {
        other.near_distance = -(float)i;
        CHECK(abut_frustum_from_camera(&other, planes) == 5 && holds(planes, 5, 1, 2, 2.875f) &&
              !holds(planes, 5, 1, 2, 3.125f) && !holds(planes, 5, 1, 2.5f, 2.875f));
    }
    other.up[1] = other.up[2] = 0;
    CHECK(abut_frustum_from_camera(&other, planes) == 0);
    /* An invalid camera gives no planes at all: a frustum without one side would contain too much. */
    for (unsigned i = 0; i < sizeof camera / sizeof(float); i++) {
        other = camera;
        float *members[] = {other.eye,           other.eye + 1,       other.eye + 2, other.direction,
                            other.direction + 1, other.direction + 2, other.up,      other.up + 1,
                            other.up + 2,        &other.tangent,      &other.aspect, &other.near_distance,
                            &other.far_distance};
        *members[i] = NAN;
        CHECK(abut_frustum_from_camera(&other, planes) == 0);
        *members[i] = i < 9 ? INFINITY : -1;
        CHECK(abut_frustum_from_camera(&other, planes) == (i == 11 ? 6 : 0));
    }
    for (unsigned i = 0; i < 32; i++) {
        const float w = i < 16; /* 0: constant depth */
        float matrix[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, w, 0.5f - 1.5f * w}, {0, 0, w, 1 - w}};
        CHECK(abut_frustum_from_matrix(&matrix[0][0], ABUT_COLUMN_VECTORS, ABUT_DEPTH_0_1, planes) > 0);
        matrix[i / 4 % 4][i % 4] = i % 2 == 0 ? NAN : INFINITY;
        CHECK(abut_frustum_from_matrix(&matrix[0][0], ABUT_COLUMN_VECTORS, ABUT_DEPTH_0_1, planes) == 0);
    }
}

/* Cameras at the origin that look along -z: z = -near and z = -far have the depths of each convention. */
static void check_far_planes(void)
{
    static const float nears[] = {0.5f, 0.01f, 0.1f, 0.001f, 0.5f}, fars[] = {8, 50000, 300000, 10000, INFINITY};
    for (unsigned form = 0; form < 4; form++) {
        const double from = form / 2 ? -1 : 0, start = form % 2 ? 1 : from, end = form % 2 ? from : 1;
        for (unsigned i = 0; i < 5; i++) {
            const double near = nears[i], far = fars[i], ratio = near / far;
            const double a = (end - start * ratio) / (1 - ratio), b = (start - a) * near;
            const float m[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, (float)-a, (float)b}, {0, 0, -1, 0}};
            float planes[6][4];
            const unsigned count = abut_frustum_from_matrix(&m[0][0], ABUT_COLUMN_VECTORS,
                                                            form / 2 ? ABUT_DEPTH_MINUS_1_1 : ABUT_DEPTH_0_1, planes);
            /* At far = 10^7 near, the far plane is a difference of 1 ulp (form 0), 2 ulp (2, 3) or none (form 1). */
            const bool left_out = i == 4 || (i == 3 && form == 0);
            CHECK(count == (left_out ? 5u : 6u));
            CHECK(holds(planes, count, 0, 0, -0.7f * (float)fmin(far, 1e6)));
            CHECK(left_out || !holds(planes, count, 0, 0, -1.4f * (float)far));
            CHECK(!holds(planes, count, 0, 0, -0.9f * (float)near));
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        /* Reversed depth, near 1, far at the end of the float range. */
        const double far = ldexp(1, 100 + 20 * (int)i);
        const float m[4][4] = {
            {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, (float)(1 / (far - 1)), (float)(far / (far - 1))}, {0, 0, -1, 0}};
        float planes[6][4];
        CHECK(abut_frustum_from_matrix(&m[0][0], ABUT_COLUMN_VECTORS, ABUT_DEPTH_0_1, planes) == (i < 2 ? 6u : 5u));
    }
    for (unsigned i = 0; i < 3; i++) {
        const float depths[] = {-5, 5, 0.5f},
                    m[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, depths[i]}, {0, 0, 0, 1}};
        float planes[6][4];
        CHECK(abut_frustum_from_matrix(&m[0][0], ABUT_COLUMN_VECTORS, ABUT_DEPTH_MINUS_1_1, planes) ==
              (i == 2 ? 4u : 0));
    }
}

/* The signed distance of a point beyond a plane. */
static double height(const float plane[4], const float *p)
{
    double sum = (double)plane[3], length2 = 0;
    for (unsigned k = 0; k < 3; k++) {
        sum += (double)plane[k] * (double)p[k];
        length2 += (double)plane[k] * (double)plane[k];
    }
    return sum / sqrt(length2);
}

static void check_single_planes(struct random *random)
{
    float plane[4] = {7, 7, 7, 7};
    const float zero[3] = {0, 0, 0}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, two[3] = {2, 0, 0}, up[3] = {0, 0, 4},
                endless[3] = {INFINITY, 0, 0}, far[3] = {3e38f, 0, 0}, lost[3] = {NAN, 0, 0};
    CHECK(!abut_plane_points(zero, x, two, plane) && !abut_plane_points(x, x, y, plane));
    CHECK(!abut_plane_points(zero, x, lost, plane) && !abut_plane_points(endless, x, y, plane));
    CHECK(!abut_plane_normal(x, zero, plane) && !abut_plane_normal(endless, x, plane) &&
          !abut_plane_normal(x, lost, plane) && !abut_plane_normal(far, far, plane));
    CHECK(plane[0] == 7 && plane[3] == 7);
    CHECK(abut_plane_points(zero, x, y, plane) && plane[0] == 0 && plane[1] == 0 && plane[2] == 1 && plane[3] == 0);
    CHECK(abut_plane_points(zero, y, x, plane) && plane[2] == -1);
    CHECK(abut_plane_normal(up, up, plane) && plane[2] == 4 && plane[3] == -16);
    for (unsigned i = 0; i < 2000; i++) {
        const float scale = ldexpf(1, (int)random_below(random, 200) - 100), from = random_below(random, 2) ? 0 : 1e3f;
        float p[3][3];
        for (unsigned k = 0; k < 9; k++)
            p[k / 3][k % 3] = scale * (from + random_between(random, -1, 1));
        if (!abut_plane_points(p[0], p[1], p[2], plane))
            continue;
        /* d is rounded once for the first point; at the others the normal adds an error of about one float. */
        const double error = (double)scale * ((double)from + 4) * 0x1p-22;
        for (unsigned k = 0; k < 3; k++)
            check_that(fabs(height(plane, p[k])) <= error, "three points: point %u is %g beyond the plane", k,
                       height(plane, p[k]));
        const double length2 = (double)plane[0] * plane[0] + (double)plane[1] * plane[1] + (double)plane[2] * plane[2];
        CHECK(fabs(length2 - 1) < 1e-6);
        const float normal[3] = {p[2][0] / scale, p[2][1] / scale, p[2][2] / scale};
        CHECK(abut_plane_normal(p[1], normal, plane) && memcmp(plane, normal, sizeof normal) == 0);
        CHECK(fabs(height(plane, p[1])) <= error);
    }
}

static void check_turning(void)
{
    float nx = 1, ny = -2, nz = 0, d = 4;
    float *const columns[4] = {&nx, &ny, &nz, &d};
    CHECK(abut_planes_flip(1, columns) == ABUT_OK && nx == -1 && ny == 2 && nz == 0 && d == -4);
    CHECK(abut_planes_flip(1, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_planes_flip(ABUT_MAX_ITEMS + 1, columns) == ABUT_ERROR_TOO_MANY);
    float *const missing[4] = {&nx, NULL, &nz, &d};
    CHECK(abut_planes_flip(1, missing) == ABUT_ERROR_NULL && abut_planes_flip(0, missing) == ABUT_OK);
}

static void check_errors(void)
{
    float planes[6][4] = {{1, 0, 0, 0}}, x = 0;
    struct gathered gathered;
    struct abut_hulls hulls = gather(&gathered, planes, 1);
    const struct abut_spheres one = {1, &x, &x, &x, &x}, none = {0, NULL, NULL, NULL, NULL},
                              invalid = {1, &x, NULL, &x, &x};
    uint64_t hits = 5;
    CHECK(abut_spheres_touch_hulls(&none, &hulls, NULL, NULL) == ABUT_OK);
    CHECK(abut_spheres_touch_hulls(&invalid, &hulls, NULL, &hits) == ABUT_ERROR_NULL);
    CHECK(abut_spheres_touch_hulls(&one, NULL, NULL, &hits) == ABUT_ERROR_NULL);
    CHECK(abut_spheres_touch_hulls(&one, &hulls, OPTIONS((enum abut_touch)2, NULL), &hits) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_spheres_touch_hulls(&one, &hulls, NULL, NULL) == ABUT_ERROR_NULL);
    gathered.offsets[1] = 0;
    CHECK(abut_spheres_touch_hulls(&one, &hulls, NULL, &hits) == ABUT_ERROR_ARGUMENT);
    gathered.offsets[1] = 33;
    CHECK(abut_spheres_touch_hulls_all(&one, &hulls, NULL, &hits) == ABUT_ERROR_ARGUMENT);
    hulls.d = NULL;
    CHECK(abut_spheres_touch_hulls(&one, &hulls, NULL, &hits) == ABUT_ERROR_NULL);
    CHECK(hits == 5);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    check_published_rule(&random);
    check_boxes(&random);
    check_frusta(&random);
    check_far_planes();
    check_single_planes(&random);
    check_turning();
    check_errors();
    return finish("planes");
}
