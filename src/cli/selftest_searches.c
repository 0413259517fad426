/* SPDX-License-Identifier: MIT */
/* The self-test of searches: the pairs of two small sets by an index, or of one with itself. */
#include "api/sets.h"
#include "bvh/search/run.h"
#include "exact/resolve.h"
#include "selftest.h"
#include "selftest_items.h"
#include <abut/shapes.h>

#include "cli.h"

#include <string.h>

enum { MOST_ITEMS = 70 };

/* Which of the two is the predicate's a. */
enum order { forward, swapped };

static const struct {
    const char *name;
    enum shape query, item;
    enum predicate predicate;
    enum order order;
    bool self;
} searches[search_count] = {
#define SEARCH(query, item, predicate, order)                                                                          \
    {#query " among " #item, shape_##query, shape_##item, predicate_##predicate, order, false},
#define SELF(shape, predicate) {"self " #shape, shape_##shape, shape_##shape, predicate_##predicate, forward, true},
#include "tables/searches.def"
};

struct set {
    size_t n;
    float items[MOST_ITEMS][ABUT_MAX_FIELDS], columns[ABUT_MAX_FIELDS][MOST_ITEMS];
};

/* Of a search of a set in itself the two are one. */
struct scene {
    enum search_kind kind;
    struct set sets[2], *queries, *items;
    enum answer answers[MOST_ITEMS][MOST_ITEMS]; /* by query and item */
};

static enum answer exact(enum search_kind kind, const float *query, const float *item)
{
    const bool turned = searches[kind].order == swapped;
    return abut_exact(searches[kind].predicate, turned ? item : query, turned ? query : item);
}

struct exact_pair {
    enum search_kind kind;
    const float *query, *item;
};

static bool closed_hit(const void *context)
{
    const struct exact_pair *pair = context;
    return exact(pair->kind, pair->query, pair->item) >= ANSWER_TOUCH;
}

/* The radius of a query, or of some item, so that these two nearly touch. */
static void tune(struct random *random, struct scene *scene, size_t q)
{
    const size_t i = random_below(random, (unsigned)scene->items->n);
    float *query = scene->queries->items[q], *item = scene->items->items[i];
    const struct exact_pair pair = {scene->kind, query, item};
    float *radius = item_radius(searches[scene->kind].query, query);
    if (radius == NULL)
        radius = item_radius(searches[scene->kind].item, item);
    if (radius != NULL && query != item)
        make_tangent(random, radius, closed_hit, &pair);
}

/* Indexes take OBBs whose axes are orthonormal. */
static void make_orthonormal(struct random *random, float *obb)
{
    float of_quaternion[4], *quaternion[4], *axes[9];
    for (unsigned k = 0; k < 4; k++) {
        of_quaternion[k] = random_between(random, -1, 1);
        quaternion[k] = &of_quaternion[k];
    }
    for (unsigned k = 0; k < 9; k++)
        axes[k] = &obb[6 + k];
    abut_obbs_axes_from_quaternions(1, quaternion, axes);
}

static void draw_set(struct random *random, struct set *set, enum shape shape, enum mood mood)
{
    set->n = 1 + random_below(random, MOST_ITEMS);
    for (size_t i = 0; i < set->n; i++) {
        item_draw(random, shape, mood, set->items[i]);
        if (shape == shape_obb && random_below(random, 4) > 0)
            make_orthonormal(random, set->items[i]);
    }
}

static void fill_columns(struct set *set)
{
    for (size_t i = 0; i < set->n; i++)
        for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
            set->columns[k][i] = set->items[i][k];
}

/* From an item on. */
static struct columns columns_of(const struct set *set, enum shape shape, size_t first)
{
    struct columns columns = {shape, kinds[shape].field_count, set->n - first, {NULL}, NULL};
    for (unsigned k = 0; k < columns.fields; k++)
        columns.at[k] = set->columns[k] + first;
    return columns;
}

/* Whether an index skips it. */
static bool invalid_item(const struct scene *scene, size_t i)
{
    const enum shape shape = searches[scene->kind].item;
    struct columns one = columns_of(scene->items, shape, i);
    one.n = 1;
    return kinds[shape].check(&one, NULL) != ABUT_OK;
}

static void fill(struct random *random, struct scene *scene, enum mood mood)
{
    scene->items = &scene->sets[0];
    scene->queries = searches[scene->kind].self ? scene->items : &scene->sets[1];
    draw_set(random, scene->items, searches[scene->kind].item, mood);
    if (scene->queries != scene->items)
        draw_set(random, scene->queries, searches[scene->kind].query, mood);
    for (size_t q = 0; mood == TANGENT && q < scene->queries->n; q++)
        tune(random, scene, q);
    fill_columns(scene->items);
    fill_columns(scene->queries);
    for (size_t i = 0; i < scene->items->n; i++) {
        const bool invalid = invalid_item(scene, i);
        for (size_t q = 0; q < scene->queries->n; q++)
            scene->answers[q][i] =
                invalid ? ANSWER_MISS : exact(scene->kind, scene->queries->items[q], scene->items->items[i]);
    }
}

/* How often each pair is found, and how many that are none. */
struct found {
    const struct scene *scene;
    unsigned times[MOST_ITEMS][MOST_ITEMS];
    size_t beyond;
};

/* Pairs of a set with itself come with either item first. */
static bool collect(void *context, const struct hits *hits)
{
    struct found *found = context;
    const uint32_t *id = hits->ids;
    for (size_t p = 0; p < hits->parts_n; p++)
        for (uint32_t left = hits->parts[p].count; left > 0; left--, id++) {
            const uint32_t query = hits->queries[hits->parts[p].position];
            const bool turned = searches[found->scene->kind].self && *id < query;
            const uint32_t a = turned ? *id : query, b = turned ? query : *id;
            if (a < found->scene->queries->n && b < found->scene->items->n)
                found->times[a][b]++;
            else
                found->beyond++;
        }
    return true;
}

static void tell(const struct scene *scene, const char *isa, bool closed, size_t q, size_t i, unsigned times,
                 bool expected)
{
    complain("selftest: %s %s %s: query %zu of %zu and item %zu of %zu are found %u times, the judge says %s", isa,
             searches[scene->kind].name, closed ? "closed" : "open", q, scene->queries->n, i, scene->items->n, times,
             expected ? "hit" : "miss");
    item_tell("query", &kinds[searches[scene->kind].query], scene->queries->items[q]);
    item_tell("item", &kinds[searches[scene->kind].item], scene->items->items[i]);
}

static void compare(struct selftest *selftest, const struct found *found, const char *isa, bool closed)
{
    const struct scene *scene = found->scene;
    for (size_t q = 0; q < scene->queries->n; q++)
        for (size_t i = searches[scene->kind].self ? q + 1 : 0; i < scene->items->n; i++) {
            const bool expected = scene->answers[q][i] >= (closed ? ANSWER_TOUCH : ANSWER_HIT);
            selftest->answers++;
            if (found->times[q][i] != expected && selftest->wrong++ < MOST_REPORTED)
                tell(scene, isa, closed, q, i, found->times[q][i], expected);
        }
    for (size_t q = 0; searches[scene->kind].self && q < scene->queries->n; q++)
        if (found->times[q][q] != 0 && selftest->wrong++ < MOST_REPORTED)
            tell(scene, isa, closed, q, q, found->times[q][q], false);
    if (found->beyond != 0 && selftest->wrong++ < MOST_REPORTED)
        complain("selftest: %s %s: finds what there is not", isa, searches[scene->kind].name);
}

static enum abut_status search(const struct abut_index *index, struct abut_set queries, bool closed,
                               const struct isa *isa, struct found *found)
{
    const struct abut_options settings = {.touch = closed ? ABUT_CLOSED : ABUT_OPEN};
    struct abut_workspace own;
    struct join join = join_of(index, queries, &settings);
    join.self = searches[found->scene->kind].self;
    join.workspace = abut_workspace_begin(&settings, &own);
    join.isa = isa;
    join.in_order = true;
    join.emit = collect;
    join.context = found;
    const enum abut_status status = abut_join_run(&join);
    abut_workspace_end(&own);
    return status;
}

static void check(struct selftest *selftest, const struct scene *scene)
{
    static struct found found;
    const struct abut_options settings = {.skip_invalid = true};
    const struct columns items = columns_of(scene->items, searches[scene->kind].item, 0);
    const struct columns queries = columns_of(scene->queries, searches[scene->kind].query, 0);
    union any_batch any_items, any_queries;
    struct abut_index *index;
    enum abut_status status = abut_index_new(set_of_columns(&items, &any_items), &settings, NULL, &index);
    for (const struct isa *const *v = selftest->isas; *v && status == ABUT_OK; v++)
        for (unsigned closed = 0; closed <= 1 && status == ABUT_OK; closed++) {
            memset(&found, 0, sizeof found);
            found.scene = scene;
            status = search(index, set_of_columns(&queries, &any_queries), closed, *v, &found);
            if (status == ABUT_OK)
                compare(selftest, &found, (*v)->name, closed);
        }
    abut_index_free(index);
    if (status != ABUT_OK && selftest->wrong++ < MOST_REPORTED)
        complain("selftest: %s: %s", searches[scene->kind].name, abut_status_text(status));
}

const char *selftest_search_name(enum search_kind kind)
{
    return searches[kind].name;
}

void selftest_searches(struct selftest *selftest, struct random *random, enum search_kind kind)
{
    static struct scene scene;
    scene.kind = kind;
    for (size_t mood = 0; mood < mood_count; mood++) {
        fill(random, &scene, (enum mood)mood);
        check(selftest, &scene);
    }
}
