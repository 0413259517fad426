/* SPDX-License-Identifier: MIT */
/* Finding the items of an index nearest to points: by float64 bounds, and by exact arithmetic where these overlap. */
#include "bvh/index.h"

#include "dispatch/dispatch.h"
#include "exact/dyadic.h"
#include "kernels/items.h"
#include "util/float32.h"
#include "util/float_mode.h"

#include <string.h>

/*
 * A squared distance is a sum of three squares of differences of floats. In float64 these neither overflow nor
 * underflow. SLIP exceeds the errors of at most six roundings and that of a square root, each less than a part in 2^52.
 */
#define SLIP 0x1p-48

/* low and high bound the distance of a point from an item, which is squared unless items are spheres. */
struct candidate {
    double low, high;
    size_t position; /* of the item in the leaves */
};

/* The search for the neighbours of one point. heap[0] is the farthest. */
struct neighbours {
    const struct tree *tree;
    float point[3];
    struct candidate *heap;
    size_t n, k;
    struct abut_stats *stats;
};

static void item_at(const struct leaves *leaves, size_t position, float *item)
{
    const float *at = leaves->at + position / LEAF * leaves->fields * LEAF + position % LEAF;
    for (unsigned k = 0; k < leaves->fields; k++)
        item[k] = at[k * LEAF];
}

/* The distance of x from an interval, as the difference more - less of two floats. */
struct beyond {
    float more, less;
};

static inline struct beyond beyond_of(float x, float min, float max)
{
    return x < min ? (struct beyond){min, x} : x > max ? (struct beyond){x, max} : (struct beyond){0, 0};
}

/* The box from which a squared distance is measured; a point or centre is both of its corners. */
struct corners {
    const float *min, *max;
};

static inline struct corners corners_of(const struct leaves *leaves, const float *item)
{
    return (struct corners){item, leaves->shape == shape_aabb ? item + 3 : item};
}

static inline double squared(const float point[3], struct corners box, size_t stride)
{
    double sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        const struct beyond b = beyond_of(point[k], box.min[k * stride], box.max[k * stride]);
        const double d = (double)b.more - (double)b.less;
        sum += d * d;
    }
    return sum;
}

/* Turns NaN, which infinite radii produce, into 0, too. */
static double not_below_0(double x)
{
    return x > 0 ? x : 0;
}

static struct candidate measure(const struct neighbours *search, size_t position)
{
    float item[ABUT_MAX_FIELDS];
    const struct leaves *leaves = &search->tree->leaves;
    item_at(leaves, position, item);
    const double d = squared(search->point, corners_of(leaves, item), 1);
    if (leaves->shape != shape_sphere)
        return (struct candidate){d * (1 - SLIP), d * (1 + SLIP), position};
    const double centre = sqrt(d), r = item[3], slip = (centre + r) * SLIP;
    if (centre + slip < r)
        return (struct candidate){0, 0, position};
    return (struct candidate){not_below_0(centre - r - slip), not_below_0(centre - r + slip), position};
}

/* ---- Exact comparisons in float64, where no operation rounds, as for integers and other short numbers */

/* a + b if it is exact in float64, else NaN. */
static double whole_sum(double a, double b)
{
    const double sum = a + b;
    return sum - a == b && sum - b == a ? sum : NAN;
}

static double whole_squared(const float point[3], struct corners box)
{
    double sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        const struct beyond b = beyond_of(point[k], box.min[k], box.max[k]);
        const double d = whole_sum(b.more, -(double)b.less);
        sum = whole_sum(sum, d == float32_of(d) ? d * d : NAN);
    }
    return sum;
}

/*
 * Sets *order to the sign of the distance of a less that of b. False: float64 cannot decide it exactly, or two spheres
 * differ in radius.
 */
static bool compare_whole(const struct neighbours *search, const float *a, const float *b, int *order)
{
    const struct leaves *leaves = &search->tree->leaves;
    const double far_a = whole_squared(search->point, corners_of(leaves, a));
    const double far_b = whole_squared(search->point, corners_of(leaves, b));
    *order = (far_a > far_b) - (far_a < far_b);
    if (leaves->shape == shape_sphere) {
        const double r = a[3];
        if (a[3] != b[3])
            return false;
        if (far_a <= r * r && far_b <= r * r) /* the point is inside both */
            *order = 0;
    }
    return !isnan(far_a) && !isnan(far_b);
}

/* ---- Exact comparisons of any items */

static struct dyadic square(struct dyadic x)
{
    return dyadic_mul(x, x);
}

static struct dyadic exact_squared(const float point[3], struct corners box)
{
    struct dyadic sum = {0};
    for (unsigned k = 0; k < 3; k++) {
        const struct beyond b = beyond_of(point[k], box.min[k], box.max[k]);
        sum = dyadic_add(sum, square(dyadic_sub(dyadic_of(b.more), dyadic_of(b.less))));
    }
    return sum;
}

static bool inside(struct dyadic squared, float r)
{
    return isinf(r) || dyadic_sign(dyadic_sub(squared, square(dyadic_of(r)))) <= 0;
}

/*
 * The sign of max(sqrt(a) - ra, 0) - max(sqrt(b) - rb, 0); a part is 0 if the point is inside. If it is outside both,
 * the sign is that of sqrt(a) - (sqrt(b) + c) with c = ra - rb. As sqrt(b) > rb, sqrt(b) + c > ra >= 0, so both terms
 * may be squared. The sign is that of t - 2 c sqrt(b) with t = a - b - c^2. If t and c have the same sign, the terms t
 * and 2 c sqrt(b) are squared once more.
 */
static int compare_spheres(struct dyadic a, float ra, struct dyadic b, float rb)
{
    const bool in_a = inside(a, ra), in_b = inside(b, rb);
    if (in_a || in_b)
        return in_b - in_a;
    const struct dyadic c = dyadic_sub(dyadic_of(ra), dyadic_of(rb)), c2 = square(c);
    const struct dyadic t = dyadic_sub(dyadic_sub(a, b), c2);
    const int sign_c = dyadic_sign(c), sign_t = dyadic_sign(t);
    if (sign_c == 0 || sign_t != sign_c)
        return sign_c == 0 ? sign_t : sign_t > sign_c ? 1 : -1;
    return sign_c * dyadic_sign(dyadic_sub(square(t), dyadic_mul(dyadic_of(4), dyadic_mul(c2, b))));
}

static int compare_exactly(const struct neighbours *search, const float *a, const float *b)
{
    const struct leaves *leaves = &search->tree->leaves;
    const struct dyadic far_a = exact_squared(search->point, corners_of(leaves, a));
    const struct dyadic far_b = exact_squared(search->point, corners_of(leaves, b));
    return leaves->shape == shape_sphere ? compare_spheres(far_a, a[3], far_b, b[3])
                                         : dyadic_sign(dyadic_sub(far_a, far_b));
}

/* The sign of the distance of item a less that of item b, by position. */
static int compare(const struct neighbours *search, size_t a, size_t b)
{
    float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
    const struct leaves *leaves = &search->tree->leaves;
    item_at(leaves, a, item_a);
    item_at(leaves, b, item_b);
    int order;
    if (memcmp(item_a, item_b, leaves->fields * sizeof *item_a) == 0)
        return 0;
    if (compare_whole(search, item_a, item_b, &order))
        return order;
    search->stats->exact++;
    return compare_exactly(search, item_a, item_b);
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

static void consider(struct neighbours *search, size_t position)
{
    const struct candidate candidate = measure(search, position);
    if (search->n < search->k) {
        search->heap[search->n++] = candidate;
        sift_up(search);
    } else if (after(search, &search->heap[0], &candidate)) {
        search->heap[0] = candidate;
        sift_down(search);
    }
}

/* Items farther than this are not wanted. */
static double limit(const struct neighbours *search)
{
    return search->n < search->k ? INFINITY : search->heap[0].high;
}

/* ---- The descent, nearest child first */

/*
 * A node, or at level -1 a leaf. low is its distance, squared unless items are spheres, less at most 2 SLIP of it.
 * least is the least id below it.
 */
struct step {
    double low;
    size_t child;
    int level;
    uint32_t least;
};

enum { MOST_STEPS = MAX_LEVELS * CHILDREN };

/* The exact sign of the distance of a box less that of an item. */
static int compare_box(const struct neighbours *search, struct corners box, const float *item)
{
    const struct leaves *leaves = &search->tree->leaves;
    const struct corners of_item = corners_of(leaves, item);
    const bool ball = leaves->shape == shape_sphere;
    if (!ball) {
        const double far_box = whole_squared(search->point, box), far_item = whole_squared(search->point, of_item);
        if (!isnan(far_box) && !isnan(far_item))
            return (far_box > far_item) - (far_box < far_item);
        if (memcmp(box.min, of_item.min, 3 * sizeof *item) == 0 && memcmp(box.max, of_item.max, 3 * sizeof *item) == 0)
            return 0;
    }
    search->stats->exact++;
    const struct dyadic box2 = exact_squared(search->point, box), item2 = exact_squared(search->point, of_item);
    return ball ? compare_spheres(box2, 0, item2, item[3]) : dyadic_sign(dyadic_sub(box2, item2));
}

/*
 * Whether the farthest item so far comes before all items below a step: the step is farther, or equally far with
 * greater ids. Without this test a search would look at all items where many are equally near, or where the point is so
 * far from all that float64 cannot separate them.
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
    if (step->low * (1 + 3 * SLIP) < farthest->low) /* certainly nearer */
        return false;
    const struct node *node = &search->tree->level[step->level + 1][step->child / CHILDREN];
    float around[6], item[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < 6; k++)
        around[k] = node->box[k][step->child % CHILDREN];
    const struct corners box = {around, around + 3};
    item_at(leaves, farthest->position, item);
    const int order = compare_box(search, box, item);
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
    const double most = limit(search);
    const size_t first = n;
    search->stats->node_tests++;
    for (size_t i = 0; i < CHILDREN; i++) {
        if (!(node->box[0][i] <= node->box[3][i]))
            continue;
        double low = squared(search->point, (struct corners){&node->box[0][i], &node->box[3][i]}, CHILDREN);
        low = (search->tree->leaves.shape == shape_sphere ? sqrt(low) : low) * (1 - SLIP);
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

static void find_neighbours(struct neighbours *search)
{
    struct step stack[MOST_STEPS];
    const struct leaves *leaves = &search->tree->leaves;
    size_t n = push_children(search, (struct step){0, 0, (int)search->tree->levels - 1, 0}, stack, 0);
    while (n > 0) {
        const struct step at = stack[--n];
        if (at.low > limit(search) || comes_last(search, &at))
            continue;
        if (at.level >= 0) {
            n = push_children(search, at, stack, n);
            continue;
        }
        search->stats->leaf_tests++;
        const uint32_t leaf = (uint32_t)at.child;
        if (leaves->view)
            abut_leaves_gather(leaves, &leaf, 1);
        for (unsigned i = 0; i < LEAF; i++)
            if (!isnan(leaves->at[at.child * leaves->fields * LEAF + i]))
                consider(search, at.child * LEAF + i);
    }
}

/* ---- Squared distances, by the kernels of distance.h */

enum { TOGETHER = 64 };

/* A batch of points and items, and the destinations of their squared distances. */
struct pairs {
    distance_function *zip;
    bool of_points; /* the items are points, which the kernel takes as boxes */
    size_t n;
    float point[3][TOGETHER], item[ABUT_MAX_FIELDS][TOGETHER], *to[TOGETHER];
};

static struct pairs pairs_of(const struct isa *isa, const struct leaves *leaves)
{
    const enum distance_kind kind = leaves->shape == shape_sphere ? distance_point_sphere : distance_point_aabb;
    return (struct pairs){.zip = isa->distances[kind].zip, .of_points = leaves->shape == shape_point};
}

static void compute_pairs(struct pairs *pairs)
{
    const float *a[3], *b[ABUT_MAX_FIELDS];
    float d2[TOGETHER];
    for (unsigned k = 0; k < 3; k++)
        a[k] = pairs->point[k];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        b[k] = pairs->item[pairs->of_points ? k % 3 : k];
    pairs->zip(&(struct distance_args){a, b, pairs->n, {d2}});
    for (size_t i = 0; i < pairs->n; i++)
        *pairs->to[i] = d2[i];
    pairs->n = 0;
}

static void add_pair(struct pairs *pairs, const struct neighbours *search, size_t position, float *to)
{
    float item[ABUT_MAX_FIELDS];
    item_at(&search->tree->leaves, position, item);
    for (unsigned k = 0; k < 3; k++)
        pairs->point[k][pairs->n] = search->point[k];
    for (unsigned k = 0; k < search->tree->leaves.fields; k++)
        pairs->item[k][pairs->n] = item[k];
    pairs->to[pairs->n++] = to;
    if (pairs->n == TOGETHER)
        compute_pairs(pairs);
}

/* ---- All points */

struct nearest {
    const struct tree *tree;
    const struct leaves *points;
    const struct parallel *parallel;
    const struct isa *isa;
    struct candidate *heaps;
    size_t k, kept; /* k as given; kept: k, or the number of items if that is less */
    uint32_t *indices;
    float *d2;
    struct abut_stats stats[MOST_WORKERS];
};

static void find_share(void *work, unsigned w)
{
    struct nearest *nearest = work;
    struct abut_stats stats = {0}; /* local, so that workers do not share a cache line */
    struct pairs pairs = pairs_of(nearest->isa, &nearest->tree->leaves);
    const struct leaves *points = nearest->points;
    const size_t end = parallel_first(nearest->parallel, points->n, w + 1);
    for (size_t q = parallel_first(nearest->parallel, points->n, w); q < end; q++) {
        struct neighbours search = {
            .tree = nearest->tree, .heap = nearest->heaps + w * nearest->kept, .k = nearest->kept, .stats = &stats};
        item_at(points, q, search.point);
        find_neighbours(&search);
        const size_t row = (size_t)points->ids[q] * nearest->k;
        while (search.n > 0) {
            const size_t at = row + search.n - 1, position = search.heap[0].position;
            nearest->indices[at] = nearest->tree->leaves.ids[position];
            if (nearest->d2)
                add_pair(&pairs, &search, position, nearest->d2 + at);
            search.heap[0] = search.heap[--search.n];
            sift_down(&search);
        }
    }
    compute_pairs(&pairs);
    nearest->stats[w] = stats;
}

static enum abut_status find_all(const struct abut_index *index, const struct columns *points, size_t k,
                                 const struct abut_options *options, struct abut_workspace *workspace,
                                 uint32_t *indices, float *d2)
{
    const struct parallel parallel = parallel_of(options, points->n);
    struct leaves leaves;
    enum abut_status status = abut_sort_to_workspace(points, workspace, &parallel, &leaves);
    if (status != ABUT_OK)
        return status;
    struct tree tree;
    status = abut_tree_of(index, points->n, options, workspace, SLOT_ITEMS, &tree);
    if (status != ABUT_OK)
        return status;
    const size_t items = tree.leaves.n, kept = k < items ? k : items;
    if (kept > SIZE_MAX / 2 / sizeof(struct candidate) / parallel.workers)
        return ABUT_ERROR_MEMORY;
    struct candidate *heaps =
        abut_workspace_take(workspace, SLOT_SCRATCH, kept * parallel.workers, sizeof(struct candidate));
    if (!heaps)
        return ABUT_ERROR_MEMORY;
    struct nearest nearest = {&tree, &leaves, &parallel, abut_active_isa(), heaps, k, kept, indices, d2, {{0}}};
    parallel_run(&parallel, find_share, &nearest);
    for (unsigned w = 0; options->stats && w < parallel.workers; w++)
        stats_add(options->stats, &nearest.stats[w]);
    return ABUT_OK;
}

enum abut_status abut_nearest(const struct abut_index *index, const struct abut_points *points, size_t k,
                              const struct abut_options *options, uint32_t *indices, float *d2)
{
    IN_DEFAULT_FLOAT_MODE;
    options = options_or_none(options);
    if (!index || !points || abut_options_check(options) != ABUT_OK)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_check_set(abut_of_points(points));
    if (status != ABUT_OK)
        return status;
    const size_t shape = index->tree.leaves.shape;
    if (k == 0 || (shape != shape_point && shape != shape_sphere && shape != shape_aabb))
        return ABUT_ERROR_ARGUMENT;
    if (points->n > 0 && !indices)
        return ABUT_ERROR_NULL;
    if (points->n > SIZE_MAX / sizeof *indices / k)
        return ABUT_ERROR_TOO_MANY;
    const struct columns columns = abut_columns_of(abut_of_points(points));
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    if (points->n > 0)
        memset(indices, 0xff, points->n * k * sizeof *indices);
    for (size_t i = 0; d2 && i < points->n * k; i++)
        d2[i] = INFINITY;
    if (points->n > 0 && index->tree.leaves.n > 0)
        status = find_all(index, &columns, k, options, workspace, indices, d2);
    abut_workspace_end(&own);
    return status;
}
