/* SPDX-License-Identifier: MIT */
/* Tests AABBs of hulls: exact for boxes, around all corners and points, not much too wide, infinite where unbounded. */
#include "batches.h"
#include "options.h"
#include "report.h"

#include <abut/engine.h>

#include <math.h>
#include <string.h>

enum { MOST = 32, POINTS = 4096 };

static float plane[4][MOST], box[6];
static uint32_t offsets[2];
static const struct abut_hulls hull = {1, offsets, plane[0], plane[1], plane[2], plane[3]};

static void set_hull(unsigned n, float (*planes)[4])
{
    offsets[1] = n;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 4; k++)
            plane[k][i] = planes[i][k];
}

static void find_box(void)
{
    float *columns[6];
    for (unsigned k = 0; k < 6; k++)
        columns[k] = &box[k];
    CHECK(abut_aabbs_of_hulls(&hull, columns) == ABUT_OK);
}

static void check_aabb(struct random *random)
{
    float min[3], max[3], planes[6][4];
    for (unsigned k = 0; k < 3; k++) {
        min[k] = random_below(random, 5) ? random_between(random, -9, 9) : -INFINITY;
        max[k] = random_below(random, 5) ? random_between(random, 9, 99) : INFINITY;
    }
    const unsigned n = abut_hull_aabb(min, max, planes);
    if (n == 0)
        return;
    set_hull(n, planes);
    find_box();
    for (unsigned k = 0; k < 3; k++) {
        check_that(box[k] <= min[k] && box[k] >= nextafterf(min[k], -INFINITY), "min of a box: %g and not %g",
                   (double)box[k], (double)min[k]);
        check_that(box[k + 3] >= max[k] && box[k + 3] <= nextafterf(max[k], INFINITY), "max of a box");
    }
}

/* A box with any edges: its corners are known to the rounding of its planes. */
static void check_sheared(struct random *random)
{
    float centre[3], edges[3][3], planes[6][4];
    for (unsigned k = 0; k < 3; k++) {
        centre[k] = random_between(random, -100, 100);
        for (unsigned e = 0; e < 3; e++)
            edges[e][k] = random_between(random, -3, 3) + (e == k ? 7.0f : 0.0f);
    }
    const unsigned n = abut_hull_box(centre, (const float(*)[3])edges, planes);
    if (!CHECK(n == 6))
        return;
    set_hull(n, planes);
    find_box();
    for (unsigned k = 0; k < 3; k++) {
        const double size = fabs((double)edges[0][k]) + fabs((double)edges[1][k]) + fabs((double)edges[2][k]);
        check_that(fabs(box[k] - (centre[k] - size)) < 1e-3 && fabs(box[k + 3] - (centre[k] + size)) < 1e-3,
                   "a sheared box from %.9g to %.9g, not %.9g and %.9g", (double)box[k], (double)box[k + 3],
                   centre[k] - size, centre[k] + size);
    }
}

/* Points of a hull of any planes are in its box, by the exact predicates. */
static void check_points(struct random *random)
{
    static float at[3][POINTS];
    static uint64_t in_hull[POINTS / 64], in_box[POINTS / 64];
    const struct abut_points points = {POINTS, at[0], at[1], at[2]};
    const struct abut_aabbs boxes = {1, &box[0], &box[1], &box[2], &box[3], &box[4], &box[5]};
    float planes[MOST][4];
    const unsigned n = 1 + random_below(random, MOST);
    const bool integers = random_below(random, 2) != 0, narrow = random_below(random, 3) == 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < 4; k++) {
            planes[i][k] = integers ? (float)random_below(random, 7) - 3 : random_between(random, -1, 1);
            planes[i][k] = k == 3 ? -fabsf(planes[i][k]) : narrow && k == 2 ? planes[i][k] * 1e-4f : planes[i][k];
        }
    set_hull(n, planes);
    find_box();
    for (unsigned i = 0; i < POINTS; i++)
        for (unsigned k = 0; k < 3; k++)
            at[k][i] = random_between(random, -1, 1) * ldexpf(1, (int)(i % 8) - 2) * (narrow && k == 2 ? 1e4f : 1);
    CHECK(abut_points_inside_hulls(&points, &hull, NULL, in_hull) == ABUT_OK);
    CHECK(abut_points_inside_aabbs(&points, &boxes, NULL, in_box) == ABUT_OK);
    for (unsigned w = 0; w < POINTS / 64; w++)
        check_that((in_hull[w] & ~in_box[w]) == 0, "points of a hull of %u planes that are not in its box", n);
}

/*
 * A flat pyramid with its tip far from the origin, but near to 0 along the axis. All numbers are small enough that the
 * planes hold the tip exactly.
 */
static void check_far_tip(struct random *random)
{
    enum { FAR = 1 << 20 };
    static const float min[3] = {-FAR, -FAR, -FAR}, max[3] = {FAR, FAR, FAR};
    const unsigned near = random_below(random, 3), n = 3 + random_below(random, 4);
    float planes[MOST][4];
    int tip[3];
    for (unsigned k = 0; k < 3; k++)
        tip[k] = k == near ? (int)random_below(random, 7) - 3 : (int)random_below(random, 1 << 17) - (1 << 16);
    CHECK(abut_hull_aabb(min, max, planes) == 6);
    for (unsigned i = 6; i < 6 + n; i++) {
        int d = 0;
        for (unsigned k = 0; k < 3; k++) {
            const int normal = k == near ? 1 : (int)random_below(random, 81) - 40;
            planes[i][k] = (float)normal;
            d -= normal * tip[k];
        }
        planes[i][3] = (float)d;
    }
    set_hull(6 + n, planes);
    find_box();
    for (unsigned k = 0; k < 3; k++)
        check_that(box[k] <= (float)tip[k] && (float)tip[k] <= box[k + 3], "the tip at %d is not between %.9g and %.9g",
                   tip[k], (double)box[k], (double)box[k + 3]);
}

/* A camera's box is around the corners of its frustum, which come from the camera. */
static void check_camera(struct random *random)
{
    struct abut_camera camera = {.direction = {0, 0, -1},
                                 .up = {0, 1, 0},
                                 .tangent = random_between(random, 0.1f, 2),
                                 .aspect = random_between(random, 0.5f, 2),
                                 .near_distance = 1,
                                 .far_distance = random_between(random, 2, 1000)};
    float planes[6][4];
    for (unsigned k = 0; k < 3; k++)
        camera.eye[k] = random_between(random, -100, 100);
    const unsigned n = abut_frustum_from_camera(&camera, planes);
    set_hull(n, planes);
    find_box();
    const double high = (double)camera.tangent * camera.far_distance, wide = high * camera.aspect,
                 right[6] = {camera.eye[0] - wide, camera.eye[1] - high, camera.eye[2] - (double)camera.far_distance,
                             camera.eye[0] + wide, camera.eye[1] + high, camera.eye[2] - 1.0};
    for (unsigned k = 0; k < 6; k++)
        check_that(fabs(box[k] - right[k]) < 1e-4 * (wide + high + 100), "bound %u of a camera: %g and not %g", k,
                   (double)box[k], right[k]);
}

static void check_special(void)
{
    float half[1][4] = {{1, 2, 3, -4}}, missing[1][4] = {{0, 0, 0, -1}}, invalid[1][4] = {{1, NAN, 0, 1}},
          empty[1][4] = {{0, 0, 0, 1}};
    float cone[3][4] = {{1, 1, 0, -1}, {1, -1, 1, -1}, {1, 0, -1, -1}};
    float *columns[6] = {box, box, box, box, box, NULL};
    set_hull(1, half);
    find_box();
    for (unsigned k = 0; k < 6; k++)
        CHECK(box[k] == (k < 3 ? -INFINITY : INFINITY));
    /* Below its tip: three planes bound x, but rounding is not bounded where the hull is not. */
    set_hull(3, cone);
    find_box();
    for (unsigned k = 0; k < 6; k++)
        CHECK(box[k] == (k < 3 ? -INFINITY : INFINITY));
    set_hull(1, missing);
    find_box();
    CHECK(box[0] == -INFINITY && box[5] == INFINITY);
    set_hull(1, invalid);
    find_box();
    CHECK(isnan(box[0]) && isnan(box[5]));
    set_hull(1, empty);
    find_box();
    CHECK(isnan(box[0]));
    CHECK(abut_aabbs_of_hulls(&hull, columns) == ABUT_ERROR_NULL);
    CHECK(abut_aabbs_of_hulls(&hull, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_aabbs_of_hulls(NULL, columns) == ABUT_ERROR_NULL);
    offsets[1] = 0;
    columns[5] = box;
    CHECK(abut_aabbs_of_hulls(&hull, columns) == ABUT_ERROR_ARGUMENT);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 200});
    struct random random = {options.seed};
    for (unsigned round = 0; round < options.rounds; round++) {
        check_aabb(&random);
        check_sheared(&random);
        check_points(&random);
        check_camera(&random);
        for (unsigned i = 0; i < 50; i++)
            check_far_tip(&random);
    }
    check_special();
    return finish("hull_bounds");
}
