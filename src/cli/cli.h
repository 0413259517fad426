/* SPDX-License-Identifier: MIT */
/* What all parts of the abut command share: exit codes, options, commands and messages. */
#ifndef ABUT_CLI_CLI_H
#define ABUT_CLI_CLI_H

#include <abut/abut.h>

#include <stdio.h>

enum exit_code { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* The relations as users name them: A touches, is inside or contains B. */
enum question {
    QUESTION_TOUCHES,
    QUESTION_INSIDE,
    QUESTION_CONTAINS,
    QUESTION_EXACT, /* of hulls: touches */
    QUESTION_CULL,  /* of hulls: beyond no plane */
    question_count
};

extern const char *const question_names[question_count];

/* How join and self find pairs; the answers are the same. */
enum method { METHOD_AUTO, METHOD_INDEX, METHOD_ALL, method_count };

/* Of what the command writes. */
enum format { FORMAT_CSV, FORMAT_NPY, FORMAT_JSONL, format_count };
extern const char *const format_names[format_count];

/* From where --svg looks. */
enum view { VIEW_TOP, VIEW_FRONT, VIEW_SIDE, view_count };

struct kind;

/* The camera of frustum; fov in degrees, vertically. */
struct looking {
    float eye[3], target[3], up[3], fov, aspect, near_distance, far_distance;
};

/* How the matrix of frustum is written: its depths, and whether row after row. */
enum depth { DEPTH_0_1, DEPTH_MINUS_1_1, DEPTH_REVERSED, depth_count };
enum order { ORDER_ROW, ORDER_COLUMN, order_count };

/* What is subtracted from all coordinates before they are rounded. */
struct origin {
    bool given, find; /* find: it is the centre of the files' bounds, and not known yet */
    double at[3];
};

struct options {
    struct origin origin;
    bool outwards; /* round boxes so that they hold what they held */
    const char *input[2];
    const struct kind *kind[2]; /* NULL: known by the columns */
    const char *columns[2];     /* the names of the columns, or NULL: the file has them */
    const char *output;         /* NULL: standard output */
    const char *svg;            /* NULL: no picture */
    enum view view;
    enum format format; /* of the output, as --format or the ending of its name says */
    const char *isa;    /* NULL: not given */
    const char *id[2];  /* the columns with the names of rows, or NULL */
    const char *by;     /* the column that must be equal, or NULL */
    bool inward;        /* normals of planes and hulls */
    enum abut_touch touch;
    enum question question;
    struct looking looking;
    const char *files;  /* of demo: the directory for its scene, or NULL */
    const char *matrix; /* of frustum, in place of looking, or NULL */
    enum depth depth;
    enum order order;
    float height; /* of an orthographic view, or 0 */
    enum method method;
    unsigned neighbours; /* 0: not given */
    unsigned threads;    /* 0: as many as the processors that it may run on */
    float within;        /* if limited: how far apart A and B may be */
    float period[3];     /* if periodic: of the box; 0 where space does not repeat */
    unsigned images;     /* if periodic: of a row, on average; 0: not given */
    bool periodic;
    bool all;                                           /* of cast: not the first hit alone */
    float end;                                          /* of cast: the last time */
    bool rays;                                          /* A may have a start and a motion: of cast */
    bool measures;                                      /* of nearest and distance: A and B need not meet */
    bool sign;                                          /* of distance: negative inside */
    bool adjacent;                                      /* self: pairs of triangles that share a vertex count */
    bool limited, ties, exclude_self, squares, closest; /* of nearest; limited: of join and self as well */
    bool count, classes, distances, skip_invalid, quiet, stats;
};

/* Text of others, as names of files, with its control characters escaped. */
void write_shown(FILE *stream, const char *text);

/* One line on standard error, after "abut: ". Control characters in it are escaped. */
void complain(const char *format, ...);

/* Whether the name of a file has that ending, in whatever case: FILE.NPY is an array, too. */
bool has_ending(const char *name, const char *ending);

/* The time in seconds. */
double now(void);

enum exit_code command_join(const struct options *options);
enum exit_code command_self(const struct options *options);
enum exit_code command_nearest(const struct options *options);
enum exit_code command_cast(const struct options *options);
enum exit_code command_inside(const struct options *options);
enum exit_code command_zip(const struct options *options);
enum exit_code command_distance(const struct options *options);
enum exit_code command_frustum(const struct options *options);
enum exit_code command_demo(const struct options *options);
enum exit_code command_complete(const struct options *options);
enum exit_code command_info(const struct options *options);
enum exit_code command_selftest(const struct options *options);

#endif
