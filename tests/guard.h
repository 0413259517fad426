/* SPDX-License-Identifier: MIT */
/* Memory with an unmapped page before and after it, so that access outside of a buffer crashes. */
#ifndef ABUT_TESTS_GUARD_H
#define ABUT_TESTS_GUARD_H

#include <stddef.h>

struct guarded {
    void *at;
    void *map;
    size_t pages; /* mapped pages */
};

/*
 * The buffer starts right after an unmapped page, or ends right before one. size must be a multiple of the needed
 * alignment. The contents are unspecified. Not thread-safe.
 */
struct guarded guarded_new(size_t size, int at_end);
void guarded_free(struct guarded *memory);

#endif
