/* SPDX-License-Identifier: MIT */
/* Growing queries, and moving them by whole periods. */
#include "bvh/search/images.h"

#include "api/bounds.h"
#include "exact/resolve.h"
#include "util/float32.h"

#include <float.h>
#include <math.h>

static const double most_periods = 0x1p20;

bool abut_is_periodic(const struct abut_reach *reach)
{
    return reach->period[0] > 0 || reach->period[1] > 0 || reach->period[2] > 0;
}

/* Images in a round, where the queries are fewer: as many as take some 20 MB with the search for them. */
enum { ROUND = 1 << 18 };

/* Where the box of all items is longer, each of them is looked at. */
enum { MOST_PERIODS = 2 };

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
static void put_obb(const struct images *images, size_t i, const float *item)
{
    for (unsigned k = 0; k < obb_fields; k++)
        images->at[k][i] = k / 3 == 1 ? above((double)item[k] + (double)images->reach->within) : item[k];
}

static void put_image(struct images *images, const struct imaged *of)
{
    const size_t i = images->columns.n++;
    const struct grown *box = &of->box;
    images->made[i] = (struct image){of->number, {of->by[0], of->by[1], of->by[2]}};
    if (images->columns.shape == shape_obb) {
        put_obb(images, i, of->item);
        return;
    }
    const struct abut_reach *reach = images->reach;
    const double around = (double)box->r + ((double)reach->within + margin_around(box, reach, of->by));
    for (unsigned k = 0; k < 3; k++) {
        const double shift = of->by[k] * (double)reach->period[k];
        const bool endless = reach->period[k] > 0 && is_endless(box, k);
        if (images->columns.shape == shape_sphere) {
            images->at[k][i] = centre_of((double)box->box[k] + shift);
        } else {
            images->at[k][i] = endless ? -INFINITY : below((double)box->box[k] + shift - around);
            images->at[k + 3][i] = endless ? INFINITY : above((double)box->box[k + 3] + shift + around);
        }
    }
    if (images->columns.shape == shape_sphere)
        images->at[3][i] = above(around);
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

/* The moves after which a query, or some item, is wide and overlaps: the least ones (abut_nearest_image()). */
static void find_wide_moves(const struct spread *spread, double low, double high, double period, int *first, int *last)
{
    const double slip = 0x1p-18;
    const int least = first_move(((double)spread->least_low - high) / period - slip),
              most = -first_move((low - (double)spread->most_high) / period - slip),
              below = -first_move((low - (double)spread->least_high) / period + slip),
              above = first_move(((double)spread->most_low - high) / period + slip);
    *first = least > 0 ? least : 0;
    *first = below < *first ? below : *first;
    *last = most < 0 ? most : 0;
    *last = above > *last ? above : *last;
}

/* The moves after which the centre of a query is within half a period of that of some item that is not wide. */
static void find_near_moves(const struct spread *spread, double low, double high, double period, int *first, int *last)
{
    const double centre = (low + high) / 2, half = period * (0.5 + 0x1p-18);
    *first = first_move(((double)spread->least_centre - centre - half) / period);
    *last = -first_move((centre - half - (double)spread->most_centre) / period);
}

/*
 * The moves along one axis after which a query may meet the box of all items, and be the image at which it and some
 * item are nearest.
 */
static void find_moves(const struct images *images, struct imaged *of, unsigned k)
{
    const struct grown *box = &of->box;
    const struct spread *spread = &images->spread[k];
    const double period = (double)images->reach->period[k];
    int first, last, *to = &of->first[k], *end = &of->last[k];
    *to = *end = 0;
    if (!(period > 0) || is_endless(box, k))
        return;
    const double low = (double)box->box[k], high = (double)box->box[k + 3];
    const double more = ((double)box->r + (double)images->reach->within) * (1 + 0x1p-20) + period * 0x1p-18;
    const bool wide = is_wide(box->box, k, period);
    find_near_moves(spread, low, high, period, to, end);
    find_wide_moves(spread, low, high, period, &first, &last);
    if (wide || *to > *end) {
        *to = first;
        *end = last;
    } else if (spread->some_wide) {
        *to = first < *to ? first : *to;
        *end = last > *end ? last : *end;
    }
    first = first_move(((double)images->min[k] - high - more) / period);
    last = -first_move((low - more - (double)images->max[k]) / period);
    *to = first > *to ? first : *to;
    *end = last < *end ? last : *end;
}

static bool is_far(const struct images *images, const struct grown *box)
{
    bool far = false;
    for (unsigned k = 0; k < 3; k++) {
        const double period = (double)images->reach->period[k], most = most_periods * period;
        far |= period > 0 && !is_endless(box, k) &&
               (fabs((double)box->box[k]) > most || fabs((double)box->box[k + 3]) > most);
    }
    return far;
}

/* Reads a query and returns how many images it has; less than none if it is too far away. */
static double begin_query(const struct images *images, uint32_t number, struct imaged *of)
{
    const struct columns *queries = images->queries;
    double all = 1;
    *of = (struct imaged){.number = number};
    for (unsigned k = 0; k < queries->fields; k++)
        of->item[k] = queries->at[k][number];
    if (abut_is_invalid(queries->shape, of->item))
        return 0;
    of->box = box_of(queries->shape, of->item);
    if (is_far(images, &of->box))
        return -1;
    for (unsigned k = 0; k < 3; k++) {
        find_moves(images, of, k);
        of->by[k] = of->first[k];
        all *= of->last[k] < of->first[k] ? 0 : (double)of->last[k] - of->first[k] + 1;
    }
    return all;
}

/* Goes to the next image of the query. False: that was the last one. */
static bool advance(struct imaged *of)
{
    for (unsigned k = 3; k-- > 0;) {
        if (of->by[k]++ < of->last[k])
            return true;
        of->by[k] = of->first[k];
    }
    return false;
}

static enum abut_status count_images(struct images *images, double most)
{
    struct imaged of;
    double all = 0;
    images->left = images->queries->n;
    if (!abut_is_periodic(images->reach))
        return ABUT_OK;
    for (size_t i = 0; i < images->queries->n; i++) {
        const double some = begin_query(images, (uint32_t)i, &of);
        if (some < 0)
            return ABUT_ERROR_ARGUMENT;
        all += some;
    }
    images->left = all <= most ? (uint64_t)all : 0;
    return all <= most ? ABUT_OK : ABUT_ERROR_TOO_MANY;
}

/*
 * No more than were counted are made, and no more than there is room for: another thread may write to the caller's
 * arrays.
 */
bool abut_images_next(struct images *images)
{
    images->columns.n = 0;
    while (images->columns.n < images->room && images->left > 0) {
        if (!images->begun) {
            if (images->next == images->queries->n)
                break;
            images->begun = begin_query(images, (uint32_t)images->next++, &images->now) > 0;
            continue;
        }
        put_image(images, &images->now);
        images->begun = advance(&images->now);
        images->left--;
    }
    return images->columns.n > 0;
}

static bool items_are_near(const struct images *images)
{
    for (unsigned k = 0; k < 3; k++) {
        const double period = (double)images->reach->period[k], most = most_periods * period;
        const bool none = images->min[k] > images->max[k];
        if (period > 0 && !none && (fabs((double)images->min[k]) > most || fabs((double)images->max[k]) > most))
            return false;
    }
    return true;
}

/* The shape of images. */
static enum shape image_of(enum shape query, enum shape item)
{
    return is_round(query) ? shape_sphere : query == shape_obb && is_round(item) ? shape_obb : shape_aabb;
}

static bool are_spread(const struct images *images)
{
    bool spread = false;
    for (unsigned k = 0; k < 3; k++) {
        const double period = (double)images->reach->period[k];
        spread |= period > 0 && (double)images->max[k] - (double)images->min[k] > MOST_PERIODS * period;
    }
    return spread;
}

static void take_least(float *least, float x)
{
    *least = x < *least ? x : *least;
}

static void take_most(float *most, float x)
{
    *most = x > *most ? x : *most;
}

static void spread_over(struct spread *spread, const struct grown *item, unsigned k, double period)
{
    const float low = item->box[k], high = item->box[k + 3];
    const double centre = ((double)low + (double)high) / 2;
    take_least(&spread->least_low, low);
    take_least(&spread->least_high, high);
    take_most(&spread->most_low, low);
    take_most(&spread->most_high, high);
    if (is_wide(item->box, k, period)) {
        spread->some_wide = true;
    } else {
        take_least(&spread->least_centre, below(centre));
        take_most(&spread->most_centre, above(centre));
    }
}

/* Boxes of many periods, great spheres and padding make the box of all items large, but not that of their centres. */
static void find_spread(struct images *images, const struct places *places, size_t n, enum shape shape)
{
    for (unsigned k = 0; k < 3; k++)
        images->spread[k] = (struct spread){INFINITY, -INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, false};
    for (size_t i = 0; i < n; i++) {
        float item[ABUT_MAX_FIELDS];
        places_item(places, (uint32_t)i, item);
        if (abut_is_invalid(shape, item))
            continue;
        const struct grown grown = abut_grown_of(shape, item);
        for (unsigned k = 0; k < 3; k++)
            spread_over(&images->spread[k], &grown, k, (double)images->reach->period[k]);
    }
}

enum abut_status abut_images_begin(struct images *images, const struct columns *queries, const struct places *places,
                                   const struct abut_reach *reach, double most, struct abut_workspace *workspace)
{
    const struct leaves *leaves = &places->index->tree.leaves;
    const enum shape item = (enum shape)leaves->shape, shape = image_of(queries->shape, item);
    const unsigned fields = shape == shape_obb ? obb_fields : shape == shape_aabb ? aabb_fields : sphere_fields;
    *images = (struct images){.columns = {.shape = shape, .fields = fields}, .queries = queries, .reach = reach};
    abut_index_bounds(places->index, images->min, images->max);
    for (unsigned k = 0; k < 3; k++) {
        const float min = images->min[k], max = images->max[k];
        images->spread[k] = (struct spread){min, max, min, min, max, max, false};
    }
    if (!items_are_near(images))
        return ABUT_ERROR_ARGUMENT;
    if (are_spread(images))
        find_spread(images, places, leaves->n, item);
    const enum abut_status status = count_images(images, most);
    if (status != ABUT_OK)
        return status;
    images->room = queries->n > ROUND ? queries->n : ROUND;
    images->room = images->left < images->room ? (size_t)images->left : images->room;
    float *floats = abut_workspace_take(workspace, SLOT_IMAGES, images->room, fields * sizeof *floats);
    images->from = images->made =
        abut_workspace_take(workspace, SLOT_IMAGE_QUERIES, images->room, sizeof *images->made);
    if (!floats || !images->made)
        return ABUT_ERROR_MEMORY;
    for (unsigned k = 0; k < fields; k++)
        images->columns.at[k] = images->at[k] = floats + k * images->room;
    return ABUT_OK;
}
