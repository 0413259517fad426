/* SPDX-License-Identifier: MIT */
/* Items of one shape as batches for the public functions, and calls of these functions. */
#ifndef ABUT_TESTS_BATCHES_H
#define ABUT_TESTS_BATCHES_H

#include "inputs.h"

struct batch {
    enum shape shape;
    unsigned fields;
    size_t n;
    float *at[ABUT_MAX_FIELDS];
    uint32_t *offsets; /* of hulls, each of which has planes, and is all of space until it is set */
};

struct batch batch_new(enum shape shape, size_t n);
struct batch batch_copy(const struct batch *batch, size_t first, size_t n);
void batch_free(struct batch *batch);
void batch_set(struct batch *batch, size_t i, const float *item);
void batch_get(const struct batch *batch, size_t i, float *item);
struct columns batch_columns(const struct batch *batch);

/* Makes n pairs, each with a theme of its own. */
void batches_of_pairs(const struct subject *subject, enum kind kind, struct random *random, size_t n, struct batch *a,
                      struct batch *b);

/* Makes n_a and n_b items that share one theme. */
void batches_of_items(const struct subject *subject, enum kind kind, struct random *random, size_t n_a, size_t n_b,
                      struct batch *a, struct batch *b);

/* Calls the public function, or its _all form, and fails unless it returns ABUT_OK. The caller frees the hits. */
uint64_t *ask(const struct subject *subject, const struct batch *a, const struct batch *b, enum abut_touch touch,
              struct abut_stats *stats);
uint64_t *ask_all(const struct subject *subject, const struct batch *a, const struct batch *b, enum abut_touch touch,
                  struct abut_stats *stats);

/* Whether item i of a and item j of b hit each other in the hits of ask_all(). Hulls have a row each. */
bool hit_in_all(const struct subject *subject, const uint64_t *hits, size_t n_a, size_t n_b, size_t i, size_t j);

#endif
