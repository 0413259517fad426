/* SPDX-License-Identifier: MIT */
/* Compares casts of moving spheres among hulls, and their order, with the definition in rational arithmetic. */
#include "moving_oracle.h"
#include "oracle.h"
#include "report.h"
#include "touch_scenes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Scenes of a kind in a round, and those in which the oracle is checked. */
enum { TOUCHES = 50, GRIDS = 6, ORACLES = 2 * (kind_count - kind_box) };

static struct abut_stats stats;

/* ---- The right answers */

/* NULL for a hull that is invalid. */
static const struct parts *parts[HULLS];

static void find_parts(const struct cast_scene *scene)
{
    float planes[ABUT_MAX_PLANES][4];
    unsigned n;
    moving_oracle_begin();
    for (size_t i = 0; i < HULLS; i++)
        parts[i] = bounding_planes(scene, i, planes, &n) ? parts_of(planes, n) : NULL;
}

static struct moment right_hit(size_t hull, const float ray[8])
{
    return parts[hull] ? first_touch(parts[hull], ray) : (struct moment){0};
}

/* Hits at the end of a ray, and pairs of hits of one ray at the same moment, of a square root and of none. */
static unsigned at_ends, ties_of_roots, ties;

static bool is_root(const struct moment *moment)
{
    return !mpz_perfect_square_p(mpq_numref(moment->d)) || !mpz_perfect_square_p(mpq_denref(moment->d));
}

/* The first touch of each hull by each ray without an end. An end leaves out the later ones. */
static struct moment endless[RAYS][HULLS];

static void find_hits(const struct cast_scene *scene)
{
    for (size_t ray = 0; ray < RAYS; ray++) {
        float members[8];
        get_ray(scene, ray, members);
        members[7] = INFINITY;
        for (size_t i = 0; i < HULLS; i++)
            endless[ray][i] = right_hit(i, members);
    }
}

static void right_row(const struct cast_scene *scene, size_t ray, struct moment right[HULLS])
{
    const float end = scene->ray[7][ray];
    for (size_t i = 0; i < HULLS; i++) {
        const int late = endless[ray][i].is && isfinite(end) ? compare_moment_to(&endless[ray][i], end) : 0;
        right[i] = late <= 0 ? endless[ray][i] : (struct moment){0};
        if (!right[i].is || compare_moment_to(&right[i], 0) == 0)
            continue;
        at_ends += isfinite(end) && late == 0;
        for (size_t j = 0; j < i; j++)
            if (right[j].is && compare_moments(&right[i], &right[j]) == 0)
                ++*(is_root(&right[i]) ? &ties_of_roots : &ties);
    }
}

/* ---- Scenes */

/* One of the two neighbouring radii between which the answer changes; the one given if none does. */
static float tangent_radius(struct random *random, size_t hull, const float ray[8])
{
    float at[8];
    int32_t misses = rank_of(0), hits = rank_of(FLT_MAX);
    memcpy(at, ray, sizeof at);
    at[6] = 0;
    if (right_hit(hull, at).is)
        return ray[6];
    at[6] = FLT_MAX;
    if (!right_hit(hull, at).is)
        return ray[6];
    while (hits - misses > 1) {
        const int32_t middle = misses + (hits - misses) / 2;
        at[6] = from_rank(middle);
        if (right_hit(hull, at).is)
            hits = middle;
        else
            misses = middle;
    }
    return from_rank(random_below(random, 2) ? misses : hits);
}

static float make_radius(const struct cast_scene *scene, struct random *random, size_t hull, const float ray[8])
{
    static const float radii[] = {0, -0.0f, INFINITY, 0x1p-140f, 0x1p-149f, 0x1p100f, FLT_MAX, NAN, -1};
    const unsigned form = random_below(random, 8), k = random_below(random, 3);
    const float size = scene->box[k + 3][hull] - scene->box[k][hull];
    if (form == 0)
        return radii[random_below(random, sizeof radii / sizeof *radii)];
    if (form <= 2)
        return (float)random_below(random, 7) * 0.5f;
    if (form <= 4)
        return tangent_radius(random, hull, ray);
    return (isfinite(size) && size > 0 ? size : 1) * random_between(random, 0, 1);
}

static void make_rays(struct cast_scene *scene, struct random *random, enum kind kind)
{
    for (size_t i = 0; i < RAYS; i++) {
        float ray[8];
        const size_t hull = make_ray(scene, random, is_grid(kind), ray);
        ray[6] = make_radius(scene, random, hull, ray);
        set_ray(scene, i, ray);
    }
}

/* Each ray with a hit ends at one of its times, or a float before or after it. */
static void end_at_hits(struct cast_scene *scene, struct random *random, const struct found *found)
{
    for (size_t i = 0; i < RAYS; i++) {
        const unsigned n = (unsigned)(found->offsets[i + 1] - found->offsets[i]), form = random_below(random, 3);
        const float t = n > 0 ? found->t[found->offsets[i] + random_below(random, n)] : 1;
        scene->ray[7][i] = form == 0 ? t : form == 1 ? nextafterf(t, INFINITY) : t > 0 ? nextafterf(t, 0) : 0;
    }
}

static void check_scene(struct cast_scene *scene, struct random *random, const char *what)
{
    static struct found found;
    find_hits(scene);
    check_casts(scene, right_row, &stats, &found, what);
    end_at_hits(scene, random, &found);
    check_casts(scene, right_row, &stats, &found, what);
}

static struct cast_scene scene;

static void check_kind(struct random *random, enum kind kind)
{
    char what[100];
    snprintf(what, sizeof what, "%s; seed %llu", kind_names[kind], (unsigned long long)random->state);
    make_hulls(&scene, random, kind);
    find_parts(&scene);
    make_rays(&scene, random, kind);
    check_scene(&scene, random, what);
}

static void check_touches(struct random *random)
{
    char what[100];
    snprintf(what, sizeof what, "touches; seed %llu", (unsigned long long)random->state);
    make_touches(&scene, random);
    find_parts(&scene);
    check_scene(&scene, random, what);
}

/* ---- The oracle against that of standing spheres, which solves for the nearest point */

static unsigned touches, passes, grazes;

static void get_hull(size_t i, float *hull)
{
    const uint32_t first = scene.offsets[i], n = scene.offsets[i + 1] - first;
    hull[HULL_COUNT] = (float)n;
    for (uint32_t j = 0; j < 4 * n; j++)
        hull[HULL_PLANES + j] = scene.plane[j % 4][first + j / 4];
}

static int standing(const float ray[8], float t, const float *hull)
{
    float sphere[4];
    for (unsigned k = 0; k < 3; k++)
        sphere[k] = ray[k] + t * ray[k + 3];
    sphere[3] = ray[6];
    return oracle_sphere_hull(sphere, hull);
}

/* The least float that is not before a moment. */
static float float_after(const struct moment *moment)
{
    int32_t before = -1, after = rank_of(INFINITY);
    while (after - before > 1) {
        const int32_t middle = before + (after - before) / 2;
        if (compare_moment_to(moment, from_rank(middle)) > 0)
            before = middle;
        else
            after = middle;
    }
    return from_rank(after);
}

/* Whether a sphere that moves along one axis, from 0 and by a power of two, is where float32 puts it. */
static bool is_exact(const float ray[8], float t)
{
    const float speed = ray[3] + ray[4] + ray[5], way = speed * t;
    return isfinite(way) && way / speed == t;
}

/* A grazing sphere may be off again before the next float. */
static void check_first(const struct moment *first, const float ray[8], const float *hull, const char *what)
{
    const float after = float_after(first);
    if (!is_exact(ray, after) || !is_exact(ray, nextafterf(after, 0)))
        return;
    const int then = standing(ray, after, hull);
    const bool exact = compare_moment_to(first, after) == 0;
    if (after > 0)
        check_that(standing(ray, nextafterf(after, 0), hull) < 0, "%s: touches before %a", what, (double)after);
    check_that(then >= 0 || !exact, "%s: does not touch at %a", what, (double)after);
    check_that(then <= 0 || !exact || after == 0, "%s: is inside at %a", what, (double)after);
    touches += exact && after > 0;
    passes += !exact && then >= 0;
    grazes += then < 0;
}

/* A sphere at rest, and along an axis to both sides. */
static void check_oracle_of(struct random *random, size_t i, float ray[8], const char *what)
{
    static const float times[] = {0, 0.25f, 3};
    const unsigned axis = random_below(random, 3);
    const float speed = ldexpf(1, (int)random_below(random, 5) - 2);
    float hull[MAX_MEMBERS];
    get_hull(i, hull);
    ray[3] = ray[4] = ray[5] = 0;
    const bool stands = right_hit(i, ray).is;
    check_that(stands == (standing(ray, 0, hull) >= 0), "%s, a standing sphere", what);
    const bool aims = random_below(random, 4) > 0;
    for (unsigned k = 0; k < 3 && aims; k++) {
        const float middle = scene.box[k][i] / 2 + scene.box[k + 3][i] / 2;
        ray[k] = isfinite(middle) ? middle : ray[k];
    }
    ray[axis] = 0;
    ray[7] = INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        ray[axis + 3] = (float)sign * speed;
        if (random_below(random, 4) == 0)
            ray[6] = tangent_radius(random, i, ray) * (random_below(random, 2) ? 1 : 1.5f);
        const struct moment first = right_hit(i, ray);
        if (first.is)
            check_first(&first, ray, hull, what);
        for (unsigned k = 0; !first.is && k < sizeof times / sizeof *times; k++)
            check_that(standing(ray, times[k], hull) < 0, "%s: touches at %a", what, (double)times[k]);
    }
}

/* Hulls of a kind, or of the scenes with touches for kind_count. */
static void check_oracle(struct random *random, enum kind kind)
{
    char what[100];
    snprintf(what, sizeof what, "oracle, %s; seed %llu", kind < kind_count ? kind_names[kind] : "touches",
             (unsigned long long)random->state);
    if (kind < kind_count)
        make_hulls(&scene, random, kind);
    else
        make_touches(&scene, random);
    find_parts(&scene);
    if (kind < kind_count)
        make_rays(&scene, random, kind);
    for (size_t i = 0; i < RAYS; i += kind < kind_count ? 3 : 1) { /* that of kinds takes longer */
        const size_t hull = random_below(random, HULLS);
        float ray[8];
        get_ray(&scene, i, ray);
        if (scene.offsets[hull + 1] - scene.offsets[hull] <= 8)
            check_oracle_of(random, hull, ray, what);
    }
}

/*
 * Spheres far from the origin that touch one plane exactly at the time 1, which is the end or a float after it. The
 * normal and its length are integers, so all of this is exact, but heights above the plane are small differences.
 */
static void check_far_touches(struct random *random)
{
    static const float normals[][4] = {{3, 4, 0, 5}, {1, 2, 2, 3}, {2, 3, 6, 7}, {4, 4, 7, 9}, {1, 4, 8, 9}};
    static const uint32_t offset[] = {0, 1};
    static const float low = -INFINITY, high = INFINITY;
    const struct abut_aabbs space = {1, &low, &low, &low, &high, &high, &high};
    struct abut_index *index = NULL;
    CHECK(abut_index_new(abut_of_aabbs(&space), NULL, NULL, &index) == ABUT_OK);
    for (unsigned i = 0; i < 2000; i++) {
        const float *n = normals[i % (sizeof normals / sizeof *normals)];
        const float at = (float)random_below(random, 1 << 17), speed = (float)(1 + random_below(random, 9));
        const float d = -n[3] * n[3] * at, end = i % 2 ? 1 : nextafterf(1, 0);
        float p[3], v[3], t;
        for (unsigned k = 0; k < 3; k++) {
            p[k] = n[k] * (at + 1 + speed);
            v[k] = -n[k] * speed;
        }
        const struct abut_hulls hull = {1, offset, &n[0], &n[1], &n[2], &d};
        const struct abut_rays ray = {1, &p[0], &p[1], &p[2], &v[0], &v[1], &v[2], &n[3], &end};
        uint32_t item;
        CHECK(abut_cast_hulls_first(index, &hull, &ray, NULL, &item, &t) == ABUT_OK);
        check_that(i % 2 ? item == 0 && t == 1 : item == UINT32_MAX, "a plane at %g n, speed %g: hull %u at %a",
                   (double)at, (double)speed, item, (double)t);
    }
    abut_index_free(index);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1, .step = 1});
    struct random random = {options.seed};
    unsigned turn = 0;
    check_far_touches(&random);
    for (unsigned i = 0; i < ORACLES; i++)
        if (i % options.step == 0 && i / 2 + kind_box != kind_many)
            check_oracle(&random, i % 2 ? kind_count : kind_box + (enum kind)(i / 2) % (kind_count - kind_box));
    CHECK(options.step > 1 || (touches > 0 && passes > grazes));
    for (unsigned round = 0; round < options.rounds; round++) {
        for (enum kind kind = kind_box; kind < kind_count; kind++, turn++)
            if (turn % options.step == 0 && (kind != kind_many || round % 4 == 0)) /* which takes long */
                for (unsigned i = 0; i < (is_grid(kind) ? GRIDS : 1); i++)
                    check_kind(&random, kind);
        for (unsigned i = 0; i < TOUCHES; i++, turn++)
            if (turn % options.step == 0)
                check_touches(&random);
    }
    CHECK(at_ends > 0 && ties > 0 && ties_of_roots > 0);
    CHECK(stats.exact > 0 && stats.undecided >= stats.exact && stats.pairs > stats.undecided);
    return finish("casts of moving spheres among hulls");
}
