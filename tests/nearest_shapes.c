/* SPDX-License-Identifier: MIT */
/* Compares the neighbours of points among all indexed shapes with the oracle of distances, at three thousand bits. */
#include "index_scenes.h"
#include "nearest_right.h"
#include "report.h"

#include <abut/index.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 300, POINTS = 8 };

static mpf_t distances[MOST];

static struct batch make_scene(struct random *random, enum shape shape, unsigned layout, size_t n)
{
    if (layout < layout_count)
        return make_batch(shape, (enum layout)layout, true, random, n);
    struct batch batch = batch_new(shape, n);
    float item[ABUT_MAX_FIELDS];
    for (size_t i = 0; i < n; i++) {
        make_shared(random, shape, item);
        batch_set(&batch, i, item);
    }
    return batch;
}

/* Points of a finer grid, vertices of items among them, or of the layout. */
static struct batch make_points(struct random *random, const struct batch *items, unsigned layout)
{
    struct batch points = batch_new(shape_point, POINTS);
    float point[ABUT_MAX_FIELDS], item[ABUT_MAX_FIELDS];
    for (size_t i = 0; i < POINTS; i++) {
        if (layout < layout_count)
            make_item(shape_point, (enum layout)layout, true, random, point);
        for (unsigned k = 0; k < 3 && layout >= layout_count; k++)
            point[k] = (float)random_below(random, 13) * 0.5f - 2;
        if (random_below(random, 4) == 0 && items->n > 0) {
            batch_get(items, random_below(random, (unsigned)items->n), item);
            memcpy(point, item, 3 * sizeof *item);
        }
        for (unsigned k = 0; k < 3; k++)
            point[k] = isfinite(point[k]) ? point[k] : 0;
        batch_set(&points, i, point);
    }
    return points;
}

/* Distances that many items of some scenes have exactly. */
static const float limits[] = {0, 0.5f, 1, 7};
enum { LIMITS = sizeof limits / sizeof *limits };

/* The rows of all items for each point, in the right order; their ranks; how many are within each limit, and nearer. */
static uint32_t right[POINTS * MOST], right_ranks[POINTS * MOST];
static size_t within[POINTS][LIMITS], nearer[POINTS][LIMITS];

static int compare(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const int order = order_of(distances[i], distances[j], 0);
    return order != 0 ? order : i < j ? -1 : i > j;
}

static void note_right(size_t p, size_t n, uint32_t *order, uint32_t *ranks)
{
    qsort(order, n, sizeof *order, compare);
    for (uint32_t i = 0; i < n; i++)
        ranks[i] = i > 0 && order_of(distances[order[i]], distances[order[i - 1]], 0) == 0 ? ranks[i - 1] : i;
    for (unsigned l = 0; l < LIMITS; l++) {
        within[p][l] = nearer[p][l] = 0;
        for (uint32_t i = 0; i < n; i++) {
            const int sign = order_of(distances[i], NULL, limits[l]);
            within[p][l] += sign <= 0;
            nearer[p][l] += sign < 0;
        }
    }
}

static void find_right(unsigned s, const struct batch *points, const struct batch *items)
{
    for (size_t p = 0; p < POINTS; p++) {
        float point[ABUT_MAX_FIELDS], item[ABUT_MAX_FIELDS];
        batch_get(points, p, point);
        for (uint32_t i = 0; i < items->n; i++) {
            batch_get(items, i, item);
            if (items->shape == shape_point)
                memcpy(item + 3, item, 3 * sizeof *item);
            right_distance(distances[i], measured[s].kind, point, item);
            right[p * items->n + i] = i;
        }
        note_right(p, items->n, right + p * items->n, right_ranks + p * items->n);
    }
}

/* Neighbours within a limit, with their ranks; those of point i are never item i. */
static void check_limits(const struct abut_index *index, const struct abut_points *queries, size_t k, size_t n,
                         const char *shape, uint64_t seed)
{
    static uint32_t found[POINTS * (MOST + 3)], ranks[POINTS * (MOST + 3)];
    for (unsigned l = 0; l < 2 * LIMITS; l++) {
        const bool open = l % 2 != 0, exclude = (seed + l) % 3 == 0;
        const struct abut_neighbours question = {
            .k = k, .limited = true, .within = limits[l / 2], .exclude_self = exclude};
        const struct abut_options options = {.touch = open ? ABUT_OPEN : ABUT_CLOSED};
        const struct abut_neighbours_found out = {.indices = found, .ranks = ranks};
        bool ok = abut_find_neighbours(index, queries, &question, &options, &out) == ABUT_OK;
        for (size_t p = 0; p < POINTS; p++) {
            const size_t wanted = open ? nearer[p][l / 2] : within[p][l / 2];
            size_t j = 0;
            uint32_t left_out = UINT32_MAX;
            for (size_t i = 0; i < wanted && j < k; i++) {
                const uint32_t item = right[p * n + i], rank = right_ranks[p * n + i];
                if (exclude && item == p) {
                    left_out = rank;
                    continue;
                }
                /* The item that is left out no longer counts as nearer than those of another rank. */
                ok &= found[p * k + j] == item && ranks[p * k + j] == rank - (rank > left_out);
                j++;
            }
            for (; j < k; j++)
                ok &= found[p * k + j] == UINT32_MAX && ranks[p * k + j] == UINT32_MAX;
        }
        check_that(ok, "%zu of %zu %ss, %s %g%s; seed %llu", k, n, shape, open ? "nearer than" : "within",
                   (double)limits[l / 2], exclude ? ", not itself" : "", (unsigned long long)seed);
    }
}

/* The pairs within each limit above 0 are those that the neighbours show. */
static void check_pairs(const struct abut_index *index, const struct abut_points *queries, size_t n, const char *shape,
                        uint64_t seed)
{
    static struct abut_pair pairs[POINTS * MOST];
    static bool found[POINTS * MOST];
    for (unsigned l = 2; l < 2 * LIMITS; l++) {
        const bool open = l % 2 != 0;
        const struct abut_reach reach = {.within = limits[l / 2]};
        const struct abut_options options = {.touch = open ? ABUT_OPEN : ABUT_CLOSED};
        uint64_t count = 0, wanted = 0;
        bool ok =
            abut_join_within(index, abut_of_points(queries), &reach, &options, pairs, POINTS * MOST, &count) == ABUT_OK;
        memset(found, 0, sizeof found);
        for (size_t i = 0; i < count && ok; i++)
            found[pairs[i].a * n + pairs[i].b] = true;
        for (size_t p = 0; p < POINTS; p++) {
            const size_t near = open ? nearer[p][l / 2] : within[p][l / 2];
            for (size_t i = 0; i < near; i++)
                ok &= found[p * n + right[p * n + i]];
            wanted += near;
        }
        check_that(ok && count == wanted, "pairs of points and %zu %ss, %s %g; seed %llu", n, shape,
                   open ? "nearer than" : "within", (double)limits[l / 2], (unsigned long long)seed);
    }
}

/* Whether d2 has the bits of distance.h. */
static bool same_distances(const struct batch *points, const struct batch *items, const uint32_t *found,
                           const float *const results[4], size_t k)
{
    bool same = true;
    for (size_t i = 0; i < POINTS * k; i++) {
        float point[ABUT_MAX_FIELDS], item[ABUT_MAX_FIELDS];
        float expected[4] = {INFINITY, NAN, NAN, NAN};
        const struct abut_closest closest = {expected + 1, expected + 2, expected + 3};
        batch_get(points, i / k, point);
        const struct abut_points one = {1, point, point + 1, point + 2};
        union any_batch any;
        if (found[i] != UINT32_MAX) {
            batch_get(items, found[i], item);
            struct columns columns = {.shape = items->shape, .fields = items->fields, .n = 1};
            for (unsigned c = 0; c < items->fields; c++)
                columns.at[c] = &item[c];
            if (items->shape == shape_point) {
                columns = (struct columns){.shape = shape_aabb, .fields = 6, .n = 1};
                for (unsigned c = 0; c < 6; c++)
                    columns.at[c] = &item[c % 3];
            }
            same &= abut_distance(&one, set_of_columns(&columns, &any), expected, &closest) == ABUT_OK;
        }
        for (unsigned c = 0; c < 4; c++)
            same &= memcmp(&expected[c], &results[c][i], sizeof *expected) == 0;
    }
    return same;
}

static struct abut_stats stats;

static void check_scene(struct random *random, unsigned s, unsigned layout, size_t n)
{
    static uint32_t found[POINTS * (MOST + 3)], viewed[POINTS * (MOST + 3)];
    static float d2[POINTS * (MOST + 3)], closest[3][POINTS * (MOST + 3)];
    const uint64_t seed = random->state;
    const struct abut_options counting = {.stats = &stats};
    struct batch items = make_scene(random, measured[s].shape, layout, n);
    struct batch points = make_points(random, &items, layout);
    const struct abut_points queries = {POINTS, points.at[0], points.at[1], points.at[2]};
    union any_batch any;
    struct abut_index *index = NULL, *view = NULL;
    CHECK(abut_index_new(set_of(&items, &any), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_view(set_of(&items, &any), 0.5f, NULL, NULL, &view) == ABUT_OK);
    find_right(s, &points, &items);
    const size_t ks[] = {1, 3, n + 3};
    for (unsigned i = 0; i < sizeof ks / sizeof *ks; i++) {
        const size_t k = ks[i];
        const struct abut_neighbours question = {.k = k};
        const struct abut_neighbours_found out = {found, d2, NULL, {closest[0], closest[1], closest[2]}};
        const float *const results[4] = {d2, closest[0], closest[1], closest[2]};
        bool ok = abut_find_neighbours(index, &queries, &question, &counting, &out) == ABUT_OK;
        for (size_t j = 0; j < POINTS * k; j++)
            ok &= found[j] == (j % k < n ? right[j / k * n + j % k] : UINT32_MAX);
        check_that(ok, "%zu of %zu %ss, layout %u; seed %llu", k, n, shape_info(measured[s].shape)->name, layout,
                   (unsigned long long)seed);
        check_that(same_distances(&points, &items, found, results, k), "distances of %ss, layout %u; seed %llu",
                   shape_info(measured[s].shape)->name, layout, (unsigned long long)seed);
        check_limits(i % 2 ? view : index, &queries, k, n, shape_info(measured[s].shape)->name, seed);
        check_pairs(i % 2 ? view : index, &queries, n, shape_info(measured[s].shape)->name, seed);
        ok = abut_nearest(view, &queries, k, NULL, viewed, NULL) == ABUT_OK;
        check_that(ok && memcmp(viewed, found, POINTS * k * sizeof *found) == 0, "a view of %ss; seed %llu",
                   shape_info(measured[s].shape)->name, (unsigned long long)seed);
    }
    abut_index_free(index);
    abut_index_free(view);
    batch_free(&items);
    batch_free(&points);
}

/* A fan around one vertex, the nearest of all its triangles: float64 decides that they are equally near. */
static void check_fan(void)
{
    enum { SIDES = 16 };
    struct batch fan = batch_new(shape_triangle, SIDES);
    for (unsigned i = 0; i < SIDES; i++) {
        float t[9] = {0.1f, 0.2f, 0.3f};
        for (unsigned j = 0; j < 2; j++) {
            const unsigned corner = (i * 5 + j) % SIDES; /* neighbours are not neighbours by number */
            t[3 + 3 * j] = cosf((float)corner * 0.39269908f);
            t[4 + 3 * j] = sinf((float)corner * 0.39269908f);
            t[5 + 3 * j] = -1.7f;
        }
        batch_set(&fan, i, t);
    }
    const float point[3] = {0.15f, 0.25f, 5.1f};
    const struct abut_points query = {1, point, point + 1, point + 2};
    struct abut_stats few = {0};
    uint32_t found[SIDES];
    union any_batch any;
    struct abut_index *index = NULL;
    CHECK(abut_index_new(set_of(&fan, &any), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_nearest(index, &query, SIDES, &(struct abut_options){.stats = &few}, found, NULL) == ABUT_OK);
    for (uint32_t i = 0; i < SIDES; i++)
        CHECK(found[i] == i);
    CHECK(few.undecided > 0 && few.exact == 0);
    abut_index_free(index);
    batch_free(&fan);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    static const size_t sizes[] = {0, 1, 9, 40, MOST};
    for (unsigned i = 0; i < MOST; i++)
        mpf_init2(distances[i], BITS);
    truth_init();
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned s = 0; s < SHAPES; s++)
            for (unsigned layout = 0; layout <= layout_count; layout++)
                for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
                    check_scene(&random, s, layout, sizes[i]);
    check_fan();
    CHECK(stats.exact > 0 && stats.undecided > stats.exact && stats.pairs > stats.undecided);
    for (unsigned i = 0; i < MOST; i++)
        mpf_clear(distances[i]);
    truth_clear();
    return finish("nearest_shapes");
}
