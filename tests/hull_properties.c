/* SPDX-License-Identifier: MIT */
/*
 * Properties of hull answers, tested through the public functions with each instruction set of this machine. They need
 * neither exact stage nor oracle, so an error common to both would show.
 */
#include "hull_inputs.h"
#include "options.h"
#include "report.h"

#include <math.h>
#include <string.h>

enum { ITEMS = 300, WORDS = (ITEMS + 63) / 64 };

/* One hull, and items of one shape near it. */
struct scene {
    enum hull_kind kind;
    enum abut_touch touch;
    struct planes planes;
    float planes_at[4][ABUT_MAX_PLANES], at[ABUT_MAX_FIELDS][ITEMS];
    uint32_t offsets[2];
    struct abut_hulls hulls;
};

static void scene_planes(struct scene *scene)
{
    for (unsigned i = 0; i < scene->planes.count; i++)
        for (unsigned k = 0; k < 4; k++)
            scene->planes_at[k][i] = scene->planes.at[i][k];
    scene->offsets[1] = scene->planes.count;
    scene->hulls = (struct abut_hulls){
        1, scene->offsets, scene->planes_at[0], scene->planes_at[1], scene->planes_at[2], scene->planes_at[3]};
}

static void make_scene(struct scene *scene, enum hull_predicate predicate, enum shape shape, struct random *random)
{
    struct hull_theme theme;
    make_hull(scene->kind, random, &scene->planes, &theme);
    scene_planes(scene);
    for (size_t i = 0; i < ITEMS; i++) {
        float item[ABUT_MAX_FIELDS] = {0};
        make_hull_item(predicate, shape, &theme, &scene->planes, random, item);
        for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
            scene->at[k][i] = item[k];
    }
}

static struct abut_spheres spheres_of(const struct scene *scene, size_t first, size_t n)
{
    return (struct abut_spheres){n, scene->at[0] + first, scene->at[1] + first, scene->at[2] + first,
                                 scene->at[3] + first};
}

static struct abut_aabbs aabbs_of(const struct scene *scene, size_t n)
{
    return (struct abut_aabbs){n, scene->at[0], scene->at[1], scene->at[2], scene->at[3], scene->at[4], scene->at[5]};
}

typedef enum abut_status sphere_call(const struct abut_spheres *spheres, const struct abut_hulls *hulls,
                                     const struct abut_options *options, uint64_t *ABUT_RESTRICT hits);

enum { EXACT, PLANES, INSIDE, QUESTIONS };
static sphere_call *const calls[QUESTIONS] = {abut_spheres_touch_hulls, abut_spheres_cull_hulls,
                                              abut_spheres_inside_hulls};

static void ask(const struct scene *scene, int question, uint64_t *hits)
{
    const struct abut_spheres spheres = spheres_of(scene, 0, ITEMS);
    CHECK(calls[question](&spheres, &scene->hulls, OPTIONS(scene->touch, NULL), hits) == ABUT_OK);
}

static void property(const struct scene *scene, const char *name, enum shape shape, bool holds, size_t i)
{
    float item[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        item[k] = scene->at[k][i];
    if (!check_that(holds, "%s: %s, %s, hull %s, item %zu", name, abut_isa(),
                    scene->touch == ABUT_CLOSED ? "closed" : "open", hull_kind_names[scene->kind], i))
        print_hull_pair(shape, &scene->planes, item);
}

/* Inside implies exact implies planes; for radius 0 under the closed rule only. */
static void property_order(struct scene *scene, uint64_t hits[QUESTIONS][WORDS])
{
    for (size_t i = 0; i < ITEMS; i++) {
        bool reported = scene->touch == ABUT_CLOSED || scene->at[3][i] > 0;
        property(scene, "inside touches", shape_sphere, !reported || !hit_at(hits[INSIDE], i) || hit_at(hits[EXACT], i),
                 i);
        property(scene, "what touches is beyond no plane", shape_sphere,
                 !hit_at(hits[EXACT], i) || hit_at(hits[PLANES], i), i);
    }
}

/* A larger radius loses no touch; a smaller radius loses no item inside. */
static void property_growth(struct scene *scene, struct random *random, uint64_t hits[QUESTIONS][WORDS])
{
    float before[ITEMS];
    memcpy(before, scene->at[3], sizeof before);
    for (unsigned question = 0; question < QUESTIONS; question++) {
        uint64_t now[WORDS];
        for (size_t i = 0; i < ITEMS; i++) {
            float step = ldexpf(before[i], -(int)random_below(random, 26));
            float radius = question == INSIDE ? before[i] - step : before[i] + step;
            scene->at[3][i] = before[i] > 0 && before[i] < INFINITY ? radius : before[i];
        }
        ask(scene, (int)question, now);
        for (size_t i = 0; i < ITEMS; i++)
            property(scene, "growth", shape_sphere, !hit_at(hits[question], i) || hit_at(now, i), i);
        memcpy(scene->at[3], before, sizeof before);
    }
}

/* Neither the order of the items nor the order of the planes matters. */
static void property_permutation(struct scene *scene, struct random *random, uint64_t hits[QUESTIONS][WORDS])
{
    struct scene turned = *scene;
    for (unsigned i = turned.planes.count - 1; i > 0; i--) {
        unsigned j = random_below(random, i + 1);
        float plane[4];
        memcpy(plane, turned.planes.at[i], sizeof plane);
        memcpy(turned.planes.at[i], turned.planes.at[j], sizeof plane);
        memcpy(turned.planes.at[j], plane, sizeof plane);
    }
    scene_planes(&turned);
    for (size_t i = 0; i < ITEMS; i++)
        for (unsigned k = 0; k < 4; k++)
            turned.at[k][i] = scene->at[k][ITEMS - 1 - i];
    for (unsigned question = 0; question < QUESTIONS; question++) {
        uint64_t now[WORDS];
        ask(&turned, (int)question, now);
        for (size_t i = 0; i < ITEMS; i++)
            property(scene, "permutation", shape_sphere, hit_at(hits[question], i) == hit_at(now, ITEMS - 1 - i), i);
    }
}

/* A batch equals its parts, and each item paired with a copy of the hull. */
static void property_parts(struct scene *scene, struct random *random, uint64_t hits[QUESTIONS][WORDS])
{
    const size_t cut = random_below(random, ITEMS);
    const struct abut_spheres low = spheres_of(scene, 0, cut), high = spheres_of(scene, cut, ITEMS - cut);
    for (unsigned question = 0; question < QUESTIONS; question++) {
        uint64_t first[WORDS], second[WORDS];
        CHECK(calls[question](&low, &scene->hulls, OPTIONS(scene->touch, NULL), first) == ABUT_OK);
        CHECK(calls[question](&high, &scene->hulls, OPTIONS(scene->touch, NULL), second) == ABUT_OK);
        for (size_t i = 0; i < ITEMS; i++)
            property(scene, "parts", shape_sphere,
                     hit_at(hits[question], i) == (i < cut ? hit_at(first, i) : hit_at(second, i - cut)), i);
    }
}

/* Removing a plane never shrinks the hull. */
static void property_planes(struct scene *scene, uint64_t hits[QUESTIONS][WORDS])
{
    if (scene->planes.count < 2)
        return;
    struct scene fewer = *scene;
    fewer.planes.count--;
    scene_planes(&fewer);
    for (unsigned question = 0; question < QUESTIONS; question++) {
        uint64_t now[WORDS];
        ask(&fewer, (int)question, now);
        for (size_t i = 0; i < ITEMS; i++)
            property(scene, "without a plane", shape_sphere, !hit_at(hits[question], i) || hit_at(now, i), i);
    }
}

/* A box inside the hull is beyond no plane, and its corners are inside. */
static void property_boxes(struct scene *scene, struct random *random)
{
    make_scene(scene, hull_predicate_aabb_in_hull, shape_aabb, random);
    const struct abut_aabbs boxes = aabbs_of(scene, ITEMS);
    static const float zeros[ITEMS];
    const struct abut_spheres corners = {ITEMS, boxes.minx, boxes.miny, boxes.minz, zeros};
    const struct abut_points points = {ITEMS, boxes.minx, boxes.miny, boxes.minz};
    uint64_t inside[WORDS], planes[WORDS], corner_touches[WORDS], corner_in[WORDS];
    CHECK(abut_aabbs_inside_hulls(&boxes, &scene->hulls, OPTIONS(scene->touch, NULL), inside) == ABUT_OK);
    CHECK(abut_aabbs_cull_hulls(&boxes, &scene->hulls, OPTIONS(scene->touch, NULL), planes) == ABUT_OK);
    CHECK(abut_spheres_touch_hulls(&corners, &scene->hulls, NULL, corner_touches) == ABUT_OK);
    CHECK(abut_points_inside_hulls(&points, &scene->hulls, NULL, corner_in) == ABUT_OK);
    for (size_t i = 0; i < ITEMS; i++) {
        bool finite = isfinite(boxes.minx[i]) && isfinite(boxes.miny[i]) && isfinite(boxes.minz[i]);
        property(scene, "a box inside touches", shape_aabb, !hit_at(inside, i) || hit_at(planes, i), i);
        property(scene, "a box inside has its corners inside", shape_aabb,
                 !finite || !hit_at(inside, i) || hit_at(corner_in, i), i);
        property(scene, "a point is a sphere of radius 0", shape_aabb,
                 hit_at(corner_touches, i) == hit_at(corner_in, i), i);
    }
}

/* An AABB is an OBB with the world axes. */
static void property_oriented(struct scene *scene, struct random *random)
{
    make_scene(scene, hull_predicate_aabb_in_hull, shape_aabb, random);
    static float centres[3][ITEMS], halves[3][ITEMS], ones[ITEMS], zeros[ITEMS];
    for (size_t i = 0; i < ITEMS; i++) {
        ones[i] = 1;
        for (unsigned k = 0; k < 3; k++) { /* few bits, so that centre and half extent are exact */
            centres[k][i] = rintf(scene->at[k][i] * 8) / 8;
            halves[k][i] = (float)random_below(random, 9) / 8;
            scene->at[k][i] = centres[k][i] - halves[k][i];
            scene->at[k + 3][i] = centres[k][i] + halves[k][i];
        }
    }
    const struct abut_aabbs boxes = aabbs_of(scene, ITEMS);
    const struct abut_obbs turned = {ITEMS, centres[0], centres[1], centres[2], halves[0], halves[1], halves[2], ones,
                                     zeros, zeros,      zeros,      ones,       zeros,     zeros,     zeros,     ones};
    uint64_t straight[WORDS], oriented[WORDS], inside[WORDS], oriented_inside[WORDS];
    CHECK(abut_aabbs_cull_hulls(&boxes, &scene->hulls, OPTIONS(scene->touch, NULL), straight) == ABUT_OK);
    CHECK(abut_obbs_cull_hulls(&turned, &scene->hulls, OPTIONS(scene->touch, NULL), oriented) == ABUT_OK);
    CHECK(abut_aabbs_inside_hulls(&boxes, &scene->hulls, OPTIONS(scene->touch, NULL), inside) == ABUT_OK);
    CHECK(abut_obbs_inside_hulls(&turned, &scene->hulls, OPTIONS(scene->touch, NULL), oriented_inside) == ABUT_OK);
    for (size_t i = 0; i < ITEMS; i++) {
        bool exact = true;
        for (unsigned k = 0; k < 3; k++)
            exact = exact && fabsf(centres[k][i]) < 1e4f;
        property(scene, "an AABB is an OBB", shape_aabb,
                 !exact ||
                     (hit_at(straight, i) == hit_at(oriented, i) && hit_at(inside, i) == hit_at(oriented_inside, i)),
                 i);
    }
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 5, .rounds = 1});
    const char *before = abut_isa();
    for (const char *const *isa = abut_isas(); *isa != NULL; isa++) {
        struct random random = {options.seed};
        CHECK(abut_use_isa(*isa) == ABUT_OK);
        for (unsigned round = 0; round < options.rounds; round++)
            for (unsigned kind = 0; kind < hull_kind_many; kind++)
                for (unsigned touch = 0; touch < 2; touch++) {
                    static struct scene scene;
                    uint64_t hits[QUESTIONS][WORDS];
                    scene.kind = (enum hull_kind)kind;
                    scene.touch = touch ? ABUT_OPEN : ABUT_CLOSED;
                    make_scene(&scene, hull_predicate_sphere_hull, shape_sphere, &random);
                    for (int question = 0; question < QUESTIONS; question++)
                        ask(&scene, question, hits[question]);
                    property_order(&scene, hits);
                    property_growth(&scene, &random, hits);
                    property_permutation(&scene, &random, hits);
                    property_parts(&scene, &random, hits);
                    property_planes(&scene, hits);
                    property_boxes(&scene, &random);
                    property_oriented(&scene, &random);
                }
    }
    CHECK(abut_use_isa(before) == ABUT_OK);
    return finish("hull_properties");
}
