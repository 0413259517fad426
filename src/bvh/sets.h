/* SPDX-License-Identifier: MIT */
/* Which kinds of sets are of which shapes, and columns of any shape as a set. */
#ifndef ABUT_BVH_SETS_H
#define ABUT_BVH_SETS_H

#include "api/views.h"

#include <abut/index.h>

#define SETS(SET)                                                                                                      \
    SET(POINTS, point)                                                                                                 \
    SET(SPHERES, sphere)                                                                                               \
    SET(AABBS, aabb) SET(OBBS, obb) SET(SEGMENTS, segment) SET(CAPSULES, capsule) SET(TRIANGLES, triangle)

/* What a set is a view on. */
union any_batch {
    struct abut_hulls hulls;
#define F(member)
#define SHAPE(name, plural, fields) struct abut_##plural plural;
#include "tables/shapes.def"
};

/* Columns with offsets are hulls; those of planes make no set. The set is good for as long as any is. */
static inline struct abut_set set_of_columns(const struct columns *columns, union any_batch *any)
{
#define SET(kind, shape) [shape_##shape] = ABUT_SET_##kind,
    static const enum abut_set_kind set_kinds[] = {SETS(SET)};
#undef SET
    if (columns->offsets) {
        any->hulls = hulls_view(columns);
        return abut_of_hulls(&any->hulls);
    }
#define F(member)
#define SHAPE(name, plural, fields)                                                                                    \
    if (columns->shape == shape_##name)                                                                                \
        any->plural = name##_view(columns);
#include "tables/shapes.def"
    return (struct abut_set){set_kinds[columns->shape], any};
}

#endif
