/* SPDX-License-Identifier: MIT */
/* The descent of the tree to the items nearest to one point: the nearest child first, and a heap of the k nearest. */
#include "bvh/search/nearest.h"

#include <math.h>
#include <string.h>

/* The sign of the distance of item a less that of item b, by position. */
static int compare(const struct neighbours *search, size_t a, size_t b)
{
    float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
    const struct leaves *leaves = &search->tree->leaves;
    item_at(leaves, a, item_a);
    item_at(leaves, b, item_b);
    if (memcmp(item_a, item_b, leaves->fields * sizeof *item_a) == 0)
        return 0;
    return abut_nearest_compare(search->point, (struct measured){leaves->shape, item_a},
                                (struct measured){leaves->shape, item_b}, search->stats);
}

bool abut_nearest_equal(const struct neighbours *search, const struct candidate *a, const struct candidate *b)
{
    if (a->low > b->high || b->low > a->high)
        return false;
    return (a->high == 0 && b->high == 0) || compare(search, a->position, b->position) == 0;
}

/* Whether a comes after b: it is farther, or equally far with the greater id. */
static bool after(const struct neighbours *search, const struct candidate *a, const struct candidate *b)
{
    struct abut_stats *lanes = search->stats;
    lanes->pairs++;
    if (a->low > b->high || b->low > a->high)
        return a->low > b->high;
    lanes->undecided++;
    const int order = a->high == 0 && b->high == 0 ? 0 : compare(search, a->position, b->position);
    const uint32_t *ids = search->tree->leaves.ids;
    return order != 0 ? order > 0 : ids[a->position] > ids[b->position];
}

/* ---- The k nearest so far */

static void swap(struct candidate *a, struct candidate *b)
{
    const struct candidate was = *a;
    *a = *b;
    *b = was;
}

static void sift_down(struct neighbours *search)
{
    struct candidate *heap = search->heap;
    for (size_t i = 0, child; (child = 2 * i + 1) < search->n; i = child) {
        if (child + 1 < search->n && after(search, &heap[child + 1], &heap[child]))
            child++;
        if (!after(search, &heap[child], &heap[i]))
            return;
        swap(&heap[i], &heap[child]);
    }
}

static void sift_up(struct neighbours *search)
{
    struct candidate *heap = search->heap;
    for (size_t i = search->n - 1; i > 0 && after(search, &heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&heap[i], &heap[(i - 1) / 2]);
}

/* Whether an item is within the distance that is wanted. */
static bool is_near(const struct neighbours *search, size_t position, double low)
{
    if (isinf(search->reach))
        return true;
    float item[ABUT_MAX_FIELDS];
    const struct leaves *leaves = &search->tree->leaves;
    item_at(leaves, position, item);
    struct abut_stats unused = {0}; /* pairs are counted as comparisons of items */
    const float radii[2] = {search->within, 0};
    const bool near = low <= search->reach && abut_nearest_within(search->point, (struct measured){leaves->shape, item},
                                                                  radii, search->closed, &unused);
    search->stats->undecided += unused.undecided;
    search->stats->exact += unused.exact;
    return near;
}

static void consider(struct neighbours *search, size_t position)
{
    const struct candidate candidate = abut_nearest_measure(&search->tree->leaves, search->point, position);
    if (!is_near(search, position, candidate.low))
        return;
    if (search->n < search->k) {
        search->heap[search->n++] = candidate;
        sift_up(search);
    } else if (after(search, &search->heap[0], &candidate)) {
        search->heap[0] = candidate;
        sift_down(search);
    }
}

static double least_of(double a, double b)
{
    return b < a ? b : a;
}

/* Items farther than this are not wanted. */
static double limit(const struct neighbours *search)
{
    return search->n < search->k ? search->reach : least_of(search->heap[0].high, search->reach);
}

/* ---- The descent, nearest child first */

/*
 * A node, or at level -1 a leaf. low is its distance, squared unless items are rounded, less at most 2 SLIP of it.
 * least is the least id below it. A leaf of OBBs may be a little nearer than its box, as their axes may be a little
 * short (see struct margin): low is less by that.
 */
struct step {
    double low;
    size_t child;
    int level;
    uint32_t least;
};

enum { MOST_STEPS = MAX_LEVELS * CHILDREN };

/*
 * Whether the farthest item so far comes before all items below a step: the step is farther, or equally far with
 * greater ids. Without this test a search would look at all items where many are equally near. In float64 they are
 * where the point is very far from all.
 */
static bool comes_last(const struct neighbours *search, const struct step *step)
{
    const struct leaves *leaves = &search->tree->leaves;
    const struct candidate *farthest = &search->heap[0];
    if (search->n < search->k)
        return false;
    const bool greater = step->least >= leaves->ids[farthest->position];
    if (farthest->high == 0)
        return greater;
    if (step->low * (1 + 3 * SLIP) < farthest->low || leaves->shape == shape_obb) /* certainly nearer, or unknown */
        return false;
    const struct node *node = &search->tree->level[step->level + 1][step->child / CHILDREN];
    float around[6], item[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < 6; k++)
        around[k] = node->box[k][step->child % CHILDREN];
    item_at(leaves, farthest->position, item);
    const int order = abut_nearest_compare(search->point, (struct measured){shape_aabb, around},
                                           (struct measured){leaves->shape, item}, search->stats);
    return order > 0 || (order == 0 && greater);
}

/* Of equally near steps the one with the least id comes first. */
static bool is_later(const struct step *a, const struct step *b)
{
    return a->low > b->low || (a->low == b->low && a->least > b->least);
}

/* Pushes the children of a node that are near enough; the top of the stack is taken first. */
static size_t push_children(const struct neighbours *search, struct step at, struct step *stack, size_t n)
{
    const struct node *node = &search->tree->level[at.level][at.child];
    const double most = limit(search), margin = 1 / (double)search->tree->margin.scale;
    const double scale = (1 - SLIP) * margin * margin;
    const bool rounded = is_rounded(&search->tree->leaves);
    const size_t first = n;
    search->stats->node_tests++;
    for (size_t i = 0; i < CHILDREN; i++) {
        if (!(node->box[0][i] <= node->box[3][i]))
            continue;
        const double square = box_squared(search->point, &node->box[0][i], &node->box[3][i], CHILDREN);
        const double low = (rounded ? sqrt(square) : square) * scale;
        if (low > most)
            continue;
        const struct step step = {low, at.child * CHILDREN + i, at.level - 1, node->least[i]};
        size_t to = n++;
        for (; to > first && is_later(&step, &stack[to - 1]); to--)
            stack[to] = stack[to - 1];
        stack[to] = step;
    }
    return n;
}

/*
 * Lower bounds, by the boxes around their vertices, on the squared distances of the items of a leaf. They cost a part
 * of the bounds of the items. Items of other shapes have 0; those with radii, too.
 */
static void bound_leaf(const struct neighbours *search, const float *leaf, double low[LEAF])
{
    const struct leaves *leaves = &search->tree->leaves;
    const unsigned vertices = leaves->shape == shape_triangle ? 3 : leaves->shape == shape_segment ? 2 : 0;
    memset(low, 0, LEAF * sizeof *low);
    for (unsigned k = 0; vertices > 0 && k < 3; k++) {
        const float *a = leaf + k * LEAF, *b = a + 3 * LEAF, *c = leaf + (k + 3 * (vertices - 1)) * LEAF;
        const float x = search->point[k];
        for (unsigned i = 0; i < LEAF; i++) {
            float min = b[i] < a[i] ? b[i] : a[i], max = b[i] > a[i] ? b[i] : a[i];
            min = c[i] < min ? c[i] : min;
            max = c[i] > max ? c[i] : max;
            const double below = (double)min - (double)x, above = (double)x - (double)max;
            const double d = below > above ? below : above;
            low[i] += d > 0 ? d * d : 0;
        }
    }
}

/* Whether an item counts by groups and masks; NULL stands for all bits of a query. */
static inline bool admits(const struct neighbours *search, uint32_t id)
{
    const struct abut_filter *filter = search->filter;
    if (!filter)
        return true;
    const uint32_t group = filter->query_groups ? filter->query_groups[search->query] : UINT32_MAX;
    const uint32_t mask = filter->query_masks ? filter->query_masks[search->query] : UINT32_MAX;
    return (group & filter->item_masks[id]) != 0 && (filter->item_groups[id] & mask) != 0;
}

static void consider_leaf(struct neighbours *search, size_t number)
{
    const struct leaves *leaves = &search->tree->leaves;
    const uint32_t list = (uint32_t)number;
    double low[LEAF];
    search->stats->leaf_tests++;
    if (leaves->view)
        abut_leaves_gather(leaves, &list, 1);
    const float *leaf = leaves->at + number * leaves->fields * LEAF;
    bound_leaf(search, leaf, low);
    for (unsigned i = 0; i < LEAF; i++)
        if (!isnan(leaf[i]) && low[i] * (1 - SLIP) <= limit(search) &&
            leaves->ids[number * LEAF + i] != search->except && admits(search, leaves->ids[number * LEAF + i]))
            consider(search, number * LEAF + i);
}

void abut_nearest_find(struct neighbours *search)
{
    struct step stack[MOST_STEPS];
    size_t n = push_children(search, (struct step){0, 0, (int)search->tree->levels - 1, 0}, stack, 0);
    while (n > 0) {
        const struct step at = stack[--n];
        if (at.low > limit(search) || comes_last(search, &at))
            continue;
        if (at.level >= 0)
            n = push_children(search, at, stack, n);
        else
            consider_leaf(search, at.child);
    }
}

struct candidate abut_nearest_take(struct neighbours *search)
{
    const struct candidate farthest = search->heap[0];
    search->heap[0] = search->heap[--search->n];
    sift_down(search);
    return farthest;
}
