/* SPDX-License-Identifier: MIT */
/* The items of a world: adding, moving, labelling and removing them. The trees follow in the next update. */
#include "bvh/build/leaves.h"
#include "bvh/world/world.h"
#include "util/float_mode.h"

#include <math.h>
#include <string.h>

struct abut_world *abut_world_make(float padding, enum abut_touch touch, const struct abut_options *options)
{
    const struct abut_allocator allocator = abut_allocator_or_malloc(options->allocator);
    struct abut_world *world = allocator.allocate(allocator.context, sizeof *world);
    if (!world)
        return NULL;
    memset(world, 0, sizeof *world);
    world->allocator = world->workspace.allocator = allocator;
    world->touch = touch;
    world->padding = padding;
    world->contacts.free = NO_CONTACT;
    return world;
}

enum abut_status abut_world_new(float padding, const struct abut_options *options, struct abut_world **world)
{
    if (!world)
        return ABUT_ERROR_NULL;
    *world = NULL;
    options = options_or_none(options);
    const enum abut_status status = abut_options_check(options_of_abut_world_new, options);
    if (status != ABUT_OK)
        return status;
    if (!(padding >= 0 && padding < INFINITY))
        return ABUT_ERROR_ARGUMENT;
    *world = abut_world_make(padding, options->touch, options);
    return *world ? ABUT_OK : ABUT_ERROR_MEMORY;
}

static void memory_free(const struct abut_allocator *allocator, const struct slot_memory *memory)
{
    if (memory->block)
        allocator->release(allocator->context, memory->block);
}

/* All blocks of memory outside the workspace, one after the other; NULL after the last. */
static const struct slot_memory *memory_of(const struct abut_world *world, unsigned i)
{
    const struct slot_memory *const some[] = {&world->records_memory,
                                              &world->free_memory,
                                              &world->contacts.at_memory,
                                              &world->contacts.table_memory,
                                              &world->contacts.stamps_memory,
                                              &world->began_memory,
                                              &world->ended_memory,
                                              &world->kept_memory,
                                              &world->found_memory};
    enum { SOME = sizeof some / sizeof *some, BY_LAYER = PARTS + 1 };
    if (i < SOME)
        return some[i];
    i -= SOME;
    if (i < item_array_count)
        return &world->item_memory[i];
    i -= item_array_count;
    if (i >= BY_LAYER * shape_count)
        return NULL;
    const struct layer *layer = &world->layers[i / BY_LAYER];
    return i % BY_LAYER < PARTS ? &layer->parts[i % BY_LAYER].memory : &layer->waiting_memory;
}

void abut_world_free(struct abut_world *world)
{
    if (!world)
        return;
    const struct abut_allocator allocator = world->allocator;
    const struct slot_memory *memory;
    for (unsigned i = 0; (memory = memory_of(world, i)) != NULL; i++)
        memory_free(&allocator, memory);
    abut_workspace_end(&world->workspace);
    allocator.release(allocator.context, world);
}

size_t abut_world_bytes(const struct abut_world *world)
{
    if (!world)
        return 0;
    size_t bytes = abut_workspace_bytes(&world->workspace) + sizeof *world - sizeof world->workspace;
    const struct slot_memory *memory;
    for (unsigned i = 0; (memory = memory_of(world, i)) != NULL; i++)
        bytes += memory->block ? memory->size + LINE : 0;
    return bytes;
}

/* Copies records to a wider stride. */
static bool widen_records(struct abut_world *world, size_t most, unsigned stride)
{
    /* Four more: gather_records() reads four members of a point. */
    if (stride == world->stride)
        return WORLD_GROW(world, world->records, world->records_memory, most * stride + 4);
    struct slot_memory wider = {0};
    float *records = abut_memory_resize(&world->allocator, &wider, most * stride + 4, sizeof *records, false);
    if (!records)
        return false;
    for (size_t id = 0; id < world->slots; id++)
        memcpy(records + id * stride, world->records + id * world->stride, world->stride * sizeof *records);
    memory_free(&world->allocator, &world->records_memory);
    world->records_memory = wider;
    world->records = records;
    world->stride = stride;
    return true;
}

bool abut_world_reserve(struct abut_world *world, size_t ids, unsigned fields)
{
    const unsigned stride = fields > world->stride ? fields : world->stride;
    if (ids <= world->most && stride == world->stride)
        return true;
    const size_t most = ids <= world->most ? world->most : ids < 2 * world->most ? 2 * world->most : ids + 64;
    if (!widen_records(world, most, stride))
        return false;
#define ARRAY(type, name)                                                                                              \
    if (!WORLD_GROW(world, world->name, world->item_memory[ITEM_##name], most))                                        \
        return false;
    ITEM_ARRAYS(ARRAY)
#undef ARRAY
    const size_t words = abut_mask_words(most), had = abut_mask_words(world->most);
    if (!WORLD_GROW(world, world->free_ids, world->free_memory, words))
        return false;
    memset(world->free_ids + had, 0, (words - had) * sizeof *world->free_ids);
    world->most = most;
    return true;
}

/* The columns of a set whose items can all be in a world. */
enum abut_status abut_world_check(struct abut_set set, struct abut_invalid *invalid, struct columns *items)
{
    const enum abut_status status = abut_check_set(set);
    if (status != ABUT_OK)
        return status;
    if (abut_indexed_shape(set.kind) == shape_count)
        return ABUT_ERROR_ARGUMENT;
    if (invalid)
        *invalid = (struct abut_invalid){0};
    *items = abut_columns_of(set);
    const bool good = items->n == 0 || (items->shape != shape_obb && abut_all_valid(items, 0, items->n));
    return good ? ABUT_OK : abut_check(set, invalid);
}

void abut_world_ask(struct abut_world *world, uint32_t id)
{
    if (world->states[id] & ASKED)
        return;
    world->states[id] |= ASKED;
    world->asked[world->asked_n++] = id;
    world->layers[world->shapes[id]].asked++;
}

void abut_world_put(struct abut_world *world, uint32_t id, enum shape shape)
{
    struct layer *layer = &world->layers[shape];
    world->shapes[id] = (uint8_t)shape;
    world->states[id] = LIVE;
    world->places[id] = NO_PLACE;
    world->heads[id] = NO_CONTACT;
    layer->waiting[layer->waiting_n++] = id;
    layer->live++;
    world->live++;
}

/* Whether the items of a layer may have these labels as well: they admit no pair of shapes without a predicate. */
static bool may_label(const struct abut_world *world, enum shape shape, size_t items, uint32_t groups, uint32_t masks)
{
    const struct layer *layer = &world->layers[shape];
    groups |= layer->groups;
    masks |= layer->masks;
    for (unsigned other = 0; other < shape_count; other++) {
        const bool own = other == shape, any = own ? items > 1 : world->layers[other].live > 0;
        const uint32_t other_groups = own ? groups : world->layers[other].groups,
                       other_masks = own ? masks : world->layers[other].masks;
        if (any && !abut_world_searches(shape, other) && (groups & other_masks) != 0 && (other_groups & masks) != 0)
            return false;
    }
    return true;
}

static uint32_t any_bits(const uint32_t *labels, size_t n, uint32_t usual)
{
    uint32_t any = labels || n == 0 ? 0 : usual;
    for (size_t i = 0; labels && i < n; i++)
        any |= labels[i];
    return any;
}

static const struct abut_world_labels *labels_or_none(const struct abut_world_labels *labels)
{
    static const struct abut_world_labels none = {0};
    return labels ? labels : &none;
}

/* Takes the least free id. Free ones are below slots, and first has a word that none is before. */
static uint32_t take_id(struct abut_world *world, size_t *first)
{
    const size_t words = abut_mask_words(world->slots);
    while (*first < words && world->free_ids[*first] == 0)
        ++*first;
    if (*first == words)
        return (uint32_t)world->slots++;
    const unsigned bit = (unsigned)__builtin_ctzll(world->free_ids[*first]);
    world->free_ids[*first] &= world->free_ids[*first] - 1;
    return (uint32_t)(*first * 64 + bit);
}

/* Returns whether any bit has changed. */
static inline bool write_record(struct abut_world *world, uint32_t id, const struct columns *items, unsigned fields,
                                size_t i)
{
    float *record = world->records + (size_t)id * world->stride;
    uint32_t changed = 0;
    for (unsigned k = 0; k < fields; k++) {
        uint32_t before, now;
        memcpy(&before, &record[k], sizeof before);
        memcpy(&now, &items->at[k][i], sizeof now);
        memcpy(&record[k], &now, sizeof now);
        changed |= before ^ now;
    }
    return changed != 0;
}

static void put_items(struct abut_world *world, const struct columns *items, const struct abut_world_labels *labels,
                      uint32_t *ids)
{
    size_t first = 0;
    for (size_t i = 0; i < items->n; i++) {
        const uint32_t id = take_id(world, &first);
        abut_world_put(world, id, items->shape);
        write_record(world, id, items, items->fields, i);
        world->groups[id] = labels->groups ? labels->groups[i] : 1;
        world->masks[id] = labels->masks ? labels->masks[i] : UINT32_MAX;
        world->data[id] = labels->data ? labels->data[i] : 0;
        abut_world_ask(world, id);
        ids[i] = id;
    }
}

/* A layer without items forgets its labels. */
static void forget_labels(struct layer *layer)
{
    if (layer->live == 0)
        layer->groups = layer->masks = 0;
}

/* The items of a call that has an id for each. */
static enum abut_status check_call(const struct abut_world *world, struct abut_set set, const uint32_t *ids,
                                   struct abut_invalid *invalid, struct columns *items)
{
    const enum abut_status status = world ? abut_world_check(set, invalid, items) : ABUT_ERROR_NULL;
    return status == ABUT_OK && !ids && items->n > 0 ? ABUT_ERROR_NULL : status;
}

enum abut_status abut_world_add(struct abut_world *world, struct abut_set set, const struct abut_world_labels *labels,
                                struct abut_invalid *invalid, uint32_t *ids)
{
    IN_DEFAULT_FLOAT_MODE;
    struct columns items;
    const enum abut_status status = check_call(world, set, ids, invalid, &items);
    if (status != ABUT_OK)
        return status;
    if (items.n > MOST_ITEMS - world->slots)
        return ABUT_ERROR_TOO_MANY;
    labels = labels_or_none(labels);
    struct layer *layer = &world->layers[items.shape];
    const uint32_t groups = any_bits(labels->groups, items.n, 1), masks = any_bits(labels->masks, items.n, UINT32_MAX);
    forget_labels(layer);
    if (!may_label(world, items.shape, layer->live + items.n, groups, masks))
        return ABUT_ERROR_PREDICATE;
    if (!abut_world_reserve(world, world->slots + items.n, items.fields) ||
        !WORLD_GROW(world, layer->waiting, layer->waiting_memory, layer->live + layer->waiting_n + items.n))
        return ABUT_ERROR_MEMORY;
    layer->groups |= groups;
    layer->masks |= masks;
    world->labelled |= labels->groups || labels->masks;
    put_items(world, &items, labels, ids);
    return ABUT_OK;
}

static bool all_live(const struct abut_world *world, const uint32_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!abut_world_has(world, ids[i]))
            return false;
    return true;
}

static void move_items(struct abut_world *world, const uint32_t *ids, const struct columns *items)
{
    enum { AHEAD = 16 };
    for (size_t i = 0; i < items->n; i++) {
        if (i + AHEAD < items->n)
            __builtin_prefetch(world->records + (size_t)ids[i + AHEAD] * world->stride, 1);
        bool changed = false;
        /* The loop over fields is unrolled for each shape. */
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (items->shape == shape_##name)                                                                                  \
        changed = write_record(world, ids[i], items, name##_fields, i);
#include "tables/shapes.def"
        if (changed)
            abut_world_ask(world, ids[i]);
    }
}

enum abut_status abut_world_move(struct abut_world *world, const uint32_t *ids, struct abut_set set,
                                 struct abut_invalid *invalid)
{
    IN_DEFAULT_FLOAT_MODE;
    struct columns items;
    const enum abut_status status = check_call(world, set, ids, invalid, &items);
    if (status != ABUT_OK)
        return status;
    for (size_t i = 0; i < items.n; i++)
        if (!abut_world_has(world, ids[i]) || world->shapes[ids[i]] != items.shape)
            return ABUT_ERROR_ARGUMENT;
    move_items(world, ids, &items);
    return ABUT_OK;
}

/* Whether all layers may have the labels that some of their items will have. */
static bool may_label_all(struct abut_world *world, const uint32_t *ids, size_t n,
                          const struct abut_world_labels *labels, uint32_t groups[shape_count],
                          uint32_t masks[shape_count])
{
    for (unsigned shape = 0; shape < shape_count; shape++) {
        groups[shape] = world->layers[shape].groups;
        masks[shape] = world->layers[shape].masks;
    }
    for (size_t i = 0; i < n; i++) {
        const unsigned shape = world->shapes[ids[i]];
        groups[shape] |= labels->groups ? labels->groups[i] : 0;
        masks[shape] |= labels->masks ? labels->masks[i] : 0;
    }
    struct layer before[shape_count];
    memcpy(before, world->layers, sizeof before);
    bool may = true;
    for (unsigned shape = 0; shape < shape_count; shape++) {
        world->layers[shape].groups = groups[shape];
        world->layers[shape].masks = masks[shape];
    }
    for (unsigned shape = 0; shape < shape_count; shape++)
        may &= world->layers[shape].live == 0 ||
               may_label(world, (enum shape)shape, world->layers[shape].live, groups[shape], masks[shape]);
    if (!may)
        memcpy(world->layers, before, sizeof before);
    return may;
}

enum abut_status abut_world_label(struct abut_world *world, const uint32_t *ids, size_t n,
                                  const struct abut_world_labels *labels)
{
    if (!world || !labels || (!ids && n > 0))
        return ABUT_ERROR_NULL;
    if (!all_live(world, ids, n))
        return ABUT_ERROR_ARGUMENT;
    uint32_t groups[shape_count], masks[shape_count];
    if (!may_label_all(world, ids, n, labels, groups, masks))
        return ABUT_ERROR_PREDICATE;
    world->labelled |= labels->groups || labels->masks;
    for (size_t i = 0; i < n; i++) {
        const uint32_t id = ids[i];
        const uint32_t group = labels->groups ? labels->groups[i] : world->groups[id],
                       mask = labels->masks ? labels->masks[i] : world->masks[id];
        if (group != world->groups[id] || mask != world->masks[id])
            abut_world_ask(world, id);
        world->groups[id] = group;
        world->masks[id] = mask;
        if (labels->data)
            world->data[id] = labels->data[i];
    }
    return ABUT_OK;
}

static void remove_item(struct abut_world *world, uint32_t id)
{
    struct layer *layer = &world->layers[world->shapes[id]];
    while (world->heads[id] != NO_CONTACT) {
        const uint32_t *ends = world->contacts.at[world->heads[id]].ends;
        const struct abut_pair pair = {ends[0], ends[1]};
        abut_contacts_take(world, pair_key(pair.a, pair.b));
        world->ended[world->ended_n++] = pair;
    }
    abut_world_leave(world, id);
    if (world->states[id] & ASKED)
        layer->asked--;
    layer->live--;
    world->live--;
    /* The id stays in the list of asked ones, and may not be listed twice. */
    world->states[id] = (uint8_t)((world->states[id] & ASKED) | REMOVED);
    world->removed[world->removed_n++] = id;
}

enum abut_status abut_world_remove(struct abut_world *world, const uint32_t *ids, size_t n)
{
    if (!world || (!ids && n > 0))
        return ABUT_ERROR_NULL;
    if (!all_live(world, ids, n))
        return ABUT_ERROR_ARGUMENT;
    for (size_t i = 0; i < n; i++)
        if (world->states[ids[i]] & LIVE)
            remove_item(world, ids[i]);
    return ABUT_OK;
}

size_t abut_world_count(const struct abut_world *world)
{
    return world ? world->live : 0;
}

bool abut_world_has(const struct abut_world *world, uint32_t id)
{
    return world && id < world->slots && (world->states[id] & LIVE) != 0;
}

uint64_t abut_world_data(const struct abut_world *world, uint32_t id)
{
    return abut_world_has(world, id) ? world->data[id] : 0;
}
