/* SPDX-License-Identifier: MIT */
/* Tests depth and direction of spheres in boxes and triangles: stated bounds, the way out, bits of invalid input. */
#include "batches.h"
#include "options.h"
#include "report.h"

#include <abut/engine.h>
#include <abut/shapes.h>

#include <math.h>
#include <string.h>

enum { N = 400 };

static float sphere[4][N], box[15][N], triangle[9][N], depth[N], out[3][N];
static const struct abut_spheres spheres = {N, sphere[0], sphere[1], sphere[2], sphere[3]};
static const struct abut_directions directions = {out[0], out[1], out[2]};

typedef long double real;

static real length(const real a[3])
{
    return sqrtl(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

/* A point's distance from an AABB, negative inside. */
static real from_aabb(const real p[3], size_t i)
{
    real sum = 0, nearest = -INFINITY;
    for (unsigned k = 0; k < 3; k++) {
        const real beyond = fmaxl((real)box[k][i] - p[k], p[k] - (real)box[k + 3][i]);
        sum += beyond > 0 ? beyond * beyond : 0;
        nearest = fmaxl(nearest, beyond);
    }
    return nearest > 0 ? sqrtl(sum) : nearest;
}

/* The same from an OBB, by its own axes. */
static real from_obb(const real p[3], size_t i)
{
    real sum = 0, nearest = -INFINITY;
    for (unsigned k = 0; k < 3; k++) {
        real along = 0;
        for (unsigned c = 0; c < 3; c++)
            along += (real)box[6 + 3 * k + c][i] * (p[c] - (real)box[c][i]);
        const real beyond = fabsl(along) - (real)box[3 + k][i];
        sum += beyond > 0 ? beyond * beyond : 0;
        nearest = fmaxl(nearest, beyond);
    }
    return nearest > 0 ? sqrtl(sum) : nearest;
}

static real from_segment(const real p[3], const real a[3], const real b[3])
{
    real e[3], ap[3], t = 0, square = 0, away[3];
    for (unsigned k = 0; k < 3; k++) {
        e[k] = b[k] - a[k];
        ap[k] = p[k] - a[k];
        t += e[k] * ap[k];
        square += e[k] * e[k];
    }
    t = square > 0 ? fminl(fmaxl(t / square, 0), 1) : 0;
    for (unsigned k = 0; k < 3; k++)
        away[k] = ap[k] - t * e[k];
    return length(away);
}

static real dot(const real a[3], const real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The edges, and the foot of the point on the plane if its barycentric coordinates are those of a point within. */
static real from_triangle(const real p[3], size_t i)
{
    real v[3][3], ab[3], ac[3], ap[3], best = INFINITY;
    for (unsigned c = 0; c < 9; c++)
        v[c / 3][c % 3] = (real)triangle[c][i];
    for (unsigned k = 0; k < 3; k++) {
        ab[k] = v[1][k] - v[0][k];
        ac[k] = v[2][k] - v[0][k];
        ap[k] = p[k] - v[0][k];
        best = fminl(best, from_segment(p, v[k], v[(k + 1) % 3]));
    }
    const real bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac), det = bb * cc - bc * bc;
    const real s = (cc * dot(ab, ap) - bc * dot(ac, ap)) / det, t = (bb * dot(ac, ap) - bc * dot(ab, ap)) / det;
    if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
        real away[3];
        for (unsigned k = 0; k < 3; k++)
            away[k] = ap[k] - s * ab[k] - t * ac[k];
        best = fminl(best, length(away));
    }
    return best;
}

typedef real distance_of(const real p[3], size_t i);

/*
 * depth against the distance, and the distance after a move by depth; e is the error bound of the shape. A direction of
 * three floats is a unit vector to 2u, and a move of p along it is off by 4u |p|.
 */
static void check_way(distance_of *distance, size_t i, real e, const char *what)
{
    const real centre[3] = {sphere[0][i], sphere[1][i], sphere[2][i]}, r = sphere[3][i], u = 0x1p-24L;
    const real p = r - distance(centre, i), unit[3] = {out[0][i], out[1][i], out[2][i]};
    real moved[3];
    check_that(fabsl((real)depth[i] - p) <= u * fabsl(p) + e, "%s %zu: depth %.9g and not %.9Lg", what, i,
               (double)depth[i], p);
    check_that(fabsl(length(unit) - 1) <= 2 * u, "%s %zu: a direction of length %.9Lg", what, i, length(unit));
    for (unsigned k = 0; k < 3; k++)
        moved[k] = centre[k] + (real)depth[i] * unit[k];
    const real after = distance(moved, i);
    check_that(fabsl(after - r) <= 6 * u * fabsl(p) + e, "%s %zu: radius %.9Lg, after the move %.9Lg", what, i, r,
               after);
}

/* Small integers make centres on faces, edges and corners, and equally near faces. */
static float number(struct random *random, unsigned how)
{
    return how == 0 ? (float)random_below(random, 9) - 4 : random_between(random, -4, 4);
}

static void make_spheres(struct random *random, unsigned how)
{
    for (size_t i = 0; i < N; i++) {
        for (unsigned k = 0; k < 3; k++)
            sphere[k][i] = number(random, how);
        sphere[3][i] = fabsf(number(random, how));
    }
}

static void check_aabbs(struct random *random, unsigned how)
{
    for (size_t i = 0; i < N; i++)
        for (unsigned k = 0; k < 3; k++) {
            const float a = number(random, how), b = number(random, how);
            box[k][i] = fminf(a, b);
            box[k + 3][i] = fmaxf(a, b);
        }
    const struct abut_aabbs aabbs = {N, box[0], box[1], box[2], box[3], box[4], box[5]};
    CHECK(abut_penetration(&spheres, abut_of_aabbs(&aabbs), depth, &directions) == ABUT_OK);
    for (size_t i = 0; i < N; i++)
        check_way(from_aabb, i, 0x1p-48L * ((real)sphere[3][i] + fabsl((real)depth[i])), "AABB");
}

static void check_obbs(struct random *random, unsigned how)
{
    float *quaternions[4], *axes[9];
    for (unsigned k = 0; k < 9; k++)
        axes[k] = box[6 + k];
    memcpy(quaternions, axes, sizeof quaternions);
    for (size_t i = 0; i < N; i++) {
        for (unsigned k = 0; k < 3; k++) {
            box[k][i] = number(random, how);
            box[k + 3][i] = fabsf(number(random, how));
        }
        for (unsigned k = 0; k < 4; k++)
            box[6 + k][i] = how == 0 ? (float)(k == random_below(random, 4)) : random_between(random, -1, 1);
        if (how == 0 && box[6][i] + box[7][i] + box[8][i] + box[9][i] == 0)
            box[9][i] = 1;
    }
    CHECK(abut_obbs_axes_from_quaternions(N, quaternions, axes) == ABUT_OK);
    const struct abut_obbs obbs = {N,      box[0], box[1], box[2],  box[3],  box[4],  box[5],  box[6],
                                   box[7], box[8], box[9], box[10], box[11], box[12], box[13], box[14]};
    CHECK(abut_penetration(&spheres, abut_of_obbs(&obbs), depth, &directions) == ABUT_OK);
    for (size_t i = 0; i < N; i++) {
        /* Rounded axes are orthonormal to 2^-22. */
        real s = 0;
        for (unsigned k = 0; k < 3; k++)
            s += fabsl((real)sphere[k][i] - (real)box[k][i]);
        check_way(from_obb, i, (how == 0 ? 0x1p-30L : 0x1p-20L) * ((real)sphere[3][i] + s), "OBB");
    }
}

/* Triangles, needles, and such as lie on one line or in one point; centres on them as well. */
static void check_triangles(struct random *random, unsigned how)
{
    for (size_t i = 0; i < N; i++) {
        for (unsigned k = 0; k < 9; k++)
            triangle[k][i] = number(random, how);
        const float t = random_between(random, 0, 1);
        for (unsigned k = 0; k < 3 && how == 2; k++)
            triangle[6 + k][i] = triangle[k][i] + t * (triangle[3 + k][i] - triangle[k][i]) +
                                 ldexpf(random_between(random, -1, 1), -(int)(i % 24));
        for (unsigned k = 0; k < 3 && i % 3 == 0; k++)
            sphere[k][i] = how == 0 ? triangle[k][i] : (triangle[k][i] + triangle[3 + k][i]) / 2;
        for (unsigned k = 0; k < 3 && i % 7 == 0; k++)
            triangle[6 + k][i] = triangle[k][i];
    }
    const struct abut_triangles triangles = {N,           triangle[0], triangle[1], triangle[2], triangle[3],
                                             triangle[4], triangle[5], triangle[6], triangle[7], triangle[8]};
    CHECK(abut_penetration(&spheres, abut_of_triangles(&triangles), depth, &directions) == ABUT_OK);
    for (size_t i = 0; i < N; i++) {
        real to[3], ab[3], ac[3], n[3];
        for (unsigned k = 0; k < 3; k++) {
            to[k] = (real)sphere[k][i] - (real)triangle[k][i];
            ab[k] = (real)triangle[3 + k][i] - (real)triangle[k][i];
            ac[k] = (real)triangle[6 + k][i] - (real)triangle[k][i];
        }
        for (unsigned k = 0; k < 3; k++)
            n[k] = ab[(k + 1) % 3] * ac[(k + 2) % 3] - ab[(k + 2) % 3] * ac[(k + 1) % 3];
        const bool flat = length(n) < 0x1p-21L * length(ab) * length(ac) || length(n) == 0;
        const real size = (real)sphere[3][i] + length(to) + length(ab) + length(ac);
        check_way(from_triangle, i, (flat ? 0x1p-13L : 0x1p-18L) * size, flat ? "flat triangle" : "triangle");
    }
}

/* Centres on edges, at fractions of them that float64 rounds: what rounding leaves is no way out. */
static void check_centres_on_edges(struct random *random)
{
    for (size_t i = 0; i < N; i++) {
        const float parts = (float)(2 + random_below(random, 254)), of = (float)random_below(random, (unsigned)parts);
        for (unsigned k = 0; k < 3; k++) {
            const float step = (float)random_below(random, 255) - 127, start = (float)random_below(random, 255) - 127;
            triangle[k][i] = start;
            triangle[3 + k][i] = start + parts * step;
            triangle[6 + k][i] = (float)random_below(random, 255) - 127;
            sphere[k][i] = start + of * step;
        }
        sphere[3][i] = 100;
    }
    const struct abut_triangles triangles = {N,           triangle[0], triangle[1], triangle[2], triangle[3],
                                             triangle[4], triangle[5], triangle[6], triangle[7], triangle[8]};
    CHECK(abut_penetration(&spheres, abut_of_triangles(&triangles), depth, &directions) == ABUT_OK);
    for (size_t i = 0; i < N; i++)
        check_way(from_triangle, i, 0x1p-18L * 100, "triangle with a centre on an edge");
}

static bool is_canonical_nan(float x)
{
    const uint32_t nan = 0x7fc00000;
    return memcmp(&x, &nan, sizeof x) == 0;
}

static void check_special(void)
{
    const float zero[1] = {0}, one[1] = {1}, minus[1] = {-1}, inf[1] = {INFINITY}, low[1] = {-INFINITY},
                nan[1] = {-NAN};
    const struct abut_spheres ball = {1, zero, zero, zero, one}, invalid = {1, zero, nan, zero, one},
                              negative = {1, zero, zero, zero, minus}, all = {1, zero, zero, zero, inf};
    const struct abut_aabbs cube = {1, minus, minus, minus, one, one, one}, space = {1, low, low, low, inf, inf, inf},
                            empty = {1, one, minus, minus, minus, one, one}, slab = {1, low, minus, low, inf, one, inf};
    struct abut_spheres none = ball;
    CHECK(abut_penetration(&ball, abut_of_aabbs(&cube), depth, &directions) == ABUT_OK);
    CHECK(depth[0] == 2 && out[0][0] == -1 && out[1][0] == 0 && !signbit(out[1][0]) && out[2][0] == 0);
    CHECK(abut_penetration(&ball, abut_of_aabbs(&slab), depth, &directions) == ABUT_OK);
    CHECK(depth[0] == 2 && out[0][0] == 0 && out[1][0] == -1 && out[2][0] == 0);
    CHECK(abut_penetration(&all, abut_of_aabbs(&cube), depth, &directions) == ABUT_OK);
    CHECK(depth[0] == INFINITY && out[0][0] == -1);
    CHECK(abut_penetration(&ball, abut_of_aabbs(&space), depth, &directions) == ABUT_OK);
    CHECK(depth[0] == INFINITY && is_canonical_nan(out[0][0]));
    const struct abut_spheres *const wrong[] = {&invalid, &negative, &ball};
    for (unsigned i = 0; i < 3; i++) {
        CHECK(abut_penetration(wrong[i], abut_of_aabbs(i == 2 ? &empty : &cube), depth, &directions) == ABUT_OK);
        CHECK(is_canonical_nan(depth[0]) && is_canonical_nan(out[0][0]) && is_canonical_nan(out[2][0]));
    }
    CHECK(abut_penetration(NULL, abut_of_aabbs(&cube), depth, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_penetration(&ball, abut_of_aabbs(&cube), NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_penetration(&ball, abut_of_aabbs(&cube), depth, &(struct abut_directions){NULL, depth, depth}) ==
          ABUT_ERROR_NULL);
    CHECK(abut_penetration(&ball, abut_of_spheres(&ball), depth, NULL) == ABUT_ERROR_PREDICATE);
    none.n = 2;
    CHECK(abut_penetration(&none, abut_of_aabbs(&(struct abut_aabbs){3, one, one, one, one, one, one}), depth, NULL) ==
          ABUT_ERROR_LENGTHS);
    none.n = 0;
    CHECK(abut_penetration(&none, abut_of_aabbs(&cube), NULL, NULL) == ABUT_OK);
}

/* One sphere against many boxes, and many against one, as pairs by themselves. */
static void check_broadcast(void)
{
    static float alone[N];
    const struct abut_aabbs aabbs = {N, box[0], box[1], box[2], box[3], box[4], box[5]};
    struct abut_aabbs one = aabbs;
    struct abut_spheres ball = spheres;
    one.n = ball.n = 1;
    CHECK(abut_penetration(&ball, abut_of_aabbs(&aabbs), depth, NULL) == ABUT_OK);
    CHECK(abut_penetration(&spheres, abut_of_aabbs(&one), alone, &directions) == ABUT_OK);
    CHECK(memcmp(depth, alone, sizeof *depth) == 0);
    const struct abut_spheres last = {1, &sphere[0][N - 1], &sphere[1][N - 1], &sphere[2][N - 1], &sphere[3][N - 1]};
    CHECK(abut_penetration(&last, abut_of_aabbs(&one), depth, NULL) == ABUT_OK);
    CHECK(memcmp(depth, &alone[N - 1], sizeof *depth) == 0);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 10});
    struct random random = {options.seed};
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned how = 0; how < 3; how++) {
            make_spheres(&random, how);
            check_aabbs(&random, how);
            check_broadcast();
            check_obbs(&random, how);
            check_triangles(&random, how);
            check_centres_on_edges(&random);
        }
    check_special();
    return finish("penetration");
}
