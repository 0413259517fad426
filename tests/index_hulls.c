/* SPDX-License-Identifier: MIT */
/* Compares searches for hulls in an index with brute force: every indexed shape, hulls of every kind. */
#include "api/sets.h"
#include "hull_inputs.h"
#include "index_checks.h"
#include "index_scenes.h"
#include "options.h"
#include "report.h"
#include <abut/shapes.h>

#include <math.h>
#include <stdlib.h>

enum { MOST_HULLS = 60 };

struct hulls {
    size_t n;
    uint32_t offsets[MOST_HULLS + 1];
    float at[4][MOST_HULLS * ABUT_MAX_PLANES];
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

/* A predicate, and a relation that selects it for each touch rule, the default (0) among them where it does. */
struct hull_subject {
    const char *name;
    enum hull_predicate predicate;
    enum shape item;
    enum abut_relation answers[2];
    enum abut_status (*all)(const void *items, const struct abut_hulls *hulls, const struct abut_options *options,
                            uint64_t *hits);
};

#define HULL_PREDICATE(name, shape, relation, function)                                                                \
    static inline enum abut_status all_##name(const void *items, const struct abut_hulls *hulls,                       \
                                              const struct abut_options *options, uint64_t *hits)                      \
    {                                                                                                                  \
        return function##_all((const shape##_batch *)items, hulls, options, hits);                                     \
    }
#include "tables/predicates.def"

#define ANSWERS_touches ABUT_TOUCHES, ABUT_TOUCHES
#define ANSWERS_cull ABUT_CULL, ABUT_CULL
#define ANSWERS_inside ABUT_INSIDE, ABUT_INSIDE
#define ANSWERS_in ABUT_TOUCHES, ABUT_INSIDE
#define HULL_PREDICATE(name, shape, relation, function)                                                                \
    {"hulls by " #name, hull_predicate_##name, shape_##shape, {ANSWERS_##relation}, all_##name},
static const struct hull_subject hull_subjects[] = {
#include "tables/predicates.def"
};

static void check_hulls(const struct hull_subject *s, const char *layout, const struct hulls *hulls,
                        const struct batch *items, struct abut_workspace *workspace, uint64_t seed)
{
    union any_batch any;
    struct abut_index *index = NULL, *viewing = NULL;
    const struct abut_options options = {.workspace = workspace, .skip_invalid = true};
    struct batch right_items = invalid_as_nan(items);
    union any_batch any_right;
    const struct abut_set item_set = set_of(items, &any), right_set = set_of(&right_items, &any_right);
    const struct abut_hulls view = {hulls->n, hulls->offsets, hulls->at[0], hulls->at[1], hulls->at[2], hulls->at[3]};
    check_that(abut_index_new(item_set, &options, NULL, &index) == ABUT_OK, "%s: index_new", s->name);
    check_that(abut_index_view(item_set, 0.5f, &options, NULL, &viewing) == ABUT_OK, "%s: index_view", s->name);
    for (enum abut_touch touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
        struct scene scene = {s->name, layout, hulls->n, items->n, touch, s->answers[touch], seed};
        uint64_t *hits = malloc((hulls->n * abut_mask_words(items->n) + 1) * sizeof *hits);
        CHECK(s->all(right_set.items, &view, OPTIONS(touch, NULL), hits) == ABUT_OK);
        struct answers right = answers_of(hits, false, false, hulls->n, items->n);
        check_isas(&scene, &right, index, abut_of_hulls(&view));
        check_public(&scene, &right, index, abut_of_hulls(&view), workspace);
        check_isas(&scene, &right, viewing, abut_of_hulls(&view));
        answers_free(&right);
    }
    abut_index_free(index);
    abut_index_free(viewing);
    batch_free(&right_items);
}

/* Hulls of boxes, some without volume, some invalid or all of space, among items of one layout. */
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
    check_hulls(s, hull_kind_names[kind], &hulls, &items, workspace, seed);
    batch_free(&items);
}

/* A half space that touches an edge of the box but none of its points, because its first axis is longer than 1. */
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
    print_isas();
    CHECK(abut_workspace_new(NULL, &workspace) == ABUT_OK);
    for (unsigned round = 0; round < options.rounds; round++)
        for (size_t i = 0; i < sizeof hull_subjects / sizeof *hull_subjects; i += options.step) {
            for (unsigned layout = 0; layout < layout_count; layout++)
                run_hull_layout(&hull_subjects[i], layout, workspace, &random);
            for (unsigned kind = 0; kind < hull_kind_count; kind++)
                run_hull_kind(&hull_subjects[i], kind, workspace, &random);
        }
    check_long_axes();
    abut_workspace_free(workspace);
    return finish("index_hulls");
}
