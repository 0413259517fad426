/* SPDX-License-Identifier: MIT */
/* Searches that return bits of items, masks of queries for each item, or classes of items against hulls. */
#include "bvh/search/run.h"

#include "api/classify.h"
#include "util/float_mode.h"

#include <abut/engine.h>

#include <math.h>
#include <string.h>

enum { MOST_MASKS = 32 };

static enum abut_status run(struct join *join)
{
    struct abut_workspace own;
    join->workspace = abut_workspace_begin(join->options, &own);
    const enum abut_status status = abut_join_run(join);
    abut_workspace_end(&own);
    return status;
}

/* One row of so many elements a query. */
struct output {
    void *at;
    size_t row;
    enum abut_class class; /* of hits, where rows are of classes */
};

/* Rows of several queries do not meet, so threads may write them at once. */
static bool emit_bits(void *context, const struct hits *hits)
{
    const struct output *output = context;
    const uint32_t *ids = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++) {
        uint64_t *row = (uint64_t *)output->at + hits->queries[hits->parts[p].position] * output->row;
        for (uint32_t i = 0; i < hits->parts[p].count; i++, ids++)
            row[*ids / 64] |= UINT64_C(1) << *ids % 64;
    }
    return true;
}

/* Whether so many rows of so many elements have a size. */
static bool fits(size_t rows, size_t row, size_t size)
{
    return row == 0 || rows <= SIZE_MAX / size / row;
}

enum abut_status abut_join_bits(const struct abut_index *index, struct abut_set queries,
                                const struct abut_options *options, uint64_t *restrict bits)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = join_of(options_of_abut_join_bits, index, queries, options);
    const enum abut_status status = abut_join_check(&join);
    if (status != ABUT_OK)
        return status;
    const size_t n = abut_join_queries(&join), row = abut_mask_words(index->tree.leaves.n);
    if (!fits(n, row, sizeof *bits))
        return ABUT_ERROR_TOO_MANY;
    if (n == 0 || row == 0)
        return ABUT_OK;
    if (!bits)
        return ABUT_ERROR_NULL;
    memset(bits, 0, n * row * sizeof *bits);
    struct output output = {.at = bits, .row = row};
    join.emit = emit_bits;
    join.context = &output;
    return run(&join);
}

/* Masks of one item are of several queries, hence in_order. */
static bool emit_masks(void *context, const struct hits *hits)
{
    uint32_t *masks = context;
    const uint32_t *ids = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++)
        for (uint32_t i = 0; i < hits->parts[p].count; i++)
            masks[*ids++] |= UINT32_C(1) << hits->queries[hits->parts[p].position];
    return true;
}

enum abut_status abut_join_masks(const struct abut_index *index, struct abut_set queries,
                                 const struct abut_options *options, uint32_t *restrict masks)
{
    IN_DEFAULT_FLOAT_MODE;
    struct join join = join_of(options_of_abut_join_masks, index, queries, options);
    const enum abut_status status = abut_join_check(&join);
    if (status != ABUT_OK)
        return status;
    if (abut_join_queries(&join) > MOST_MASKS)
        return ABUT_ERROR_TOO_MANY;
    const size_t n = index->tree.leaves.n;
    if (n == 0)
        return ABUT_OK;
    if (!masks)
        return ABUT_ERROR_NULL;
    memset(masks, 0, n * sizeof *masks);
    join.in_order = true;
    join.emit = emit_masks;
    join.context = masks;
    return run(&join);
}

static bool emit_class(void *context, const struct hits *hits)
{
    const struct output *output = context;
    const uint32_t *ids = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++) {
        uint8_t *row = (uint8_t *)output->at + hits->queries[hits->parts[p].position] * output->row;
        for (uint32_t i = 0; i < hits->parts[p].count; i++)
            row[*ids++] = (uint8_t)output->class;
    }
    return true;
}

static enum abut_status set_class(const struct abut_index *index, struct abut_set hulls,
                                  const struct abut_options *options, struct output *output)
{
    struct join join = join_of(options_of_abut_join, index, hulls, options);
    join.emit = emit_class;
    join.context = output;
    return run(&join);
}

/* All are outside, unless the hull is invalid or the index skips them. */
static void begin_classes(const struct abut_index *index, const struct abut_hulls *hulls, uint8_t *classes)
{
    const struct leaves *leaves = &index->tree.leaves;
    const size_t n = leaves->n;
    for (size_t i = 0; i < hulls->n; i++)
        memset(classes + i * n, abut_item_is_invalid(abut_of_hulls(hulls), i) ? ABUT_CLASS_NONE : ABUT_CLASS_OUTSIDE,
               n);
    for (size_t lane = 0; lane < n; lane++) {
        const uint32_t id = leaves->ids[lane];
        const float member = index->view.boxes ? index->view.boxes[(size_t)id * BOX]
                                               : leaves->at[lane / LEAF * leaves->fields * LEAF + lane % LEAF];
        for (size_t i = 0; isnan(member) && i < hulls->n; i++)
            classes[i * n + id] = ABUT_CLASS_NONE;
    }
}

enum abut_status abut_join_classes(const struct abut_index *index, const struct abut_hulls *hulls,
                                   const struct abut_options *options, uint8_t *restrict classes)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct abut_set set = abut_of_hulls(hulls);
    if (!index || !hulls)
        return ABUT_ERROR_NULL;
    const enum abut_set_kind kind = (enum abut_set_kind)index->tree.leaves.shape;
    if (!abut_has_classes(kind, ABUT_SET_HULLS))
        return ABUT_ERROR_PREDICATE;
    const struct join join = join_of(options_of_abut_join_classes, index, set, options);
    enum abut_status status = abut_join_check(&join);
    if (status != ABUT_OK)
        return status;
    const size_t n = index->tree.leaves.n;
    if (!fits(hulls->n, n, 1))
        return ABUT_ERROR_TOO_MANY;
    if (n == 0 || hulls->n == 0)
        return ABUT_OK;
    if (!classes)
        return ABUT_ERROR_NULL;
    begin_classes(index, hulls, classes);
    struct abut_options asked = *join.options;
    asked.touch = ABUT_CLOSED;
    struct output output = {classes, n, ABUT_CLASS_CROSSING};
    status = set_class(index, set, &asked, &output);
    if (status != ABUT_OK)
        return status;
    asked.touch = ABUT_OPEN;
    asked.relation = ABUT_INSIDE;
    output.class = ABUT_CLASS_INSIDE;
    return set_class(index, set, &asked, &output);
}
