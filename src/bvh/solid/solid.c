/* SPDX-License-Identifier: MIT */
/* Making solids, and counting the triangles that a ray from each point crosses. */
#include "bvh/solid/solid.h"

#include "api/sets.h"
#include "bvh/search/nearest_formulas.h"
#include "bvh/workspace.h"
#include "util/allocator.h"
#include "util/float_mode.h"

#include <math.h>
#include <string.h>

/* ---- Making */

static enum abut_status index_boxes(struct abut_solid *solid, const struct abut_triangles *triangles,
                                    const struct abut_options *options)
{
    float *box[6];
    enum abut_status status = abut_columns_new(solid->n, 6, box, &solid->allocator);
    if (status != ABUT_OK)
        return status;
    status = abut_aabbs_of_triangles(triangles, box);
    const struct abut_aabbs boxes = {solid->n, box[0], box[1], box[2], box[3], box[4], box[5]};
    if (status == ABUT_OK)
        status = abut_index_new(abut_of_aabbs(&boxes), options, NULL, &solid->boxes);
    abut_columns_free(box, &solid->allocator);
    return status;
}

static enum abut_status make(struct abut_solid *solid, const struct abut_triangles *triangles,
                             const struct abut_options *options, struct abut_invalid *invalid)
{
    const float *const *from = batch_arrays(triangles);
    enum abut_status status = abut_columns_new(solid->n, TRIANGLE_FIELDS, solid->at, &solid->allocator);
    for (unsigned k = 0; k < TRIANGLE_FIELDS && status == ABUT_OK && solid->n > 0; k++)
        memcpy(solid->at[k], from[k], solid->n * sizeof(float));
    if (status == ABUT_OK)
        status = abut_index_new(abut_of_triangles(triangles), options, invalid, &solid->triangles);
    if (status == ABUT_OK)
        status = abut_solid_check(solid, options, invalid);
    return status == ABUT_OK ? index_boxes(solid, triangles, options) : status;
}

enum abut_status abut_solid_new(const struct abut_triangles *triangles, const struct abut_options *options,
                                struct abut_invalid *invalid, struct abut_solid **solid)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!solid)
        return ABUT_ERROR_NULL;
    *solid = NULL;
    options = options_or_none(options);
    if (!triangles)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_options_check(options_of_abut_solid_new, options);
    if (status == ABUT_OK)
        status = abut_check_set(abut_of_triangles(triangles));
    if (status != ABUT_OK)
        return status;
    const struct abut_allocator allocator = abut_allocator_or_malloc(options->allocator);
    struct abut_solid *made = allocator.allocate(allocator.context, sizeof *made);
    if (!made)
        return ABUT_ERROR_MEMORY;
    *made = (struct abut_solid){.allocator = allocator, .n = triangles->n};
    status = make(made, triangles, options, invalid);
    if (status == ABUT_OK)
        *solid = made;
    else
        abut_solid_free(made);
    return status;
}

void abut_solid_free(struct abut_solid *solid)
{
    if (!solid)
        return;
    const struct abut_allocator allocator = solid->allocator;
    abut_index_free(solid->boxes);
    abut_index_free(solid->triangles);
    abut_columns_free(solid->at, &allocator);
    allocator.release(allocator.context, solid);
}

/* ---- Crossings of rays along x */

static const struct nearest_formulas *const arithmetics[] = {&abut_nearest_filter64, &abut_nearest_compact,
                                                             &abut_nearest_full};

/*
 * On which side of the line through a and b the point is, as seen along the ray. A point on the line counts as if it
 * were moved by little in y and by far less in z: then none is on a line, and neighbours agree about their edge. 0 for
 * an edge along the ray.
 */
static int side_of_edge(const float *a, const float *b, const float *point, struct abut_stats *stats)
{
    int sign = SIGN_UNKNOWN;
    for (unsigned i = 0; sign == SIGN_UNKNOWN; i++) {
        stats->exact += i == 1;
        sign = arithmetics[i]->turn(a, b, point);
    }
    if (sign != 0)
        return sign;
    return a[2] != b[2] ? (a[2] > b[2] ? 1 : -1) : (b[1] > a[1]) - (b[1] < a[1]);
}

static int side_of_plane(const float *triangle, const float *point, struct abut_stats *stats)
{
    int sign = SIGN_UNKNOWN;
    for (unsigned i = 0; sign == SIGN_UNKNOWN; i++) {
        stats->exact += i == 1;
        sign = arithmetics[i]->side(triangle, point);
    }
    return sign;
}

/*
 * Whether a ray from the point along x crosses a triangle. Seen along the ray, the moved point is on the same side of
 * all edges; this is the side to which the triangle turns, the sign of the x of its normal n. The ray meets the plane
 * at t = -n.(p - a) / n_x. If the point is not on the triangle, t is not 0, and so its sign does not change when the
 * point moves by little.
 */
static bool crosses(const float *triangle, const float *point, struct abut_stats *stats)
{
    const int side = side_of_edge(triangle, triangle + 3, point, stats);
    return side != 0 && side_of_edge(triangle + 3, triangle + 6, point, stats) == side &&
           side_of_edge(triangle + 6, triangle, point, stats) == side && side_of_plane(triangle, point, stats) == -side;
}

struct crossing {
    const struct abut_solid *solid;
    const struct abut_points *points;
    uint64_t *odd;
    struct abut_stats stats;
};

static bool take_pairs(void *context, const struct abut_pair *pairs, size_t n)
{
    struct crossing *crossing = context;
    for (size_t i = 0; i < n; i++) {
        const uint32_t p = pairs[i].a;
        const float point[3] = {crossing->points->x[p], crossing->points->y[p], crossing->points->z[p]};
        float triangle[TRIANGLE_FIELDS];
        for (unsigned k = 0; k < TRIANGLE_FIELDS; k++)
            triangle[k] = crossing->solid->at[k][pairs[i].b];
        crossing->odd[p / 64] ^= (uint64_t)crosses(triangle, point, &crossing->stats) << p % 64;
    }
    return true;
}

static bool is_finite(const struct abut_points *points, size_t i)
{
    return isfinite(points->x[i]) && isfinite(points->y[i]) && isfinite(points->z[i]);
}

/* A ray is a box without width that has no end. */
static enum abut_status count_crossings(struct crossing *crossing, const struct abut_options *options)
{
    const struct abut_points *p = crossing->points;
    float *end[1];
    enum abut_status status = abut_columns_new(p->n, 1, end, options->allocator);
    if (status != ABUT_OK)
        return status;
    for (size_t i = 0; i < p->n; i++)
        end[0][i] = is_finite(p, i) ? INFINITY : NAN;
    const struct abut_aabbs rays = {p->n, p->x, p->y, p->z, end[0], p->y, p->z};
    status = abut_join_blocks(crossing->solid->boxes, abut_of_aabbs(&rays), options, take_pairs, crossing);
    abut_columns_free(end, options->allocator);
    return status;
}

/* Sets one bit a point for those inside, and one for those on the surface. */
static enum abut_status find_inside(const struct abut_solid *solid, const struct abut_points *points,
                                    const struct abut_options *options, uint64_t *inside, uint64_t *on)
{
    struct abut_options plain = *options;
    struct crossing crossing = {.solid = solid, .points = points, .odd = inside};
    const size_t words = abut_mask_words(points->n);
    plain.touch = ABUT_CLOSED;
    memset(inside, 0, words * sizeof *inside);
    enum abut_status status = count_crossings(&crossing, &plain);
    if (status == ABUT_OK)
        status = abut_join_any(solid->triangles, abut_of_points(points), &plain, on);
    for (size_t w = 0; w < words && status == ABUT_OK; w++)
        inside[w] &= ~on[w];
    if (status == ABUT_OK && options->stats)
        options->stats->exact += crossing.stats.exact;
    return status;
}

static enum abut_status check(unsigned takes, const struct abut_solid *solid, const struct abut_points *points,
                              const struct abut_options *options)
{
    if (!solid || !points)
        return ABUT_ERROR_NULL;
    const enum abut_status status = abut_options_check(takes, options);
    return status == ABUT_OK ? abut_check_set(abut_of_points(points)) : status;
}

/* Two masks, side by side. NULL: out of memory. */
static uint64_t *masks_new(size_t n, const struct abut_allocator *allocator)
{
    return allocator->allocate(allocator->context, 2 * (abut_mask_words(n) + 1) * sizeof(uint64_t));
}

enum abut_status abut_solid_contains(const struct abut_solid *solid, const struct abut_points *points,
                                     const struct abut_options *options, uint64_t *inside)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    enum abut_status status = check(options_of_abut_solid_contains, solid, points, options);
    if (status != ABUT_OK || points->n == 0)
        return status;
    if (!inside)
        return ABUT_ERROR_NULL;
    const struct abut_allocator allocator = abut_allocator_or_malloc(options->allocator);
    const size_t words = abut_mask_words(points->n);
    uint64_t *masks = masks_new(points->n, &allocator);
    if (!masks)
        return ABUT_ERROR_MEMORY;
    uint64_t *on = masks + words;
    status = find_inside(solid, points, options, masks, on);
    for (size_t w = 0; w < words && status == ABUT_OK; w++)
        inside[w] = options->touch == ABUT_CLOSED ? masks[w] | on[w] : masks[w];
    allocator.release(allocator.context, masks);
    return status;
}

/* ---- Distances */

/* From the squared distances in d2, which may be that of found. */
static void put_distances(const struct abut_solid_found *found, const struct abut_points *points, const float *d2,
                          const uint64_t *inside, const uint64_t *on)
{
    for (size_t i = 0; i < points->n; i++) {
        const bool negative = inside[i / 64] >> i % 64 & 1, zero = on[i / 64] >> i % 64 & 1;
        const float square = zero ? 0 : is_finite(points, i) ? d2[i] : NAN, root = sqrtf(square);
        if (found->distance)
            found->distance[i] = negative ? -root : root;
        if (found->d2)
            found->d2[i] = negative ? -square : square;
    }
}

static enum abut_status measure(const struct abut_solid *solid, const struct abut_points *points,
                                const struct abut_options *options, const struct abut_solid_found *found,
                                uint64_t *masks, float *d2, uint32_t *nearest)
{
    const size_t words = abut_mask_words(points->n);
    const struct abut_neighbours question = {.k = 1};
    const struct abut_neighbours_found out = {.indices = nearest, .d2 = d2, .closest = found->closest};
    enum abut_status status = find_inside(solid, points, options, masks, masks + words);
    if (status == ABUT_OK)
        status = abut_find_neighbours(solid->triangles, points, &question, options, &out);
    if (status == ABUT_OK)
        put_distances(found, points, d2, masks, masks + words);
    return status;
}

enum abut_status abut_solid_distance(const struct abut_solid *solid, const struct abut_points *points,
                                     const struct abut_options *options, const struct abut_solid_found *found)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    enum abut_status status = check(options_of_abut_solid_distance, solid, points, options);
    if (status != ABUT_OK)
        return status;
    if (!found || !found->closest.x != !found->closest.y || !found->closest.x != !found->closest.z)
        return ABUT_ERROR_NULL;
    if (points->n == 0)
        return ABUT_OK;
    const struct abut_allocator allocator = abut_allocator_or_malloc(options->allocator);
    float *columns[2] = {NULL};
    uint64_t *masks = masks_new(points->n, &allocator);
    status = masks ? abut_columns_new(points->n, 2, columns, &allocator) : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK)
        status = measure(solid, points, options, found, masks, columns[0],
                         found->triangles ? found->triangles : (uint32_t *)(void *)columns[1]);
    abut_columns_free(columns, &allocator);
    if (masks)
        allocator.release(allocator.context, masks);
    return status;
}
