/* SPDX-License-Identifier: MIT */
/* The table of predicates, made from predicates.def, and how questions find their row. */
#include "relation.h"

#include "api/sets.h"

#include <string.h>

#define RELATION_touches ABUT_TOUCHES
#define RELATION_inside ABUT_INSIDE
#define RELATION_in ABUT_INSIDE
#define RELATION_cull ABUT_CULL

/* All predicates: those of predicates.def in its order, then those of hulls. */
enum { ROWS = predicate_count + (int)hull_predicate_count };

#define PREDICATE(name, shape_a, shape_b, relation, function)                                                          \
    {RELATION_##relation, shape_##shape_a, shape_##shape_b, #relation},
#define HULL_PREDICATE(name, shape, relation, function)                                                                \
    [predicate_count + (int)hull_predicate_##name] = {RELATION_##relation, shape_##shape, KIND_HULLS, #relation},
static const struct row {
    enum abut_relation relation;
    size_t kind_a, kind_b;
    const char *answers;
} rows[ROWS] = {
#include "tables/predicates.def"
};

#define PREDICATE(name, shape_a, shape_b, relation, function) #name,
const char *const predicate_names[predicate_count] = {
#include "tables/predicates.def"
};

#define PREDICATE(name, shape_a, shape_b, relation, function) {shape_##shape_a, shape_##shape_b},
const enum shape predicate_shapes[predicate_count][2] = {
#include "tables/predicates.def"
};

const char *const question_names[question_count] = {"touches", "inside", "contains", "exact", "planes"};

/* Rows of b that stay in the cache while all of a pass; a multiple of 64, so that tiles share no word. */
enum { TILE = 4096 };

/* What predicates.def calls the question. */
static const char *const asked[question_count] = {"touches", "inside", "inside", "touches", "cull"};

static bool answers_to(size_t row, enum question question)
{
    if (strcmp(rows[row].answers, "in") == 0)
        return question <= QUESTION_CONTAINS;
    bool of_hulls = question == QUESTION_EXACT || question == QUESTION_PLANES;
    return strcmp(rows[row].answers, asked[question]) == 0 && (!of_hulls || rows[row].kind_b == KIND_HULLS);
}

static bool find(struct relation *relation, size_t a, size_t b, enum question question)
{
    for (size_t i = 0; i < ROWS; i++) {
        bool straight = rows[i].kind_a == a && rows[i].kind_b == b;
        bool swapped = rows[i].kind_a == b && rows[i].kind_b == a;
        if (!answers_to(i, question))
            continue;
        if (question == QUESTION_INSIDE ? !straight : question == QUESTION_CONTAINS ? !swapped : !straight && !swapped)
            continue;
        relation->row = i;
        relation->swapped = question == QUESTION_CONTAINS || !straight;
        return true;
    }
    return false;
}

bool relation_find(struct relation *relation, const struct kind *a, const struct kind *b, enum question question)
{
    size_t shape_a = (size_t)(a - kinds), shape_b = (size_t)(b - kinds);
    if (find(relation, shape_a, shape_b, question))
        return true;
    char has[64] = "";
    for (size_t q = 0; q < question_count; q++) {
        struct relation other;
        if (find(&other, shape_a, shape_b, (enum question)q)) {
            strcat(has, *has ? ", " : "");
            strcat(has, question_names[q]);
        }
    }
    complain("%s (A) and %s (B) have no predicate %s; they have %s", a->name, b->name, question_names[question],
             *has ? has : "none");
    return false;
}

static enum abut_status test(const struct relation *relation, const struct columns *a, const struct columns *b,
                             enum abut_touch touch, struct abut_stats *stats, uint64_t *hits, bool all)
{
    union any_batch any_a, any_b;
    const struct abut_options options = {.touch = touch, .stats = stats};
    return (all ? abut_test_all : abut_test)(rows[relation->row].relation, set_of_columns(a, &any_a),
                                             set_of_columns(b, &any_b), &options, hits);
}

enum abut_status relation_zip(const struct relation *relation, const struct columns *a, const struct columns *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits)
{
    return relation->swapped ? test(relation, b, a, touch, stats, hits, false)
                             : test(relation, a, b, touch, stats, hits, false);
}

/* The library's many-against-many has a row for each item of its first batch, which is B here. */
static enum abut_status swapped_all(const struct relation *relation, const struct columns *a, const struct columns *b,
                                    enum abut_touch touch, struct abut_stats *stats, uint64_t *hits)
{
    size_t words = abut_mask_words(b->n);
    for (size_t first = 0; first < b->n; first += TILE) {
        struct columns tile = columns_slice(b, first, b->n - first < TILE ? b->n - first : TILE);
        for (size_t i = 0; i < a->n; i++) {
            struct columns row = columns_slice(a, i, 1);
            enum abut_status status = relation_zip(relation, &row, &tile, touch, stats, hits + i * words + first / 64);
            if (status != ABUT_OK)
                return status;
        }
    }
    return ABUT_OK;
}

/* The library has a row for each hull: turned here, 64 hulls and some items at a time. */
static enum abut_status hulls_turned(const struct relation *relation, const struct columns *items,
                                     const struct columns *hulls, enum abut_touch touch, struct abut_stats *stats,
                                     uint64_t *hits)
{
    enum { ITEMS = 4096 };
    static uint64_t block[64 * ITEMS / 64];
    size_t words = abut_mask_words(hulls->n);
    memset(hits, 0, items->n * words * sizeof *hits);
    for (size_t i = 0; i < items->n; i += ITEMS) {
        struct columns some = columns_slice(items, i, items->n - i < ITEMS ? items->n - i : ITEMS);
        size_t row_words = abut_mask_words(some.n);
        for (size_t j = 0; j < hulls->n; j += 64) {
            struct columns few = columns_slice(hulls, j, hulls->n - j < 64 ? hulls->n - j : 64);
            enum abut_status status = test(relation, &some, &few, touch, stats, block, true);
            if (status != ABUT_OK)
                return status;
            for (size_t hull = 0; hull < few.n; hull++)
                for (size_t w = 0; w < row_words; w++)
                    for (uint64_t bits = block[hull * row_words + w]; bits != 0; bits &= bits - 1)
                        hits[(i + w * 64 + (size_t)__builtin_ctzll(bits)) * words + j / 64] |= UINT64_C(1) << hull;
        }
    }
    return ABUT_OK;
}

enum abut_status relation_all(const struct relation *relation, const struct columns *a, const struct columns *b,
                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits)
{
    if (rows[relation->row].kind_b == KIND_HULLS)
        return relation->swapped ? test(relation, b, a, touch, stats, hits, true)
                                 : hulls_turned(relation, a, b, touch, stats, hits);
    if (relation->swapped)
        return swapped_all(relation, a, b, touch, stats, hits);
    return test(relation, a, b, touch, stats, hits, true);
}
