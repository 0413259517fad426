/* SPDX-License-Identifier: MIT */
/* Draws the workloads of joins, and hashes pairs. */
#include "large.h"
#include <abut/index.h>

#include "cli/random.h"

#include <math.h>

enum { SHELLS = 64 };

static double draw(struct random *random)
{
    return (double)random_between(random, 0, 1);
}

static void fill_even(size_t n, float *const sphere[4], float *const box[6])
{
    struct random a = {0x5A01}, b = {0x5B01};
    const float side = n == LARGE_USUAL ? 100 : (float)(100 * cbrt((double)n / LARGE_USUAL));
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < 3; k++)
            sphere[k][i] = random_between(&a, 0, side);
        sphere[3][i] = random_between(&a, 0.3f, 0.75f);
    }
    for (size_t i = 0; i < n; i++) {
        float centre[3];
        for (unsigned k = 0; k < 3; k++)
            centre[k] = random_between(&b, 0, side);
        for (unsigned k = 0; k < 3; k++) {
            const float half = random_between(&b, 0.35f, 0.7f);
            box[k][i] = centre[k] - half;
            box[k + 3][i] = centre[k] + half;
        }
    }
}

/* Draws a place near a shell; returns the size of the item there, by a power law cut off at 3. */
static double place(double shells[SHELLS][4], struct random *random, double at[3])
{
    double p, q, t;
    const double u = draw(random);
    const double *shell = shells[(int)(SHELLS * u * u)];
    do {
        p = 2 * draw(random) - 1;
        q = 2 * draw(random) - 1;
        t = p * p + q * q;
    } while (t >= 1);
    const double f = 2 * sqrt(1 - t), direction[3] = {p * f, q * f, 1 - 2 * t};
    const double off = 1 + 0.002 * (draw(random) - 0.5);
    for (unsigned k = 0; k < 3; k++)
        at[k] = shell[k] + direction[k] * shell[3] * off;
    const double size = 0.03 / sqrt(1 - draw(random));
    return size > 3 ? 3 : size;
}

/* Shells are surfaces, so lengths scale with the square root of n to keep the density. */
static void fill_clustered(size_t n, float *const sphere[4], float *const box[6])
{
    const double scale = sqrt((double)n / LARGE_USUAL);
    double shells[SHELLS][4], at[3];
    struct random of_shells = {0x5C01}, a = {0x5A02}, b = {0x5B02};
    for (unsigned i = 0; i < SHELLS; i++) {
        for (unsigned k = 0; k < 3; k++)
            shells[i][k] = scale * 100 * draw(&of_shells);
        const double u = draw(&of_shells);
        shells[i][3] = scale * (2 + 18 * u * u);
    }
    for (size_t i = 0; i < n; i++) {
        const double size = place(shells, &a, at);
        for (unsigned k = 0; k < 3; k++)
            sphere[k][i] = (float)at[k];
        sphere[3][i] = (float)size;
    }
    for (size_t i = 0; i < n; i++) {
        const double size = place(shells, &b, at);
        for (unsigned k = 0; k < 3; k++) {
            const float half = (float)(size * (0.5 + draw(&b)));
            box[k][i] = (float)at[k] - half;
            box[k + 3][i] = (float)at[k] + half;
        }
    }
}

const struct large_sets large_workloads[LARGE_SETS] = {
    {"join_uniform", fill_even, 8120888, UINT64_C(0x2c5fde578f48074f)},
    {"join_clustered", fill_clustered, 8580647, UINT64_C(0xbb04679ee81de707)},
};

uint64_t large_hash(const struct abut_pair *pairs, uint64_t n)
{
    uint64_t hash = 0;
    for (uint64_t i = 0; i < n; i++) {
        struct random of_pair = {(uint64_t)pairs[i].a << 32 | pairs[i].b};
        hash += random_next(&of_pair);
    }
    return hash;
}
