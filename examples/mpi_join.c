/* SPDX-License-Identifier: MIT */
/*
 * A join of two sets that are spread over the ranks of an MPI program: which spheres touch which boxes, each pair once.
 * Space is cut into slabs along x, one a rank. A shape goes to every slab that its AABB meets, rounded outwards; each
 * rank joins what it received, and reports the pairs that its slab owns (Tiles in abut/index.h).
 *
 * usage: mpirun -n 3 mpi_join [SHAPES]
 */
#include <abut/index.h>
#include <abut/shapes.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 4096, MOST_FIELDS = 6 };
static const float side = 100;
static int rank, ranks;

/* Spheres (four fields) or boxes (six) as columns, and the number of each in the whole set. */
struct shapes {
    int fields;
    size_t n;
    float *at[MOST_FIELDS];
    float *box[6]; /* AABBs, rounded outwards */
    uint64_t *ids;
};

/* A set of either shape; the batches live as long as it. */
struct any {
    struct abut_spheres spheres;
    struct abut_aabbs boxes;
};

static struct abut_set set_of(const struct shapes *s, struct any *any)
{
    float *const *at = s->at;
    any->spheres = (struct abut_spheres){s->n, at[0], at[1], at[2], at[3]};
    any->boxes = (struct abut_aabbs){s->n, at[0], at[1], at[2], at[3], at[4], at[5]};
    return s->fields == 4 ? abut_of_spheres(&any->spheres) : abut_of_aabbs(&any->boxes);
}

/* Ends the program on all ranks if something is not as it must be. */
static void must(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "mpi_join: rank %d: %s\n", rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static struct shapes shapes_new(int fields, size_t n)
{
    struct shapes s = {.fields = fields, .n = n, .ids = malloc((n + 1) * sizeof *s.ids)};
    must(abut_columns_new(n, (unsigned)fields, s.at, NULL) == ABUT_OK, "out of memory");
    must(abut_columns_new(n, 6, s.box, NULL) == ABUT_OK && s.ids, "out of memory");
    return s;
}

static void shapes_free(struct shapes *s)
{
    abut_columns_free(s->at, NULL);
    abut_columns_free(s->box, NULL);
    free(s->ids);
}

static void set_boxes(struct shapes *s)
{
    struct any any;
    must(abut_aabbs_of(set_of(s, &any), s->box) == ABUT_OK, "no boxes");
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Field k of shape id, the same on any number of ranks. */
static float number(uint64_t id, int k, float low, float high)
{
    return low + (high - low) * ((float)(mix(id * 16 + (uint64_t)k) >> 40) * 0x1p-24f);
}

/* This rank's share of the set, which a simulation has anyway. One sphere reaches many slabs, one box all. */
static struct shapes make(int fields, uint64_t all)
{
    const uint64_t first = all * (uint64_t)rank / (uint64_t)ranks, end = all * (uint64_t)(rank + 1) / (uint64_t)ranks;
    struct shapes s = shapes_new(fields, (size_t)(end - first));
    for (size_t i = 0; i < s.n; i++) {
        const uint64_t id = s.ids[i] = first + i, seed = 2 * id + (fields == 6);
        for (int k = 0; k < 3; k++) {
            s.at[k][i] = number(seed, k, 0, side);
            if (fields == 6)
                s.at[k + 3][i] = id == 1 ? INFINITY : s.at[k][i] + number(seed, k + 3, 0.2f, 1);
        }
        if (fields == 4)
            s.at[3][i] = id == 0 ? side / 3 : number(seed, 3, 0.2f, 0.6f);
    }
    set_boxes(&s);
    return s;
}

/* Cuts along x at equal load, by a histogram of lower bounds over all ranks: cut[0] = -inf, cut[ranks] = +inf. */
static void plan(const struct shapes *a, const struct shapes *b, float *cut)
{
    uint64_t count[BINS] = {0}, all = 0, seen = 0;
    const struct shapes *sets[] = {a, b};
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < sets[s]->n; i++) {
            const float x = sets[s]->box[0][i] / side * BINS;
            count[x > 0 ? x < BINS ? (int)x : BINS - 1 : 0]++;
        }
    MPI_Allreduce(MPI_IN_PLACE, count, BINS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (int k = 0; k < BINS; k++)
        all += count[k];
    cut[0] = -INFINITY;
    for (int k = 0, r = 1; r < ranks; r++) {
        while (k < BINS && seen < all * (uint64_t)r / (uint64_t)ranks)
            seen += count[k++];
        cut[r] = side * (float)k / BINS;
    }
    cut[ranks] = INFINITY;
}

/* Whether the box of shape i meets slab r, which is half open. */
static int meets(const struct shapes *s, size_t i, const float *cut, int r)
{
    return s->box[3][i] >= cut[r] && s->box[0][i] < cut[r + 1];
}

/* Sends each shape to the ranks whose slabs it meets. */
static struct shapes exchange(const struct shapes *s, const float *cut)
{
    int *out = calloc((size_t)ranks * 4, sizeof *out), *in = out + ranks, *out_at = in + ranks, *in_at = out_at + ranks;
    int sent = 0, received = 0;
    must(out != NULL, "out of memory");
    for (int r = 0; r < ranks; r++) {
        out_at[r] = sent;
        for (size_t i = 0; i < s->n; i++)
            out[r] += meets(s, i, cut, r);
        sent += out[r];
    }
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < ranks; r++) {
        in_at[r] = received;
        received += in[r];
    }
    struct shapes got = shapes_new(s->fields, (size_t)received);
    uint64_t *ids = malloc(((size_t)sent + 1) * sizeof *ids);
    float *column = malloc(((size_t)sent + 1) * sizeof *column);
    must(ids && column, "out of memory");
    for (int k = -1; k < s->fields; k++) {
        size_t to = 0;
        for (int r = 0; r < ranks; r++)
            for (size_t i = 0; i < s->n; i++)
                if (meets(s, i, cut, r)) {
                    ids[to] = s->ids[i];
                    column[to++] = k < 0 ? 0 : s->at[k][i];
                }
        if (k < 0)
            MPI_Alltoallv(ids, out, out_at, MPI_UINT64_T, got.ids, in, in_at, MPI_UINT64_T, MPI_COMM_WORLD);
        else
            MPI_Alltoallv(column, out, out_at, MPI_FLOAT, got.at[k], in, in_at, MPI_FLOAT, MPI_COMM_WORLD);
    }
    free(column);
    free(ids);
    free(out);
    set_boxes(&got);
    return got;
}

/* The number of pairs, and a hash of the set that does not depend on their order or on the rank that found them. */
struct total {
    const struct shapes *a, *b;
    uint64_t sums[2];
};

static bool add(void *context, const struct abut_pair *pairs, size_t n)
{
    struct total *total = context;
    total->sums[0] += n;
    for (size_t i = 0; i < n; i++)
        total->sums[1] += mix(total->a->ids[pairs[i].a] * 0x9e3779b97f4a7c15u ^ mix(total->b->ids[pairs[i].b]));
    return true;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const uint64_t all = strtoull(argc > 1 ? argv[1] : "100000", NULL, 10);
    float *cut = malloc(((size_t)ranks + 1) * sizeof *cut);
    struct shapes mine_a = make(4, all), mine_b = make(6, all);
    plan(&mine_a, &mine_b, cut);
    struct shapes a = exchange(&mine_a, cut), b = exchange(&mine_b, cut);
    const struct abut_own own = {{cut[rank], -INFINITY, -INFINITY}, {cut[rank + 1], INFINITY, INFINITY}};
    const struct abut_options options = {.own = &own};
    struct any items, queries;
    struct total total = {&a, &b, {0, 0}};
    struct abut_index *index;
    must(abut_index_new(set_of(&b, &items), NULL, NULL, &index) == ABUT_OK, "no index");
    must(abut_join_blocks(index, set_of(&a, &queries), &options, add, &total) == ABUT_OK, "no join");
    uint64_t copies = a.n + b.n;
    MPI_Allreduce(MPI_IN_PLACE, total.sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%llu pairs, digest %016llx\n", (unsigned long long)total.sums[0], (unsigned long long)total.sums[1]);
        fprintf(stderr, "%d ranks, %.3f copies a shape\n", ranks, (double)copies / (double)(2 * all));
    }
    abut_index_free(index);
    shapes_free(&a);
    shapes_free(&b);
    shapes_free(&mine_a);
    shapes_free(&mine_b);
    free(cut);
    MPI_Finalize();
    return 0;
}
