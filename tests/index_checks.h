/* SPDX-License-Identifier: MIT */
/* Compares one search of an index with the right answers: on every instruction set, and in every public form. */
#ifndef ABUT_TESTS_INDEX_CHECKS_H
#define ABUT_TESTS_INDEX_CHECKS_H

#include <abut/index.h>

struct answers {
    uint64_t *bits; /* one row of words per query */
    size_t queries, items, words;
    uint64_t count;
    bool self;
};

/* The hits of many against many. The rows are the items if turned, else the queries. */
struct answers answers_of(uint64_t *hits, bool turned, bool self, size_t queries, size_t items);
void answers_free(struct answers *right);

/* The search, and the data that a failure message prints. */
struct scene {
    const char *search, *layout;
    size_t queries, items;
    enum abut_touch touch;
    enum abut_relation relation;
    uint64_t seed;
};

/* The loop of each instruction set finds the right pairs, all of them in the same order. */
void check_isas(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                struct abut_set queries);

/* Checks all public forms; workspace (or NULL) may come from other scenes. */
void check_public(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                  struct abut_set queries, struct abut_workspace *workspace);

#endif
