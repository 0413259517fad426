/* SPDX-License-Identifier: MIT */
/* Draws the large sets, and hashes what a join of them found. */
#include "large.h"

#include <math.h>

enum { SHELLS = 64 };

static uint64_t finaliser(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static float draw(uint64_t *state)
{
    return (float)(finaliser(*state += UINT64_C(0x9E3779B97F4A7C15)) >> 40) * 0x1p-24f;
}

static float between(uint64_t *state, float low, float high)
{
    return low + (high - low) * draw(state);
}

static void fill_even(size_t n, float *const sphere[4], float *const box[6])
{
    uint64_t a = 0x5A01, b = 0x5B01;
    const float side = n == LARGE_USUAL ? 100 : (float)(100 * cbrt((double)n / LARGE_USUAL));
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < 3; k++)
            sphere[k][i] = between(&a, 0, side);
        sphere[3][i] = between(&a, 0.3f, 0.75f);
    }
    for (size_t i = 0; i < n; i++) {
        float centre[3];
        for (unsigned k = 0; k < 3; k++)
            centre[k] = between(&b, 0, side);
        for (unsigned k = 0; k < 3; k++) {
            const float half = between(&b, 0.35f, 0.7f);
            box[k][i] = centre[k] - half;
            box[k + 3][i] = centre[k] + half;
        }
    }
}

/* A place near a shell, and the size of what is there. */
static double place(double shells[SHELLS][4], uint64_t *state, double at[3])
{
    double p, q, t;
    const double u = (double)draw(state);
    const double *shell = shells[(int)(SHELLS * u * u)];
    do {
        p = 2 * (double)draw(state) - 1;
        q = 2 * (double)draw(state) - 1;
        t = p * p + q * q;
    } while (t >= 1);
    const double f = 2 * sqrt(1 - t), direction[3] = {p * f, q * f, 1 - 2 * t};
    const double off = 1 + 0.002 * ((double)draw(state) - 0.5);
    for (unsigned k = 0; k < 3; k++)
        at[k] = shell[k] + direction[k] * shell[3] * off;
    const double size = 0.03 / sqrt(1 - (double)draw(state));
    return size > 3 ? 3 : size;
}

/* Shells are surfaces: twice as wide they hold four times as many as densely. */
static void fill_clustered(size_t n, float *const sphere[4], float *const box[6])
{
    const double scale = sqrt((double)n / LARGE_USUAL);
    double shells[SHELLS][4], at[3];
    uint64_t state = 0x5C01, a = 0x5A02, b = 0x5B02;
    for (unsigned i = 0; i < SHELLS; i++) {
        for (unsigned k = 0; k < 3; k++)
            shells[i][k] = scale * 100 * (double)draw(&state);
        const double u = (double)draw(&state);
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
            const float half = (float)(size * (0.5 + (double)draw(&b)));
            box[k][i] = (float)at[k] - half;
            box[k + 3][i] = (float)at[k] + half;
        }
    }
}

const struct large_sets large_workloads[LARGE_SETS] = {
    {"W5u", fill_even, 8120888, UINT64_C(0x2c5fde578f48074f)},
    {"W5c", fill_clustered, 8580647, UINT64_C(0xbb04679ee81de707)},
};

uint64_t large_hash(const struct abut_pair *pairs, uint64_t n)
{
    uint64_t hash = 0;
    for (uint64_t i = 0; i < n; i++)
        hash += finaliser(((uint64_t)pairs[i].a << 32 | pairs[i].b) + UINT64_C(0x9E3779B97F4A7C15));
    return hash;
}
