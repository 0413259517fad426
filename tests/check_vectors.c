/* SPDX-License-Identifier: MIT */
/* Checks every instruction set and the exact stage on vectors that make_vectors wrote, perhaps on another machine. */
#include "batches.h"
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
    float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
    for (size_t i = 0; i < vectors->n; i++) {
        batch_get(&vectors->a, i, item_a);
        batch_get(&vectors->b, of_hulls(subject) ? 0 : i, item_b);
        int answer = exact_answer(subject, item_a, item_b);
        if (!check_that(answer == vectors->answers[i], "%s: the exact stage says %d, the vector %d", subject->name,
                        answer, vectors->answers[i]))
            print_pair(subject, item_a, item_b);
    }
    for (unsigned v = 0; v < n_tested; v++)
        for (int closed = 0; closed < 2; closed++) {
            uint64_t hits[CHUNK / 64];
            struct abut_stats stats = {0};
            const struct entry_args args = {&a, &b, vectors->n, 1, 0, closed, &stats, SIZE_MAX};
            run_entry(tested[v].isa, subject, of_hulls(subject) ? ENTRY_MANY_ONE : ENTRY_ZIP, &args, hits);
            for (size_t i = 0; i < vectors->n; i++)
                if (!check_that(hit_at(hits, i) == (vectors->answers[i] >= (closed ? 0 : 1)),
                                "%s, %s, %s: vector %zu is a %s, and %d is right", subject->name, tested[v].name,
                                closed ? "closed" : "open", i, hit_at(hits, i) ? "hit" : "miss", vectors->answers[i])) {
                    batch_get(&vectors->a, i, item_a);
                    batch_get(&vectors->b, of_hulls(subject) ? 0 : i, item_b);
                    print_pair(subject, item_a, item_b);
                }
        }
}

static bool read_item(FILE *file, enum shape shape, float *item)
{
    if (shape == shape_hull) {
        unsigned planes;
        if (fscanf(file, "%u", &planes) != 1 || planes == 0 || planes > ABUT_MAX_PLANES)
            return false;
        memset(item, 0, HULL_PLANES * sizeof *item);
        item[HULL_COUNT] = (float)planes;
    }
    for (unsigned k = first_member(shape); k < end_of_members(shape, item); k++) {
        uint32_t bits;
        if (fscanf(file, "%8" SCNx32, &bits) != 1)
            return false;
        memcpy(&item[k], &bits, sizeof bits);
    }
    return true;
}

/* Repeats the items of a hull until they fill a word and part of the next. */
static void repeat(struct vectors *vectors)
{
    enum { REPEATED = 100 };
    const size_t n = vectors->n;
    float item[MAX_MEMBERS];
    for (; vectors->n < REPEATED; vectors->n++) {
        batch_get(&vectors->a, vectors->n % n, item);
        batch_set(&vectors->a, vectors->n, item);
        vectors->answers[vectors->n] = vectors->answers[vectors->n % n];
    }
}

static void flush(struct vectors *vectors, const struct tested *tested, unsigned n_tested)
{
    if (vectors->n > 0) {
        if (of_hulls(vectors->subject))
            repeat(vectors);
        check_chunk(vectors, tested, n_tested);
    }
    if (vectors->subject != NULL) {
        batch_free(&vectors->a);
        batch_free(&vectors->b);
    }
    vectors->subject = NULL;
    vectors->n = 0;
}

/* The pairs of one call have one predicate, and one hull if it is of hulls. */
static bool continues(const struct vectors *vectors, const struct subject *subject, const float *b)
{
    if (vectors->subject != subject || vectors->n == CHUNK)
        return false;
    if (!of_hulls(subject))
        return true;
    float hull[MAX_MEMBERS];
    batch_get(&vectors->b, 0, hull);
    return memcmp(hull, b, end_of_members(shape_hull, hull) * sizeof *b) == 0;
}

static void take(struct vectors *vectors, const struct subject *subject, const float *a, const float *b, int answer,
                 const struct tested *tested, unsigned n_tested)
{
    if (!continues(vectors, subject, b)) {
        flush(vectors, tested, n_tested);
        vectors->subject = subject;
        vectors->a = batch_new(subject->shape_a, CHUNK);
        vectors->b = batch_new(subject->shape_b, of_hulls(subject) ? 1 : CHUNK);
    }
    batch_set(&vectors->a, vectors->n, a);
    batch_set(&vectors->b, of_hulls(subject) ? 0 : vectors->n, b);
    vectors->answers[vectors->n++] = answer;
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_isas(tested);
    static struct vectors vectors;
    uint64_t seen[predicate_count] = {0};
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
        float a[MAX_MEMBERS], b[MAX_MEMBERS];
        if (!check_that(subject != NULL, "no predicate is called %s", name) || subject == NULL)
            break;
        if (!check_that(read_item(file, subject->shape_a, a) && read_item(file, subject->shape_b, b),
                        "a vector of %s ends early", name))
            break;
        take(&vectors, subject, a, b, answer, tested, n_tested);
        seen[subject->predicate]++;
    }
    flush(&vectors, tested, n_tested);
    check_that(feof(file) != 0, "%s does not hold vectors", options.file);
    fclose(file);
    for (unsigned p = 0; p < predicate_count; p++)
        check_that(seen[p] >= 1000, "%s: only %llu vectors", subjects[p].name, (unsigned long long)seen[p]);
    return finish("vectors");
}
