/* SPDX-License-Identifier: MIT */
/*
 * The self-test must notice each function of the library that is wrong in one way, for each predicate, search and
 * distance.
 * usage: cli_selftest_test [STEP]     only every STEPth fault of each; which ones, differs from one to the next
 */
#include "selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A batch begins with its count. */
static size_t count_of(struct abut_set set)
{
    return *(const size_t *)set.items;
}

enum layout { ELEMENTWISE, ONE_MANY, MANY_ONE };

static enum layout layout_of(size_t a, size_t b)
{
    return a == b ? ELEMENTWISE : a == 1 ? ONE_MANY : MANY_ONE;
}

static enum layout broken;

static struct abut_options closed_options(const struct abut_options *options)
{
    struct abut_options closed = *options;
    closed.touch = ABUT_CLOSED;
    return closed;
}

/* The last pair gets the other answer where the layout is the broken one. */
static enum abut_status flip_last(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                  const struct abut_options *options, uint64_t *restrict hits)
{
    const enum abut_status status = abut_test(relation, a, b, options, hits);
    const size_t n = count_of(a) > count_of(b) ? count_of(a) : count_of(b);
    if (layout_of(count_of(a), count_of(b)) == broken)
        hits[(n - 1) / 64] ^= UINT64_C(1) << (n - 1) % 64;
    return status;
}

/* The touch rule is forgotten. */
static enum abut_status always_closed(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                      const struct abut_options *options, uint64_t *restrict hits)
{
    const struct abut_options closed = closed_options(options);
    return abut_test(relation, a, b, &closed, hits);
}

static enum abut_status one_word_more(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                      const struct abut_options *options, uint64_t *restrict hits)
{
    const size_t n = count_of(a) > count_of(b) ? count_of(a) : count_of(b);
    hits[abut_mask_words(n)] = 0;
    return abut_test(relation, a, b, options, hits);
}

/* The last pair of the last row gets the other answer; hulls have the rows. */
static enum abut_status flip_last_of_all(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                         const struct abut_options *options, uint64_t *restrict hits)
{
    const enum abut_status status = abut_test_all(relation, a, b, options, hits);
    const bool hulls = b.kind == ABUT_SET_HULLS;
    const size_t rows = count_of(hulls ? b : a), n = count_of(hulls ? a : b);
    hits[(rows - 1) * abut_mask_words(n) + (n - 1) / 64] ^= UINT64_C(1) << (n - 1) % 64;
    return status;
}

static enum abut_status always_closed_all(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                          const struct abut_options *options, uint64_t *restrict hits)
{
    const struct abut_options closed = closed_options(options);
    return abut_test_all(relation, a, b, &closed, hits);
}

/* The last number that is written differs in its lowest bit. */
static enum abut_status flip_bit(const struct abut_points *points, struct abut_set shapes, float *restrict d2,
                                 const struct abut_closest *closest)
{
    const enum abut_status status = abut_distance(points, shapes, d2, closest);
    const size_t n = points->n > count_of(shapes) ? points->n : count_of(shapes);
    uint32_t bits;
    memcpy(&bits, &closest->z[n - 1], sizeof bits);
    bits ^= layout_of(points->n, count_of(shapes)) == broken;
    memcpy(&closest->z[n - 1], &bits, sizeof bits);
    return status;
}

static enum abut_status one_distance_more(const struct abut_points *points, struct abut_set shapes, float *restrict d2,
                                          const struct abut_closest *closest)
{
    const size_t n = points->n > count_of(shapes) ? points->n : count_of(shapes);
    const enum abut_status status = abut_distance(points, shapes, d2, closest);
    d2[n] = 0;
    return status;
}

static enum abut_status find_nothing(const struct abut_index *index, struct abut_set queries,
                                     const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                                     uint64_t *count)
{
    const enum abut_status status = abut_join(index, queries, options, pairs, capacity, count);
    *count = 0;
    return status;
}

static enum abut_status twice(enum abut_status status, struct abut_pair *pairs, uint64_t *count)
{
    memcpy(pairs + *count, pairs, (size_t)*count * sizeof *pairs);
    *count *= 2;
    return status;
}

static enum abut_status find_twice(const struct abut_index *index, struct abut_set queries,
                                   const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                                   uint64_t *count)
{
    return twice(abut_join(index, queries, options, pairs, capacity / 2, count), pairs, count);
}

static enum abut_status find_touching(const struct abut_index *index, struct abut_set queries,
                                      const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                                      uint64_t *count)
{
    const struct abut_options closed = closed_options(options);
    return abut_join(index, queries, &closed, pairs, capacity, count);
}

static enum abut_status find_no_pair(const struct abut_index *index, const struct abut_options *options,
                                     struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    const enum abut_status status = abut_self_join(index, options, pairs, capacity, count);
    *count = 0;
    return status;
}

static enum abut_status find_pairs_twice(const struct abut_index *index, const struct abut_options *options,
                                         struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    return twice(abut_self_join(index, options, pairs, capacity / 2, count), pairs, count);
}

static enum abut_status find_touching_pairs(const struct abut_index *index, const struct abut_options *options,
                                            struct abut_pair *pairs, size_t capacity, uint64_t *count)
{
    const struct abut_options closed = closed_options(options);
    return abut_self_join(index, &closed, pairs, capacity, count);
}

/* The nearest item of each point is missing, and another neighbour is in its place. */
static enum abut_status miss_nearest(const struct abut_index *index, const struct abut_points *points, size_t k,
                                     const struct abut_options *options, uint32_t *indices, float *d2)
{
    uint32_t *more = malloc(points->n * (k + 1) * sizeof *more);
    float *more_d2 = malloc(points->n * (k + 1) * sizeof *more_d2);
    enum abut_status status = ABUT_ERROR_MEMORY;
    if (more && more_d2)
        status = abut_nearest(index, points, k + 1, options, more, more_d2);
    for (size_t i = 0; i < points->n && status == ABUT_OK; i++) {
        memcpy(indices + i * k, more + i * (k + 1) + 1, k * sizeof *indices);
        memcpy(d2 + i * k, more_d2 + i * (k + 1) + 1, k * sizeof *d2);
    }
    free(more);
    free(more_d2);
    return status;
}

/* The second neighbour stands before the nearest, and has its distance. */
static enum abut_status swap_neighbours(const struct abut_index *index, const struct abut_points *points, size_t k,
                                        const struct abut_options *options, uint32_t *indices, float *d2)
{
    const enum abut_status status = abut_nearest(index, points, k, options, indices, d2);
    for (size_t i = 0; i < points->n; i++) {
        const uint32_t first = indices[i * k];
        indices[i * k] = indices[i * k + 1];
        indices[i * k + 1] = first;
    }
    return status;
}

/* Of what type of subject a fault is; layout is the broken one where that matters. */
static const struct fault {
    const char *name;
    enum subject_type type;
    enum layout layout;
    struct under_test wrong; /* the functions that are wrong */
} faults[] = {
    {"elementwise", PREDICATE, ELEMENTWISE, {.test = flip_last}},
    {"one-many", PREDICATE, ONE_MANY, {.test = flip_last}},
    {"many-one", PREDICATE, MANY_ONE, {.test = flip_last}},
    {"always closed", PREDICATE, ELEMENTWISE, {.test = always_closed}},
    {"one word more", PREDICATE, ELEMENTWISE, {.test = one_word_more}},
    {"all pairs", PREDICATE, ELEMENTWISE, {.test_all = flip_last_of_all}},
    {"all pairs, always closed", PREDICATE, ELEMENTWISE, {.test_all = always_closed_all}},
    {"elementwise", DISTANCE, ELEMENTWISE, {.distance = flip_bit}},
    {"one-many", DISTANCE, ONE_MANY, {.distance = flip_bit}},
    {"many-one", DISTANCE, MANY_ONE, {.distance = flip_bit}},
    {"one distance more", DISTANCE, ELEMENTWISE, {.distance = one_distance_more}},
    {"nothing is found", SEARCH, ELEMENTWISE, {.join = find_nothing}},
    {"pairs are found twice", SEARCH, ELEMENTWISE, {.join = find_twice}},
    {"always closed", SEARCH, ELEMENTWISE, {.join = find_touching}},
    {"nothing is found", SWAPPED_SEARCH, ELEMENTWISE, {.join = find_nothing}},
    {"pairs are found twice", SWAPPED_SEARCH, ELEMENTWISE, {.join = find_twice}},
    {"always closed", SWAPPED_SEARCH, ELEMENTWISE, {.join = find_touching}},
    {"nothing is found", SELF_SEARCH, ELEMENTWISE, {.self_join = find_no_pair}},
    {"pairs are found twice", SELF_SEARCH, ELEMENTWISE, {.self_join = find_pairs_twice}},
    {"always closed", SELF_SEARCH, ELEMENTWISE, {.self_join = find_touching_pairs}},
    {"the nearest is missing", NEAREST, ELEMENTWISE, {.nearest = miss_nearest}},
    {"neighbours in the wrong order", NEAREST, ELEMENTWISE, {.nearest = swap_neighbours}},
};

static struct under_test with_fault(const struct under_test *wrong)
{
    struct under_test all = the_library;
    all.test = wrong->test ? wrong->test : all.test;
    all.test_all = wrong->test_all ? wrong->test_all : all.test_all;
    all.distance = wrong->distance ? wrong->distance : all.distance;
    all.join = wrong->join ? wrong->join : all.join;
    all.self_join = wrong->self_join ? wrong->self_join : all.self_join;
    all.nearest = wrong->nearest ? wrong->nearest : all.nearest;
    return all;
}

/* UINT64_MAX if nothing was answered. */
static uint64_t wrong_answers(const struct under_test *under_test, const struct subject *subject, unsigned rounds)
{
    const char *const best[] = {abut_isa(), NULL};
    struct selftest selftest = {.under_test = under_test,
                                .isas = best,
                                .subjects = subject,
                                .subject_count = 1,
                                .rounds = rounds,
                                .seconds = 60,
                                .quiet = true};
    selftest_run(&selftest);
    return selftest.answers + selftest.distances > 0 ? selftest.wrong : UINT64_MAX;
}

/* Without a fault, one round: the command runs more. */
enum { MOST_ROUNDS = 8, FAULTLESS_ROUNDS = 1 };
static unsigned passed, failed;

static void expect(bool good, const char *fault, const struct subject *subject)
{
    if (good) {
        passed++;
        return;
    }
    failed++;
    char name[SUBJECT_NAME];
    printf("FAIL %s: %s\n", fault, selftest_name(subject, name));
}

/* Every predicate of the table, and distances and neighbours, which come last. */
static void check_all_are_there(const struct subject *subjects, size_t count)
{
    size_t predicates, seen = 0;
    abut_predicates(&predicates);
    for (size_t s = 0; s < count; s++)
        seen += subjects[s].type == PREDICATE;
    expect(seen == predicates && count < MOST_SUBJECTS, "a predicate is left out", &subjects[count - 1]);
    expect(subjects[count - 1].type == NEAREST, "neighbours are left out", &subjects[count - 1]);
}

int main(int argc, char **argv)
{
    struct subject subjects[MOST_SUBJECTS];
    const size_t count = selftest_subjects(subjects), step = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    if (!freopen("/dev/null", "w", stderr)) /* it reports every fault */
        return EXIT_FAILURE;
    check_all_are_there(subjects, count);
    for (size_t s = 0; s < count; s++) {
        expect(wrong_answers(&the_library, &subjects[s], FAULTLESS_ROUNDS) == 0, "wrong without a fault", &subjects[s]);
        size_t tried = 0;
        for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
            if (faults[i].type != subjects[s].type || (i + s) % step != 0)
                continue;
            const struct under_test wrong = with_fault(&faults[i].wrong);
            broken = faults[i].layout;
            uint64_t noticed = 0;
            for (unsigned rounds = 1; rounds <= MOST_ROUNDS && noticed == 0; rounds *= 2)
                noticed = wrong_answers(&wrong, &subjects[s], rounds);
            expect(noticed > 0 && noticed < UINT64_MAX, faults[i].name, &subjects[s]);
            tried++;
        }
        expect(tried > 0, "no fault was tried", &subjects[s]);
    }
    printf("selftest_test: %u passed, %u failed\n", passed, failed);
    return failed > 0;
}
