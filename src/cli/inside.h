/* SPDX-License-Identifier: MIT */
/* The mesh of B as a solid, for inside and for distance --signed. */
#ifndef ABUT_CLI_INSIDE_H
#define ABUT_CLI_INSIDE_H

#include "cli.h"
#include "kinds.h"
#include "pool.h"

#include <abut/solid.h>

struct inside {
    struct abut_solid *solid;
    struct pool *pool;
    struct abut_threads threads;
    struct abut_options settings;
};

/* A must be points and B triangles that are watertight. Else that is reported, and there is nothing to close. */
enum exit_code inside_open(struct inside *inside, const struct options *options, const struct table *a,
                           const struct table *b);
void inside_close(struct inside *inside);

#endif
