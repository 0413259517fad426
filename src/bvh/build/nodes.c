/* SPDX-License-Identifier: MIT */
/* The boxes of nodes: minima and maxima of the boxes below, in loops that vectorise. */
#include "bvh/build/nodes.h"

#include "bvh/build/bounds.h"
#include "dispatch/kernel_table.h"

/* Four partial extrema of one bound for each child of a node. */
typedef float fours[CHILDREN][4];

/* The least of n floats, a multiple of four, at each index modulo four. NaN (no lane or child) does not count. */
static inline void least_four(const float *x, unsigned n, float least[4])
{
    for (unsigned k = 0; k < 4; k++)
        least[k] = INFINITY;
    for (unsigned i = 0; i < n; i += 4)
        for (unsigned k = 0; k < 4; k++)
            least[k] = x[i + k] < least[k] ? x[i + k] : least[k];
}

static inline void greatest_four(const float *x, unsigned n, float greatest[4])
{
    for (unsigned k = 0; k < 4; k++)
        greatest[k] = -INFINITY;
    for (unsigned i = 0; i < n; i += 4)
        for (unsigned k = 0; k < 4; k++)
            greatest[k] = x[i + k] > greatest[k] ? x[i + k] : greatest[k];
}

static inline float lesser(float a, float b)
{
    return a < b ? a : b;
}

static inline float greater(float a, float b)
{
    return a > b ? a : b;
}

static inline float least_of(const float x[4])
{
    return lesser(lesser(x[0], x[1]), lesser(x[2], x[3]));
}

static inline float greatest_of(const float x[4])
{
    return greater(greater(x[0], x[1]), greater(x[2], x[3]));
}

static inline void least_each(fours from, float least[CHILDREN])
{
    for (unsigned c = 0; c < CHILDREN; c++)
        least[c] = least_of(from[c]);
}

static inline void greatest_each(fours from, float greatest[CHILDREN])
{
    for (unsigned c = 0; c < CHILDREN; c++)
        greatest[c] = greatest_of(from[c]);
}

static inline uint32_t least_id(const uint32_t *ids, unsigned n)
{
    uint32_t least = UINT32_MAX;
    for (unsigned i = 0; i < n; i++)
        least = ids[i] < least ? ids[i] : least;
    return least;
}

void abut_nodes_leaf_boxes(const struct leaves *leaves, size_t t, float boxes[6][LEAF])
{
    static const struct margin none = {1, 0};
    const float *at = leaves->at + t * leaves->fields * LEAF;
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (leaves->shape == shape_##name)                                                                                 \
        name##_boxes(at, none, boxes);
#include "tables/shapes.def"
}

static size_t children_of(const struct tree *tree, unsigned level)
{
    return level == 0 ? tree->leaves.count : tree->nodes[level - 1];
}

/*
 * Sets the boxes of node i. Each child is first reduced to four floats a bound, then all children at once to one float
 * a bound; both loops vectorise.
 */
static void set_boxes(struct tree *tree, unsigned level, size_t i)
{
    const size_t first = i * CHILDREN, left = children_of(tree, level) - first;
    const unsigned n = left < CHILDREN ? (unsigned)left : CHILDREN;
    fours bounds[6];
    for (unsigned c = 0; c < n; c++) {
        float boxes[6][LEAF];
        const float *from = boxes[0];
        unsigned side = LEAF;
        if (level == 0) {
            abut_nodes_leaf_boxes(&tree->leaves, first + c, boxes);
        } else {
            from = tree->level[level - 1][first + c].box[0];
            side = CHILDREN;
        }
        for (unsigned k = 0; k < 3; k++) {
            least_four(from + k * side, side, bounds[k][c]);
            greatest_four(from + (k + 3) * side, side, bounds[k + 3][c]);
        }
    }
    for (unsigned c = n; c < CHILDREN; c++)
        for (unsigned k = 0; k < 6; k++)
            for (unsigned j = 0; j < 4; j++)
                bounds[k][c][j] = NAN;
    struct node *node = &tree->level[level][i];
    for (unsigned k = 0; k < 3; k++) {
        least_each(bounds[k], node->box[k]);
        greatest_each(bounds[k + 3], node->box[k + 3]);
    }
}

static uint32_t least_under(const struct tree *tree, unsigned level, size_t child)
{
    if (child >= children_of(tree, level))
        return UINT32_MAX;
    if (level == 0)
        return least_id(tree->leaves.ids + child * LEAF, LEAF);
    return least_id(tree->level[level - 1][child].least, CHILDREN);
}

static void set_least(struct tree *tree, unsigned level, size_t i)
{
    for (unsigned c = 0; c < CHILDREN; c++)
        tree->level[level][i].least[c] = least_under(tree, level, i * CHILDREN + c);
}

void abut_nodes_set_lowest(struct tree *tree, size_t i)
{
    set_boxes(tree, 0, i);
}

void abut_nodes_set_least(struct tree *tree, size_t i)
{
    set_least(tree, 0, i);
}

/* Sets the box of one child from its side boxes or items. */
static inline void set_child(struct tree *tree, unsigned level, size_t child, const float *boxes, unsigned side)
{
    struct node *node = &tree->level[level][child / CHILDREN];
    for (unsigned k = 0; k < 3; k++) {
        float low[4], high[4];
        least_four(boxes + k * side, side, low);
        greatest_four(boxes + (k + 3) * side, side, high);
        node->box[k][child % CHILDREN] = least_of(low);
        node->box[k + 3][child % CHILDREN] = greatest_of(high);
    }
}

void abut_nodes_set_leaf(struct tree *tree, size_t t, float boxes[6][LEAF])
{
    set_child(tree, 0, t, boxes[0], LEAF);
}

void abut_nodes_set_upper(struct tree *tree)
{
    for (unsigned level = 1; level < tree->levels; level++)
        for (size_t i = 0; i < tree->nodes[level]; i++) {
            set_boxes(tree, level, i);
            set_least(tree, level, i);
        }
}

/* Sets the box of a node in the level above it. */
static void set_node(struct tree *tree, unsigned level, size_t i)
{
    set_child(tree, level + 1, i, tree->level[level][i].box[0], CHILDREN);
}

void abut_nodes_path_to(struct node_path *path, struct tree *tree, size_t t)
{
    for (unsigned level = 0; level + 1 < tree->levels; level++) {
        const size_t i = t >> 4 * (level + 1);
        if (path->any && path->at[level] != i)
            set_node(tree, level, path->at[level]);
        path->at[level] = i;
    }
    path->any = true;
}

void abut_nodes_path_end(const struct node_path *path, struct tree *tree)
{
    for (unsigned level = 0; path->any && level + 1 < tree->levels; level++)
        set_node(tree, level, path->at[level]);
}

void abut_nodes_set_above(struct tree *tree, const unsigned char *marks)
{
    struct node_path path = {.any = false};
    const size_t end = tree->leaves.count;
    for (size_t t = next_marked(marks, 0, end); t < end; t = next_marked(marks, t + 1, end))
        abut_nodes_path_to(&path, tree, t);
    abut_nodes_path_end(&path, tree);
}

struct edges abut_nodes_edges(const struct tree *tree)
{
    struct edges all = {0};
    for (size_t t = 0; t < tree->leaves.count; t++) {
        const float *box = &tree->level[0][t / CHILDREN].box[0][t % CHILDREN];
        double sum = 0;
        for (unsigned k = 0; k < 3; k++)
            sum += (double)box[(k + 3) * CHILDREN] - box[k * CHILDREN];
        const bool nothing = box[0] > box[3 * CHILDREN], infinite = !nothing && !isfinite(sum);
        all.sum += infinite || nothing ? 0 : sum;
        all.infinite += infinite;
    }
    return all;
}

void abut_nodes_plan(struct tree *tree, size_t leaves)
{
    tree->levels = 0;
    for (size_t children = leaves; children > 0 && (tree->levels == 0 || children > 1);) {
        children = children / CHILDREN + (children % CHILDREN != 0);
        tree->nodes[tree->levels++] = children;
    }
}
