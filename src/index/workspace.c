/* SPDX-License-Identifier: MIT */
/* The workspace: slots of memory from one allocator. */
#include "workspace.h"

#include <stdlib.h>
#include <string.h>

static void *resize(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size, bool keep)
{
    void *old = workspace->slots[slot].memory;
    size_t old_size = workspace->slots[slot].size;
    if (count > SIZE_MAX / 2 / size)
        return NULL;
    if (old && count * size <= old_size)
        return old;
    /* What is kept may be asked for again and again. */
    size_t wanted = keep && count * size < 2 * old_size ? 2 * old_size : count * size;
    wanted = wanted > 0 ? wanted : 1;
    if (!keep && old) {
        workspace->allocator.release(workspace->allocator.context, old);
        workspace->slots[slot].memory = NULL;
        workspace->slots[slot].size = 0;
    }
    void *memory = workspace->allocator.allocate(workspace->allocator.context, wanted);
    if (!memory)
        return NULL;
    if (keep && old) {
        memcpy(memory, old, old_size);
        workspace->allocator.release(workspace->allocator.context, old);
    }
    workspace->slots[slot].memory = memory;
    workspace->slots[slot].size = wanted;
    return memory;
}

void *abut_workspace_take(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size)
{
    return resize(workspace, slot, count, size, false);
}

void *abut_workspace_grow(struct abut_workspace *workspace, enum slot slot, size_t count, size_t size)
{
    return resize(workspace, slot, count, size, true);
}

struct abut_workspace *abut_workspace_begin(const struct abut_settings *settings, struct abut_workspace *own)
{
    *own = (struct abut_workspace){.allocator = abut_allocator_or_malloc(settings->allocator)};
    return settings->workspace ? settings->workspace : own;
}

void abut_workspace_end(struct abut_workspace *own)
{
    for (unsigned i = 0; i < slot_count; i++)
        if (own->slots[i].memory)
            own->allocator.release(own->allocator.context, own->slots[i].memory);
}

enum abut_status abut_workspace_new(const struct abut_allocator *allocator, struct abut_workspace **workspace)
{
    if (!workspace)
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
        bytes += workspace->slots[i].size;
    return workspace ? bytes + sizeof *workspace : 0;
}
