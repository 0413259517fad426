/* SPDX-License-Identifier: MIT */
/* Seeded batches for an index: layouts that are hard for trees, of items that an index accepts or of queries. */
#ifndef ABUT_TESTS_INDEX_SCENES_H
#define ABUT_TESTS_INDEX_SCENES_H

#include "api/sets.h"
#include "batches.h"

/* Distributions of centres and sizes; each is a known worst case. */
#define LAYOUTS(LAYOUT)                                                                                                \
    LAYOUT(even)                                                                                                       \
    LAYOUT(grid)                                                                                                       \
    LAYOUT(line)                                                                                                       \
    LAYOUT(one_centre)                                                                                                 \
    LAYOUT(outliers) LAYOUT(powers) LAYOUT(clusters) LAYOUT(huge) LAYOUT(infinities) LAYOUT(one_point)

#define LAYOUT(name) layout_##name,
enum layout { LAYOUTS(LAYOUT) layout_count };
#undef LAYOUT

extern const char *const layout_names[layout_count];

/* Makes an item of one layout; strict: one that an index accepts. */
void make_item(enum shape shape, enum layout layout, bool strict, struct random *random, float *item);

/* Makes n such items. */
struct batch make_batch(enum shape shape, enum layout layout, bool strict, struct random *random, size_t n);

/* A copy with NaN in every item that an index skips. */
struct batch invalid_as_nan(const struct batch *batch);

/* None, one, about enough to fill leaves and nodes, or more than a node of nodes. */
size_t some_size(struct random *random);

/* The batch as the public interface takes it, valid as long as *any exists. */
struct abut_set set_of(const struct batch *batch, union any_batch *any);

#endif
