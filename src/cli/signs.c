/* SPDX-License-Identifier: MIT */
/* Sums of doubles without rounding (Shewchuk 1997), behind a filter for areas. */
#include "signs.h"

#include <math.h>
#include <stddef.h>

/* a + b is the sum of a and b, rounded, and the error of that. */
static void two_sum(double *a, double *b)
{
    const double sum = *a + *b, part = sum - *a;
    *b = (*a - (sum - part)) + (*b - part);
    *a = sum;
}

/*
 * The sign of a sum of some numbers, which it overwrites. A sum that keeps its errors is exact: each number is added to
 * those before, smallest first, and the last that is not zero has the sign.
 */
static int sum_sign(double *terms, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        double sum = terms[n];
        for (size_t i = 0; i < n; i++)
            two_sum(&sum, &terms[i]);
        terms[n] = sum;
    }
    for (size_t n = count; n-- > 0;)
        if (terms[n] != 0)
            return terms[n] > 0 ? 1 : -1;
    return 0;
}

/*
 * Of the filter: with u = 2^-53, each difference is rounded by u, each product of two by 3 u of itself and a little
 * more, and the difference of the products by u of their sum. 8 u is more than all of that. Nothing underflows, as
 * products of float32 are above 2^-298.
 */
int area_sign(struct spot p, struct spot q, struct spot r)
{
    const double px = (double)p.x, py = (double)p.y, qx = (double)q.x, qy = (double)q.y;
    const double rx = (double)r.x, ry = (double)r.y;
    const double left = (qx - px) * (ry - py), right = (qy - py) * (rx - px), area = left - right;
    if (fabs(area) > 0x1p-50 * (fabs(left) + fabs(right)))
        return area > 0 ? 1 : -1;
    /* Products of float32 are exact in float64. */
    double terms[6] = {px * qy, -px * ry, -py * qx, py * rx, qx * ry, -qy * rx};
    return sum_sign(terms, 6);
}

bool on_one_line(const float *p, const float *q, const float *r)
{
    for (unsigned k = 0; k < 3; k++) {
        const unsigned a = (k + 1) % 3, b = (k + 2) % 3;
        if (area_sign((struct spot){p[a], p[b]}, (struct spot){q[a], q[b]}, (struct spot){r[a], r[b]}) != 0)
            return false;
    }
    return true;
}

/* The upper half of a double: both halves have at most 26 bits. It is far from the largest. */
static double upper(double x)
{
    const double scaled = 0x1.0000002p27 * x;
    return scaled - (scaled - x);
}

/* Two terms whose sum is x y, exactly (Dekker 1971). */
static void put_product(double x, double y, double terms[2])
{
    const double product = x * y, x1 = upper(x), y1 = upper(y), x2 = x - x1, y2 = y - y1;
    terms[0] = product;
    terms[1] = x2 * y2 - (((product - x1 * y1) - x2 * y1) - x1 * y2);
}

/* The terms of the determinant of three points: six products of three, each as two terms. */
static void put_determinant(const float *p, const float *q, const float *r, double sign, double terms[12])
{
    static const unsigned char even[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    for (unsigned i = 0; i < 3; i++) {
        const unsigned char *k = even[i];
        put_product(sign * (double)p[k[0]] * (double)q[k[1]], (double)r[k[2]], terms + 4 * i);
        put_product(-sign * (double)p[k[0]] * (double)q[k[2]], (double)r[k[1]], terms + 4 * i + 2);
    }
}

/* The volume of the tetrahedron p q r s is a sixth of the sum of four determinants. */
bool in_one_plane(const float *p, const float *q, const float *r, const float *s)
{
    double terms[48];
    put_determinant(q, r, s, 1, terms);
    put_determinant(p, r, s, -1, terms + 12);
    put_determinant(p, q, s, 1, terms + 24);
    put_determinant(p, q, r, -1, terms + 36);
    return sum_sign(terms, 48) == 0;
}
