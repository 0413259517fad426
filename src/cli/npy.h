/* SPDX-License-Identifier: MIT */
/* The header of NumPy's array files; the reader of their values is in reader.h. */
#ifndef ABUT_CLI_NPY_H
#define ABUT_CLI_NPY_H

#include "problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_DIMENSIONS = 3 };

/* An array of float32 or float64. */
struct npy_header {
    const unsigned char *values; /* those behind the header */
    size_t bytes;                /* how many there are, whatever the shape promises */
    unsigned size;               /* bytes a value: 4 or 8 */
    bool swapped, by_columns;    /* of the other byte order; the first dimension varies fastest */
    size_t shape[NPY_DIMENSIONS];
    unsigned dimensions;
};

/* Whether a file begins as one of NumPy. */
bool npy_begins(const void *bytes, size_t size);

/* Reads the header of a file that begins so. On false problem is set. */
bool npy_read_header(struct npy_header *header, const void *bytes, size_t size, struct problem *problem);

/* Sets the problem to one of the header; false. */
bool npy_is_invalid(struct problem *problem, const char *what);

/* Writes the header of rows x 2 values uint32 in little-endian order. */
enum { NPY_HEADER = 128 };
void npy_write_header(char header[NPY_HEADER], uint64_t rows);

#endif
