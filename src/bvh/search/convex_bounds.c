/* SPDX-License-Identifier: MIT */
/*
 * Bounds in float64 on the distance of two convex shapes, and the exact comparison where these do not decide.
 *
 * The difference of two shapes is a point plus a sum of stretches and triangles (kernels/convex_body.h). Any of its
 * points bounds the distance from above, and any direction from below: by the least value along it. A point moves
 * towards 0 along one stretch at a time. Where no such move helps it is the nearest one, and its own direction gives
 * the lower bound.
 *
 * Let M be the greatest sum of the sizes of all terms of a coordinate. A coordinate of a point has less than 24
 * roundings of M, and so has a value along a direction n, divided by |n|: the bounds are off by less than 2^-46 M.
 * What underflows is lost beside that, unless n is tiny itself: products with a |n| of 2^-300 lose at most 2^-1075
 * each, and 2^-46 M |n| is above 2^-500, since M is at least 2^-149. A shorter direction shows nothing.
 */
#include "bvh/search/convex_bounds.h"

#include "exact/resolve.h"

#include <math.h>

enum { MOST_STRETCHES = 6, MOST_SWEEPS = 24 };

static const double slip = 0x1p-49, shortest = 0x1p-300;

/* The points t d with low <= t <= high. A triangle is a pair of them whose numbers t have a sum of at most 1. */
struct stretch {
    double d[3], d2, low, high, t;
    struct stretch *other; /* of the pair, or NULL */
};

struct sum {
    double base[3], size[3], r;
    struct stretch stretch[MOST_STRETCHES];
    unsigned n;
    bool endless;
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add_stretch(struct sum *sum, const double d[3], double low, double high)
{
    const double most = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
    struct stretch *stretch = &sum->stretch[sum->n++];
    *stretch = (struct stretch){.d2 = dot(d, d), .low = low, .high = high, .t = low + (high - low) / 2};
    sum->endless |= isinf(most);
    for (unsigned k = 0; k < 3; k++) {
        stretch->d[k] = d[k];
        sum->size[k] += fabs(d[k]) * most;
    }
}

static void add_vertex(struct sum *sum, const float *at, double sign)
{
    for (unsigned k = 0; k < 3; k++) {
        sum->base[k] += sign * (double)at[k];
        sum->size[k] += fabs((double)at[k]);
    }
}

/* From vertex a to vertex b. */
static void add_edge(struct sum *sum, const float *a, const float *b, double sign)
{
    double d[3];
    for (unsigned k = 0; k < 3; k++) {
        d[k] = sign * ((double)b[k] - (double)a[k]);
        sum->size[k] += fabs((double)a[k]) + fabs((double)b[k]);
    }
    add_stretch(sum, d, 0, 1);
}

static void add_box(struct sum *sum, struct measured item, double sign)
{
    for (unsigned j = 0; j < 3; j++) {
        double d[3] = {j == 0, j == 1, j == 2}, low = (double)item.at[j], high = (double)item.at[j + 3];
        if (item.shape == shape_obb) {
            high = (double)item.at[3 + j];
            low = -high;
            for (unsigned k = 0; k < 3; k++)
                d[k] = (double)item.at[6 + 3 * j + k];
        }
        add_stretch(sum, d, sign > 0 ? low : -high, sign > 0 ? high : -low);
    }
}

static void add_item(struct sum *sum, struct measured item, double sign)
{
    if (item.shape != shape_aabb)
        add_vertex(sum, item.at, sign);
    if (item.shape == shape_aabb || item.shape == shape_obb) {
        add_box(sum, item, sign);
        return;
    }
    add_edge(sum, item.at, item.at + 3, sign);
    sum->r += item.shape == shape_capsule ? (double)item.at[6] : 0;
    if (item.shape != shape_triangle)
        return;
    add_edge(sum, item.at, item.at + 6, sign);
    struct stretch *last = &sum->stretch[sum->n - 1], *before = last - 1;
    last->t = before->t = 0.25;
    last->other = before;
    before->other = last;
}

static void find_point(const struct sum *sum, double p[3])
{
    for (unsigned k = 0; k < 3; k++) {
        p[k] = sum->base[k];
        for (unsigned i = 0; i < sum->n; i++)
            p[k] += sum->stretch[i].t * sum->stretch[i].d[k];
    }
}

/* Moves the point towards 0 along d, by low to high times d; returns how far. */
static double move(double p[3], const double d[3], double d2, double low, double high)
{
    const double nearest = d2 > 0 ? -dot(p, d) / d2 : 0;
    const double by = nearest < low ? low : nearest > high ? high : nearest;
    for (unsigned k = 0; k < 3; k++)
        p[k] += by * d[k];
    return by;
}

/* Along each stretch, and along the third edge of each triangle. */
static void sweep(struct sum *sum, double p[3])
{
    for (struct stretch *s = sum->stretch; s < sum->stretch + sum->n; s++) {
        struct stretch *other = s->other;
        s->t += move(p, s->d, s->d2, s->low - s->t, s->high - (other ? other->t : 0) - s->t);
        if (!other || other > s)
            continue;
        const double d[3] = {s->d[0] - other->d[0], s->d[1] - other->d[1], s->d[2] - other->d[2]};
        const double by = move(p, d, dot(d, d), -s->t, other->t);
        s->t += by;
        other->t -= by;
    }
}

/* The least value along n. */
static double least_along(const struct sum *sum, const double n[3])
{
    double least = dot(sum->base, n);
    for (unsigned i = 0; i < sum->n; i++) {
        const struct stretch *s = &sum->stretch[i];
        const double along = dot(s->d, n), low = s->low * along, high = s->high * along;
        const double end = low < high ? low : high, before = i > 0 ? dot(s[-1].d, n) : 0;
        if (!s->other)
            least += end;
        else if (s->other < s)
            least += before < end ? before : end;
    }
    return least;
}

static enum answer by_bounds(struct measured a, struct measured b, double distance)
{
    struct sum sum = {.n = 0};
    add_item(&sum, a, 1);
    add_item(&sum, b, -1);
    const double reach = sum.r + distance, wrong = (sum.size[0] + sum.size[1] + sum.size[2]) * 0x1p-46;
    for (unsigned i = 0; i < MOST_SWEEPS && !sum.endless; i++) {
        double p[3];
        find_point(&sum, p);
        const double length = sqrt(dot(p, p));
        if (length + wrong < reach * (1 - slip))
            return ANSWER_HIT;
        if (length < shortest)
            break;
        if (least_along(&sum, p) > (reach * (1 + slip) + wrong) * length * (1 + slip))
            return ANSWER_MISS;
        sweep(&sum, p);
    }
    return ANSWER_UNKNOWN;
}

bool abut_convex_is_within(struct measured a, struct measured b, float distance, bool closed, struct abut_stats *stats)
{
    const enum answer answer = by_bounds(a, b, (double)distance);
    if (answer == ANSWER_UNKNOWN)
        return abut_resolve_within((enum shape)a.shape, a.at, (enum shape)b.shape, b.at, distance, closed, stats);
    return answer == ANSWER_HIT;
}
