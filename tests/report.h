/* SPDX-License-Identifier: MIT */
/* The output of tests: options, counts of checks and failures, and a last line with the result. */
#ifndef ABUT_TESTS_REPORT_H
#define ABUT_TESTS_REPORT_H

#include "inputs.h"

#include <stdint.h>

struct options {
    uint64_t seed;
    unsigned rounds;
    uint64_t pairs;             /* of each predicate, in tests that count them */
    unsigned step;              /* takes one length or search in so many, made odd; for emulated machines */
    const struct subject *only; /* NULL: all */
    const char *expect[8];      /* instruction sets that must have run natively */
    const char *file;           /* the one argument that is no option */
};

/*
 * Reads --seed N, --rounds N, --pairs N, --step N, --only PREDICATE, --expect INSTRUCTION_SET and one file name;
 * reports any other argument and exits with 2.
 */
struct options read_options(int argc, char **argv, struct options defaults);

/* Fails for every expected instruction set that did not run natively. */
void check_expected(const struct options *options);

/* Counts one check. A failure prints "FAILED: " and the message; the tenth ends the program. Returns ok. */
bool check_that(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* check_that with the text of the condition. */
#define CHECK(condition) check_that(condition, "%s:%d: %s", __FILE__, __LINE__, #condition)

/* Counts checks that were made in bulk. */
void checks_passed(uint64_t n);

/* Sets the message that the crash handler prints; call it before anything that may fault. */
void now_testing(const struct subject *subject, const char *isa, const char *entry, const char *kind, size_t n,
                 uint64_t seed);

/* Prints the totals and returns the exit status. */
int finish(const char *test);

/* Whether bit i of a mask is set. */
bool hit_at(const uint64_t *hits, size_t i);

#endif
