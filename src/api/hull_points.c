/* SPDX-License-Identifier: MIT */
/* The planes of a convex hull of points: which points make a face is exact, and its plane holds all points. */
#include "exact/bounded.h"
#include "exact/dyadic.h"
#include "kernels/items.h"
#include "util/float32.h"
#include "util/float_mode.h"

#include <abut/shapes.h>

#include <math.h>
#include <string.h>

/* The sign of component k of (b - a) x (c - a), and of its product with d - a, in one arithmetic. */
#define SIGNS(real)                                                                                                    \
    static struct real real##_component(const float *a, const float *b, const float *c, unsigned k)                    \
    {                                                                                                                  \
        const unsigned y = (k + 1) % 3, z = (k + 2) % 3;                                                               \
        const struct real by = real##_sub(real##_of(b[y]), real##_of(a[y]));                                           \
        const struct real bz = real##_sub(real##_of(b[z]), real##_of(a[z]));                                           \
        const struct real cy = real##_sub(real##_of(c[y]), real##_of(a[y]));                                           \
        const struct real cz = real##_sub(real##_of(c[z]), real##_of(a[z]));                                           \
        return real##_sub(real##_mul(by, cz), real##_mul(bz, cy));                                                     \
    }                                                                                                                  \
    static int real##_component_sign(const float *a, const float *b, const float *c, unsigned k)                       \
    {                                                                                                                  \
        return real##_sign(real##_component(a, b, c, k));                                                              \
    }                                                                                                                  \
    static int real##_side(const float *a, const float *b, const float *c, const float *d)                             \
    {                                                                                                                  \
        struct real sum = real##_of(0);                                                                                \
        for (unsigned k = 0; k < 3; k++)                                                                               \
            sum = real##_add(sum,                                                                                      \
                             real##_mul(real##_component(a, b, c, k), real##_sub(real##_of(d[k]), real##_of(a[k]))));  \
        return real##_sign(sum);                                                                                       \
    }
SIGNS(bounded)
SIGNS(dyadic)

static int side(const float *a, const float *b, const float *c, const float *d)
{
    const int sign = bounded_side(a, b, c, d);
    return sign != SIGN_UNKNOWN ? sign : dyadic_side(a, b, c, d);
}

static bool on_one_line(const float *a, const float *b, const float *c)
{
    for (unsigned k = 0; k < 3; k++) {
        const int sign = bounded_component_sign(a, b, c, k);
        if ((sign != SIGN_UNKNOWN ? sign : dyadic_component_sign(a, b, c, k)) != 0)
            return false;
    }
    return true;
}

struct cloud {
    size_t n;
    float at[ABUT_MAX_HULL_POINTS][3];
};

static bool same(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/*
 * On which side of the points i < j < k all others are: -1 or 1; 0 if they are on both, or the three are not the first
 * ones that make their plane, so that each face is found once.
 */
static int side_of_all(const struct cloud *cloud, size_t i, size_t j, size_t k)
{
    const float *a = cloud->at[i], *b = cloud->at[j], *c = cloud->at[k];
    int all = 0;
    if (same(a, b) || on_one_line(a, b, c))
        return 0;
    for (size_t l = 0; l < cloud->n; l++) {
        const float *d = cloud->at[l];
        const int here = l == i || l == j || l == k ? 0 : side(a, b, c, d);
        if (here != 0 && all == -here)
            return 0;
        all = here != 0 ? here : all;
        if (here != 0 || l == i || l == j || l >= k)
            continue;
        if (l < i || (l < j && !same(a, d)) || !on_one_line(a, b, d))
            return 0;
    }
    return all;
}

/* The plane through three points, its normal away from the others, and so far out that it holds every point. */
static bool put_plane(const struct cloud *cloud, size_t i, size_t j, size_t k, int inner, float plane[4])
{
    double n[3], length = 0;
    float most = -INFINITY;
    for (unsigned c = 0; c < 3; c++)
        n[c] = -inner * bounded_component(cloud->at[i], cloud->at[j], cloud->at[k], c).value;
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (unsigned c = 0; c < 3; c++)
        plane[c] = (float)(n[c] / length + 0);
    for (size_t l = 0; l < cloud->n; l++) {
        struct bounded sum = bounded_of(0);
        for (unsigned c = 0; c < 3; c++)
            sum = bounded_add(sum, bounded_mul(bounded_of(plane[c]), bounded_of(cloud->at[l][c])));
        const float reach = float32_up_sum(sum.value, sum.error);
        most = reach > most ? reach : most;
    }
    plane[3] = -most + 0.0f;
    return length > 0 && length < INFINITY && isfinite(most);
}

unsigned abut_hull_of_points(const struct abut_points *points, float planes[ABUT_MAX_PLANES][4])
{
    IN_DEFAULT_FLOAT_MODE;
    struct cloud cloud = {.n = points ? points->n : 0};
    float found[ABUT_MAX_PLANES][4];
    unsigned count = 0;
    if (cloud.n < 4 || cloud.n > ABUT_MAX_HULL_POINTS)
        return 0;
    if (points->x == NULL || points->y == NULL || points->z == NULL || planes == NULL)
        return 0;
    for (size_t i = 0; i < cloud.n; i++) {
        const float point[3] = {points->x[i], points->y[i], points->z[i]};
        if (!finite_vector(point[0], point[1], point[2]))
            return 0;
        memcpy(cloud.at[i], point, sizeof point);
    }
    for (size_t i = 0; i < cloud.n; i++)
        for (size_t j = i + 1; j < cloud.n; j++)
            for (size_t k = j + 1; k < cloud.n; k++) {
                const int inner = side_of_all(&cloud, i, j, k);
                if (inner == 0)
                    continue;
                if (count == ABUT_MAX_PLANES || !put_plane(&cloud, i, j, k, inner, found[count]))
                    return 0;
                count++;
            }
    if (count > 0)
        memcpy(planes, found, count * sizeof *found);
    return count;
}
