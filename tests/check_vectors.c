/* SPDX-License-Identifier: MIT */
/* Every variant and the judge on the vectors that make_vectors wrote, perhaps on another machine. */
#include "batches.h"
#include "judges.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4096 };

/* Consecutive vectors of one predicate. */
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
        int answer = abut_judge(subject->predicate, item_a, item_b);
        if (!check_that(answer == vectors->answers[i], "%s: the judge says %d, the vector %d", subject->name, answer,
                        vectors->answers[i]))
            print_pair(subject, item_a, item_b);
    }
    for (unsigned v = 0; v < n_tested; v++)
        for (int closed = 0; closed < 2; closed++) {
            uint64_t hits[CHUNK / 64];
            struct abut_stats stats = {0};
            const struct job job = {a.at, b.at, vectors->n, closed, &stats};
            tested[v].variant->kernels[subject->predicate].zip(&job, hits);
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

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_variants(tested);
    static struct vectors vectors;
    uint64_t seen[predicate_count] = {0};
    char name[64];
    int answer;
    FILE *file = options.file == NULL ? NULL : fopen(options.file, "r");
    if (file == NULL) {
        perror(options.file == NULL ? "no file given" : options.file);
        return 2;
    }
    print_variants();
    check_expected(&options);
    while (fscanf(file, "%63s %d", name, &answer) == 2) {
        const struct subject *subject = subject_of(name);
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
    check_that(feof(file) != 0, "%s holds something else than vectors", options.file);
    fclose(file);
    for (unsigned p = 0; p < predicate_count; p++)
        check_that(seen[p] >= 1000, "%s: only %llu vectors", subjects[p].name, (unsigned long long)seen[p]);
    return finish("vectors");
}
