/* SPDX-License-Identifier: MIT */
/* Convex hulls of points: boxes and other solids with known faces, and what must hold of any points. */
#include "report.h"

#include <abut/shapes.h>

#include <math.h>
#include <string.h>

enum { MOST = ABUT_MAX_HULL_POINTS };

struct cloud {
    size_t n;
    float x[MOST], y[MOST], z[MOST];
};

static void add(struct cloud *cloud, float x, float y, float z)
{
    cloud->x[cloud->n] = x;
    cloud->y[cloud->n] = y;
    cloud->z[cloud->n++] = z;
}

static struct abut_points points_of(const struct cloud *cloud)
{
    return (struct abut_points){cloud->n, cloud->x, cloud->y, cloud->z};
}

/* How many planes there are, after a look whether they hold every point, exactly. */
static unsigned count_planes(const struct cloud *cloud, float planes[ABUT_MAX_PLANES][4])
{
    const struct abut_points points = points_of(cloud);
    const unsigned count = abut_hull_of_points(&points, planes);
    float at[4][ABUT_MAX_PLANES];
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            at[k][i] = planes[i][k];
    const uint32_t offsets[2] = {0, count};
    const struct abut_hulls hull = {1, offsets, at[0], at[1], at[2], at[3]};
    uint64_t inside[MOST / 64 + 1];
    if (count > 0)
        CHECK(abut_points_inside_hulls(&points, &hull, NULL, inside) == ABUT_OK && abut_mask_all(inside, cloud->n));
    return count;
}

/* A grid with points inside, on faces and on edges, some of them twice: the faces of the box, exactly. */
static void check_box(void)
{
    struct cloud cloud = {0};
    float planes[ABUT_MAX_PLANES][4];
    for (int i = 0; i < 27; i++)
        add(&cloud, (float)(i % 3) * 1.5f + 7, (float)(i / 3 % 3) * 0.1f, (float)(i / 9) - 0x1p-20f);
    for (int i = 0; i < 9; i++)
        add(&cloud, cloud.x[3 * i], cloud.y[3 * i], cloud.z[3 * i]);
    CHECK(count_planes(&cloud, planes) == 6);
    unsigned right = 0;
    for (unsigned i = 0; i < 6; i++)
        for (unsigned k = 0; k < 3; k++) {
            const float *at = k == 0 ? cloud.x : k == 1 ? cloud.y : cloud.z;
            right += planes[i][k] == 1 && planes[i][3] == -at[26];
            right += planes[i][k] == -1 && planes[i][3] == at[0];
        }
    CHECK(right == 6);
}

static void check_solids(void)
{
    struct cloud octahedron = {0}, prism = {0}, flat = {0}, line = {0}, many = {0};
    float planes[ABUT_MAX_PLANES][4];
    for (int s = -1; s <= 1; s += 2) {
        add(&octahedron, (float)s, 0, 0);
        add(&octahedron, 0, (float)s, 0);
        add(&octahedron, 0, 0, (float)s);
    }
    CHECK(count_planes(&octahedron, planes) == 8);
    for (int i = 0; i < 14; i++)
        add(&prism, cosf((float)(i / 2)), sinf((float)(i / 2)), (float)(i % 2));
    CHECK(count_planes(&prism, planes) == 9);
    for (int i = 0; i < 16; i++) {
        add(&flat, (float)(i % 4), (float)(i / 4), (float)(i % 4 + i / 4));
        add(&line, (float)i, (float)i, (float)i);
    }
    planes[0][0] = 7;
    CHECK(count_planes(&flat, planes) == 0 && count_planes(&line, planes) == 0 && planes[0][0] == 7);
    add(&flat, 1, 1, nextafterf(2, 3));
    CHECK(count_planes(&flat, planes) == 5);
    for (int i = 0; i < 33; i++) {
        add(&many, cosf((float)i), sinf((float)i), 0);
        add(&many, cosf((float)i), sinf((float)i), 1);
    }
    CHECK(count_planes(&many, planes) == 0);
    octahedron.x[0] = NAN;
    CHECK(count_planes(&octahedron, planes) == 0);
    octahedron.n = 3;
    CHECK(count_planes(&octahedron, planes) == 0 && abut_hull_of_points(NULL, planes) == 0);
}

/* Points of a small grid: each plane has three of them or more near it, and the order of points does not matter. */
static void check_any(struct random *random)
{
    struct cloud cloud = {0}, turned = {0};
    float planes[ABUT_MAX_PLANES][4], others[ABUT_MAX_PLANES][4];
    const unsigned n = 4 + random_below(random, 20), size = 2 + random_below(random, 4);
    const float scale = random_below(random, 2) ? 1 : 0.1f;
    for (unsigned i = 0; i < n; i++)
        add(&cloud, (float)random_below(random, size) * scale, (float)random_below(random, size) * scale,
            (float)random_below(random, size) * scale);
    for (unsigned i = n; i-- > 0;)
        add(&turned, cloud.x[i], cloud.y[i], cloud.z[i]);
    const unsigned count = count_planes(&cloud, planes);
    CHECK(count_planes(&turned, others) == count);
    for (unsigned i = 0; i < count; i++) {
        unsigned on = 0;
        for (unsigned k = 0; k < n; k++)
            on += fabs((double)planes[i][0] * (double)cloud.x[k] + (double)planes[i][1] * (double)cloud.y[k] +
                       (double)planes[i][2] * (double)cloud.z[k] + (double)planes[i][3]) < 1e-5;
        CHECK(on >= 3);
    }
}

/* Of other exponents, so that heights over a plane round: the bound of their rounding must round up itself. */
static void check_exponents(struct random *random)
{
    struct cloud cloud = {0}, reported = {5,
                                          {0, -0x1.baf7acp+2f, -0x1.27711cp-27f, -0x1.8579d4p+9f, 0x1.6f410cp-19f},
                                          {0x1.3faa74p-14f, 0x1.30cb1ap-6f, -0x1p+13f, 0x1.362df2p+1f, -0x1.18190ap+6f},
                                          {-2, 0x1p+12f, -2, -0x1.02893p-12f, 0x1.5576eep+0f}};
    float planes[ABUT_MAX_PLANES][4];
    CHECK(count_planes(&reported, planes) == 6);
    const unsigned n = 4 + random_below(random, 5), exponents = random_below(random, 2) ? 28 : 120;
    for (unsigned i = 0; i < n; i++) {
        float at[3];
        for (unsigned k = 0; k < 3; k++)
            at[k] = ldexpf(random_between(random, -1, 1), (int)random_below(random, exponents) - (int)exponents / 2);
        add(&cloud, at[0], at[1], at[2]);
    }
    count_planes(&cloud, planes);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 9, .rounds = 300});
    struct random random = {options.seed};
    check_box();
    check_solids();
    for (unsigned round = 0; round < options.rounds; round++) {
        check_any(&random);
        check_exponents(&random);
    }
    return finish("hull_points");
}
