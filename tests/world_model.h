/* SPDX-License-Identifier: MIT */
/* A model of a world: the items by id, and the pairs that touch by testing all with all. */
#ifndef ABUT_TESTS_WORLD_MODEL_H
#define ABUT_TESTS_WORLD_MODEL_H

#include "index_scenes.h"

#include <abut/world.h>

enum { MOST_IDS = 256 };

struct model_item {
    bool live, removed; /* removed: its id is not free before the next update */
    enum shape shape;
    float members[ABUT_MAX_FIELDS];
    uint32_t group, mask;
    uint64_t data;
};

struct model {
    enum abut_touch touch;
    struct model_item items[MOST_IDS];
    size_t slots; /* ids below it have been given */
    bool touching[MOST_IDS][MOST_IDS];
};

/* The least free id, which the next item gets. */
uint32_t model_next_id(const struct model *model);

/* Makes the update: compares the changes with those of the model. Counts the pairs that began and ended. */
void model_update(struct model *model, const struct abut_world_changes *changes, bool kept, const char *what,
                  uint64_t *seen);

/* Compares all that can be asked about items. */
void model_compare(const struct model *model, const struct abut_world *world, const char *what);

/* Queries of one shape, with labels or not, or a hull. */
enum { MOST_QUERIES = 40 };
struct model_queries {
    struct abut_set set;
    size_t n;
    const uint32_t *groups, *masks; /* or NULL: no filter */
};

/* Compares the pairs of queries and live items with those that abut_world_join finds, or its error with the one due. */
void model_compare_queries(const struct model *model, struct abut_world *world, const struct model_queries *queries,
                           const char *what);

/* Compares the k items nearest to points with those of all, ordered by the exact comparison; the same labels. */
void model_compare_nearest(const struct model *model, struct abut_world *world, const struct model_queries *points,
                           const struct abut_neighbours *wanted, const struct abut_options *options, const char *what);

#endif
