/* SPDX-License-Identifier: MIT */
/*
 * Polygons are cut as plain ear clipping cuts them, which looks at all corners for each ear; and what crosses itself is
 * what two edges of show, tested one by one. Polygons of many corners, and those made to take long, are not too costly.
 */
#include "ears.h"
#include "polygon.h"
#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Half of the looks that a polygon may take are enough for all of these. */
enum { FEW = 40, MANY = 1 << 12, MOST_LOOKS = 64 };

static unsigned passed, failed;

static void require(bool good, const char *what, unsigned round)
{
    passed += good;
    failed += !good;
    if (!good)
        printf("FAIL %s, round %u\n", what, round);
}

/* ---- Plain ear clipping, in whole numbers ---- */

struct plain {
    size_t n;
    long x[FEW], y[FEW];
    uint32_t corner[FEW];
};

static int side(const struct plain *plain, size_t p, size_t q, size_t r)
{
    const long area = (plain->x[q] - plain->x[p]) * (plain->y[r] - plain->y[p]) -
                      (plain->y[q] - plain->y[p]) * (plain->x[r] - plain->x[p]);
    return (area > 0) - (area < 0);
}

static bool same(const struct plain *plain, size_t p, size_t q)
{
    return plain->x[p] == plain->x[q] && plain->y[p] == plain->y[q];
}

static bool crosses(const struct plain *plain)
{
    const size_t n = plain->n;
    for (size_t a = 0; a < n; a++)
        for (size_t c = 0; c < n; c++) {
            const size_t b = (a + 1) % n, d = (c + 1) % n;
            if (side(plain, a, b, c) * side(plain, a, b, d) < 0 && side(plain, c, d, a) * side(plain, c, d, b) < 0)
                return true;
        }
    return false;
}

static bool is_ear(const struct plain *plain, size_t i, bool flat)
{
    const size_t n = plain->n, p = (i + n - 1) % n, r = (i + 1) % n;
    const int sign = side(plain, p, i, r);
    if (sign <= 0)
        return sign == 0 && flat;
    for (size_t j = 0; j < n; j++)
        if (!same(plain, j, p) && !same(plain, j, i) && !same(plain, j, r) && side(plain, p, i, j) >= 0 &&
            side(plain, i, r, j) >= 0 && side(plain, r, p, j) >= 0)
            return false;
    return true;
}

static size_t find_ear(const struct plain *plain, size_t at)
{
    for (unsigned flat = 0; flat < 2; flat++)
        for (size_t j = 0; j < plain->n; j++)
            if (is_ear(plain, (at + j) % plain->n, flat))
                return (at + j) % plain->n;
    return plain->n;
}

static void put(uint32_t **to, uint32_t a, uint32_t b, uint32_t c)
{
    memcpy(*to, (const uint32_t[]){a, b, c}, 3 * sizeof a);
    *to += 3;
}

/* Whether all of it had ears. */
static bool clip(struct plain *plain, uint32_t *to)
{
    size_t at = 0, ear = 0;
    while (plain->n > 3 && (ear = find_ear(plain, at)) < plain->n) {
        const size_t n = plain->n;
        put(&to, plain->corner[(ear + n - 1) % n], plain->corner[ear], plain->corner[(ear + 1) % n]);
        for (size_t i = ear; i + 1 < n; i++) {
            plain->x[i] = plain->x[i + 1];
            plain->y[i] = plain->y[i + 1];
            plain->corner[i] = plain->corner[i + 1];
        }
        plain->n--;
        at = (ear + 1) % plain->n;
    }
    for (size_t i = 2; i < plain->n; i++)
        put(&to, plain->corner[0], plain->corner[i - 1], plain->corner[i]);
    return plain->n == 3;
}

static bool is_convex(const struct plain *plain)
{
    size_t changes = 0;
    const size_t n = plain->n;
    for (size_t i = 0; i < n; i++) {
        const size_t j = (i + 1) % n, k = (i + 2) % n;
        const bool up = plain->x[i] < plain->x[j] || (plain->x[i] == plain->x[j] && plain->y[i] < plain->y[j]);
        const bool on = plain->x[j] < plain->x[k] || (plain->x[j] == plain->x[k] && plain->y[j] < plain->y[k]);
        changes += up != on;
        if (side(plain, i, j, k) < 0)
            return false;
    }
    return changes <= 2;
}

/* A polygon of whole numbers, twice the area of which is returned: where it is negative, x and y change places. */
static long make_plain(struct random *random, unsigned round, struct plain *plain)
{
    const unsigned grid = 3 + random_below(random, round % 2 ? 5 : 60);
    long area = 0;
    plain->n = 4 + random_below(random, round % 3 ? 8 : FEW - 4);
    for (size_t i = 0; i < plain->n; i++) {
        plain->corner[i] = (uint32_t)i;
        plain->x[i] = (long)random_below(random, grid);
        plain->y[i] = (long)random_below(random, grid);
        /* Some corners beside the one before, as polygons without crossings have, and some at the place of another. */
        if (i > 0 && random_below(random, 3) == 0) {
            plain->x[i] = plain->x[i - 1];
            plain->y[i] = plain->y[i - 1] + 1;
        }
        if (i > 1 && random_below(random, 6) == 0) {
            const size_t other = random_below(random, (unsigned)i);
            plain->x[i] = plain->x[other];
            plain->y[i] = plain->y[other];
        }
    }
    if (round % 4 == 0) /* in the order of angles, which crosses nothing unless two are equal */
        for (size_t i = 0; i < plain->n; i++) {
            const double turn = 6.28 * (double)i / (double)plain->n, r = 3 + (double)random_below(random, grid);
            plain->x[i] = lrint(r * cos(turn));
            plain->y[i] = lrint(r * sin(turn));
        }
    for (size_t i = 0; i < plain->n; i++) {
        const size_t j = (i + 1) % plain->n;
        area += (plain->x[i] - plain->x[0]) * (plain->y[j] - plain->y[0]) -
                (plain->y[i] - plain->y[0]) * (plain->x[j] - plain->x[0]);
    }
    return area;
}

static unsigned cut_apart[4]; /* how many polygons were convex, good, without ears and crossed */

static void check_plain(struct random *random, unsigned round)
{
    struct plain plain;
    float vertices[3 * FEW] = {0};
    uint32_t corners[FEW], found[3 * FEW], right[3 * FEW];
    const long area = make_plain(random, round, &plain);
    if (area == 0)
        return;
    for (size_t i = 0; i < plain.n; i++) {
        corners[i] = (uint32_t)i;
        vertices[3 * i] = (float)plain.x[i];
        vertices[3 * i + 1] = (float)plain.y[i];
        const long x = plain.x[i];
        plain.x[i] = area < 0 ? plain.y[i] : x;
        plain.y[i] = area < 0 ? x : plain.y[i];
    }
    const size_t n = plain.n;
    const bool convex = is_convex(&plain), crossed = !convex && crosses(&plain);
    bool whole = true;
    uint32_t *to = right;
    for (size_t i = 2; i < n && convex; i++)
        put(&to, 0, (uint32_t)i - 1, (uint32_t)i);
    if (!convex)
        whole = clip(&plain, right);
    const enum polygon polygon = polygon_cut(vertices, corners, n, found);
    require(polygon == (crossed || !whole ? POLYGON_NOT_SIMPLE : POLYGON_GOOD), "what is odd about a polygon", round);
    require(memcmp(found, right, 3 * (n - 2) * sizeof *found) == 0, "triangles of a polygon", round);
    cut_apart[convex ? 0 : crossed ? 3 : whole ? 1 : 2]++;
}

/* ---- Many corners ---- */

struct drawing {
    float *vertices;
    size_t n;
    double turn; /* by which all of it is turned */
};

static void draw(struct drawing *drawing, double x, double y)
{
    const double c = cos(drawing->turn), s = sin(drawing->turn);
    float *at = drawing->vertices + 3 * drawing->n++;
    at[0] = (float)(x * c - y * s);
    at[1] = (float)(x * s + y * c);
    at[2] = 0;
}

/*
 * A comb, turned by some angle; a spiral; a star of random lengths; a line that folds itself; and the worst for ears.
 */
static size_t make_large(struct random *random, unsigned form, float *vertices)
{
    struct drawing drawing = {vertices, 0, 0.1 * form};
    switch (form % 6) {
    case 0:
        for (size_t i = 0; i < MANY - 2; i++)
            draw(&drawing, (double)i, i % 2 ? 100 + 900 * (double)random_between(random, 0, 1) : 0.0);
        draw(&drawing, MANY, -1.0);
        draw(&drawing, -1.0, -1.0);
        break;
    case 1:
        for (size_t i = 0; i < MANY; i++) {
            const double at = (double)(i < MANY / 2 ? i : MANY - 1 - i) * 0.05, r = at + (i < MANY / 2 ? 0 : 1);
            draw(&drawing, r * cos(at), r * sin(at));
        }
        break;
    case 2:
        for (size_t i = 0; i < MANY; i++) {
            const double at = 6.283185307 * (double)i / MANY, r = (double)random_between(random, 1, 9);
            draw(&drawing, r * cos(at), r * sin(at));
        }
        break;
    case 3: /* a saw on a shallow arc */
        for (size_t i = 0; i < MANY - 1; i++)
            draw(&drawing, (double)i, 1e-4 * (double)i * (double)i + (double)(i % 2));
        draw(&drawing, MANY / 2, 1e5);
        break;
    case 4: /* all corners of a star are blocked by its centre, and ears come last */
        for (size_t i = 0; i < MANY / 3; i++)
            draw(&drawing, (double)i, -1e-4 * (double)i * (double)i);
        draw(&drawing, MANY / 6, 20.0 * MANY / 3);
        for (size_t i = 0, k = MANY / 3, m = (MANY - k - 2) | 1; i < m - 2; i++) {
            const double at = 2.5 + 3.14159265 * (double)(m - 1) / (double)m * (double)i;
            draw(&drawing, 60.0 * (double)k + 40.0 * (double)k * cos(at),
                 -60.0 * (double)k + 40.0 * (double)k * sin(at));
        }
        draw(&drawing, 20.0 * MANY, -20.0 * MANY);
        break;
    default: /* squares in squares, joined by an edge that is there twice */
        for (size_t i = 0; i < MANY / 5; i++) {
            const double r = (double)(MANY - i);
            for (unsigned k = 0; k < 5; k++)
                draw(&drawing, k == 1 || k == 2 ? r : -r, k == 2 || k == 3 ? r : -r);
        }
        break;
    }
    return drawing.n;
}

static void check_large(struct random *random, unsigned form)
{
    static float vertices[3 * MANY + 3];
    static uint32_t corners[MANY + 1], triangles[3 * MANY], looked[3 * MANY];
    static struct spot spots[MANY + 1];
    const size_t n = make_large(random, form, vertices);
    for (size_t i = 0; i < n; i++)
        corners[i] = (uint32_t)i;
    const enum polygon polygon = polygon_cut(vertices, corners, n, triangles);
    require(polygon < POLYGON_TOO_LARGE, "a polygon of many corners", form);
    for (size_t i = 0; i < n; i++)
        spots[i] = (struct spot){vertices[3 * i], vertices[3 * i + 1]};
    const struct flat_polygon flat = {n, spots, vertices, corners};
    require(cut_ears(&flat, MOST_LOOKS, looked) < CLIPPING_TOO_COSTLY, "looks of many corners", form);
    require(cut_ears(&flat, 1, looked) == CLIPPING_TOO_COSTLY, "many corners with few looks", form);
    double area = 0, sum = 0;
    for (size_t i = 0; i < n; i++) {
        const float *p = vertices + 3 * i, *q = vertices + 3 * ((i + 1) % n);
        area += (double)p[0] * (double)q[1] - (double)p[1] * (double)q[0];
    }
    for (size_t i = 0; i < n - 2; i++) {
        const float *p = vertices + 3 * triangles[3 * i], *q = vertices + 3 * triangles[3 * i + 1];
        const float *r = vertices + 3 * triangles[3 * i + 2];
        sum += ((double)q[0] - (double)p[0]) * ((double)r[1] - (double)p[1]) -
               ((double)q[1] - (double)p[1]) * ((double)r[0] - (double)p[0]);
    }
    require(polygon != POLYGON_GOOD || fabs(area - sum) <= 1e-6 * fabs(area), "the area of many triangles", form);
}

int main(void)
{
    struct random random = {1};
    for (unsigned round = 0; round < 20000; round++)
        check_plain(&random, round);
    for (unsigned form = 0; form < 12; form++)
        check_large(&random, form);
    for (unsigned i = 0; i < 4; i++)
        require(cut_apart[i] >= 100, "polygons of each sort", i);
    printf("polygon_test: %u passed, %u failed\n", passed, failed);
    return failed > 0;
}
