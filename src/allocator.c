/* SPDX-License-Identifier: MIT */
/* Where memory comes from when the caller does not say. */
#include "allocator.h"

#include <stdlib.h>

static void *system_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void system_release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

struct abut_allocator abut_allocator_or_malloc(const struct abut_allocator *allocator)
{
    return allocator ? *allocator : (struct abut_allocator){system_allocate, system_release, NULL};
}
