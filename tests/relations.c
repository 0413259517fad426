/* SPDX-License-Identifier: MIT */
/* Properties of several predicates: what one says follows from what another says of the same or of other shapes. */
#include "properties.h"

#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether a relation follows from another one: from inside to cull. */
static int rank(const struct subject *subject)
{
    return is("inside", subject) ? 2 : is("touches", subject) ? 1 : is("cull", subject) ? 0 : -1;
}

static bool has_zero_radius(const struct batch *batch, size_t i)
{
    for (unsigned k = 0; k < batch->fields; k++)
        if (shape_info(batch->shape)->roles[k] == ROLE_RADIUS && batch->at[k][i] == 0)
            return true;
    return false;
}

/*
 * A shape inside another touches it, and what touches a hull is culled by none of its planes; under the open rule what
 * is inside touches only where no radius is 0.
 */
static void property_order(const struct scene *scene)
{
    for (unsigned p = 0; p < predicate_count; p++) {
        const struct subject *other = &subjects[p];
        bool straight = other->shape_a == scene->a.shape && other->shape_b == scene->b.shape;
        bool swapped = other->shape_a == scene->b.shape && other->shape_b == scene->a.shape;
        if (rank(other) < 0 || rank(other) >= rank(scene->subject) || (!straight && !swapped))
            continue;
        /* A sphere measures along the axes of an OBB, but holds one by its corners. */
        if (scene->subject->predicate == predicate_obb_in_sphere)
            continue;
        uint64_t *weaker =
            ask(other, straight ? &scene->a : &scene->b, straight ? &scene->b : &scene->a, scene->touch, NULL);
        for (size_t i = 0; i < PAIRS; i++) {
            const bool zero = has_zero_radius(&scene->a, i) || has_zero_radius(&scene->b, scene->b.n == 1 ? 0 : i);
            if (scene->touch == ABUT_CLOSED || !zero || is("touches", scene->subject))
                property(scene, is("cull", other) ? "a hit is not culled" : "an item inside touches",
                         !hit_at(scene->hits, i) || hit_at(weaker, i), NULL, NULL, i);
        }
        free(weaker);
    }
}

/* The predicate of these shapes with this relation, if there is one. */
static const struct subject *like(enum shape a, enum shape b, const char *question)
{
    for (unsigned p = 0; p < predicate_count; p++)
        if (subjects[p].shape_a == a && subjects[p].shape_b == b && is(question, &subjects[p]))
            return &subjects[p];
    return NULL;
}

/* A point is inside every shape that a sphere of radius 0 touches (closed). */
static void property_points(const struct scene *scene)
{
    const struct subject *touches = like(shape_sphere, scene->b.shape, "touches");
    if (!is("in", scene->subject) || scene->touch != ABUT_CLOSED || touches == NULL)
        return;
    struct batch spheres = batch_new(shape_sphere, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        float item[MAX_MEMBERS] = {0};
        batch_get(&scene->a, i, item);
        batch_set(&spheres, i, item);
    }
    uint64_t *touching = ask(touches, &spheres, &scene->b, ABUT_CLOSED, NULL);
    for (size_t i = 0; i < PAIRS; i++)
        property(scene, "points are spheres of radius 0", hit_at(touching, i) == hit_at(scene->hits, i), NULL, NULL, i);
    free(touching);
    batch_free(&spheres);
}

/* The corners of a box inside a shape are inside it. */
static void property_corners(const struct scene *scene)
{
    const struct subject *in = like(shape_point, scene->b.shape, "in");
    /* Points measure along the axes of an OBB, and corners lie between its edges. */
    if (!is("inside", scene->subject) || scene->a.shape != shape_aabb || scene->b.shape == shape_obb || in == NULL)
        return;
    for (unsigned corner = 0; corner < 8; corner++) {
        struct batch points = batch_new(shape_point, PAIRS);
        for (size_t i = 0; i < PAIRS; i++)
            for (unsigned k = 0; k < 3; k++)
                points.at[k][i] = scene->a.at[k + (corner >> k & 1 ? 3 : 0)][i];
        uint64_t *inside = ask(in, &points, &scene->b, scene->touch, NULL);
        for (size_t i = 0; i < PAIRS; i++) {
            const bool finite = isfinite(points.at[0][i]) && isfinite(points.at[1][i]) && isfinite(points.at[2][i]);
            property(scene, "a box inside has its corners inside",
                     !finite || !hit_at(scene->hits, i) || hit_at(inside, i), NULL, NULL, i);
        }
        free(inside);
        batch_free(&points);
    }
}

/* An AABB and the same as an OBB, near a box, with few bits, so that centre and half extents are exact. */
static void make_straight(struct random *random, float *aabb, float *obb)
{
    static const float axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (unsigned k = 0; k < 3; k++) {
        const float near = isfinite(aabb[k]) && fabsf(aabb[k]) < 1e4f ? aabb[k] : 1;
        obb[k] = rintf(near * 8) / 8;
        obb[3 + k] = (float)random_below(random, 9) / 8;
        aabb[k] = obb[k] - obb[3 + k];
        aabb[3 + k] = obb[k] + obb[3 + k];
    }
    memcpy(obb + 6, axes, sizeof axes);
}

/* An AABB is an OBB with the world axes. */
static void property_straight(const struct scene *scene)
{
    const bool is_a = scene->a.shape == shape_aabb, is_b = scene->b.shape == shape_aabb;
    const struct subject *of_obbs = is_a == is_b ? NULL
                                                 : like(is_a ? shape_obb : scene->a.shape,
                                                        is_b ? shape_obb : scene->b.shape, scene->subject->question);
    if (of_obbs == NULL)
        return;
    struct batch aabbs = batch_new(shape_aabb, PAIRS), obbs = batch_new(shape_obb, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        float aabb[MAX_MEMBERS], obb[MAX_MEMBERS];
        batch_get(is_a ? &scene->a : &scene->b, i, aabb);
        make_straight(scene->random, aabb, obb);
        batch_set(&aabbs, i, aabb);
        batch_set(&obbs, i, obb);
    }
    uint64_t *straight = ask(scene->subject, is_a ? &aabbs : &scene->a, is_b ? &aabbs : &scene->b, scene->touch, NULL);
    uint64_t *oriented = ask(of_obbs, is_a ? &obbs : &scene->a, is_b ? &obbs : &scene->b, scene->touch, NULL);
    property(scene, "an AABB is an OBB", same_words(straight, oriented, PAIRS), NULL, NULL, 0);
    free(straight);
    free(oriented);
    batch_free(&aabbs);
    batch_free(&obbs);
}

void check_relations(const struct scene *scene)
{
    property_order(scene);
    property_points(scene);
    property_corners(scene);
    property_straight(scene);
}
