/* SPDX-License-Identifier: MIT */
/* Which pairs a box owns, from the lower corners of AABBs. */
#include "bvh/search/owned.h"

#include "api/predicate_of.h"

#include <abut/shapes.h>

#include <math.h>
#include <string.h>

bool abut_own_is_box(const struct abut_own *own)
{
    bool whole = true;
    for (unsigned k = 0; k < 3; k++)
        whole = whole && !isnan(own->min[k]) && !isnan(own->max[k]);
    return whole;
}

/* Writes the corners of one leaf's items; those of invalid items are NaN, and no box holds them. */
static void put_corners(const struct leaves *leaves, size_t leaf, float (*corners)[3])
{
    struct columns columns = {.shape = (enum shape)leaves->shape, .fields = leaves->fields, .n = LEAF};
    for (unsigned k = 0; k < leaves->fields; k++)
        columns.at[k] = leaves->at + (leaf * leaves->fields + k) * LEAF;
    float boxes[6][LEAF], *const to[6] = {boxes[0], boxes[1], boxes[2], boxes[3], boxes[4], boxes[5]};
    union any_batch batch;
    abut_aabbs_of(set_of_columns(&columns, &batch), to);
    const size_t n = leaves->n - leaf * LEAF < LEAF ? leaves->n - leaf * LEAF : LEAF;
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < 3; k++)
            corners[leaves->ids[leaf * LEAF + i]][k] = boxes[k][i];
}

/* The corners of all items of these leaves, whose numbers are below n. NULL: out of memory. */
static const float (*corners_of(const struct leaves *leaves, size_t n, struct abut_workspace *workspace,
                                enum slot slot))[3]
{
    float(*corners)[3] = abut_workspace_take(workspace, slot, n, sizeof *corners);
    for (size_t leaf = 0; corners && leaf * LEAF < leaves->n; leaf++)
        put_corners(leaves, leaf, corners);
    return (const float(*)[3])corners;
}

enum abut_status abut_owned_begin(const struct join *join, const struct leaves *queries, const struct leaves *items,
                                  struct owned *owned)
{
    owned->box = *join->options->own;
    owned->items = corners_of(items, items->n, join->workspace, SLOT_ITEM_CORNERS);
    owned->queries = join->self || join->some
                         ? owned->items
                         : corners_of(queries, join->numbers ? join->numbers_end : abut_join_queries(join),
                                      join->workspace, SLOT_QUERY_CORNERS);
    return owned->items && owned->queries ? ABUT_OK : ABUT_ERROR_MEMORY;
}

static bool owns(const struct abut_own *box, const float a[3], const float b[3])
{
    bool holds = true;
    for (unsigned k = 0; k < 3; k++) {
        const float at = a[k] > b[k] ? a[k] : b[k];
        holds = holds & (at >= box->min[k]) & (at < box->max[k]);
    }
    return holds;
}

const struct rows *abut_owned_rows(const struct owned *owned, const struct rows *rows, struct rows *kept)
{
    *kept = *rows;
    size_t found = 0;
    const uint32_t *ids = rows->ids;
    for (unsigned q = 0; q < rows->n; q++) {
        const size_t before = found;
        for (uint32_t i = 0; i < rows->counts[q]; i++) {
            const uint32_t item = *ids++;
            rows->ids[found] = item;
            found += owns(&owned->box, owned->queries[rows->queries[q]], owned->items[item]);
        }
        kept->counts[q] = (uint32_t)(found - before);
    }
    return kept;
}

static void find_corner(struct measured item, float corner[3])
{
    struct columns columns = {.shape = (enum shape)item.shape, .n = 1};
    columns.fields = abut_set_fields[item.shape];
    for (unsigned k = 0; k < columns.fields; k++)
        columns.at[k] = item.at + k;
    float box[6], *const to[6] = {box, box + 1, box + 2, box + 3, box + 4, box + 5};
    union any_batch batch;
    abut_aabbs_of(set_of_columns(&columns, &batch), to);
    memcpy(corner, box, 3 * sizeof *corner);
}

bool abut_owned_pair(const struct abut_own *own, struct measured query, struct measured item)
{
    float a[3], b[3];
    find_corner(query, a);
    find_corner(item, b);
    return owns(own, a, b);
}
