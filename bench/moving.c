/* SPDX-License-Identifier: MIT */
/*
 * Times builds, refits of all and of some, and searches of moving boxes in an index that owns them and in a view. The
 * boxes are those of join_uniform: all move a little, and some leave their padded boxes in the view. Both indices must
 * find the same pairs before search times are printed.
 */
#include "moving.h"

#include "cli/random.h"
#include "large.h"
#include "measure.h"

#include <abut/index.h>

#include <stdbool.h>
#include <stdio.h>

enum { MOST_REPETITIONS = 64, BOTH = 2 };

static const float padding = 0.05f;

static float *sphere[4], *box[6];
static struct abut_aabbs boxes;

static void move(double leaving, struct random *random)
{
    for (size_t i = 0; i < LARGE_USUAL; i++) {
        const bool leaves = (double)random_between(random, 0, 1) < leaving;
        for (unsigned k = 0; k < 3; k++) {
            const float by = random_between(random, -1, 1) * (leaves ? 1 : 0.01f) * padding;
            const float step = leaves ? by + (by < 0 ? -3 : 3) * padding : by;
            box[k][i] += step;
            box[k + 3][i] += step;
        }
    }
}

static struct abut_index *build(bool is_view, const struct abut_options *options, double *took)
{
    struct abut_index *index;
    const double start = now();
    need((is_view ? abut_index_view(abut_of_aabbs(&boxes), padding, options, NULL, &index)
                  : abut_index_new(abut_of_aabbs(&boxes), options, NULL, &index)) == ABUT_OK,
         "build");
    *took = now() - start;
    return index;
}

static bool add_hash(void *hash, const struct abut_pair *pairs, size_t n)
{
    *(uint64_t *)hash += large_hash(pairs, n);
    return true;
}

static void print_row(const char *what, double took[BOTH][MOST_REPETITIONS], unsigned repetitions)
{
    printf("  %-32s %9.3f %9.3f\n", what, median(took[0], repetitions), median(took[1], repetitions));
}

/* Refits of a few boxes that leave their padded boxes: any numbers, in any order. */
static void print_some(struct abut_index *const index[BOTH], const struct abut_options *options, unsigned repetitions,
                       struct random *random)
{
    enum { MOST_MOVED = 100000 };
    static const size_t counts[] = {10, 1000, 10000, MOST_MOVED};
    static uint32_t moved[MOST_MOVED];
    double took[BOTH][MOST_REPETITIONS];
    char what[64];
    for (unsigned s = 0; s < sizeof counts / sizeof *counts; s++) {
        for (unsigned r = 0; r < repetitions; r++) {
            for (size_t i = 0; i < counts[s]; i++) {
                moved[i] = random_below(random, LARGE_USUAL);
                const unsigned k = random_below(random, 3);
                const float step = (random_below(random, 2) ? 4 : -4) * padding;
                box[k][moved[i]] += step;
                box[k + 3][moved[i]] += step;
            }
            for (unsigned b = 0; b < BOTH; b++) {
                const double start = now();
                need(abut_index_refit_some(index[b], abut_of_aabbs(&boxes), moved, counts[s], options, NULL, NULL) ==
                         ABUT_OK,
                     "refit of some");
                took[b][r] = now() - start;
            }
        }
        snprintf(what, sizeof what, "refit of %zu that leave", counts[s]);
        print_row(what, took, repetitions);
    }
}

void print_moving(unsigned repetitions)
{
    static const double leaving[] = {0, 0.001, 0.01, 0.1, 1};
    static const size_t queries[] = {1, 100, 1000, 10000, 100000, LARGE_USUAL};
    struct abut_options options = {0};
    struct abut_index *index[BOTH];
    struct random random = {0x3A};
    double took[BOTH][MOST_REPETITIONS];
    char what[64];
    need(abut_columns_new(LARGE_USUAL, 4, sphere, NULL) == ABUT_OK &&
             abut_columns_new(LARGE_USUAL, 6, box, NULL) == ABUT_OK &&
             abut_workspace_new(NULL, &options.workspace) == ABUT_OK,
         "out of memory");
    large_workloads[0].fill(LARGE_USUAL, sphere, box);
    boxes = (struct abut_aabbs){LARGE_USUAL, box[0], box[1], box[2], box[3], box[4], box[5]};
    printf("%d boxes; ms                              owned      view\n", LARGE_USUAL);
    for (unsigned r = 0; r < repetitions; r++)
        for (unsigned b = 0; b < BOTH; b++) {
            if (r > 0)
                abut_index_free(index[b]);
            index[b] = build(b == 1, &options, &took[b][r]);
        }
    print_row("build", took, repetitions);
    for (unsigned s = 0; s < sizeof leaving / sizeof *leaving; s++) {
        for (unsigned r = 0; r < repetitions; r++) {
            move(leaving[s], &random);
            for (unsigned b = 0; b < BOTH; b++) {
                const double start = now();
                need(abut_index_refit(index[b], abut_of_aabbs(&boxes), &options, NULL, NULL) == ABUT_OK, "refit");
                took[b][r] = now() - start;
            }
        }
        snprintf(what, sizeof what, "refit, where %g %% leave", 100 * leaving[s]);
        print_row(what, took, repetitions);
    }
    print_some(index, &options, repetitions, &random);
    /* Build anew, since after large moves the order of a tree no longer suits its items, which slows searches. */
    for (unsigned b = 0; b < BOTH; b++) {
        abut_index_free(index[b]);
        index[b] = build(b == 1, &options, &took[b][0]);
    }
    for (unsigned s = 0; s < sizeof queries / sizeof *queries; s++) {
        const struct abut_spheres some = {queries[s], sphere[0], sphere[1], sphere[2], sphere[3]};
        uint64_t hash[BOTH] = {0}, count[BOTH];
        for (unsigned b = 0; b < BOTH; b++)
            need(abut_join_blocks(index[b], abut_of_spheres(&some), &options, add_hash, &hash[b]) == ABUT_OK, "join");
        need(hash[0] == hash[1], "the view finds other pairs");
        for (unsigned r = 0; r < repetitions; r++)
            for (unsigned b = 0; b < BOTH; b++) {
                const double start = now();
                need(abut_join(index[b], abut_of_spheres(&some), &options, NULL, 0, &count[b]) == ABUT_OK, "join");
                took[b][r] = now() - start;
                need(count[b] == count[0], "a search finds another number of pairs");
            }
        snprintf(what, sizeof what, "search for %zu spheres", queries[s]);
        print_row(what, took, repetitions);
    }
    for (unsigned b = 0; b < BOTH; b++)
        abut_index_free(index[b]);
    abut_workspace_free(options.workspace);
    abut_columns_free(sphere, NULL);
    abut_columns_free(box, NULL);
}
