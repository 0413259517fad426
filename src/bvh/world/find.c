/* SPDX-License-Identifier: MIT */
/* The searches of an update: the asked items of each shape in the trees of all shapes. */
#include "bvh/search/near.h"
#include "bvh/search/run.h"
#include "bvh/world/world.h"

#include <string.h>

bool abut_world_searches(size_t query, size_t item)
{
#define SEARCH(query_shape, item_shape, predicate, order) [shape_##query_shape][shape_##item_shape] = true,
    static const bool searches[shape_count][shape_count] = {
#include "tables/searches.def"
    };
    return searches[query][item];
}

static bool joins_itself(enum shape shape)
{
#define SELF(shape, predicate) [shape_##shape] = true,
    static const bool joins[shape_count] = {
#include "tables/searches.def"
    };
    return joins[shape];
}

/* The state of one search. */
struct finding {
    struct abut_world *world;
    bool once; /* each pair comes once, and its query need not be asked; else two asked items find each other */
    bool all;  /* every pair counts */
    bool failed;
};

/* Without a branch but for the labels: whether a pair counts is hard to guess. */
static inline size_t take_pair(const struct finding *finding, uint32_t query, uint32_t item, uint64_t *to)
{
    const struct abut_world *world = finding->world;
    *to = query < item ? pair_key(query, item) : pair_key(item, query);
    if (finding->all)
        return true;
    const bool asked = (world->states[query] & ASKED) != 0, other = (world->states[item] & ASKED) != 0;
    const bool counts = finding->once ? asked | other : asked & (!other | (query < item));
    return counts & (query != item) & (!world->labelled || admits(world, query, item));
}

static bool emit_found(void *context, const struct hits *hits)
{
    struct finding *finding = context;
    struct abut_world *world = finding->world;
    const uint32_t *ids = hits->ids;
    size_t n = 0;
    for (size_t p = 0; p < hits->parts_n; p++)
        n += hits->parts[p].count;
    /* One more: a pair that does not count is written, too. */
    if (!WORLD_GROW(world, world->found, world->found_memory, world->found_n + n + 1)) {
        finding->failed = true;
        return false;
    }
    for (size_t p = 0; p < hits->parts_n; p++) {
        const uint32_t query = hits->queries[hits->parts[p].position], count = hits->parts[p].count;
        for (uint32_t i = 0; i < count; i++)
            world->found_n += take_pair(finding, query, ids[i], world->found + world->found_n);
        ids += count;
    }
    return true;
}

/* Searches for the items of one tree in another, or in itself if queries is NULL. */
static enum abut_status search(struct abut_world *world, const struct world_part *part,
                               const struct abut_index *queries, bool once, const struct abut_options *options)
{
    if (part->live == 0)
        return ABUT_OK;
    const struct layer *layer = &world->layers[part->index.tree.leaves.shape];
    struct finding finding = {world, once, once && !world->labelled && layer->asked == layer->live, false};
    struct join join = {.index = &part->index, .self = !queries, .options = options, .workspace = &world->workspace};
    if (queries)
        join.queries = abut_of_index(queries);
    join.in_order = true;
    join.emit = emit_found;
    join.context = &finding;
    const enum abut_status status = abut_join_run(&join);
    return finding.failed ? ABUT_ERROR_MEMORY : status;
}

/* As many lanes as list_marked() fills. */
static size_t most_lanes(const struct layer *layer)
{
    const size_t still = layer->parts[STILL].index.tree.leaves.n, moving = layer->parts[MOVING].index.tree.leaves.n;
    return near_most(layer->asked, still + moving);
}

/* Lists the marked items of a layer, in the order of its trees. */
static size_t list_marked(const struct layer *layer, uint32_t *ids)
{
    struct near_list list = {ids, 0, 0};
    for (unsigned p = 0; p < PARTS; p++) {
        const struct world_part *part = &layer->parts[p];
        for (size_t w = 0; w < abut_mask_words(part->index.tree.leaves.n); w++)
            for (uint64_t left = part->marks[w]; left != 0; left &= left - 1) {
                const size_t lane = w * 64 + (unsigned)__builtin_ctzll(left);
                near_put(&list, lane, part->index.tree.leaves.ids[lane]);
            }
        near_end(&list);
    }
    return list.n;
}

/* Copies the asked items of a layer to leaves in the workspace. */
static bool gather_asked(struct abut_world *world, enum shape shape, struct abut_index *queries)
{
    const struct layer *layer = &world->layers[shape];
    const unsigned fields = abut_set_fields[shape];
    const size_t lanes = most_lanes(layer) + LEAF;
    struct leaves leaves = {0};
    leaves.at = abut_workspace_take(&world->workspace, SLOT_LEAVES, lanes, fields * sizeof *leaves.at);
    leaves.ids = abut_workspace_take(&world->workspace, SLOT_IDS, lanes, sizeof *leaves.ids);
    if (!leaves.at || !leaves.ids)
        return false;
    abut_leaves_begin(&leaves, shape, fields, list_marked(layer, leaves.ids));
    abut_world_gather(world, &leaves, 0, leaves.count);
    *queries = (struct abut_index){.tree = {.leaves = leaves}};
    return true;
}

/* Searches for some items in both trees of every shape that can be searched for them. */
static enum abut_status search_all(struct abut_world *world, enum shape shape, const struct abut_index *queries,
                                   bool own, const struct abut_options *options)
{
    enum abut_status status = ABUT_OK;
    for (unsigned other = 0; other < shape_count; other++)
        for (unsigned p = 0; p < PARTS && status == ABUT_OK; p++)
            if (abut_world_searches(shape, other) && (own || other != shape))
                status = search(world, &world->layers[other].parts[p], queries, false, options);
    return status;
}

/* Where most items are asked, each tree is joined with itself, and no item is copied. */
static enum abut_status join_layer(struct abut_world *world, enum shape shape, const struct abut_options *options)
{
    const struct world_part *still = &world->layers[shape].parts[STILL], *moving = &world->layers[shape].parts[MOVING];
    enum abut_status status = search(world, still, NULL, true, options);
    if (status == ABUT_OK)
        status = search(world, moving, NULL, true, options);
    if (status == ABUT_OK && moving->live > 0)
        status = search(world, still, &moving->index, true, options);
    for (unsigned p = 0; p < PARTS && status == ABUT_OK; p++)
        if (world->layers[shape].parts[p].live > 0)
            status = search_all(world, shape, &world->layers[shape].parts[p].index, false, options);
    return status;
}

enum abut_status abut_world_find(struct abut_world *world, const struct abut_options *options)
{
    world->found_n = 0;
    enum abut_status status = ABUT_OK;
    for (unsigned shape = 0; shape < shape_count && status == ABUT_OK; shape++) {
        const struct layer *layer = &world->layers[shape];
        struct abut_index queries;
        if (layer->asked == 0)
            continue;
        if (joins_itself((enum shape)shape) && 2 * layer->asked > layer->live)
            status = join_layer(world, (enum shape)shape, options);
        else if (gather_asked(world, (enum shape)shape, &queries))
            status = search_all(world, (enum shape)shape, &queries, true, options);
        else
            status = ABUT_ERROR_MEMORY;
    }
    return status;
}
