/* SPDX-License-Identifier: MIT */
/*
 * Joins of many spheres with as many boxes (W5u: evenly spread; W5c: on shells, of sizes by a power law): an index is built and
 * searched for all pairs. What was found is checked before any time is printed. Configurations take turns; times are medians.
 */
#include "pool.h"

#include <abut/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SHELLS = 64, MOST_REPETITIONS = 64, MOST_RUNS = 64, MOST_SIZES = 16, USUAL = 1000000 };

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

static float *sphere[4], *box[6];
static struct abut_spheres spheres;
static struct abut_aabbs boxes;

static void fill_even(size_t n)
{
    uint64_t a = 0x5A01, b = 0x5B01;
    const float side = n == USUAL ? 100 : (float)(100 * cbrt((double)n / USUAL));
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

static void fill_clustered(size_t n)
{
    double shells[SHELLS][4], at[3];
    uint64_t state = 0x5C01, a = 0x5A02, b = 0x5B02;
    for (unsigned i = 0; i < SHELLS; i++) {
        for (unsigned k = 0; k < 3; k++)
            shells[i][k] = 100 * (double)draw(&state);
        const double u = (double)draw(&state);
        shells[i][3] = 2 + 18 * u * u;
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

static const struct workload {
    const char *name;
    void (*fill)(size_t n);
    uint64_t pairs, hash; /* of a million */
} workloads[] = {{"W5u", fill_even, 8120888, UINT64_C(0x2c5fde578f48074f)},
                 {"W5c", fill_clustered, 8580647, UINT64_C(0xbb04679ee81de707)}};

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void need(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "abut_bench_join: %s\n", what);
        exit(1);
    }
}

/* ---- One configuration, and what it takes in milliseconds */

enum stage { STAGE_BUILD, STAGE_JOIN, STAGE_ROWS, STAGE_SELF, STAGE_REFIT, STAGES };
static const char *const stage_names[STAGES] = {"build", "pairs", "rows", "self", "refit"};

struct run {
    const char *isa;
    struct pool *pool;
    struct abut_threads threads;
    struct abut_workspace *workspace; /* kept between repetitions, unless each is to be cold */
    double took[STAGES][MOST_REPETITIONS];
    bool cold;
};

/* The results of all runs, and room that is theirs when warm. */
struct found {
    uint64_t count, self_count, hash;
    struct abut_pair *pairs;
    uint64_t *offsets;
    uint32_t *indices;
    size_t capacity;
};

static void make_room(struct found *found)
{
    found->pairs = malloc((found->capacity + 1) * sizeof *found->pairs);
    found->indices = malloc((found->capacity + 1) * sizeof *found->indices);
    found->offsets = malloc((spheres.n + 1) * sizeof *found->offsets);
    need(found->pairs && found->indices && found->offsets, "out of memory");
}

static void free_room(struct found *found)
{
    free(found->pairs);
    free(found->indices);
    free(found->offsets);
}

static void run_once(struct run *run, struct found *found, unsigned repetition)
{
    struct abut_index *index;
    struct abut_settings settings = {.workspace = run->workspace, .threads = run->pool ? &run->threads : NULL};
    uint64_t count = 0, self_count = 0;
    double mark[STAGES + 1];
    struct found fresh = {.capacity = found->capacity};
    need(abut_use_isa(run->isa) == ABUT_OK, "instruction set");
    if (run->cold)
        make_room(&fresh);
    struct found *room = run->cold ? &fresh : found;
    mark[0] = now();
    if (run->cold)
        need(abut_workspace_new(NULL, &settings.workspace) == ABUT_OK, "workspace");
    need(abut_index_new(abut_of_aabbs(&boxes), &settings, NULL, &index) == ABUT_OK, "build");
    mark[1] = now();
    need(abut_join(index, abut_of_spheres(&spheres), &settings, room->pairs, room->capacity, &count) == ABUT_OK,
         "join");
    mark[2] = now();
    need(abut_join_rows(index, abut_of_spheres(&spheres), &settings, room->offsets, room->indices, room->capacity) ==
             ABUT_OK,
         "rows");
    mark[3] = now();
    need(abut_self_join(index, &settings, NULL, 0, &self_count) == ABUT_OK, "self join");
    mark[4] = now();
    need(abut_index_refit(index, abut_of_aabbs(&boxes), &settings, NULL, NULL) == ABUT_OK, "refit");
    mark[5] = now();
    for (unsigned s = 0; s < STAGES; s++)
        run->took[s][repetition] = mark[s + 1] - mark[s];
    uint64_t hash = 0;
    for (uint64_t i = 0; i < count; i++)
        hash += finaliser(((uint64_t)room->pairs[i].a << 32 | room->pairs[i].b) + UINT64_C(0x9E3779B97F4A7C15));
    need(count == found->count && hash == found->hash && room->offsets[spheres.n] == count &&
             self_count == found->self_count,
         "other pairs than expected");
    abut_index_free(index);
    if (run->cold) {
        abut_workspace_free(settings.workspace);
        free_room(&fresh);
    }
}

/* The number of pairs and their hash, by the scalar kernels on one thread. */
static void find_right(struct found *found)
{
    struct abut_index *index;
    need(abut_use_isa("scalar") == ABUT_OK, "scalar");
    need(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) == ABUT_OK, "build");
    need(abut_join(index, abut_of_spheres(&spheres), NULL, NULL, 0, &found->count) == ABUT_OK, "join");
    need(abut_self_join(index, NULL, NULL, 0, &found->self_count) == ABUT_OK, "self join");
    found->capacity = (size_t)found->count;
    make_room(found);
    need(abut_join(index, abut_of_spheres(&spheres), NULL, found->pairs, found->capacity, &found->count) == ABUT_OK,
         "join");
    for (uint64_t i = 0; i < found->count; i++)
        found->hash +=
            finaliser(((uint64_t)found->pairs[i].a << 32 | found->pairs[i].b) + UINT64_C(0x9E3779B97F4A7C15));
    abut_index_free(index);
}

static int by_number(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, unsigned n)
{
    qsort(values, n, sizeof *values, by_number);
    return values[n / 2];
}

static void print_run(struct run *run, const struct run *first, unsigned repetitions)
{
    double took[STAGES], total = 0, first_total = 0;
    printf("  %-7s %7u %s", run->isa, run->pool ? run->threads.count : 1, run->cold ? "cold" : "warm");
    for (unsigned s = 0; s < STAGES; s++) {
        took[s] = median(run->took[s], repetitions);
        printf(" %9.2f", took[s]);
    }
    total = took[STAGE_BUILD] + took[STAGE_JOIN];
    for (unsigned s = 0; s <= STAGE_JOIN; s++)
        first_total += first == run ? took[s] : first->took[s][repetitions / 2];
    printf(" %9.2f %6.2f\n", total, first_total / total);
}

struct plan {
    size_t sizes[MOST_SIZES];
    unsigned sizes_n, repetitions, threads;
    const char *isa; /* NULL: all */
};

/* Every instruction set warm, the best one cold, and with ever more threads. */
static unsigned plan_runs(const struct plan *plan, struct run runs[MOST_RUNS])
{
    unsigned n = 0;
    const char *best = plan->isa ? plan->isa : abut_isas()[0];
    runs[n++] = (struct run){.isa = best};
    runs[n++] = (struct run){.isa = best, .cold = true};
    for (unsigned threads = 2; threads <= plan->threads;
         threads = threads < plan->threads && 2 * threads > plan->threads ? plan->threads : 2 * threads) {
        runs[n] = (struct run){.isa = best, .pool = pool_new(threads)};
        need(runs[n].pool != NULL, "threads");
        runs[n].threads = pool_threads(runs[n].pool);
        n++;
    }
    for (const char *const *isa = abut_isas(); *isa && !plan->isa; isa++)
        if (strcmp(*isa, best) != 0)
            runs[n++] = (struct run){.isa = *isa};
    for (unsigned i = 0; i < n; i++)
        need(runs[i].cold || abut_workspace_new(NULL, &runs[i].workspace) == ABUT_OK, "workspace");
    return n;
}

static void measure(const struct workload *workload, size_t n, const struct plan *plan)
{
    struct run runs[MOST_RUNS];
    struct found found = {0};
    spheres.n = boxes.n = n;
    workload->fill(n);
    find_right(&found);
    if (n == USUAL)
        need(found.count == workload->pairs && found.hash == workload->hash, "this is not the workload");
    const unsigned count = plan_runs(plan, runs);
    for (unsigned r = 0; r < plan->repetitions; r++)
        for (unsigned i = 0; i < count; i++)
            run_once(&runs[i], &found, r);
    printf("%s, %zu spheres and boxes, %llu pairs, hash %016llx; ms\n  set     threads     ", workload->name, n,
           (unsigned long long)found.count, (unsigned long long)found.hash);
    for (unsigned s = 0; s < STAGES; s++)
        printf(" %9s", stage_names[s]);
    printf(" %9s %6s\n", "total", "speed");
    for (unsigned i = 0; i < count; i++) {
        print_run(&runs[i], &runs[0], plan->repetitions);
        abut_workspace_free(runs[i].workspace);
        pool_free(runs[i].pool);
    }
    free_room(&found);
}

/* From which number of rows an index pays for one thread: building and searching it against all with all. */
static void print_crossover(unsigned repetitions)
{
    struct abut_workspace *workspace;
    need(abut_workspace_new(NULL, &workspace) == ABUT_OK, "workspace");
    printf("spheres and boxes, by index and all with all; microseconds\n");
    for (size_t n = 64; n <= 8192; n *= 2) {
        double by_index[MOST_REPETITIONS], by_all[MOST_REPETITIONS];
        const struct abut_settings settings = {.workspace = workspace};
        spheres.n = boxes.n = n;
        fill_even(n);
        const size_t words = abut_mask_words(n), capacity = 64 * n;
        uint64_t *hits = malloc(n * words * sizeof *hits), *offsets = malloc((n + 1) * sizeof *offsets);
        uint32_t *indices = malloc(capacity * sizeof *indices);
        need(hits && offsets && indices, "out of memory");
        for (unsigned r = 0; r < repetitions; r++) {
            struct abut_index *index;
            const double start = now();
            need(abut_index_new(abut_of_aabbs(&boxes), &settings, NULL, &index) == ABUT_OK &&
                     abut_join_rows(index, abut_of_spheres(&spheres), &settings, offsets, indices, capacity) == ABUT_OK,
                 "join");
            const double middle = now();
            size_t found = 0;
            need(abut_spheres_aabbs_all(&spheres, &boxes, ABUT_CLOSED, NULL, hits) == ABUT_OK, "all");
            for (size_t i = 0; i < n; i++)
                found += abut_mask_list(hits + i * words, n, indices, capacity);
            by_all[r] = now() - middle;
            by_index[r] = middle - start;
            need(found == offsets[n], "other pairs than expected");
            abut_index_free(index);
        }
        printf("  %6zu %10.1f %10.1f\n", n, 1e3 * median(by_index, repetitions), 1e3 * median(by_all, repetitions));
        free(hits);
        free(offsets);
        free(indices);
    }
    abut_workspace_free(workspace);
}

static void read_sizes(struct plan *plan, const char *text)
{
    char *end;
    plan->sizes_n = 0;
    do {
        need(plan->sizes_n < MOST_SIZES, "too many sizes");
        plan->sizes[plan->sizes_n] = strtoul(text, &end, 10);
        need(end > text && plan->sizes[plan->sizes_n] > 0, "sizes are numbers above 0 with commas between them");
        plan->sizes_n++;
        text = end + 1;
    } while (*end == ',');
}

int main(int argc, char **argv)
{
    struct plan plan = {{1000, 10000, 100000, USUAL}, 4, 7, 0, NULL};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    plan.threads = cores < 1 ? 1 : cores > 256 ? 256 : (unsigned)cores;
    bool crossover = false;
    for (int i = 1; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        if (strncmp(argv[i], "--sizes=", 8) == 0)
            read_sizes(&plan, value + 1);
        else if (strncmp(argv[i], "--repetitions=", 14) == 0)
            plan.repetitions = (unsigned)strtoul(value + 1, NULL, 10);
        else if (strncmp(argv[i], "--isa=", 6) == 0)
            plan.isa = value + 1;
        else if (strncmp(argv[i], "--threads=", 10) == 0)
            plan.threads = (unsigned)strtoul(value + 1, NULL, 10);
        else if (strcmp(argv[i], "--crossover") == 0)
            crossover = true;
        else
            need(false, "usage: [--sizes=N,N...] [--repetitions=N] [--isa=NAME] [--threads=N] [--crossover]");
    }
    need(plan.repetitions >= 1 && plan.repetitions <= MOST_REPETITIONS && plan.threads <= 256,
         "1 to 64 repetitions, at most 256 threads");
    size_t most = crossover ? 8192 : 1;
    for (unsigned i = 0; i < plan.sizes_n; i++)
        most = plan.sizes[i] > most ? plan.sizes[i] : most;
    need(abut_columns_new(most, 4, sphere, NULL) == ABUT_OK && abut_columns_new(most, 6, box, NULL) == ABUT_OK,
         "out of memory");
    spheres = (struct abut_spheres){most, sphere[0], sphere[1], sphere[2], sphere[3]};
    boxes = (struct abut_aabbs){most, box[0], box[1], box[2], box[3], box[4], box[5]};
    if (crossover)
        print_crossover(plan.repetitions);
    for (unsigned w = 0; w < sizeof workloads / sizeof *workloads && !crossover; w++)
        for (unsigned i = 0; i < plan.sizes_n; i++)
            measure(&workloads[w], plan.sizes[i], &plan);
    abut_columns_free(sphere, NULL);
    abut_columns_free(box, NULL);
    return 0;
}
