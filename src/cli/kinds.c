/* SPDX-License-Identifier: MIT */
/* The table of kinds, and what is done to rows of any kind. */
#include "kinds.h"

#include "hulls.h"
#include "names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KIND(set, name, ...)                                                                                           \
    {                                                                                                                  \
        set, name, (const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *)       \
    }

/* Members of the batches in abut.h, in their order. */
const struct kind kinds[KINDS] = {
    KIND(ABUT_SET_POINTS, "points", "x", "y", "z"),
    KIND(ABUT_SET_SPHERES, "spheres", "x", "y", "z", "r"),
    KIND(ABUT_SET_AABBS, "aabbs", "minx", "miny", "minz", "maxx", "maxy", "maxz"),
    KIND(ABUT_SET_PLANES, "planes", "nx", "ny", "nz", "d"),
    KIND(ABUT_SET_OBBS, "obbs", "cx", "cy", "cz", "hx", "hy", "hz", "ux", "uy", "uz", "vx", "vy", "vz", "wx", "wy",
         "wz"),
    KIND(ABUT_SET_SEGMENTS, "segments", "ax", "ay", "az", "bx", "by", "bz"),
    KIND(ABUT_SET_CAPSULES, "capsules", "ax", "ay", "az", "bx", "by", "bz", "r"),
    KIND(ABUT_SET_TRIANGLES, "triangles", "ax", "ay", "az", "bx", "by", "bz", "cx", "cy", "cz"),
    KIND(ABUT_SET_HULLS, "hulls", "nx", "ny", "nz", "d", "volume"),
};

const struct kind quaternion_obbs =
    KIND(ABUT_SET_OBBS, "obbs", "cx", "cy", "cz", "hx", "hy", "hz", "qx", "qy", "qz", "qw");

const struct kind yaw_obbs = KIND(ABUT_SET_OBBS, "obbs", "x", "y", "z", "dx", "dy", "dz", "yaw");

const struct kind ray_segments = KIND(ABUT_SET_SEGMENTS, "rays", "x", "y", "z", "dx", "dy", "dz");

const struct kind ray_capsules = KIND(ABUT_SET_CAPSULES, "moving spheres", "x", "y", "z", "dx", "dy", "dz", "r");

const struct kind vertex_hulls = KIND(ABUT_SET_HULLS, "hulls", "x", "y", "z", "volume");

const struct kind flat_kinds[FLAT_KINDS] = {
    KIND(ABUT_SET_POINTS, "points", "x", "y"),
    KIND(ABUT_SET_SPHERES, "spheres", "x", "y", "r"),
    KIND(ABUT_SET_AABBS, "aabbs", "minx", "miny", "maxx", "maxy"),
    KIND(ABUT_SET_SEGMENTS, "segments", "ax", "ay", "bx", "by"),
    KIND(ABUT_SET_CAPSULES, "capsules", "ax", "ay", "bx", "by", "r"),
};

const struct kind *const kind_forms[FORMS] = {
    &quaternion_obbs, &yaw_obbs,      &ray_segments,  &ray_capsules,  &vertex_hulls,
    &flat_kinds[0],   &flat_kinds[1], &flat_kinds[2], &flat_kinds[3], &flat_kinds[4],
};

bool kind_is_flat(const struct kind *kind)
{
    bool flat = false;
    for (size_t i = 0; i < FLAT_KINDS; i++)
        flat |= kind == &flat_kinds[i];
    return flat;
}

void row_from_flat(const struct kind *kind, double z, const double *flat, double row[MOST_FIELDS])
{
    const struct kind *whole = &kinds[kind->set];
    for (unsigned k = 0; k < whole->field_count; k++) {
        const char *field = whole->fields[k];
        const unsigned from = kind_field(kind, field);
        row[k] = from < kind->field_count     ? flat[from]
                 : strcmp(field, "minz") == 0 ? -INFINITY
                 : strcmp(field, "maxz") == 0 ? INFINITY
                                              : z;
    }
}

/* Members of the last fields move first, so that none is overwritten before it has moved. */
void rows_from_flat(const struct kind *kind, size_t n, float z, float *const columns[MOST_FIELDS])
{
    const struct kind *whole = &kinds[kind->set];
    for (unsigned k = whole->field_count; k-- > 0;) {
        const char *field = whole->fields[k];
        const unsigned from = kind_field(kind, field);
        const float value = strcmp(field, "minz") == 0 ? -INFINITY : strcmp(field, "maxz") == 0 ? INFINITY : z;
        for (size_t i = 0; i < n; i++)
            columns[k][i] = from < kind->field_count ? columns[from][i] : value;
    }
}

bool kind_is_ray(const struct kind *kind)
{
    return kind == &ray_segments || kind == &ray_capsules;
}

unsigned kind_field(const struct kind *kind, const char *field)
{
    unsigned k = 0;
    while (k < kind->field_count && strcmp(kind->fields[k], field) != 0)
        k++;
    return k;
}

/* (dx, dy, dz) / 2 is exact, but for the least denormals. An angle that is not finite makes axes that are not. */
void obbs_from_yaw(size_t n, float *const columns[MOST_FIELDS])
{
    for (size_t i = 0; i < n; i++) {
        const double yaw = (double)columns[6][i], c = cos(yaw), s = sin(yaw);
        const double axes[9] = {c, s, 0, -s, c, 0, 0, 0, 1};
        for (unsigned k = 3; k < 6; k++)
            columns[k][i] /= 2;
        for (unsigned k = 0; k < 9; k++)
            columns[6 + k][i] = (float)axes[k];
    }
}

enum abut_status table_new(struct table *table, const struct kind *kind, size_t capacity)
{
    *table = (struct table){.kind = kind};
    table->rows.kind = kind->set;
    enum abut_status status = abut_columns_new(capacity, kind->field_count, table->memory, NULL);
    for (unsigned k = 0; k < kind->field_count && status == ABUT_OK; k++)
        table->rows.at[k] = table->memory[k];
    return status;
}

void table_free(struct table *table)
{
    abut_columns_free(table->memory, NULL);
    table->memory[0] = NULL;
    free(table->offsets);
    table->offsets = NULL;
    free(table->labels);
    table->labels = NULL;
    if (table->names) {
        labels_free(&table->names->labels);
        free(table->names->numbers);
    }
    free(table->names);
    table->names = NULL;
}

/* Where row i of a table begins in its columns. */
static size_t row_begins(const struct rows *rows, size_t i)
{
    return rows->offsets ? rows->offsets[i] : i;
}

enum abut_status table_reorder(struct table *table, const uint32_t *order)
{
    struct rows *rows = &table->rows;
    const size_t total = row_begins(rows, rows->n);
    float *column = malloc((total + 1) * sizeof *column);
    uint32_t *offsets = rows->offsets ? malloc((rows->n + 1) * sizeof *offsets) : NULL;
    if (!column || (rows->offsets && !offsets)) {
        free(column);
        free(offsets);
        return ABUT_ERROR_MEMORY;
    }
    for (unsigned k = 0; k < MOST_FIELDS && rows->at[k]; k++) {
        size_t at = 0;
        for (size_t i = 0; i < rows->n; i++) {
            if (offsets)
                offsets[i] = (uint32_t)at;
            for (size_t from = row_begins(rows, order[i]); from < row_begins(rows, order[i] + (size_t)1); from++)
                column[at++] = table->memory[k][from];
        }
        memcpy(table->memory[k], column, total * sizeof *column);
    }
    if (offsets) {
        offsets[rows->n] = (uint32_t)total;
        free(table->offsets);
        rows->offsets = table->offsets = offsets;
    }
    free(column);
    return ABUT_OK;
}

struct rows rows_slice(const struct rows *rows, size_t first, size_t count)
{
    struct rows slice = {.kind = rows->kind, .n = count};
    for (unsigned k = 0; k < MOST_FIELDS && rows->at[k]; k++)
        slice.at[k] = rows->at[k] + (rows->offsets ? 0 : first);
    if (rows->offsets)
        slice.offsets = rows->offsets + first;
    return slice;
}

struct abut_set rows_set(const struct rows *rows, union batch *batch)
{
    const size_t n = rows->n;
    const float *const *a = rows->at;
    switch (rows->kind) {
    case ABUT_SET_POINTS:
        batch->points = (struct abut_points){n, a[0], a[1], a[2]};
        break;
    case ABUT_SET_SPHERES:
        batch->spheres = (struct abut_spheres){n, a[0], a[1], a[2], a[3]};
        break;
    case ABUT_SET_AABBS:
        batch->aabbs = (struct abut_aabbs){n, a[0], a[1], a[2], a[3], a[4], a[5]};
        break;
    case ABUT_SET_PLANES:
        batch->planes = (struct abut_planes){n, a[0], a[1], a[2], a[3]};
        break;
    case ABUT_SET_OBBS:
        batch->obbs = (struct abut_obbs){n,    a[0], a[1], a[2],  a[3],  a[4],  a[5],  a[6],
                                         a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14]};
        break;
    case ABUT_SET_SEGMENTS:
        batch->segments = (struct abut_segments){n, a[0], a[1], a[2], a[3], a[4], a[5]};
        break;
    case ABUT_SET_CAPSULES:
        batch->capsules = (struct abut_capsules){n, a[0], a[1], a[2], a[3], a[4], a[5], a[6]};
        break;
    case ABUT_SET_TRIANGLES:
        batch->triangles = (struct abut_triangles){n, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]};
        break;
    default:
        batch->hulls = (struct abut_hulls){n, rows->offsets, a[0], a[1], a[2], a[3]};
        break;
    }
    return (struct abut_set){rows->kind, batch};
}

enum abut_status rows_check(const struct rows *rows, struct abut_invalid *invalid)
{
    union batch batch;
    if (rows->kind == ABUT_SET_HULLS && !rows->offsets)
        return hulls_check(rows, invalid);
    return abut_check(rows_set(rows, &batch), invalid);
}
