/* SPDX-License-Identifier: MIT */
/* File formats: what the reader of each does. The table of readers is in source.c. */
#ifndef ABUT_CLI_READER_H
#define ABUT_CLI_READER_H

#include "kinds.h"
#include "labels.h"
#include "problem.h"
#include "progress.h"
#include "rounding.h"

/* A file in memory. */
struct source {
    const char *path;
    char *text; /* a mapped file, or a buffer with two more bytes behind it, of which the first is zero */
    size_t size;
    bool mapped;
    const struct reader *reader;
    const char *names;         /* of the columns, with commas between them, or NULL: the file has them */
    struct rounding *rounding; /* every row goes through it */
    bool rays;                 /* its rows may be rays: those of A in cast */
    /* Set by the reader when it opens: */
    void *state;             /* its own */
    const struct kind *kind; /* of the rows as they are in the file */
    size_t capacity;         /* no more than this many rows follow */
    char remark[160];        /* for the user, or empty */
};

struct reader {
    const char *name;            /* "a mesh" */
    const struct kind *kinds[2]; /* that files of this format can hold, or NULL if they can hold any */
    bool by_rows;                /* read can begin at any row; a regular file is mapped */

    /* By the name of a file and the first bytes, or all. A zero byte follows, unless the file is mapped. */
    bool (*recognise)(const char *path, const char *text, size_t size);

    /*
     * Reads what is before the rows. kind is what the rows must be, or NULL; kind_option is the name of the option to
     * choose one. On false problem is set.
     */
    bool (*open)(struct source *source, const struct kind *kind, const char *kind_option, struct problem *problem);

    /*
     * Reads count rows from row first on into the table, and sets its count; first is 0 unless by_rows. What cannot be
     * read becomes NaN. unreadable is the first such row, and problem is about it; without any it is the count of
     * rows. On false the whole file is invalid, as problem says.
     */
    bool (*read)(const struct source *source, size_t first, size_t count, struct table *table, size_t *unreadable,
                 struct problem *problem, struct progress *progress);

    /* Numbers the texts of a column, row by row. On false problem is set. NULL: the format has no such columns. */
    bool (*label)(const struct source *source, const char *column, struct labels *labels, uint32_t *numbers,
                  struct problem *problem);

    /* Sets the place of the problem to a row of the table. */
    void (*locate)(const struct source *source, size_t row, struct problem *problem);

    /* Frees the state, which is NULL if the file was not opened. */
    void (*close)(struct source *source);
};

extern const struct reader csv_reader, npy_reader, ply_reader, obj_reader, stl_text_reader, stl_reader;

#endif
