/* SPDX-License-Identifier: MIT */
/* How tests speak: options, counts of checks and failures, and a last line that says how it went. */
#ifndef ABUT_TESTS_REPORT_H
#define ABUT_TESTS_REPORT_H

#include "inputs.h"

#include <stdint.h>

struct options {
    uint64_t seed;
    unsigned rounds;
    unsigned step;              /* of lengths or searches one in so many, made odd; for machines that are emulated */
    const struct subject *only; /* NULL: all */
    const char *expect[8];      /* variants that must have run natively */
    const char *file;           /* the one argument that is no option */
};

/*
 * Reads --seed N, --rounds N, --step N, --only PREDICATE, --expect INSTRUCTION_SET and one file name; on any other
 * argument says so and exits with 2.
 */
struct options read_options(int argc, char **argv, struct options defaults);

/* Fails for every expected variant that did not run natively. */
void check_expected(const struct options *options);

/*
 * Counts one check; if it failed, prints "FAILED: " and the message, and ends the program after the tenth. Returns ok.
 */
bool check_that(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* check_that with the text of the condition. */
#define CHECK(condition) check_that(condition, "%s:%d: %s", __FILE__, __LINE__, #condition)

/* Counts checks that were made in bulk. */
void checks_passed(uint64_t n);

/* What a crash handler says before the program ends: set before anything that may fault. */
void now_testing(const struct subject *subject, const char *isa, const char *entry, const char *kind, size_t n,
                 uint64_t seed);

/* Prints the totals and returns the exit status. */
int finish(const char *test);

/* Whether bit i of a mask is set. */
bool hit_at(const uint64_t *hits, size_t i);

#endif
