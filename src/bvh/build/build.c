/* SPDX-License-Identifier: MIT */
/* Building and refitting an index: strict checks, one block of memory, sorted leaves, and boxes above them. */
#include "bvh/index.h"

#include "api/sets.h"
#include "bvh/build/bounds.h"
#include "dispatch/dispatch.h"
#include "hull/hull.h"
#include "util/float_mode.h"

/*
 * The checks before items are read. OBBs are checked in full, because kernels use their axes as given. With
 * skip_invalid, invalid items are no error, but are reported if the caller passes invalid.
 */
static enum abut_status check_set(struct abut_set set, bool skip_invalid, struct abut_invalid *invalid)
{
    enum abut_status status = abut_check_set(set);
    if (status != ABUT_OK)
        return status;
    const enum shape shape = abut_indexed_shape(set.kind);
    if (shape == shape_count)
        return ABUT_ERROR_ARGUMENT;
    if (invalid)
        *invalid = (struct abut_invalid){0};
    if (skip_invalid ? invalid != NULL : shape == shape_obb)
        status = abut_check(set, invalid);
    return skip_invalid ? ABUT_OK : status;
}

static enum abut_status check_call(unsigned takes, struct abut_set set, const struct abut_options *options,
                                   struct abut_invalid *invalid)
{
    const enum abut_status status = abut_options_check(takes, options);
    return status == ABUT_OK ? check_set(set, options->skip_invalid, invalid) : status;
}

/* Whether the strict check finds an invalid one among n items of a leaf, from lane on. */
static bool any_invalid(const struct leaves *leaves, size_t leaf, unsigned lane, unsigned n)
{
    struct columns items = {.shape = (enum shape)leaves->shape, .fields = leaves->fields, .n = n};
    for (unsigned k = 0; k < leaves->fields; k++)
        items.at[k] = leaves->at + (leaf * leaves->fields + k) * LEAF + lane;
    union any_batch any;
    return abut_check(set_of_columns(&items, &any), NULL) != ABUT_OK;
}

void abut_skip_invalid(const struct leaves *leaves, size_t first, size_t end)
{
    for (size_t t = first; t < end; t++) {
        if (!any_invalid(leaves, t, 0, LEAF))
            continue;
        for (unsigned i = 0; i < LEAF; i++)
            if (any_invalid(leaves, t, i, 1))
                for (unsigned k = 0; k < leaves->fields; k++)
                    leaves->at[(t * leaves->fields + k) * LEAF + i] = abut_no_item(leaves->shape)[k];
    }
}

/* Reports an invalid item. The strict check is slow, so it runs only after some item was found invalid. */
static enum abut_status report_invalid(struct abut_set set, struct abut_invalid *invalid)
{
    abut_check(set, invalid);
    return ABUT_ERROR_INVALID;
}

/* Nodes of level 0, each set while its leaves are in the cache. records: refill the leaves from these, or NULL. */
struct lowest {
    const struct parallel *parallel;
    struct tree *tree;
    const float *records;
    bool skip_invalid;
};

static void set_lowest(void *work, unsigned w)
{
    const struct lowest *lowest = work;
    struct tree *tree = lowest->tree;
    const size_t n = tree->nodes[0], end = parallel_first(lowest->parallel, n, w + 1);
    for (size_t i = parallel_first(lowest->parallel, n, w); i < end; i++) {
        const size_t first = i * CHILDREN, more = first + CHILDREN;
        const size_t last = more < tree->leaves.count ? more : tree->leaves.count;
        if (lowest->records)
            abut_leaves_refill(&tree->leaves, lowest->records, first, last);
        if (lowest->skip_invalid)
            abut_skip_invalid(&tree->leaves, first, last);
        abut_nodes_set_lowest(tree, i);
        if (!lowest->records)
            abut_nodes_set_least(tree, i);
    }
}

/* Sets all nodes, and the radius of the margin. */
static void set_nodes(struct lowest lowest)
{
    if (lowest.tree->levels > 0)
        parallel_run(lowest.parallel, set_lowest, &lowest);
    abut_nodes_set_upper(lowest.tree);
    lowest.tree->margin.radius =
        lowest.tree->leaves.shape == shape_sphere ? abut_leaves_radius(&lowest.tree->leaves) : 0;
}

double abut_index_growth(const struct abut_index *index)
{
    const struct edges built = index->built, now = abut_nodes_edges(&index->tree);
    if (now.infinite > built.infinite)
        return INFINITY;
    const double ratio = built.sum > 0 ? now.sum / built.sum : now.sum > 0 ? INFINITY : 1;
    return ratio * ratio;
}

/* The arrays of an index, in the order of their memory. An owner has members, a view has boxes and leaves. */
enum array { ARRAY_MEMBERS, ARRAY_IDS, ARRAY_BOXES, ARRAY_LEAVES, array_count };

/* Allocates an index for as many items, without contents. */
static struct abut_index *index_allocate(const struct columns *items, bool is_view,
                                         const struct abut_allocator *allocator)
{
    struct tree tree = {.margin.scale = items->shape == shape_obb ? 1 + 0x1p-8f : 1};
    struct view view = {0};
    const size_t leaves = abut_leaves_count(items->n), lanes = (leaves + 1) * LEAF;
    const uint64_t sizes[array_count] = {
        [ARRAY_MEMBERS] = is_view ? 0 : (uint64_t)lanes * items->fields * sizeof(float),
        [ARRAY_IDS] = (uint64_t)lanes * sizeof(uint32_t),
        [ARRAY_BOXES] = is_view ? (uint64_t)lanes * BOX * sizeof(float) : 0,
        [ARRAY_LEAVES] = is_view ? (uint64_t)lanes * sizeof(uint32_t) : 0,
    };
    abut_nodes_plan(&tree, leaves);
    uint64_t bytes = LINE + whole_lines(sizeof(struct abut_index));
    for (unsigned level = 0; level < tree.levels; level++)
        bytes += (uint64_t)tree.nodes[level] * sizeof(struct node);
    for (unsigned i = 0; i < array_count; i++)
        bytes += sizes[i];
    char *block = bytes <= SIZE_MAX / 2 ? allocator->allocate(allocator->context, (size_t)bytes) : NULL;
    if (!block)
        return NULL;
    char *at = line_in(block), *arrays[array_count];
    struct abut_index *index = (void *)at;
    at += whole_lines(sizeof *index);
    for (unsigned level = 0; level < tree.levels; level++) {
        tree.level[level] = (void *)at;
        at += tree.nodes[level] * sizeof(struct node);
    }
    for (unsigned i = 0; i < array_count; i++) {
        arrays[i] = at;
        at += (size_t)sizes[i];
    }
    tree.leaves.at = (void *)arrays[ARRAY_MEMBERS];
    tree.leaves.ids = (void *)arrays[ARRAY_IDS];
    view.boxes = is_view ? (void *)arrays[ARRAY_BOXES] : NULL;
    view.leaves = (void *)arrays[ARRAY_LEAVES];
    *index = (struct abut_index){
        .allocator = *allocator, .block = block, .bytes = (size_t)bytes, .tree = tree, .view = view};
    return index;
}

static enum abut_status fill_index(struct abut_index *index, const struct columns *items,
                                   const struct abut_options *options, struct abut_workspace *workspace)
{
    const struct parallel parallel = parallel_of(options, items->n);
    struct leaves *leaves = &index->tree.leaves;
    const bool is_view = index->view.boxes != NULL;
    if (is_view) /* A view needs the members only to sort by. */
        leaves->at = abut_workspace_take(workspace, SLOT_ITEMS, (abut_leaves_count(items->n) + 1) * LEAF,
                                         items->fields * sizeof *leaves->at);
    if (!leaves->at)
        return ABUT_ERROR_MEMORY;
    enum abut_status status = options_proceed(options)
                                  ? abut_sort_items(items, workspace, &parallel, options->skip_invalid, leaves)
                                  : ABUT_ERROR_STOPPED;
    if (status == ABUT_OK && leaves->n < items->n)
        status = ABUT_ERROR_INVALID;
    if (status == ABUT_OK && !options_proceed(options))
        status = ABUT_ERROR_STOPPED;
    if (status == ABUT_OK && is_view) {
        status = abut_view_begin(index, items, options->skip_invalid, workspace, &parallel);
        leaves->at = NULL;
    }
    if (status != ABUT_OK || is_view)
        return status;
    const bool all_good = !options->skip_invalid || items->n == 0 || abut_all_valid(items, 0, items->n);
    set_nodes((struct lowest){&parallel, &index->tree, NULL, options->skip_invalid && may_be_invalid(items, all_good)});
    return ABUT_OK;
}

/* padding: NULL for an index that owns its items. */
static enum abut_status build_index(unsigned takes, struct abut_set set, const float *padding,
                                    const struct abut_options *options, struct abut_invalid *invalid,
                                    struct abut_index **index)
{
    if (!index)
        return ABUT_ERROR_NULL;
    *index = NULL;
    options = options_or_none(options);
    enum abut_status status = check_call(takes, set, options, invalid);
    if (status != ABUT_OK)
        return status;
    if (padding && !(*padding >= 0 && *padding < INFINITY))
        return ABUT_ERROR_ARGUMENT;
    const struct abut_allocator allocator = abut_allocator_or_malloc(options->allocator);
    const struct columns items = abut_columns_of(set);
    struct abut_index *made = index_allocate(&items, padding != NULL, &allocator);
    if (!made)
        return ABUT_ERROR_MEMORY;
    made->view.padding = padding ? *padding : 0;
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    status = fill_index(made, &items, options, workspace);
    abut_workspace_end(&own);
    if (status == ABUT_ERROR_INVALID)
        status = report_invalid(set, invalid);
    if (status != ABUT_OK) {
        abut_index_free(made);
        return status;
    }
    made->built = abut_nodes_edges(&made->tree);
    *index = made;
    return ABUT_OK;
}

enum abut_status abut_index_new(struct abut_set items, const struct abut_options *options, struct abut_invalid *invalid,
                                struct abut_index **index)
{
    IN_DEFAULT_FLOAT_MODE;
    return build_index(options_of_abut_index_new, items, NULL, options, invalid, index);
}

enum abut_status abut_index_view(struct abut_set items, float padding, const struct abut_options *options,
                                 struct abut_invalid *invalid, struct abut_index **index)
{
    IN_DEFAULT_FLOAT_MODE;
    return build_index(options_of_abut_index_view, items, &padding, options, invalid, index);
}

void abut_index_free(struct abut_index *index)
{
    if (!index)
        return;
    const struct abut_allocator allocator = index->allocator;
    if (index->places.block)
        allocator.release(allocator.context, index->places.block);
    allocator.release(allocator.context, index->block);
}

size_t abut_index_count(const struct abut_index *index)
{
    return index ? index->tree.leaves.n : 0;
}

enum abut_status abut_index_bounds(const struct abut_index *index, float min[3], float max[3])
{
    if (!index || !min || !max)
        return ABUT_ERROR_NULL;
    const struct tree *tree = &index->tree;
    const struct node *root = tree->levels > 0 ? tree->level[tree->levels - 1] : NULL;
    for (unsigned k = 0; k < 3; k++) {
        min[k] = INFINITY;
        max[k] = -INFINITY;
        for (unsigned c = 0; root && c < CHILDREN; c++) {
            min[k] = root->box[k][c] < min[k] ? root->box[k][c] : min[k];
            max[k] = root->box[k + 3][c] > max[k] ? root->box[k + 3][c] : max[k];
        }
    }
    return ABUT_OK;
}

size_t abut_index_bytes(const struct abut_index *index)
{
    return index ? index->bytes + (index->places.block ? index->places.size + LINE : 0) : 0;
}

void abut_index_refill(struct abut_index *index, const float *records, bool blank, const struct parallel *parallel)
{
    set_nodes((struct lowest){parallel, &index->tree, records, blank});
}

static enum abut_status refill(struct abut_index *index, const struct columns *items,
                               const struct abut_options *options, struct abut_workspace *workspace,
                               const struct parallel *parallel)
{
    bool all_good;
    const float *records = abut_records_stage(items, workspace, parallel, &all_good);
    if (!records || !(all_good || options->skip_invalid))
        return records ? ABUT_ERROR_INVALID : ABUT_ERROR_MEMORY;
    if (!options_proceed(options))
        return ABUT_ERROR_STOPPED;
    abut_index_refill(index, records, options->skip_invalid && may_be_invalid(items, all_good), parallel);
    return ABUT_OK;
}

static enum abut_status refit(struct abut_index *index, const struct columns *items, const struct abut_options *options)
{
    if (!options_proceed(options))
        return ABUT_ERROR_STOPPED;
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    const struct parallel parallel = parallel_of(options, items->n);
    const enum abut_status status = index->view.boxes
                                        ? abut_view_renew(index, items, options->skip_invalid, workspace, &parallel)
                                        : refill(index, items, options, workspace, &parallel);
    abut_workspace_end(&own);
    return status;
}

enum abut_status abut_index_refit(struct abut_index *index, struct abut_set set, const struct abut_options *options,
                                  double *growth, struct abut_invalid *invalid)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!index)
        return ABUT_ERROR_NULL;
    options = options_or_none(options);
    enum abut_status status = check_call(options_of_abut_index_refit, set, options, invalid);
    if (status != ABUT_OK)
        return status;
    const struct columns items = abut_columns_of(set);
    status = abut_refit_check(index, &items);
    if (status != ABUT_OK)
        return status;
    status = refit(index, &items, options);
    if (status == ABUT_ERROR_INVALID)
        return report_invalid(set, invalid);
    if (status == ABUT_OK && growth)
        *growth = abut_index_growth(index);
    return status;
}
