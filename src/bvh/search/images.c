/* SPDX-License-Identifier: MIT */
/* Growing queries, and moving them by whole periods. */
#include "bvh/search/images.h"

#include "api/bounds.h"
#include "bvh/search/separation.h"
#include "exact/resolve.h"
#include "util/float32.h"

#include <float.h>
#include <math.h>

static const double most_periods = 0x1p20;

bool abut_is_periodic(const struct abut_reach *reach)
{
    return reach->period[0] > 0 || reach->period[1] > 0 || reach->period[2] > 0;
}

/* What images are made of. at is NULL while they are counted. */
struct making {
    const struct columns *queries;
    const struct abut_reach *reach;
    float min[3], max[3]; /* of all items */
    enum shape shape;     /* of an image */
    float *at[ABUT_MAX_FIELDS];
    struct image *from;
    size_t n;
    bool far; /* some query is too far from 0 */
};

static float above(double x)
{
    return isinf(x) ? (float)x : float32_up(x, 1);
}

static float below(double x)
{
    return -above(-x);
}

/* A centre beyond all floats becomes the last one, which is nearer to all items. */
static float centre_of(double x)
{
    const float rounded = (float)x;
    return isinf(rounded) ? copysignf(FLT_MAX, rounded) : rounded;
}

/* Whether a query is the same at all places along an axis, as an infinite one is. */
static bool is_endless(const struct grown *query, unsigned k)
{
    return isinf(query->r) || isinf(query->box[k]) || isinf(query->box[k + 3]);
}

/*
 * A margin for roundings. An image is rounded to float32, by less than 2^-24 of its coordinates. The operations in
 * float64 lose less than 2^-45 of their operands. Coordinates below the normal floats lose less than the least of
 * these.
 */
static double margin_around(const struct grown *query, const struct abut_reach *reach, const int by[3])
{
    double moved = 0, all = 0;
    for (unsigned k = 0; k < 3; k++) {
        const double shift = by[k] * (double)reach->period[k];
        for (unsigned i = k; i < 6; i += 3) {
            moved += isinf(query->box[i]) ? 0 : fabs((double)query->box[i] + shift);
            all += isinf(query->box[i]) ? 0 : fabs((double)query->box[i]) + fabs(shift);
        }
    }
    return moved * 0x1p-22 + all * 0x1p-44 + 0x1p-126;
}

/*
 * Half extents of an OBB grow by the reach: what is beyond its slabs by g1, g2 and g3 is then beyond them by max(gk -
 * reach, 0), and the root of the sum of the squares of these is less by the reach at least, or 0.
 */
static void put_obb(const struct making *making, size_t i, const float *item)
{
    for (unsigned k = 0; k < obb_fields; k++)
        making->at[k][i] = k / 3 == 1 ? above((double)item[k] + (double)making->reach->within) : item[k];
}

static void put_image(struct making *making, uint32_t number, const float *item, const struct grown *query,
                      const int by[3])
{
    const size_t i = making->n++;
    if (!making->from)
        return;
    making->from[i] = (struct image){number, {by[0], by[1], by[2]}};
    if (making->shape == shape_obb) {
        put_obb(making, i, item);
        return;
    }
    const struct abut_reach *reach = making->reach;
    const double around = (double)query->r + ((double)reach->within + margin_around(query, reach, by));
    for (unsigned k = 0; k < 3; k++) {
        const double shift = by[k] * (double)reach->period[k];
        const bool endless = reach->period[k] > 0 && is_endless(query, k);
        if (making->shape == shape_sphere) {
            making->at[k][i] = centre_of((double)query->box[k] + shift);
        } else {
            making->at[k][i] = endless ? -INFINITY : below((double)query->box[k] + shift - around);
            making->at[k + 3][i] = endless ? INFINITY : above((double)query->box[k + 3] + shift + around);
        }
    }
    if (making->shape == shape_sphere)
        making->at[3][i] = above(around);
}

/* The box around a query, without its radius. */
static struct grown box_of(enum shape shape, const float *item)
{
    if (is_grown(shape))
        return abut_grown_of(shape, item);
    struct grown grown = {.r = shape == shape_capsule ? item[6] : 0};
    if (shape == shape_obb) {
        float obbs[obb_fields][OBBS] = {{0}}, boxes[6][OBBS];
        for (unsigned k = 0; k < obb_fields; k++)
            obbs[k][0] = item[k];
        abut_boxes_of_obbs(obbs[0], 0, boxes);
        for (unsigned k = 0; k < 6; k++)
            grown.box[k] = boxes[k][0];
        return grown;
    }
    for (unsigned k = 0; k < 3; k++) {
        const float a = item[k], b = item[k + 3], c = shape == shape_triangle ? item[k + 6] : a;
        const float low = a < b ? a : b, high = a < b ? b : a;
        grown.box[k] = c < low ? c : low;
        grown.box[k + 3] = c > high ? c : high;
    }
    return grown;
}

/* The least whole number of periods from x on. Farther images than most_periods are never the nearest ones. */
static int first_move(double x)
{
    const double most = 4 * most_periods;
    if (!(x > -most && x < most))
        return (int)(x > 0 ? most : -most);
    const int truncated = (int)x;
    return (double)truncated < x ? truncated + 1 : truncated;
}

/* The moves along one axis after which a query may meet the box of all items. */
static void find_moves(struct making *making, const struct grown *query, unsigned k, int *first, int *last)
{
    const double period = (double)making->reach->period[k];
    *first = *last = 0;
    if (!(period > 0) || is_endless(query, k))
        return;
    const double low = (double)query->box[k], high = (double)query->box[k + 3];
    if (fabs(low) > most_periods * period || fabs(high) > most_periods * period) {
        making->far = true;
        return;
    }
    const double more = ((double)query->r + (double)making->reach->within) * (1 + 0x1p-20) + period * 0x1p-18;
    *first = first_move(((double)making->min[k] - high - more) / period);
    *last = -first_move((low - more - (double)making->max[k]) / period);
}

static void make_images(struct making *making, uint32_t number)
{
    float item[ABUT_MAX_FIELDS];
    int first[3], last[3], by[3];
    const struct columns *queries = making->queries;
    for (unsigned k = 0; k < queries->fields; k++)
        item[k] = queries->at[k][number];
    if (abut_is_invalid(queries->shape, item))
        return;
    const struct grown query = box_of(queries->shape, item);
    double all = 1;
    for (unsigned k = 0; k < 3; k++) {
        find_moves(making, &query, k, &first[k], &last[k]);
        all *= last[k] < first[k] ? 0 : (double)last[k] - first[k] + 1;
    }
    if (!making->from && (double)making->n + all > (double)ABUT_MAX_ITEMS) {
        making->n = ABUT_MAX_ITEMS;
        making->n++;
        return;
    }
    for (by[0] = first[0]; by[0] <= last[0]; by[0]++)
        for (by[1] = first[1]; by[1] <= last[1]; by[1]++)
            for (by[2] = first[2]; by[2] <= last[2]; by[2]++)
                put_image(making, number, item, &query, by);
}

static enum abut_status make_all(struct making *making)
{
    making->n = 0;
    for (size_t i = 0; i < making->queries->n && !making->far && making->n <= ABUT_MAX_ITEMS; i++)
        make_images(making, (uint32_t)i);
    return making->far ? ABUT_ERROR_ARGUMENT : making->n > ABUT_MAX_ITEMS ? ABUT_ERROR_TOO_MANY : ABUT_OK;
}

static bool items_are_near(const struct making *making)
{
    for (unsigned k = 0; k < 3; k++) {
        const double period = (double)making->reach->period[k], most = most_periods * period;
        const bool none = making->min[k] > making->max[k];
        if (period > 0 && !none && (fabs((double)making->min[k]) > most || fabs((double)making->max[k]) > most))
            return false;
    }
    return true;
}

/* The shape of images. */
static enum shape image_of(enum shape query, enum shape item)
{
    return is_round(query) ? shape_sphere : query == shape_obb && is_round(item) ? shape_obb : shape_aabb;
}

enum abut_status abut_images_make(const struct columns *queries, const struct abut_index *index,
                                  const struct abut_reach *reach, struct abut_workspace *workspace,
                                  struct images *images)
{
    const enum shape shape = image_of(queries->shape, (enum shape)index->tree.leaves.shape);
    const unsigned fields = shape == shape_obb ? obb_fields : shape == shape_aabb ? aabb_fields : sphere_fields;
    struct making making = {.queries = queries, .reach = reach, .shape = shape};
    abut_index_bounds(index, making.min, making.max);
    enum abut_status status = items_are_near(&making) ? make_all(&making) : ABUT_ERROR_ARGUMENT;
    if (status != ABUT_OK)
        return status;
    const size_t n = making.n;
    float *floats = abut_workspace_take(workspace, SLOT_IMAGES, n, fields * sizeof *floats);
    making.from = abut_workspace_take(workspace, SLOT_IMAGE_QUERIES, n, sizeof *making.from);
    if (!floats || !making.from)
        return ABUT_ERROR_MEMORY;
    *images = (struct images){{.shape = shape, .fields = fields, .n = n}, making.from};
    for (unsigned k = 0; k < fields; k++)
        images->columns.at[k] = making.at[k] = floats + k * n;
    return make_all(&making);
}
