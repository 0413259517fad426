/* SPDX-License-Identifier: MIT */
/*
 * A guess at the feature of a hull that a moving sphere touches first, and a proof of most misses, in float64. Without
 * either, all faces, edges and corners would be tried in the formulas of cast_moving_hulls.h: a ray among 21,000 boxes
 * as hulls would take 7.5 us for 4.3, and among as many hulls of 10 planes, most of them endless, 5 ms for 85 us.
 *
 * Newton's method on the distance f(t) of the centre from the hull: f is convex, so from times before the touch it
 * approaches that from one side. At time t the nearest planes have unit normals n with factors l >= 0, and the centre
 * has the height s + t w over each of them. No point of the hull is outside of these planes. So the sphere is apart
 * from the hull wherever sum l s + t sum l w > r |sum l n|. Each step proves by this that there is no touch before its
 * end, or none at all if the left side does not fall, whether or not the planes found are the nearest ones.
 */
#include "bvh/cast/cast.h"

#include "hull/nearest_point.h"
#include "util/dot.h"

#include <math.h>
#include <string.h>

enum { MAX_GUESSES = 16 };

/* A step that advances by less than this part of the time has arrived. */
#define ADVANCE 0x1p-20

/* The left side of the inequality at the start, how fast it falls at most, and what it has to exceed at least. */
struct separation {
    double start, falls, reach;
};

static double size_of(const float p[3])
{
    return fabs((double)p[0]) + fabs((double)p[1]) + fabs((double)p[2]);
}

/*
 * Heights and speeds are wrong by less than a quarter of HULL_ERROR of the sizes (nearest_point.h). Twice HULL_ERROR is
 * allowed, so that the roundings of sums and differences here and in guess() are covered, too. The sum of normals may
 * cancel: its length is wrong by less than 2^-48 of the factors, as in nearest_point.c.
 */
static struct separation separation_of(const struct hull *hull, const struct cast_ray *ray,
                                       const struct hull_foot *foot)
{
    double start = 0, speed = 0, weight = 0, sum[3] = {0, 0, 0};
    for (unsigned i = 0; i < foot->active.count; i++) {
        const double *n = hull->unit[foot->active.plane[i]], l = foot->t[i];
        const double from[3] = {ray->from[0], ray->from[1], ray->from[2]};
        const double motion[3] = {ray->motion[0], ray->motion[1], ray->motion[2]};
        start += l * (dot(n, from) + n[3]);
        speed += l * dot(n, motion);
        weight += l;
        for (unsigned k = 0; k < 3; k++)
            sum[k] += l * n[k];
    }
    const double length = sqrt(dot(sum, sum)) * (1 + 0x1p-40) + 0x1p-48 * weight;
    return (struct separation){start - 2 * HULL_ERROR * weight * (size_of(ray->from) + hull->reach),
                               2 * HULL_ERROR * weight * size_of(ray->motion) - speed, (double)ray->r * length};
}

/* False if the sphere certainly touches the hull at no time up to limit. */
static bool guess(struct cast_hull *cast, const struct hull *hull, const struct cast_ray *ray, double limit)
{
    double t = 0;
    for (unsigned step = 0; step < MAX_GUESSES; step++) {
        double c[3];
        struct hull_foot foot;
        for (unsigned k = 0; k < 3; k++)
            c[k] = (double)ray->from[k] + t * (double)ray->motion[k];
        if (!abut_hull_foot(hull, c, &foot))
            return true;
        cast->guess = foot.active;
        const struct separation at = separation_of(hull, ray, &foot);
        if (!(at.start - t * at.falls > at.reach))
            return true;
        if (at.falls <= 0)
            return false;
        const double end = (at.start - at.reach) / at.falls * (1 - 0x1p-48);
        if (end > limit)
            return false;
        if (!(end > t * (1 + ADVANCE)))
            return true;
        t = end;
    }
    return true;
}

static bool touches(struct hull *hull, const struct cast_ray *ray, struct abut_stats *stats)
{
    const float sphere[4] = {ray->from[0], ray->from[1], ray->from[2], ray->r};
    struct findings found = NOTHING_FOUND;
    enum answer answer = abut_hull_nearest(hull, sphere, &found);
    if (answer == ANSWER_UNKNOWN) {
        stats->undecided++;
        stats->exact++;
        answer = abut_hull_sphere(hull, sphere, found.active);
    }
    return answer != ANSWER_MISS;
}

bool abut_cast_prepare_hull(struct cast_hull *cast, const struct cast_search *search, size_t i, bool apart)
{
    struct hull hull;
    abut_hull_prepare(&hull, search->hulls, i, false);
    memset(cast->possible, 0xff, CAST_FEATURE_WORDS * sizeof *cast->possible);
    cast->guess.count = 0;
    cast->touched_at_start = !apart && touches(&hull, &search->ray, search->stats);
    return cast->touched_at_start || (!isinf(search->ray.r) && guess(cast, &hull, &search->ray, cast_limit(search)));
}
