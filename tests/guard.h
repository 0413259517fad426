/* SPDX-License-Identifier: MIT */
/* Memory with an unmapped page before and after it, so that a read or write outside of a buffer is a crash. */
#ifndef ABUT_TESTS_GUARD_H
#define ABUT_TESTS_GUARD_H

#include <stddef.h>

struct guarded {
    void *at;
    void *map;
    size_t pages; /* between those that are not mapped */
};

/*
 * The buffer starts right after an unmapped page, or ends right before one. size is a multiple of the alignment that is
 * needed. What it holds is anything. Not for several threads.
 */
struct guarded guarded_new(size_t size, int at_end);
void guarded_free(struct guarded *memory);

#endif
