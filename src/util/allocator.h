/* SPDX-License-Identifier: MIT */
/* The caller's allocator, or malloc; and how what it gives is aligned. */
#ifndef ABUT_UTIL_ALLOCATOR_H
#define ABUT_UTIL_ALLOCATOR_H

#include <abut/abut.h>

#include <stddef.h>
#include <stdint.h>

struct abut_allocator abut_allocator_or_malloc(const struct abut_allocator *allocator);

/*
 * Vectors that begin at a multiple of a cache line lie in one, and not in two. Blocks are LINE larger than what they
 * hold.
 */
enum { LINE = 64 };
static inline void *line_in(void *block)
{
    return (char *)block + (LINE - (uintptr_t)block % LINE) % LINE;
}

static inline size_t whole_lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

#endif
