/* SPDX-License-Identifier: MIT */
/*
 * A world: items as records, by id; two trees of them for each shape; and the pairs that touch.
 *
 * Most items hardly move, so the boxes of leaves are padded. An item that stays inside the box of its leaf is only
 * written into the leaf. An item that would make that box too large leaves the tree of still items, and goes to the
 * small tree of moving ones, which is then built anew. When these builds have cost several times as much as
 * building all, all items go to the still tree again. An update searches both trees for the moved items alone, and
 * compares the pairs that it finds with those that these items had.
 */
#ifndef ABUT_BVH_WORLD_H
#define ABUT_BVH_WORLD_H

#include "api/predicate_of.h"
#include "bvh/index.h"
#include "bvh/workspace.h"

#include <abut/world.h>

/* Bits of the state of an id; a free one has none. */
enum { LIVE = 1, REMOVED = 2, ASKED = 4 }; /* asked: its pairs may change in the next update */

enum { STILL, MOVING, PARTS };

/* The place of an item: its part and its lane there; or none, while it waits for the next update. */
static const uint32_t NO_PLACE = UINT32_MAX, IN_MOVING = UINT32_C(1) << 31;

/* Places have 31 bits, and a tree has a leaf more than its items fill. */
enum { MOST_ITEMS = INT32_MAX - 63 };

/* One of the two trees of a shape. Lanes of items that have left it hold none (abut_no_item()). */
struct world_part {
    struct abut_index index; /* its tree alone is used */
    struct slot_memory memory;
    float *limits;   /* by leaf: the greatest sum of edges that its padded box may have */
    uint64_t *marks; /* by lane: whether its item is asked */
    size_t live;     /* items in it */
};

/* The items of one shape. */
struct layer {
    struct world_part parts[PARTS];
    uint32_t *waiting; /* ids without a place; some may be dead */
    struct slot_memory waiting_memory;
    size_t waiting_n, live, asked;
    size_t spent;           /* items that were sorted into the moving tree since all were built */
    uint32_t groups, masks; /* all that its items have had */
    float radius;           /* the greatest finite one that a sphere has had */
};

/* Two items that touch, a < b. It is in the lists of both: next and last are by end. */
struct contact {
    uint32_t ends[2], next[2], last[2];
};

/* The contacts by their ends: open addressing with linear probing, at most two thirds full. */
struct table_entry {
    uint64_t key; /* or NO_KEY, and the rest unused */
    uint32_t contact;
};

struct contacts {
    struct contact *at;
    uint32_t *stamps; /* by contact: that of the last update which found it */
    struct table_entry *table;
    struct slot_memory at_memory, stamps_memory, table_memory;
    size_t count, end; /* in use; ever used */
    uint32_t stamp;    /* of this update */
    uint32_t free;     /* the first free one; next[0] of it is another; or NO_CONTACT */
    unsigned bits;     /* the table has 1 << bits entries, or none if it is NULL */
};
static const uint32_t NO_CONTACT = UINT32_MAX;
static const uint64_t NO_KEY = UINT64_MAX; /* of no pair: a < b */

#define ITEM_ARRAYS(ARRAY)                                                                                             \
    ARRAY(uint8_t, shapes)                                                                                             \
    ARRAY(uint8_t, states)                                                                                             \
    ARRAY(uint32_t, places)                                                                                            \
    ARRAY(uint32_t, groups)                                                                                            \
    ARRAY(uint32_t, masks)                                                                                             \
    ARRAY(uint64_t, data)                                                                                              \
    ARRAY(uint32_t, heads) /* the first contact of each list */                                                        \
    ARRAY(uint32_t, asked) /* ids that are asked, in the order of the calls; some may be dead */                       \
    ARRAY(uint32_t, removed)

#define ARRAY(type, name) ITEM_##name,
enum item_array { ITEM_ARRAYS(ARRAY) item_array_count };
#undef ARRAY

struct abut_world {
    struct abut_allocator allocator;
    enum abut_touch touch;
    float padding;
    size_t slots;    /* ids below it have been given */
    size_t most;     /* ids that the arrays have space for */
    unsigned stride; /* floats a record: as many as the largest shape so far has */
    float *records;
    bool labelled; /* some pair may be one that groups and masks do not admit */
    struct slot_memory records_memory, free_memory;
    uint64_t *free_ids; /* a bit for each of most ids that is free */
    struct slot_memory item_memory[item_array_count];
#define ARRAY(type, name) type *name;
    ITEM_ARRAYS(ARRAY)
#undef ARRAY
    size_t live, asked_n, removed_n;
    struct layer layers[shape_count];
    struct contacts contacts;
    /* The lists of changes. Before an update, ended holds the pairs of removed items. */
    struct abut_pair *began, *ended, *kept;
    struct slot_memory began_memory, ended_memory, kept_memory, found_memory;
    size_t began_n, ended_n, kept_n;
    uint64_t *found; /* pairs of the searches, a << 32 | b */
    size_t found_n;
    struct abut_workspace workspace;
};

/* What a function takes of options whose touch rule, unless it is left closed, must be that of the world. */
static inline unsigned takes_of_world(unsigned takes, enum abut_touch rule)
{
    return takes | (rule == ABUT_OPEN ? TAKES_TOUCH : 0);
}

static inline uint64_t pair_key(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

static inline struct abut_pair pair_of_key(uint64_t key)
{
    return (struct abut_pair){(uint32_t)(key >> 32), (uint32_t)key};
}

static inline bool admits(const struct abut_world *world, uint32_t a, uint32_t b)
{
    return (world->groups[a] & world->masks[b]) != 0 && (world->groups[b] & world->masks[a]) != 0;
}

/* Grows one array and keeps its contents. False: out of memory, and nothing has changed. */
#define WORLD_GROW(world, pointer, slot, count)                                                                        \
    (abut_memory_resize(&(world)->allocator, &(slot), (count), sizeof *(pointer), true) != NULL &&                     \
     ((pointer) = (slot).memory) != NULL)

/* Items (items.c). Makes space for more ids, and for records of so many floats. */
bool abut_world_reserve(struct abut_world *world, size_t ids, unsigned fields);
void abut_world_ask(struct abut_world *world, uint32_t id);
struct abut_world *abut_world_make(float padding, enum abut_touch touch, const struct abut_options *options);
/* Puts a new item into the arrays, whose space is reserved. */
void abut_world_put(struct abut_world *world, uint32_t id, enum shape shape);
/* The columns of a set that is valid, or an error. */
enum abut_status abut_world_check(struct abut_set set, struct abut_invalid *invalid, struct columns *items);

/* Whether an index of one shape can be searched for the other. */
bool abut_world_searches(size_t query, size_t item);

/* Parts (parts.c). Writes the asked items into the leaves of their parts, and builds what must be built. */
enum abut_status abut_world_renew(struct abut_world *world, const struct abut_options *options);
/* Fills leaves first to end - 1, whose ids are set, from the records of items. */
void abut_world_gather(const struct abut_world *world, const struct leaves *leaves, size_t first, size_t end);
/* Takes an item out of its part. */
void abut_world_leave(struct abut_world *world, uint32_t id);

/*
 * Searches (find.c). Fills found with all pairs of asked items that touch and that groups and masks admit, each once.
 */
enum abut_status abut_world_find(struct abut_world *world, const struct abut_options *options);

/*
 * Contacts (contacts.c). Marks those of n pairs that are contacts as found by this update, and moves the keys of the
 * others to the front. Returns how many these are.
 */
size_t abut_contacts_mark(struct abut_world *world, uint64_t *keys, size_t n);
/* Space for n more; then adding does not fail. False: out of memory, or 2^31 contacts. */
bool abut_contacts_reserve(struct abut_world *world, size_t n);
void abut_contacts_add(struct abut_world *world, uint64_t key);
void abut_contacts_take(struct abut_world *world, uint64_t key);
/* What adding or taking a pair will touch first, and what taking it will touch then. */
void abut_contacts_prefetch(const struct abut_world *world, uint64_t key);
void abut_contacts_prefetch_contact(const struct abut_world *world, uint64_t key);

#endif
