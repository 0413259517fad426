/* SPDX-License-Identifier: MIT */
/* Capsules against hulls: the segment, the ends as spheres, and then all edges and corners of the hull, one by one. */
#include "hull/capsule.h"

#include "exact/formula_table.h"
#include "hull/nearest_point.h"

#include <math.h>

/* One stage after the other; float64 alone unless exact. */
static enum answer stages_of_core(const struct hull *hull, const float *capsule, bool exact)
{
    enum answer answer = abut_formulas_sized.hulls[predicate_capsule_hull](hull, capsule, NULL);
    if (exact && answer == ANSWER_UNKNOWN)
        answer = abut_formulas_compact.hulls[predicate_capsule_hull](hull, capsule, NULL);
    if (exact && answer == ANSWER_UNKNOWN)
        answer = abut_formulas_full.hulls[predicate_capsule_hull](hull, capsule, NULL);
    return answer;
}

static enum answer stages_of_part(const struct hull *hull, const float *capsule, const struct active *active,
                                  bool exact, bool *all)
{
    static const struct measure_table *const stages[] = {&abut_measures_sized, &abut_measures_filter64,
                                                         &abut_measures_compact, &abut_measures_full};
    enum answer answer = ANSWER_UNKNOWN;
    for (unsigned i = 0; i < (exact ? 4 : 1) && answer == ANSWER_UNKNOWN; i++)
        answer = stages[i]->capsule_at(hull, capsule, active, all);
    return answer;
}

static enum answer stages_of_end(struct hull *hull, const float *capsule, unsigned end, bool exact)
{
    const float ball[4] = {capsule[3 * end], capsule[3 * end + 1], capsule[3 * end + 2], capsule[6]};
    struct findings found = NOTHING_FOUND;
    if (exact)
        return abut_hull_exact(predicate_sphere_hull, hull, ball);
    return abut_hull_filter64(predicate_sphere_hull, hull, ball, &found);
}

/* A hit of either is a hit, even if the other is unknown. */
static enum answer either(enum answer a, enum answer b)
{
    return a == ANSWER_HIT || b == ANSWER_HIT ? ANSWER_HIT
           : a == ANSWER_UNKNOWN              ? a
           : b == ANSWER_UNKNOWN              ? b
           : a > b                            ? a
                                              : b;
}

/*
 * Lists the planes that may hold a point within the radius of the segment: their heights over it are not all below -R.
 * False if all are above R for one plane.
 */
static bool planes_in_reach(const struct hull *hull, const float *capsule, unsigned list[ABUT_MAX_PLANES], unsigned *n)
{
    const double r = (double)capsule[6];
    double size = hull->reach + r;
    for (unsigned k = 0; k < 6; k++)
        size += fabs((double)capsule[k]);
    *n = 0;
    for (unsigned k = 0; k < hull->planes; k++) {
        const double *unit = hull->unit[k];
        double height[2];
        for (unsigned end = 0; end < 2; end++) {
            const float *p = capsule + 3 * end;
            height[end] = unit[0] * p[0] + unit[1] * p[1] + unit[2] * p[2] + unit[3];
        }
        const bool rises = height[0] < height[1];
        const double low = height[!rises], high = height[rises], error = HULL_ERROR * size;
        if (low - r > error)
            return false;
        if (!(high + r < -error))
            list[(*n)++] = k;
    }
    return true;
}

/* Of the parts that two planes hold, and of those that they hold with a third one. */
static enum answer parts_of_two(const struct hull *hull, const float *capsule, const unsigned *plane, unsigned n,
                                const unsigned pair[2], bool exact, bool *all)
{
    const unsigned i = pair[0], j = pair[1];
    enum answer any = stages_of_part(hull, capsule, &(struct active){2, {plane[i], plane[j]}}, exact, all);
    for (unsigned k = j + 1; k < n && any != ANSWER_HIT && !*all; k++) {
        const enum answer corner =
            stages_of_part(hull, capsule, &(struct active){3, {plane[i], plane[j], plane[k]}}, exact, all);
        any = *all ? corner : either(any, corner);
    }
    return any;
}

static enum answer parts(const struct hull *hull, const float *capsule, bool exact)
{
    enum answer any = ANSWER_MISS;
    unsigned plane[ABUT_MAX_PLANES], n;
    bool all = false;
    if (!planes_in_reach(hull, capsule, plane, &n))
        return ANSWER_MISS;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++) {
            const enum answer answer = parts_of_two(hull, capsule, plane, n, (const unsigned[2]){i, j}, exact, &all);
            if (all || answer == ANSWER_HIT)
                return answer;
            any = either(any, answer);
        }
    return any;
}

enum answer abut_capsule_hull(struct hull *hull, const float *capsule, bool exact)
{
    const enum answer core = stages_of_core(hull, capsule, exact);
    if (core != ANSWER_ELSEWHERE)
        return core;
    enum answer any = ANSWER_MISS;
    for (unsigned end = 0; end < 2 && any != ANSWER_HIT; end++)
        any = either(any, stages_of_end(hull, capsule, end, exact));
    return any == ANSWER_HIT ? any : either(any, parts(hull, capsule, exact));
}
