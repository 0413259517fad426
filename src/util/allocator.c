/* SPDX-License-Identifier: MIT */
/* The default allocator: malloc, with large blocks in huge pages on Linux. */
#ifdef __linux__
#define _DEFAULT_SOURCE
#include <sys/mman.h>
#endif

#include "util/allocator.h"

#include <stdlib.h>

#ifdef MADV_HUGEPAGE
/*
 * The first touch of each page costs a fault, and an index and its workspace in fresh memory have tens of thousands of
 * the usual 4 KiB. madvise is only a hint to the kernel.
 */
enum { HUGE_PAGE = 1 << 21, LARGE_BLOCK = 2 * HUGE_PAGE };

static void *allocate_large(size_t size)
{
    const size_t whole = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *memory = aligned_alloc(HUGE_PAGE, whole);
    if (memory)
        (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
}
#endif

static void *system_allocate(void *context, size_t size)
{
    (void)context;
#ifdef MADV_HUGEPAGE
    if (size >= LARGE_BLOCK && size <= SIZE_MAX - HUGE_PAGE)
        return allocate_large(size);
#endif
    return malloc(size);
}

static void system_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

struct abut_allocator abut_allocator_or_malloc(const struct abut_allocator *allocator)
{
    return allocator && allocator->allocate ? *allocator
                                            : (struct abut_allocator){system_allocate, system_release, NULL};
}
