/* SPDX-License-Identifier: MIT */
/*
 * Times searches between spheres and each other shape, both ways, and self joins of each shape but points and segments, all spread
 * evenly. Every pair of shapes has its own filter, so a slow search of one does not show in another. OBBs are also
 * joined by hand: AABBs around them, a join of these, and a test of the pairs that it finds. Then come a mesh, whose
 * neighbours share vertices, and long segments among small triangles.
 */
#include "shapes.h"

#include "cli/random.h"
#include "large.h"
#include "measure.h"

#include <abut/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHAPES = 200000,
    GRID = 100,
    MESH = 2 * GRID * GRID,
    LONG = 200,
    FIELDS = 15,
    MOST_SEARCHES = 64,
    MOST_ISAS = 8
};

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

/* A hilly surface over a grid of squares, two triangles each. */
static void draw_mesh(float *columns[9], struct random *random)
{
    static float height[GRID + 1][GRID + 1];
    static const unsigned corner[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
    for (unsigned i = 0; i <= GRID; i++)
        for (unsigned j = 0; j <= GRID; j++)
            height[i][j] = 3 * sinf(0.13f * (float)i) * cosf(0.11f * (float)j) + random_between(random, 0, 0.2f);
    for (unsigned t = 0; t < MESH; t++)
        for (unsigned k = 0; k < 3; k++) {
            const unsigned i = t / 2 / GRID + corner[t % 2][k][0], j = t / 2 % GRID + corner[t % 2][k][1];
            columns[3 * k][t] = (float)i;
            columns[3 * k + 1][t] = (float)j;
            columns[3 * k + 2][t] = height[i][j];
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

static double search(struct abut_set items, struct abut_set queries, bool self, const struct abut_options *options,
                     uint64_t *count)
{
    struct abut_index *index;
    need(abut_index_new(items, options, NULL, &index) == ABUT_OK, "build");
    const double start = now();
    need((self ? abut_self_join(index, options, NULL, 0, count) : abut_join(index, queries, options, NULL, 0, count)) ==
             ABUT_OK,
         "join");
    const double took = now() - start;
    abut_index_free(index);
    return took;
}

/* The self join of a set by what a caller has without an index of its shape. The build of the boxes' index is left out. */
static double join_by_hand(struct abut_set items, const struct abut_options *options, uint64_t *count)
{
    static float *box[6];
    static struct abut_pair *pairs;
    static uint64_t *hits;
    const size_t most = 40 * (size_t)SHAPES;
    uint64_t meeting;
    struct abut_index *index;
    if (pairs == NULL) {
        need(abut_columns_new(SHAPES, 6, box, NULL) == ABUT_OK, "out of memory");
        pairs = malloc(most * sizeof *pairs);
        hits = malloc(abut_mask_words(most) * sizeof *hits);
        need(pairs && hits, "out of memory");
    }
    double start = now();
    need(abut_aabbs_of(items, box) == ABUT_OK, "boxes");
    double took = now() - start;
    const struct abut_aabbs boxes = {SHAPES, box[0], box[1], box[2], box[3], box[4], box[5]};
    need(abut_index_new(abut_of_aabbs(&boxes), options, NULL, &index) == ABUT_OK, "build");
    start = now();
    need(abut_self_join(index, options, pairs, most, &meeting) == ABUT_OK && meeting <= most, "join");
    need(abut_test_pairs(ABUT_TOUCHES, items, items, pairs, (size_t)meeting, options, hits) == ABUT_OK, "test");
    *count = abut_mask_count(hits, (size_t)meeting);
    took += now() - start;
    abut_index_free(index);
    return took;
}

enum way { SEARCH, SELF, BY_HAND };

static void print_search(const char *name, struct abut_set items, struct abut_set queries, enum way way,
                         unsigned repetitions)
{
    double took[MOST_ISAS][MOST_SEARCHES];
    uint64_t count = 0, first = 0, hash = 0;
    struct abut_workspace *workspace;
    for (unsigned i = 0; abut_isas()[i]; i++) {
        need(abut_use_isa(abut_isas()[i]) == ABUT_OK, "instruction set");
        const uint64_t found = pairs_of(items, queries, way != SEARCH);
        hash = i == 0 ? found : hash;
        need(found == hash, "an instruction set finds other pairs than another");
    }
    need(abut_workspace_new(NULL, &workspace) == ABUT_OK, "workspace");
    for (unsigned r = 0; r < repetitions; r++)
        for (unsigned i = 0; abut_isas()[i]; i++) {
            need(abut_use_isa(abut_isas()[i]) == ABUT_OK, "instruction set");
            const struct abut_options options = {.workspace = workspace};
            took[i][r] = way == BY_HAND ? join_by_hand(items, &options, &count)
                                        : search(items, queries, way == SELF, &options, &count);
            first = r + i == 0 ? count : first;
            need(count > 0 && count == first, "a search finds other pairs than the one before");
        }
    printf("  %-26s %8llu", name, (unsigned long long)count);
    for (unsigned i = 0; abut_isas()[i]; i++)
        printf(" %8.2f", median(took[i], repetitions));
    printf("\n");
    abut_workspace_free(workspace);
}

static void print_mesh(struct random *random, unsigned repetitions)
{
    float *c[9];
    need(abut_columns_new(MESH, 9, c, NULL) == ABUT_OK, "out of memory");
    draw_mesh(c, random);
    const struct abut_triangles triangles = {MESH, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8]};
    const struct abut_set set = abut_of_triangles(&triangles);
    print_search("a mesh of 20,000 itself", set, set, SELF, repetitions);
    abut_columns_free(c, NULL);
}

static void print_long(struct abut_set triangles, struct random *random, unsigned repetitions)
{
    float ends[6][LONG];
    const float side = (float)(100 * cbrt(SHAPES * 1e-6));
    for (unsigned i = 0; i < LONG; i++)
        for (unsigned k = 0; k < 6; k++)
            ends[k][i] = random_between(random, 0, side);
    const struct abut_segments segments = {LONG, ends[0], ends[1], ends[2], ends[3], ends[4], ends[5]};
    print_search("200 long among triangles", triangles, abut_of_segments(&segments), SEARCH, repetitions);
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
    for (unsigned set = SPHERES; set < SETS; set++) {
        char name[32];
        snprintf(name, sizeof name, "%s themselves", names[set]);
        if (set != SEGMENTS) /* no two of them touch */
            print_search(name, sets[set], sets[set], SELF, repetitions);
    }
    print_search("OBBs by hand", sets[OBBS], sets[OBBS], BY_HAND, repetitions);
    print_search("triangles by hand", sets[TRIANGLES], sets[TRIANGLES], BY_HAND, repetitions);
    print_mesh(&random, repetitions);
    print_long(sets[TRIANGLES], &random, repetitions);
    for (unsigned set = 0; set < SETS; set++)
        if (set != SPHERES) {
            char name[32];
            snprintf(name, sizeof name, "spheres among %s", names[set]);
            print_search(name, sets[set], sets[SPHERES], SEARCH, repetitions);
            snprintf(name, sizeof name, "%s among spheres", names[set]);
            print_search(name, sets[SPHERES], sets[set], SEARCH, repetitions);
        }
    for (unsigned set = 0; set < SETS; set++)
        abut_columns_free(members[set], NULL);
}
