/* SPDX-License-Identifier: MIT */
/*
 * Times searches between spheres and each other shape, both ways, and self joins of spheres and of AABBs, all spread
 * evenly. Every pair of shapes has its own filter, so a slow search of one does not show in another.
 */
#include "shapes.h"

#include "cli/random.h"
#include "large.h"
#include "measure.h"

#include <abut/index.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SHAPES = 200000, FIELDS = 15, MOST_SEARCHES = 64, MOST_ISAS = 8 };

/* The sets that an index holds, which are not numbered as kinds of sets are: planes are missing. */
enum { POINTS, SPHERES, AABBS, OBBS, SEGMENTS, CAPSULES, TRIANGLES, SETS };
static const char *const names[SETS] = {"points", "spheres", "AABBs", "OBBs", "segments", "capsules", "triangles"};
static const unsigned fields[SETS] = {3, 4, 6, 15, 6, 7, 9};
static float *members[SETS][FIELDS];

/*
 * Draws member k of a shape around a centre, about as large as the spheres: a centre, a coordinate of a corner or end
 * point, or a size.
 */
static float draw_member(unsigned set, unsigned k, const float centre[3], struct random *random)
{
    if (k < 3 && set != AABBS && set < SEGMENTS)
        return centre[k];
    if (set == AABBS)
        return centre[k % 3] + (k < 3 ? -1 : 1) * random_between(random, 0.35f, 0.7f);
    const bool corner = set >= SEGMENTS && k < fields[set] - fields[set] % 3;
    return corner ? centre[k % 3] + random_between(random, -0.7f, 0.7f) : random_between(random, 0.3f, 0.75f);
}

static void draw_shapes(unsigned set, struct random *random)
{
    need(abut_columns_new(SHAPES, fields[set], members[set], NULL) == ABUT_OK, "out of memory");
    const float side = (float)(100 * cbrt(SHAPES * 1e-6));
    for (size_t i = 0; i < SHAPES; i++) {
        float centre[3];
        for (unsigned k = 0; k < 3; k++)
            centre[k] = random_between(random, 0, side);
        for (unsigned k = 0; k < fields[set]; k++)
            members[set][k][i] = draw_member(set, k, centre, random);
        if (set == OBBS) {
            float quaternion[4], *at[4], *axes[9];
            for (unsigned k = 0; k < 4; k++) {
                quaternion[k] = random_between(random, -1, 1);
                at[k] = &quaternion[k];
            }
            for (unsigned k = 0; k < 9; k++)
                axes[k] = &members[set][6 + k][i];
            need(abut_obbs_axes_from_quaternions(1, at, axes) == ABUT_OK, "axes");
        }
    }
}

/* Sums the hash over blocks of pairs, in any order. */
static bool add_hash(void *hash, const struct abut_pair *pairs, size_t n)
{
    *(uint64_t *)hash += large_hash(pairs, n);
    return true;
}

static uint64_t pairs_of(struct abut_set items, struct abut_set queries, bool self)
{
    struct abut_index *index;
    uint64_t hash = 0;
    need(abut_index_new(items, NULL, NULL, &index) == ABUT_OK, "build");
    need((self ? abut_self_join_blocks(index, NULL, add_hash, &hash)
               : abut_join_blocks(index, queries, NULL, add_hash, &hash)) == ABUT_OK,
         "join");
    abut_index_free(index);
    return hash;
}

static double search(struct abut_set items, struct abut_set queries, bool self, struct abut_workspace *workspace,
                     uint64_t *count)
{
    struct abut_index *index;
    const struct abut_options options = {.workspace = workspace};
    need(abut_index_new(items, &options, NULL, &index) == ABUT_OK, "build");
    const double start = now();
    need((self ? abut_self_join(index, &options, NULL, 0, count)
               : abut_join(index, queries, &options, NULL, 0, count)) == ABUT_OK,
         "join");
    const double took = now() - start;
    abut_index_free(index);
    return took;
}

static void print_search(const char *name, struct abut_set items, struct abut_set queries, bool self,
                         unsigned repetitions)
{
    double took[MOST_ISAS][MOST_SEARCHES];
    uint64_t count = 0, first = 0, hash = 0;
    struct abut_workspace *workspace;
    for (unsigned i = 0; abut_isas()[i]; i++) {
        need(abut_use_isa(abut_isas()[i]) == ABUT_OK, "instruction set");
        const uint64_t found = pairs_of(items, queries, self);
        hash = i == 0 ? found : hash;
        need(found == hash, "an instruction set finds other pairs than another");
    }
    need(abut_workspace_new(NULL, &workspace) == ABUT_OK, "workspace");
    for (unsigned r = 0; r < repetitions; r++)
        for (unsigned i = 0; abut_isas()[i]; i++) {
            need(abut_use_isa(abut_isas()[i]) == ABUT_OK, "instruction set");
            took[i][r] = search(items, queries, self, workspace, &count);
            first = r + i == 0 ? count : first;
            need(count > 0 && count == first, "a search finds other pairs than the one before");
        }
    printf("  %-26s %8llu", name, (unsigned long long)count);
    for (unsigned i = 0; abut_isas()[i]; i++)
        printf(" %8.2f", median(took[i], repetitions));
    printf("\n");
    abut_workspace_free(workspace);
}

void print_shapes(unsigned repetitions)
{
    struct random random = {0x5E01};
    for (unsigned set = 0; set < SETS; set++)
        draw_shapes(set, &random);
#define M(set, k) members[set][k]
    const struct abut_points points = {SHAPES, M(POINTS, 0), M(POINTS, 1), M(POINTS, 2)};
    const struct abut_spheres spheres = {SHAPES, M(SPHERES, 0), M(SPHERES, 1), M(SPHERES, 2), M(SPHERES, 3)};
    const struct abut_aabbs aabbs = {SHAPES,      M(AABBS, 0), M(AABBS, 1), M(AABBS, 2),
                                     M(AABBS, 3), M(AABBS, 4), M(AABBS, 5)};
    const struct abut_obbs obbs = {SHAPES,      M(OBBS, 0),  M(OBBS, 1),  M(OBBS, 2), M(OBBS, 3), M(OBBS, 4),
                                   M(OBBS, 5),  M(OBBS, 6),  M(OBBS, 7),  M(OBBS, 8), M(OBBS, 9), M(OBBS, 10),
                                   M(OBBS, 11), M(OBBS, 12), M(OBBS, 13), M(OBBS, 14)};
    const struct abut_segments segments = {SHAPES,         M(SEGMENTS, 0), M(SEGMENTS, 1), M(SEGMENTS, 2),
                                           M(SEGMENTS, 3), M(SEGMENTS, 4), M(SEGMENTS, 5)};
    const struct abut_capsules capsules = {SHAPES,         M(CAPSULES, 0), M(CAPSULES, 1), M(CAPSULES, 2),
                                           M(CAPSULES, 3), M(CAPSULES, 4), M(CAPSULES, 5), M(CAPSULES, 6)};
    const struct abut_triangles triangles = {SHAPES,          M(TRIANGLES, 0), M(TRIANGLES, 1), M(TRIANGLES, 2),
                                             M(TRIANGLES, 3), M(TRIANGLES, 4), M(TRIANGLES, 5), M(TRIANGLES, 6),
                                             M(TRIANGLES, 7), M(TRIANGLES, 8)};
#undef M
    const struct abut_set sets[SETS] = {
        abut_of_points(&points),     abut_of_spheres(&spheres),   abut_of_aabbs(&aabbs),        abut_of_obbs(&obbs),
        abut_of_segments(&segments), abut_of_capsules(&capsules), abut_of_triangles(&triangles)};
    printf("%d of each, searched for among as many; ms\n  %-26s %8s", SHAPES, "", "pairs");
    for (unsigned i = 0; abut_isas()[i]; i++)
        printf(" %8s", abut_isas()[i]);
    printf("\n");
    print_search("spheres themselves", sets[SPHERES], sets[SPHERES], true, repetitions);
    print_search("AABBs themselves", sets[AABBS], sets[AABBS], true, repetitions);
    for (unsigned set = 0; set < SETS; set++)
        if (set != SPHERES) {
            char name[32];
            snprintf(name, sizeof name, "spheres among %s", names[set]);
            print_search(name, sets[set], sets[SPHERES], false, repetitions);
            snprintf(name, sizeof name, "%s among spheres", names[set]);
            print_search(name, sets[SPHERES], sets[set], false, repetitions);
        }
    for (unsigned set = 0; set < SETS; set++)
        abut_columns_free(members[set], NULL);
}
