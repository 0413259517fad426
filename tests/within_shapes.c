/* SPDX-License-Identifier: MIT */
/* Joins within a distance of all shapes that an index holds, with the distances of all pairs in rational arithmetic. */
#include "corners.h"
#include "exact/formula_table.h"
#include "index_scenes.h"
#include "options.h"
#include "report.h"

#include <abut/index.h>

#include <math.h>
#include <string.h>

enum { MOST = 7, SHAPES = 7 };

static const enum shape shapes[SHAPES] = {shape_point,   shape_sphere,  shape_aabb,    shape_obb,
                                          shape_segment, shape_capsule, shape_triangle};

/* An item in rational numbers: the hull of its corners, and the radius around it. */
struct solid {
    enum shape shape;
    float at[ABUT_MAX_FIELDS], r;
    bool invalid;
};

static struct solid solid_at(const struct batch *batch, size_t i)
{
    struct solid solid = {.shape = batch->shape};
    batch_get(batch, i, solid.at);
    solid.r = batch->shape == shape_sphere ? solid.at[3] : batch->shape == shape_capsule ? solid.at[6] : 0;
    switch (batch->shape) {
    case shape_aabb:
        solid.invalid = aabb_INVALID(solid.at);
        break;
    case shape_obb:
        solid.invalid = obb_INVALID(solid.at);
        break;
    case shape_triangle:
        solid.invalid = triangle_INVALID(solid.at);
        break;
    case shape_segment:
    case shape_capsule:
        solid.invalid = segment_INVALID(solid.at) || !(solid.r >= 0);
        break;
    default:
        solid.invalid = point_INVALID(solid.at) || !(solid.r >= 0);
    }
    return solid;
}

static struct corners corners_of(const struct solid *solid)
{
    switch (solid->shape) {
    case shape_aabb:
        return corners_of_aabb(solid->at, FAR);
    case shape_obb:
        return corners_of_obb(solid->at, FAR);
    case shape_triangle:
        return corners_of_points(solid->at, 3);
    case shape_segment:
    case shape_capsule:
        return corners_of_points(solid->at, 2);
    default:
        return corners_of_points(solid->at, 1);
    }
}

/* A point and an OBB, which measures along its axes as they are given. */
static int slabs_within(const float *point, const float *obb, mpq_srcptr r)
{
    mpq_ptr from[3], sum = of(0);
    for (unsigned k = 0; k < 3; k++)
        from[k] = minus(of(point[k]), of(obb[k]));
    for (unsigned i = 0; i < 3; i++) {
        mpq_ptr axis[3] = {of(obb[6 + 3 * i]), of(obb[7 + 3 * i]), of(obb[8 + 3 * i])};
        if (isfinite(obb[3 + i]))
            sum = plus(sum, square(greater(minus(absolute(dot3(axis, from)), of(obb[3 + i])), of(0))));
    }
    return at_most(sum, square(r));
}

static bool is_round(enum shape shape)
{
    return shape == shape_point || shape == shape_sphere;
}

static int answer(const struct solid *a, const struct solid *b, float distance)
{
    used = 0;
    if (a->invalid || b->invalid)
        return MISS;
    if (isinf(a->r) || isinf(b->r))
        return HIT;
    mpq_ptr r = plus(plus(of(a->r), of(b->r)), of(distance));
    if (is_round(a->shape) && b->shape == shape_obb)
        return slabs_within(a->at, b->at, r);
    if (is_round(b->shape) && a->shape == shape_obb)
        return slabs_within(b->at, a->at, r);
    const struct corners corners_a = corners_of(a), corners_b = corners_of(b);
    return within(&corners_a, &corners_b, r);
}

/* Each arithmetic of the formula gives the answer, or leaves it to the next one. */
static void check_formulas(const struct solid *a, const struct solid *b, float distance, int is)
{
    static const struct measure_table *const stages[] = {&abut_measures_sized, &abut_measures_filter64,
                                                         &abut_measures_compact, &abut_measures_full};
    if (is_round(a->shape) || is_round(b->shape) || a->invalid || b->invalid)
        return;
    /* Each stage by itself, and after those before it. */
    struct features handed_on = {.apart = false};
    for (unsigned i = 0; i < 8; i++) {
        struct features fresh = {.apart = false}, *left = i < 4 ? &handed_on : &fresh;
        const int found = stages[i % 4]->within(a->shape, a->at, b->shape, b->at, distance, left);
        check_that(found == is || (i % 4 < 3 && found == ANSWER_UNKNOWN), "%s and %s within %a: %d in stage %u, not %d",
                   shape_info(a->shape)->name, shape_info(b->shape)->name, (double)distance, found, i, is);
        if (found != ANSWER_UNKNOWN && i < 3)
            i = 3; /* there is nothing to hand on */
    }
}

/* Members of a small grid: many equal distances, parallel edges and faces, flat boxes and triangles that are lines. */
static void make_shared(struct random *random, enum shape shape, float *item)
{
    static const float turned[9] = {0.6f, 0.8f, 0, -0.8f, 0.6f, 0, 0, 0, -1};
    for (unsigned k = 0; k < shape_info(shape)->fields; k++)
        item[k] = (float)random_below(random, 5) - 2;
    if (shape == shape_aabb)
        for (unsigned k = 0; k < 3; k++)
            item[k + 3] = item[k] + (float)random_below(random, 3) * 0.5f;
    if (shape == shape_sphere || shape == shape_capsule)
        item[shape_info(shape)->fields - 1] = (float)random_below(random, 3) * 0.25f;
    if (shape != shape_obb)
        return;
    const unsigned axes = random_below(random, 2);
    for (unsigned k = 3; k < 6; k++)
        item[k] = (float)random_below(random, 3) * 0.5f;
    for (unsigned k = 0; k < 9; k++)
        item[6 + k] = axes ? turned[k] : k % 4 == 0;
}

/* As many layouts as there are, and then shared members. */
static struct batch make_scene(struct random *random, enum shape shape, unsigned layout, bool strict, size_t n)
{
    if (layout < layout_count)
        return make_batch(shape, (enum layout)layout, strict, random, n);
    struct batch batch = batch_new(shape, n);
    float item[ABUT_MAX_FIELDS];
    for (size_t i = 0; i < n; i++) {
        make_shared(random, shape, item);
        batch_set(&batch, i, item);
    }
    return batch;
}

/* About as far as some of the items are apart. */
static float some_distance(struct random *random, const struct batch *a, const struct batch *b)
{
    static const float shares[] = {0.25f, 1, 0.3f, 2};
    const struct solid p = solid_at(a, random_below(random, (unsigned)a->n));
    const struct solid q = solid_at(b, random_below(random, (unsigned)b->n));
    const float distance = fabsf(p.at[0] - q.at[0]) * shares[random_below(random, 4)];
    return distance > 0 && distance < INFINITY ? distance : shares[random_below(random, 4)];
}

/* The pairs of both rules, with the index of b, and the number of each among them as found[a][b]. */
static bool find(const struct abut_index *index, const struct batch *a, float distance, bool open,
                 unsigned char found[MOST][MOST])
{
    struct abut_pair pairs[MOST * MOST];
    union any_batch any;
    uint64_t count = 0;
    const struct abut_options options = {.touch = open ? ABUT_OPEN : ABUT_CLOSED};
    const struct abut_reach reach = {.within = distance};
    memset(found, 0, MOST * MOST);
    if (abut_join_within(index, set_of(a, &any), &reach, &options, pairs, MOST * MOST, &count) != ABUT_OK)
        return false;
    for (size_t i = 0; i < count && i < MOST * MOST; i++)
        found[pairs[i].a][pairs[i].b]++;
    return count <= MOST * MOST;
}

static void check_scene(struct random *random, enum shape query, enum shape item, unsigned layout)
{
    const uint64_t seed = random->state;
    const size_t n = 1 + random_below(random, MOST), m = 1 + random_below(random, MOST);
    struct batch a = make_scene(random, query, layout, false, n), b = make_scene(random, item, layout, true, m);
    const float distance = some_distance(random, &a, &b);
    unsigned char found[2][MOST][MOST];
    union any_batch any;
    struct abut_index *index = NULL;
    const bool view = random_below(random, 3) == 0;
    bool ok = (view ? abut_index_view(set_of(&b, &any), 0.25f, NULL, NULL, &index)
                    : abut_index_new(set_of(&b, &any), NULL, NULL, &index)) == ABUT_OK;
    ok = ok && find(index, &a, distance, false, found[0]) && find(index, &a, distance, true, found[1]);
    for (size_t i = 0; i < n && ok; i++)
        for (size_t j = 0; j < m && ok; j++) {
            const struct solid p = solid_at(&a, i), q = solid_at(&b, j);
            const int is = answer(&p, &q, distance);
            check_formulas(&p, &q, distance, is);
            ok = check_that(found[0][i][j] == (is != MISS) && found[1][i][j] == (is == HIT),
                            "%s %zu and %s %zu within %a, layout %u: %d closed, %d open, not %d; seed %llu",
                            shape_info(query)->name, i, shape_info(item)->name, j, (double)distance, layout,
                            found[0][i][j], found[1][i][j], is, (unsigned long long)seed);
        }
    check_that(ok, "%ss and %ss within %a, layout %u; seed %llu", shape_info(query)->name, shape_info(item)->name,
               (double)distance, layout, (unsigned long long)seed);
    abut_index_free(index);
    batch_free(&a);
    batch_free(&b);
}

static float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The least distance within which two items are. */
static float least_within(const struct solid *a, const struct solid *b)
{
    uint32_t low = 0, high = 0x7f7fffff; /* FLT_MAX */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (answer(a, b, float_of_bits(middle)) != MISS)
            high = middle;
        else
            low = middle + 1;
    }
    return float_of_bits(low);
}

/* One pair by both rules. */
static void check_pair(const struct batch *a, const struct batch *b, float distance, int is, uint64_t seed)
{
    union any_batch any;
    struct abut_index *index = NULL;
    CHECK(abut_index_new(set_of(b, &any), NULL, NULL, &index) == ABUT_OK);
    for (unsigned open = 0; open < 2; open++) {
        unsigned char found[MOST][MOST];
        check_that(find(index, a, distance, open, found) && found[0][0] == (open ? is == HIT : is != MISS),
                   "%s and %s %a apart, %s; seed %llu", shape_info(a->shape)->name, shape_info(b->shape)->name,
                   (double)distance, open ? "open" : "closed", (unsigned long long)seed);
    }
    abut_index_free(index);
}

/* One pair at the least distance within which it is, and at the float before. */
static void check_edge(struct random *random, enum shape query, enum shape item, unsigned layout)
{
    const uint64_t seed = random->state;
    struct batch a = make_scene(random, query, layout, true, 1), b = make_scene(random, item, layout, true, 1);
    const struct solid p = solid_at(&a, 0), q = solid_at(&b, 0);
    const float edge = least_within(&p, &q), distances[2] = {edge, nextafterf(edge, 0)};
    for (unsigned i = 0; i < 2 && distances[i] > 0; i++) {
        const int is = answer(&p, &q, distances[i]);
        check_formulas(&p, &q, distances[i], is);
        check_pair(&a, &b, distances[i], is, seed);
    }
    batch_free(&a);
    batch_free(&b);
}

/* Corner to edge, edge to edge and corner to face: whole distances of two turned cubes and of two triangles. */
static void check_known(void)
{
    const float zero = 0, one = 1, five = 5, half = 0.5f, low = 0.25f, high = 3;
    const struct abut_obbs cube = {1,     &zero, &zero, &zero, &half, &half, &half, &one,
                                   &zero, &zero, &zero, &one,  &zero, &zero, &zero, &one};
    const struct abut_obbs other = {1,     &five, &five, &zero, &half, &half, &half, &one,
                                    &zero, &zero, &zero, &one,  &zero, &zero, &zero, &one};
    const struct abut_triangles flat = {1, &zero, &zero, &zero, &five, &zero, &zero, &zero, &five, &zero};
    const struct abut_triangles above = {1, &low, &low, &high, &low, &high, &five, &high, &low, &five};
    const struct {
        struct abut_set a, b;
        float distance;
    } known[] = {{abut_of_obbs(&cube), abut_of_obbs(&other), 0x1.6a09e8p2f}, /* the square root of 32, rounded up */
                 {abut_of_triangles(&flat), abut_of_triangles(&above), 3}};
    for (unsigned i = 0; i < 2; i++) {
        struct abut_index *index = NULL;
        CHECK(abut_index_new(known[i].b, NULL, NULL, &index) == ABUT_OK);
        for (unsigned nearer = 0; nearer < 2; nearer++) {
            const struct abut_reach reach = {.within = nearer ? nextafterf(known[i].distance, 0) : known[i].distance};
            uint64_t count = 7;
            CHECK(abut_join_within(index, known[i].a, &reach, NULL, NULL, 0, &count) == ABUT_OK);
            CHECK(count == !nearer);
        }
        abut_index_free(index);
    }
}

/*
 * A flat box and a segment that share a corner. The sweeps of the float64 bounds come so near to it that the square of
 * the distance left underflows: then a direction shows nothing.
 */
static void check_tiny(void)
{
    const float from[3] = {-1, 0.3f, -2}, to[3] = {10, 0.7f, 0}, end[3] = {1e5f, -1, -0.1f}, zero = 0;
    const struct abut_aabbs box = {1, &from[0], &from[1], &from[2], &to[0], &to[1], &to[2]};
    const struct abut_segments segment = {1, &to[0], &from[1], &zero, &end[0], &end[1], &end[2]};
    const struct abut_reach reach = {.within = 0x1p-149f};
    struct abut_index *index = NULL;
    uint64_t count = 7;
    CHECK(abut_index_new(abut_of_aabbs(&box), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join_within(index, abut_of_segments(&segment), &reach, NULL, NULL, 0, &count) == ABUT_OK && count == 1);
    abut_index_free(index);
    CHECK(abut_index_new(abut_of_segments(&segment), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join_within(index, abut_of_aabbs(&box), &reach, NULL, NULL, 0, &count) == ABUT_OK && count == 1);
    abut_index_free(index);
}

/* Triangles and segments in the planes 3 y + 4 z = 0 and 25, which are 5 apart, with long edges: roundings show. */
static void check_parallel(struct random *random)
{
    enum { PAIRS = 40, EXTENT = 1 << 20 };
    for (unsigned i = 0; i < PAIRS; i++) {
        const uint64_t seed = random->state;
        struct batch batches[2];
        for (unsigned s = 0; s < 2; s++) {
            float item[ABUT_MAX_FIELDS];
            batches[s] = batch_new(i >> s & 1 ? shape_triangle : shape_segment, 1);
            for (unsigned k = 0; k < 9; k += 3) {
                const float along = (float)random_below(random, EXTENT) - EXTENT / 2;
                item[k] = (float)random_below(random, EXTENT) - EXTENT / 2;
                item[k + 1] = 4 * along + 3 * (float)s;
                item[k + 2] = -3 * along + 4 * (float)s;
            }
            batch_set(&batches[s], 0, item);
        }
        const struct solid p = solid_at(&batches[0], 0), q = solid_at(&batches[1], 0);
        const int is = answer(&p, &q, 5);
        check_formulas(&p, &q, 5, is);
        check_pair(&batches[0], &batches[1], 5, is, seed);
        batch_free(&batches[0]);
        batch_free(&batches[1]);
    }
}

/* Axes that depend on each other: an OBB that is infinite along them is a plane, x = 0, which a capsule is 1 from. */
static void check_plane(void)
{
    const float zero = 0, one = 1, two = 2, all = INFINITY;
    const struct abut_obbs plane = {1,    &zero, &zero, &zero, &all,  &all,  &all, &zero,
                                    &one, &zero, &zero, &one,  &zero, &zero, &one, &one};
    const struct abut_capsules capsule = {1, &two, &one, &one, &two, &two, &one, &one};
    struct abut_index *index = NULL;
    uint64_t count = 7;
    CHECK(abut_index_new(abut_of_capsules(&capsule), NULL, NULL, &index) == ABUT_OK);
    for (unsigned nearer = 0; nearer < 2; nearer++) {
        const struct abut_reach reach = {.within = nearer ? nextafterf(one, 0) : one};
        CHECK(abut_join_within(index, abut_of_obbs(&plane), &reach, NULL, NULL, 0, &count) == ABUT_OK);
        CHECK(count == !nearer);
    }
    abut_index_free(index);
}

/* How many pairs the first float64 filter leaves undecided, of these OBBs and their AABBs. */
static void check_long_with_aabbs(const struct batch *boxes)
{
    struct batch around = batch_new(shape_aabb, boxes->n);
    union any_batch any;
    size_t undecided = 0;
    CHECK(abut_aabbs_of(set_of(boxes, &any), around.at) == ABUT_OK);
    for (size_t i = 0; i < around.n; i++)
        for (size_t j = 0; j < boxes->n; j++) {
            float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
            batch_get(&around, i, a);
            batch_get(boxes, j, b);
            undecided += abut_formulas_sized.pairs[predicate_aabb_obb](a, b) == ANSWER_UNKNOWN;
        }
    check_that(undecided < around.n * boxes->n / 50, "long boxes and AABBs: %zu of %zu pairs are left undecided",
               undecided, around.n * boxes->n);
    batch_free(&around);
}

static void check_long_boxes(struct random *random)
{
    enum { BOXES = 60 };
    struct batch boxes = batch_new(shape_obb, BOXES);
    for (size_t i = 0; i < BOXES; i++) {
        const float angle = random_between(random, 0, 6), c = cosf(angle), s = sinf(angle);
        float box[15] = {0, 0, 0, 0, 0, 0, c, s, 0, -s, c, 0, 0, 0, 1};
        for (unsigned k = 0; k < 3; k++) {
            box[k] = ldexpf(random_between(random, -1, 1), (int)random_below(random, 30));
            box[3 + k] = ldexpf(1, random_below(random, 4) == 0 ? 120 : (int)random_below(random, 20));
        }
        batch_set(&boxes, i, box);
    }
    union any_batch any;
    struct abut_index *index;
    struct abut_stats stats = {0};
    uint64_t count = 0;
    const struct abut_reach reach = {.within = 0.5f};
    CHECK(abut_index_new(set_of(&boxes, &any), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join_within(index, set_of(&boxes, &any), &reach, OPTIONS(ABUT_CLOSED, &stats), NULL, 0, &count) ==
          ABUT_OK);
    /* Rounding hides what is at a right angle to an axis times 2^120; most pairs must be decided all the same. */
    check_that(count > BOXES && stats.exact < count / 10, "long boxes: %llu of %llu pairs are decided exactly",
               (unsigned long long)stats.exact, (unsigned long long)count);
    abut_index_free(index);
    check_long_with_aabbs(&boxes);
    batch_free(&boxes);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    check_known();
    check_tiny();
    check_plane();
    check_parallel(&random);
    check_long_boxes(&random);
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned i = 0; i < SHAPES * SHAPES; i++) {
            const enum shape query = shapes[i % SHAPES], item = shapes[i / SHAPES];
            for (unsigned layout = 0; layout <= layout_count; layout++)
                check_scene(&random, query, item, layout);
            for (unsigned j = 0; j < 4; j++)
                check_edge(&random, query, item, j % 2 ? layout_count : layout_even);
        }
    return finish("within, all shapes");
}
