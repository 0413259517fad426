/* SPDX-License-Identifier: MIT */
/*
 * Saving and restoring a world: its items by id and its pairs in order, and not its trees, which change no answer. So
 * equal worlds are saved as equal bytes, however their trees grew.
 */
#include "bvh/world/world.h"
#include "util/float_mode.h"

#include <math.h>
#include <string.h>

static const char magic[8] = "abutwrld";
enum { FORMAT = 1 };

struct head {
    char magic[8];
    uint32_t format, touch;
    float padding;
    uint32_t unused;
    uint64_t slots, contacts, ended;
    uint32_t groups[shape_count], masks[shape_count]; /* of the layers */
};

/* Bytes that are written if there is space, and counted. */
struct output {
    char *at;
    size_t size, capacity;
};

static void put(struct output *output, const void *bytes, size_t n)
{
    if (n > 0 && output->size + n <= output->capacity)
        memcpy(output->at + output->size, bytes, n);
    output->size += n;
}

static void put_item(const struct abut_world *world, uint32_t id, struct output *output)
{
    put(output, &world->shapes[id], sizeof world->shapes[id]);
    put(output, &world->groups[id], sizeof world->groups[id]);
    put(output, &world->masks[id], sizeof world->masks[id]);
    put(output, &world->data[id], sizeof world->data[id]);
    put(output, world->records + (size_t)id * world->stride, abut_set_fields[world->shapes[id]] * sizeof(float));
}

static void put_world(const struct abut_world *world, const struct abut_pair *pairs, struct output *output)
{
    struct head head = {.format = FORMAT,
                        .touch = world->touch,
                        .padding = world->padding,
                        .slots = world->slots,
                        .contacts = world->contacts.count,
                        .ended = world->ended_n};
    memcpy(head.magic, magic, sizeof magic);
    for (unsigned shape = 0; shape < shape_count; shape++) {
        head.groups[shape] = world->layers[shape].groups;
        head.masks[shape] = world->layers[shape].masks;
    }
    put(output, &head, sizeof head);
    for (size_t id = 0; id < world->slots; id++) {
        const uint8_t state = world->states[id] & REMOVED ? REMOVED : world->states[id];
        put(output, &state, sizeof state);
        if (state & LIVE)
            put_item(world, (uint32_t)id, output);
    }
    put(output, pairs, (world->contacts.count + world->ended_n) * sizeof *pairs);
}

/* The contacts, sorted, and then the ended pairs, sorted. */
static enum abut_status list_pairs(const struct abut_world *world, struct abut_pair *pairs)
{
    const struct contacts *contacts = &world->contacts;
    size_t n = 0;
    for (size_t i = 0; i < contacts->end; i++)
        if (contacts->at[i].ends[0] != NO_CONTACT)
            pairs[n++] = (struct abut_pair){contacts->at[i].ends[0], contacts->at[i].ends[1]};
    if (world->ended_n > 0)
        memcpy(pairs + n, world->ended, world->ended_n * sizeof *pairs);
    const struct abut_options options = {.allocator = &world->allocator};
    const enum abut_status status = abut_sort_pairs(pairs, n, &options);
    return status == ABUT_OK ? abut_sort_pairs(pairs + n, world->ended_n, &options) : status;
}

enum abut_status abut_world_save(const struct abut_world *world, void *buffer, size_t capacity, size_t *size)
{
    if (!world || !size || (!buffer && capacity > 0))
        return ABUT_ERROR_NULL;
    struct output output = {buffer, 0, 0};
    put_world(world, NULL, &output);
    *size = output.size;
    if (output.size > capacity)
        return ABUT_OK;
    const struct abut_allocator *allocator = &world->allocator;
    struct abut_pair *pairs = allocator->allocate(
        allocator->context, (world->contacts.count + world->ended_n) * sizeof *pairs + sizeof *pairs);
    if (!pairs)
        return ABUT_ERROR_MEMORY;
    const enum abut_status status = list_pairs(world, pairs);
    output = (struct output){buffer, 0, capacity};
    if (status == ABUT_OK)
        put_world(world, pairs, &output);
    allocator->release(allocator->context, pairs);
    return status;
}

/* Bytes to read. bad: there are too few, or they are not those of a world. */
struct input {
    const char *at;
    size_t left;
    bool bad;
};

static void get(struct input *input, void *bytes, size_t n)
{
    input->bad |= n > input->left;
    if (input->bad || n == 0)
        return;
    memcpy(bytes, input->at, n);
    input->at += n;
    input->left -= n;
}

static bool valid_record(enum shape shape, const float *record)
{
    struct columns item = {.shape = shape, .fields = abut_set_fields[shape], .n = 1};
    for (unsigned k = 0; k < item.fields; k++)
        item.at[k] = record + k;
    union any_batch any;
    return abut_check(set_of_columns(&item, &any), NULL) == ABUT_OK;
}

static enum abut_status get_live(struct abut_world *world, uint32_t id, bool asked, struct input *input)
{
    uint8_t shape = 0;
    float record[ABUT_MAX_FIELDS] = {0};
    get(input, &shape, sizeof shape);
    input->bad |= abut_indexed_shape((enum abut_set_kind)shape) == shape_count;
    if (input->bad)
        return ABUT_ERROR_INVALID;
    const unsigned fields = abut_set_fields[shape];
    get(input, &world->groups[id], sizeof world->groups[id]);
    get(input, &world->masks[id], sizeof world->masks[id]);
    get(input, &world->data[id], sizeof world->data[id]);
    get(input, record, fields * sizeof *record);
    if (input->bad || !valid_record((enum shape)shape, record))
        return ABUT_ERROR_INVALID;
    struct layer *layer = &world->layers[shape];
    if (!abut_world_reserve(world, world->slots, fields) ||
        !WORLD_GROW(world, layer->waiting, layer->waiting_memory, layer->live + 1))
        return ABUT_ERROR_MEMORY;
    memcpy(world->records + (size_t)id * world->stride, record, fields * sizeof *record);
    abut_world_put(world, id, (enum shape)shape);
    layer->groups |= world->groups[id];
    layer->masks |= world->masks[id];
    world->labelled |= world->masks[id] != UINT32_MAX || world->groups[id] == 0;
    if (asked)
        abut_world_ask(world, id);
    return ABUT_OK;
}

static enum abut_status get_items(struct abut_world *world, struct input *input)
{
    for (size_t i = 0; i < world->slots; i++) {
        const uint32_t id = (uint32_t)i;
        uint8_t state = 0;
        get(input, &state, sizeof state);
        if (input->bad || (state != 0 && state != LIVE && state != (LIVE | ASKED) && state != REMOVED))
            return ABUT_ERROR_INVALID;
        world->states[id] = state;
        if (state == 0)
            world->free_ids[id / 64] |= UINT64_C(1) << id % 64;
        if (state == REMOVED)
            world->removed[world->removed_n++] = id;
        const enum abut_status status = state & LIVE ? get_live(world, id, (state & ASKED) != 0, input) : ABUT_OK;
        if (status != ABUT_OK)
            return status;
    }
    return ABUT_OK;
}

/* Contacts are of two items; ended pairs have lost at least one. Both are in order. */
static bool valid_pair(const struct abut_world *world, struct abut_pair pair, const struct abut_pair *before,
                       bool ended)
{
    if (pair.a >= pair.b || pair.b >= world->slots)
        return false;
    const bool both = (world->states[pair.a] & world->states[pair.b] & LIVE) != 0;
    const bool gone = ((world->states[pair.a] | world->states[pair.b]) & REMOVED) != 0;
    const bool named = world->states[pair.a] != 0 && world->states[pair.b] != 0;
    return (!before || pair_key(before->a, before->b) < pair_key(pair.a, pair.b)) && (ended ? gone && named : both);
}

static enum abut_status get_pairs(struct abut_world *world, uint64_t contacts, uint64_t ended, struct input *input)
{
    const uint64_t most = input->left / sizeof(struct abut_pair);
    if (contacts > most || ended != most - contacts || input->left % sizeof(struct abut_pair) != 0)
        return ABUT_ERROR_INVALID;
    if (!abut_contacts_reserve(world, (size_t)contacts) ||
        !WORLD_GROW(world, world->ended, world->ended_memory, (size_t)(contacts + ended)))
        return ABUT_ERROR_MEMORY;
    struct abut_pair before = {0, 0};
    for (uint64_t i = 0; i < contacts + ended; i++) {
        struct abut_pair pair = {0, 0};
        get(input, &pair, sizeof pair);
        const bool first = i == 0 || i == contacts;
        if (!valid_pair(world, pair, first ? NULL : &before, i >= contacts))
            return ABUT_ERROR_INVALID;
        if (i < contacts)
            abut_contacts_add(world, pair_key(pair.a, pair.b));
        else
            world->ended[world->ended_n++] = pair;
        before = pair;
    }
    return ABUT_OK;
}

static enum abut_status get_world(struct abut_world *world, const struct head *head, struct input *input)
{
    world->slots = 0;
    if (!abut_world_reserve(world, (size_t)head->slots, 1))
        return ABUT_ERROR_MEMORY;
    world->slots = (size_t)head->slots;
    for (unsigned shape = 0; shape < shape_count; shape++) {
        world->layers[shape].groups = head->groups[shape];
        world->layers[shape].masks = head->masks[shape];
    }
    const enum abut_status status = get_items(world, input);
    return status == ABUT_OK ? get_pairs(world, head->contacts, head->ended, input) : status;
}

enum abut_status abut_world_restore(const void *buffer, size_t size, const struct abut_options *options,
                                    struct abut_world **world)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!world)
        return ABUT_ERROR_NULL;
    *world = NULL;
    options = options_or_none(options);
    /* The rule of the saved world is not known yet. */
    enum abut_status status = abut_options_check(options_of_abut_world_restore | TAKES_TOUCH, options);
    if (status != ABUT_OK || (!buffer && size > 0))
        return status != ABUT_OK ? status : ABUT_ERROR_NULL;
    struct head head = {.format = 0};
    struct input input = {buffer, size, false};
    get(&input, &head, sizeof head);
    if (input.bad || memcmp(head.magic, magic, sizeof magic) != 0 || head.format != FORMAT || head.touch > ABUT_OPEN ||
        head.unused != 0 || !(head.padding >= 0 && head.padding < INFINITY) || head.slots > MOST_ITEMS ||
        head.slots > input.left)
        return ABUT_ERROR_INVALID;
    status = abut_options_check(takes_of_world(options_of_abut_world_restore, (enum abut_touch)head.touch), options);
    if (status != ABUT_OK)
        return status;
    struct abut_world *made = abut_world_make(head.padding, (enum abut_touch)head.touch, options);
    if (!made)
        return ABUT_ERROR_MEMORY;
    status = get_world(made, &head, &input);
    if (status != ABUT_OK) {
        abut_world_free(made);
        return status;
    }
    *world = made;
    return ABUT_OK;
}
