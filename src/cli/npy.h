/* SPDX-License-Identifier: MIT */
/* NumPy's array files (format 1 to 3) to a table of float columns, and pairs to such a file. */
#ifndef ABUT_CLI_NPY_H
#define ABUT_CLI_NPY_H

#include "kinds.h"
#include "problem.h"

#include <stdint.h>

/* float32 or float64 values, of either byte and array order; a view on the bytes of the file. */
struct npy {
    const unsigned char *values;
    size_t rows, planes, columns; /* planes: 1 unless each row is a hull */
    bool hulls, wide, swapped, by_columns;
};

/* Whether these bytes begin as such files do. */
bool npy_is(const void *bytes, size_t size);

/* Reads the header, and finds all values there. False: the problem is told. */
bool npy_open(struct npy *npy, const void *bytes, size_t size, struct problem *problem);

/* What rows of so many columns are: of that kind if it is not NULL. NULL: the problem is told. */
const struct kind *npy_find_kind(const struct npy *npy, const struct kind *kind, struct problem *problem);

/* Rows of the table, in which each plane of a hull is one. */
size_t npy_capacity(const struct npy *npy);

/* Says which row of the file, and which plane of it, a row of the table is. */
void npy_locate(const struct npy *npy, size_t row, struct problem *problem);

/*
 * Reads count rows of the table from row first on, to its beginning. A value too large for a float32, and a volume that
 * is none, become NaN; first_invalid is the first such row of these, or count.
 */
void npy_read(const struct npy *npy, size_t first, size_t count, struct table *table, size_t *first_invalid,
              struct problem *problem);

/* The header of rows x 2 values uint32 in little-endian order. */
enum { NPY_HEADER = 128 };
void npy_header(char header[NPY_HEADER], uint64_t rows);

#endif
