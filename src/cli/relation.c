/* SPDX-License-Identifier: MIT */
/* The table of predicates, made from kernels.def, and how questions find their row. */
#include "relation.h"

#include <string.h>

#define F(member) batch.member = *column++;
#define SHAPE(name, plural, fields)                                                                                    \
    typedef struct abut_##plural name##_batch;                                                                         \
    static name##_batch view_##name(const struct columns *columns)                                                     \
    {                                                                                                                  \
        name##_batch batch = {.n = columns->n};                                                                        \
        const float *const *column = columns->at;                                                                      \
        fields return batch;                                                                                           \
    }
#include "shapes.def"

typedef enum abut_status batch_call(const struct columns *a, const struct columns *b, enum abut_touch touch,
                                    uint64_t *restrict hits);

#define PREDICATE(name, shape_a, shape_b, question, function)                                                          \
    static enum abut_status zip_##name(const struct columns *a, const struct columns *b, enum abut_touch touch,        \
                                       uint64_t *restrict hits)                                                        \
    {                                                                                                                  \
        shape_a##_batch va = view_##shape_a(a);                                                                        \
        shape_b##_batch vb = view_##shape_b(b);                                                                        \
        return function(&va, &vb, touch, NULL, hits);                                                                  \
    }                                                                                                                  \
    static enum abut_status all_##name(const struct columns *a, const struct columns *b, enum abut_touch touch,        \
                                       uint64_t *restrict hits)                                                        \
    {                                                                                                                  \
        shape_a##_batch va = view_##shape_a(a);                                                                        \
        shape_b##_batch vb = view_##shape_b(b);                                                                        \
        return function##_all(&va, &vb, touch, NULL, hits);                                                            \
    }
#include "kernels.def"

#define PREDICATE(name, shape_a, shape_b, question, function) zip_##name,
static batch_call *const zips[predicate_count] = {
#include "kernels.def"
};

#define PREDICATE(name, shape_a, shape_b, question, function) all_##name,
static batch_call *const alls[predicate_count] = {
#include "kernels.def"
};

#define PREDICATE(name, shape_a, shape_b, question, function) #name,
const char *const predicate_names[predicate_count] = {
#include "kernels.def"
};

#define PREDICATE(name, shape_a, shape_b, question, function) {shape_##shape_a, shape_##shape_b},
const enum shape predicate_shapes[predicate_count][2] = {
#include "kernels.def"
};

#define PREDICATE(name, shape_a, shape_b, question, function) #question,
static const char *const answers[predicate_count] = {
#include "kernels.def"
};

const char *const question_names[question_count] = {"touches", "inside", "contains"};

/* Rows of b that stay in the cache while all of a pass; a multiple of 64, so that tiles share no word. */
enum { TILE = 4096 };

static bool answers_to(enum predicate p, enum question question)
{
    bool in = strcmp(answers[p], "in") == 0;
    return in || strcmp(answers[p], question == QUESTION_TOUCHES ? "touches" : "inside") == 0;
}

static bool find(struct relation *relation, size_t a, size_t b, enum question question)
{
    for (size_t i = 0; i < predicate_count; i++) {
        bool straight = predicate_shapes[i][0] == a && predicate_shapes[i][1] == b;
        bool swapped = predicate_shapes[i][0] == b && predicate_shapes[i][1] == a;
        if (!answers_to((enum predicate)i, question))
            continue;
        if (question == QUESTION_INSIDE ? !straight : question == QUESTION_CONTAINS ? !swapped : !straight && !swapped)
            continue;
        relation->predicate = (enum predicate)i;
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

enum abut_status relation_zip(const struct relation *relation, const struct columns *a, const struct columns *b,
                              enum abut_touch touch, uint64_t *hits)
{
    batch_call *zip = zips[relation->predicate];
    return relation->swapped ? zip(b, a, touch, hits) : zip(a, b, touch, hits);
}

/* The library's many-against-many has a row for each item of its first batch, which is B here. */
static enum abut_status swapped_all(const struct relation *relation, const struct columns *a, const struct columns *b,
                                    enum abut_touch touch, uint64_t *hits)
{
    size_t words = abut_mask_words(b->n);
    for (size_t first = 0; first < b->n; first += TILE) {
        struct columns tile = columns_slice(b, first, b->n - first < TILE ? b->n - first : TILE);
        for (size_t i = 0; i < a->n; i++) {
            struct columns row = columns_slice(a, i, 1);
            enum abut_status status = relation_zip(relation, &row, &tile, touch, hits + i * words + first / 64);
            if (status != ABUT_OK)
                return status;
        }
    }
    return ABUT_OK;
}

enum abut_status relation_all(const struct relation *relation, const struct columns *a, const struct columns *b,
                              enum abut_touch touch, uint64_t *hits)
{
    if (relation->swapped)
        return swapped_all(relation, a, b, touch, hits);
    return alls[relation->predicate](a, b, touch, hits);
}
