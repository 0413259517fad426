/* SPDX-License-Identifier: MIT */
/*
 * From the float64 numbers of a file to float32: an origin is subtracted first, and what the rounding changes is found.
 */
#ifndef ABUT_CLI_ROUNDING_H
#define ABUT_CLI_ROUNDING_H

#include "kinds.h"

/* The axis of a field that is a coordinate: 0 to 2 for x, minx, cx, ax and so on; 3 for sizes and directions. */
unsigned axis_of(const char *field);

/* The greatest rounding of a row, and the least size of the row beside it; or two rows that became one point. */
struct moved {
    size_t row, other; /* other: of the two points, the later */
    const char *field;
    double by, size;
};

struct rounding {
    bool has_origin, outwards;
    bool bounded; /* the bounds are wanted of rows that do not go through rounding_row, too */
    double origin[3];
    /* What was found: */
    double low[3], high[3]; /* of all finite coordinates, before the origin is subtracted */
    struct moved greatest;  /* of all */
    struct moved worst;     /* the row whose size is least beside its rounding */
    struct moved merged;    /* two rows of points; other is 0 if there are none */
    uint32_t *digests;      /* of points, a number that tells their float64 coordinates */
    size_t digest_count, digest_capacity;
};

/* Keeps the origin, outwards and bounded, and forgets what was found. */
void rounding_begin(struct rounding *rounding);
void rounding_free(struct rounding *rounding);

/*
 * Rounds the members of a row of that kind, as they are in the file, and returns the greatest rounding. values holds
 * the members rounded to the nearest float32, which stay where there is no origin. NaN stays NaN, and stands for a
 * member that is too large for a float32.
 */
double rounding_row(struct rounding *rounding, const struct kind *kind, size_t row, const double *wide, float *values);

/* Widens the bounds by n rows of a table from row first on, as they are in the file. */
void rounding_widen(struct rounding *rounding, const struct kind *kind, const struct table *table, size_t first,
                    size_t n);

/* Takes notice of a row whose members were rounded before, by as much as this at most. */
void rounding_sizes(struct rounding *rounding, const struct kind *kind, size_t row, const double *at, double by);

/* Compares the points of a table that begins with row first, if they were rounded. Out of memory, it finds nothing. */
void rounding_compare_points(struct rounding *rounding, const struct table *table, size_t first);

/* The remark on what was found, for people; false if the rounding changes little. */
bool rounding_remark(const struct rounding *rounding, char *text, size_t text_size);

#endif
