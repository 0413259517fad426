/* SPDX-License-Identifier: MIT */
/* The model of a world: all pairs by the predicates, and the changes between two updates. */
#include "world_model.h"

#include "bvh/search/nearest.h"
#include "bvh/world/world.h"
#include "options.h"
#include "report.h"

#include <abut/distance.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t model_next_id(const struct model *model)
{
    uint32_t id = 0;
    while (id < model->slots && (model->items[id].live || model->items[id].removed))
        id++;
    return id;
}

/* The items of one shape, and their ids. */
static struct batch items_of(const struct model *model, enum shape shape, uint32_t ids[MOST_IDS])
{
    size_t n = 0;
    for (uint32_t id = 0; id < model->slots; id++)
        if (model->items[id].live && model->items[id].shape == shape)
            ids[n++] = id;
    struct batch batch = batch_new(shape, n);
    for (size_t i = 0; i < n; i++)
        batch_set(&batch, i, model->items[ids[i]].members);
    return batch;
}

static bool admitted(const struct model_item *a, const struct model_item *b)
{
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
}

/* Finds the pairs of two shapes. Without a predicate there are none: groups and masks keep such items apart. */
static void touch_shapes(const struct model *model, enum shape first, enum shape second,
                         bool touching[MOST_IDS][MOST_IDS])
{
    uint32_t a_ids[MOST_IDS], b_ids[MOST_IDS];
    union any_batch any_a, any_b;
    struct batch a = items_of(model, first, a_ids), b = items_of(model, second, b_ids);
    const size_t words = abut_mask_words(b.n);
    uint64_t *hits = calloc(a.n * words + 1, sizeof *hits);
    const enum abut_status status =
        abut_test_all(ABUT_TOUCHES, set_of(&a, &any_a), set_of(&b, &any_b), OPTIONS(model->touch, NULL), hits);
    CHECK(status == ABUT_OK || status == ABUT_ERROR_PREDICATE);
    for (size_t i = 0; i < a.n; i++)
        for (size_t j = 0; j < b.n; j++) {
            const uint32_t x = a_ids[i], y = b_ids[j];
            const bool admit = x != y && admitted(&model->items[x], &model->items[y]);
            if (admit && !CHECK(status == ABUT_OK))
                exit(finish("world"));
            if (admit && hit_at(hits + i * words, j))
                touching[x < y ? x : y][x < y ? y : x] = true;
        }
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

/* Compares a list of an update with the pairs for which one table is set and the other is not (or is, too: both). */
static void compare_list(bool set[MOST_IDS][MOST_IDS], bool other[MOST_IDS][MOST_IDS], bool both,
                         const struct abut_pair *pairs, size_t n, const char *list, const char *what)
{
    size_t right = 0;
    for (uint32_t a = 0; a < MOST_IDS; a++)
        for (uint32_t b = a + 1; b < MOST_IDS; b++)
            if (set[a][b] && other[a][b] == both) {
                if (right >= n || pairs[right].a != a || pairs[right].b != b) {
                    check_that(false, "%s: pair %zu of %zu %s is not (%u, %u)", what, right, n, list, a, b);
                    return;
                }
                right++;
            }
    check_that(right == n, "%s: %zu pairs %s and not %zu", what, n, list, right);
}

void model_update(struct model *model, const struct abut_world_changes *changes, bool kept, const char *what,
                  uint64_t *seen)
{
    static bool now[MOST_IDS][MOST_IDS];
    memset(now, 0, sizeof now);
    for (unsigned first = 0; first < shape_count; first++)
        for (unsigned second = first; second < shape_count; second++)
            if (first != shape_plane && second != shape_plane)
                touch_shapes(model, (enum shape)first, (enum shape)second, now);
    compare_list(now, model->touching, false, changes->began, changes->n_began, "began", what);
    compare_list(model->touching, now, false, changes->ended, changes->n_ended, "ended", what);
    if (kept)
        compare_list(now, model->touching, true, changes->kept, changes->n_kept, "kept", what);
    else
        check_that(changes->n_kept == 0, "%s: pairs that nobody asked for", what);
    memcpy(model->touching, now, sizeof now);
    for (size_t id = 0; id < model->slots; id++)
        model->items[id].removed = false;
    *seen += changes->n_began + changes->n_ended;
}

void model_compare(const struct model *model, const struct abut_world *world, const char *what)
{
    size_t live = 0, pairs = 0;
    for (uint32_t id = 0; id < MOST_IDS; id++) {
        const struct model_item *item = &model->items[id];
        uint32_t others[MOST_IDS], right[MOST_IDS];
        size_t n = 0, count = 0;
        check_that(abut_world_has(world, id) == item->live, "%s: id %u", what, id);
        if (!item->live)
            continue;
        live++;
        check_that(abut_world_data(world, id) == item->data, "%s: data of %u", what, id);
        for (uint32_t other = 0; other < MOST_IDS; other++)
            if (model->touching[id < other ? id : other][id < other ? other : id] && model->items[other].live)
                right[n++] = other;
        CHECK(abut_world_touching(world, id, others, MOST_IDS, &count) == ABUT_OK);
        check_that(count == n && memcmp(others, right, n * sizeof *right) == 0, "%s: what touches %u", what, id);
        pairs += n;
    }
    CHECK(abut_world_count(world) == live && 2 * abut_world_pair_count(world) == pairs);
}

static bool admits_query(const struct model_queries *queries, size_t q, const struct model_item *item)
{
    return !queries->groups || ((queries->groups[q] & item->mask) != 0 && (item->group & queries->masks[q]) != 0);
}

/* Of one shape: false if it has no predicate with the queries. */
static bool touch_queries(const struct model *model, enum shape shape, const struct model_queries *queries,
                          bool touching[MOST_QUERIES][MOST_IDS])
{
    uint32_t ids[MOST_IDS];
    union any_batch any;
    struct batch items = items_of(model, shape, ids);
    const bool hull = queries->set.kind == ABUT_SET_HULLS;
    const size_t words = abut_mask_words(items.n);
    uint64_t *hits = calloc(queries->n * words + 1, sizeof *hits);
    const struct abut_set set = set_of(&items, &any);
    const enum abut_status status = abut_test_all(ABUT_TOUCHES, hull ? set : queries->set, hull ? queries->set : set,
                                                  OPTIONS(model->touch, NULL), hits);
    for (size_t q = 0; q < queries->n && status == ABUT_OK; q++)
        for (size_t i = 0; i < items.n; i++)
            touching[q][ids[i]] = hit_at(hits + q * words, i) && admits_query(queries, q, &model->items[ids[i]]);
    const bool searches = hull || abut_world_searches(queries->set.kind, shape) || items.n == 0;
    free(hits);
    batch_free(&items);
    return searches;
}

void model_compare_queries(const struct model *model, struct abut_world *world, const struct model_queries *queries,
                           const char *what)
{
    static struct abut_pair pairs[MOST_QUERIES * MOST_IDS];
    static bool touching[MOST_QUERIES][MOST_IDS];
    const struct abut_filter filter = {.query_groups = queries->groups, .query_masks = queries->masks};
    const struct abut_options options = {.filter = queries->groups ? &filter : NULL};
    bool all = true, ok = true;
    uint64_t count = 7, fewer = 7;
    size_t n = 0;
    memset(touching, 0, sizeof touching);
    for (unsigned shape = 0; shape < shape_hull; shape++)
        if (shape != shape_plane)
            all &= touch_queries(model, (enum shape)shape, queries, touching);
    const enum abut_status status =
        abut_world_join(world, queries->set, &options, pairs, MOST_QUERIES * MOST_IDS, &count);
    if (!all && !queries->groups) {
        check_that(status == ABUT_ERROR_PREDICATE && count == 7, "%s: queries without a predicate", what);
        return;
    }
    if (!all && status == ABUT_ERROR_PREDICATE)
        return; /* labels of earlier items count as well */
    for (size_t q = 0; q < queries->n; q++)
        for (uint32_t id = 0; id < model->slots; id++)
            if (touching[q][id]) {
                ok &= n < count && pairs[n].a == q && pairs[n].b == id;
                n++;
            }
    check_that(status == ABUT_OK && ok && count == n, "%s: %llu pairs of queries, not %zu", what,
               (unsigned long long)count, n);
    CHECK(abut_world_join(world, queries->set, &options, pairs, n / 2, &fewer) == ABUT_OK && fewer == n);
}

/* The items that count for one point, in the right order. Returns how many. */
static size_t right_neighbours(const struct model *model, const struct model_queries *queries, size_t q,
                               const float point[3], const struct abut_neighbours *wanted, uint32_t right[MOST_IDS])
{
    struct abut_stats stats = {0};
    size_t n = 0;
    for (uint32_t id = 0; id < model->slots; id++) {
        const struct model_item *item = &model->items[id];
        const struct measured at = {item->shape, item->members};
        const float radii[2] = {wanted->within, 0};
        if (!item->live || !admits_query(queries, q, item) ||
            (wanted->limited && !abut_nearest_within(point, at, radii, model->touch == ABUT_CLOSED, &stats)))
            continue;
        size_t to = n++;
        for (; to > 0; to--) {
            const struct model_item *other = &model->items[right[to - 1]];
            if (abut_nearest_compare(point, at, (struct measured){other->shape, other->members}, &stats) >= 0)
                break;
            right[to] = right[to - 1];
        }
        right[to] = id;
    }
    return n;
}

/* Whether a squared distance has the bits of distance.h. */
static bool same_distance(const float *point, const struct model_item *item, float d2)
{
    const bool is_point = item->shape == shape_point;
    struct columns columns = {.shape = is_point ? shape_aabb : item->shape, .n = 1};
    union any_batch any;
    float right = NAN;
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        columns.at[k] = &item->members[is_point ? k % 3 : k];
    const struct abut_points one = {1, point, point + 1, point + 2};
    CHECK(abut_distance(&one, set_of_columns(&columns, &any), &right, NULL) == ABUT_OK);
    return memcmp(&right, &d2, sizeof d2) == 0;
}

void model_compare_nearest(const struct model *model, struct abut_world *world, const struct model_queries *points,
                           const struct abut_neighbours *wanted, const struct abut_options *options, const char *what)
{
    static uint32_t ids[MOST_QUERIES * MOST_IDS], again[MOST_QUERIES * MOST_IDS];
    static float d2[MOST_QUERIES * MOST_IDS];
    const struct abut_points *from = points->set.items;
    const struct abut_filter filter = {.query_groups = points->groups, .query_masks = points->masks};
    struct abut_options with = *options;
    with.filter = points->groups ? &filter : NULL;
    CHECK(abut_world_nearest(world, from, wanted, &with, ids, d2) == ABUT_OK);
    CHECK(abut_world_nearest(world, from, wanted, &with, again, NULL) == ABUT_OK);
    check_that(memcmp(ids, again, from->n * wanted->k * sizeof *ids) == 0, "%s: without distances", what);
    for (size_t q = 0; q < from->n; q++) {
        const float point[3] = {from->x[q], from->y[q], from->z[q]};
        uint32_t right[MOST_IDS];
        const bool valid = isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
        const size_t n = valid ? right_neighbours(model, points, q, point, wanted, right) : 0;
        for (size_t j = 0; j < wanted->k; j++) {
            const uint32_t id = ids[q * wanted->k + j], due = j < n ? right[j] : UINT32_MAX;
            const float square = d2[q * wanted->k + j];
            check_that(id == due, "%s: neighbour %zu of %zu is %u and not %u", what, j, wanted->k, id, due);
            CHECK(id != due ||
                  (due == UINT32_MAX ? square == INFINITY : same_distance(point, &model->items[id], square)));
        }
    }
}
