/* SPDX-License-Identifier: MIT */
/*
 * Corners of hulls: where three planes meet and no plane has the point outside. All of it is decided exactly, and each
 * coordinate is the float nearest to the exact one.
 */
#include "api/sets.h"
#include "exact/bounded.h"
#include "exact/dyadic.h"
#include "kernels/items.h"
#include "util/float32.h"
#include "util/float_mode.h"

#include <abut/engine.h>

#include <math.h>
#include <string.h>

/* Besides those of a hull, planes through the origin across the directions in which it is endless both ways. */
enum { MOST_PLANES = ABUT_MAX_PLANES + 6 };

struct planes {
    unsigned n;
    float at[MOST_PLANES][4]; /* nx ny nz d */
};

/*
 * In one arithmetic: a component of the cross product of two normals; the determinant of three, and the point where
 * their planes meet, times the determinant, in x y z, with the determinant last (Cramer's rule); and the height of that
 * point over a plane, times the determinant. Degree 4 at most.
 */
#define CORNERS(real)                                                                                                  \
    static struct real real##_minor(const float *a, const float *b, unsigned k)                                        \
    {                                                                                                                  \
        const unsigned y = (k + 1) % 3, z = (k + 2) % 3;                                                               \
        return real##_sub(real##_mul(real##_of(a[y]), real##_of(b[z])), real##_mul(real##_of(a[z]), real##_of(b[y]))); \
    }                                                                                                                  \
    static struct real real##_determinant(const float *a, const float *b, const float *c)                              \
    {                                                                                                                  \
        struct real sum = real##_mul(real##_of(a[0]), real##_minor(b, c, 0));                                          \
        for (unsigned k = 1; k < 3; k++)                                                                               \
            sum = real##_add(sum, real##_mul(real##_of(a[k]), real##_minor(b, c, k)));                                 \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static void real##_meet(const float *const p[3], struct real at[4])                                                \
    {                                                                                                                  \
        for (unsigned k = 0; k < 3; k++) {                                                                             \
            at[k] = real##_of(0);                                                                                      \
            for (unsigned i = 0; i < 3; i++)                                                                           \
                at[k] = real##_sub(at[k],                                                                              \
                                   real##_mul(real##_of(p[i][3]), real##_minor(p[(i + 1) % 3], p[(i + 2) % 3], k)));   \
        }                                                                                                              \
        at[3] = real##_determinant(p[0], p[1], p[2]);                                                                  \
    }                                                                                                                  \
    static struct real real##_height(const struct real at[4], const float *plane)                                      \
    {                                                                                                                  \
        struct real sum = real##_mul(real##_of(plane[0]), at[0]);                                                      \
        for (unsigned k = 1; k < 4; k++)                                                                               \
            sum = real##_add(sum, real##_mul(real##_of(plane[k]), at[k]));                                             \
        return sum;                                                                                                    \
    }
CORNERS(bounded)
CORNERS(compact)
CORNERS(dyadic)

static bool parallel_normals(const float *a, const float *b)
{
    for (unsigned k = 0; k < 3; k++) {
        const int sign = bounded_sign(bounded_minor(a, b, k));
        if ((sign != SIGN_UNKNOWN ? sign : dyadic_sign(dyadic_minor(a, b, k))) != 0)
            return false;
    }
    return true;
}

static int determinant_sign(const float *a, const float *b, const float *c)
{
    int sign = bounded_sign(bounded_determinant(a, b, c));
    if (sign == SIGN_UNKNOWN)
        sign = compact_sign(compact_determinant(a, b, c));
    return sign != SIGN_UNKNOWN ? sign : dyadic_sign(dyadic_determinant(a, b, c));
}

/* The point where three planes meet, as far as it was wanted, and the sign of their determinant, which is not 0. */
struct meeting {
    const float *planes[3];
    int sign;
    bool has_compact, has_exact;
    struct bounded near[4];
    struct compact compact[4];
    struct dyadic exact[4];
};

static void want_exact(struct meeting *meeting)
{
    if (!meeting->has_exact)
        dyadic_meet(meeting->planes, meeting->exact);
    meeting->has_exact = true;
}

/* The sign of the height of the point over a plane: 1 if it is outside. */
static int height_sign(struct meeting *meeting, const float *plane)
{
    int sign = bounded_sign(bounded_height(meeting->near, plane));
    if (sign == SIGN_UNKNOWN) {
        if (!meeting->has_compact)
            compact_meet(meeting->planes, meeting->compact);
        meeting->has_compact = true;
        sign = compact_sign(compact_height(meeting->compact, plane));
    }
    if (sign == SIGN_UNKNOWN) {
        want_exact(meeting);
        sign = dyadic_sign(dyadic_height(meeting->exact, plane));
    }
    return sign * meeting->sign;
}

/*
 * Whether planes i < j < k meet in a corner, and are the first such three through it. Others through it come later, or
 * are parallel to i or, beyond j, depend on both: so each corner is found once.
 */
static bool is_corner(const struct planes *planes, unsigned i, unsigned j, unsigned k, struct meeting *meeting)
{
    const float *a = planes->at[i], *b = planes->at[j], *c = planes->at[k];
    meeting->sign = determinant_sign(a, b, c);
    if (meeting->sign == 0)
        return false;
    meeting->planes[0] = a;
    meeting->planes[1] = b;
    meeting->planes[2] = c;
    meeting->has_compact = meeting->has_exact = false;
    bounded_meet(meeting->planes, meeting->near);
    for (unsigned l = 0; l < planes->n; l++) {
        if (l == i || l == j || l == k)
            continue;
        const float *d = planes->at[l];
        const int sign = height_sign(meeting, d);
        if (sign > 0)
            return false;
        if (sign == 0 &&
            (l < i || (l < j && !parallel_normals(a, d)) || (l > j && l < k && determinant_sign(a, b, d) != 0)))
            return false;
    }
    return true;
}

/* The sign of 2 |p| - (f + g + h) |w|. */
static int against(struct dyadic p, struct dyadic w, float f, float g, float h)
{
    p.sign = p.sign != 0;
    w.sign = 1;
    const struct dyadic sum = dyadic_add(dyadic_add(dyadic_of(f), dyadic_of(g)), dyadic_of(h));
    return dyadic_sign(dyadic_sub(dyadic_add(p, p), dyadic_mul(w, sum)));
}

/* The float nearest to p / w; of two, the even one. It is infinite from half a unit above the greatest float on. */
static float nearest_float(const struct dyadic *p, const struct dyadic *w)
{
    const uint32_t infinity = float32_bits(INFINITY);
    uint32_t low = 0, high = infinity;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        const float f = float32_of_bits(middle);
        if (against(*p, *w, f, f, 0) >= 0)
            low = middle;
        else
            high = middle;
    }
    const bool last = high == infinity;
    const int half =
        against(*p, *w, float32_of_bits(low), last ? 0x1p127f : float32_of_bits(high), last ? 0x1p127f : 0);
    const float size = float32_of_bits(half > 0 || (half == 0 && low % 2 != 0) ? high : low);
    return p->sign * w->sign < 0 && size > 0 ? -size : size;
}

/* A coordinate: float64 with its bound, where all numbers in the bounds round to one float; else exactly. */
static float coordinate(struct meeting *meeting, unsigned k)
{
    const struct bounded p = meeting->near[k], w = meeting->near[3];
    const double q = p.value / w.value;
    const double error = (p.error + fabs(q) * w.error) / (fabs(w.value) - w.error);
    const double most = error * (1 + 0x1p-40) + fabs(q) * 0x1p-52 + DBL_MIN;
    if (fabs(w.value) > w.error && most < INFINITY) {
        const double low = float32_of(q - most), high = float32_of(q + most);
        if (low == high)
            return (float)low + 0.0f;
    }
    want_exact(meeting);
    return nearest_float(&meeting->exact[k], &meeting->exact[3]);
}

/* Finds the corners, or whether there is one. Returns how many were found. */
static unsigned find_corners(const struct planes *planes, float at[ABUT_MAX_CORNERS][3])
{
    struct meeting meeting;
    unsigned count = 0;
    for (unsigned i = 0; i < planes->n; i++)
        for (unsigned j = i + 1; j < planes->n; j++)
            for (unsigned k = j + 1; k < planes->n; k++) {
                if (!is_corner(planes, i, j, k, &meeting))
                    continue;
                if (!at)
                    return 1;
                for (unsigned c = 0; c < 3; c++)
                    at[count][c] = coordinate(&meeting, c);
                count++;
            }
    return count;
}

/*
 * Whether there is a direction along which no plane is passed, if there are points at all. Such directions form a cone.
 * It has an edge, along the line where two planes meet; or it holds a line, and all normals are in a plane.
 */
static bool recedes(const struct planes *planes)
{
    bool any = false;
    for (unsigned i = 0; i < planes->n; i++)
        for (unsigned j = i + 1; j < planes->n; j++) {
            bool above = false, below = false;
            if (parallel_normals(planes->at[i], planes->at[j]))
                continue;
            for (unsigned k = 0; k < planes->n && !(above && below); k++) {
                const int sign = determinant_sign(planes->at[i], planes->at[j], planes->at[k]);
                above |= sign > 0;
                below |= sign < 0;
            }
            if (!(above && below))
                return true;
            any = true;
        }
    return !any;
}

/* Up to three planes with independent normals. */
struct basis {
    unsigned n;
    const float *at[3];
};

static bool extends(struct basis *basis, const float *plane)
{
    const bool more = basis->n == 0   ? true
                      : basis->n == 1 ? !parallel_normals(basis->at[0], plane)
                      : basis->n == 2 ? determinant_sign(basis->at[0], basis->at[1], plane) != 0
                                      : false;
    if (more)
        basis->at[basis->n++] = plane;
    return more;
}

/*
 * Whether an unbounded hull has points. Where it is endless both ways along a line, it has them also in a plane across
 * that line. A hull with points that holds no line has a corner.
 */
static bool has_points(struct planes *planes)
{
    static const float axes[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    struct basis basis = {.n = 0};
    for (unsigned i = 0; i < planes->n; i++)
        extends(&basis, planes->at[i]);
    for (unsigned k = 0; k < 3; k++) {
        if (!extends(&basis, axes[k]))
            continue;
        for (unsigned side = 0; side < 2; side++, planes->n++)
            for (unsigned c = 0; c < 4; c++)
                planes->at[planes->n][c] = side ? -axes[k][c] : axes[k][c];
    }
    return find_corners(planes, NULL) > 0;
}

/* The planes that bound something, unless the hull is invalid or has a plane that no point is inside of. */
static enum abut_extent take_planes(const struct abut_hulls *hulls, size_t i, struct planes *planes)
{
    enum abut_extent extent = ABUT_EXTENT_BOUNDED;
    planes->n = 0;
    for (size_t k = hulls->offsets[i]; k < hulls->offsets[i + 1]; k++) {
        const struct plane plane = {hulls->nx[k], hulls->ny[k], hulls->nz[k], hulls->d[k]};
        if (!finite_vector(plane.nx, plane.ny, plane.nz) || isnan(plane.d))
            return ABUT_EXTENT_INVALID;
        if (plane_invalid(plane))
            extent = ABUT_EXTENT_EMPTY;
        else if (!plane_missing(plane))
            memcpy(planes->at[planes->n++], (const float[4]){plane.nx, plane.ny, plane.nz, plane.d}, 4 * sizeof(float));
    }
    return extent;
}

static enum abut_extent corners_of(const struct abut_hulls *hulls, size_t i, float at[ABUT_MAX_CORNERS][3], unsigned *n)
{
    struct planes planes;
    const enum abut_extent extent = take_planes(hulls, i, &planes);
    *n = 0;
    if (extent != ABUT_EXTENT_BOUNDED)
        return extent;
    if (recedes(&planes))
        return has_points(&planes) ? ABUT_EXTENT_UNBOUNDED : ABUT_EXTENT_EMPTY;
    *n = find_corners(&planes, at);
    return *n > 0 ? ABUT_EXTENT_BOUNDED : ABUT_EXTENT_EMPTY;
}

enum abut_status abut_corners_of_hulls(const struct abut_hulls *hulls, uint64_t *offsets, float *const columns[3],
                                       size_t capacity, uint8_t *extents)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!hulls || !offsets || (capacity > 0 && !(columns && columns[0] && columns[1] && columns[2])))
        return ABUT_ERROR_NULL;
    const enum abut_status status = abut_hulls_readable(hulls);
    if (status != ABUT_OK)
        return status;
    offsets[0] = 0;
    for (size_t i = 0; i < hulls->n; i++) {
        float at[ABUT_MAX_CORNERS][3];
        unsigned n;
        const enum abut_extent extent = corners_of(hulls, i, at, &n);
        for (unsigned c = 0; c < n && offsets[i] + c < capacity; c++)
            for (unsigned k = 0; k < 3; k++)
                columns[k][offsets[i] + c] = at[c][k];
        offsets[i + 1] = offsets[i] + n;
        if (extents)
            extents[i] = (uint8_t)extent;
    }
    return ABUT_OK;
}
