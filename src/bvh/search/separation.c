/* SPDX-License-Identifier: MIT */
/* Bounds in float64 on the distance of two boxes, and the exact comparison where these do not decide. */
#include "bvh/search/separation.h"

#include "exact/sign.h"

#include <math.h>
#include <string.h>

struct grown abut_grown_of(enum shape shape, const float *item)
{
    struct grown grown = {.round = shape == shape_sphere, .r = shape == shape_sphere ? item[3] : 0};
    memcpy(grown.box, item, 3 * sizeof *item);
    memcpy(grown.box + 3, shape == shape_aabb ? item + 3 : item, 3 * sizeof *item);
    return grown;
}

/* What the excess on one axis may be wrong by: less than four roundings of the greatest term. */
static const double slip = 0x1p-49;

/* No functions of the mathematics library. */
static double greater_of(double a, double b)
{
    return a > b ? a : b;
}

/* The greatest integer that is not above x, which is within the range of int. */
static int floor_of(double x)
{
    const int truncated = (int)x;
    return (double)truncated > x ? truncated - 1 : truncated;
}

static double finite_size(double x)
{
    return isinf(x) ? 0 : fabs(x);
}

/* The image of b that was moved least, of those that overlap a. */
static int least_moved(double least, double most)
{
    return most < 0 ? floor_of(most) : least > 0 ? -floor_of(-least) : 0;
}

/* The least excess on an axis, not below 0, and its greatest error. Sets the first image and the best one. */
static double gap_on_axis(const float *a, const float *b, double period, int *first, int *image, double *error)
{
    const double a0 = (double)a[0], a1 = (double)a[3], b0 = (double)b[0], b1 = (double)b[3];
    double least = greater_of(b0 - a1, a0 - b1);
    *first = *image = 0;
    *error = slip * (finite_size(a0) + finite_size(a1) + finite_size(b0) + finite_size(b1));
    if (period > 0 && (isinf(a0) || isinf(a1) || isinf(b0) || isinf(b1)))
        return 0;
    if (period > 0) {
        *first = floor_of(((a0 - b0) + (a1 - b1)) / 2 / period) - 1;
        least = INFINITY;
        for (int i = 0; i < WINDOW; i++) {
            const double shift = (*first + i) * period, excess = greater_of(b0 + shift - a1, a0 - b1 - shift);
            *image = excess < least ? *first + i : *image;
            least = excess < least ? excess : least;
        }
        *error += slip * (fabs((double)*first) + WINDOW) * period;
        if (a1 - a0 >= period || b1 - b0 >= period)
            *image = least_moved((a0 - b1) / period, (a1 - b0) / period);
    }
    return greater_of(least, 0);
}

struct nearest_image abut_nearest_image(const struct grown *a, const struct grown *b, const float period[3])
{
    struct nearest_image nearest = {.pair = {a->box, b->box, period, {0}}};
    double sum = 0, error = 0;
    for (unsigned k = 0; k < 3; k++) {
        double wrong;
        const double gap =
            gap_on_axis(a->box + k, b->box + k, (double)period[k], &nearest.pair.first[k], &nearest.image[k], &wrong);
        sum += gap * gap;
        error += wrong;
    }
    const double distance = sqrt(sum);
    nearest.low = distance * (1 - slip) - error;
    nearest.high = distance * (1 + slip) + error;
    return nearest;
}

bool abut_is_within(const struct grown *a, const struct grown *b, const struct nearest_image *image, float distance,
                    bool closed, struct abut_stats *stats)
{
    static const struct nearest_formulas *const arithmetics[] = {&abut_nearest_filter64, &abut_nearest_compact,
                                                                 &abut_nearest_full};
    const float radii[3] = {a->r, b->r, distance};
    if (isinf(a->r) || isinf(b->r))
        return true;
    const double reach = (double)a->r + (double)b->r + (double)distance;
    const bool boxes = reach == 0 && !a->round && !b->round;
    if (image->low > reach * (1 + slip))
        return false;
    if (image->high < reach * (1 - slip))
        return true;
    stats->undecided++;
    int sign = SIGN_UNKNOWN;
    for (unsigned i = 0; sign == SIGN_UNKNOWN; i++) {
        stats->exact += i == 1;
        sign = boxes ? arithmetics[i]->overlap(&image->pair) : arithmetics[i]->separation(&image->pair, radii);
    }
    return closed ? sign <= 0 : sign < 0;
}
