/* SPDX-License-Identifier: MIT */
/* The bytes of a file, of whatever format, and what is said of it. */
#ifndef ABUT_CLI_SOURCE_H
#define ABUT_CLI_SOURCE_H

#include "csv.h"
#include "npy.h"

enum format { FORMAT_CSV, FORMAT_NPY, FORMAT_MESH };

/* Read or mapped, and the reader that goes with it. */
struct source {
    const char *path;
    char *text;
    size_t size;
    enum format format;
    bool mapped;
    const struct kind *kind; /* of the rows as they are in the file; NULL before that is known */
    struct csv csv;
    struct npy npy;
};

/*
 * The whole file, and unless it is mapped a zero byte behind it. False: the reason has been told, and there is nothing
 * to unload.
 */
bool source_load(struct source *source);

/* What was read of a mapped file need not stay in memory. */
void source_let_go(const struct source *source);

/* Closes the reader, too. */
void source_unload(struct source *source);

/* Says where in the file a row of its table is. */
void source_locate(const struct source *source, size_t row, struct problem *problem);

/* One line on stderr; more is how many more rows are bad. */
void source_report(const struct source *source, const struct problem *problem, size_t more);

#endif
