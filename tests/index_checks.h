/* SPDX-License-Identifier: MIT */
/* One search of an index held against the right answers: by every variant, and in every form that is public. */
#ifndef ABUT_TESTS_INDEX_CHECKS_H
#define ABUT_TESTS_INDEX_CHECKS_H

#include <abut/index.h>

struct answers {
    uint64_t *bits; /* one row of words a query */
    size_t queries, items, words;
    uint64_t count;
    bool self;
};

/* The hits of many against many, a row for each of turned ? the items : the queries. */
struct answers answers_of(uint64_t *hits, bool turned, bool self, size_t queries, size_t items);
void answers_free(struct answers *right);

/* How to search, and what a check that fails tells. */
struct scene {
    const char *search, *layout;
    size_t queries, items;
    enum abut_touch touch;
    enum abut_relation relation;
    uint64_t seed;
};

/* The loop of each variant gives the right pairs, and all of them in the same order. */
void check_isas(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                struct abut_set queries);

/* All public forms; the workspace (or NULL) may have seen other scenes. */
void check_public(const struct scene *scene, const struct answers *right, const struct abut_index *index,
                  struct abut_set queries, struct abut_workspace *workspace);

#endif
