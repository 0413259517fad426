/* SPDX-License-Identifier: MIT */
/* join and self by way of an index of B: rows of hits without comparing all with all. */
#ifndef ABUT_CLI_BROAD_H
#define ABUT_CLI_BROAD_H

#include "pool.h"
#include "relation.h"

#include <abut/index.h>

struct broad {
    struct abut_settings settings;
    struct abut_search_stats stats;
    struct abut_threads threads;
    struct pool *pool;
    struct abut_index *index;
    double build_seconds, search_seconds;
    uint64_t *offsets; /* row i of the last search: indices[offsets[i] .. offsets[i + 1]) */
    uint32_t *indices;
    size_t capacity;
};

/* Whether an index can answer, and whether there are so many pairs that it is faster. */
bool broad_applies(const struct options *options, const struct relation *relation, const struct columns *a,
                   const struct columns *b);

/* The index of b, with room for searches of so many rows. ABUT_ERROR_BAD_INPUT if --skip-bad left bad rows in b. */
enum abut_status broad_open(struct broad *broad, const struct columns *b, size_t rows, const struct options *options);
enum abut_status broad_search(struct broad *broad, const struct columns *a);
/* The k nearest rows of b to each of a, which are points. */
enum abut_status broad_nearest(struct broad *broad, const struct columns *a, size_t k, uint32_t *indices);
void broad_close(struct broad *broad);

/* A few lines on standard error. */
void broad_tell(const struct broad *broad);

#endif
