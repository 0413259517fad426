/* SPDX-License-Identifier: MIT */
/* Seeded batches for an index: layouts that have broken trees, of items that it takes or that are only searched for. */
#ifndef ABUT_TESTS_INDEX_SCENES_H
#define ABUT_TESTS_INDEX_SCENES_H

#include "api/sets.h"
#include "batches.h"

/* What happens to centres and sizes; each has been somebody's worst case. */
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

/* An item of one layout; strict: one that an index takes. */
void make_item(enum shape shape, enum layout layout, bool strict, struct random *random, float *item);

/* n of them. */
struct batch make_batch(enum shape shape, enum layout layout, bool strict, struct random *random, size_t n);

/* What an index skips is NaN. */
struct batch invalid_as_nan(const struct batch *batch);

/* None, one, about as many as fill tiles and nodes, or more than a node of nodes. */
size_t some_size(struct random *random);

/* As the public interface takes it, for as long as any is there. */
struct abut_set set_of(const struct batch *batch, union any_batch *any);

#endif
