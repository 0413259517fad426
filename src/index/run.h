/* SPDX-License-Identifier: MIT */
/* Running one search from beginning to end; what becomes of the hits is up to its emit function. */
#ifndef ABUT_INDEX_RUN_H
#define ABUT_INDEX_RUN_H

#include "build.h"

typedef bool emit_function(void *context, const struct rows *rows);

/* One join: what is searched, for what and how. queries.items NULL: the index for its own items. */
struct join {
    const struct abut_index *index;
    struct abut_set queries;
    const struct abut_settings *settings; /* never NULL */
    struct abut_workspace *workspace;
    const struct variant *variant; /* NULL: the active one */
    bool any;
    emit_function *emit;
    void *context;
};

/* What is wrong with the arguments of a join, if anything. */
enum abut_status abut_join_check(const struct join *join);

/* How many queries there are; the arguments are right. */
size_t abut_join_queries(const struct join *join);

/* ABUT_OK or ABUT_ERROR_MEMORY. */
enum abut_status abut_join_run(const struct join *join);

#endif
