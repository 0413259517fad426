/* SPDX-License-Identifier: MIT */
/*
 * The oracle for points, spheres and boxes, without any code of the library.
 * Each function begins with the table of invalid input, row by row in the order of abut.h, then has the formula. Points
 * are p[3]; spheres s[0..2] and the radius s[3]; boxes b[0..2] and b[3..5].
 */
#include "rational.h"

#define PREDICATE(name, shape_a, shape_b, relation, function) oracle_##name,
oracle_function *const oracles[predicate_count] = {
#include "tables/predicates.def"
};

/* at_most() for inputs, which may be infinite, but not both in the same direction. */
static int input_at_most(float left, float right)
{
    return left < right ? HIT : left == right ? TOUCH : MISS;
}

static bool empty_box(const float *b)
{
    for (int k = 0; k < 3; k++)
        if (b[k] > b[3 + k] || b[k] == INFINITY || b[3 + k] == -INFINITY)
            return true;
    return false;
}

int oracle_sphere_aabb(const float *s, const float *b)
{
    used = 0;
    if (any_nan(s, 4) || any_nan(b, 6) || s[3] < 0 || infinite_point(s) || empty_box(b))
        return MISS;
    if (isinf(s[3]))
        return HIT;
    mpq_ptr sum = of(0);
    for (int k = 0; k < 3; k++) {
        mpq_srcptr c = of(s[k]),
                   distance = of(0); /* max(min - c, 0, c - max); an infinite bound is never the greatest */
        if (!isinf(b[k]))
            distance = greater(distance, minus(of(b[k]), c));
        if (!isinf(b[3 + k]))
            distance = greater(distance, minus(c, of(b[3 + k])));
        sum = plus(sum, square(distance));
    }
    return at_most(sum, square(of(s[3])));
}

int oracle_sphere_in_aabb(const float *s, const float *b)
{
    used = 0;
    if (any_nan(s, 4) || any_nan(b, 6) || s[3] < 0 || infinite_point(s) || empty_box(b))
        return MISS;
    int answer = HIT;
    for (int k = 0; k < 3; k++) {
        bool low = !isinf(b[k]), high = !isinf(b[3 + k]);
        if (isinf(s[3]) && (low || high))
            return MISS; /* only all of space contains it */
        if (low)
            answer = least(answer, at_most(of(b[k]), minus(of(s[k]), of(s[3]))));
        if (high)
            answer = least(answer, at_most(plus(of(s[k]), of(s[3])), of(b[3 + k])));
    }
    return answer;
}

int oracle_aabb_in_sphere(const float *b, const float *s)
{
    used = 0;
    if (any_nan(s, 4) || any_nan(b, 6) || s[3] < 0 || infinite_point(s) || empty_box(b))
        return MISS;
    if (isinf(s[3]))
        return HIT;
    mpq_ptr sum = of(0);
    for (int k = 0; k < 3; k++) {
        if (isinf(b[k]) || isinf(b[3 + k]))
            return MISS; /* a corner is infinitely far */
        mpq_srcptr c = of(s[k]);
        sum = plus(sum, square(greater(absolute(minus(c, of(b[k]))), absolute(minus(c, of(b[3 + k]))))));
    }
    return at_most(sum, square(of(s[3])));
}

int oracle_point_in_sphere(const float *p, const float *s)
{
    used = 0;
    if (any_nan(p, 3) || any_nan(s, 4) || s[3] < 0 || infinite_point(p) || infinite_point(s))
        return MISS;
    if (isinf(s[3]))
        return HIT;
    return at_most(squared_distance(p, s), square(of(s[3])));
}

int oracle_point_in_aabb(const float *p, const float *b)
{
    if (any_nan(p, 3) || any_nan(b, 6) || infinite_point(p) || empty_box(b))
        return MISS;
    int answer = HIT;
    for (int k = 0; k < 3; k++)
        answer = least(answer, least(input_at_most(b[k], p[k]), input_at_most(p[k], b[3 + k])));
    return answer;
}

int oracle_sphere_sphere(const float *s, const float *t)
{
    used = 0;
    if (any_nan(s, 4) || any_nan(t, 4) || s[3] < 0 || t[3] < 0 || infinite_point(s) || infinite_point(t))
        return MISS;
    if (isinf(s[3]) || isinf(t[3]))
        return HIT;
    return at_most(squared_distance(s, t), square(plus(of(s[3]), of(t[3]))));
}

int oracle_aabb_aabb(const float *a, const float *b)
{
    if (any_nan(a, 6) || any_nan(b, 6) || empty_box(a) || empty_box(b))
        return MISS;
    int answer = HIT;
    for (int k = 0; k < 3; k++)
        answer = least(answer, least(input_at_most(a[k], b[3 + k]), input_at_most(b[k], a[3 + k])));
    return answer;
}
