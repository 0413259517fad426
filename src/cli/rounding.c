/* SPDX-License-Identifier: MIT */
/* How far float32 moves what a file says, beside the sizes there. */
#include "rounding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A rounding of more than this part of the least size beside it gets a remark. */
static const double most_moved = 1e-3;

void rounding_begin(struct rounding *rounding)
{
    for (unsigned k = 0; k < 3; k++) {
        rounding->low[k] = INFINITY;
        rounding->high[k] = -INFINITY;
    }
    rounding->greatest = rounding->worst = rounding->merged = (struct moved){0};
    rounding->digest_count = 0;
}

void rounding_free(struct rounding *rounding)
{
    free(rounding->digests);
    rounding->digests = NULL;
    rounding->digest_capacity = 0;
}

unsigned axis_of(const char *field)
{
    const size_t length = strlen(field);
    const char last = field[length - 1];
    const bool coordinate = length == 1 || strncmp(field, "min", 3) == 0 || strncmp(field, "max", 3) == 0 ||
                            (length == 2 && strchr("abc", field[0]));
    return coordinate && last >= 'x' && last <= 'z' ? (unsigned)(last - 'x') : 3;
}

static double distance(const double *a, const double *b)
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static void take_size(double size, double *least)
{
    if (size > 0 && size < *least)
        *least = size;
}

/* The least radius, extent or edge of a row that is not zero; infinite if it has none. */
static double least_size(const struct kind *kind, const double *at)
{
    double least = INFINITY, row[MOST_FIELDS];
    if (kind_is_flat(kind)) {
        row_from_flat(kind, 0, at, row);
        at = row;
    }
    if (kind_is_ray(kind)) { /* a motion is no size */
        if (kind == &ray_capsules)
            take_size(at[6], &least);
        return least;
    }
    switch (kind->set) {
    case ABUT_SET_SPHERES:
        take_size(at[3], &least);
        break;
    case ABUT_SET_AABBS:
        for (unsigned k = 0; k < 3; k++)
            take_size(at[k + 3] - at[k], &least);
        break;
    case ABUT_SET_OBBS:
        for (unsigned k = 3; k < 6; k++)
            take_size(at[k], &least);
        break;
    case ABUT_SET_CAPSULES:
        take_size(at[6], &least);
        take_size(distance(at, at + 3), &least);
        break;
    case ABUT_SET_SEGMENTS:
        take_size(distance(at, at + 3), &least);
        break;
    case ABUT_SET_TRIANGLES:
        for (unsigned k = 0; k < 3; k++)
            take_size(distance(at + 3 * k, at + (k == 2 ? 0 : 3 * k + 3)), &least);
        break;
    default:
        break;
    }
    return least;
}

/* A number that differs if one of the coordinates does, but for one case in 2^32 or so. */
static uint32_t digest_of(const double *at, uint64_t seed)
{
    uint64_t digest = seed;
    for (unsigned k = 0; k < 3; k++) {
        const double coordinate = at[k] + 0; /* -0 becomes 0 */
        uint64_t bits;
        memcpy(&bits, &coordinate, sizeof bits);
        digest = (digest ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
        digest ^= digest >> 29;
    }
    return (uint32_t)(digest * UINT64_C(0xBF58476D1CE4E5B9) >> 32);
}

static void keep_digest(struct rounding *rounding, const double *at)
{
    if (rounding->digest_count == rounding->digest_capacity) {
        const size_t capacity = rounding->digest_capacity + rounding->digest_capacity / 2 + 1024;
        uint32_t *larger = realloc(rounding->digests, capacity * sizeof *larger);
        if (!larger) {
            rounding_free(rounding);
            rounding->digest_count = 0;
            return;
        }
        rounding->digests = larger;
        rounding->digest_capacity = capacity;
    }
    rounding->digests[rounding->digest_count++] = digest_of(at, 0);
}

/* The float32 that keeps a box's bound outside of where it was. */
static float outwards(double near, float value, const char *field)
{
    if (strncmp(field, "min", 3) == 0 && (double)value > near)
        return nextafterf(value, -INFINITY);
    return strncmp(field, "max", 3) == 0 && (double)value < near ? nextafterf(value, INFINITY) : value;
}

/* Subtracts the origin: a plane n.p + d keeps its points if n.origin is added to d. */
static double shifted(const struct rounding *rounding, const struct kind *kind, unsigned k, const double *wide)
{
    const unsigned axis = axis_of(kind->fields[k]);
    if (axis < 3)
        return wide[k] - rounding->origin[axis];
    const bool plane = (kind->set == ABUT_SET_PLANES || kind->set == ABUT_SET_HULLS) && kind != &vertex_hulls;
    if (plane && k == 3)
        return wide[3] + wide[0] * rounding->origin[0] + wide[1] * rounding->origin[1] + wide[2] * rounding->origin[2];
    return wide[k];
}

/* The nearest float32, or NaN where that is infinite and the number is not: an infinite bound has a meaning. */
static float nearest_or_nan(double near)
{
    const float value = (float)near;
    return isinf(value) && !isinf(near) ? NAN : value;
}

static void widen(struct rounding *rounding, unsigned axis, double x)
{
    if (axis == 3 || !isfinite(x))
        return;
    rounding->low[axis] = fmin(rounding->low[axis], x);
    rounding->high[axis] = fmax(rounding->high[axis], x);
}

void rounding_widen(struct rounding *rounding, const struct kind *kind, const struct table *table, size_t first,
                    size_t n)
{
    for (unsigned k = 0; k < kind->field_count; k++) {
        const unsigned axis = axis_of(kind->fields[k]);
        for (size_t i = first; i < first + n && axis < 3; i++)
            widen(rounding, axis, (double)table->memory[k][i]);
    }
}

/* Keeps the row if its rounding is the greatest beside a size. */
static void take_moved(struct rounding *rounding, struct moved most)
{
    if (most.by > most_moved * most.size && most.by * rounding->worst.size >= rounding->worst.by * most.size)
        rounding->worst = most;
}

double rounding_row(struct rounding *rounding, const struct kind *kind, size_t row, const double *wide, float *values)
{
    struct moved most = {.row = row};
    for (unsigned k = 0; k < kind->field_count; k++) {
        const double near = rounding->has_origin ? shifted(rounding, kind, k, wide) : wide[k];
        if (rounding->has_origin && !isnan(values[k]))
            values[k] = nearest_or_nan(near);
        if (rounding->outwards)
            values[k] = outwards(near, values[k], kind->fields[k]);
        widen(rounding, axis_of(kind->fields[k]), wide[k]);
        const double by = fabs((double)values[k] - near);
        if (by > most.by && by < INFINITY) {
            most.by = by;
            most.field = kind->fields[k];
        }
    }
    if (kind->set == ABUT_SET_POINTS)
        keep_digest(rounding, wide);
    if (most.by > rounding->greatest.by)
        rounding->greatest = most;
    most.size = most.by > 0 ? least_size(kind, wide) : INFINITY;
    take_moved(rounding, most);
    return most.by;
}

void rounding_sizes(struct rounding *rounding, const struct kind *kind, size_t row, const double *at, double by)
{
    if (by > 0)
        take_moved(rounding, (struct moved){row, 0, "a coordinate", by, least_size(kind, at)});
}

static void point_at(const struct table *table, size_t i, float point[3])
{
    for (unsigned k = 0; k < 3; k++)
        point[k] = table->memory[k][i] + 0; /* -0 becomes 0 */
}

static bool same_point(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* A number that no file was made for, so that none can make a table by hashes slow. */
static uint64_t unforeseen(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_nsec * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)t.tv_sec ^ (uint64_t)(uintptr_t)&t;
}

void rounding_compare_points(struct rounding *rounding, const struct table *table, size_t first)
{
    const size_t n = table->rows.n;
    const size_t count = rounding->digest_count;
    rounding->digest_count = 0;
    if (table->kind != &kinds[ABUT_SET_POINTS] || count != n || !(rounding->greatest.by > 0) || rounding->merged.other)
        return;
    const size_t places = n + n / 2 + 16;
    const uint64_t seed = unforeseen();
    uint32_t *rows = calloc(places, sizeof *rows); /* 1 + a row, in a table by the hash of its point */
    for (size_t i = 0; i < n && rows && !rounding->merged.other; i++) {
        float point[3], other[3];
        point_at(table, i, point);
        const uint32_t hash = digest_of((double[3]){(double)point[0], (double)point[1], (double)point[2]}, seed);
        size_t at = (size_t)((uint64_t)hash * places >> 32);
        for (; rows[at]; at = at + 1 < places ? at + 1 : 0) {
            point_at(table, rows[at] - 1, other);
            if (!same_point(point, other))
                continue;
            if (rounding->digests[i] != rounding->digests[rows[at] - 1])
                rounding->merged = (struct moved){.row = first + rows[at] - 1, .other = first + i};
            break;
        }
        if (!rows[at])
            rows[at] = (uint32_t)i + 1;
    }
    free(rows);
}

bool rounding_remark(const struct rounding *rounding, char *text, size_t text_size)
{
    const char *advice = rounding->has_origin ? "that origin is too far away" : "--origin auto keeps more digits";
    const struct moved *worst = &rounding->worst, *merged = &rounding->merged;
    if (worst->field)
        snprintf(text, text_size, "float32 moves %s of row %zu by %.2g, beside a size of %.2g: %s", worst->field,
                 worst->row, worst->by, worst->size, advice);
    else if (merged->other)
        snprintf(text, text_size, "float32 makes one point of rows %zu and %zu: %s", merged->row, merged->other,
                 advice);
    return worst->field || merged->other;
}
