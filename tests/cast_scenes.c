/* SPDX-License-Identifier: MIT */
/* Scenes of hulls of every kind, and of rays towards them. */
#include "cast_scenes.h"

#include "report.h"

#include <abut/engine.h>

#include <math.h>
#include <string.h>

struct abut_hulls hulls_of(const struct cast_scene *scene)
{
    return (struct abut_hulls){HULLS,           scene->offsets,  scene->plane[0],
                               scene->plane[1], scene->plane[2], scene->plane[3]};
}

struct abut_aabbs boxes_of(const struct cast_scene *scene)
{
    return (struct abut_aabbs){HULLS,         scene->box[0], scene->box[1], scene->box[2],
                               scene->box[3], scene->box[4], scene->box[5]};
}

struct abut_rays rays_of(const struct cast_scene *scene)
{
    return (struct abut_rays){RAYS,          scene->ray[0], scene->ray[1], scene->ray[2], scene->ray[3],
                              scene->ray[4], scene->ray[5], scene->ray[6], scene->ray[7]};
}

void set_hull(struct cast_scene *scene, size_t i, const float *hull)
{
    for (unsigned j = 0; j < planes_of(hull); j++)
        for (unsigned k = 0; k < 4; k++)
            scene->plane[k][scene->offsets[i] + j] = plane_of(hull, j)[k];
    scene->offsets[i + 1] = scene->offsets[i] + planes_of(hull);
}

void set_ray(struct cast_scene *scene, size_t i, const float ray[8])
{
    for (unsigned k = 0; k < 8; k++)
        scene->ray[k][i] = ray[k];
}

void get_ray(const struct cast_scene *scene, size_t i, float ray[8])
{
    for (unsigned k = 0; k < 8; k++)
        ray[k] = scene->ray[k][i];
}

bool is_grid(enum kind kind)
{
    return kind == kind_box || kind == kind_hull_integers;
}

void tilt(struct random *random, float *hull)
{
    for (unsigned j = 0; j < planes_of(hull); j++) {
        float *n = hull + (plane_of(hull, j) - hull);
        const unsigned k = random_below(random, 3);
        if (n[k] == 0 && random_below(random, 3) == 0)
            n[k] = random_below(random, 2) ? 0x1p-60f : -0x1p-60f;
    }
}

void make_boxes(struct cast_scene *scene)
{
    float *const columns[6] = {scene->box[0], scene->box[1], scene->box[2],
                               scene->box[3], scene->box[4], scene->box[5]};
    const struct abut_hulls hulls = hulls_of(scene);
    CHECK(abut_aabbs_of_hulls(&hulls, columns) == ABUT_OK);
}

void make_hulls(struct cast_scene *scene, struct random *random, enum kind kind)
{
    const bool tilts = is_grid(kind) && random_below(random, 2) == 0;
    float hull[MAX_MEMBERS] = {0};
    for (size_t i = 0; i < HULLS; i++) {
        if (i == 0 || random_below(random, 6) > 0) /* or once more */
            make_hull(kind, random, hull);
        if (tilts)
            tilt(random, hull);
        set_hull(scene, i, hull);
    }
    make_boxes(scene);
}

size_t make_ray(const struct cast_scene *scene, struct random *random, bool grid, float ray[8])
{
    static const float ends[] = {1, 1, 0, 0.5f, INFINITY, INFINITY, INFINITY, 3};
    const size_t i = random_below(random, HULLS);
    grid = grid || random_below(random, 2) == 0;
    for (unsigned k = 0; k < 3; k++) {
        const float first = scene->box[k][i], last = scene->box[k + 3][i];
        const float low = isfinite(first) ? first : -1, high = isfinite(last) ? last : 1;
        const float inside = low / 2 + high / 2 + (high / 2 - low / 2) * random_between(random, -1.1f, 1.1f);
        ray[k] =
            grid ? (float)random_below(random, 15) * 0.5f - 3.5f : inside + (high - low) * random_integer(random, 2);
        ray[k + 3] = grid ? random_integer(random, 2) : inside - ray[k];
        ray[k + 3] *= random_below(random, 4) ? 1 : 0x1p-20f;
        ray[k + 3] = isfinite(ray[k + 3]) && random_below(random, 6) ? ray[k + 3] : 0;
        ray[k] = isfinite(ray[k]) ? ray[k] : 0;
    }
    ray[6] = random_below(random, 2) ? 0 : -0.0f;
    ray[7] = ends[random_below(random, sizeof ends / sizeof *ends)];
    return i;
}

static bool bounds_nothing(const float p[4])
{
    return p[3] == -INFINITY || (p[0] == 0 && p[1] == 0 && p[2] == 0);
}

bool bounding_planes(const struct cast_scene *scene, size_t hull, float planes[ABUT_MAX_PLANES][4], unsigned *n)
{
    *n = 0;
    for (uint32_t j = scene->offsets[hull]; j < scene->offsets[hull + 1]; j++) {
        const float p[4] = {scene->plane[0][j], scene->plane[1][j], scene->plane[2][j], scene->plane[3][j]};
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || isnan(p[3]) || p[3] == INFINITY ||
            (bounds_nothing(p) && p[3] > 0))
            return false;
        if (!bounds_nothing(p))
            memcpy(planes[(*n)++], p, sizeof p);
    }
    return true;
}
