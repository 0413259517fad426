/* SPDX-License-Identifier: MIT */
/* The header of NumPy's array files; the reader of their values is in reader.h. */
#ifndef ABUT_CLI_NPY_H
#define ABUT_CLI_NPY_H

#include "npy_numbers.h"
#include "problem.h"

enum { NPY_DIMENSIONS = 3, NPY_MOST_COLUMNS = 256, NPY_NAME = 48 };

/* The type of a value. Numbers are read; texts, of kind 'S' or 'U', only as labels. */
struct npy_type {
    char kind;
    bool swapped;                    /* of the other byte order */
    size_t size;                     /* bytes */
    const struct npy_number *number; /* or NULL */
};

/* A member of a structure, or an element of one that is an array. */
struct npy_column {
    char name[NPY_NAME]; /* "x", "position[0]" or "position.x"; cut where it is longer */
    size_t offset;       /* in the structure */
    struct npy_type type;
};

struct npy_header {
    const unsigned char *values; /* those behind the header */
    size_t bytes;                /* how many there are, whatever the shape promises */
    bool by_columns;             /* the first dimension varies fastest */
    size_t shape[NPY_DIMENSIONS];
    unsigned dimensions;
    size_t item; /* bytes a value, or a structure */
    bool structured;
    struct npy_type type;       /* of all values, if they are no structures */
    struct npy_column *columns; /* of a structure: all but its padding */
    size_t column_count;
};

/* Whether a file begins as one of NumPy. */
bool npy_begins(const void *bytes, size_t size);

/* Reads the header of a file that begins so. On false problem is set. In any case the columns are to be freed. */
bool npy_read_header(struct npy_header *header, const void *bytes, size_t size, struct problem *problem);

/* Sets the problem to one of the header; false. */
bool npy_is_invalid(struct problem *problem, const char *what);

/* Writes the header of rows x 2 values uint32 in little-endian order. */
enum { NPY_HEADER = 128 };
void npy_write_header(char header[NPY_HEADER], uint64_t rows);

#endif
