/* SPDX-License-Identifier: MIT */
/* The self-test must notice one wrong kernel: each is replaced in turn by one that is wrong in one way. */
#include "bvh/tree.h"
#include "dispatch/dispatch.h"
#include "relation.h"
#include "selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct isa *good;
static enum predicate broken;

/* The last pair of the last row gets the other answer. */
static void flip_last(batch_function *right, const struct kernel_args *args, uint64_t *restrict hits)
{
    right(args, hits);
    hits[(args->rows - 1) * args->row_words + (args->n - 1) / 64] ^= UINT64_C(1) << (args->n - 1) % 64;
}

static void wrong_zip(const struct kernel_args *args, uint64_t *restrict hits)
{
    flip_last(good->kernels[broken].zip, args, hits);
}

static void wrong_one_many(const struct kernel_args *args, uint64_t *restrict hits)
{
    flip_last(good->kernels[broken].one_many, args, hits);
}

static void wrong_many_one(const struct kernel_args *args, uint64_t *restrict hits)
{
    flip_last(good->kernels[broken].many_one, args, hits);
}

static void wrong_block(const struct kernel_args *args, uint64_t *restrict hits)
{
    flip_last(good->kernels[broken].block, args, hits);
}

/* The touch rule is forgotten. */
static void always_closed(const struct kernel_args *args, uint64_t *restrict hits)
{
    struct kernel_args closed = *args;
    closed.closed = true;
    good->kernels[broken].zip(&closed, hits);
}

static void one_word_more(const struct kernel_args *args, uint64_t *restrict hits)
{
    good->kernels[broken].zip(args, hits);
    hits[abut_mask_words(args->n)] = 0;
}

static enum hull_predicate broken_hull;

static void wrong_hull(const struct hull_args *args, uint64_t *restrict hits)
{
    good->hulls[broken_hull](args, hits);
    if (args->rows == 1)
        hits[(args->n - 1) / 64] ^= UINT64_C(1) << (args->n - 1) % 64;
}

static void wrong_several_hulls(const struct hull_args *args, uint64_t *restrict hits)
{
    good->hulls[broken_hull](args, hits);
    if (args->rows > 1)
        hits[args->row_words + (args->n - 1) / 64] ^= UINT64_C(1) << (args->n - 1) % 64;
}

static void closed_hull(const struct hull_args *args, uint64_t *restrict hits)
{
    struct hull_args closed = *args;
    closed.closed = true;
    good->hulls[broken_hull](&closed, hits);
}

static void hull_word_more(const struct hull_args *args, uint64_t *restrict hits)
{
    good->hulls[broken_hull](args, hits);
    hits[abut_mask_words(args->n)] = 0;
}

static enum distance_kind broken_distance;

/* The last number that is written, by its least bit. */
static void flip_bit(distance_function *right, const struct distance_args *args)
{
    uint32_t bits;
    right(args);
    memcpy(&bits, &args->out[DISTANCE_OUTPUTS - 1][args->n - 1], sizeof bits);
    bits ^= 1;
    memcpy(&args->out[DISTANCE_OUTPUTS - 1][args->n - 1], &bits, sizeof bits);
}

static void wrong_distance_zip(const struct distance_args *args)
{
    flip_bit(good->distances[broken_distance].zip, args);
}

static void wrong_distance_one_many(const struct distance_args *args)
{
    flip_bit(good->distances[broken_distance].one_many, args);
}

static void wrong_distance_many_one(const struct distance_args *args)
{
    flip_bit(good->distances[broken_distance].many_one, args);
}

static void distance_more(const struct distance_args *args)
{
    good->distances[broken_distance].zip(args);
    args->out[0][args->n] = 0;
}

static enum search_kind broken_search;

static void find_nothing(const struct search *search)
{
    (void)search;
}

static void find_twice(const struct search *search)
{
    good->searches[broken_search](search);
    good->searches[broken_search](search);
}

static void find_touching(const struct search *search)
{
    struct search closed = *search;
    closed.closed = true;
    good->searches[broken_search](&closed);
}

/* UINT64_MAX if nothing was answered. */
static uint64_t wrong_answers(const struct isa *isa, size_t first, size_t end)
{
    const struct isa *const one[] = {isa, NULL};
    struct selftest selftest = {.isas = one, .first = first, .end = end, .rounds = 8, .seconds = 60, .quiet = true};
    selftest_run(&selftest);
    return selftest.answers + selftest.distances > 0 ? selftest.wrong : UINT64_MAX;
}

static unsigned passed, failed;

static void expect_noticed(const struct isa *wrong, size_t number, size_t fault)
{
    const uint64_t noticed = wrong_answers(wrong, number, number + 1);
    if (noticed > 0 && noticed < UINT64_MAX) {
        passed++;
    } else {
        failed++;
        printf("FAIL fault %zu of %s goes unnoticed\n", fault, selftest_name(number));
    }
}

int main(void)
{
    static const struct kernel faults[] = {{.zip = wrong_zip},           {.one_many = wrong_one_many},
                                           {.many_one = wrong_many_one}, {.block = wrong_block},
                                           {.zip = always_closed},       {.zip = one_word_more}};
    good = abut_active_isa();
    if (!freopen("/dev/null", "w", stderr)) /* it tells of every fault */
        return EXIT_FAILURE;
    if (wrong_answers(good, 0, SELFTEST_ALL) == 0) {
        passed++;
    } else {
        failed++;
        printf("FAIL %s is not right to begin with\n", good->name);
    }
    for (size_t p = 0; p < predicate_count; p++) {
        for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
            struct isa wrong = *good;
            struct kernel *kernel = &wrong.kernels[p];
            broken = (enum predicate)p;
            kernel->zip = faults[i].zip ? faults[i].zip : kernel->zip;
            kernel->one_many = faults[i].one_many ? faults[i].one_many : kernel->one_many;
            kernel->many_one = faults[i].many_one ? faults[i].many_one : kernel->many_one;
            kernel->block = faults[i].block ? faults[i].block : kernel->block;
            expect_noticed(&wrong, p, i);
        }
    }
    static hull_function *const hull_faults[] = {wrong_hull, wrong_several_hulls, closed_hull, hull_word_more};
    for (size_t p = 0; p < hull_predicate_count; p++) {
        for (size_t i = 0; i < sizeof hull_faults / sizeof *hull_faults; i++) {
            struct isa wrong = *good;
            broken_hull = (enum hull_predicate)p;
            wrong.hulls[p] = hull_faults[i];
            expect_noticed(&wrong, predicate_count + p, i);
        }
    }
    static const struct distance_kernel distance_faults[] = {{.zip = wrong_distance_zip},
                                                             {.one_many = wrong_distance_one_many},
                                                             {.many_one = wrong_distance_many_one},
                                                             {.zip = distance_more}};
    for (size_t p = 0; p < distance_count; p++) {
        for (size_t i = 0; i < sizeof distance_faults / sizeof *distance_faults; i++) {
            struct isa wrong = *good;
            const struct distance_kernel *fault = &distance_faults[i];
            struct distance_kernel *kernel = &wrong.distances[p];
            broken_distance = (enum distance_kind)p;
            kernel->zip = fault->zip ? fault->zip : kernel->zip;
            kernel->one_many = fault->one_many ? fault->one_many : kernel->one_many;
            kernel->many_one = fault->many_one ? fault->many_one : kernel->many_one;
            expect_noticed(&wrong, SELFTEST_PREDICATES + p, i);
        }
    }
    static search_function *const search_faults[] = {find_nothing, find_twice, find_touching};
    for (size_t p = 0; p < search_count; p++) {
        for (size_t i = 0; i < sizeof search_faults / sizeof *search_faults; i++) {
            struct isa wrong = *good;
            broken_search = (enum search_kind)p;
            wrong.searches[p] = search_faults[i];
            expect_noticed(&wrong, SELFTEST_DISTANCES + p, i);
        }
    }
    printf("selftest_test: %u passed, %u failed\n", passed, failed);
    return failed > 0;
}
