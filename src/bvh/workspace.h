/* SPDX-License-Identifier: MIT */
/* Scratch memory in slots that grow and are kept, so that a second call finds its pages already there. */
#ifndef ABUT_BVH_WORKSPACE_H
#define ABUT_BVH_WORKSPACE_H

#include "util/allocator.h"

#include <abut/index.h>

enum slot {
    SLOT_RECORDS,  /* of the items (records.h); or pairs that are sorted */
    SLOT_SPARE,    /* where a bucket is sorted */
    SLOT_SHARES,   /* what each thread counts */
    SLOT_LEAVES,   /* of a set that is searched for */
    SLOT_IDS,      /* theirs */
    SLOT_ITEMS,    /* tiles of borrowed items */
    SLOT_GATHERED, /* which of them are there */
    SLOT_LEFT,     /* which items have left their boxes */
    SLOT_SCRATCH,  /* of searches, one a thread */
    SLOT_NODES,
    SLOT_STAGES, /* what several threads find at a time */
    SLOT_STAGED_PARTS,
    SLOT_STAGED_IDS,
    SLOT_PAIRS, /* a block of them */
    SLOT_FOUND, /* items of rows in the order they are found */
    SLOT_PARTS, /* which row they belong to */
    SLOT_SEEN,  /* the queries that have some */
    slot_count
};

struct slot_memory {
    void *block, *memory; /* as allocated, and from its first cache line on */
    size_t size;
};

struct abut_workspace {
    struct abut_allocator allocator;
    struct slot_memory slots[slot_count];
};

/* At least count * size bytes, from a cache line on; what was there is lost. NULL if there is no memory. */
void *abut_workspace_take(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size);

/* The same, but what was there is kept. */
void *abut_workspace_grow(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size);

/* A workspace for one call: the one in options, or own, which must be ended. */
struct abut_workspace *abut_workspace_begin(const struct abut_options *options, struct abut_workspace *own);
void abut_workspace_end(struct abut_workspace *own);

#endif
