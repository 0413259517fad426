/* SPDX-License-Identifier: MIT */
/*
 * A world of 2,000 crates, most of which rest, and balls that roll among them. Each step moves the balls alone, and
 * prints how many contacts began and ended. Halfway the world is saved; at the end it is restored, and the second half
 * is played again: it prints the same. Debris has a group of its own that no crate's mask names.
 */
#include <abut/world.h>

#include <stdio.h>
#include <stdlib.h>

enum { CRATES = 2000, BALLS = 50, DEBRIS = 200, STEPS = 8, SAVED = 1 << 20 };
enum { GROUP_CRATES = 1, GROUP_BALLS = 2, GROUP_DEBRIS = 4 };

static float crate[6][CRATES], ball[4][BALLS], speck[6][DEBRIS];
static const struct abut_aabbs crates = {CRATES, crate[0], crate[1], crate[2], crate[3], crate[4], crate[5]};
static const struct abut_spheres balls = {BALLS, ball[0], ball[1], ball[2], ball[3]};
static const struct abut_aabbs debris = {DEBRIS, speck[0], speck[1], speck[2], speck[3], speck[4], speck[5]};
static uint32_t ball_ids[BALLS];

static void need(enum abut_status status)
{
    if (status != ABUT_OK) {
        fprintf(stderr, "world: %s\n", abut_status_text(status));
        exit(1);
    }
}

/* Crates stand in rows, edge to edge in pairs; balls start between the rows; debris lies under the crates. */
static void place_items(void)
{
    for (unsigned i = 0; i < CRATES; i++) {
        const float corner[3] = {(float)(i % 50) * 1.5f - (i % 2 ? 0.5f : 0), 0, (float)(i / 50) * 2};
        for (unsigned k = 0; k < 3; k++) {
            crate[k][i] = corner[k];
            crate[k + 3][i] = corner[k] + 1;
        }
    }
    for (unsigned i = 0; i < DEBRIS; i++)
        for (unsigned k = 0; k < 3; k++) {
            speck[k][i] = crate[k][10 * i];
            speck[k + 3][i] = crate[k][10 * i] + 0.25f;
        }
}

static void place_balls(unsigned step)
{
    for (unsigned i = 0; i < BALLS; i++) {
        ball[0][i] = (float)i * 1.5f + (float)step * 0.375f;
        ball[1][i] = 0.5f;
        ball[2][i] = (float)(i % 8) * 10 + 1.25f + (float)step * 0.125f;
        ball[3][i] = 0.375f;
    }
}

static void add_items(struct abut_world *world)
{
    static uint32_t ids[CRATES], groups[CRATES], masks[CRATES];
    const struct abut_world_labels labels = {groups, masks, NULL};
    for (unsigned i = 0; i < CRATES; i++) {
        groups[i] = GROUP_CRATES;
        masks[i] = GROUP_CRATES | GROUP_BALLS;
    }
    need(abut_world_add(world, abut_of_aabbs(&crates), &labels, NULL, ids));
    for (unsigned i = 0; i < DEBRIS; i++) {
        groups[i] = GROUP_DEBRIS;
        masks[i] = GROUP_BALLS;
    }
    need(abut_world_add(world, abut_of_aabbs(&debris), &labels, NULL, ids));
    for (unsigned i = 0; i < BALLS; i++) {
        groups[i] = GROUP_BALLS;
        masks[i] = UINT32_MAX;
    }
    need(abut_world_add(world, abut_of_spheres(&balls), &labels, NULL, ball_ids));
}

static void make_step(struct abut_world *world, unsigned step)
{
    struct abut_world_changes changes;
    place_balls(step);
    need(abut_world_move(world, ball_ids, abut_of_spheres(&balls), NULL));
    need(abut_world_update(world, false, NULL, &changes));
    printf("step %u: %zu began, %zu ended, %zu touch\n", step, changes.n_began, changes.n_ended,
           abut_world_pair_count(world));
}

int main(void)
{
    static char saved[SAVED];
    size_t size = 0;
    struct abut_world *world = NULL, *restored = NULL;
    place_items();
    place_balls(0);
    need(abut_world_new(0.1f, NULL, &world));
    add_items(world);
    for (unsigned step = 0; step < STEPS; step++) {
        if (step == STEPS / 2)
            need(abut_world_save(world, saved, sizeof saved, &size));
        make_step(world, step);
    }
    need(size <= sizeof saved ? ABUT_OK : ABUT_ERROR_TOO_MANY);
    need(abut_world_restore(saved, size, NULL, &restored));
    printf("back to step %d\n", STEPS / 2);
    for (unsigned step = STEPS / 2; step < STEPS; step++)
        make_step(restored, step);
    abut_world_free(world);
    abut_world_free(restored);
    return ferror(stdout) || fclose(stdout) != 0;
}
