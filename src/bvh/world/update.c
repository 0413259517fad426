/* SPDX-License-Identifier: MIT */
/*
 * An update of a world: trees, searches, and what began and ended. Nothing that a call can see changes before all
 * memory is there.
 */
#include "bvh/world/world.h"
#include "util/float_mode.h"

#include <string.h>

static inline bool is_asked(const struct abut_world *world, uint32_t id)
{
    return (world->states[id] & ASKED) != 0;
}

static inline void keep_or_end(struct abut_world *world, uint32_t number)
{
    struct contact *contact = &world->contacts.at[number];
    if (contact->found)
        contact->found = false;
    else
        abut_contacts_end(world, number);
}

/* Ends the contacts of one asked item that were not found. One of two asked items is looked at through its first. */
static void end_of_item(struct abut_world *world, uint32_t id)
{
    for (uint32_t at = world->heads[id], next; at != NO_CONTACT; at = next) {
        const struct contact *contact = &world->contacts.at[at];
        const unsigned own = contact->ends[1] == id;
        next = contact->next[own];
        if (own == 0 || !is_asked(world, contact->ends[0]))
            keep_or_end(world, at);
    }
}

/* Ends all contacts of asked items that were not found. */
static void end_contacts(struct abut_world *world)
{
    const struct contacts *contacts = &world->contacts;
    if (2 * world->asked_n < world->live) {
        for (size_t i = 0; i < world->asked_n; i++)
            if (world->states[world->asked[i]] & LIVE)
                end_of_item(world, world->asked[i]);
        return;
    }
    for (uint32_t i = 0; i < contacts->end; i++) {
        const uint32_t *ends = contacts->at[i].ends;
        if (ends[0] != NO_CONTACT && (is_asked(world, ends[0]) || is_asked(world, ends[1])))
            keep_or_end(world, i);
    }
}

static void list_kept(struct abut_world *world)
{
    const struct contacts *contacts = &world->contacts;
    for (size_t i = 0; i < contacts->end; i++)
        if (contacts->at[i].ends[0] != NO_CONTACT)
            world->kept[world->kept_n++] = (struct abut_pair){contacts->at[i].ends[0], contacts->at[i].ends[1]};
}

static void begin_contacts(struct abut_world *world)
{
    for (size_t i = 0; i < world->found_n; i++) {
        abut_contacts_add(world, world->found[i]);
        world->began[world->began_n++] = pair_of_key(world->found[i]);
    }
}

/* All memory for what follows the searches: the lists, and buffers to sort them. found holds new pairs alone. */
static bool reserve(struct abut_world *world, bool kept)
{
    const size_t count = world->contacts.count, found = world->found_n;
    const size_t ended = world->ended_n + count, longest = ended > found ? ended : found;
    return abut_contacts_reserve(world, found) && WORLD_GROW(world, world->began, world->began_memory, found) &&
           (!kept || WORLD_GROW(world, world->kept, world->kept_memory, count)) &&
           abut_workspace_take(&world->workspace, SLOT_RECORDS, longest, sizeof(uint64_t)) &&
           abut_workspace_take(&world->workspace, SLOT_SPARE, longest, sizeof(uint64_t));
}

static void forget_found(struct abut_world *world)
{
    for (size_t i = 0; i < world->contacts.end; i++)
        world->contacts.at[i].found = false;
}

static enum abut_status change_contacts(struct abut_world *world, bool kept)
{
    world->found_n = abut_contacts_mark(world, world->found, world->found_n);
    if (!reserve(world, kept)) {
        forget_found(world);
        return ABUT_ERROR_MEMORY;
    }
    world->began_n = world->kept_n = 0;
    end_contacts(world);
    if (kept)
        list_kept(world);
    begin_contacts(world);
    const struct abut_options sorting = {.workspace = &world->workspace};
    abut_sort_pairs(world->began, world->began_n, &sorting);
    abut_sort_pairs(world->ended, world->ended_n, &sorting);
    if (kept)
        abut_sort_pairs(world->kept, world->kept_n, &sorting);
    return ABUT_OK;
}

/* The next update starts from here: no item is asked, and removed ids are free. */
static void forget_calls(struct abut_world *world)
{
    for (size_t i = 0; i < world->asked_n; i++)
        world->states[world->asked[i]] &= (uint8_t)~ASKED;
    for (size_t i = 0; i < world->removed_n; i++) {
        const uint32_t id = world->removed[i];
        world->states[id] = 0;
        world->free_ids[id / 64] |= UINT64_C(1) << id % 64;
    }
    for (unsigned shape = 0; shape < shape_count; shape++)
        world->layers[shape].asked = 0;
    world->asked_n = world->removed_n = 0;
}

enum abut_status abut_world_update(struct abut_world *world, bool kept, const struct abut_options *options,
                                   struct abut_world_changes *changes)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    if (!world || !changes || abut_options_check(options) != ABUT_OK)
        return ABUT_ERROR_NULL;
    const struct abut_options mine = {.touch = world->touch, .stats = options->stats, .threads = options->threads};
    enum abut_status status = abut_world_renew(world, &mine);
    if (status == ABUT_OK)
        status = abut_world_find(world, &mine);
    if (status == ABUT_OK)
        status = change_contacts(world, kept);
    if (status != ABUT_OK)
        return status;
    forget_calls(world);
    *changes = (struct abut_world_changes){world->began,   world->ended,   world->kept,
                                           world->began_n, world->ended_n, world->kept_n};
    world->ended_n = 0;
    return ABUT_OK;
}
