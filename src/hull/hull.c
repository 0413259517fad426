/* SPDX-License-Identifier: MIT */
/* Prepares hulls for queries, and resolves one item against one hull: float64 first, then exact arithmetic. */
#include "hull/hull.h"

#include "exact/formula_table.h"
#include "hull/capsule.h"
#include "hull/nearest_point.h"
#include "kernels/items.h"

/* The shape of the items of each predicate. */
static const enum shape shapes[predicate_count] = {
#define PREDICATE(name, shape_a, shape_b, relation, function) [predicate_##name] = shape_##shape_a,
#include "tables/predicates.def"
};

/* b if a is NaN. */
static double greater(double a, double b)
{
    return a > b ? a : b;
}

/*
 * Leaves out a plane that bounds nothing. False if the hull is invalid, or empty by this plane alone. Squares of
 * float32 neither overflow nor underflow in float64.
 */
static bool take_plane(struct hull *hull, struct plane p)
{
    const double nx = p.nx, ny = p.ny, nz = p.nz, square = nx * nx + ny * ny + nz * nz;
    if (!(square > 0 && square < INFINITY && fabsf(p.d) < INFINITY))
        return !plane_invalid(p);
    const unsigned at = hull->planes++;
    const double scale = 1 / sqrt(square);
    float *given = hull->given[at];
    given[0] = p.nx;
    given[1] = p.ny;
    given[2] = p.nz;
    given[3] = p.d;
    double *unit = hull->unit[at];
    unit[0] = nx * scale;
    unit[1] = ny * scale;
    unit[2] = nz * scale;
    unit[3] = p.d * scale;
    hull->nx[at] = (float)unit[0];
    hull->ny[at] = (float)unit[1];
    hull->nz[at] = (float)unit[2];
    hull->d[at] = (float)unit[3];
    hull->octant[at] = (unsigned char)((nx > 0) | (ny > 0) << 1 | (nz > 0) << 2);
    hull->reach = greater(hull->reach, fabs(unit[3]));
    return true;
}

/*
 * Sets the order in which to take n planes: pairs of opposite normals among the first few planes come first. Returns
 * the number of planes in these pairs.
 */
static unsigned pairs_first(const float *nx, const float *ny, const float *nz, unsigned few, unsigned n,
                            unsigned char *order)
{
    uint32_t left = (uint32_t)((UINT64_C(1) << n) - 1);
    unsigned count = 0;
    for (unsigned i = 0; i < few; i++)
        for (unsigned j = i + 1; j < few; j++)
            if (nx[i] == -nx[j] && ny[i] == -ny[j] && nz[i] == -nz[j] && (left >> i & left >> j & 1) != 0) {
                order[count++] = (unsigned char)i;
                order[count++] = (unsigned char)j;
                left &= ~(UINT32_C(1) << i | UINT32_C(1) << j);
            }
    const unsigned sides = count;
    for (; left != 0; left &= left - 1)
        order[count++] = (unsigned char)__builtin_ctz(left);
    return sides;
}

void abut_hull_prepare(struct hull *hull, const struct abut_hulls *hulls, size_t i, bool many)
{
    hull->planes = 0;
    hull->invalid = hull->no_points = false;
    hull->reach = 0;
    const size_t first = hulls->offsets[i];
    const float *nx = hulls->nx + first, *ny = hulls->ny + first, *nz = hulls->nz + first, *d = hulls->d + first;
    const unsigned n = (unsigned)(hulls->offsets[i + 1] - first);
    unsigned char order[ABUT_MAX_PLANES];
    const unsigned sides = pairs_first(nx, ny, nz, many ? n : 0, n, order);
    for (unsigned j = 0; j < n; j++) {
        const unsigned k = order[j];
        hull->invalid |= !take_plane(hull, (struct plane){nx[k], ny[k], nz[k], d[k]});
    }
    /* If a plane was left out, the pairs are not at the front. */
    hull->sides = hull->planes == n ? sides : 0;
    for (unsigned k = 0; k < hull->sides; k += 2)
        hull->across[k / 2] = hull->d[k] + hull->d[k + 1];
    /* Infinite where sums may overflow, so that nothing is certain. */
    hull->error = hull->reach > 0x1p100 ? INFINITY : (float)(hull->reach * 11 * 0x1p-24 + 0x1p-60);
}

/* A hit if s, which is off by less than error, is certainly below 0; a miss if above. NaN is unknown. */
static enum answer sign_beyond(double s, double error)
{
    return s < -error ? ANSWER_HIT : s > error ? ANSWER_MISS : ANSWER_UNKNOWN;
}

/* Whether the item is certainly outside of plane k, s < 0 being inside; if unknown, adds k to the boundary planes. */
static bool surely_outside(struct findings *found, unsigned k, double s, double error)
{
    const enum answer answer = sign_beyond(s, error);
    if (answer == ANSWER_UNKNOWN)
        found->boundary |= UINT32_C(1) << k;
    return answer == ANSWER_MISS;
}

/* |x| + |y| + |z|. */
static double size_of(float x, float y, float z)
{
    return fabs((double)x) + fabs((double)y) + fabs((double)z);
}

#define KERNEL_FILTER64
#include "kernels/box_hull.h"
#include "kernels/sphere_hull.h"

/* Uses the filters of the pages above. */
#include "kernels/corner_hull.h"

/* Filters that leave much to float64 formulas. */
static enum answer capsule_hull_filter64(struct hull *hull, struct capsule c, struct findings *found)
{
    (void)found;
    const enum answer corners = corners_touch64(hull, capsule_corners(c));
    if (corners == ANSWER_MISS || corners == ANSWER_UNKNOWN)
        return corners;
    return c.r > 0 ? ANSWER_HIT : ANSWER_TOUCH;
}
#undef KERNEL_FILTER64

/*
 * Adds a plane that the nearest point of the active ones is outside of: sets active to that plane and those of the old
 * ones that hold the nearest point within all of them. False if there is no such point.
 */
static bool take_on(const struct hull *hull, const float *sphere, struct active *active, unsigned plane)
{
    const struct active old = *active;
    uint32_t among = UINT32_C(1) << plane;
    for (unsigned i = 0; i < old.count; i++)
        among |= UINT32_C(1) << old.plane[i];
    for (unsigned keep = 0; keep < 7 && keep >> old.count == 0; keep++) {
        unsigned beyond;
        *active = (struct active){1, {plane}};
        for (unsigned i = 0; i < old.count; i++)
            if (keep >> i & 1)
                active->plane[active->count++] = old.plane[i];
        if (abut_hull_at(hull, sphere, active, among, &beyond) != ANSWER_ELSEWHERE)
            return true;
    }
    return false;
}

/*
 * The method of nearest_point.c in exact arithmetic. Each added plane moves the point farther from the centre, so no
 * set of planes occurs twice. It ends at planes that hold the nearest point, or at planes without a common point.
 */
enum answer abut_hull_sphere(struct hull *hull, const float *sphere, struct active active)
{
    unsigned beyond = 0;
    if (abut_hull_at(hull, sphere, &active, 0, &beyond) == ANSWER_ELSEWHERE)
        active.count = 0;
    for (;;) {
        const enum answer answer = abut_hull_at(hull, sphere, &active, UINT32_MAX, &beyond);
        if (answer != ANSWER_ELSEWHERE)
            return answer;
        if (!take_on(hull, sphere, &active, beyond)) {
            hull->no_points = true;
            return ANSWER_MISS;
        }
    }
}

static enum answer exact(enum predicate predicate, struct hull *hull, const float *item, const struct findings *found)
{
    if (predicate == predicate_capsule_hull)
        return abut_capsule_hull(hull, item, true);
    enum answer answer = abut_hull_exact_from(predicate, hull, item, found);
    return answer == ANSWER_UNKNOWN ? abut_hull_sphere(hull, item, found->active) : answer;
}

static bool item_invalid(enum predicate predicate, const float *item)
{
    return shapes[predicate] == shape_hull ? hull_invalid(hull_of(item)) : abut_is_invalid(shapes[predicate], item);
}

/* float64 only supplies the guess. The infinite radius makes it continue to the nearest point. */
enum answer abut_hull_exact(enum predicate predicate, struct hull *hull, const float *item)
{
    struct findings found = NOTHING_FOUND;
    if (hull->invalid || item_invalid(predicate, item))
        return ANSWER_MISS;
    if (predicate == predicate_sphere_hull)
        abut_hull_nearest(hull, (const float[4]){item[0], item[1], item[2], INFINITY}, &found);
    found.boundary = UINT32_MAX;
    return exact(predicate, hull, item, &found);
}

/* The first float64 formula of a predicate without a wide filter, after its separating planes. */
static enum answer sized64(enum predicate predicate, struct hull *hull, const float *item, struct findings *found)
{
    if (predicate == predicate_capsule_hull)
        return abut_capsule_hull(hull, item, false);
    return abut_formulas_sized.hulls[predicate](hull, item, found);
}

enum answer abut_hull_filter64(enum predicate predicate, struct hull *hull, const float *item, struct findings *found)
{
#define CASE_columns(name, shape)
#define CASE_hulls(name, shape)                                                                                        \
    case predicate_##name:                                                                                             \
        return shape##_invalid(shape##_of(item)) ? ANSWER_MISS : name##_filter64(hull, shape##_of(item), found);
#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(CASE, shape_b, name, shape_a)
#define SCALAR_CASE_columns(name, shape)
#define SCALAR_CASE_hulls(name, shape)                                                                                 \
    case predicate_##name: {                                                                                           \
        if (shape##_invalid(shape##_of(item)))                                                                         \
            return ANSWER_MISS;                                                                                        \
        const enum answer answer = name##_filter64(hull, shape##_of(item), found);                                     \
        return answer != ANSWER_UNKNOWN ? answer : sized64(predicate, hull, item, found);                              \
    }
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(SCALAR_CASE, shape_b, name, shape_a)
    switch (predicate) {
#include "tables/predicates.def"
    default:
        return ANSWER_MISS;
    }
}

bool abut_hull_resolve_from(enum predicate predicate, struct hull *hull, const float *item,
                            const struct findings *found, bool closed, struct abut_stats *stats)
{
    stats->undecided++;
    enum answer answer = abut_hull_bounded64(predicate, hull, item, found);
    if (answer == ANSWER_UNKNOWN) {
        stats->exact++;
        answer = exact(predicate, hull, item, found);
    }
    return answer == ANSWER_HIT || (closed && answer == ANSWER_TOUCH);
}

bool abut_hull_resolve(enum predicate predicate, struct hull *hull, const float *item, bool closed,
                       struct abut_stats *stats)
{
    struct findings found = NOTHING_FOUND;
    enum answer answer = ANSWER_MISS;
    if (!hull->invalid && !(hull->no_points && predicate == predicate_sphere_hull))
        answer = abut_hull_filter64(predicate, hull, item, &found);
    if (answer == ANSWER_UNKNOWN)
        return abut_hull_resolve_from(predicate, hull, item, &found, closed, stats);
    stats->undecided++;
    return answer == ANSWER_HIT || (closed && answer == ANSWER_TOUCH);
}
