/* SPDX-License-Identifier: MIT */
/* Seeded hulls of every kind, and items near them. */
#ifndef ABUT_TESTS_HULL_INPUTS_H
#define ABUT_TESTS_HULL_INPUTS_H

#include "inputs.h"

#include "hull/hull.h"

/* KIND(name, description) */
#define HULL_KINDS(KIND)                                                                                               \
    KIND(box, "axis-aligned, integers: many touches")                                                                  \
    KIND(cut, "a ball cut by random planes")                                                                           \
    KIND(integers, "small integers for all members, many of them without points")                                      \
    KIND(wedge, "nearly parallel planes: sharp edges")                                                                 \
    KIND(unbounded, "one to three planes")                                                                             \
    KIND(doubled, "each plane twice, at another length or a little off")                                               \
    KIND(flat, "opposite planes that coincide or contradict")                                                          \
    KIND(slabs, "planes with opposite normals, in any order; one may bound nothing")                                   \
    KIND(frustum, "of a camera")                                                                                       \
    KIND(far, "up to a million from the origin")                                                                       \
    KIND(scaled, "all members tiny or huge, or normals and offsets of different magnitudes")                           \
    KIND(invalid, "NaN, infinities, zero normals")                                                                     \
    KIND(many, "32 planes")

#define KIND(name, what) hull_kind_##name,
enum hull_kind { HULL_KINDS(KIND) hull_kind_count };
#undef KIND

extern const char *const hull_kind_names[hull_kind_count];

struct planes {
    unsigned count;
    float at[ABUT_MAX_PLANES][4];
};

struct hull_theme {
    enum hull_kind kind;
    float centre[3];
    int exponent;
};

/* The public functions, whatever the shape. */
typedef enum abut_status public_hull_function(const struct columns *items, const struct abut_hulls *hulls,
                                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits);

struct hull_call {
    const char *name;
    enum shape shape;
    public_hull_function *pairs, *all;
};

extern const struct hull_call hull_calls[hull_predicate_count];

void make_hull(enum hull_kind kind, struct random *random, struct planes *planes, struct hull_theme *theme);

/* Makes an item near the hull, at times invalid; half of the time one member is moved to where the answer changes. */
void make_hull_item(enum hull_predicate predicate, enum shape shape, const struct hull_theme *theme,
                    const struct planes *planes, struct random *random, float *item);

/* Prepares the hull as for n items. */
void prepare_planes(struct hull *hull, const struct planes *planes, size_t n);

void print_hull_pair(enum shape shape, const struct planes *planes, const float *item);

#endif
