/* SPDX-License-Identifier: MIT */
/* The header of a CSV file: the state of its reader. */
#ifndef ABUT_CLI_CSV_H
#define ABUT_CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>

struct span {
    const char *at;
    size_t length;
    bool quoted; /* it stood between quotes, where two quotes are one */
};

/* A column whose name is known: a field of some kind, or one of its other names. */
struct named {
    size_t column;
    const char *field; /* NULL: */
    size_t synonym;    /* the first with that name */
};

struct csv {
    const char *end;    /* of the text, behind its last line feed */
    const char *header; /* behind a byte-order mark */
    const char *rows;   /* behind the header */
    size_t header_line; /* the line of the header */
    size_t first_line;  /* the line where rows begins */
    size_t field_count;
    char *own;          /* the names that an XYZ file has for its columns, or NULL */
    struct span *names; /* of the columns */
    struct named *named;
    size_t named_count;
    size_t *targets; /* the field of the kind that a column holds, or MOST_FIELDS */
    bool rays;       /* its rows may be rays, too: of cast */
    bool colours[2]; /* columns g and b are there, and G and B: r and R are red */
    size_t volume;   /* the field of the kind that is the volume of a hull, or MOST_FIELDS */
};

#endif
