/* SPDX-License-Identifier: MIT */
/*
 * Padded boxes of a view. A refit first scans all items in the caller's order: it checks whether they are valid, and
 * marks those that have left their boxes. Nothing changes before the scan has ended. Then the refit renews the marked
 * boxes and those of their leaves in the tree.
 */
#include "bvh/build/padded.h"

#include "bvh/build/records.h"
#include "bvh/index.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

/* Leaves per step of the scan, which reads items twice, first for validity: few enough to stay in the cache. */
enum { LOOKED_AT = 16 };

/* Marked leaves to prefetch ahead of the current one: they are anywhere in memory. */
enum { AHEAD = 8 };

struct renewal {
    const struct parallel *parallel;
    struct abut_index *index;
    const struct columns *items;
    bool skip_invalid;
    const unsigned char *listed;   /* as left: the items that may have moved; or NULL for all */
    bool listed_good;              /* and are valid */
    unsigned char *left;           /* by eight items in the caller's order: a bit for each that has left its box */
    _Atomic(unsigned char) *stale; /* by leaf of the tree: 1 if an item of it has left its box */
    _Atomic(bool) invalid, some_invalid, any_left;
    _Atomic(int32_t) radius; /* bits of the greatest finite radius of spheres */
};

/* Copies items t * LEAF to t * LEAF + LEAF - 1 in the caller's order. Lanes after the last item are NaN. */
static inline void take_leaf(const struct columns *items, unsigned fields, size_t t, float *leaf)
{
    const size_t first = t * LEAF;
    if (items->n - first >= LEAF) {
        for (unsigned k = 0; k < fields; k++)
            memcpy(leaf + k * LEAF, items->at[k] + first, LEAF * sizeof *leaf);
        return;
    }
    for (unsigned k = 0; k < fields; k++)
        for (unsigned i = 0; i < LEAF; i++)
            leaf[k * LEAF + i] = first + i < items->n ? items->at[k][first + i] : NAN;
}

/* The boxes of these items. blank: invalid ones get none; it must be set where one may be invalid. */
static inline void boxes_of(const struct columns *items, unsigned fields, boxes_function *boxes, bool blank, size_t t,
                            float box[BOX][LEAF])
{
    static const struct margin none = {1, 0};
    float leaf[ABUT_MAX_FIELDS * LEAF];
    take_leaf(items, fields, t, leaf);
    if (blank)
        abut_skip_invalid(&(struct leaves){.shape = items->shape, .fields = fields, .at = leaf}, 0, 1);
    boxes(leaf, none, box);
}

/* The boxes of 4 items from lane on as records: members 0 to 3 of each in low, and 2 to 5 in high. */
static inline void box_records(const float *const box[BOX], unsigned lane, four low[4], four high[4])
{
    const four sign = {1u << 31, 1u << 31, 1u << 31, 1u << 31};
    four member[BOX];
    for (unsigned k = 0; k < BOX; k++)
        member[k] = k < 3 ? four_load(box[k] + lane) : four_load(box[k] + lane) ^ sign;
    memcpy(low, member, 4 * sizeof *low);
    memcpy(high, member + 2, 4 * sizeof *high);
    transpose(low);
    transpose(high);
}

typedef float floats __attribute__((vector_size(4 * sizeof(float))));

/* Which members exceed the kept ones by 0 to most. Equal infinities pass: their difference is NaN. */
static inline four near(four a, const float *kept, floats most)
{
    const floats b = (floats)four_load(kept);
    return (four)((floats)a >= b) & ~(four)((floats)a - b > most);
}

static inline bool all_set(four x)
{
    uint64_t bits[2];
    memcpy(bits, &x, sizeof bits);
    return (bits[0] & bits[1]) == UINT64_MAX;
}

/*
 * Which of 4 items have boxes that are not inside the kept ones or have become far smaller: while an item keeps its
 * size, no two sides are more than most apart. The box of an invalid item is NaN. It passes if the kept one is NaN,
 * too.
 */
static inline unsigned left_four(const four low[4], const four high[4], const float *kept, floats most)
{
    four in[4];
    unsigned left = 0;
    for (unsigned i = 0; i < 4; i++)
        in[i] = near(low[i], kept + i * BOX, most) & near(high[i], kept + i * BOX + 2, most);
    if (all_set(in[0] & in[1] & in[2] & in[3]))
        return 0;
    for (unsigned i = 0; i < 4; i++)
        left |= (unsigned)(!all_set(in[i]) && !(isnan(kept[i * BOX]) && isnan(((floats)low[i])[0]))) << i;
    return left;
}

static inline unsigned left_lanes(const float *const box[BOX], const float *kept, float padding)
{
    /*
     * The padding moves a bound by a step of floats only if it is at least half a step. So a kept bound is at most
     * twice the padding from the item's bound, and movement inside the box doubles that.
     */
    const floats most = {4 * padding, 4 * padding, 4 * padding, 4 * padding};
    unsigned left = 0;
    for (unsigned lane = 0; lane < LEAF; lane += 4) {
        four low[4], high[4];
        box_records(box, lane, low, high);
        left |= left_four(low, high, kept + lane * BOX, most) << lane;
    }
    return left;
}

/*
 * Marks the items that have left their boxes, and returns whether any has. AABBs are their own boxes and are not
 * copied; for other shapes the copy is most of the work.
 */
static inline bool look_through(const struct renewal *renewal, unsigned fields, boxes_function *boxes, bool blank,
                                size_t first, size_t end)
{
    /* Copies: stores of unsigned characters may alias the originals. */
    const struct columns items = *renewal->items;
    const float *kept = renewal->index->view.boxes, padding = renewal->index->view.padding;
    unsigned char *left = renewal->left;
    const unsigned char *listed = renewal->listed;
    unsigned any = 0;
    for (size_t t = first; t < end; t++) {
        float box[BOX][LEAF];
        const float *at[BOX];
        const bool copied = boxes != aabb_boxes || blank || items.n - t * LEAF < LEAF;
        if (copied)
            boxes_of(&items, fields, boxes, blank, t, box);
        for (unsigned k = 0; k < BOX; k++)
            at[k] = copied ? box[k] : items.at[k] + t * LEAF;
        const unsigned lanes_left = left_lanes(at, kept + t * LEAF * BOX, padding) & (listed ? listed[t] : UINT_MAX);
        left[t] = (unsigned char)lanes_left;
        any |= lanes_left;
    }
    return any != 0;
}

/* Renews the boxes of the marked ones of eight items, and marks their leaves as stale. */
static inline void renew_leaf(const struct renewal *renewal, unsigned fields, boxes_function *boxes, size_t t)
{
    const struct view *view = &renewal->index->view;
    const struct columns *items = renewal->items;
    float box[BOX][LEAF], *kept = view->boxes + t * LEAF * BOX;
    const size_t first = t * LEAF, more = first + LEAF, end = more < items->n ? more : items->n;
    boxes_of(items, fields, boxes, renewal->skip_invalid && may_be_invalid(items, abut_all_valid(items, first, end)), t,
             box);
    for (unsigned left = renewal->left[t]; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        for (unsigned k = 0; k < BOX; k++)
            kept[i * BOX + k] = (k < 3 ? box[k][i] : -box[k][i]) - view->padding;
        atomic_store_explicit(&renewal->stale[view->leaves[first + i]], 1, memory_order_relaxed);
    }
}

static inline void renew_leaves(const struct renewal *renewal, unsigned fields, boxes_function *boxes, size_t first,
                                size_t end)
{
    const struct view *view = &renewal->index->view;
    size_t ahead = first, wanted = 0;
    for (size_t t = next_marked(renewal->left, first, end); t < end; t = next_marked(renewal->left, t + 1, end)) {
        for (; wanted <= AHEAD && (ahead = next_marked(renewal->left, ahead, end)) < end; ahead++, wanted++) {
            for (unsigned k = 0; k < fields; k++)
                __builtin_prefetch(renewal->items->at[k] + ahead * LEAF, 0, 2);
            __builtin_prefetch(view->leaves + ahead * LEAF, 0, 2);
        }
        wanted--;
        renew_leaf(renewal, fields, boxes, t);
    }
}

static bool look_through_chunk(const struct renewal *renewal, bool blank, size_t first, size_t end)
{
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (renewal->items->shape == shape_##name)                                                                         \
        return look_through(renewal, name##_fields, name##_boxes, blank, first, end);
#include "tables/shapes.def"
    return false;
}

/*
 * The greatest finite radius. Invalid spheres count, too: that only widens boxes. The bits of non-negative floats are
 * in order as integers, which vectors can compare.
 */
static void find_radius(struct renewal *renewal, size_t first, size_t end)
{
    const float infinity = INFINITY, *r = renewal->items->at[3];
    int32_t above, greatest = 0;
    memcpy(&above, &infinity, sizeof above);
    for (size_t i = first; i < end; i++) {
        int32_t bits;
        memcpy(&bits, r + i, sizeof bits);
        bits = bits < above ? bits : 0;
        greatest = bits > greatest ? bits : greatest;
    }
    int32_t so_far = renewal->radius;
    while (greatest > so_far && !atomic_compare_exchange_weak(&renewal->radius, &so_far, greatest))
        continue;
}

/* The end of a step of the scan from first on: a listed stretch, if not all items are looked at. */
static size_t look_end(const struct renewal *renewal, size_t first, size_t last)
{
    const size_t most = last - first < LOOKED_AT ? last : first + LOOKED_AT;
    size_t end = renewal->listed ? first : most;
    while (end < most && renewal->listed[end] != 0)
        end++;
    return end;
}

static void look_share(void *work, unsigned w)
{
    struct renewal *renewal = work;
    const struct columns *items = renewal->items;
    const size_t leaves = abut_leaves_count(items->n), last = parallel_first(renewal->parallel, leaves, w + 1);
    for (size_t first = parallel_first(renewal->parallel, leaves, w), end; first < last; first = end) {
        if (renewal->listed && (first = next_marked(renewal->listed, first, last)) == last)
            return;
        end = look_end(renewal, first, last);
        const size_t last_item = end * LEAF < items->n ? end * LEAF : items->n;
        const bool good = renewal->listed ? renewal->listed_good : abut_all_valid(items, first * LEAF, last_item);
        if (items->shape == shape_sphere)
            find_radius(renewal, first * LEAF, last_item);
        const bool some_invalid = renewal->skip_invalid && may_be_invalid(items, good);
        if (some_invalid)
            renewal->some_invalid = true;
        if (!good && !renewal->skip_invalid)
            renewal->invalid = true;
        else if (look_through_chunk(renewal, some_invalid, first, end))
            renewal->any_left = true;
    }
}

static void renew_share(void *work, unsigned w)
{
    const struct renewal *renewal = work;
    const size_t leaves = abut_leaves_count(renewal->items->n);
    const size_t first = parallel_first(renewal->parallel, leaves, w),
                 end = parallel_first(renewal->parallel, leaves, w + 1);
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (renewal->items->shape == shape_##name)                                                                         \
        renew_leaves(renewal, name##_fields, name##_boxes, first, end);
#include "tables/shapes.def"
}

/* The boxes of the items in a leaf of the tree. */
static void gather_boxes(const struct view *view, const uint32_t *ids, float box[BOX][LEAF])
{
    static const float none[BOX] = {NAN, NAN, NAN, NAN, NAN, NAN};
    gather_records(view->boxes, BOX, ids, BOX, none, box[0]);
    for (unsigned k = 3; k < BOX; k++)
        for (unsigned i = 0; i < LEAF; i++)
            box[k][i] = -box[k][i];
}

/* Inlined by force: gcc 12 treats a function that only prefetches as one without effect. */
__attribute__((always_inline)) static inline void prefetch_boxes(const struct renewal *renewal, size_t t)
{
    const uint32_t *ids = renewal->index->tree.leaves.ids + t * LEAF;
    const struct node *node = &renewal->index->tree.level[0][t / CHILDREN];
    for (unsigned i = 0; i < LEAF && ids[i] != UINT32_MAX; i++) {
        const float *box = renewal->index->view.boxes + (size_t)ids[i] * BOX;
        __builtin_prefetch(box, 0, 2);
        __builtin_prefetch(box + BOX - 1, 0, 2);
    }
    for (unsigned k = 0; k < BOX; k++)
        __builtin_prefetch(node->box[k], 1, 2);
}

/* Renews the boxes of the stale leaves of the tree, after those of all items. */
static void resolve_share(void *work, unsigned w)
{
    const struct renewal *renewal = work;
    struct tree *tree = &renewal->index->tree;
    const unsigned char *stale = (const void *)renewal->stale; /* no thread marks any more */
    const size_t first = parallel_first(renewal->parallel, tree->leaves.count, w);
    const size_t end = parallel_first(renewal->parallel, tree->leaves.count, w + 1);
    size_t ahead = first, wanted = 0;
    for (size_t t = next_marked(stale, first, end); t < end; t = next_marked(stale, t + 1, end)) {
        for (; wanted <= AHEAD && (ahead = next_marked(stale, ahead, end)) < end; ahead++, wanted++)
            prefetch_boxes(renewal, ahead);
        wanted--;
        float box[BOX][LEAF];
        gather_boxes(&renewal->index->view, tree->leaves.ids + t * LEAF, box);
        abut_nodes_set_leaf(tree, t, box);
    }
}

/* all: every leaf of the tree is stale. */
static enum abut_status renew(struct renewal renewal, bool all, struct abut_workspace *workspace)
{
    struct abut_index *index = renewal.index;
    const struct columns *items = renewal.items;
    const size_t leaves = abut_leaves_count(items->n);
    renewal.left = abut_workspace_take(workspace, SLOT_LEFT, 2 * leaves + 1, 1);
    if (!renewal.left)
        return ABUT_ERROR_MEMORY;
    renewal.stale = (void *)(renewal.left + leaves);
    memset(renewal.left + leaves, all, leaves);
    if (renewal.listed)
        memset(renewal.left, 0, leaves);
    parallel_run(renewal.parallel, look_share, &renewal);
    if (renewal.invalid)
        return ABUT_ERROR_INVALID;
    index->view.items = *items;
    index->view.some_invalid = renewal.some_invalid;
    if (all || renewal.any_left) {
        parallel_run(renewal.parallel, renew_share, &renewal);
        parallel_run(renewal.parallel, resolve_share, &renewal);
        if (all)
            abut_nodes_set_upper(&index->tree);
        else
            abut_nodes_set_above(&index->tree, (const void *)renewal.stale);
    }
    const int32_t radius = renewal.radius;
    memcpy(&index->tree.margin.radius, &radius, sizeof radius);
    return ABUT_OK;
}

enum abut_status abut_view_renew(struct abut_index *index, const struct columns *items, bool skip_invalid,
                                 struct abut_workspace *workspace, const struct parallel *parallel)
{
    return renew((struct renewal){.parallel = parallel, .index = index, .items = items, .skip_invalid = skip_invalid},
                 false, workspace);
}

enum abut_status abut_view_renew_some(struct abut_index *index, const struct columns *items,
                                      const unsigned char *listed, bool listed_good, struct abut_workspace *workspace,
                                      const struct parallel *parallel)
{
    struct renewal renewal = {.parallel = parallel, .index = index, .items = items, .skip_invalid = !listed_good};
    int32_t radius;
    memcpy(&radius, &index->tree.margin.radius, sizeof radius);
    renewal.listed = listed;
    renewal.listed_good = listed_good;
    renewal.some_invalid = index->view.some_invalid;
    renewal.radius = radius; /* It never shrinks here: what the items were before is not known. */
    return renew(renewal, false, workspace);
}

/* Begins a view: no item has a box yet. */
static void begin_share(void *work, unsigned w)
{
    const struct renewal *renewal = work;
    struct tree *tree = &renewal->index->tree;
    const struct view *view = &renewal->index->view;
    const size_t n = tree->nodes[0], end = parallel_first(renewal->parallel, n, w + 1);
    for (size_t i = parallel_first(renewal->parallel, n, w); i < end; i++) {
        const size_t first = i * CHILDREN * LEAF, more = first + CHILDREN * LEAF, all = tree->leaves.count * LEAF;
        const size_t last = more < all ? more : all;
        for (unsigned k = 0; k < BOX; k++)
            for (unsigned c = 0; c < CHILDREN; c++)
                tree->level[0][i].box[k][c] = NAN;
        for (size_t k = first * BOX; k < last * BOX; k++)
            view->boxes[k] = NAN;
        for (size_t at = first; at < last; at++)
            if (tree->leaves.ids[at] != UINT32_MAX)
                view->leaves[tree->leaves.ids[at]] = (uint32_t)(at / LEAF);
        abut_nodes_set_least(tree, i);
    }
}

enum abut_status abut_view_begin(struct abut_index *index, const struct columns *items, bool skip_invalid,
                                 struct abut_workspace *workspace, const struct parallel *parallel)
{
    struct renewal renewal = {.parallel = parallel, .index = index, .items = items, .skip_invalid = skip_invalid};
    if (items->n > 0)
        parallel_run(parallel, begin_share, &renewal);
    return renew(renewal, true, workspace);
}
