/* SPDX-License-Identifier: MIT */
/* --svg: both files seen from above, the front or the side, with the rows that are in a pair in colour. */
#ifndef ABUT_CLI_PICTURE_H
#define ABUT_CLI_PICTURE_H

#include "cli.h"
#include "kinds.h"

/* More shapes than this make a file that few programs show. */
enum { PICTURE_MOST_SHAPES = 50000 };

/* The rows of one file as elements of SVG, and which of them are in a pair. */
struct drawn {
    const char *name;
    size_t n, hits;
    char *text;
    size_t *ends; /* row i ends at ends[i + 1] */
    bool *hit;
};

struct picture {
    const struct options *options;
    unsigned sets; /* 1 for self */
    struct drawn drawn[2];
    double width, height;
    unsigned long long pairs;
};

/*
 * Draws the rows of A, and of B unless it is NULL, as they are now. total is how many rows A has in all. On false the
 * reason is reported, and there is nothing to close.
 */
bool picture_open(struct picture *picture, const struct options *options, const struct rows *a, size_t total,
                  const struct rows *b);

/* Rows a and b are a pair. */
void picture_take(struct picture *picture, size_t a, size_t b);

/* Writes the file. On false the reason is reported, and there is no new file. */
bool picture_write(const struct picture *picture);

void picture_close(struct picture *picture);

#endif
