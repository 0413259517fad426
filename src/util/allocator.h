/* SPDX-License-Identifier: MIT */
/* The caller's allocator, or malloc, and the alignment of its blocks. */
#ifndef ABUT_UTIL_ALLOCATOR_H
#define ABUT_UTIL_ALLOCATOR_H

#include <abut/abut.h>

#include <stddef.h>
#include <stdint.h>

struct abut_allocator abut_allocator_or_malloc(const struct abut_allocator *allocator);

/* Whether it is NULL, or has both of its functions or neither. */
static inline bool allocator_is_whole(const struct abut_allocator *allocator)
{
    return !allocator || !allocator->allocate == !allocator->release;
}

/* A vector at a multiple of a cache line does not cross one. Blocks are allocated LINE larger than their contents. */
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
