/* SPDX-License-Identifier: MIT */
/* Distances and closest points in rational arithmetic, from the definitions, without any code of the library. */
#include "distance_oracle.h"

#include "rational.h"

static double root(mpq_srcptr square)
{
    /* In the range of double: the least nonzero square of floats is 2^-298. */
    return sqrt(mpq_get_d(square));
}

static double greatest_of(const float *members, int n)
{
    double greatest = 0;
    for (int k = 0; k < n; k++)
        greatest = fmax(greatest, fabs((double)members[k]));
    return greatest;
}

static bool finite_point(const float *p)
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

/* Begins an answer; the first n members of b are coordinates. */
static bool begin(const float *p, const float *b, int n, bool invalid, double factor, struct truth *truth)
{
    used = 0;
    truth->invalid = invalid || !finite_point(p);
    truth->radius = 0;
    truth->factor = factor;
    truth->greatest = fmax(greatest_of(p, 3), greatest_of(b, n));
    truth->has_point = false;
    truth->square_factor = 0;
    mpq_set_ui(truth->core2, 0, 1);
    return !truth->invalid;
}

static void oracle_point_sphere(const float *p, const float *b, struct truth *truth)
{
    if (!begin(p, b, 3, any_nan(b, 4) || !finite_point(b) || b[3] < 0, 6, truth))
        return;
    mpq_set(truth->core2, squared_distance(p, b));
    truth->radius = (double)b[3];
    truth->length = root(truth->core2);
}

static void oracle_point_aabb(const float *p, const float *b, struct truth *truth)
{
    bool invalid = any_nan(b, 6);
    for (int k = 0; k < 3; k++)
        invalid |= b[k] > b[k + 3] || b[k] == INFINITY || b[k + 3] == -INFINITY;
    if (!begin(p, b, 0, invalid, 3, truth))
        return;
    truth->has_point = true;
    truth->point_error = 0;
    truth->square_factor = 5;
    for (int k = 0; k < 3; k++) {
        float q = p[k] < b[k] ? b[k] : p[k] > b[k + 3] ? b[k + 3] : p[k];
        mpq_set_d(truth->point[k], (double)q);
        mpq_add(truth->core2, truth->core2, square(minus(of(p[k]), of(q))));
    }
    truth->length = root(truth->core2);
}

static void oracle_point_obb(const float *p, const float *b, struct truth *truth)
{
    bool invalid = any_nan(b, 15) || !finite_point(b) || !finite_point(b + 6) || !finite_point(b + 9) ||
                   !finite_point(b + 12) || b[3] < 0 || b[4] < 0 || b[5] < 0 || greatest_of(b + 6, 9) > 0x1p20;
    if (!begin(p, b, 3, invalid, 12, truth))
        return;
    mpq_ptr q[3] = {of(p[0]), of(p[1]), of(p[2])};
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        const float *axis = b + 6 + 3 * k;
        mpq_ptr along = of(0), length2 = of(0);
        for (int i = 0; i < 3; i++) {
            along = plus(along, times(of(axis[i]), minus(of(p[i]), of(b[i]))));
            length2 = plus(length2, square(of(axis[i])));
        }
        longest = fmax(longest, root(length2));
        if (isinf(b[3 + k]) || mpq_cmp(absolute(along), of(b[3 + k])) <= 0)
            continue;
        mpq_ptr excess = mpq_sgn(along) < 0 ? plus(along, of(b[3 + k])) : minus(along, of(b[3 + k]));
        mpq_add(truth->core2, truth->core2, square(excess));
        for (int i = 0; i < 3; i++)
            q[i] = minus(q[i], times(excess, of(axis[i])));
    }
    truth->length = longest * root(squared_distance(p, b));
    truth->has_point = true;
    truth->point_error = 30 * 0x1p-24 * longest * truth->length + (longest > 1 ? longest * longest : 1) * 0x1p-60;
    for (int i = 0; i < 3; i++)
        mpq_set(truth->point[i], q[i]);
}

static void oracle_point_plane(const float *p, const float *b, struct truth *truth)
{
    bool zero = b[0] == 0 && b[1] == 0 && b[2] == 0;
    bool invalid = any_nan(b, 4) || !finite_point(b) || b[3] == INFINITY || (zero && b[3] > 0);
    if (!begin(p, b, 0, invalid, 8, truth))
        return;
    truth->length = 0;
    if (zero || b[3] == -INFINITY)
        return;
    mpq_ptr side = of(b[3]), normal2 = of(0), from_origin2 = of(0);
    for (int k = 0; k < 3; k++) {
        side = plus(side, times(of(b[k]), of(p[k])));
        normal2 = plus(normal2, square(of(b[k])));
        from_origin2 = plus(from_origin2, square(of(p[k])));
    }
    mpq_ptr offset2 = new_number();
    mpq_div(offset2, square(of(b[3])), normal2);
    truth->length = root(from_origin2) + root(offset2);
    truth->greatest = fmax(truth->greatest, root(offset2));
    if (mpq_sgn(side) > 0)
        mpq_div(truth->core2, square(side), normal2);
}

static mpq_ptr dot(mpq_ptr const a[3], mpq_ptr const b[3])
{
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

static void vector(const float *from, const float *to, mpq_ptr difference[3])
{
    for (int k = 0; k < 3; k++)
        difference[k] = minus(of(to[k]), of(from[k]));
}

/* The least squared distance to a point a + t ab, 0 <= t <= 1. */
static mpq_srcptr to_segment(const float *p, const float *a, const float *b)
{
    mpq_ptr ap[3], ab[3], t = new_number();
    vector(a, p, ap);
    vector(a, b, ab);
    mpq_ptr along = dot(ap, ab), length2 = dot(ab, ab);
    if (mpq_sgn(along) <= 0)
        return squared_distance(p, a);
    if (mpq_cmp(along, length2) >= 0)
        return squared_distance(p, b);
    mpq_div(t, square(along), length2);
    return minus(dot(ap, ap), t);
}

static double between(const float *a, const float *b)
{
    return root(squared_distance(a, b));
}

static void oracle_point_segment(const float *p, const float *b, struct truth *truth)
{
    if (!begin(p, b, 6, any_nan(b, 6) || !finite_point(b) || !finite_point(b + 3), 8, truth))
        return;
    mpq_set(truth->core2, to_segment(p, b, b + 3));
    truth->length = between(b, p) + between(b, b + 3);
}

static void oracle_point_capsule(const float *p, const float *b, struct truth *truth)
{
    if (!begin(p, b, 6, any_nan(b, 7) || !finite_point(b) || !finite_point(b + 3) || b[6] < 0, 12, truth))
        return;
    mpq_set(truth->core2, to_segment(p, b, b + 3));
    truth->radius = (double)b[6];
    truth->length = between(b, p) + between(b, b + 3);
}

/* (n.ap)^2 / n.n where p projects into the triangle, else NULL. */
static mpq_srcptr to_face(const float *p, const float *const vertices[3])
{
    mpq_ptr ab[3], ac[3], ap[3], n[3], height2 = new_number();
    vector(vertices[0], vertices[1], ab);
    vector(vertices[0], vertices[2], ac);
    vector(vertices[0], p, ap);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = minus(times(ab[i], ac[j]), times(ab[j], ac[i]));
    }
    if (mpq_sgn(dot(n, n)) == 0)
        return NULL;
    for (int side = 0; side < 3; side++) {
        mpq_ptr edge[3], to_p[3], turned[3];
        vector(vertices[side], vertices[(side + 1) % 3], edge);
        vector(vertices[side], p, to_p);
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            turned[k] = minus(times(edge[i], to_p[j]), times(edge[j], to_p[i]));
        }
        if (mpq_sgn(dot(n, turned)) < 0)
            return NULL;
    }
    mpq_div(height2, square(dot(n, ap)), dot(n, n));
    return height2;
}

static void oracle_point_triangle(const float *p, const float *b, struct truth *truth)
{
    const float *const vertices[3] = {b, b + 3, b + 6};
    bool invalid = any_nan(b, 9) || !finite_point(b) || !finite_point(b + 3) || !finite_point(b + 6);
    if (!begin(p, b, 9, invalid, 64, truth))
        return;
    mpq_srcptr least = to_face(p, vertices);
    for (int k = 0; k < 3; k++) {
        mpq_srcptr edge = to_segment(p, vertices[k], vertices[(k + 1) % 3]);
        least = least == NULL || mpq_cmp(edge, least) < 0 ? edge : least;
    }
    mpq_set(truth->core2, least);
    truth->length = between(b, p) + between(b, b + 3) + between(b, b + 6);
}

/* A distance without its function does not compile. */
#define DISTANCE(name, shape_a, shape_b, function) oracle_##name,
distance_oracle_function *const distance_oracles[distance_count] = {
#include "tables/predicates.def"
};
