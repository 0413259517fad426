/* SPDX-License-Identifier: MIT */
/*
 * Times joins of many spheres with as many boxes (join_uniform and join_clustered): builds an index and searches it for
 * all pairs. Results are checked before any time is printed. Configurations are interleaved; times are medians.
 */
#include "large.h"
#include "measure.h"
#include "moving.h"
#include "pool.h"
#include "shapes.h"
#include "util/allocator.h"

#include <abut/index.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPETITIONS = 64, MOST_RUNS = 64, MOST_SIZES = 16, MOST_THREADS = 256 };

static float *sphere[4], *box[6];
static struct abut_spheres spheres;
static struct abut_aabbs boxes;

/* ---- One configuration, and its times in milliseconds */

enum stage { STAGE_BUILD, STAGE_JOIN, STAGE_ROWS, STAGE_UNSORTED, STAGE_SELF, STAGE_REFIT, STAGES };
static const char *const stage_names[STAGES] = {"build", "pairs", "rows", "unsorted", "self", "refit"};

struct run {
    const char *isa;
    struct pool *pool;
    struct abut_threads threads;
    struct abut_workspace *workspace; /* kept between repetitions; NULL in cold runs */
    double took[STAGES][MOST_REPETITIONS];
    double alone[MOST_REPETITIONS]; /* speedup of its threads over one at arithmetic alone */
    bool cold;
};

/* An allocator that reuses the memory of the last index: warm runs find its pages mapped. One index at a time. */
struct kept {
    void *memory;
    size_t size;
};

static void *keep_allocate(void *context, size_t size)
{
    const struct abut_allocator usual = abut_allocator_or_malloc(NULL);
    struct kept *kept = context;
    if (size > kept->size) {
        usual.release(usual.context, kept->memory);
        kept->memory = usual.allocate(usual.context, size);
        kept->size = kept->memory ? size : 0;
    }
    return kept->memory;
}

static void keep_release(void *context, void *memory)
{
    (void)context, (void)memory;
}

static struct kept kept;
static const struct abut_allocator keep = {keep_allocate, keep_release, &kept};

/* The right results, and the output arrays of warm runs. */
struct found {
    uint64_t count, self_count, hash;
    struct abut_pair *pairs;
    uint64_t *offsets;
    uint32_t *rows, *indices;
    size_t capacity;
};

static void make_lists(struct found *found)
{
    found->pairs = malloc((found->capacity + 1) * sizeof *found->pairs);
    found->indices = malloc((found->capacity + 1) * sizeof *found->indices);
    found->offsets = malloc((spheres.n + 1) * sizeof *found->offsets);
    found->rows = malloc((spheres.n + 1) * sizeof *found->rows);
    need(found->pairs && found->indices && found->offsets && found->rows, "out of memory");
}

static void free_lists(struct found *found)
{
    free(found->pairs);
    free(found->indices);
    free(found->offsets);
    free(found->rows);
}

/* Enough independent chains of products and sums in registers to keep all units of a processor busy. */
static void compute(void *work, unsigned part)
{
    enum { CHAINS = 48, ROUNDS = 1 << 20 };
    float sums[CHAINS] = {0};
    for (unsigned i = 0; i < ROUNDS; i++)
        for (unsigned k = 0; k < CHAINS; k++)
            sums[k] = sums[k] * 0.5f + 1;
    for (unsigned k = 0; k < CHAINS; k++)
        ((float *)work)[part] += sums[k];
}

/* The limit of a join's speedup: virtual processors that share a core do hardly more arithmetic than one. */
static double speed_alone(const struct run *run)
{
    float sums[MOST_THREADS] = {0};
    const unsigned threads = run->pool ? run->threads.count : 1;
    if (threads == 1)
        return 1;
    const double start = now();
    compute(sums, 0);
    const double middle = now();
    run->threads.run(run->threads.context, threads, compute, sums);
    const double end = now();
    for (unsigned i = 1; i < threads; i++)
        need(sums[i] == sums[1], "arithmetic");
    return threads * (middle - start) / (end - middle);
}

static void run_once(struct run *run, struct found *found, unsigned repetition)
{
    struct abut_index *index;
    struct abut_options options = {.allocator = run->cold ? NULL : &keep,
                                   .workspace = run->workspace,
                                   .threads = run->pool ? &run->threads : NULL};
    uint64_t count = 0, self_count = 0;
    double mark[STAGES + 1];
    struct found fresh = {.capacity = found->capacity};
    need(abut_use_isa(run->isa) == ABUT_OK, "instruction set");
    run->alone[repetition] = speed_alone(run);
    if (run->cold)
        make_lists(&fresh);
    struct found *lists = run->cold ? &fresh : found;
    mark[0] = now();
    if (run->cold)
        need(abut_workspace_new(NULL, &options.workspace) == ABUT_OK, "workspace");
    need(abut_index_new(abut_of_aabbs(&boxes), &options, NULL, &index) == ABUT_OK, "build");
    mark[1] = now();
    need(abut_join(index, abut_of_spheres(&spheres), &options, lists->pairs, lists->capacity, &count) == ABUT_OK,
         "join");
    mark[2] = now();
    need(abut_join_rows(index, abut_of_spheres(&spheres), &options, lists->offsets, lists->indices, lists->capacity) ==
             ABUT_OK,
         "rows");
    mark[3] = now();
    need(lists->offsets[spheres.n] == count, "other rows than expected");
    need(abut_join_rows_unsorted(index, abut_of_spheres(&spheres), &options, lists->rows, lists->offsets,
                                 lists->indices, lists->capacity) == ABUT_OK,
         "unsorted rows");
    mark[4] = now();
    need(abut_self_join(index, &options, NULL, 0, &self_count) == ABUT_OK, "self join");
    mark[5] = now();
    need(abut_index_refit(index, abut_of_aabbs(&boxes), &options, NULL, NULL) == ABUT_OK, "refit");
    mark[6] = now();
    for (unsigned s = 0; s < STAGES; s++)
        run->took[s][repetition] = mark[s + 1] - mark[s];
    need(count == found->count && large_hash(lists->pairs, count) == found->hash &&
             lists->offsets[spheres.n] == count && self_count == found->self_count,
         "other pairs than expected");
    abut_index_free(index);
    if (run->cold) {
        abut_workspace_free(options.workspace);
        free_lists(&fresh);
    }
}

/* Finds the number of pairs and their hash with the scalar kernels on one thread. */
static void find_right(struct found *found)
{
    struct abut_index *index;
    need(abut_use_isa("scalar") == ABUT_OK, "scalar");
    need(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) == ABUT_OK, "build");
    need(abut_join(index, abut_of_spheres(&spheres), NULL, NULL, 0, &found->count) == ABUT_OK, "join");
    need(abut_self_join(index, NULL, NULL, 0, &found->self_count) == ABUT_OK, "self join");
    found->capacity = (size_t)found->count;
    make_lists(found);
    need(abut_join(index, abut_of_spheres(&spheres), NULL, found->pairs, found->capacity, &found->count) == ABUT_OK,
         "join");
    found->hash = large_hash(found->pairs, found->count);
    abut_index_free(index);
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
    printf(" %9.2f %6.2f %6.2f\n", total, first_total / total, median(run->alone, repetitions));
}

struct plan {
    size_t sizes[MOST_SIZES];
    unsigned sizes_n, repetitions, threads;
    const char *isa; /* NULL: all */
};

/* The best instruction set warm, cold, and warm with 2, 4, 8 ... threads; then every other one warm. */
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

static void measure(const struct large_sets *sets, size_t n, const struct plan *plan)
{
    struct run runs[MOST_RUNS];
    struct found found = {0};
    spheres.n = boxes.n = n;
    sets->fill(n, sphere, box);
    find_right(&found);
    if (n == LARGE_USUAL)
        need(found.count == sets->pairs && found.hash == sets->hash, "this is not the workload");
    const unsigned count = plan_runs(plan, runs);
    for (unsigned r = 0; r < plan->repetitions; r++)
        for (unsigned i = 0; i < count; i++)
            run_once(&runs[i], &found, r);
    printf("%s, %zu spheres and boxes, %llu pairs, hash %016llx; ms\n  set     threads     ", sets->name, n,
           (unsigned long long)found.count, (unsigned long long)found.hash);
    for (unsigned s = 0; s < STAGES; s++)
        printf(" %9s", stage_names[s]);
    printf(" %9s %6s %6s\n", "total", "speed", "alone");
    for (unsigned i = 0; i < count; i++) {
        print_run(&runs[i], &runs[0], plan->repetitions);
        abut_workspace_free(runs[i].workspace);
        pool_free(runs[i].pool);
    }
    free_lists(&found);
}

/* Times building and searching an index beside testing all with all, with one thread, for growing numbers of rows. */
static void print_crossover(unsigned repetitions)
{
    struct abut_workspace *workspace;
    need(abut_workspace_new(NULL, &workspace) == ABUT_OK, "workspace");
    printf("spheres and boxes, by index and all with all; microseconds\n");
    for (size_t n = 64; n <= 8192; n *= 2) {
        double by_index[MOST_REPETITIONS], by_all[MOST_REPETITIONS];
        const struct abut_options options = {.workspace = workspace};
        spheres.n = boxes.n = n;
        large_workloads[0].fill(n, sphere, box);
        const size_t words = abut_mask_words(n), capacity = 64 * n;
        uint64_t *hits = malloc(n * words * sizeof *hits), *offsets = malloc((n + 1) * sizeof *offsets);
        uint32_t *indices = malloc(capacity * sizeof *indices);
        need(hits && offsets && indices, "out of memory");
        for (unsigned r = 0; r < repetitions; r++) {
            struct abut_index *index;
            const double start = now();
            need(abut_index_new(abut_of_aabbs(&boxes), &options, NULL, &index) == ABUT_OK &&
                     abut_join_rows(index, abut_of_spheres(&spheres), &options, offsets, indices, capacity) == ABUT_OK,
                 "join");
            const double middle = now();
            size_t found = 0;
            need(abut_spheres_touch_aabbs_all(&spheres, &boxes, NULL, hits) == ABUT_OK, "all");
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
    struct plan plan = {{1000, 10000, 100000, LARGE_USUAL}, 4, 7, 0, NULL};
    plan.threads = pool_cores();
    bool crossover = false, shapes = false, moving = false;
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
        else if (strcmp(argv[i], "--shapes") == 0)
            shapes = true;
        else if (strcmp(argv[i], "--moving") == 0)
            moving = true;
        else
            need(false, "usage: [--sizes=N,N...] [--repetitions=N] [--isa=NAME] [--threads=N] "
                        "[--crossover | --shapes | --moving]");
    }
    need(plan.repetitions >= 1 && plan.repetitions <= MOST_REPETITIONS && plan.threads <= MOST_THREADS,
         "1 to 64 repetitions, at most 256 threads");
    if (shapes) {
        need(!plan.isa, "--shapes takes every instruction set");
        print_shapes(plan.repetitions);
        return 0;
    }
    if (moving) {
        need(!plan.isa || abut_use_isa(plan.isa) == ABUT_OK, "instruction set");
        print_moving(plan.repetitions);
        return 0;
    }
    size_t most = crossover ? 8192 : 1;
    for (unsigned i = 0; i < plan.sizes_n; i++)
        most = plan.sizes[i] > most ? plan.sizes[i] : most;
    need(abut_columns_new(most, 4, sphere, NULL) == ABUT_OK && abut_columns_new(most, 6, box, NULL) == ABUT_OK,
         "out of memory");
    spheres = (struct abut_spheres){most, sphere[0], sphere[1], sphere[2], sphere[3]};
    boxes = (struct abut_aabbs){most, box[0], box[1], box[2], box[3], box[4], box[5]};
    if (crossover)
        print_crossover(plan.repetitions);
    for (unsigned w = 0; w < LARGE_SETS && !crossover; w++)
        for (unsigned i = 0; i < plan.sizes_n; i++)
            measure(&large_workloads[w], plan.sizes[i], &plan);
    abut_columns_free(sphere, NULL);
    abut_columns_free(box, NULL);
    return 0;
}
