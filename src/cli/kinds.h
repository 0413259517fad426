/* SPDX-License-Identifier: MIT */
/* The kinds of shapes that files hold, tables of their rows, and rows as sets of the library. */
#ifndef ABUT_CLI_KINDS_H
#define ABUT_CLI_KINDS_H

#include <abut/abut.h>
#include <abut/shapes.h>

enum { MOST_FIELDS = 15, KINDS = ABUT_SET_HULLS + 1 };

struct kind {
    enum abut_set_kind set;
    const char *name; /* "spheres" */
    const char *const *fields;
    unsigned field_count;
};

/* By enum abut_set_kind. Hulls in files are planes with a volume: hulls.h. */
extern const struct kind kinds[KINDS];

/* OBBs in files that have qx,qy,qz,qw. These are read into the columns of u and of the first member of v. */
extern const struct kind quaternion_obbs;

/*
 * Boxes in files of driving data: centre, whole size along the box's own axes, and the angle in radians by which it is
 * turned around z, from x towards y.
 */
extern const struct kind yaw_obbs;

/* Hulls in files that have their vertices in place of their planes. */
extern const struct kind vertex_hulls;

/*
 * Shapes of the plane, in files without z: points, circles, boxes, segments and capsules. All are at z = 0 but boxes,
 * which reach from -inf to inf, so that touching means what it does in the plane.
 */
enum { FLAT_KINDS = 5 };
extern const struct kind flat_kinds[FLAT_KINDS];
bool kind_is_flat(const struct kind *kind);

/* From the columns of a flat kind to those of its shapes, in place; z is where the plane is. */
void rows_from_flat(const struct kind *kind, size_t n, float z, float *const columns[MOST_FIELDS]);

/* The members of a row of a flat kind as those of its shape. */
void row_from_flat(const struct kind *kind, double z, const double *flat, double row[MOST_FIELDS]);

/* Segments and capsules in files of cast that have a start and a motion in place of two ends. */
extern const struct kind ray_segments, ray_capsules;
bool kind_is_ray(const struct kind *kind);

/* All forms of kinds that are not in the table of kinds. */
enum { FORMS = 5 + FLAT_KINDS };
extern const struct kind *const kind_forms[FORMS];

/* From the columns of yaw_obbs to those of OBBs, in place. */
void obbs_from_yaw(size_t n, float *const columns[MOST_FIELDS]);

/* The number of its field of that name; field_count if there is none. */
unsigned kind_field(const struct kind *kind, const char *field);

/* A view of rows of one kind. Only hulls that are gathered from their planes have offsets. */
struct rows {
    enum abut_set_kind kind;
    size_t n;
    const float *at[MOST_FIELDS]; /* the columns; NULL behind the last */
    const uint32_t *offsets;
};

/* count rows from first on. */
struct rows rows_slice(const struct rows *rows, size_t first, size_t count);

/* A batch of any kind. */
union batch {
    struct abut_points points;
    struct abut_spheres spheres;
    struct abut_aabbs aabbs;
    struct abut_planes planes;
    struct abut_obbs obbs;
    struct abut_segments segments;
    struct abut_capsules capsules;
    struct abut_triangles triangles;
    struct abut_hulls hulls;
};

/* The rows as a set, which is valid as long as the batch is. */
struct abut_set rows_set(const struct rows *rows, union batch *batch);

/*
 * Finds the invalid rows: those that abut_check refuses, and of hulls that are still planes those that hulls_check
 * refuses.
 */
enum abut_status rows_check(const struct rows *rows, struct abut_invalid *invalid);

struct names;

/* Rows of one kind. memory owns the arrays that rows views. */
struct table {
    const struct kind *kind;
    struct rows rows;
    float *memory[MOST_FIELDS];
    bool flat;           /* its rows are shapes of the plane */
    size_t planes;       /* of every hull, if the file says so; else those of one volume are a hull */
    uint32_t *offsets;   /* of hulls */
    uint32_t *labels;    /* the numbers of the texts in the column of --by, or NULL */
    struct names *names; /* of the rows, or NULL: they have numbers */
};

enum abut_status table_new(struct table *table, const struct kind *kind, size_t capacity);
void table_free(struct table *table);

/* Row i becomes what row order[i] was; labels stay where they are. */
enum abut_status table_reorder(struct table *table, const uint32_t *order);

#endif
