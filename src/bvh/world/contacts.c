/* SPDX-License-Identifier: MIT */
/* The pairs of a world that touch: found by their ends in a hash table, and listed by item. */
#include "bvh/world/world.h"

#include <string.h>

enum { FEWEST_BITS = 6 };

/* The finaliser of splitmix64. */
static inline uint64_t hash_of(uint64_t key)
{
    key = (key ^ key >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    key = (key ^ key >> 27) * UINT64_C(0x94D049BB133111EB);
    return key ^ key >> 31;
}

static inline size_t home_of(const struct contacts *contacts, uint64_t key)
{
    return (size_t)(hash_of(key) >> (64 - contacts->bits));
}

static inline size_t after(const struct contacts *contacts, size_t at)
{
    return (at + 1) & (((size_t)1 << contacts->bits) - 1);
}

/* Where the pair is in the table, or the empty entry where it belongs. */
static inline size_t seek(const struct contacts *contacts, uint64_t key)
{
    size_t at = home_of(contacts, key);
    while (contacts->table[at].key != key && contacts->table[at].key != NO_KEY)
        at = after(contacts, at);
    return at;
}

static bool grow_table(struct abut_world *world, size_t n)
{
    struct contacts *contacts = &world->contacts, wider = *contacts;
    unsigned bits = FEWEST_BITS;
    while (((size_t)1 << bits) < n + n / 2)
        bits++;
    if (contacts->table && bits <= contacts->bits)
        return true;
    const size_t entries = (size_t)1 << bits;
    wider.bits = bits;
    wider.table_memory = (struct slot_memory){0};
    wider.table = abut_memory_resize(&world->allocator, &wider.table_memory, entries, sizeof *wider.table, false);
    if (!wider.table)
        return false;
    for (size_t i = 0; i < entries; i++)
        wider.table[i].key = NO_KEY;
    for (size_t i = 0; contacts->table && i < (size_t)1 << contacts->bits; i++)
        if (contacts->table[i].key != NO_KEY)
            wider.table[seek(&wider, contacts->table[i].key)] = contacts->table[i];
    if (contacts->table)
        world->allocator.release(world->allocator.context, contacts->table_memory.block);
    *contacts = wider;
    return true;
}

bool abut_contacts_reserve(struct abut_world *world, size_t n)
{
    struct contacts *contacts = &world->contacts;
    /* Every contact can end before the next update. */
    return n < INT32_MAX - contacts->end && WORLD_GROW(world, contacts->at, contacts->at_memory, contacts->end + n) &&
           WORLD_GROW(world, contacts->stamps, contacts->stamps_memory, contacts->end + n) &&
           WORLD_GROW(world, world->ended, world->ended_memory, world->ended_n + contacts->count + n + 1) &&
           grow_table(world, contacts->count + n);
}

/* The stamps begin again. */
static void forget_stamps(struct contacts *contacts)
{
    memset(contacts->stamps, 0, contacts->end * sizeof *contacts->stamps);
    contacts->stamp = 1;
}

size_t abut_contacts_mark(struct abut_world *world, uint64_t *keys, size_t n)
{
    enum { AHEAD = 16 };
    struct contacts *contacts = &world->contacts;
    size_t left = 0;
    if (!contacts->table)
        return n;
    if (++contacts->stamp == 0)
        forget_stamps(contacts);
    for (size_t i = 0; i < n; i++) {
        const uint64_t key = keys[i];
        if (i + AHEAD < n)
            __builtin_prefetch(&contacts->table[home_of(contacts, keys[i + AHEAD])], 1);
        const struct table_entry *entry = &contacts->table[seek(contacts, key)];
        if (entry->key != NO_KEY)
            contacts->stamps[entry->contact] = contacts->stamp;
        else
            keys[left++] = key;
    }
    return left;
}

void abut_contacts_prefetch(const struct abut_world *world, uint64_t key)
{
    __builtin_prefetch(&world->contacts.table[home_of(&world->contacts, key)], 1);
    __builtin_prefetch(&world->heads[key >> 32], 1);
    __builtin_prefetch(&world->heads[(uint32_t)key], 1);
}

void abut_contacts_prefetch_contact(const struct abut_world *world, uint64_t key)
{
    const struct table_entry *entry = &world->contacts.table[home_of(&world->contacts, key)];
    if (entry->key == key)
        __builtin_prefetch(&world->contacts.at[entry->contact], 1);
}

static void link_end(struct abut_world *world, uint32_t number, unsigned end)
{
    struct contact *contact = &world->contacts.at[number];
    uint32_t *head = &world->heads[contact->ends[end]];
    contact->next[end] = *head;
    contact->last[end] = NO_CONTACT;
    if (*head != NO_CONTACT) {
        struct contact *first = &world->contacts.at[*head];
        first->last[first->ends[1] == contact->ends[end]] = number;
    }
    *head = number;
}

static void unlink_end(struct abut_world *world, uint32_t number, unsigned end)
{
    const struct contact contact = world->contacts.at[number];
    const uint32_t item = contact.ends[end], next = contact.next[end], last = contact.last[end];
    if (next != NO_CONTACT) {
        struct contact *other = &world->contacts.at[next];
        other->last[other->ends[1] == item] = last;
    }
    if (last != NO_CONTACT) {
        struct contact *other = &world->contacts.at[last];
        other->next[other->ends[1] == item] = next;
    } else {
        world->heads[item] = next;
    }
}

void abut_contacts_add(struct abut_world *world, uint64_t key)
{
    struct contacts *contacts = &world->contacts;
    uint32_t number = contacts->free;
    if (number == NO_CONTACT)
        number = (uint32_t)contacts->end++;
    else
        contacts->free = contacts->at[number].next[0];
    contacts->count++;
    contacts->table[seek(contacts, key)] = (struct table_entry){key, number};
    contacts->stamps[number] = contacts->stamp;
    contacts->at[number] = (struct contact){.ends = {(uint32_t)(key >> 32), (uint32_t)key}};
    link_end(world, number, 0);
    link_end(world, number, 1);
}

/* Closes the gap in the table: moves entries back that would not be found any more. */
static void take_entry(struct contacts *contacts, size_t gap)
{
    for (size_t at = after(contacts, gap); contacts->table[at].key != NO_KEY; at = after(contacts, at)) {
        const size_t mask = ((size_t)1 << contacts->bits) - 1, home = home_of(contacts, contacts->table[at].key);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            contacts->table[gap] = contacts->table[at];
            gap = at;
        }
    }
    contacts->table[gap].key = NO_KEY;
}

void abut_contacts_take(struct abut_world *world, uint64_t key)
{
    struct contacts *contacts = &world->contacts;
    const size_t at = seek(contacts, key);
    const uint32_t number = contacts->table[at].contact;
    take_entry(contacts, at);
    unlink_end(world, number, 0);
    unlink_end(world, number, 1);
    contacts->at[number].ends[0] = contacts->at[number].ends[1] = NO_CONTACT;
    contacts->at[number].next[0] = contacts->free;
    contacts->free = number;
    contacts->count--;
}

size_t abut_world_pair_count(const struct abut_world *world)
{
    return world ? world->contacts.count : 0;
}

/* Shell sort: rows are short, and it takes no memory. */
static void sort_row(uint32_t *row, size_t n)
{
    size_t gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < n; i++) {
            const uint32_t x = row[i];
            size_t to = i;
            for (; to >= gap && row[to - gap] > x; to -= gap)
                row[to] = row[to - gap];
            row[to] = x;
        }
}

enum abut_status abut_world_touching(const struct abut_world *world, uint32_t id, uint32_t *others, size_t capacity,
                                     size_t *count)
{
    if (!world || !count || (!others && capacity > 0))
        return ABUT_ERROR_NULL;
    if (!abut_world_has(world, id))
        return ABUT_ERROR_ARGUMENT;
    size_t n = 0;
    for (uint32_t at = world->heads[id]; at != NO_CONTACT;) {
        const struct contact *contact = &world->contacts.at[at];
        const unsigned own = contact->ends[1] == id;
        if (n < capacity)
            others[n] = contact->ends[!own];
        n++;
        at = contact->next[own];
    }
    *count = n;
    if (n <= capacity)
        sort_row(others, n);
    return ABUT_OK;
}
