/* SPDX-License-Identifier: MIT */
/* The workspace: slots of memory from one allocator. */
#include "bvh/workspace.h"

#include <stdlib.h>
#include <string.h>

void *abut_memory_resize(const struct abut_allocator *allocator, struct slot_memory *slot, size_t count, size_t size,
                         bool keep)
{
    const struct slot_memory old = *slot;
    if (count > SIZE_MAX / 2 / size)
        return NULL;
    if (old.block && count * size <= old.size)
        return old.memory;
    /* Kept contents are copied, so a slot that grows at least doubles. */
    const size_t wanted = keep && count * size < 2 * old.size ? 2 * old.size : count * size;
    if (!keep && old.block) {
        allocator->release(allocator->context, old.block);
        *slot = (struct slot_memory){0};
    }
    void *block = allocator->allocate(allocator->context, wanted + LINE);
    if (!block)
        return NULL;
    void *memory = line_in(block);
    if (keep && old.block) {
        memcpy(memory, old.memory, old.size);
        allocator->release(allocator->context, old.block);
    }
    *slot = (struct slot_memory){block, memory, wanted};
    return memory;
}

void *abut_workspace_take(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size)
{
    return abut_memory_resize(&workspace->allocator, &workspace->slots[slot], count, size, false);
}

void *abut_workspace_grow(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size)
{
    return abut_memory_resize(&workspace->allocator, &workspace->slots[slot], count, size, true);
}

struct abut_workspace *abut_workspace_begin(const struct abut_options *options, struct abut_workspace *own)
{
    /* Clearing all slots would take a tenth of a search for one query. */
    own->unused = options->workspace != NULL;
    if (own->unused)
        return options->workspace;
    *own = (struct abut_workspace){.allocator = abut_allocator_or_malloc(options->allocator)};
    return own;
}

void abut_workspace_end(struct abut_workspace *own)
{
    for (unsigned i = 0; !own->unused && i < slot_count; i++)
        if (own->slots[i].block)
            own->allocator.release(own->allocator.context, own->slots[i].block);
}

enum abut_status abut_workspace_new(const struct abut_allocator *allocator, struct abut_workspace **workspace)
{
    if (!workspace)
        return ABUT_ERROR_NULL;
    *workspace = NULL;
    if (!allocator_is_whole(allocator))
        return ABUT_ERROR_NULL;
    const struct abut_allocator use = abut_allocator_or_malloc(allocator);
    *workspace = use.allocate(use.context, sizeof **workspace);
    if (!*workspace)
        return ABUT_ERROR_MEMORY;
    **workspace = (struct abut_workspace){.allocator = use};
    return ABUT_OK;
}

void abut_workspace_free(struct abut_workspace *workspace)
{
    if (!workspace)
        return;
    const struct abut_allocator allocator = workspace->allocator;
    abut_workspace_end(workspace);
    allocator.release(allocator.context, workspace);
}

size_t abut_workspace_bytes(const struct abut_workspace *workspace)
{
    size_t bytes = 0;
    for (unsigned i = 0; workspace && i < slot_count; i++)
        bytes += workspace->slots[i].block ? workspace->slots[i].size + LINE : 0;
    return workspace ? bytes + sizeof *workspace : 0;
}
