/* SPDX-License-Identifier: MIT */
/* Leaves from records, transposed eight at a time. */
#include "bvh/build/leaves.h"

#include "bvh/build/records.h"
#include "dispatch/dispatch.h"

#include <stdatomic.h>

/*
 * Prefetch distances in items, whole leaves. The records of a bucket are near. Those of a refit are anywhere in memory,
 * so they are prefetched further ahead and into L2: it has more outstanding misses than L1.
 */
enum { AHEAD = 16, REFILL_AHEAD = 64 };

size_t abut_leaves_count(size_t n)
{
    return n / LEAF + (n % LEAF != 0);
}

const float *abut_no_item(size_t shape)
{
    static const float nothing[] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    static const float no_sphere[] = {NAN, NAN, NAN, 0};
    _Static_assert(sizeof nothing == ABUT_MAX_FIELDS * sizeof *nothing, "a member for each that shapes have");
    return shape == shape_sphere ? no_sphere : nothing;
}

/* The loop over fields is unrolled for each shape. */
static inline void gather_leaf(const struct leaves *leaves, const float *records, unsigned labels, const uint32_t *from,
                               size_t t)
{
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (leaves->shape == shape_##name)                                                                                 \
        gather_records(records, name##_fields + labels, from, name##_fields, abut_no_item(shape_##name),               \
                       leaves->at + t * name##_fields * LEAF);
#include "tables/shapes.def"
}

/* Blanks the lanes of a leaf from first on. */
static inline void blank(struct leaves *leaves, size_t t, size_t first, const float *no_item)
{
    for (unsigned k = 0; k < leaves->fields; k++)
        for (size_t i = first; i < LEAF; i++)
            leaves->at[(t * leaves->fields + k) * LEAF + i] = no_item[k];
    for (size_t i = first; i < LEAF; i++)
        leaves->ids[t * LEAF + i] = UINT32_MAX;
}

void abut_leaves_begin(struct leaves *leaves, enum shape shape, unsigned fields, size_t n)
{
    const float *no_item = abut_no_item(shape);
    leaves->shape = shape;
    leaves->fields = fields;
    leaves->n = n;
    leaves->count = abut_leaves_count(n);
    blank(leaves, n / LEAF, n % LEAF, no_item);
    for (size_t t = n / LEAF + 1; t <= leaves->count; t++)
        blank(leaves, t, 0, no_item);
}

/* Fills one whole leaf; order has left more entries. */
static inline void put_leaf(const struct leaves *leaves, size_t t, const uint64_t *order, size_t left,
                            const float *records)
{
    const size_t stride = leaves->fields + LABELS;
    uint32_t from[LEAF];
    for (unsigned i = 0; i < LEAF; i++) {
        if (i + AHEAD < left)
            __builtin_prefetch(records + (uint32_t)order[i + AHEAD] * stride);
        from[i] = (uint32_t)order[i];
        leaves->ids[t * LEAF + i] = record_item(records + from[i] * stride, leaves->fields);
    }
    gather_leaf(leaves, records, LABELS, from, t);
}

static inline void put_lane(const struct leaves *leaves, size_t to, uint32_t from, const float *records)
{
    const size_t fields = leaves->fields;
    const float *record = records + from * (fields + LABELS);
    leaves->ids[to] = record_item(record, leaves->fields);
    for (unsigned k = 0; k < fields; k++)
        leaves->at[(to / LEAF * fields + k) * LEAF + to % LEAF] = record[k];
}

void abut_leaves_put(const struct leaves *leaves, size_t first, size_t n, const uint64_t *order, const float *records)
{
    size_t i = 0;
    for (; i < n && (first + i) % LEAF != 0; i++)
        put_lane(leaves, first + i, (uint32_t)order[i], records);
    for (; n - i >= LEAF; i += LEAF)
        put_leaf(leaves, (first + i) / LEAF, order + i, n - i, records);
    for (; i < n; i++)
        put_lane(leaves, first + i, (uint32_t)order[i], records);
}

float abut_leaves_radius(const struct leaves *leaves)
{
    float greatest = 0;
    for (size_t t = 0; t < leaves->count; t++)
        for (unsigned i = 0; i < LEAF; i++) {
            const float r = leaves->at[(t * leaves->fields + 3) * LEAF + i];
            greatest = r > greatest && r < INFINITY ? r : greatest;
        }
    return greatest;
}

bool abut_all_valid(const struct columns *items, size_t first, size_t end)
{
    const float *at[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < items->fields; k++)
        at[k] = items->at[k] + first;
    return abut_active_isa()->valid[items->shape](at, end - first);
}

struct staging {
    const struct parallel *parallel;
    const struct columns *items;
    float *records;
    _Atomic(bool) invalid; /* some item is invalid */
};

/* Records of points are too short for vectors. */
static inline void stage(const struct columns *items, unsigned fields, size_t first, size_t end, float *records)
{
    size_t i = first;
    for (; fields >= 4 && i + 4 <= end; i += 4) {
        float *at = records + i * fields, *const to[] = {at, at + fields, at + 2 * fields, at + 3 * fields};
        put_records(items->at, fields, 0, i, NULL, to);
    }
    for (; i < end; i++)
        put_record(items->at, fields, 0, i, NULL, records + i * fields);
}

static void stage_items(const struct columns *items, size_t first, size_t end, float *records)
{
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (items->shape == shape_##name)                                                                                  \
        stage(items, name##_fields, first, end, records);
#include "tables/shapes.def"
}

static void stage_share(void *work, unsigned w)
{
    struct staging *staging = work;
    const struct columns *items = staging->items;
    const size_t last = parallel_first(staging->parallel, items->n, w + 1);
    for (size_t first = parallel_first(staging->parallel, items->n, w), end; first < last; first = end) {
        end = last - first < CHECKED ? last : first + CHECKED;
        if (!abut_all_valid(items, first, end))
            staging->invalid = true;
        stage_items(items, first, end, staging->records);
    }
}

float *abut_records_stage(const struct columns *items, struct abut_workspace *workspace,
                          const struct parallel *parallel, bool *all_good)
{
    struct staging staging = {parallel, items, NULL, false};
    /* One more: gather_records() reads four members of a point. */
    staging.records =
        abut_workspace_take(workspace, SLOT_RECORDS, items->n + 1, items->fields * sizeof *staging.records);
    if (staging.records)
        parallel_run(parallel, stage_share, &staging);
    *all_good = !staging.invalid;
    return staging.records;
}

void abut_leaves_refill(const struct leaves *leaves, const float *records, size_t first, size_t end)
{
    for (size_t t = first; t < end; t++) {
        /* Beyond end, too: a refit calls this for one node after the other. */
        const size_t ahead = t * LEAF + REFILL_AHEAD;
        for (size_t i = ahead; i < ahead + LEAF && i < leaves->n; i++) {
            const float *record = records + (size_t)leaves->ids[i] * leaves->fields;
            __builtin_prefetch(record, 0, 2);
            __builtin_prefetch(record + leaves->fields - 1, 0, 2);
        }
        gather_leaf(leaves, records, 0, leaves->ids + t * LEAF, t);
    }
}
