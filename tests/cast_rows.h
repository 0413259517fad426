/* SPDX-License-Identifier: MIT */
/* Moments of hits in rational arithmetic, and the checks of the rows that casts find, given the right moments. */
#ifndef ABUT_TESTS_CAST_ROWS_H
#define ABUT_TESTS_CAST_ROWS_H

#include "cast_scenes.h"

#include <gmp.h>

/* A hit at p - sqrt(d), or at p where d is NULL. */
struct moment {
    bool is;
    mpq_srcptr p, d;
};

/* The sign of the difference of two moments. */
int compare_moments(const struct moment *a, const struct moment *b);
int compare_moment_to(const struct moment *a, float t);

struct found {
    uint64_t offsets[RAYS + 1], mask;
    uint32_t items[HITS], first[RAYS];
    float t[HITS], first_t[RAYS];
};

/* Sets the right moment of the hit of each hull by one ray. */
typedef void right_function(const struct cast_scene *scene, size_t ray, struct moment right[HULLS]);

/*
 * Casts all rays by all three functions in an index of the boxes, and checks the rows, the first hits and the mask. A
 * view on two threads, and boxes that are all of space, must give the same.
 */
void check_casts(const struct cast_scene *scene, right_function *right, struct abut_stats *stats, struct found *found,
                 const char *what);

#endif
