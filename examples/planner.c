/* SPDX-License-Identifier: MIT */
/*
 * A robot planner: which of 20,000 configurations of an arm are in collision with a cell full of boxes? Coarse to fine:
 * one sphere around each link first, then, of the configurations that these leave, the small spheres that the links are
 * made of. A configuration is left at its first hit. The output is the same on every machine.
 */
#include <abut/engine.h>

#include <stdio.h>
#include <stdlib.h>

enum { CONFIGURATIONS = 20000, LINKS = 3, PER_LINK = 8, BALLS = LINKS * PER_LINK, BOXES = 100 };
enum { WORDS = (CONFIGURATIONS + 63) / 64 };

static float coarse[4][CONFIGURATIONS * LINKS], fine[4][CONFIGURATIONS * BALLS], box[6][BOXES];
static uint32_t coarse_offsets[CONFIGURATIONS + 1], fine_offsets[CONFIGURATIONS + 1], undecided[CONFIGURATIONS];

static void need(enum abut_status status)
{
    if (status != ABUT_OK) {
        fprintf(stderr, "planner: %s\n", abut_status_text(status));
        exit(1);
    }
}

/* Multiples of one fraction fill the range from low to high evenly (Weyl 1916). */
static float spread(uint32_t i, uint32_t fraction, float low, float high)
{
    return low + (high - low) * ((float)(i * fraction >> 8) * 0x1p-24f);
}

/* Boxes anywhere but at the foot of the arm. */
static void make_boxes(void)
{
    static const uint32_t fractions[3] = {3679390609u, 3152041523u, 2700274805u};
    for (uint32_t i = 0; i < BOXES; i++)
        for (unsigned k = 0; k < 3; k++) {
            const float at = spread(i, fractions[k], -3, 3), size = spread(i, fractions[k] * 3, 0.02f, 0.1f);
            box[k][i] = (k == 0 && at > -0.5f && at < 0.5f ? 3 : at) - size;
            box[k + 3][i] = box[k][i] + 2 * size;
        }
}

/* A link of an arm: its spheres lie from a to b, and one sphere holds them all. */
static void put_link(uint32_t configuration, unsigned link, const float a[3], const float b[3])
{
    const float radius = 0.06f, half = 0.4f; /* of a link's length, which is 0.8 */
    const uint32_t c = configuration * LINKS + link;
    for (unsigned i = 0; i < PER_LINK; i++) {
        const float t = (float)i / (PER_LINK - 1);
        for (unsigned k = 0; k < 3; k++)
            fine[k][c * PER_LINK + i] = a[k] + t * (b[k] - a[k]);
        fine[3][c * PER_LINK + i] = radius;
    }
    for (unsigned k = 0; k < 3; k++)
        coarse[k][c] = (a[k] + b[k]) / 2;
    coarse[3][c] = (half + radius) * 1.001f; /* more than any rounding above */
}

/* The joints of an arm, each link in a direction of its own. Unit vectors come from the points of a paraboloid. */
static void make_configuration(uint32_t configuration)
{
    float joint[LINKS + 1][3] = {{0, 0, 0}};
    for (unsigned link = 0; link < LINKS; link++) {
        const float u = spread(configuration * LINKS + link, 3679390609u, -2, 2),
                    v = spread(configuration * LINKS + link, 2313257605u, -2, 2), s = 1 + u * u + v * v;
        const float direction[3] = {2 * u / s, 2 * v / s, (u * u + v * v - 1) / s};
        for (unsigned k = 0; k < 3; k++)
            joint[link + 1][k] = joint[link][k] + 0.8f * direction[k];
        put_link(configuration, link, joint[link], joint[link + 1]);
    }
    coarse_offsets[configuration + 1] = (configuration + 1) * LINKS;
    fine_offsets[configuration + 1] = (configuration + 1) * BALLS;
}

/* Moves the spheres of the listed configurations to the front, and returns their groups. */
static struct abut_groups keep_listed(size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned b = 0; b < BALLS; b++)
            for (unsigned k = 0; k < 4; k++)
                fine[k][i * BALLS + b] = fine[k][(size_t)undecided[i] * BALLS + b];
    return (struct abut_groups){n, fine_offsets};
}

int main(void)
{
    static uint64_t near[WORDS], hits[WORDS];

    struct abut_index *cell;
    make_boxes();
    for (uint32_t i = 0; i < CONFIGURATIONS; i++)
        make_configuration(i);
    const struct abut_aabbs boxes = {BOXES, box[0], box[1], box[2], box[3], box[4], box[5]};
    need(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &cell));

    const struct abut_spheres around = {CONFIGURATIONS * LINKS, coarse[0], coarse[1], coarse[2], coarse[3]};
    const struct abut_groups links = {CONFIGURATIONS, coarse_offsets};
    need(abut_join_groups(cell, abut_of_spheres(&around), &links, NULL, near));
    const size_t left = abut_mask_list(near, CONFIGURATIONS, undecided, CONFIGURATIONS);

    const struct abut_groups arms = keep_listed(left);
    const struct abut_spheres balls = {left * BALLS, fine[0], fine[1], fine[2], fine[3]};
    need(abut_join_groups(cell, abut_of_spheres(&balls), &arms, NULL, hits));
    const uint64_t in_collision = abut_mask_count(hits, left);
    printf("%u configurations: %zu have a link near a box, %llu are in collision, %llu are free\n", CONFIGURATIONS,
           left, (unsigned long long)in_collision, (unsigned long long)(CONFIGURATIONS - in_collision));
    abut_index_free(cell);
    return 0;
}
