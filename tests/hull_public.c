/* SPDX-License-Identifier: MIT */
/* Tests the public hull functions against the exact stage: all forms, classes and strict checks. */
#include "api/sets.h"
#include "hull_inputs.h"
#include "report.h"
#include <abut/shapes.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_HULLS = 12 };

static bool wanted(int answer, bool closed)
{
    return closed ? answer >= ANSWER_TOUCH : answer == ANSWER_HIT;
}

struct scene {
    unsigned n;
    struct planes planes[MAX_HULLS];
    float planes_at[4][MAX_HULLS * ABUT_MAX_PLANES], item_at[ABUT_MAX_FIELDS][MAX_HULLS];
    uint32_t offsets[MAX_HULLS + 1];
    struct columns items;
    struct abut_hulls hulls;
};

static void make_scene(struct scene *scene, enum hull_predicate predicate, struct random *random)
{
    enum shape shape = hull_calls[predicate].shape;
    scene->n = 1 + random_below(random, MAX_HULLS);
    scene->offsets[0] = 0;
    for (unsigned i = 0; i < scene->n; i++) {
        struct hull_theme theme;
        struct planes *planes = &scene->planes[i];
        float item[ABUT_MAX_FIELDS];
        make_hull((enum hull_kind)random_below(random, hull_kind_many), random, planes, &theme);
        make_hull_item(predicate, shape, &theme, planes, random, item);
        for (unsigned k = 0; k < shape_info(shape)->fields; k++)
            scene->item_at[k][i] = item[k];
        for (unsigned p = 0; p < planes->count; p++)
            for (int k = 0; k < 4; k++)
                scene->planes_at[k][scene->offsets[i] + p] = planes->at[p][k];
        scene->offsets[i + 1] = scene->offsets[i] + planes->count;
    }
    scene->items = (struct columns){.n = scene->n};
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        scene->items.at[k] = scene->item_at[k];
    scene->hulls = (struct abut_hulls){
        scene->n, scene->offsets, scene->planes_at[0], scene->planes_at[1], scene->planes_at[2], scene->planes_at[3]};
}

static int exact_pair(const struct scene *scene, enum hull_predicate predicate, unsigned hull, unsigned item)
{
    struct hull prepared;
    float members[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        members[k] = scene->item_at[k][item];
    prepare_planes(&prepared, &scene->planes[hull], 1);
    return (int)abut_hull_exact(predicate, &prepared, members);
}

static void print_scene_pair(const struct scene *scene, enum hull_predicate predicate, unsigned hull, unsigned item)
{
    float members[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        members[k] = scene->item_at[k][item];
    print_hull_pair(hull_calls[predicate].shape, &scene->planes[hull], members);
}

/* Through the public functions: pair by pair, one item with all, all with all. */
static void check_public(enum hull_predicate predicate, struct random *random)
{
    static struct scene scene;
    make_scene(&scene, predicate, random);
    bool closed = random_below(random, 2) == 0;
    enum abut_touch touch = closed ? ABUT_CLOSED : ABUT_OPEN;
    uint64_t pairs, one, all[MAX_HULLS];
    struct columns first = scene.items;
    first.n = 1;
    CHECK(hull_calls[predicate].pairs(&scene.items, &scene.hulls, touch, NULL, &pairs) == ABUT_OK);
    CHECK(hull_calls[predicate].pairs(&first, &scene.hulls, touch, NULL, &one) == ABUT_OK);
    CHECK(hull_calls[predicate].all(&scene.items, &scene.hulls, touch, NULL, all) == ABUT_OK);
    CHECK(hull_calls[predicate].all(&first, &scene.hulls, touch, NULL, NULL) == ABUT_ERROR_NULL);
    first.n = 0;
    CHECK(hull_calls[predicate].all(&first, &scene.hulls, touch, NULL, NULL) == ABUT_OK);
    for (unsigned i = 0; i < scene.n; i++)
        for (unsigned j = 0; j < scene.n; j++) {
            bool want = wanted(exact_pair(&scene, predicate, i, j), closed);
            bool good = hit_at(&all[i], j) == want && (j > 0 || hit_at(&one, i) == want) &&
                        (i != j || hit_at(&pairs, i) == want);
            if (!check_that(good, "%s of %u hulls, hull %u, item %u", hull_calls[predicate].name, scene.n, i, j))
                print_scene_pair(&scene, predicate, i, j);
        }
}

/* A hull with invalid planes, or with one plane that alone leaves no point. */
static bool hopeless(const struct planes *planes)
{
    for (unsigned i = 0; i < planes->count; i++) {
        const float *p = planes->at[i];
        bool zero = p[0] == 0 && p[1] == 0 && p[2] == 0;
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || isnan(p[3]) || p[3] == INFINITY ||
            (zero && p[3] > 0))
            return true;
    }
    return false;
}

static int class_wanted(const struct scene *scene, enum hull_predicate touches, enum hull_predicate inside,
                        unsigned hull, unsigned item)
{
    float members[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        members[k] = scene->item_at[k][item];
    if (hopeless(&scene->planes[hull]) || !item_valid(hull_calls[touches].shape, members))
        return ABUT_CLASS_NONE;
    if (exact_pair(scene, touches, hull, item) < 0)
        return ABUT_CLASS_OUTSIDE;
    return exact_pair(scene, inside, hull, item) > 0 ? ABUT_CLASS_INSIDE : ABUT_CLASS_CROSSING;
}

static enum abut_status ask_classes(enum shape shape, const struct columns *rows, const struct abut_hulls *hulls,
                                    uint8_t *classes)
{
    const struct abut_spheres spheres = sphere_view(rows);
    const struct abut_aabbs boxes = aabb_view(rows);
    return shape == shape_sphere ? abut_spheres_classify_hulls(&spheres, hulls, NULL, classes)
                                 : abut_aabbs_classify_hulls(&boxes, hulls, NULL, classes);
}

/* Pair by pair, one item with all, and one hull with more items than a block holds. */
static void check_classes(enum hull_predicate touches, enum hull_predicate inside, struct random *random)
{
    enum { MANY = 4200 };
    static struct scene scene;
    static float many_at[ABUT_MAX_FIELDS][MANY];
    static uint8_t pairs[MAX_HULLS], one[MAX_HULLS], many[MANY + 1];
    enum shape shape = hull_calls[touches].shape;
    make_scene(&scene, random_below(random, 2) == 0 ? touches : inside, random);
    struct columns first = scene.items, repeated = {.n = MANY};
    struct abut_hulls hull = scene.hulls;
    first.n = hull.n = 1;
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        repeated.at[k] = many_at[k];
        for (unsigned i = 0; i < MANY; i++)
            many_at[k][i] = scene.item_at[k][i % scene.n];
    }
    many[MANY] = 77;
    CHECK(ask_classes(shape, &scene.items, &scene.hulls, pairs) == ABUT_OK);
    CHECK(ask_classes(shape, &first, &scene.hulls, one) == ABUT_OK);
    CHECK(ask_classes(shape, &repeated, &hull, many) == ABUT_OK && many[MANY] == 77);
    for (unsigned i = 0; i < scene.n; i++)
        if (!check_that(pairs[i] == class_wanted(&scene, touches, inside, i, i) &&
                            one[i] == class_wanted(&scene, touches, inside, i, 0),
                        "class of pair %u", i))
            print_scene_pair(&scene, touches, i, i);
    for (unsigned i = 0; i < MANY; i++)
        check_that(many[i] == (i < scene.n ? class_wanted(&scene, touches, inside, 0, i) : many[i - scene.n]),
                   "class of item %u and one hull", i);
    /* An error in the last hull alone is found before anything is written. */
    memset(pairs, 77, sizeof pairs);
    scene.offsets[scene.n] = scene.offsets[scene.n - 1];
    CHECK(ask_classes(shape, &scene.items, &scene.hulls, pairs) == ABUT_ERROR_ARGUMENT && pairs[0] == 77);
    scene.hulls.n = scene.n + 2;
    CHECK(ask_classes(shape, &repeated, &scene.hulls, many) == ABUT_ERROR_LENGTHS);
    CHECK(ask_classes(shape, &scene.items, NULL, many) == ABUT_ERROR_NULL);
    scene.hulls.n = 0;
    repeated.n = 1;
    CHECK(ask_classes(shape, &repeated, &scene.hulls, NULL) == ABUT_OK);
    repeated.at[3] = NULL;
    CHECK(ask_classes(shape, &repeated, &scene.hulls, NULL) == ABUT_ERROR_NULL);
}

/* The first plane that a strict check rejects; the number of planes if there is none. */
static unsigned strictly_invalid_plane(const struct planes *planes)
{
    for (unsigned i = 0; i < planes->count; i++) {
        const float *p = planes->at[i];
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || !isfinite(p[3]) ||
            (p[0] == 0 && p[1] == 0 && p[2] == 0))
            return i;
    }
    return planes->count;
}

static void check_strictly(struct random *random)
{
    static struct scene scene;
    make_scene(&scene, hull_predicate_point_in_hull, random);
    struct abut_invalid invalid = {77, 77, "x", "x", 77}, again;
    size_t count = 0, hull = 0, plane = 0;
    for (unsigned i = scene.n; i-- > 0;) {
        unsigned at = strictly_invalid_plane(&scene.planes[i]);
        if (at < scene.planes[i].count) {
            count++;
            hull = i;
            plane = scene.offsets[i] + at;
        }
    }
    enum abut_status status = abut_check_hulls(&scene.hulls, &invalid);
    CHECK(status == (count > 0 ? ABUT_ERROR_INVALID : ABUT_OK) && abut_check_hulls(&scene.hulls, NULL) == status);
    check_that(invalid.count == count && (count == 0 || (invalid.row == hull && invalid.plane == plane)),
               "check of %u hulls: %zu invalid, first %zu, plane %zu, not %zu, first %zu, plane %zu", scene.n,
               invalid.count, invalid.row, invalid.plane, count, hull, plane);
    scene.offsets[scene.n] = scene.offsets[scene.n - 1] + 33 * random_below(random, 2);
    size_t others = count - (strictly_invalid_plane(&scene.planes[scene.n - 1]) < scene.planes[scene.n - 1].count);
    CHECK(abut_check_hulls(&scene.hulls, &again) == ABUT_ERROR_INVALID && again.count == others + 1);
    CHECK(others > 0 ? again.row == hull && again.plane == plane
                     : again.row == scene.n - 1 && strcmp(again.field, "offsets") == 0 &&
                           again.plane == scene.offsets[scene.n - 1]);
    scene.hulls.ny = NULL;
    CHECK(abut_check_hulls(&scene.hulls, &again) == ABUT_ERROR_NULL && abut_check_hulls(NULL, NULL) == ABUT_ERROR_NULL);
    scene.hulls.n = 0;
    CHECK(abut_check_hulls(&scene.hulls, &again) == ABUT_OK && again.count == 0);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 4});
    struct random random = {options.seed};
    for (unsigned round = 0; round < 20 * options.rounds; round++) {
        check_classes(hull_predicate_sphere_hull, hull_predicate_sphere_in_hull, &random);
        check_classes(hull_predicate_aabb_hull_planes, hull_predicate_aabb_in_hull, &random);
        check_strictly(&random);
    }
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0; p < hull_predicate_count; p++)
            check_public((enum hull_predicate)p, &random);
    return finish("hull_public");
}
