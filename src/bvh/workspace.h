/* SPDX-License-Identifier: MIT */
/* Scratch memory in slots that grow and are kept between calls, so a second call finds its pages mapped. */
#ifndef ABUT_BVH_WORKSPACE_H
#define ABUT_BVH_WORKSPACE_H

#include "util/allocator.h"

#include <abut/index.h>

enum slot {
    SLOT_RECORDS,  /* of the items (build/records.h); or pairs to sort */
    SLOT_SPARE,    /* buffers of a radix sort */
    SLOT_SHARES,   /* per-thread state of a sort, or statistics */
    SLOT_LEAVES,   /* of the queries */
    SLOT_IDS,      /* of these leaves */
    SLOT_ITEMS,    /* leaves of a view */
    SLOT_GATHERED, /* which of these are filled */
    SLOT_LEFT,     /* items that have left their padded boxes */
    SLOT_LISTED,   /* items that may have moved */
    SLOT_SCRATCH,  /* of searches, one per thread */
    SLOT_NODES,
    SLOT_STAGES, /* of the hits of several threads (search/run.c) */
    SLOT_STAGED_PARTS,
    SLOT_STAGED_IDS,
    SLOT_PAIRS,         /* one block of pairs; or buffers to sort rows in */
    SLOT_FOUND,         /* items of rows in search order */
    SLOT_PARTS,         /* which rows they belong to */
    SLOT_SEEN,          /* bits of the queries that have a row */
    SLOT_QUERY_CORNERS, /* lower bounds by number (search/owned.h) */
    SLOT_ITEM_CORNERS,
    SLOT_QUERIES,       /* items of an index that are searched for within a distance */
    SLOT_IMAGES,        /* grown queries of joins within a distance */
    SLOT_IMAGE_QUERIES, /* and whose images they are */
    SLOT_PLACES,        /* where each item is in the leaves */
    SLOT_NUMBERS,       /* of the queries of a round, of groups or of spheres around points */
    SLOT_MEMBERS,       /* their members */
    SLOT_GROUPS,        /* the group of each query, or distances by type */
    slot_count
};

struct slot_memory {
    void *block, *memory; /* as allocated, and from its first cache line on */
    size_t size;
};

/*
 * Grows one block to count * size bytes or more. keep: with its contents; else they are undefined. NULL: out of memory;
 * contents to keep are still there.
 */
void *abut_memory_resize(const struct abut_allocator *allocator, struct slot_memory *slot, size_t count, size_t size,
                         bool keep);

struct abut_workspace {
    struct abut_allocator allocator;
    struct slot_memory slots[slot_count];
    bool unused; /* of one for a call that has another: its other members are not set */
};

/* Returns count * size bytes or more, aligned to a cache line, with undefined contents. NULL: out of memory. */
void *abut_workspace_take(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size);

/* The same, but keeps the contents. */
void *abut_workspace_grow(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size);

/* Returns the workspace of the options, or own. The caller ends own in either case. */
struct abut_workspace *abut_workspace_begin(const struct abut_options *options, struct abut_workspace *own);
void abut_workspace_end(struct abut_workspace *own);

#endif
