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
    return least_of(search->n < search->k ? search->known : search->heap[0].high, search->reach);
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

/*
 * Adds to sums[i] the square of the distance of x from the interval min[i] to max[i]. The loop has a fixed length and
 * no branch, so that compilers vectorise it.
 */
static inline void add_squares(float x, const float *min, const float *max, double *sums, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const float from = x < min[i] ? min[i] : x, nearest = from > max[i] ? max[i] : from;
        const double d = (double)nearest - (double)x;
        sums[i] += d * d;
    }
}

/* Pushes the children of a node that are near enough; the top of the stack is taken first. */
static size_t push_children(const struct neighbours *search, struct step at, struct step *stack, size_t n)
{
    const struct node *node = &search->tree->level[at.level][at.child];
    const double most = limit(search), margin = 1 / (double)search->tree->margin.scale;
    const double scale = (1 - SLIP) * margin * margin;
    const size_t first = n;
    double low[CHILDREN] = {0};
    search->stats->node_tests++;
    for (unsigned k = 0; k < 3; k++)
        add_squares(search->point[k], node->box[k], node->box[k + 3], low, CHILDREN);
    for (size_t i = 0; is_rounded(&search->tree->leaves) && i < CHILDREN; i++)
        low[i] = sqrt(low[i]);
    for (size_t i = 0; i < CHILDREN; i++) {
        if (low[i] * scale > most || !(node->box[0][i] <= node->box[3][i]))
            continue;
        const struct step step = {low[i] * scale, at.child * CHILDREN + i, at.level - 1, node->least[i]};
        size_t to = n++;
        for (; to > first && is_later(&step, &stack[to - 1]); to--)
            stack[to] = stack[to - 1];
        stack[to] = step;
    }
    return n;
}

/*
 * Lower bounds on the distances of the items of a leaf, squared unless they have radii, by their centres or the boxes
 * around their vertices. They cost a part of the bounds of the items. OBBs and capsules have 0. Each exceeds the true
 * one by less than SLIP / 2 of it: add_squares() rounds at most five times, a root and a difference round once each.
 */
static void bound_leaf(const struct neighbours *search, const float *leaf, double low[LEAF])
{
    static const unsigned vertices[shape_count] = {
        [shape_point] = 1, [shape_sphere] = 1, [shape_aabb] = 2, [shape_segment] = 2, [shape_triangle] = 3};
    const enum shape shape = (enum shape)search->tree->leaves.shape;
    const unsigned n = vertices[shape];
    memset(low, 0, LEAF * sizeof *low);
    for (unsigned k = 0; n > 0 && k < 3; k++) {
        const float *a = leaf + k * LEAF, *b = a + 3 * (n > 1) * LEAF, *c = a + 3 * (n - 1) * LEAF;
        float min[LEAF], max[LEAF];
        for (unsigned i = 0; i < LEAF; i++) {
            const float least = b[i] < a[i] ? b[i] : a[i], most = b[i] > a[i] ? b[i] : a[i];
            min[i] = c[i] < least ? c[i] : least;
            max[i] = c[i] > most ? c[i] : most;
        }
        add_squares(search->point[k], min, max, low, LEAF);
    }
    for (unsigned i = 0; shape == shape_sphere && i < LEAF; i++)
        low[i] = sqrt(low[i]) * (1 - SLIP) - (double)leaf[3 * LEAF + i];
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
            is_wanted(search, leaves->ids[number * LEAF + i]))
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
