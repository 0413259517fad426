/* SPDX-License-Identifier: MIT */
/* The index against brute force: every search, on every variant, on scenes of every kind and on some made to break trees. */
#include "batches.h"
#include "dispatch.h"
#include "hull_inputs.h"
#include "index/run.h"
#include "index/sets.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 1 << 22 };

/* ---- Scenes */

/* What happens to centres and sizes; each has been somebody's worst case. */
#define LAYOUTS(LAYOUT)                                                                                                \
    LAYOUT(even)                                                                                                       \
    LAYOUT(grid)                                                                                                       \
    LAYOUT(line)                                                                                                       \
    LAYOUT(one_centre)                                                                                                 \
    LAYOUT(outliers) LAYOUT(powers) LAYOUT(clusters) LAYOUT(huge) LAYOUT(infinities) LAYOUT(one_point)

#define LAYOUT(name) layout_##name,
enum layout { LAYOUTS(LAYOUT) layout_count };
#undef LAYOUT
#define LAYOUT(name) #name,
static const char *const layout_names[] = {LAYOUTS(LAYOUT)};

struct ball {
    float at[3], size;
};

static float small_power(struct random *random, int lowest, int range)
{
    return ldexpf(random_between(random, 1, 2), lowest + (int)random_below(random, (unsigned)range));
}

static struct ball make_ball(enum layout layout, struct random *random)
{
    struct ball ball;
    for (unsigned k = 0; k < 3; k++)
        ball.at[k] = random_between(random, -50, 50);
    ball.size = random_between(random, 0, 6);
    if (layout == layout_grid || layout == layout_line || layout == layout_one_point) {
        for (unsigned k = 0; k < 3; k++)
            ball.at[k] = layout == layout_one_point ? 7 : layout == layout_line && k > 0 ? 1 : floorf(ball.at[k]);
        ball.size = layout == layout_one_point ? 0 : floorf(ball.size);
    }
    if (layout == layout_one_centre)
        memset(ball.at, 0, sizeof ball.at);
    if (layout == layout_outliers && random_below(random, 50) == 0)
        ball.at[random_below(random, 3)] = random_below(random, 2) ? 1e30f : -3e38f;
    if (layout == layout_powers) {
        for (unsigned k = 0; k < 3; k++)
            ball.at[k] = small_power(random, -140, 260) * (random_below(random, 2) ? 1.0f : -1.0f);
        ball.size = small_power(random, -140, 260);
    }
    if (layout == layout_clusters)
        for (unsigned k = 0; k < 3; k++)
            ball.at[k] = (ball.at[k] < 0 ? -1000.0f : 1000.0f) + ball.at[k] * 0.001f;
    if (layout == layout_clusters)
        ball.size *= 0.001f;
    if (layout == layout_huge && random_below(random, 20) == 0)
        ball.size = 500;
    if (layout == layout_infinities && random_below(random, 10) == 0)
        ball.size = INFINITY;
    return ball;
}

/* Axes at right angles; along those of space on a grid, and of lengths that an index takes, or for queries any. */
static void make_axes(enum layout layout, bool strict, struct random *random, float *axes)
{
    static const float straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    float memory[4];
    const float *quaternion[4];
    float *columns[9];
    for (unsigned k = 0; k < 4; k++) {
        memory[k] = random_between(random, -1, 1);
        quaternion[k] = &memory[k];
    }
    for (unsigned k = 0; k < 9; k++)
        columns[k] = &axes[k];
    abut_obbs_axes_from_quaternions(1, quaternion, columns);
    if (layout == layout_grid || layout == layout_line)
        memcpy(axes, straight, sizeof straight);
    const unsigned odd = random_below(random, strict ? 4 : 8);
    for (unsigned axis = 0; axis < 3 && odd > 1; axis++) {
        const float scale = odd < 6 ? random_between(random, 0.9991f, 1.0009f) : random_between(random, 0, 2.5f);
        for (unsigned k = 0; k < 3; k++)
            axes[3 * axis + k] = odd == 7 && axis == 1 ? axes[k] : axes[3 * axis + k] * scale;
    }
}

static void make_vertices(unsigned n, const struct ball *ball, struct random *random, float *item)
{
    for (unsigned k = 0; k < 3 * n; k++) {
        const float x = ball->at[k % 3] + ball->size * random_between(random, -1, 1);
        item[k] = isfinite(x) ? x : ball->at[k % 3];
    }
}

static void make_item(enum shape shape, enum layout layout, bool strict, struct random *random, float *item)
{
    struct ball ball = make_ball(layout, random);
    for (unsigned k = 0; k < 3; k++) {
        if (shape == shape_aabb) {
            item[k] = ball.at[k] - ball.size;
            item[k + 3] = ball.at[k] + ball.size * random_between(random, 0, 1);
            if (isnan(item[k + 3]) || item[k + 3] < item[k])
                item[k + 3] = item[k];
        } else {
            item[k] = ball.at[k];
        }
    }
    if (shape == shape_sphere)
        item[3] = ball.size;
    if (shape == shape_obb) {
        for (unsigned k = 3; k < 6; k++)
            item[k] = random_below(random, 4) ? ball.size : 1;
        make_axes(layout, strict, random, item + 6);
    }
    if (shape == shape_segment || shape == shape_capsule || shape == shape_triangle)
        make_vertices(shape == shape_triangle ? 3 : 2, &ball, random, item);
    if (shape == shape_capsule)
        item[6] = random_below(random, 4) ? ball.size : 0;
}

/* strict: what an index takes. */
static struct batch make_batch(enum shape shape, enum layout layout, bool strict, struct random *random, size_t n)
{
    struct batch batch = batch_new(shape, n);
    float item[ABUT_MAX_FIELDS] = {0};
    for (size_t i = 0; i < n; i++) {
        make_item(shape, layout, strict, random, item);
        batch_set(&batch, i, item);
    }
    return batch;
}

static bool item_good(enum shape shape, const float *at)
{
    const struct abut_obbs one = {1,      at,     at + 1, at + 2,  at + 3,  at + 4,  at + 5,  at + 6,
                                  at + 7, at + 8, at + 9, at + 10, at + 11, at + 12, at + 13, at + 14};
    return shape == shape_obb ? abut_check_obbs(&one, NULL) == ABUT_OK : item_valid(shape, at);
}

/* Without what an index refuses. */
static struct batch good_items(const struct batch *batch)
{
    struct batch good = batch_new(batch->shape, batch->n);
    float item[ABUT_MAX_FIELDS];
    good.n = 0;
    for (size_t i = 0; i < batch->n; i++) {
        batch_get(batch, i, item);
        if (item_good(batch->shape, item))
            batch_set(&good, good.n++, item);
    }
    return good;
}

/* ---- Sets of the public interface */

static struct abut_set set_of(const struct batch *batch, union any_batch *any)
{
    const struct columns columns = batch_columns(batch);
    return set_of_columns(&columns, any);
}

/* ---- Right answers */

struct answers {
    uint64_t *bits; /* one row of words a query */
    size_t queries, items, words;
    uint64_t count;
    bool self;
};

static bool right_bit(const struct answers *right, size_t query, size_t item)
{
    return query < right->queries && item < right->items && hit_at(right->bits + query * right->words, item);
}

/* The hits of many against many, a row for each of turned ? the items : the queries. */
static struct answers answers_of(uint64_t *hits, bool turned, bool self, size_t queries, size_t items)
{
    struct answers right = {.queries = queries, .items = items, .words = abut_mask_words(items), .self = self};
    right.bits = calloc(queries * right.words + 1, sizeof *right.bits);
    for (size_t q = 0; q < queries; q++)
        for (size_t i = 0; i < items; i++) {
            bool hit = turned ? hit_at(hits + i * abut_mask_words(queries), q) : hit_at(hits + q * right.words, i);
            if (hit && (!self || q < i)) {
                right.bits[q * right.words + i / 64] |= UINT64_C(1) << i % 64;
                right.count++;
            }
        }
    free(hits);
    return right;
}

static struct answers right_answers(const struct subject *subject, bool swapped, bool self, const struct batch *queries,
                                    const struct batch *items, enum abut_touch touch)
{
    uint64_t *hits = ask_all(subject, swapped ? items : queries, swapped ? queries : items, touch, NULL);
    return answers_of(hits, swapped, self, queries->n, items->n);
}

/* ---- One search */

struct collected {
    struct abut_pair *pairs;
    size_t n;
    bool self;
};

static bool collect(void *context, const struct hits *hits)
{
    struct collected *found = context;
    const uint32_t *ids = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++)
        for (uint32_t i = 0; i < hits->parts[p].count; i++, ids++) {
            uint32_t query = hits->queries[hits->parts[p].position];
            bool swap = found->self && *ids < query;
            if (found->n < MOST_PAIRS)
                found->pairs[found->n] = swap ? (struct abut_pair){*ids, query} : (struct abut_pair){query, *ids};
            found->n++;
        }
    return true;
}

/* Pairs without duplicates, each right, and as many as there are: the same set. */
static bool same_pairs(const struct answers *right, const struct abut_pair *pairs, uint64_t n)
{
    uint64_t *seen = calloc(right->queries * right->words + 1, sizeof *seen);
    bool same = n == right->count;
    for (uint64_t i = 0; i < n && same; i++) {
        struct abut_pair p = pairs[i];
        same = right_bit(right, p.a, p.b) && !hit_at(seen + p.a * right->words, p.b);
        if (same)
            seen[p.a * right->words + p.b / 64] |= UINT64_C(1) << p.b % 64;
    }
    free(seen);
    return same;
}

struct scene {
    const char *search, *layout;
    size_t queries, items;
    enum abut_touch touch;
    uint64_t seed;
};

static void check_scene(bool ok, const struct scene *scene, const char *variant, const char *what)
{
    check_that(ok, "%s, %s, %s, %zu %s queries in %zu items, %s: %s; seed %llu", scene->search, variant, scene->layout,
               scene->queries, scene->touch == ABUT_CLOSED ? "closed" : "open", scene->items, "wrong", what,
               (unsigned long long)scene->seed);
}

static struct abut_pair *room;

/* The loop of each variant gives the right pairs, and all of them in the same order. */
static void check_variants(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                           struct abut_set queries)
{
    struct tested list[MAX_TESTED];
    unsigned n = tested_variants(list);
    uint64_t first_order = 0;
    for (unsigned i = 0; i < n; i++) {
        struct abut_settings settings = {.touch = scene->touch};
        struct abut_workspace own, *workspace = abut_workspace_begin(&settings, &own);
        struct collected found = {room, 0, right->self};
        struct join join = {.index = index,
                            .queries = queries,
                            .settings = &settings,
                            .workspace = workspace,
                            .variant = list[i].variant,
                            .in_order = true,
                            .emit = collect,
                            .context = &found};
        if (right->self)
            join.queries.items = NULL;
        check_scene(abut_join_check(&join) == ABUT_OK && abut_join_run(&join) == ABUT_OK, scene, list[i].name,
                    "status");
        abut_workspace_end(&own);
        check_scene(same_pairs(right, room, found.n), scene, list[i].name, "pairs");
        uint64_t order = 1;
        for (size_t k = 0; k < found.n; k++)
            order = order * UINT64_C(0x9E3779B97F4A7C15) + ((uint64_t)room[k].a << 32 | room[k].b);
        first_order = i == 0 ? order : first_order;
        check_scene(order == first_order, scene, list[i].name, "order");
    }
}

struct blocks {
    size_t n;
};

static bool take_block(void *context, const struct abut_pair *pairs, size_t n)
{
    struct blocks *blocks = context;
    memcpy(room + blocks->n, pairs, n * sizeof *pairs);
    blocks->n += n;
    return true;
}

static void check_rows(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                       struct abut_set queries, const struct abut_settings *settings)
{
    const size_t n = right->queries;
    uint64_t *offsets = malloc((n + 1) * sizeof *offsets);
    uint32_t *indices = malloc((right->count + 1) * sizeof *indices);
    bool ok = abut_join_rows(index, queries, settings, offsets, indices, right->count) == ABUT_OK && offsets[0] == 0 &&
              offsets[n] == right->count;
    for (size_t q = 0; q < n && ok; q++)
        for (uint64_t i = offsets[q]; i < offsets[q + 1] && ok; i++)
            ok = right_bit(right, q, indices[i]) && (i == offsets[q] || indices[i - 1] < indices[i]);
    check_scene(ok, scene, abut_isa(), "rows");
    if (right->count > 0) {
        indices[0] = 12345;
        ok = abut_join_rows(index, queries, settings, offsets, indices, right->count - 1) == ABUT_OK &&
             offsets[n] == right->count && indices[0] == 12345;
        check_scene(ok, scene, abut_isa(), "rows without room");
    }
    free(offsets);
    free(indices);
}

static void check_counts(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                         struct abut_set queries, const struct abut_settings *settings)
{
    const size_t n = right->queries;
    uint32_t *counts = malloc((n + 1) * sizeof *counts);
    uint64_t *mask = malloc((abut_mask_words(n) + 1) * sizeof *mask);
    bool ok = abut_join_counts(index, queries, settings, counts) == ABUT_OK;
    bool any_ok = abut_join_any(index, queries, settings, mask) == ABUT_OK;
    for (size_t q = 0; q < n; q++) {
        uint64_t count = abut_mask_count(right->bits + q * right->words, right->items);
        ok &= counts[q] == count;
        any_ok &= hit_at(mask, q) == (count > 0);
    }
    check_scene(ok, scene, abut_isa(), "counts");
    check_scene(any_ok, scene, abut_isa(), "any");
    free(counts);
    free(mask);
}

/* All public forms, with a workspace that has seen other scenes. */
static void check_public(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                         struct abut_set queries, struct abut_workspace *workspace)
{
    struct abut_search_stats stats = {0};
    struct abut_settings settings = {.touch = scene->touch, .stats = &stats, .workspace = workspace};
    uint64_t count = 77;
    enum abut_status status = right->self ? abut_self_join(index, &settings, room, MOST_PAIRS, &count)
                                          : abut_join(index, queries, &settings, room, MOST_PAIRS, &count);
    check_scene(status == ABUT_OK && same_pairs(right, room, count), scene, abut_isa(), "public pairs");
    struct abut_pair guard = {1, 2};
    size_t part = (size_t)right->count / 2;
    room[part] = guard;
    status = right->self ? abut_self_join(index, &settings, part ? room : NULL, part, &count)
                         : abut_join(index, queries, &settings, part ? room : NULL, part, &count);
    check_scene(status == ABUT_OK && count == right->count && memcmp(&room[part], &guard, sizeof guard) == 0, scene,
                abut_isa(), "pairs in half the room");
    struct blocks blocks = {0};
    status = right->self ? abut_self_join_blocks(index, &settings, take_block, &blocks)
                         : abut_join_blocks(index, queries, &settings, take_block, &blocks);
    check_scene(status == ABUT_OK && same_pairs(right, room, blocks.n), scene, abut_isa(), "blocks");
    if (!right->self) {
        check_rows(scene, right, index, queries, &settings);
        check_counts(scene, right, index, queries, &settings);
    }
}

static void check_search(const char *name, const struct subject *subject, bool swapped, bool self, const char *layout,
                         const struct batch *queries, const struct batch *items, struct abut_workspace *workspace,
                         uint64_t seed)
{
    union any_batch any_items, any_queries;
    struct abut_index *index = NULL;
    struct abut_settings settings = {.workspace = workspace};
    check_that(abut_index_new(set_of(items, &any_items), &settings, NULL, &index) == ABUT_OK, "%s: index_new", name);
    check_that(abut_index_count(index) == items->n, "%s: index_count", name);
    for (enum abut_touch touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
        struct scene scene = {name, layout, queries->n, items->n, touch, seed};
        struct answers right = right_answers(subject, swapped, self, queries, items, touch);
        struct abut_set set = set_of(queries, &any_queries);
        check_variants(&scene, &right, index, set);
        check_public(&scene, &right, index, set, workspace);
        free(right.bits);
    }
    abut_index_free(index);
}

/* An index as queries gives what its items give; a refit index what a new one gives. */
static void check_indices(const char *name, const struct subject *subject, bool swapped, const struct batch *queries,
                          const struct batch *items, const struct batch *before, uint64_t seed)
{
    union any_batch any;
    struct abut_index *index = NULL, *other = NULL;
    double decay = 0;
    check_that(abut_index_new(set_of(before, &any), NULL, NULL, &index) == ABUT_OK, "%s: index_new", name);
    check_that(abut_index_new(set_of(queries, &any), NULL, NULL, &other) == ABUT_OK, "%s: index_new", name);
    check_that(abut_index_refit(index, set_of(items, &any), NULL, &decay, NULL) == ABUT_OK && decay >= 0, "%s: refit",
               name);
    struct scene scene = {name, "refit", queries->n, items->n, ABUT_CLOSED, seed};
    struct answers right = right_answers(subject, swapped, false, queries, items, ABUT_CLOSED);
    check_variants(&scene, &right, index, abut_of_index(other));
    check_public(&scene, &right, index, abut_of_index(other), NULL);
    free(right.bits);
    abut_index_free(index);
    abut_index_free(other);
}

static size_t some_size(struct random *random)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 127, 128, 129, 200};
    return random_below(random, 40) == 0 ? 2100 + random_below(random, 300)
                                         : sizes[random_below(random, sizeof sizes / sizeof *sizes)];
}

struct search_subject {
    const char *name, *predicate;
    enum shape query, item;
    bool swapped, self;
};

#define forward false
#define swapped true
#define SEARCH(query, item, predicate, order)                                                                          \
    {#query " in " #item "s", #predicate, shape_##query, shape_##item, order, false},
#define SELF(shape, predicate) {#shape "s themselves", #predicate, shape_##shape, shape_##shape, false, true},
static const struct search_subject search_subjects[] = {
#include "index/searches.def"
};
#undef forward
#undef swapped

static void run_round(const struct search_subject *s, struct abut_workspace *workspace, struct random *random)
{
    const struct subject *subject = subject_of(s->predicate);
    for (unsigned layout = 0; layout < layout_count; layout++) {
        uint64_t seed = random->state;
        struct batch queries = make_batch(s->query, layout, false, random, some_size(random));
        struct batch items = make_batch(s->item, layout, true, random, some_size(random));
        check_search(s->name, subject, s->swapped, s->self, layout_names[layout], s->self ? &items : &queries, &items,
                     workspace, seed);
        if (!s->self) {
            struct batch before = make_batch(s->item, layout_even, true, random, items.n), good = good_items(&queries);
            check_indices(s->name, subject, s->swapped, &good, &items, &before, seed);
            batch_free(&before);
            batch_free(&good);
        }
        batch_free(&queries);
        batch_free(&items);
    }
    for (unsigned kind = 0; kind < kind_count; kind++) {
        uint64_t seed = random->state;
        struct batch a, b;
        batches_of_items(subject, kind, random, some_size(random) % 300, some_size(random) % 300, &a, &b);
        struct batch *queries = s->swapped ? &b : &a, *items = s->swapped ? &a : &b, good = good_items(items);
        check_search(s->name, subject, s->swapped, s->self, kind_names[kind], s->self ? &good : queries, &good,
                     workspace, seed);
        batch_free(&good);
        batch_free(&a);
        batch_free(&b);
    }
}

/* ---- Hulls */

enum { MOST_HULLS = 60 };

struct hulls {
    size_t n;
    uint32_t offsets[MOST_HULLS + 1];
    float at[4][MOST_HULLS * MAX_PLANES];
    struct hull_theme themes[MOST_HULLS];
    struct planes planes[MOST_HULLS];
};

static void add_hull(struct hulls *hulls, const struct planes *planes)
{
    for (unsigned i = 0; i < planes->count; i++)
        for (unsigned k = 0; k < 4; k++)
            hulls->at[k][hulls->offsets[hulls->n] + i] = planes->at[i][k];
    hulls->planes[hulls->n] = *planes;
    hulls->offsets[hulls->n + 1] = hulls->offsets[hulls->n] + planes->count;
    hulls->n++;
}

struct hull_subject {
    const char *name;
    enum hull_predicate predicate;
    enum shape item;
    enum abut_status (*all)(const void *items, const struct abut_hulls *hulls, enum abut_touch touch,
                            struct abut_stats *stats, uint64_t *hits);
};

#define F(member)
#define SHAPE(name, plural, fields) typedef struct abut_##plural name##_batch;
#include "shapes.def"
#define HULL_PREDICATE(name, shape, question, function)                                                                \
    static inline enum abut_status all_##name(const void *items, const struct abut_hulls *hulls,                       \
                                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits)         \
    {                                                                                                                  \
        return function##_all((const shape##_batch *)items, hulls, touch, stats, hits);                                \
    }
#include "kernels.def"

#define HULL_SEARCH(item, predicate) {"hulls in " #item "s", hull_predicate_##predicate, shape_##item, all_##predicate},
static const struct hull_subject hull_subjects[] = {
#include "index/searches.def"
};

static void check_hulls(const struct hull_subject *s, const char *layout, const struct hulls *hulls,
                        const struct batch *items, struct abut_workspace *workspace, uint64_t seed)
{
    union any_batch any;
    struct abut_index *index = NULL;
    const struct abut_settings settings = {.workspace = workspace};
    const struct abut_set item_set = set_of(items, &any);
    const struct abut_hulls view = {hulls->n, hulls->offsets, hulls->at[0], hulls->at[1], hulls->at[2], hulls->at[3]};
    check_that(abut_index_new(item_set, &settings, NULL, &index) == ABUT_OK, "%s: index_new", s->name);
    for (enum abut_touch touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
        struct scene scene = {s->name, layout, hulls->n, items->n, touch, seed};
        uint64_t *hits = malloc((hulls->n * abut_mask_words(items->n) + 1) * sizeof *hits);
        CHECK(s->all(item_set.items, &view, touch, NULL, hits) == ABUT_OK);
        struct answers right = answers_of(hits, false, false, hulls->n, items->n);
        check_variants(&scene, &right, index, abut_of_hulls(&view));
        check_public(&scene, &right, index, abut_of_hulls(&view), workspace);
        free(right.bits);
    }
    abut_index_free(index);
}

/* Boxes, some of them without volume, and what is bad or holds all of space, among items of one layout. */
static void run_hull_layout(const struct hull_subject *s, enum layout layout, struct abut_workspace *workspace,
                            struct random *random)
{
    static struct hulls hulls;
    uint64_t seed = random->state;
    float box[6];
    hulls.n = 0;
    struct batch items = make_batch(s->item, layout, true, random, some_size(random));
    for (size_t n = random_below(random, MOST_HULLS); n > 0; n--) {
        struct planes planes;
        make_item(shape_aabb, layout, true, random, box);
        planes.count = abut_hull_aabb(box, box + 3, planes.at);
        if (planes.count == 0)
            planes = (struct planes){1, {{0, 0, 0, random_below(random, 2) ? -1.0f : 1.0f}}};
        if (random_below(random, 20) == 0)
            planes.at[random_below(random, planes.count)][random_below(random, 4)] = NAN;
        add_hull(&hulls, &planes);
    }
    check_hulls(s, layout_names[layout], &hulls, &items, workspace, seed);
    batch_free(&items);
}

/* Hulls of one kind, each with some items near it. */
static void run_hull_kind(const struct hull_subject *s, enum hull_kind kind, struct abut_workspace *workspace,
                          struct random *random)
{
    static struct hulls hulls;
    uint64_t seed = random->state;
    hulls.n = 0;
    for (size_t n = random_below(random, 20) + 1; n > 0; n--) {
        struct planes planes;
        make_hull(kind, random, &planes, &hulls.themes[hulls.n]);
        add_hull(&hulls, &planes);
    }
    struct batch items = batch_new(s->item, some_size(random));
    float item[ABUT_MAX_FIELDS];
    for (size_t i = 0; i < items.n; i++) {
        const size_t hull = random_below(random, (unsigned)hulls.n);
        make_hull_item(s->predicate, s->item, &hulls.themes[hull], &hulls.planes[hull], random, item);
        batch_set(&items, i, item);
    }
    struct batch good = good_items(&items);
    check_hulls(s, hull_kind_names[kind], &hulls, &good, workspace, seed);
    batch_free(&good);
    batch_free(&items);
}

/* ---- Axes off by what an index takes */

/* Spheres that touch a box along its first axis, which is short, so that a radius reaches farther than it is long. */
static void check_short_axes(void)
{
    for (float length = 0.9991f; length < 1.0005f; length += 0.0001f) {
        float obb[ABUT_MAX_FIELDS] = {3, 0, 0, 1, 1, 1, length, 0, 0, 0, 1, 0, 0, 0, 1};
        const struct subject *subject = subject_of("sphere_obb");
        struct batch boxes = batch_new(shape_obb, 1), spheres = batch_new(shape_sphere, 1);
        batch_set(&boxes, 0, obb);
        for (float r = 0x1p-10f; r < 1e6f; r *= 4) {
            const float sphere[4] = {3 + (1 + r) / length * (1 - 0x1p-20f), 0, 0, r};
            batch_set(&spheres, 0, sphere);
            check_search("sphere in short obb", subject, false, false, "one", &spheres, &boxes, NULL, 0);
            check_search("short obb in sphere", subject, true, false, "one", &boxes, &spheres, NULL, 0);
        }
        batch_free(&boxes);
        batch_free(&spheres);
    }
}

/* A half space that an edge of a box reaches, although its points do not, since its first axis is long. */
static void check_long_axes(void)
{
    static struct hulls hulls;
    const float obb[ABUT_MAX_FIELDS] = {3, 0, 0, 1, 1, 1, 1.0008f, 0, 0, 0, 1, 0, 0, 0, 1};
    struct batch boxes = batch_new(shape_obb, 1);
    batch_set(&boxes, 0, obb);
    hulls.n = 0;
    add_hull(&hulls, &(struct planes){1, {{-1, 0, 0, 4.0007f}}});
    for (size_t i = 0; i < sizeof hull_subjects / sizeof *hull_subjects; i++)
        if (hull_subjects[i].item == shape_obb)
            check_hulls(&hull_subjects[i], "one", &hulls, &boxes, NULL, 0);
    batch_free(&boxes);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    struct abut_workspace *workspace = NULL;
    print_variants();
    room = malloc((MOST_PAIRS + 8192) * sizeof *room);
    CHECK(room && abut_workspace_new(NULL, &workspace) == ABUT_OK);
    for (unsigned round = 0; round < options.rounds; round++)
        for (size_t i = 0; i < sizeof search_subjects / sizeof *search_subjects; i += options.step)
            for (const char *const *isa = abut_isas(); *isa; isa++) {
                abut_use_isa(*isa);
                run_round(&search_subjects[i], workspace, &random);
            }
    for (unsigned round = 0; round < options.rounds; round++)
        for (size_t i = 0; i < sizeof hull_subjects / sizeof *hull_subjects; i += options.step) {
            for (unsigned layout = 0; layout < layout_count; layout++)
                run_hull_layout(&hull_subjects[i], layout, workspace, &random);
            for (unsigned kind = 0; kind < hull_kind_count; kind++)
                run_hull_kind(&hull_subjects[i], kind, workspace, &random);
        }
    check_short_axes();
    check_long_axes();
    abut_workspace_free(workspace);
    free(room);
    return finish("index");
}
