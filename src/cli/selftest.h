/* SPDX-License-Identifier: MIT */
/* The library on generated input, against its own exact arithmetic. */
#ifndef ABUT_CLI_SELFTEST_H
#define ABUT_CLI_SELFTEST_H

#include <abut/distance.h>
#include <abut/index.h>

/* The functions that are tested; others stand in their place where a test of the self-test breaks one. */
struct under_test {
    enum abut_status (*test)(enum abut_relation relation, struct abut_set a, struct abut_set b,
                             const struct abut_options *options, uint64_t *restrict hits);
    enum abut_status (*test_all)(enum abut_relation relation, struct abut_set a, struct abut_set b,
                                 const struct abut_options *options, uint64_t *restrict hits);
    enum abut_status (*distance)(const struct abut_points *points, struct abut_set shapes, float *restrict d2,
                                 const struct abut_closest *closest);
    enum abut_status (*join)(const struct abut_index *index, struct abut_set queries,
                             const struct abut_options *options, struct abut_pair *pairs, size_t capacity,
                             uint64_t *count);
    enum abut_status (*self_join)(const struct abut_index *index, const struct abut_options *options,
                                  struct abut_pair *pairs, size_t capacity, uint64_t *count);
    enum abut_status (*nearest)(const struct abut_index *index, const struct abut_points *points, size_t k,
                                const struct abut_options *options, uint32_t *indices, float *d2);
};

extern const struct under_test the_library;

enum subject_type { PREDICATE, DISTANCE, SEARCH, SWAPPED_SEARCH, SELF_SEARCH, NEAREST, subject_types };

/*
 * What is tested: a predicate, pair by pair or by an index of its b, of its a or of both; or a kind of shapes and
 * points.
 */
struct subject {
    enum subject_type type;
    const struct abut_predicate *predicate;
    enum abut_set_kind kind;
};

enum { MOST_SUBJECTS = 512 };

/* Lists all subjects and returns how many there are. */
size_t selftest_subjects(struct subject subjects[MOST_SUBJECTS]);

/* "sphere_aabb", "sphere_aabb swapped search", "planes distance" */
enum { SUBJECT_NAME = 64 };
const char *selftest_name(const struct subject *subject, char name[SUBJECT_NAME]);

struct selftest {
    const struct under_test *under_test;
    const char *const *isas; /* the instruction sets to test, ended by NULL */
    const struct subject *subjects;
    size_t subject_count;
    unsigned rounds;
    double seconds;                     /* no round begins after this many */
    bool quiet;                         /* no progress */
    uint64_t answers, distances, wrong; /* results */
};

/* Reports the first wrong answers on standard error. */
void selftest_run(struct selftest *selftest);

#endif
