/* SPDX-License-Identifier: MIT */
/* Points in watertight meshes that are made of tetrahedra: inside an odd number of these, by whole numbers. */
#include "account.h"
#include "report.h"

#include <abut/solid.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 12, FACES = 4, MOST = PARTS * FACES, POINTS = 400 };

/* Whole coordinates, which become floats after a shift and a scale that keep them exact. */
struct scene {
    int corner[PARTS][4][3], point[POINTS][3];
    unsigned parts;
    float at[9][MOST], x[POINTS], y[POINTS], z[POINTS];
    struct abut_triangles triangles;
    struct abut_points points;
};

static const unsigned faces[FACES][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};

static int64_t volume(const int *a, const int *b, const int *c, const int *d)
{
    int64_t e[3], f[3], g[3];
    for (unsigned k = 0; k < 3; k++) {
        e[k] = b[k] - a[k];
        f[k] = c[k] - a[k];
        g[k] = d[k] - a[k];
    }
    return e[0] * (f[1] * g[2] - f[2] * g[1]) + e[1] * (f[2] * g[0] - f[0] * g[2]) + e[2] * (f[0] * g[1] - f[1] * g[0]);
}

static void make_scene(struct scene *scene, struct random *random, unsigned size, int shift, float scale)
{
    scene->parts = 1 + random_below(random, PARTS);
    for (unsigned i = 0; i < scene->parts; i++)
        do
            for (unsigned c = 0; c < 4; c++)
                for (unsigned k = 0; k < 3; k++)
                    scene->corner[i][c][k] = 2 * (int)random_below(random, size) + shift;
        while (volume(scene->corner[i][0], scene->corner[i][1], scene->corner[i][2], scene->corner[i][3]) == 0);
    for (unsigned i = 0; i < scene->parts; i++)
        for (unsigned f = 0; f < FACES; f++) {
            /* Neither the winding nor the first corner matters. */
            const unsigned first = random_below(random, 3), step = 1 + random_below(random, 2);
            for (unsigned c = 0; c < 3; c++)
                for (unsigned k = 0; k < 3; k++)
                    scene->at[3 * c + k][FACES * i + f] =
                        (float)scene->corner[i][faces[f][(first + c * step) % 3]][k] * scale;
        }
    for (unsigned i = 0; i < POINTS; i++)
        for (unsigned k = 0; k < 3; k++)
            scene->point[i][k] = (int)random_below(random, 2 * size) + shift;
    for (unsigned i = 0; i < POINTS; i++) {
        scene->x[i] = (float)scene->point[i][0] * scale;
        scene->y[i] = (float)scene->point[i][1] * scale;
        scene->z[i] = (float)scene->point[i][2] * scale;
    }
    float(*at)[MOST] = scene->at;
    scene->triangles =
        (struct abut_triangles){FACES * scene->parts, at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8]};
    scene->points = (struct abut_points){POINTS, scene->x, scene->y, scene->z};
}

/* 1 inside a tetrahedron, 0 on its surface, -1 outside. */
static int place(int corner[4][3], const int *p)
{
    const int64_t whole = volume(corner[0], corner[1], corner[2], corner[3]) > 0 ? 1 : -1;
    const int64_t parts[4] = {
        whole * volume(p, corner[1], corner[2], corner[3]), whole * volume(corner[0], p, corner[2], corner[3]),
        whole * volume(corner[0], corner[1], p, corner[3]), whole * volume(corner[0], corner[1], corner[2], p)};
    int least = 1;
    for (unsigned i = 0; i < 4; i++)
        least = parts[i] < 0 ? -1 : parts[i] == 0 && least > 0 ? 0 : least;
    return least;
}

static int place_in_all(struct scene *scene, unsigned p)
{
    int inside = -1;
    for (unsigned i = 0; i < scene->parts; i++) {
        const int here = place(scene->corner[i], scene->point[p]);
        if (here == 0)
            return 0;
        inside = here > 0 ? -inside : inside;
    }
    return inside;
}

static unsigned counts[3];

static void check_scene(struct random *random, unsigned size, int shift, float scale)
{
    static struct scene scene;
    const uint64_t seed = random->state;
    make_scene(&scene, random, size, shift, scale);
    struct abut_solid *solid = NULL;
    uint64_t closed[POINTS / 64 + 1], open[POINTS / 64 + 1];
    float distance[POINTS], d2[POINTS], plain[POINTS], x[POINTS], y[POINTS], z[POINTS];
    uint32_t triangles[POINTS], nearest[POINTS];
    const struct abut_options options = {.touch = ABUT_OPEN};
    const struct abut_solid_found found = {distance, d2, triangles, {x, y, z}};
    struct abut_index *index = NULL;
    CHECK(abut_solid_new(&scene.triangles, NULL, NULL, &solid) == ABUT_OK);
    CHECK(abut_solid_contains(solid, &scene.points, NULL, closed) == ABUT_OK);
    CHECK(abut_solid_contains(solid, &scene.points, &options, open) == ABUT_OK);
    CHECK(abut_solid_distance(solid, &scene.points, NULL, &found) == ABUT_OK);
    CHECK(abut_index_new(abut_of_triangles(&scene.triangles), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_nearest(index, &scene.points, 1, NULL, nearest, plain) == ABUT_OK);
    bool ok = true;
    for (unsigned i = 0; i < POINTS; i++) {
        const int right = place_in_all(&scene, i);
        counts[right + 1]++;
        ok &= hit_at(closed, i) == (right >= 0) && hit_at(open, i) == (right > 0);
        ok &= triangles[i] == nearest[i];
        ok &= right == 0 ? distance[i] == 0 && !signbit(distance[i]) && d2[i] == 0
                         : d2[i] == (right > 0 ? -plain[i] : plain[i]) &&
                               distance[i] == (right > 0 ? -1 : 1) * sqrtf(plain[i]);
    }
    check_that(ok, "%u tetrahedra, size %u, shift %d, scale %g; seed %llu", scene.parts, size, shift, (double)scale,
               (unsigned long long)seed);
    abut_index_free(index);
    abut_solid_free(solid);
}

static void check_open_edges(void)
{
    /* A square pyramid whose base is cut in two, so that the edge between both is shared; without its last face. */
    static const float corner[5][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {-0.0f, 2, 0}, {1, 1, 3}};
    static const unsigned face[6][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
    float at[9][7];
    for (unsigned f = 0; f < 6; f++)
        for (unsigned k = 0; k < 9; k++)
            at[k][f] = corner[face[f][k / 3]][k % 3];
    struct abut_triangles triangles = {5, at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8]};
    struct abut_invalid invalid = {0};
    struct abut_solid *solid = NULL;
    CHECK(abut_solid_new(&triangles, NULL, &invalid, &solid) == ABUT_ERROR_INVALID && !solid);
    CHECK(invalid.row == 1 && strcmp(invalid.field, "ab") == 0 && invalid.count == 3);
    CHECK(strcmp(invalid.what, "is an open edge: an odd number of triangles have it") == 0);
    CHECK(abut_solid_new(&triangles, NULL, NULL, &solid) == ABUT_ERROR_INVALID);
    triangles.n = 6;
    CHECK(abut_solid_new(&triangles, NULL, &invalid, &solid) == ABUT_OK);
    abut_solid_free(solid);
    /* A triangle that is a line or a point has no edge, or one twice. */
    for (unsigned k = 0; k < 9; k++)
        at[k][6] = corner[k < 3][k % 3];
    triangles.n = 7;
    CHECK(abut_solid_new(&triangles, NULL, NULL, &solid) == ABUT_OK);
    const float p[4] = {1, NAN, INFINITY, 1}, q[4] = {1, 1, 1, 1}, r[4] = {1, 1, 1, -1};
    const struct abut_points points = {4, p, q, r};
    float distance[4];
    uint32_t nearest[4];
    uint64_t inside = 0;
    const struct abut_solid_found found = {.distance = distance, .triangles = nearest};
    CHECK(abut_solid_contains(solid, &points, NULL, &inside) == ABUT_OK && inside == 1);
    CHECK(abut_solid_distance(solid, &points, NULL, &found) == ABUT_OK);
    CHECK(distance[0] < 0 && isnan(distance[1]) && isnan(distance[2]) && distance[3] == 1);
    CHECK(nearest[1] == UINT32_MAX && nearest[3] == 0);
    abut_solid_free(solid);
    at[4][3] = NAN;
    CHECK(abut_solid_new(&triangles, NULL, &invalid, &solid) == ABUT_ERROR_INVALID && invalid.row == 3);
}

static void check_errors(void)
{
    const struct abut_triangles none = {0};
    const float one[1] = {1};
    const struct abut_points point = {1, one, one, one}, broken = {1, one, NULL, one};
    struct abut_solid *solid = NULL;
    float distance[1] = {7};
    uint64_t inside[1] = {7};
    CHECK(abut_solid_new(NULL, NULL, NULL, &solid) == ABUT_ERROR_NULL);
    CHECK(abut_solid_new(&none, NULL, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_solid_new(&none, NULL, NULL, &solid) == ABUT_OK);
    const struct abut_solid_found found = {.distance = distance},
                                  part = {.distance = distance, .closest = {distance, NULL, NULL}};
    CHECK(abut_solid_contains(solid, &broken, NULL, inside) == ABUT_ERROR_NULL && inside[0] == 7);
    CHECK(abut_solid_contains(solid, &point, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_solid_contains(NULL, &point, NULL, inside) == ABUT_ERROR_NULL);
    CHECK(abut_solid_contains(solid, &point, &(struct abut_options){.touch = (enum abut_touch)7}, inside) ==
          ABUT_ERROR_ARGUMENT);
    CHECK(abut_solid_distance(solid, &point, NULL, &part) == ABUT_ERROR_NULL && distance[0] == 7);
    CHECK(abut_solid_distance(solid, &point, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_solid_contains(solid, &point, NULL, inside) == ABUT_OK && inside[0] == 0);
    CHECK(abut_solid_distance(solid, &point, NULL, &found) == ABUT_OK && distance[0] == INFINITY);
    abut_solid_free(solid);
    abut_solid_free(NULL);
}

/* Each allocation fails in turn. */
static void check_memory(struct random *random)
{
    static struct scene scene;
    make_scene(&scene, random, 5, 0, 1);
    for (size_t i = 0; i < 400; i++) {
        struct account account = {i / 2, 0, i % 2 == 0};
        const struct abut_allocator allocator = {take, give, &account};
        const struct abut_options options = {.allocator = &allocator};
        struct abut_solid *solid = NULL;
        uint64_t inside[POINTS / 64 + 1];
        float distance[POINTS];
        const struct abut_solid_found found = {.distance = distance};
        enum abut_status status = abut_solid_new(&scene.triangles, &options, NULL, &solid);
        if (status == ABUT_OK)
            status = abut_solid_contains(solid, &scene.points, &options, inside);
        if (status == ABUT_OK)
            status = abut_solid_distance(solid, &scene.points, &options, &found);
        abut_solid_free(solid);
        check_that(account.open == 0, "%zu blocks of memory leak if allocation %zu fails", account.open, i / 2);
        CHECK(status == ABUT_OK || status == ABUT_ERROR_MEMORY);
        if (status == ABUT_OK) {
            CHECK(i > 20);
            return;
        }
    }
    CHECK(!"it ends");
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 5, .rounds = 12});
    struct random random = {options.seed};
    for (unsigned round = 0; round < options.rounds; round++) {
        check_scene(&random, 3, 0, 1);
        check_scene(&random, 6, -5, 1);
        check_scene(&random, 40, 1 << 20, 0x1p-120f);
        check_scene(&random, 1000, -1000, 0x1p100f);
    }
    CHECK(counts[0] > 100 && counts[1] > 100 && counts[2] > 100);
    check_open_edges();
    check_errors();
    check_memory(&random);
    return finish("solid");
}
