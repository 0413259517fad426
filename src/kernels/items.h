/* SPDX-License-Identifier: MIT */
/* One item of each shape as plain floats, and which items are bad input (contract: every bad item is a miss). */
#ifndef ABUT_KERNELS_ITEMS_H
#define ABUT_KERNELS_ITEMS_H

#include <math.h>
#include <stdbool.h>

#define F(member) float member;
#define SHAPE(name, plural, fields)                                                                                    \
    struct name {                                                                                                      \
        fields                                                                                                         \
    };
#include "../shapes.def"

#define F(member) item.member = *at++;
#define SHAPE(name, plural, fields)                                                                                    \
    static inline struct name name##_of(const float *at)                                                               \
    {                                                                                                                  \
        struct name item;                                                                                              \
        fields return item;                                                                                            \
    }
#include "../shapes.def"

static inline bool point_bad(struct point p)
{
    return !(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
}

static inline bool sphere_bad(struct sphere s)
{
    return !(isfinite(s.x) && isfinite(s.y) && isfinite(s.z) && s.r >= 0);
}

static inline bool interval_bad(float min, float max)
{
    return !(min <= max && min < INFINITY && max > -INFINITY);
}

/* NaN or empty. */
static inline bool aabb_bad(struct aabb b)
{
    return interval_bad(b.minx, b.maxx) || interval_bad(b.miny, b.maxy) || interval_bad(b.minz, b.maxz);
}

#endif
