/* SPDX-License-Identifier: MIT */
/*
 * An update of a world: trees, searches, and what began and ended. Nothing that a call can see changes before all
 * memory is there.
 */
#include "bvh/world/world.h"
#include "util/float_mode.h"

#include <string.h>

/* How many pairs ahead memory is prefetched. */
enum { AHEAD = 16, NEAR = 8 };

static inline bool is_asked(const struct abut_world *world, uint32_t id)
{
    return (world->states[id] & ASKED) != 0;
}

static inline void list_ended(struct abut_world *world, uint64_t key)
{
    world->ended[world->ended_n++] = pair_of_key(key);
}

/* Lists the contacts of one asked item that were not found. One of two asked items is looked at through its first. */
static void list_ended_of(struct abut_world *world, uint32_t id)
{
    const struct contacts *contacts = &world->contacts;
    for (uint32_t at = world->heads[id]; at != NO_CONTACT;) {
        const struct contact *contact = &contacts->at[at];
        const unsigned own = contact->ends[1] == id;
        if ((own == 0 || !is_asked(world, contact->ends[0])) && contacts->stamps[at] != contacts->stamp)
            list_ended(world, pair_key(contact->ends[0], contact->ends[1]));
        at = contact->next[own];
    }
}

/* Lists all contacts of asked items that were not found. No branch would be guessed. */
static void scan_ended(struct abut_world *world)
{
    const struct contacts *contacts = &world->contacts;
    const uint8_t *states = world->states;
    size_t n = world->ended_n;
    for (size_t i = 0; i < contacts->end; i++) {
        const uint32_t *ends = contacts->at[i].ends;
        const bool used = ends[0] != NO_CONTACT;
        const uint32_t a = used ? ends[0] : 0, b = used ? ends[1] : 0;
        world->ended[n] = (struct abut_pair){a, b};
        n += used & (contacts->stamps[i] != contacts->stamp) & (((states[a] | states[b]) & ASKED) != 0);
    }
    world->ended_n = n;
}

/* Takes out the contacts that are listed as ended from first on. */
static void take_ended(struct abut_world *world, size_t first)
{
    const struct abut_pair *ended = world->ended;
    for (size_t i = first; i < world->ended_n; i++) {
        if (i + AHEAD < world->ended_n)
            abut_contacts_prefetch(world, pair_key(ended[i + AHEAD].a, ended[i + AHEAD].b));
        if (i + NEAR < world->ended_n)
            abut_contacts_prefetch_contact(world, pair_key(ended[i + NEAR].a, ended[i + NEAR].b));
        abut_contacts_take(world, pair_key(ended[i].a, ended[i].b));
    }
}

/* Ends all contacts of asked items that were not found. The lists of items are anywhere in memory. */
static void end_contacts(struct abut_world *world)
{
    enum { SCANNED = 16 }; /* contacts, in the time of one item's list */
    const size_t first = world->ended_n;
    if (SCANNED * world->asked_n < world->contacts.end) {
        for (size_t i = 0; i < world->asked_n; i++)
            if (world->states[world->asked[i]] & LIVE)
                list_ended_of(world, world->asked[i]);
    } else {
        scan_ended(world);
    }
    take_ended(world, first);
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
        if (i + AHEAD < world->found_n)
            abut_contacts_prefetch(world, world->found[i + AHEAD]);
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

static enum abut_status change_contacts(struct abut_world *world, bool kept)
{
    world->found_n = abut_contacts_mark(world, world->found, world->found_n);
    if (!reserve(world, kept))
        return ABUT_ERROR_MEMORY;
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
    if (!world || !changes)
        return ABUT_ERROR_NULL;
    const struct abut_options mine = {.touch = world->touch,
                                      .stats = options->stats,
                                      .threads = options->threads,
                                      .proceed = options->proceed,
                                      .proceed_context = options->proceed_context};
    enum abut_status status = abut_options_check(takes_of_world(options_of_abut_world_update, world->touch), options);
    if (status == ABUT_OK)
        status = abut_world_renew(world, &mine);
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
