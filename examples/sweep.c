/* SPDX-License-Identifier: MIT */
/*
 * Continuous collision of a ball with a mesh. A ball that moves from p to q within a step sweeps a capsule, so whether
 * it hits the mesh on its way is whether that capsule touches a triangle. The ball here is so fast that it passes
 * through a wall between two steps: its positions alone touch nothing. Where the sweep is not free, halving the step
 * finds the time of the first contact, to a float32. The output is the same on every machine.
 */
#include <abut/index.h>

#include <stdbool.h>
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
    static float x[VERTICES], y[VERTICES], z[VERTICES];
    static uint32_t indices[SIDE * SIDE * 6];
    size_t n = 0;
    for (uint32_t i = 0; i < VERTICES; i++) {
        x[i] = 10;
        y[i] = (float)(i % (SIDE + 1)) - SIDE / 2;
        z[i] = (float)(i / (SIDE + 1)) - SIDE / 2;
    }
    for (uint32_t i = 0; i < SIDE; i++)
        for (uint32_t k = 0; k < SIDE; k++) {
            const uint32_t at = i * (SIDE + 1) + k;
            const uint32_t corners[6] = {at, at + 1, at + SIDE + 2, at, at + SIDE + 2, at + SIDE + 1};
            const bool window = i >= SIDE / 2 - 2 && i < SIDE / 2 + 2 && k >= SIDE / 2 - 2 && k < SIDE / 2 + 2;
            for (unsigned c = 0; c < 6 && !window; c++)
                indices[n++] = corners[c];
        }
    const struct abut_mesh mesh = {
        .vertices = VERTICES, .x = x, .y = y, .z = z, .triangles = n / 3, .indices = indices};
    struct abut_index *index = NULL;
    need(abut_index_of_mesh(&mesh, NULL, NULL, &index));
    return index;
}

/* A ball, and its velocity in a step. */
struct ball {
    float at[3], by[3], r;
};

/* Whether the ball touches the mesh on its way through the first part t of the step. */
static bool hits(const struct abut_index *mesh, const struct ball *ball, float t)
{
    float to[3];
    uint64_t mask;
    for (unsigned k = 0; k < 3; k++)
        to[k] = ball->at[k] + t * ball->by[k];
    const struct abut_capsules swept = {.n = 1,
                                        .ax = &ball->at[0],
                                        .ay = &ball->at[1],
                                        .az = &ball->at[2],
                                        .bx = &to[0],
                                        .by = &to[1],
                                        .bz = &to[2],
                                        .r = &ball->r};
    need(abut_join_any(mesh, abut_of_capsules(&swept), NULL, &mask));
    return mask & 1;
}

/* The greatest t at which the ball has touched nothing yet. A longer way touches what a shorter one does. */
static float free_time(const struct abut_index *mesh, const struct ball *ball)
{
    float clear = 0, hit = 1;
    if (!hits(mesh, ball, 1))
        return 1;
    for (float middle = 0.5f; middle > clear && middle < hit; middle = (clear + hit) / 2)
        *(hits(mesh, ball, middle) ? &hit : &clear) = middle;
    return clear;
}

int main(void)
{
    struct ball balls[] = {
        {{0, 8, 8}, {20, 0, 0}, 0.5f},   /* through the wall */
        {{0, 0, 0}, {20, 0, 0}, 0.5f},   /* through the window */
        {{0, 0, 0}, {20, 0, 0}, 2.5f},   /* too large for the window */
        {{0, 1.5f, 0}, {20, 0, 0}, 0.5f} /* grazes its frame: touching counts */
    };
    struct abut_index *mesh = wall();
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++) {
        struct ball end = balls[i];
        for (unsigned k = 0; k < 3; k++) {
            end.at[k] += end.by[k];
            end.by[k] = 0;
        }
        const float t = free_time(mesh, &balls[i]);
        printf("ball %zu: %s at its ends, moves %g of its step\n", i,
               hits(mesh, &balls[i], 0) || hits(mesh, &end, 0) ? "touches" : "free", (double)t);
    }
    abut_index_free(mesh);
    return 0;
}
