/* SPDX-License-Identifier: MIT */
/* The kinds of shapes that files hold, one a line of shapes.def and hulls, and tables of them. */
#ifndef ABUT_CLI_KINDS_H
#define ABUT_CLI_KINDS_H

#include "dispatch/kernel_table.h"
#include <abut/shapes.h>

struct kind {
    const char *name; /* "spheres" */
    const char *const *fields;
    unsigned field_count;
    enum abut_status (*check)(const struct columns *rows, struct abut_invalid *invalid);
};

/* Hulls come after the shapes of shapes.def. */
enum { KIND_HULLS = shape_count, KINDS };

extern const struct kind kinds[KINDS];

/* OBBs in files that have qx,qy,qz,qw, which are read where u and the first of v will be. */
extern const struct kind quaternion_obbs;

/* Whether one of its fields has that name. */
bool kind_has(const struct kind *kind, const char *field);

/* Rows of one kind. memory owns the arrays that rows views. */
struct table {
    const struct kind *kind;
    struct columns rows;
    float *memory[ABUT_MAX_FIELDS];
    size_t planes;     /* of every hull, if the file says so; else those of one volume are a hull */
    uint32_t *offsets; /* of hulls */
    uint32_t *labels;  /* the numbers of the texts in the column of --by, or NULL */
};

enum abut_status table_new(struct table *table, const struct kind *kind, size_t capacity);
void table_free(struct table *table);

/* Row i becomes what row order[i] was; labels stay where they are. */
enum abut_status table_reorder(struct table *table, const uint32_t *order);

/* count rows from first on. */
struct columns columns_slice(const struct columns *columns, size_t first, size_t count);

#endif
