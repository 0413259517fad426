/* SPDX-License-Identifier: MIT */
/*
 * Counts the false hits of each rule for spheres and convex volumes, or draws the rules, for scripts/plot.sh:
 *     false_hits table DATA          a Markdown table; without the level data in DATA, only the rows of the camera
 *     false_hits slice box|frustum   how many rules accept a sphere about each point: 0 to 4, a digit a point
 */
#include "rules.h"
#include <abut/shapes.h>

#include "inputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULES = 5, BLOCK = 1024 };

enum rule { RULE_ANY_FACE, RULE_PUBLISHED, RULE_PLANES, RULE_PLANES_AND_BOX, RULE_EXACT };

static const char *const rule_names[RULES] = {"any face plane crossed", "face by face", "planes",
                                              "planes, and touches its AABB", "exact"};

struct volume {
    unsigned count;
    float planes[ABUT_MAX_PLANES][4];
    int opposite[ABUT_MAX_PLANES];
    float low[3], high[3]; /* the AABB, rounded outward */
};

struct spheres {
    size_t n;
    float *columns[4];
};

static bool allocate(struct spheres *spheres, size_t n)
{
    spheres->n = 0;
    return abut_columns_new(n, 4, spheres->columns, NULL) == ABUT_OK;
}

static void add_sphere(struct spheres *spheres, const float *sphere)
{
    for (unsigned k = 0; k < 4; k++)
        spheres->columns[k][spheres->n] = sphere[k];
    spheres->n++;
}

static double height(const float *plane, const double *p)
{
    return (double)plane[0] * p[0] + (double)plane[1] * p[1] + (double)plane[2] * p[2] + (double)plane[3];
}

/* Solves for the common point of three planes; false if there is none. */
static bool meet(const float *a, const float *b, const float *c, double *p)
{
    const float *rows[3] = {a, b, c};
    double m[3][4];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 4; k++)
            m[i][k] = k == 3 ? -(double)rows[i][3] : (double)rows[i][k];
    for (unsigned i = 0; i < 3; i++) {
        unsigned pivot = i;
        for (unsigned j = i; j < 3; j++)
            pivot = fabs(m[j][i]) > fabs(m[pivot][i]) ? j : pivot;
        if (fabs(m[pivot][i]) < 1e-9)
            return false;
        for (unsigned k = 0; k < 4; k++) {
            double swap = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (unsigned j = 0; j < 3; j++) {
            double factor = m[j][i] / m[i][i];
            for (unsigned k = 0; k < 4 && j != i; k++)
                m[j][k] -= factor * m[i][k];
        }
    }
    for (unsigned i = 0; i < 3; i++)
        p[i] = m[i][3] / m[i][i];
    return true;
}

/* The corners' AABB, slightly enlarged: hits lost beside the exact AABB are false hits that a box test would avoid. */
static void find_box(struct volume *v)
{
    for (unsigned k = 0; k < 3; k++) {
        v->low[k] = INFINITY;
        v->high[k] = -INFINITY;
    }
    for (unsigned a = 0; a < v->count; a++)
        for (unsigned b = a + 1; b < v->count; b++)
            for (unsigned c = b + 1; c < v->count; c++) {
                double p[3];
                bool corner = meet(v->planes[a], v->planes[b], v->planes[c], p);
                for (unsigned i = 0; i < v->count && corner; i++)
                    corner = height(v->planes[i], p) <= 1e-5 * (1 + fabs(p[0]) + fabs(p[1]) + fabs(p[2]));
                for (unsigned k = 0; k < 3 && corner; k++) {
                    v->low[k] = fminf(v->low[k], (float)(p[k] - 1e-5 * (1 + fabs(p[k]))));
                    v->high[k] = fmaxf(v->high[k], (float)(p[k] + 1e-5 * (1 + fabs(p[k]))));
                }
            }
}

/* The planes of frusta come in pairs; in other volumes, planes with opposite normals are opposite. */
static void find_opposites(struct volume *v, bool in_pairs)
{
    for (unsigned i = 0; i < v->count; i++) {
        v->opposite[i] = in_pairs ? (int)(i ^ 1) : NO_OPPOSITE;
        for (unsigned j = 0; j < v->count && !in_pairs; j++) {
            const float *a = v->planes[i], *b = v->planes[j];
            if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < -0.9999f)
                v->opposite[i] = (int)j;
        }
    }
}

/* Finds which spheres of a block each rule accepts. */
static void accepted(const struct volume *v, const struct spheres *all, size_t first, size_t n,
                     uint64_t hits[RULES][BLOCK / 64])
{
    float columns[4][ABUT_MAX_PLANES];
    const uint32_t offsets[2] = {0, v->count};
    for (unsigned i = 0; i < v->count; i++)
        for (unsigned k = 0; k < 4; k++)
            columns[k][i] = v->planes[i][k];
    const struct abut_hulls hull = {1, offsets, columns[0], columns[1], columns[2], columns[3]};
    const struct abut_aabbs box = {1, &v->low[0], &v->low[1], &v->low[2], &v->high[0], &v->high[1], &v->high[2]};
    const struct abut_spheres some = {n, all->columns[0] + first, all->columns[1] + first, all->columns[2] + first,
                                      all->columns[3] + first};
    memset(hits[0], 0, sizeof *hits * RULES);
    abut_spheres_cull_hulls(&some, &hull, NULL, hits[RULE_PLANES]);
    abut_spheres_touch_aabbs(&some, &box, NULL, hits[RULE_PLANES_AND_BOX]);
    abut_spheres_touch_hulls(&some, &hull, NULL, hits[RULE_EXACT]);
    for (size_t i = 0; i < n; i++) {
        const float sphere[4] = {some.x[i], some.y[i], some.z[i], some.r[i]};
        for (unsigned rule = RULE_ANY_FACE; rule <= RULE_PUBLISHED; rule++)
            if (published_rule((const float(*)[4])v->planes, v->opposite, v->count, sphere, rule == RULE_ANY_FACE))
                hits[rule][i / 64] |= UINT64_C(1) << i % 64;
    }
    for (size_t w = 0; w < BLOCK / 64; w++)
        hits[RULE_PLANES_AND_BOX][w] &= hits[RULE_PLANES][w];
}

struct tally {
    uint64_t hits[RULES];
};

static void tally_volume(struct tally *tally, const struct volume *v, const struct spheres *spheres)
{
    for (size_t first = 0; first < spheres->n; first += BLOCK) {
        uint64_t hits[RULES][BLOCK / 64];
        size_t n = spheres->n - first < BLOCK ? spheres->n - first : BLOCK;
        accepted(v, spheres, first, n, hits);
        for (unsigned rule = 0; rule < RULES; rule++)
            tally->hits[rule] += abut_mask_count(hits[rule], n);
    }
}

static void print_row(const char *name, const struct tally *tally)
{
    printf("| %s | %llu |", name, (unsigned long long)tally->hits[RULE_EXACT]);
    for (unsigned rule = 0; rule < RULES; rule++) {
        uint64_t wrong = tally->hits[rule] - tally->hits[RULE_EXACT];
        printf(" %llu (%.2g %%) |", (unsigned long long)wrong,
               tally->hits[rule] ? 100.0 * (double)wrong / (double)tally->hits[rule] : 0.0);
    }
    printf("\n");
}

/* Reads one row of a data file; false at its end. */
static bool read_distances(FILE *file, float *distances, unsigned count)
{
    char line[512];
    if (!fgets(line, sizeof line, file))
        return false;
    char *at = line;
    for (unsigned k = 0; k < count; k++) {
        distances[k] = strtof(at, &at);
        at += *at == ',';
    }
    return true;
}

static FILE *open_level(const char *folder, const char *level, const char *what)
{
    char path[1024], header[512];
    snprintf(path, sizeof path, "%s/level/%s_%s.csv", folder, level, what);
    FILE *file = fopen(path, "r");
    if (file && !fgets(header, sizeof header, file)) {
        fclose(file);
        file = NULL;
    }
    return file;
}

static void tally_planes(FILE *file, bool in_pairs, const struct spheres *spheres, struct tally *tally)
{
    struct volume volume = {.count = 0};
    float row[5], number = 0;
    for (bool more = true; more;) {
        more = read_distances(file, row, 5);
        if ((!more || row[4] != number) && volume.count > 0) {
            find_box(&volume);
            find_opposites(&volume, in_pairs);
            tally_volume(tally, &volume, spheres);
            volume.count = 0;
        }
        number = row[4];
        for (unsigned k = 0; k < 4 && more; k++)
            volume.planes[volume.count][k] = -row[k]; /* the file has inward normals */
        volume.count += more;
    }
}

static void level_rows(const char *folder, const char *level, const char *what, bool in_pairs, const char *name)
{
    FILE *file = open_level(folder, level, "spheres"), *planes = open_level(folder, level, what);
    struct spheres spheres;
    float sphere[4];
    if (file && planes && allocate(&spheres, 4096)) {
        while (spheres.n < 4096 && read_distances(file, sphere, 4))
            add_sphere(&spheres, sphere);
        struct tally tally = {{0}};
        tally_planes(planes, in_pairs, &spheres, &tally);
        print_row(name, &tally);
        abut_columns_free(spheres.columns, NULL);
    }
    if (file)
        fclose(file);
    if (planes)
        fclose(planes);
}

static struct volume camera_volume(float near_distance, float far_distance)
{
    const struct abut_camera camera = {{0, 0, 0}, {0, 0, -1},    {0, 1, 0},   (float)sqrt(1.0 / 3),
                                       16.0f / 9, near_distance, far_distance};
    struct volume v = {.count = 0};
    v.count = abut_frustum_from_camera(&camera, v.planes);
    find_box(&v);
    find_opposites(&v, true);
    return v;
}

/* Spheres of one radius, with centres within that radius of the frustum's AABB. */
static bool camera_row(float radius)
{
    enum { SPHERES = 200000 };
    const struct volume v = camera_volume(0.1f, 1000);
    struct random random = {0x3001};
    struct spheres spheres;
    if (!allocate(&spheres, SPHERES))
        return false;
    for (size_t i = 0; i < SPHERES; i++) {
        float s[4];
        for (unsigned k = 0; k < 3; k++)
            s[k] = random_between(&random, v.low[k] - radius, v.high[k] + radius);
        s[3] = radius;
        add_sphere(&spheres, s);
    }
    struct tally tally = {{0}};
    char name[64];
    tally_volume(&tally, &v, &spheres);
    snprintf(name, sizeof name, "camera, radius %g %% of far", (double)radius / 10);
    print_row(name, &tally);
    abut_columns_free(spheres.columns, NULL);
    return true;
}

static int table(const char *folder)
{
    static const float radii[] = {0.1f, 1, 10, 100, 1000};
    printf("| spheres against | true hits |");
    for (unsigned rule = 0; rule < RULES; rule++)
        printf(" %s |", rule_names[rule]);
    printf("\n|---|---|---|---|---|---|---|\n");
    level_rows(folder, "lq_e1m1", "planes", false, "brushes of lq_e1m1");
    level_rows(folder, "lqdm8", "planes", false, "brushes of lqdm8");
    level_rows(folder, "lq_e1m1", "cameras_planes", true, "cameras of lq_e1m1");
    level_rows(folder, "lqdm8", "cameras_planes", true, "cameras of lqdm8");
    for (unsigned i = 0; i < sizeof radii / sizeof *radii; i++)
        if (!camera_row(radii[i]))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}

/* Prints how many rules accept each point of a rectangle. The rules are nested, so the count identifies them. */
static int slice(bool of_box)
{
    enum { COLUMNS = 360, ROWS = 240 };
    struct volume v = camera_volume(0.5f, 4.5f);
    if (of_box) {
        const float low[3] = {-2, -1, -3}, high[3] = {2, 1, 3};
        v.count = abut_hull_aabb(low, high, v.planes);
        find_box(&v);
    }
    struct spheres row;
    if (!allocate(&row, COLUMNS))
        return EXIT_FAILURE;
    for (int j = 0; j < ROWS; j++) {
        uint64_t hits[RULES][BLOCK / 64];
        row.n = 0;
        for (int i = 0; i < COLUMNS; i++) {
            float right = ((float)i + 0.5f - COLUMNS / 2) / 30, down = ((float)j + 0.5f - ROWS / 2) / 30;
            const float across[4] = {right, -down, 0, 1}, along[4] = {right * 2, 0, down * 2 - 2.5f, 2.5f};
            add_sphere(&row, of_box ? across : along);
        }
        accepted(&v, &row, 0, COLUMNS, hits);
        for (size_t i = 0; i < COLUMNS; i++) {
            unsigned count = 0;
            for (unsigned rule = 0; rule < RULES; rule++)
                count += rule != RULE_PLANES_AND_BOX && (hits[rule][i / 64] >> i % 64 & 1);
            putchar('0' + (int)count);
        }
        putchar('\n');
    }
    abut_columns_free(row.columns, NULL);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "table") == 0)
        return table(argv[2]);
    if (argc == 3 && strcmp(argv[1], "slice") == 0)
        return slice(strcmp(argv[2], "box") == 0);
    fprintf(stderr, "usage: false_hits table DATA | slice box|frustum\n");
    return 2;
}
