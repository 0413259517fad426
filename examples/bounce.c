/* SPDX-License-Identifier: MIT */
/*
 * A simulation of 20,000 balls among 300 blocks, for 600 steps or as many as its argument says. It refits an index as
 * the balls move, tracks the contacts that begin and end, and prints the share of a step that the search for pairs
 * takes. The last line is the same on every machine.
 */
#include <abut/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BALLS = 20000, BLOCKS = 300, STEPS = 600, MOST_PAIRS = 1 << 18, REPORT = 100 };
static const float side = 60, tick = 1.0f / 60, worn = 1.5f;

static float *at[4], *speed[3], *block[6]; /* x y z r; velocities; minx to maxz */
static struct abut_spheres balls;
static struct abut_aabbs blocks;
static struct abut_options options;
static struct abut_index *ball_index, *block_index;

/* The pairs of this step and of the last, sorted. */
static struct abut_pair *now, *before;
static size_t n_now, n_before;
static uint64_t began, ended, bounces;

static uint64_t offsets[BALLS + 1];
static uint32_t indices[MOST_PAIRS];

static void need(enum abut_status status)
{
    if (status != ABUT_OK) {
        fprintf(stderr, "bounce: %s\n", abut_status_text(status));
        exit(1);
    }
}

static float random_between(uint64_t *state, float low, float high)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return low + (high - low) * ((float)((z ^ z >> 31) >> 40) * 0x1p-24f);
}

static void make_scene(void)
{
    uint64_t state = 1;
    need(abut_columns_new(BALLS, 4, at, NULL));
    need(abut_columns_new(BALLS, 3, speed, NULL));
    need(abut_columns_new(BLOCKS, 6, block, NULL));
    for (size_t i = 0; i < BALLS; i++) {
        for (unsigned k = 0; k < 3; k++) {
            at[k][i] = random_between(&state, 1, side - 1);
            speed[k][i] = random_between(&state, -5, 5);
        }
        at[3][i] = random_between(&state, 0.2f, 0.5f);
    }
    for (size_t i = 0; i < BLOCKS; i++)
        for (unsigned k = 0; k < 3; k++) {
            block[k][i] = random_between(&state, 0, side);
            block[k + 3][i] = block[k][i] + random_between(&state, 1, 3);
        }
    balls = (struct abut_spheres){BALLS, at[0], at[1], at[2], at[3]};
    blocks = (struct abut_aabbs){BLOCKS, block[0], block[1], block[2], block[3], block[4], block[5]};
    need(abut_workspace_new(NULL, &options.workspace));
    need(abut_index_new(abut_of_aabbs(&blocks), &options, NULL, &block_index));
    now = malloc(MOST_PAIRS * sizeof *now);
    before = malloc(MOST_PAIRS * sizeof *before);
    need(now && before ? ABUT_OK : ABUT_ERROR_MEMORY);
}

static void move(void)
{
    for (unsigned k = 0; k < 3; k++)
        for (size_t i = 0; i < BALLS; i++) {
            at[k][i] += speed[k][i] * tick;
            if ((at[k][i] < 0 && speed[k][i] < 0) || (at[k][i] > side && speed[k][i] > 0))
                speed[k][i] = -speed[k][i];
        }
}

/* Refits the index of the balls, or builds it anew when its leaves have grown too much. */
static void update_index(void)
{
    double growth = INFINITY;
    if (ball_index)
        need(abut_index_refit(ball_index, abut_of_spheres(&balls), &options, &growth, NULL));
    if (growth <= (double)worn)
        return;
    abut_index_free(ball_index);
    need(abut_index_new(abut_of_spheres(&balls), &options, NULL, &ball_index));
}

/* Finds the pairs of balls that touch, each once, sorted. */
static void find_contacts(void)
{
    struct abut_pair *last = before;
    before = now;
    n_before = n_now;
    now = last;
    uint64_t count;
    need(abut_self_join(ball_index, &options, now, MOST_PAIRS, &count));
    need(count <= MOST_PAIRS ? ABUT_OK : ABUT_ERROR_TOO_MANY);
    n_now = (size_t)count;
    need(abut_sort_pairs(now, n_now, &options));
}

/* Two balls of equal mass that approach swap their speeds along the line between their centres. */
static void bounce_balls(struct abut_pair pair)
{
    float line[3], length = 0, closing = 0;
    for (unsigned k = 0; k < 3; k++) {
        line[k] = at[k][pair.b] - at[k][pair.a];
        length += line[k] * line[k];
        closing += line[k] * (speed[k][pair.a] - speed[k][pair.b]);
    }
    if (!(length > 0 && closing > 0))
        return;
    for (unsigned k = 0; k < 3; k++) {
        const float change = line[k] * (closing / length);
        speed[k][pair.a] -= change;
        speed[k][pair.b] += change;
    }
    bounces++;
}

/* Turns the ball back along the axis on which it is least deep in the block. */
static void bounce_off(uint32_t ball, uint32_t i)
{
    unsigned axis = 0;
    float least = INFINITY, away = 0;
    for (unsigned k = 0; k < 3; k++) {
        const float below = at[k][ball] - block[k][i], above = block[k + 3][i] - at[k][ball];
        const float depth = below < above ? below : above;
        if (depth < least) {
            axis = k;
            least = depth;
            away = below < above ? -1.0f : 1.0f;
        }
    }
    if (speed[axis][ball] * away < 0) {
        speed[axis][ball] = -speed[axis][ball];
        bounces++;
    }
}

static void respond(void)
{
    struct abut_contacts contacts = {0};
    need(abut_find_contacts(before, n_before, now, n_now, &contacts));
    began += contacts.n_began;
    ended += contacts.n_ended;
    for (size_t i = 0; i < n_now; i++)
        bounce_balls(now[i]);
    for (uint32_t i = 0; i < BALLS; i++)
        for (uint64_t j = offsets[i]; j < offsets[i + 1]; j++)
            bounce_off(i, indices[j]);
}

/* The time in seconds. */
static double clock_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t fingerprint(void)
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < 3; k++)
        for (size_t i = 0; i < BALLS; i++) {
            uint32_t bits;
            memcpy(&bits, &at[k][i], sizeof bits);
            sum = (sum ^ bits) * UINT64_C(0x100000001b3);
        }
    return sum;
}

static long steps_asked(int argc, char **argv)
{
    char *end = "";
    const long steps = argc > 1 ? strtol(argv[1], &end, 10) : STEPS;
    if (argc > 2 || *end != '\0' || steps < 1) {
        fprintf(stderr, "usage: bounce [STEPS]\n");
        exit(2);
    }
    return steps;
}

int main(int argc, char **argv)
{
    const long steps = steps_asked(argc, argv);
    make_scene();
    double search = 0, mark = clock_now();
    for (long step = 1; step <= steps; step++) {
        move();
        const double start = clock_now();
        update_index();
        find_contacts();
        /* Searches for the items of the index and not for the balls: they are sorted already. */
        need(abut_join_rows(block_index, abut_of_index(ball_index), &options, offsets, indices, MOST_PAIRS));
        need(offsets[BALLS] <= MOST_PAIRS ? ABUT_OK : ABUT_ERROR_TOO_MANY);
        search += clock_now() - start;
        respond();
        if (step % REPORT == 0 || step == steps) {
            const long done = (step - 1) % REPORT + 1;
            const double took = clock_now() - mark;
            printf("step %ld: %zu contacts; %.2f ms a step, %.0f %% of it in the broad phase\n", step, n_now,
                   1e3 * took / (double)done, 100 * search / took);
            mark = clock_now();
            search = 0;
        }
    }
    printf("%llu contacts began, %llu ended, %llu bounces; fingerprint %016llx\n", (unsigned long long)began,
           (unsigned long long)ended, (unsigned long long)bounces, (unsigned long long)fingerprint());
    abut_index_free(ball_index);
    abut_index_free(block_index);
    abut_workspace_free(options.workspace);
    abut_columns_free(at, NULL);
    abut_columns_free(speed, NULL);
    abut_columns_free(block, NULL);
    free(now);
    free(before);
    if (ferror(stdout) || fclose(stdout) != 0) {
        fprintf(stderr, "bounce: cannot write the results\n");
        return 1;
    }
    return 0;
}
