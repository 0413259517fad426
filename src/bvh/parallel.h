/* SPDX-License-Identifier: MIT */
/* Splitting one step of the work between threads, and adding up their statistics. */
#ifndef ABUT_BVH_PARALLEL_H
#define ABUT_BVH_PARALLEL_H

#include "util/float_mode.h"

#include <abut/index.h>

enum { MOST_WORKERS = 256, USUAL_GRAIN = 8192 };

/* workers: 1, and one more for each whole grain of items, at most the count of threads. */
struct parallel {
    const struct abut_threads *threads;
    unsigned workers;
};

static inline struct parallel parallel_of(const struct abut_options *options, size_t items)
{
    const struct abut_threads *threads = options->threads;
    if (!threads || threads->count < 2)
        return (struct parallel){NULL, 1};
    const size_t worth = items / (threads->grain ? threads->grain : USUAL_GRAIN) + 1;
    const unsigned most = threads->count < MOST_WORKERS ? threads->count : MOST_WORKERS;
    return (struct parallel){threads, worth < most ? (unsigned)worth : most};
}

/* A part on another thread starts in that thread's floating-point mode, so each part sets the default mode. */
struct guarded_part {
    abut_part_function *part;
    void *work;
};

static inline void run_guarded_part(void *work, unsigned w)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct guarded_part *guarded = work;
    guarded->part(guarded->work, w);
}

static inline void parallel_run(const struct parallel *parallel, abut_part_function *part, void *work)
{
    struct guarded_part guarded = {part, work};
    if (parallel->workers == 1)
        part(work, 0);
    else
        parallel->threads->run(parallel->threads->context, parallel->workers, run_guarded_part, &guarded);
}

/* Worker w takes items parallel_first(w) to parallel_first(w + 1) - 1 of n. */
static inline size_t parallel_first(const struct parallel *parallel, size_t n, unsigned w)
{
    return (size_t)((uint64_t)n * w / parallel->workers);
}

static inline void stats_add(struct abut_stats *sum, const struct abut_stats *stats)
{
    sum->node_tests += stats->node_tests;
    sum->leaf_tests += stats->leaf_tests;
    sum->pairs += stats->pairs;
    sum->undecided += stats->undecided;
    sum->exact += stats->exact;
}

#endif
