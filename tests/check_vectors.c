/* SPDX-License-Identifier: MIT */
/* Checks every instruction set and the exact stage on vectors that make_vectors wrote, perhaps on another machine. */
#include "batches.h"
#include "exact/resolve.h"
#include "hull_inputs.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

struct vectors {
    const struct subject *subject;
    size_t n;
    struct batch a, b;
    int answers[CHUNK];
};

static void check_chunk(const struct vectors *vectors, const struct tested *tested, unsigned n_tested)
{
    const struct subject *subject = vectors->subject;
    const struct columns a = batch_columns(&vectors->a), b = batch_columns(&vectors->b);
    float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
    for (size_t i = 0; i < vectors->n; i++) {
        batch_get(&vectors->a, i, item_a);
        batch_get(&vectors->b, i, item_b);
        int answer = abut_exact(subject->predicate, item_a, item_b);
        if (!check_that(answer == vectors->answers[i], "%s: the exact stage says %d, the vector %d", subject->name,
                        answer, vectors->answers[i]))
            print_pair(subject, item_a, item_b);
    }
    for (unsigned v = 0; v < n_tested; v++)
        for (int closed = 0; closed < 2; closed++) {
            uint64_t hits[CHUNK / 64];
            struct abut_stats stats = {0};
            const struct kernel_args args = {a.at, b.at, vectors->n, closed, &stats, 1, 0};
            tested[v].isa->kernels[subject->predicate].zip(&args, hits);
            for (size_t i = 0; i < vectors->n; i++)
                if (!check_that(hit_at(hits, i) == (vectors->answers[i] >= (closed ? 0 : 1)),
                                "%s, %s, %s: vector %zu is a %s, and %d is right", subject->name, tested[v].name,
                                closed ? "closed" : "open", i, hit_at(hits, i) ? "hit" : "miss", vectors->answers[i])) {
                    batch_get(&vectors->a, i, item_a);
                    batch_get(&vectors->b, i, item_b);
                    print_pair(subject, item_a, item_b);
                }
        }
}

static bool read_item(FILE *file, enum shape shape, float *item)
{
    for (unsigned k = 0; k < shape_info(shape)->fields; k++) {
        uint32_t bits;
        if (fscanf(file, "%8" SCNx32, &bits) != 1)
            return false;
        memcpy(&item[k], &bits, sizeof bits);
    }
    return true;
}

static void flush(struct vectors *vectors, const struct tested *tested, unsigned n_tested)
{
    if (vectors->n > 0)
        check_chunk(vectors, tested, n_tested);
    if (vectors->subject != NULL) {
        batch_free(&vectors->a);
        batch_free(&vectors->b);
    }
    vectors->subject = NULL;
    vectors->n = 0;
}

static const struct {
    const char *name;
    enum shape shape;
} hull_predicates[] = {
#define HULL_PREDICATE(name, shape, relation, function) {#name, shape_##shape},
#include "tables/predicates.def"
};

/* A hull, and vectors of one predicate with it. */
enum { MOST_ITEMS = 64 };
struct hull_vectors {
    struct planes planes;
    enum hull_predicate predicate;
    size_t n;
    float items[MOST_ITEMS][ABUT_MAX_FIELDS];
    int answers[MOST_ITEMS];
};

/* Hull predicates are numbered after the others; ALL stands for an unknown name. */
enum { ALL = predicate_count + (int)hull_predicate_count };

static unsigned hull_predicate_of(const char *name)
{
    unsigned p = 0;
    while (p < hull_predicate_count && strcmp(name, hull_predicates[p].name) != 0)
        p++;
    return predicate_count + p;
}

/* Repeats the vectors until they fill a word and part of the next. */
static void check_hull(const struct hull_vectors *vectors, const struct tested *tested, unsigned n_tested)
{
    enum { REPEATED = 100 };
    static float columns[ABUT_MAX_FIELDS][REPEATED];
    const float *at[ABUT_MAX_FIELDS];
    const char *name = hull_predicates[vectors->predicate].name;
    struct hull hull;
    prepare_planes(&hull, &vectors->planes, SIZE_MAX);
    for (size_t i = 0; i < vectors->n; i++) {
        int answer = (int)abut_hull_exact(vectors->predicate, &hull, vectors->items[i]);
        if (!check_that(answer == vectors->answers[i], "%s: the exact stage says %d, the vector %d", name, answer,
                        vectors->answers[i]))
            print_hull_pair(hull_predicates[vectors->predicate].shape, &vectors->planes, vectors->items[i]);
    }
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        at[k] = columns[k];
        for (size_t i = 0; i < REPEATED; i++)
            columns[k][i] = vectors->items[i % vectors->n][k];
    }
    for (unsigned v = 0; v < n_tested && !hull.invalid; v++)
        for (int closed = 0; closed < 2; closed++) {
            uint64_t hits[(REPEATED + 63) / 64];
            struct abut_stats stats = {0};
            const struct hull_args args = {&hull, at, REPEATED, closed, &stats, 1, 0, false};
            tested[v].isa->hulls[vectors->predicate](&args, hits);
            for (size_t i = 0; i < REPEATED; i++)
                check_that(hit_at(hits, i) == (vectors->answers[i % vectors->n] >= (closed ? 0 : 1)),
                           "%s, %s, %s: vector %zu is a %s", name, tested[v].name, closed ? "closed" : "open", i,
                           hit_at(hits, i) ? "hit" : "miss");
        }
}

static void flush_hull(struct hull_vectors *vectors, const struct tested *tested, unsigned n_tested)
{
    if (vectors->n > 0)
        check_hull(vectors, tested, n_tested);
    vectors->n = 0;
}

static bool read_planes(FILE *file, struct planes *planes, int count)
{
    planes->count = 0;
    while (planes->count < ABUT_MAX_PLANES && (int)planes->count < count &&
           read_item(file, shape_plane, planes->at[planes->count]))
        planes->count++;
    return count > 0 && (int)planes->count == count;
}

/* Reads one vector for the hull that was read last. */
static bool take_hull_vector(FILE *file, struct hull_vectors *vectors, enum hull_predicate predicate, int answer)
{
    if (vectors->n > 0 && vectors->predicate != predicate)
        return false;
    vectors->predicate = predicate;
    vectors->answers[vectors->n] = answer;
    return vectors->planes.count > 0 && vectors->n < MOST_ITEMS &&
           read_item(file, hull_predicates[predicate].shape, vectors->items[vectors->n++]);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_isas(tested);
    static struct vectors vectors;
    static struct hull_vectors of_hull;
    uint64_t seen[ALL] = {0};
    char name[64];
    int answer;
    FILE *file = options.file == NULL ? NULL : fopen(options.file, "r");
    if (file == NULL) {
        perror(options.file == NULL ? "no file given" : options.file);
        return 2;
    }
    print_isas();
    check_expected(&options);
    while (fscanf(file, "%63s %d", name, &answer) == 2) {
        const struct subject *subject = subject_of(name);
        const unsigned hull_predicate = hull_predicate_of(name);
        if (strcmp(name, "planes") == 0) {
            flush_hull(&of_hull, tested, n_tested);
            if (!check_that(read_planes(file, &of_hull.planes, answer), "planes end early"))
                break;
            continue;
        }
        if (hull_predicate < ALL) {
            if (!check_that(
                    take_hull_vector(file, &of_hull, (enum hull_predicate)(hull_predicate - predicate_count), answer),
                    "a vector of %s ends early, or has no hull", name))
                break;
            seen[hull_predicate]++;
            continue;
        }
        float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
        if (!check_that(subject != NULL, "no predicate is called %s", name) || subject == NULL)
            break;
        if (!check_that(read_item(file, subject->shape_a, a) && read_item(file, subject->shape_b, b),
                        "a vector of %s ends early", name))
            break;
        if (vectors.subject != subject || vectors.n == CHUNK) {
            flush(&vectors, tested, n_tested);
            vectors.subject = subject;
            vectors.a = batch_new(subject->shape_a, CHUNK);
            vectors.b = batch_new(subject->shape_b, CHUNK);
        }
        batch_set(&vectors.a, vectors.n, a);
        batch_set(&vectors.b, vectors.n, b);
        vectors.answers[vectors.n++] = answer;
        seen[subject->predicate]++;
    }
    flush(&vectors, tested, n_tested);
    flush_hull(&of_hull, tested, n_tested);
    check_that(feof(file) != 0, "%s does not hold vectors", options.file);
    fclose(file);
    for (unsigned p = 0; p < ALL; p++)
        check_that(seen[p] >= 1000, "%s: only %llu vectors",
                   p < predicate_count ? subjects[p].name : hull_predicates[p - predicate_count].name,
                   (unsigned long long)seen[p]);
    return finish("vectors");
}
