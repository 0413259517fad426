/* SPDX-License-Identifier: MIT */
/* Columns from arrays of structs, and from doubles: an origin taken off in float64, then one rounding to float32. */
#include "util/float32.h"
#include "util/float_mode.h"

#include <abut/shapes.h>
#include <math.h>

/* The difference of two doubles: its nearest double, and what that leaves out (Knuth's sum without error). */
struct difference {
    double near, rest;
};

static struct difference subtract(double a, double b)
{
    const double near = a - b, part = near - a;
    const double rest = (a - (near - part)) - (b + part);
    return (struct difference){near, rest};
}

/* The float32 on the wanted side of the difference, or the nearest. */
static float rounded(struct difference d, enum abut_round round)
{
    if (!isfinite(d.near) || round == ABUT_ROUND_NEAREST)
        return (float)float32_of(d.near);
    return round == ABUT_ROUND_UP ? float32_up(d.near, d.rest) : -float32_up(-d.near, -d.rest);
}

/* Also how far the value moved, if it is finite. */
static float gathered(double value, double origin, enum abut_round round, double *greatest)
{
    const struct difference d = subtract(value, origin);
    const float x = rounded(d, round);
    const double moved = fabs(((double)x - d.near) - d.rest);
    if (isfinite(value) && moved > *greatest)
        *greatest = moved;
    return x;
}

static enum abut_status check(size_t n, const void *first, unsigned count, float *const *columns, enum abut_round round)
{
    if (columns == NULL || (n > 0 && first == NULL))
        return ABUT_ERROR_NULL;
    if (count < 1 || count > ABUT_MAX_PLANES || (unsigned)round > ABUT_ROUND_UP)
        return ABUT_ERROR_ARGUMENT;
    for (unsigned k = 0; k < count && n > 0; k++)
        if (columns[k] == NULL)
            return ABUT_ERROR_NULL;
    return n > ABUT_MAX_ITEMS ? ABUT_ERROR_TOO_MANY : ABUT_OK;
}

#define GATHER(name, type)                                                                                             \
    enum abut_status name(size_t n, const type *first, size_t stride, unsigned count, const double *origin,            \
                          enum abut_round round, float *const columns[], double *greatest)                             \
    {                                                                                                                  \
        IN_DEFAULT_FLOAT_MODE;                                                                                         \
        const enum abut_status status = check(n, first, count, columns, round);                                        \
        double most = 0;                                                                                               \
        for (size_t i = 0; i < n && status == ABUT_OK; i++) {                                                          \
            const type *row = (const type *)(const void *)((const char *)first + i * stride);                          \
            for (unsigned k = 0; k < count; k++)                                                                       \
                columns[k][i] = gathered((double)row[k], origin ? origin[k] : 0, round, &most);                        \
        }                                                                                                              \
        if (status == ABUT_OK && greatest)                                                                             \
            *greatest = most;                                                                                          \
        return status;                                                                                                 \
    }
GATHER(abut_gather_floats, float)
GATHER(abut_gather_doubles, double)
