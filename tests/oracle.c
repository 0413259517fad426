/* SPDX-License-Identifier: MIT */
/*
 * The oracle shares no code with the library. Each function begins with the table of bad input, row by row in the contract's
 * order, and goes on with the formula. Points are p[3]; spheres s[0..2] and the radius s[3]; boxes b[0..2] and b[3..5].
 */
#include "oracle.h"

#include <gmp.h>
#include <math.h>

enum { MISS = -1, TOUCH = 0, HIT = 1 };

#define PREDICATE(name, shape_a, shape_b, question, function) oracle_##name,
oracle_function *const oracles[predicate_count] = {
#include "kernels.def"
};

/* Numbers live until the next question. */
enum { MAX_NUMBERS = 64 };
static mpq_t numbers[MAX_NUMBERS];
static unsigned used, initialised;

static mpq_ptr new_number(void)
{
    if (used == initialised)
        mpq_init(numbers[initialised++]);
    return numbers[used++];
}

static mpq_ptr of(float x)
{
    mpq_ptr r = new_number();
    mpq_set_d(r, (double)x);
    return r;
}

static mpq_ptr plus(mpq_srcptr a, mpq_srcptr b)
{
    mpq_ptr r = new_number();
    mpq_add(r, a, b);
    return r;
}

static mpq_ptr minus(mpq_srcptr a, mpq_srcptr b)
{
    mpq_ptr r = new_number();
    mpq_sub(r, a, b);
    return r;
}

static mpq_ptr square(mpq_srcptr a)
{
    mpq_ptr r = new_number();
    mpq_mul(r, a, a);
    return r;
}

static mpq_ptr absolute(mpq_srcptr a)
{
    mpq_ptr r = new_number();
    mpq_abs(r, a);
    return r;
}

static mpq_srcptr greater(mpq_srcptr a, mpq_srcptr b)
{
    return mpq_cmp(a, b) >= 0 ? a : b;
}

/* left <= right: a hit where <, a touch where =. */
static int at_most(mpq_srcptr left, mpq_srcptr right)
{
    int order = mpq_cmp(left, right);
    return order < 0 ? HIT : order == 0 ? TOUCH : MISS;
}

/* The same for inputs, which may be infinite, but not both infinite in the same direction. */
static int input_at_most(float left, float right)
{
    return left < right ? HIT : left == right ? TOUCH : MISS;
}

/* All must hold. */
static int least(int a, int b)
{
    return a < b ? a : b;
}

static bool any_nan(const float *members, int n)
{
    for (int k = 0; k < n; k++)
        if (isnan(members[k]))
            return true;
    return false;
}

static bool infinite_point(const float *p)
{
    return isinf(p[0]) || isinf(p[1]) || isinf(p[2]);
}

static bool empty_box(const float *b)
{
    for (int k = 0; k < 3; k++)
        if (b[k] > b[3 + k] || b[k] == INFINITY || b[3 + k] == -INFINITY)
            return true;
    return false;
}

/* The squared distance between two points. */
static mpq_ptr squared_distance(const float *p, const float *q)
{
    mpq_ptr sum = of(0);
    for (int k = 0; k < 3; k++)
        sum = plus(sum, square(minus(of(p[k]), of(q[k]))));
    return sum;
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
        mpq_srcptr c = of(s[k]), distance = of(0); /* max(min - c, 0, c - max); an infinite bound is never the greatest */
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
            return MISS; /* inside all of space only */
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
