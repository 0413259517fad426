/* SPDX-License-Identifier: MIT */
/* Tests masks of hulls, bits and classes, made directly and by index, against the predicates that they stand for. */
#include "account.h"
#include "layouts.h"
#include "options.h"
#include "report.h"

#include <abut/engine.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000, HULLS = 32, WORDS = MOST / 64 + 1 };

static uint64_t right[HULLS * WORDS], bits[HULLS * WORDS + 1];
static uint32_t masks[MOST + 1];
static uint8_t classes[HULLS * MOST + 1], right_classes[MOST];

/* Boxes as hulls, some of them all of space, some invalid, and the boxes themselves. */
static struct batch make_hulls(enum layout layout, struct random *random, size_t n, struct batch *boxes)
{
    struct batch hulls = batch_new(shape_hull, n);
    *boxes = make_batch(shape_aabb, layout, true, random, n);
    for (size_t i = 0; i < n; i++) {
        float box[6], planes[6][4], hull[MAX_MEMBERS] = {0};
        batch_get(boxes, i, box);
        hull[HULL_COUNT] = (float)abut_hull_aabb(box, box + 3, planes);
        memcpy(hull + HULL_PLANES, planes, sizeof planes);
        if (hull[HULL_COUNT] == 0) {
            const float space[4] = {0, 0, 0, random_below(random, 2) ? -1.0f : 1.0f};
            memcpy(hull + HULL_PLANES, space, sizeof space);
            hull[HULL_COUNT] = 1;
        }
        if (random_below(random, 10) == 0)
            hull[HULL_PLANES + 3] = NAN;
        batch_set(&hulls, i, hull);
    }
    return hulls;
}

/* Each mask against the bits in right, which are rows of hulls. */
static void check_masks(size_t n, size_t hulls, const char *what)
{
    const size_t words = abut_mask_words(n);
    check_that(masks[n] == 0xa5a5a5a5, "%s: a mask too many", what);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < HULLS; j++)
            check_that((masks[i] >> j & 1) == (j < hulls && hit_at(right + j * words, i)), "%s: item %zu, hull %zu",
                       what, i, j);
}

static bool exists(enum abut_relation relation, enum abut_set_kind a, enum abut_set_kind b)
{
    size_t n;
    const struct abut_predicate *predicates = abut_predicates(&n);
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found |= predicates[i].a == a && predicates[i].b == b &&
                 (predicates[i].relation == relation || (a == ABUT_SET_POINTS && relation != ABUT_CULL));
    return found;
}

/* Bits and masks of all relations, of items as they are and as an index skips them. */
static void check_relation(enum abut_relation relation, struct abut_set items, struct abut_set skipped,
                           const struct abut_hulls *hulls, const struct abut_index *index,
                           const struct abut_options *options)
{
    const size_t n = *(const size_t *)items.items, words = abut_mask_words(n);
    const struct abut_set set = abut_of_hulls(hulls);
    const struct abut_options rule = {.touch = options->touch};
    if (!exists(relation, items.kind, ABUT_SET_HULLS))
        return;
    CHECK(abut_test_all(relation, items, set, &rule, right) == ABUT_OK);
    memset(masks, 0xa5, sizeof masks);
    CHECK(abut_test_masks(relation, items, hulls, &rule, masks) == ABUT_OK);
    check_masks(n, hulls->n, "masks");
    CHECK(abut_test_all(relation, skipped, set, &rule, right) == ABUT_OK);
    memset(masks, 0xa5, sizeof masks);
    CHECK(abut_join_masks(index, set, options, masks) == ABUT_OK);
    check_masks(n, hulls->n, "masks by index");
    memset(bits, 0xa5, sizeof bits);
    CHECK(abut_join_bits(index, set, options, bits) == ABUT_OK);
    check_that(memcmp(bits, right, hulls->n * words * sizeof *bits) == 0, "bits by index");
    CHECK(bits[hulls->n * words] == UINT64_C(0xa5a5a5a5a5a5a5a5));
}

static void check_classes(struct abut_set items, const struct abut_hulls *hulls, const struct abut_index *index,
                          const struct abut_options *options)
{
    const size_t n = *(const size_t *)items.items;
    if (items.kind == ABUT_SET_POINTS) {
        CHECK(abut_join_classes(index, hulls, options, classes) == ABUT_ERROR_PREDICATE);
        return;
    }
    memset(classes, 9, sizeof classes);
    CHECK(abut_join_classes(index, hulls, options, classes) == ABUT_OK);
    for (size_t j = 0; j < hulls->n; j++) {
        struct abut_hulls one = *hulls;
        one.n = 1;
        one.offsets += j;
        CHECK(abut_classify(items, abut_of_hulls(&one), NULL, right_classes) == ABUT_OK);
        for (size_t i = 0; i < n; i++)
            check_that(classes[j * n + i] == right_classes[i], "class of item %zu and hull %zu is %u and not %u", i, j,
                       classes[j * n + i], right_classes[i]);
    }
    CHECK(classes[hulls->n * n] == 9);
}

static void check_cull_box(struct abut_set items, const struct abut_hulls *hulls, const struct abut_aabbs *boxes)
{
    const size_t n = *(const size_t *)items.items, words = abut_mask_words(n);
    for (size_t j = 0; j < hulls->n && items.kind != ABUT_SET_POINTS; j++) {
        struct abut_hulls hull = *hulls;
        const struct abut_aabbs box = {
            1, boxes->minx + j, boxes->miny + j, boxes->minz + j, boxes->maxx + j, boxes->maxy + j, boxes->maxz + j};
        hull.n = 1;
        hull.offsets += j;
        CHECK(abut_test(ABUT_CULL, items, abut_of_hulls(&hull), NULL, right) == ABUT_OK);
        CHECK(abut_test(ABUT_TOUCHES, items, abut_of_aabbs(&box), NULL, right + words) == ABUT_OK);
        bits[words] = UINT64_MAX;
        CHECK(abut_test_cull_box(items, &hull, &box, NULL, bits) == ABUT_OK);
        for (size_t w = 0; w < words; w++)
            check_that(bits[w] == (right[w] & right[words + w]), "planes and box: word %zu", w);
        CHECK(bits[words] == UINT64_MAX);
    }
}

static void run_scene(enum shape item, enum layout layout, const struct abut_threads *threads, struct random *random)
{
    const size_t n = item == shape_obb ? random_below(random, 200) : random_below(random, MOST);
    const size_t hulls_n = random_below(random, 3) == 0 ? random_below(random, 2) * HULLS : random_below(random, 9);
    struct batch items = make_batch(item, layout, false, random, n), boxes,
                 hulls = make_hulls(layout, random, hulls_n, &boxes), skipped = invalid_as_nan(&items);
    union any_batch any, any_hulls, any_boxes, any_skipped;
    const struct abut_set set = set_of(&items, &any), set_skipped = set_of(&skipped, &any_skipped);
    const struct abut_hulls *of_hulls = set_of(&hulls, &any_hulls).items;
    const struct abut_options skip = {.skip_invalid = true};
    struct abut_index *index = NULL;
    CHECK((random_below(random, 2) ? abut_index_view(set, 0.5f, &skip, NULL, &index)
                                   : abut_index_new(set, &skip, NULL, &index)) == ABUT_OK);
    for (enum abut_relation relation = ABUT_TOUCHES; relation <= ABUT_CULL; relation++) {
        const struct abut_options options = {.touch = (enum abut_touch)random_below(random, 2),
                                             .relation = relation,
                                             .threads = random_below(random, 2) ? threads : NULL};
        check_relation(relation, set, set_skipped, of_hulls, index, &options);
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct abut_options options = {.touch = (enum abut_touch)random_below(random, 2),
                                             .threads = random_below(random, 2) ? threads : NULL};
        check_classes(set_skipped, of_hulls, index, &options);
    }
    check_cull_box(set, of_hulls, set_of(&boxes, &any_boxes).items);
    abut_index_free(index);
    batch_free(&items);
    batch_free(&skipped);
    batch_free(&boxes);
    batch_free(&hulls);
}

/* Queries of another shape than hulls. */
static void check_spheres(enum layout layout, const struct abut_threads *threads, struct random *random)
{
    const size_t n = random_below(random, 500), queries_n = random_below(random, HULLS + 1);
    struct batch items = make_batch(shape_aabb, layout, true, random, n),
                 queries = make_batch(shape_sphere, layout, false, random, queries_n);
    union any_batch any, any_queries;
    const struct abut_set set = set_of(&items, &any), query_set = set_of(&queries, &any_queries);
    const struct abut_options options = {.threads = threads};
    struct abut_index *index = NULL;
    CHECK(abut_index_new(set, NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_test_all(ABUT_TOUCHES, query_set, set, NULL, right) == ABUT_OK);
    CHECK(abut_join_bits(index, query_set, &options, bits) == ABUT_OK);
    check_that(memcmp(bits, right, queries_n * abut_mask_words(n) * sizeof *bits) == 0, "bits of spheres");
    memset(masks, 0xa5, sizeof masks);
    CHECK(abut_join_masks(index, query_set, &options, masks) == ABUT_OK);
    check_masks(n, queries_n, "masks of spheres");
    abut_index_free(index);
    batch_free(&items);
    batch_free(&queries);
}

static void check_errors(void)
{
    const float x[40] = {0};
    uint32_t offsets[40];
    for (uint32_t i = 0; i < 40; i++)
        offsets[i] = i;
    const struct abut_hulls many = {33, offsets, x, x, x, x}, one = {1, offsets, x, x, x, x},
                            two = {2, offsets, x, x, x, x};
    const struct abut_spheres spheres = {3, x, x, x, x}, thirty_three = {33, x, x, x, x};
    const struct abut_aabbs box = {1, x, x, x, x, x, x};
    const struct abut_planes plane = {1, x, x, x, x};
    const struct abut_set s = abut_of_spheres(&spheres);
    const struct abut_filter filter = {0};
    const struct abut_own own = {{0, 0, 0}, {1, 1, 1}};
    struct abut_index *index = NULL, *points = NULL;
    CHECK(abut_index_new(s, NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_new(abut_of_points(&(struct abut_points){.n = 0}), NULL, NULL, &points) == ABUT_OK);
    CHECK(abut_test_masks(ABUT_TOUCHES, s, &many, NULL, masks) == ABUT_ERROR_TOO_MANY);
    CHECK(abut_test_masks(ABUT_TOUCHES, s, &one, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_test_masks(ABUT_TOUCHES, s, NULL, NULL, masks) == ABUT_ERROR_NULL);
    CHECK(abut_test_masks(ABUT_TOUCHES, abut_of_planes(&plane), &one, NULL, masks) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_masks(index, abut_of_hulls(&many), NULL, masks) == ABUT_ERROR_TOO_MANY);
    CHECK(abut_join_masks(index, abut_of_spheres(&thirty_three), NULL, masks) == ABUT_ERROR_TOO_MANY);
    CHECK(abut_join_masks(index, s, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_join_masks(NULL, s, NULL, masks) == ABUT_ERROR_NULL);
    CHECK(abut_join_bits(index, s, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_join_bits(NULL, s, NULL, bits) == ABUT_ERROR_NULL);
    CHECK(abut_join_classes(NULL, &one, NULL, classes) == ABUT_ERROR_NULL);
    CHECK(abut_join_classes(index, NULL, NULL, classes) == ABUT_ERROR_NULL);
    CHECK(abut_join_classes(index, &one, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_join_classes(points, &one, NULL, classes) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_classes(index, &one, &(struct abut_options){.filter = &filter}, classes) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_join_classes(index, &one, &(struct abut_options){.own = &own}, classes) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_test_cull_box(s, &one, &box, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_test_cull_box(s, &two, &box, NULL, bits) == ABUT_ERROR_LENGTHS);
    CHECK(abut_test_cull_box(s, &one, NULL, NULL, bits) == ABUT_ERROR_NULL);
    abut_index_free(index);
    abut_index_free(points);
}

/* Every allocation of a search fails, alone and with all that follow. */
static void fail_each(void)
{
    struct random random = {4};
    struct batch items = make_batch(shape_aabb, layout_even, true, &random, 500), boxes,
                 hulls = make_hulls(layout_even, &random, 5, &boxes);
    union any_batch any, any_hulls;
    const struct abut_set hull_set = set_of(&hulls, &any_hulls);
    struct abut_index *index = NULL;
    CHECK(abut_index_new(set_of(&items, &any), NULL, NULL, &index) == ABUT_OK);
    for (unsigned form = 0; form < 6; form++)
        for (size_t left = 0;; left++) {
            struct account account = {.left = left, .recovers = form % 2 != 0};
            const struct abut_allocator allocator = {take, give, &account};
            const struct abut_options options = {.allocator = &allocator,
                                                 .relation = form / 2 < 2 ? ABUT_CULL : ABUT_TOUCHES};
            const enum abut_status status = form / 2 == 0 ? abut_join_bits(index, hull_set, &options, bits)
                                            : form / 2 == 1
                                                ? abut_join_masks(index, hull_set, &options, masks)
                                                : abut_join_classes(index, hull_set.items, &options, classes);
            CHECK(account.open == 0);
            CHECK(status == ABUT_OK || status == ABUT_ERROR_MEMORY);
            if (status == ABUT_OK) {
                CHECK(left > 2);
                break;
            }
        }
    abut_index_free(index);
    batch_free(&items);
    batch_free(&boxes);
    batch_free(&hulls);
}

static void run(enum layout layout, const struct abut_threads *threads, struct random *random)
{
    static const enum shape shapes[] = {shape_point, shape_sphere, shape_aabb, shape_obb};
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
        run_scene(shapes[s], layout, threads, random);
    check_spheres(layout, threads, random);
}

static void end(struct random *random)
{
    (void)random;
    check_errors();
    fail_each();
}

int main(int argc, char **argv)
{
    return layouts_main(&(const struct layouts_test){"engine_masks", run, end}, argc, argv);
}
