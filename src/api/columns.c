/* SPDX-License-Identifier: MIT */
/* Arrays that are read side by side, allocated so that they do not fall into the same cache sets. */
#include "util/allocator.h"

#include <abut/shapes.h>

#include <stdlib.h>

enum {
    ALIGNMENT = 64,
    PAGE = 4096,
    /*
     * From the start of one array to that of the next, within a page: an odd number of cache lines reaches every set.
     */
    STAGGER = 5 * ALIGNMENT,
    MAX_COLUMNS = 32
};

/* The block that the allocator returned is remembered just below the first column. */
static void **block_of(float *first)
{
    return (void **)(void *)first - 1;
}

enum abut_status abut_columns_new(size_t n, unsigned count, float *columns[], const struct abut_allocator *allocator)
{
    if (columns == NULL)
        return ABUT_ERROR_NULL;
    if (count > 0)
        columns[0] = NULL;
    if (count < 1 || count > MAX_COLUMNS)
        return ABUT_ERROR_ARGUMENT;
    if (n > ABUT_MAX_ITEMS || n > (SIZE_MAX / MAX_COLUMNS - 4 * PAGE) / sizeof(float))
        return ABUT_ERROR_TOO_MANY;
    if (!allocator_is_whole(allocator))
        return ABUT_ERROR_NULL;
    const struct abut_allocator from = abut_allocator_or_malloc(allocator);
    size_t pages = (n * sizeof(float) + PAGE - 1) / PAGE * PAGE, stride = pages + STAGGER;
    void *block = from.allocate(from.context, sizeof(void *) + ALIGNMENT + stride * count);
    if (block == NULL)
        return ABUT_ERROR_MEMORY;
    uintptr_t first = ((uintptr_t)block + sizeof(void *) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    char *start = (char *)block + (first - (uintptr_t)block);
    for (unsigned k = 0; k < count; k++)
        columns[k] = (float *)(void *)(start + stride * k);
    *block_of(columns[0]) = block;
    return ABUT_OK;
}

void abut_columns_free(float *columns[], const struct abut_allocator *allocator)
{
    if (columns == NULL || columns[0] == NULL || !allocator_is_whole(allocator))
        return;
    const struct abut_allocator from = abut_allocator_or_malloc(allocator);
    from.release(from.context, *block_of(columns[0]));
    columns[0] = NULL;
}
