/* SPDX-License-Identifier: MIT */
/*
 * Boxes that part space own every pair exactly once, in every form of a join; and a join that its caller ends. The
 * owner is found here from the AABBs of the caller's arrays.
 */
#include "index_scenes.h"
#include "pool.h"
#include "report.h"
#include "subjects.h"

#include <abut/index.h>
#include <abut/shapes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 8 };

struct scene {
    const char *name, *layout;
    struct batch queries, items;
    bool self;
    struct abut_index *index;
    struct abut_pair *pairs;
    uint64_t count;
    struct batch query_boxes, item_boxes;
};

static struct batch boxes_of(const struct batch *shapes)
{
    struct batch boxes = batch_new(shape_aabb, shapes->n);
    union any_batch any;
    CHECK(abut_aabbs_of(set_of(shapes, &any), boxes.at) == ABUT_OK);
    return boxes;
}

static uint64_t join(const struct scene *scene, const struct abut_options *options, struct abut_pair *pairs)
{
    union any_batch any;
    uint64_t count = 0;
    const enum abut_status status =
        scene->self
            ? abut_self_join(scene->index, options, pairs, pairs ? scene->count : 0, &count)
            : abut_join(scene->index, set_of(&scene->queries, &any), options, pairs, pairs ? scene->count : 0, &count);
    CHECK(status == ABUT_OK);
    return count;
}

/* Cuts space in eight by three planes, at the lower bound of some item or nowhere. */
static void make_tiles(const struct scene *scene, struct random *random, struct abut_own tiles[TILES])
{
    for (unsigned k = 0; k < 3; k++) {
        const struct batch *boxes = random_below(random, 2) == 0 ? &scene->query_boxes : &scene->item_boxes;
        float cut = boxes->n > 0 ? boxes->at[k][random_below(random, (unsigned)boxes->n)] : 0;
        cut = isnan(cut) ? 1 : cut;
        for (unsigned t = 0; t < TILES; t++) {
            tiles[t].min[k] = t >> k & 1 ? cut : -INFINITY;
            tiles[t].max[k] = t >> k & 1 ? INFINITY : cut;
        }
    }
}

static bool owns(const struct scene *scene, const struct abut_own *tile, struct abut_pair pair)
{
    bool holds = true;
    for (unsigned k = 0; k < 3; k++) {
        const float at = fmaxf(scene->query_boxes.at[k][pair.a], scene->item_boxes.at[k][pair.b]);
        holds = holds && tile->min[k] <= at && at < tile->max[k];
    }
    return holds;
}

/* The other forms find what the pairs of a tile say. */
static void check_forms(const struct scene *scene, const struct abut_options *options, const struct abut_pair *pairs,
                        uint64_t n)
{
    union any_batch any;
    const struct abut_set queries = set_of(&scene->queries, &any);
    uint32_t *counts = calloc(scene->queries.n + 1, sizeof *counts),
             *right = calloc(scene->queries.n + 1, sizeof *right);
    uint64_t *mask = calloc(abut_mask_words(scene->queries.n) + 1, sizeof *mask);
    uint64_t *offsets = calloc(scene->queries.n + 1, sizeof *offsets);
    for (uint64_t i = 0; i < n; i++)
        right[pairs[i].a]++;
    CHECK(abut_join_counts(scene->index, queries, options, counts) == ABUT_OK);
    CHECK(abut_join_any(scene->index, queries, options, mask) == ABUT_OK);
    CHECK(abut_join_rows(scene->index, queries, options, offsets, NULL, 0) == ABUT_OK);
    bool same = offsets[scene->queries.n] == n;
    for (size_t q = 0; q < scene->queries.n; q++)
        same = same && counts[q] == right[q] && hit_at(mask, q) == (right[q] > 0) &&
               offsets[q + 1] - offsets[q] == right[q];
    check_that(same, "%s of %s: counts, any and rows are not those of the pairs", scene->name, scene->layout);
    free(counts);
    free(right);
    free(mask);
    free(offsets);
}

/* The pairs of each tile are those of the whole join that it owns, in the same order, with one thread and three. */
static void check_tiles(const struct scene *scene, const struct abut_own tiles[TILES],
                        const struct abut_threads *threads)
{
    struct abut_pair *found = calloc(scene->count + 1, sizeof *found);
    uint64_t all = 0;
    for (unsigned t = 0; t < TILES; t++) {
        const struct abut_options options = {.own = &tiles[t], .threads = threads};
        const uint64_t n = join(scene, &options, found);
        uint64_t next = 0;
        bool same = n <= scene->count;
        for (uint64_t i = 0; same && i < scene->count; i++)
            if (owns(scene, &tiles[t], scene->pairs[i])) {
                same = next < n && found[next].a == scene->pairs[i].a && found[next].b == scene->pairs[i].b;
                next++;
            }
        check_that(same && next == n, "%s of %s: tile %u has %llu pairs", scene->name, scene->layout, t,
                   (unsigned long long)n);
        all += n;
        if (!scene->self && n <= scene->count)
            check_forms(scene, &options, found, n);
    }
    check_that(all == scene->count, "%s of %s: tiles have %llu of %llu pairs", scene->name, scene->layout,
               (unsigned long long)all, (unsigned long long)scene->count);
    free(found);
}

/* Returns how many pairs there were. */
static uint64_t run_scene(struct scene *scene, struct random *random, const struct abut_threads *threads, bool view)
{
    union any_batch any;
    const struct abut_set items = set_of(&scene->items, &any);
    CHECK((view ? abut_index_view(items, 0.5f, NULL, NULL, &scene->index)
                : abut_index_new(items, NULL, NULL, &scene->index)) == ABUT_OK);
    scene->count = join(scene, NULL, NULL);
    scene->pairs = calloc(scene->count + 1, sizeof *scene->pairs);
    join(scene, NULL, scene->pairs);
    scene->item_boxes = boxes_of(&scene->items);
    scene->query_boxes = boxes_of(scene->self ? &scene->items : &scene->queries);
    struct abut_own tiles[TILES];
    make_tiles(scene, random, tiles);
    check_tiles(scene, tiles, NULL);
    check_tiles(scene, tiles, threads);
    batch_free(&scene->item_boxes);
    batch_free(&scene->query_boxes);
    free(scene->pairs);
    abut_index_free(scene->index);
    return scene->count;
}

static unsigned most_items = 300;

static void run_search(const char *name, enum shape query, enum shape item, bool self, struct random *random,
                       const struct abut_threads *threads)
{
    uint64_t pairs = 0;
    for (unsigned layout = 0; layout < layout_count; layout++) {
        struct scene scene = {.name = name, .layout = layout_names[layout], .self = self};
        scene.queries = make_batch(query, layout, false, random, 1 + random_below(random, most_items));
        scene.items = make_batch(item, layout, true, random, 1 + random_below(random, most_items));
        pairs += run_scene(&scene, random, threads, random_below(random, 2) == 0);
        batch_free(&scene.queries);
        batch_free(&scene.items);
    }
    check_that(pairs > 0, "%s: no scene had a pair", name);
}

static bool meets(const struct batch *boxes, size_t i, const struct abut_own *tile)
{
    bool holds = true;
    for (unsigned k = 0; k < 3; k++)
        holds = holds && boxes->at[k][i] < tile->max[k] && boxes->at[3 + k][i] >= tile->min[k];
    return holds;
}

/* The shapes whose AABBs meet a tile. */
static struct batch sent_to(const struct batch *shapes, const struct batch *boxes, const struct abut_own *tile)
{
    struct batch sent = batch_new(shapes->shape, shapes->n);
    sent.n = 0;
    for (size_t i = 0; i < shapes->n; i++) {
        float item[ABUT_MAX_FIELDS];
        batch_get(shapes, i, item);
        if (meets(boxes, i, tile))
            batch_set(&sent, sent.n++, item);
    }
    return sent;
}

/*
 * OBBs whose axes are longer than 1, by less than the strict checks allow, and segments that touch what the edges span
 * beyond the slabs. As on many machines, each tile joins what is sent to it, and together they find every pair.
 */
static void check_long_axes(void)
{
    enum { SEGMENTS = 64 };
    const float axis = 1.0004f, obb[15] = {0, 0, 0, 1, 1, 1, axis, 0, 0, 0, axis, 0, 0, 0, axis};
    struct scene scene = {.name = "segments and long OBBs",
                          .queries = batch_new(shape_segment, SEGMENTS),
                          .items = batch_new(shape_obb, 1)};
    batch_set(&scene.items, 0, obb);
    for (unsigned i = 0; i < SEGMENTS; i++) {
        const float from = 1 + 0x1p-12f * (float)i / SEGMENTS, segment[6] = {from, 0, 0, 2, 0, 0};
        batch_set(&scene.queries, i, segment);
    }
    scene.query_boxes = boxes_of(&scene.queries);
    scene.item_boxes = boxes_of(&scene.items);
    uint64_t found = 0;
    for (unsigned t = 0; t < 2; t++) {
        struct abut_own tile = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
        *(t == 0 ? &tile.max[0] : &tile.min[0]) = 1;
        const struct abut_options options = {.own = &tile};
        struct scene part = {.queries = sent_to(&scene.queries, &scene.query_boxes, &tile),
                             .items = sent_to(&scene.items, &scene.item_boxes, &tile)};
        union any_batch any;
        CHECK(abut_index_new(set_of(&part.items, &any), NULL, NULL, &part.index) == ABUT_OK);
        found += join(&part, &options, NULL);
        abut_index_free(part.index);
        batch_free(&part.queries);
        batch_free(&part.items);
    }
    check_that(found == SEGMENTS, "%s: tiles have %llu of %d pairs", scene.name, (unsigned long long)found, SEGMENTS);
    batch_free(&scene.query_boxes);
    batch_free(&scene.item_boxes);
    batch_free(&scene.queries);
    batch_free(&scene.items);
}

static bool count_down(void *context)
{
    unsigned *left = context;
    return *left > 0 && (*left)-- > 0;
}

/* Ends joins at once, a little later, and never; and refuses boxes that are none. */
static void check_ends(struct random *random, const struct abut_threads *threads)
{
    struct batch spheres = make_batch(shape_sphere, layout_even, true, random, 5000);
    union any_batch any;
    const struct abut_set set = set_of(&spheres, &any);
    struct abut_index *index;
    CHECK(abut_index_new(set, NULL, NULL, &index) == ABUT_OK);
    const unsigned steps[] = {0, 1, UINT32_MAX};
    for (unsigned i = 0; i < 6; i++) {
        unsigned left = steps[i / 2];
        const struct abut_options options = {
            .proceed = count_down, .proceed_context = &left, .threads = i % 2 ? threads : NULL};
        uint64_t count = 7;
        const enum abut_status status = abut_join(index, set, &options, NULL, 0, &count);
        CHECK(status == (i < 4 ? ABUT_ERROR_STOPPED : ABUT_OK));
        CHECK(status == ABUT_OK || count == 0);
        CHECK(i < 4 || left < UINT32_MAX);
    }
    struct abut_own own = {{0, 0, 0}, {1, 1, 1}};
    uint64_t count = 7;
    own.max[2] = NAN;
    const struct abut_options options = {.own = &own};
    CHECK(abut_join(index, set, &options, NULL, 0, &count) == ABUT_ERROR_ARGUMENT && count == 7);
    own.max[2] = 1;
    const float zero = 0, d = -1;
    const uint32_t offsets[] = {0, 1};
    const struct abut_hulls hull = {1, offsets, &d, &zero, &zero, &d};
    CHECK(abut_join(index, abut_of_hulls(&hull), &options, NULL, 0, &count) == ABUT_ERROR_ARGUMENT && count == 7);
    abut_index_free(index);
    batch_free(&spheres);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    struct pool *pool = pool_new(3);
    struct abut_threads threads = pool_threads(pool);
    threads.grain = 1;
    most_items /= options.step;
    for (unsigned round = 0; round < options.rounds; round++) {
#define WANTED(predicate) (!options.only || strcmp(options.only->name, #predicate) == 0)
#define SEARCH(query, item, predicate, order)                                                                          \
    if (WANTED(predicate))                                                                                             \
        run_search(#query " and " #item, shape_##query, shape_##item, false, &random, &threads);
/* Their exact answers take long, and who owns a pair does not depend on them: a few have to do. */
#define BLOCK_SEARCH(query, item, predicate, order)                                                                    \
    if (WANTED(predicate) && round == 0 && search_##query##_##item % 8 == 0)                                           \
        run_search(#query " and " #item, shape_##query, shape_##item, false, &random, &threads);
#define BLOCK_SELF(shape, predicate)                                                                                   \
    if (WANTED(predicate) && round == 0 && search_self_##shape % 4 == 0)                                               \
        run_search("self " #shape, shape_##shape, shape_##shape, true, &random, &threads);
#define SELF(shape, predicate)                                                                                         \
    if (WANTED(predicate))                                                                                             \
        run_search("self " #shape, shape_##shape, shape_##shape, true, &random, &threads);
#include "tables/searches.def"
        check_ends(&random, &threads);
        check_long_axes();
    }
    pool_free(pool);
    return finish("own");
}
