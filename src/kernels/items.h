/* SPDX-License-Identifier: MIT */
/* One item of each shape as plain floats, and the tests for invalid items, whose answers are misses. */
#ifndef ABUT_KERNELS_ITEMS_H
#define ABUT_KERNELS_ITEMS_H

#include <math.h>
#include <stdbool.h>

#define F(member) float member;
#define SHAPE(name, plural, fields)                                                                                    \
    struct name {                                                                                                      \
        fields                                                                                                         \
    };
#include "tables/shapes.def"

#define F(member) item.member = *at++;
#define SHAPE(name, plural, fields)                                                                                    \
    static inline struct name name##_of(const float *at)                                                               \
    {                                                                                                                  \
        struct name item;                                                                                              \
        fields return item;                                                                                            \
    }
#include "tables/shapes.def"

static inline bool point_invalid(struct point p)
{
    return !(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
}

static inline bool sphere_invalid(struct sphere s)
{
    return !(isfinite(s.x) && isfinite(s.y) && isfinite(s.z) && s.r >= 0);
}

static inline bool interval_invalid(float min, float max)
{
    return !(min <= max && min < INFINITY && max > -INFINITY);
}

/* NaN or empty. */
static inline bool aabb_invalid(struct aabb b)
{
    return interval_invalid(b.minx, b.maxx) || interval_invalid(b.miny, b.maxy) || interval_invalid(b.minz, b.maxz);
}

static inline bool finite_vector(float x, float y, float z)
{
    return isfinite(x) && isfinite(y) && isfinite(z);
}

/* NaN, or empty. A zero normal or an infinite distance may also stand for all of space (plane_missing). */
static inline bool plane_invalid(struct plane b)
{
    bool empty = b.d == INFINITY || (b.nx == 0 && b.ny == 0 && b.nz == 0 && b.d > 0);
    return !finite_vector(b.nx, b.ny, b.nz) || isnan(b.d) || empty;
}

/* A valid plane that contains all of space. */
static inline bool plane_missing(struct plane b)
{
    return b.d == -INFINITY || (b.nx == 0 && b.ny == 0 && b.nz == 0);
}

/* The normal is a unit vector along a coordinate axis, as for floors and walls. */
static inline bool plane_axis_aligned(struct plane b)
{
    const float x = fabsf(b.nx), y = fabsf(b.ny), z = fabsf(b.nz);
    return (x == 1 && y == 0 && z == 0) || (x == 0 && y == 1 && z == 0) || (x == 0 && y == 0 && z == 1);
}

static inline bool obb_invalid(struct obb b)
{
    return !(finite_vector(b.cx, b.cy, b.cz) && finite_vector(b.ux, b.uy, b.uz) && finite_vector(b.vx, b.vy, b.vz) &&
             finite_vector(b.wx, b.wy, b.wz) && b.hx >= 0 && b.hy >= 0 && b.hz >= 0);
}

static inline bool segment_invalid(struct segment s)
{
    return !(finite_vector(s.ax, s.ay, s.az) && finite_vector(s.bx, s.by, s.bz));
}

static inline bool capsule_invalid(struct capsule c)
{
    return !(finite_vector(c.ax, c.ay, c.az) && finite_vector(c.bx, c.by, c.bz) && c.r >= 0);
}

static inline bool triangle_invalid(struct triangle t)
{
    return !(finite_vector(t.ax, t.ay, t.az) && finite_vector(t.bx, t.by, t.bz) && finite_vector(t.cx, t.cy, t.cz));
}

#define SHAPE(name, plural, fields)                                                                                    \
    static inline bool name##_item_invalid(const float *item)                                                          \
    {                                                                                                                  \
        return name##_invalid(name##_of(item));                                                                        \
    }
#include "tables/shapes.def"

#endif
