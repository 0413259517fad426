/* SPDX-License-Identifier: MIT */
/* The contents of a solid, and whether its mesh is watertight. */
#ifndef ABUT_BVH_SOLID_H
#define ABUT_BVH_SOLID_H

#include <abut/solid.h>

enum { TRIANGLE_FIELDS = 9 };

struct abut_solid {
    struct abut_allocator allocator;
    float *at[TRIANGLE_FIELDS];
    size_t n;
    struct abut_index *boxes;     /* of the triangles: rays are searched for among them */
    struct abut_index *triangles; /* for what is on the surface, and for distances */
};

/* ABUT_ERROR_INVALID with the first open edge in invalid, which may be NULL. */
enum abut_status abut_solid_check(const struct abut_solid *solid, const struct abut_options *options,
                                  struct abut_invalid *invalid);

#endif
