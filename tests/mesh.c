/* SPDX-License-Identifier: MIT */
/* Tests meshes: pairs with spheres equal the oracle's on every instruction set; errors; failing allocations. */
#include "account.h"
#ifdef ABUT_TEST_ORACLE
#include "oracle.h"
#else
#include "exact/resolve.h"
#endif
#include "report.h"

#include <abut/index.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 60, TRIANGLES = 90, SPHERES = 70 };

struct scene {
    float x[VERTICES], y[VERTICES], z[VERTICES];
    uint32_t indices[3 * TRIANGLES];
    float sphere[4][SPHERES];
    struct abut_mesh mesh;
    struct abut_spheres spheres;
    int answers[SPHERES][TRIANGLES]; /* -1, 0 or 1 */
};

enum layout { SOUP, TERRAIN, FLAT, FAR, layout_count };

static float coordinate(enum layout layout, struct random *random)
{
    const float whole = (float)random_below(random, 7) - 3;
    return layout == FLAT ? whole : layout == FAR ? 1e6f + whole : random_between(random, -5, 5);
}

/* Few vertices and integer coordinates give degenerate triangles by themselves. */
static void make_scene(struct scene *scene, enum layout layout, struct random *random)
{
    for (unsigned i = 0; i < VERTICES; i++) {
        scene->x[i] = layout == TERRAIN ? (float)(i % 10) : coordinate(layout, random);
        scene->y[i] = layout == TERRAIN ? (float)(i / 10) : coordinate(layout, random);
        scene->z[i] = layout == TERRAIN ? 0.25f * (float)random_below(random, 4) : coordinate(layout, random);
    }
    for (unsigned i = 0; i < TRIANGLES; i++) {
        const uint32_t corner = i / 2 % 9 + i / 18 * 10;
        for (unsigned k = 0; k < 3; k++)
            scene->indices[3 * i + k] = layout == TERRAIN ? corner + (k == 1   ? 1
                                                                      : k == 2 ? 10 + i % 2
                                                                               : i % 2 * 10)
                                                          : random_below(random, VERTICES);
    }
    for (unsigned i = 0; i < SPHERES; i++) {
        for (unsigned k = 0; k < 3; k++)
            scene->sphere[k][i] = coordinate(layout, random);
        const unsigned odd = random_below(random, 30);
        scene->sphere[3][i] = odd == 0 ? INFINITY : odd == 1 ? -1 : odd == 2 ? NAN : (float)random_below(random, 5) / 2;
    }
    scene->mesh = (struct abut_mesh){VERTICES, scene->x, scene->y, scene->z, TRIANGLES, scene->indices};
    scene->spheres =
        (struct abut_spheres){SPHERES, scene->sphere[0], scene->sphere[1], scene->sphere[2], scene->sphere[3]};
}

/* By the oracle where there is GMP, else by the exact stage. */
static int answer(const float *sphere, const float *triangle)
{
#ifdef ABUT_TEST_ORACLE
    return oracles[predicate_sphere_triangle](sphere, triangle);
#else
    return (int)abut_exact(predicate_sphere_triangle, sphere, triangle);
#endif
}

static void answer_all(struct scene *scene)
{
    const float *const members[3] = {scene->x, scene->y, scene->z};
    float s[4], t[9];
    for (unsigned i = 0; i < SPHERES; i++)
        for (unsigned j = 0; j < TRIANGLES; j++) {
            for (unsigned k = 0; k < 4; k++)
                s[k] = scene->sphere[k][i];
            for (unsigned k = 0; k < 9; k++)
                t[k] = members[k % 3][scene->indices[3 * j + k / 3]];
            scene->answers[i][j] = answer(s, t);
        }
}

/* Each pair once, and all of them; a buffer that is too small gets the first ones. */
static void check_pairs(const struct scene *scene, const struct abut_index *index, enum abut_touch touch)
{
    static struct abut_pair pairs[SPHERES * TRIANGLES], some[SPHERES * TRIANGLES];
    static uint8_t found[SPHERES][TRIANGLES];
    struct abut_stats stats = {0};
    const struct abut_options options = {.touch = touch, .stats = &stats};
    uint64_t count, again;
    CHECK(abut_join(index, abut_of_spheres(&scene->spheres), &options, pairs, SPHERES * TRIANGLES, &count) == ABUT_OK);
    CHECK(count <= SPHERES * TRIANGLES && stats.pairs >= count);
    memset(found, 0, sizeof found);
    for (uint64_t i = 0; i < count; i++) {
        CHECK(pairs[i].a < SPHERES && pairs[i].b < TRIANGLES && !found[pairs[i].a][pairs[i].b]);
        found[pairs[i].a][pairs[i].b] = 1;
    }
    for (uint32_t s = 0; s < SPHERES; s++)
        for (uint32_t t = 0; t < TRIANGLES; t++)
            check_that(found[s][t] == (scene->answers[s][t] >= (touch == ABUT_CLOSED ? 0 : 1)),
                       "%s: sphere %u and triangle %u", abut_isa(), (unsigned)s, (unsigned)t);
    const size_t half = (size_t)count / 2;
    some[half].a = 12345;
    CHECK(abut_join(index, abut_of_spheres(&scene->spheres), &options, some, half, &again) == ABUT_OK &&
          again == count);
    CHECK(memcmp(some, pairs, half * sizeof *some) == 0 && some[half].a == 12345);
    CHECK(abut_join(index, abut_of_spheres(&scene->spheres), &options, NULL, 0, &again) == ABUT_OK && again == count);
}

static void check_scene(enum layout layout, struct random *random)
{
    static struct scene scene;
    make_scene(&scene, layout, random);
    answer_all(&scene);
    for (const char *const *isa = abut_isas(); *isa != NULL; isa++) {
        CHECK(abut_use_isa(*isa) == ABUT_OK);
        struct abut_index *index;
        CHECK(abut_index_of_mesh(&scene.mesh, NULL, NULL, &index) == ABUT_OK);
        for (int open = 0; open < 2; open++)
            check_pairs(&scene, index, open ? ABUT_OPEN : ABUT_CLOSED);
        abut_index_free(index);
    }
}

static bool has_vertex(const struct scene *scene, size_t triangle, uint32_t vertex)
{
    const uint32_t *t = &scene->indices[3 * triangle];
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

/* Triangles 17 and 40 have vertex indices out of range; then a vertex is NaN. Both are skipped. */
static void check_skipped(struct scene *scene)
{
    const struct abut_options options = {.skip_invalid = true};
    struct abut_invalid invalid = {0};
    struct abut_index *index = NULL;
    uint32_t counts[SPHERES];
    CHECK(abut_index_of_mesh(&scene->mesh, NULL, &invalid, &index) == ABUT_ERROR_INVALID && !index);
    CHECK(invalid.count == 2 && invalid.row == 17 && strcmp(invalid.field, "c") == 0);
    CHECK(abut_index_of_mesh(&scene->mesh, &options, &invalid, &index) == ABUT_OK);
    CHECK(invalid.count == 2 && invalid.row == 17 && strcmp(invalid.field, "c") == 0);
    CHECK(abut_join_counts(index, abut_of_spheres(&scene->spheres), NULL, counts) == ABUT_OK);
    abut_index_free(index);
    scene->indices[3 * 17 + 2] = scene->indices[3 * 40] = 0;
    answer_all(scene);
    const float was = scene->z[5];
    scene->z[5] = NAN;
    size_t skipped = 0;
    for (unsigned i = 0; i < TRIANGLES; i++)
        skipped += has_vertex(scene, i, 5);
    CHECK(abut_index_of_mesh(&scene->mesh, &options, &invalid, &index) == ABUT_OK &&
          abut_index_count(index) == TRIANGLES && skipped > 0 && invalid.count == skipped);
    CHECK(abut_join_counts(index, abut_of_spheres(&scene->spheres), NULL, counts) == ABUT_OK);
    for (uint32_t s = 0; s < SPHERES; s++) {
        uint32_t right = 0;
        for (uint32_t t = 0; t < TRIANGLES; t++)
            right += !has_vertex(scene, t, 5) && scene->answers[s][t] >= 0;
        check_that(counts[s] == right, "sphere %u touches %u triangles, not %u", s, right, counts[s]);
    }
    scene->z[5] = was;
    scene->indices[3 * 17 + 2] = VERTICES;
    scene->indices[3 * 40] = UINT32_MAX;
    abut_index_free(index);
}

static void check_errors(struct random *random)
{
    static struct scene scene;
    struct abut_index *index = NULL;
    struct abut_invalid invalid = {0};
    struct abut_pair pair;
    uint64_t count;
    make_scene(&scene, SOUP, random);
    struct abut_mesh mesh = scene.mesh;
    CHECK(abut_index_of_mesh(&mesh, NULL, &invalid, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_index_of_mesh(NULL, NULL, &invalid, &index) == ABUT_ERROR_NULL);
    mesh.y = NULL;
    CHECK(abut_index_of_mesh(&mesh, NULL, &invalid, &index) == ABUT_ERROR_NULL);
    mesh = scene.mesh;
    mesh.indices = NULL;
    CHECK(abut_index_of_mesh(&mesh, NULL, &invalid, &index) == ABUT_ERROR_NULL);
    mesh = scene.mesh;
    mesh.vertices = ABUT_MAX_ITEMS + 1;
    CHECK(abut_index_of_mesh(&mesh, NULL, &invalid, &index) == ABUT_ERROR_TOO_MANY);
    scene.indices[3 * 17 + 2] = VERTICES;
    scene.indices[3 * 40] = UINT32_MAX;
    CHECK(abut_index_of_mesh(&scene.mesh, NULL, NULL, &index) == ABUT_ERROR_INVALID && !index);
    CHECK(abut_index_of_mesh(&scene.mesh, NULL, &invalid, &index) == ABUT_ERROR_INVALID && !index);
    CHECK(invalid.count == 2 && invalid.row == 17 && strcmp(invalid.field, "c") == 0);
    check_skipped(&scene);
    /* Triangles invalid in either way are counted together, and the first of all is reported. */
    const uint32_t spoilt = scene.indices[3 * 5 + 1];
    const float was = scene.y[spoilt];
    scene.y[spoilt] = INFINITY;
    size_t first = scene.mesh.triangles, count_invalid = 0;
    for (size_t i = scene.mesh.triangles; i-- > 0;) {
        const uint32_t *t = &scene.indices[3 * i];
        if (i == 17 || i == 40 || t[0] == spoilt || t[1] == spoilt || t[2] == spoilt) {
            first = i;
            count_invalid++;
        }
    }
    CHECK(abut_index_of_mesh(&scene.mesh, NULL, &invalid, &index) == ABUT_ERROR_INVALID && !index);
    CHECK(first <= 5 && invalid.row == first && invalid.count == count_invalid &&
          strcmp(invalid.what, "is infinite") == 0);
    scene.y[spoilt] = was;
    scene.indices[3 * 17 + 2] = scene.indices[3 * 40] = 3;
    scene.y[3] = NAN;
    CHECK(abut_index_of_mesh(&scene.mesh, NULL, &invalid, &index) == ABUT_ERROR_INVALID && invalid.count > 0 && !index);
    scene.y[3] = 0;
    CHECK(abut_index_of_mesh(&scene.mesh, NULL, &invalid, &index) == ABUT_OK && invalid.count == 0);
    CHECK(abut_join(NULL, abut_of_spheres(&scene.spheres), NULL, &pair, 1, &count) == ABUT_ERROR_NULL);
    CHECK(abut_join(index, abut_of_spheres(NULL), NULL, &pair, 1, &count) == ABUT_ERROR_NULL);
    CHECK(abut_join(index, abut_of_spheres(&scene.spheres), NULL, NULL, 1, &count) == ABUT_ERROR_NULL);
    CHECK(abut_join(index, abut_of_spheres(&scene.spheres), NULL, &pair, 1, NULL) == ABUT_ERROR_NULL);
    const struct abut_options options = {.touch = (enum abut_touch)2};
    CHECK(abut_join(index, abut_of_spheres(&scene.spheres), &options, &pair, 1, &count) == ABUT_ERROR_ARGUMENT);
    scene.spheres.n = 0;
    CHECK(abut_join(index, abut_of_spheres(&scene.spheres), NULL, &pair, 1, &count) == ABUT_OK && count == 0);
    abut_index_free(index);
    mesh = (struct abut_mesh){0};
    scene.spheres.n = SPHERES;
    CHECK(abut_index_of_mesh(&mesh, NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join(index, abut_of_spheres(&scene.spheres), NULL, &pair, 1, &count) == ABUT_OK && count == 0);
    abut_index_free(index);
    abut_index_free(NULL);
}

/* Every allocation fails, alone and with all that follow. */
static void check_memory(struct random *random)
{
    static struct scene scene;
    make_scene(&scene, TERRAIN, random);
    for (size_t i = 0; i < 200; i++) {
        struct account account = {i / 2, 0, i % 2 == 0};
        const struct abut_allocator allocator = {take, give, &account};
        const struct abut_options options = {.allocator = &allocator};
        struct abut_index *index;
        uint64_t count = 0;
        enum abut_status status = abut_index_of_mesh(&scene.mesh, &options, NULL, &index);
        if (status == ABUT_OK)
            status = abut_join(index, abut_of_spheres(&scene.spheres), &options, NULL, 0, &count);
        abut_index_free(index);
        check_that(account.open == 0, "%zu blocks of memory leak if allocation %zu fails", account.open, i / 2);
        CHECK(status == ABUT_OK ? count > 0 : status == ABUT_ERROR_MEMORY && count == 0);
        if (status == ABUT_OK) {
            CHECK(i > 12);
            return;
        }
    }
    CHECK(!"it ends");
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 41, .rounds = 6});
    struct random random = {options.seed};
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned layout = 0; layout < layout_count; layout++)
            check_scene((enum layout)layout, &random);
    check_errors(&random);
    check_memory(&random);
    return finish("mesh");
}
