/* SPDX-License-Identifier: MIT */
/*
 * The two trees of each shape: writing moved items into their leaves, widening boxes, moving items from one tree to the
 * other, and building. All of it is about the cost of searches, and none of it changes an answer.
 */
#include "bvh/build/records.h"
#include "bvh/build/sort.h"
#include "bvh/world/world.h"

#include <math.h>
#include <string.h>

enum {
    WIDER = 2,        /* a leaf's box may have this many times the edges that it was built with */
    BUILDS_AGAIN = 4, /* all are built when the moving trees together have had this many times as many items */
    MOST_MOVING = 3   /* or when the moving tree would have one item of so many */
};

static inline struct world_part *part_of(const struct abut_world *world, uint32_t id)
{
    const struct layer *layer = &world->layers[world->shapes[id]];
    return (struct world_part *)&layer->parts[world->places[id] & IN_MOVING ? MOVING : STILL];
}

static inline size_t lane_of(const struct abut_world *world, uint32_t id)
{
    return world->places[id] & ~IN_MOVING;
}

static inline void write_lane(const struct leaves *leaves, size_t lane, const float *members)
{
    float *to = leaves->at + lane / LEAF * leaves->fields * LEAF + lane % LEAF;
    for (unsigned k = 0; k < leaves->fields; k++)
        to[k * LEAF] = members[k];
}

void abut_world_leave(struct abut_world *world, uint32_t id)
{
    if (world->places[id] == NO_PLACE)
        return;
    struct world_part *part = part_of(world, id);
    const struct leaves *leaves = &part->index.tree.leaves;
    const size_t lane = lane_of(world, id);
    write_lane(leaves, lane, abut_no_item(leaves->shape));
    leaves->ids[lane] = UINT32_MAX;
    part->marks[lane / 64] &= ~(UINT64_C(1) << lane % 64);
    part->live--;
    world->places[id] = NO_PLACE;
}

/* Widens the box of a leaf by the padding, and returns the sum of its edges. */
static float pad_leaf(struct tree *tree, size_t t, float padding)
{
    struct node *node = &tree->level[0][t / CHILDREN];
    float sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        node->box[k][t % CHILDREN] -= padding;
        node->box[k + 3][t % CHILDREN] += padding;
        sum += node->box[k + 3][t % CHILDREN] - node->box[k][t % CHILDREN];
    }
    return sum;
}

/* The lanes whose items are not inside the box of their leaf. */
static unsigned lanes_outside(const struct tree *tree, size_t t, float boxes[6][LEAF])
{
    const struct node *node = &tree->level[0][t / CHILDREN];
    uint32_t outside[LEAF] = {0};
    for (unsigned k = 0; k < 3; k++) {
        const float low = node->box[k][t % CHILDREN], high = node->box[k + 3][t % CHILDREN];
        for (unsigned i = 0; i < LEAF; i++)
            outside[i] |= (uint32_t)(boxes[k][i] < low) | (uint32_t)(boxes[k + 3][i] > high);
    }
    unsigned lanes = 0;
    for (unsigned i = 0; i < LEAF; i++)
        lanes |= outside[i] << i;
    return lanes;
}

/* Fits the box of a leaf to its items if one has left it. Items that would make it too large leave the part. */
static bool renew_leaf(struct abut_world *world, struct layer *layer, struct world_part *part, size_t t)
{
    struct tree *tree = &part->index.tree;
    float boxes[6][LEAF];
    abut_nodes_leaf_boxes(&tree->leaves, t, boxes);
    unsigned outside = lanes_outside(tree, t, boxes);
    if (outside == 0)
        return false;
    abut_nodes_set_leaf(tree, t, boxes);
    if (!(pad_leaf(tree, t, world->padding) > part->limits[t]))
        return true;
    for (; outside != 0; outside &= outside - 1) {
        const unsigned i = (unsigned)__builtin_ctz(outside);
        const uint32_t id = tree->leaves.ids[t * LEAF + i];
        abut_world_leave(world, id);
        layer->waiting[layer->waiting_n++] = id;
        for (unsigned k = 0; k < 6; k++)
            boxes[k][i] = NAN;
    }
    abut_nodes_set_leaf(tree, t, boxes);
    pad_leaf(tree, t, world->padding);
    return true;
}

/* Marks the lanes of a part whose items are asked. */
static void mark_lanes(const struct abut_world *world, struct world_part *part)
{
    const struct leaves *leaves = &part->index.tree.leaves;
    for (size_t w = 0; w < abut_mask_words(leaves->n); w++) {
        const size_t first = w * 64, n = leaves->n - first < 64 ? leaves->n - first : 64;
        uint64_t marks = 0;
        for (size_t i = 0; i < n; i++) {
            const uint32_t id = leaves->ids[first + i];
            marks |= (uint64_t)(id != UINT32_MAX && (world->states[id] & ASKED) != 0) << i;
        }
        part->marks[w] = marks;
    }
}

/* The loop over fields is unrolled for each shape. */
static inline void gather_leaf(const struct abut_world *world, const struct leaves *leaves, const uint32_t *ids,
                               float *leaf)
{
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (leaves->shape == shape_##name)                                                                                 \
        gather_records(world->records, world->stride, ids, name##_fields, abut_no_item(shape_##name), leaf);
#include "tables/shapes.def"
}

void abut_world_gather(const struct abut_world *world, const struct leaves *leaves, size_t first, size_t end)
{
    enum { AHEAD = 64 };
    for (size_t t = first; t < end; t++) {
        for (size_t i = t * LEAF + AHEAD; i < (t + 1) * LEAF + AHEAD && i < leaves->n; i++)
            if (leaves->ids[i] != UINT32_MAX)
                __builtin_prefetch(world->records + (size_t)leaves->ids[i] * world->stride, 0, 2);
        gather_leaf(world, leaves, leaves->ids + t * LEAF, leaves->at + t * leaves->fields * LEAF);
    }
}

static inline void prefetch_records(const struct abut_world *world, const uint32_t *ids, uint64_t lanes)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        const uint32_t id = ids[__builtin_ctzll(lanes)];
        __builtin_prefetch(world->records + (size_t)id * world->stride);
    }
}

/* Writes the marked items of a leaf into it. */
static void write_leaf(const struct abut_world *world, const struct leaves *leaves, size_t t, unsigned lanes)
{
    enum { FEW = 3 };
    unsigned left = lanes;
    for (unsigned i = 0; i < FEW; i++)
        left &= left - 1; /* 0 stays 0 */
    if (left != 0) {
        gather_leaf(world, leaves, leaves->ids + t * LEAF, leaves->at + t * leaves->fields * LEAF);
        return;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        const size_t lane = t * LEAF + (unsigned)__builtin_ctz(lanes);
        write_lane(leaves, lane, world->records + (size_t)leaves->ids[lane] * world->stride);
    }
}

/* Writes the asked items of a part into their leaves, whose lanes are marked, and fits the boxes of these leaves. */
static void renew_leaves(struct abut_world *world, struct layer *layer, struct world_part *part)
{
    enum { AHEAD = 2 };
    struct tree *tree = &part->index.tree;
    const struct leaves *leaves = &tree->leaves;
    struct node_path path = {.any = false};
    const size_t words = abut_mask_words(leaves->n);
    for (size_t w = 0; w < words; w++) {
        if (w + AHEAD < words)
            prefetch_records(world, leaves->ids + (w + AHEAD) * 64, part->marks[w + AHEAD]);
        for (uint64_t left = part->marks[w]; left != 0;) {
            const unsigned first = (unsigned)__builtin_ctzll(left) / LEAF * LEAF;
            const size_t t = w * (64 / LEAF) + first / LEAF;
            write_leaf(world, leaves, t, (unsigned)(left >> first) & 0xff);
            left &= ~(UINT64_C(0xff) << first);
            if (renew_leaf(world, layer, part, t))
                abut_nodes_path_to(&path, tree, t);
        }
    }
    abut_nodes_path_end(&path, tree);
}

/* Marks the lanes of all asked items. */
static void mark_asked(struct abut_world *world)
{
    struct layer *spheres = &world->layers[shape_sphere];
    for (unsigned shape = 0; shape < shape_count; shape++)
        for (unsigned p = 0; world->layers[shape].asked > 0 && p < PARTS; p++) {
            struct world_part *part = &world->layers[shape].parts[p];
            if (part->index.tree.leaves.n > 0)
                memset(part->marks, 0, abut_mask_words(part->index.tree.leaves.n) * sizeof *part->marks);
        }
    for (size_t i = 0; i < world->asked_n; i++) {
        const uint32_t id = world->asked[i];
        if (!(world->states[id] & LIVE))
            continue;
        if (world->shapes[id] == shape_sphere) {
            const float r = world->records[(size_t)id * world->stride + 3];
            spheres->radius = r > spheres->radius && r < INFINITY ? r : spheres->radius;
        }
        if (world->places[id] != NO_PLACE)
            part_of(world, id)->marks[lane_of(world, id) / 64] |= UINT64_C(1) << lane_of(world, id) % 64;
    }
    for (unsigned p = 0; p < PARTS; p++)
        spheres->parts[p].index.tree.margin.radius = spheres->radius;
}

/* Drops items that are gone, or that a failed update has put somewhere already. */
static void compact_waiting(const struct abut_world *world, struct layer *layer)
{
    size_t n = 0;
    for (size_t i = 0; i < layer->waiting_n; i++) {
        const uint32_t id = layer->waiting[i];
        if ((world->states[id] & LIVE) && world->places[id] == NO_PLACE)
            layer->waiting[n++] = id;
    }
    layer->waiting_n = n;
}

/* Gives a part memory for n items. */
static bool plan_part(const struct abut_allocator *allocator, struct world_part *part, enum shape shape,
                      unsigned fields, size_t n)
{
    const size_t count = abut_leaves_count(n), lanes = (count + 1) * LEAF;
    struct tree tree = {.margin.scale = shape == shape_obb ? 1 + 0x1p-8f : 1};
    abut_nodes_plan(&tree, count);
    size_t bytes = 0, nodes = 0;
    for (unsigned level = 0; level < tree.levels; level++)
        nodes += tree.nodes[level];
    const size_t sizes[] = {nodes * sizeof(struct node), lanes * fields * sizeof(float), lanes * sizeof(uint32_t),
                            count * sizeof(float), abut_mask_words(lanes) * sizeof(uint64_t)};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (unsigned i = 0; i < SIZES; i++)
        bytes += whole_lines(sizes[i]);
    /* A quarter more, as the moving tree is built often. */
    if (!part->memory.block || part->memory.size < bytes)
        if (!abut_memory_resize(allocator, &part->memory, bytes + bytes / 4, 1, false))
            return false;
    char *at = part->memory.memory, *arrays[SIZES];
    for (unsigned i = 0; i < SIZES; i++) {
        arrays[i] = at;
        at += whole_lines(sizes[i]);
    }
    tree.level[0] = (void *)arrays[0];
    for (unsigned level = 1; level < tree.levels; level++)
        tree.level[level] = tree.level[level - 1] + tree.nodes[level - 1];
    tree.leaves.at = (void *)arrays[1];
    tree.leaves.ids = (void *)arrays[2];
    part->limits = (void *)arrays[3];
    part->marks = (void *)arrays[4];
    part->index.tree = tree;
    return true;
}

/* Sorts items into the leaves of a part, by their numbers in the list. */
static enum abut_status sort_part(struct abut_world *world, struct world_part *part, enum shape shape,
                                  const uint32_t *list, size_t n, const struct abut_options *options)
{
    struct columns items = {.shape = shape, .fields = abut_set_fields[shape], .n = n};
    float *columns = abut_workspace_take(&world->workspace, SLOT_LEAVES, n, items.fields * sizeof *columns);
    if (!columns)
        return ABUT_ERROR_MEMORY;
    for (unsigned k = 0; k < items.fields; k++)
        items.at[k] = columns + k * n;
    for (size_t i = 0; i < n; i++) {
        const float *record = world->records + (size_t)list[i] * world->stride;
        for (unsigned k = 0; k < items.fields; k++)
            columns[k * n + i] = record[k];
    }
    const struct parallel parallel = parallel_of(options, n);
    return abut_sort_items(&items, &world->workspace, &parallel, true, &part->index.tree.leaves);
}

/* Gives the items of a sorted part their places, and sets all boxes. */
static void finish_part(struct abut_world *world, struct world_part *part, uint32_t in_part, const uint32_t *list)
{
    struct tree *tree = &part->index.tree;
    for (size_t lane = 0; lane < tree->leaves.n; lane++) {
        const uint32_t id = list[tree->leaves.ids[lane]];
        tree->leaves.ids[lane] = id;
        world->places[id] = (uint32_t)lane | in_part;
    }
    part->live = tree->leaves.n;
    for (size_t i = 0; i < tree->nodes[0]; i++) {
        abut_nodes_set_lowest(tree, i);
        abut_nodes_set_least(tree, i);
    }
    for (size_t t = 0; t < tree->leaves.count; t++)
        part->limits[t] = WIDER * pad_leaf(tree, t, world->padding);
    abut_nodes_set_upper(tree);
    mark_lanes(world, part);
}

/* Empties a part, and appends the ids of its items to a list. */
static size_t take_items(struct abut_world *world, struct world_part *part, uint32_t *list)
{
    const struct leaves *leaves = &part->index.tree.leaves;
    size_t n = 0;
    for (size_t lane = 0; lane < leaves->n; lane++)
        if (leaves->ids[lane] != UINT32_MAX) {
            world->places[leaves->ids[lane]] = NO_PLACE;
            list[n++] = leaves->ids[lane];
        }
    part->index.tree = (struct tree){.levels = 0};
    part->live = 0;
    return n;
}

/* Builds the still part of all items, or the moving part of its own and those that wait. */
static enum abut_status build(struct abut_world *world, enum shape shape, bool all, const struct abut_options *options)
{
    struct layer *layer = &world->layers[shape];
    struct world_part *part = &layer->parts[all ? STILL : MOVING];
    uint32_t *list = abut_workspace_take(&world->workspace, SLOT_ITEMS, layer->live + 1, sizeof *list);
    if (!list)
        return ABUT_ERROR_MEMORY;
    size_t n = layer->waiting_n;
    if (n > 0)
        memcpy(list, layer->waiting, n * sizeof *list);
    n += take_items(world, &layer->parts[MOVING], list + n);
    if (all)
        n += take_items(world, &layer->parts[STILL], list + n);
    layer->waiting_n = 0;
    if (n == 0)
        return ABUT_OK;
    if (plan_part(&world->allocator, part, shape, abut_set_fields[shape], n) &&
        sort_part(world, part, shape, list, n, options) == ABUT_OK) {
        if (shape == shape_sphere)
            part->index.tree.margin.radius = layer->radius;
        finish_part(world, part, all ? 0 : IN_MOVING, list);
        layer->spent = all ? 0 : layer->spent + n;
        return ABUT_OK;
    }
    /* All of them wait for the next update; the list has space for all items. */
    part->index.tree = (struct tree){.levels = 0};
    memcpy(layer->waiting, list, n * sizeof *list);
    layer->waiting_n = n;
    return ABUT_ERROR_MEMORY;
}

enum abut_status abut_world_renew(struct abut_world *world, const struct abut_options *options)
{
    mark_asked(world);
    for (unsigned shape = 0; shape < shape_count; shape++) {
        struct layer *layer = &world->layers[shape];
        for (unsigned p = 0; layer->asked > 0 && p < PARTS; p++)
            renew_leaves(world, layer, &layer->parts[p]);
        compact_waiting(world, layer);
        const size_t moving = layer->parts[MOVING].live + layer->waiting_n, still = layer->parts[STILL].live;
        const bool sparse = layer->parts[STILL].index.tree.leaves.n > 2 * still + LEAF * CHILDREN;
        if (layer->waiting_n == 0 && !sparse)
            continue;
        const bool all =
            sparse || MOST_MOVING * moving > layer->live || layer->spent + moving > BUILDS_AGAIN * layer->live;
        const enum abut_status status = build(world, (enum shape)shape, all, options);
        if (status != ABUT_OK)
            return status;
    }
    return ABUT_OK;
}
