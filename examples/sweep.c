/* SPDX-License-Identifier: MIT */
/*
 * Continuous collision of balls with a mesh. A ball that moves within a step is a cast: abut_cast_first finds the
 * triangle that it touches first, and when. The first ball here is so fast that it passes through a wall between two
 * steps: its positions alone touch nothing. The output is the same on every machine.
 */
#include <abut/cast.h>

#include <stdio.h>
#include <stdlib.h>

static void need(enum abut_status status)
{
    if (status != ABUT_OK) {
        fprintf(stderr, "sweep: %s\n", abut_status_text(status));
        exit(1);
    }
}

/* A wall of 32 by 32 squares in the plane x = 10, with a window of 4 by 4 squares in its middle. */
enum { SIDE = 32, VERTICES = (SIDE + 1) * (SIDE + 1) };

static struct abut_index *wall(void)
{
    static float at[3][VERTICES];
    static uint32_t indices[SIDE * SIDE * 6];
    size_t n = 0;
    for (uint32_t i = 0; i < VERTICES; i++) {
        at[0][i] = 10;
        at[1][i] = (float)(i % (SIDE + 1)) - SIDE / 2;
        at[2][i] = (float)(i / (SIDE + 1)) - SIDE / 2;
    }
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t k = 0; k < SIDE; k++) {
            const uint32_t first = i * (SIDE + 1) + k, third = first + SIDE + 2;
            const uint32_t corners[6] = {first, first + 1, third, first, third, third - 1};
            const bool window = i >= SIDE / 2 - 2 && i < SIDE / 2 + 2 && k >= SIDE / 2 - 2 && k < SIDE / 2 + 2;
            for (unsigned c = 0; c < 6 && !window; c++)
                indices[n++] = corners[c];
        }
    const struct abut_mesh mesh = {
        .vertices = VERTICES, .x = at[0], .y = at[1], .z = at[2], .triangles = n / 3, .indices = indices};
    struct abut_index *index = NULL;
    need(abut_index_of_mesh(&mesh, NULL, NULL, &index));
    return index;
}

enum { BALLS = 4 };

/* Balls, and their ways within a step. */
static const float x[BALLS] = {0}, y[BALLS] = {8, 0, 0, 1.5f}, z[BALLS] = {8, 0, 0, 0},
                   r[BALLS] = {0.5f, 0.5f, 2.5f, 0.5f};
static const float dx[BALLS] = {20, 20, 20, 20}, dy[BALLS] = {0}, dz[BALLS] = {0};
static const char *const what[BALLS] = {"through the wall", "through the window", "too large for the window",
                                        "grazes its frame: touching counts"};

/* Whether balls at rest touch the mesh: one bit each. */
static uint64_t touching(const struct abut_index *mesh, const float *at)
{
    const struct abut_spheres balls = {.n = BALLS, .x = at, .y = y, .z = z, .r = r};
    uint64_t mask;
    need(abut_join_any(mesh, abut_of_spheres(&balls), NULL, &mask));
    return mask;
}

int main(void)
{
    const struct abut_rays ways = {.n = BALLS, .x = x, .y = y, .z = z, .dx = dx, .dy = dy, .dz = dz, .r = r};
    struct abut_index *mesh = wall();
    uint32_t triangles[BALLS];
    float t[BALLS];
    need(abut_cast_first(mesh, &ways, NULL, triangles, t));
    const uint64_t at_ends = touching(mesh, x) | touching(mesh, dx); /* they begin at x = 0 */
    for (size_t i = 0; i < BALLS; i++) {
        printf("ball %zu, %s: %s at its ends", i, what[i], at_ends >> i & 1 ? "touches" : "free");
        if (triangles[i] == UINT32_MAX)
            printf(", moves all of its step\n");
        else
            printf(", touches triangle %u after %g of its step\n", triangles[i], (double)t[i]);
    }
    abut_index_free(mesh);
    return 0;
}
