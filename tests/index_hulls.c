/* SPDX-License-Identifier: MIT */
/* Compares searches for hulls in an index with brute force: every indexed shape, hulls of every kind. */
#include "api/sets.h"
#include "index_checks.h"
#include "index_scenes.h"
#include "options.h"
#include "report.h"
#include <abut/shapes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_HULLS = 60 };

/* Relations that select a predicate, one for each touch rule, with the default (0) among them where it does. */
static enum abut_relation relation_of(const struct subject *subject, enum abut_touch touch)
{
    const char *question = subject->question;
    const bool in = strcmp(question, "in") == 0, inside = strcmp(question, "inside") == 0;
    return strcmp(question, "cull") == 0          ? ABUT_CULL
           : inside || (in && touch == ABUT_OPEN) ? ABUT_INSIDE
                                                  : ABUT_TOUCHES;
}

static void check_hulls(const struct subject *s, const char *layout, const struct batch *hulls,
                        const struct batch *items, struct abut_workspace *workspace, uint64_t seed)
{
    union any_batch any;
    struct abut_index *index = NULL, *viewing = NULL;
    const struct abut_options options = {.workspace = workspace, .skip_invalid = true};
    struct batch right_items = invalid_as_nan(items);
    const struct abut_set item_set = set_of(items, &any);
    union any_batch any_hulls;
    const struct abut_set hull_set = set_of(hulls, &any_hulls);
    check_that(abut_index_new(item_set, &options, NULL, &index) == ABUT_OK, "%s: index_new", s->name);
    check_that(abut_index_view(item_set, 0.5f, &options, NULL, &viewing) == ABUT_OK, "%s: index_view", s->name);
    for (enum abut_touch touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
        struct scene scene = {s->name, layout, hulls->n, items->n, touch, relation_of(s, touch), seed};
        uint64_t *hits = ask_all(s, &right_items, hulls, touch, NULL);
        struct answers right = answers_of(hits, false, false, hulls->n, items->n);
        check_isas(&scene, &right, index, hull_set);
        check_public(&scene, &right, index, hull_set, workspace);
        check_isas(&scene, &right, viewing, hull_set);
        answers_free(&right);
    }
    abut_index_free(index);
    abut_index_free(viewing);
    batch_free(&right_items);
}

/* Hulls of boxes, some without volume, some invalid or all of space, among items of one layout. */
static void run_hull_layout(const struct subject *s, enum layout layout, struct abut_workspace *workspace,
                            struct random *random)
{
    uint64_t seed = random->state;
    struct batch items = make_batch(s->shape_a, layout, true, random, some_size(random)),
                 hulls = batch_new(shape_hull, random_below(random, MOST_HULLS));
    for (size_t i = 0; i < hulls.n; i++) {
        float box[6], planes[6][4], hull[MAX_MEMBERS] = {0};
        make_item(shape_aabb, layout, true, random, box);
        unsigned count = abut_hull_aabb(box, box + 3, planes);
        memcpy(hull + HULL_PLANES, planes, sizeof planes);
        if (count == 0) {
            const float space[4] = {0, 0, 0, random_below(random, 2) ? -1.0f : 1.0f};
            memcpy(hull + HULL_PLANES, space, sizeof space);
            count = 1;
        }
        hull[HULL_COUNT] = (float)count;
        if (random_below(random, 20) == 0)
            hull[HULL_PLANES + random_below(random, 4 * count)] = NAN;
        batch_set(&hulls, i, hull);
    }
    check_hulls(s, layout_names[layout], &hulls, &items, workspace, seed);
    batch_free(&items);
    batch_free(&hulls);
}

/* Hulls of one kind, each with some items near it. */
static void run_hull_kind(const struct subject *s, enum kind kind, struct abut_workspace *workspace,
                          struct random *random)
{
    static float made[MOST_HULLS][MAX_MEMBERS];
    uint64_t seed = random->state;
    const struct theme theme = theme_of(kind, random);
    float item[MAX_MEMBERS];
    struct batch items = batch_new(s->shape_a, some_size(random)),
                 hulls = batch_new(shape_hull, random_below(random, 20) + 1);
    for (size_t i = 0; i < hulls.n; i++) {
        make_pair(s, theme, FREE_BOTH, random, item, made[i]);
        batch_set(&hulls, i, made[i]);
    }
    for (size_t i = 0; i < items.n; i++) {
        make_pair(s, theme, FREE_A, random, item, made[random_below(random, (unsigned)hulls.n)]);
        batch_set(&items, i, item);
    }
    check_hulls(s, kind_names[kind], &hulls, &items, workspace, seed);
    batch_free(&items);
    batch_free(&hulls);
}

/* A half space that touches an edge of the box but none of its points, because its first axis is longer than 1. */
static void check_long_axes(void)
{
    const float obb[MAX_MEMBERS] = {3, 0, 0, 1, 1, 1, 1.0008f, 0, 0, 0, 1, 0, 0, 0, 1},
                hull[MAX_MEMBERS] = {[HULL_COUNT] = 1, [HULL_PLANES] = -1, [HULL_PLANES + 3] = 4.0007f};
    struct batch boxes = batch_new(shape_obb, 1), hulls = batch_new(shape_hull, 1);
    batch_set(&boxes, 0, obb);
    batch_set(&hulls, 0, hull);
    for (unsigned p = 0; p < predicate_count; p++)
        if (of_hulls(&subjects[p]) && subjects[p].shape_a == shape_obb)
            check_hulls(&subjects[p], "one", &hulls, &boxes, NULL, 0);
    batch_free(&boxes);
    batch_free(&hulls);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct random random = {options.seed};
    struct abut_workspace *workspace = NULL;
    print_isas();
    CHECK(abut_workspace_new(NULL, &workspace) == ABUT_OK);
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0, turn = 0; p < predicate_count; p++) {
            if (!of_hulls(&subjects[p]) || subjects[p].shape_a == shape_hull || turn++ % options.step != 0)
                continue;
            for (enum layout layout = 0; layout < layout_count; layout++)
                run_hull_layout(&subjects[p], layout, workspace, &random);
            for (enum kind kind = 0; kind < kind_count; kind++)
                if (has_kind(&subjects[p], kind))
                    run_hull_kind(&subjects[p], kind, workspace, &random);
        }
    check_long_axes();
    abut_workspace_free(workspace);
    return finish("index_hulls");
}
