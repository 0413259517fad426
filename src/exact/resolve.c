/* SPDX-License-Identifier: MIT */
/* The middle stage and the judge: the scalar formulas of kernels/, compiled once for each of three kinds of number. */
#include "exact/resolve.h"

#include "exact/bounded.h"
#include "exact/dyadic.h"
#include "hull/hull.h"
#include "kernels/items.h"

#define JUDGE(name) name##_middle
#define NUMBER(operation) bounded_##operation
#define number struct bounded
#include "kernels/formulas.h"
#undef JUDGE
#undef NUMBER
#undef number

#define JUDGE(name) name##_compact
#define NUMBER(operation) compact_##operation
#define number struct compact
#include "kernels/formulas.h"
#undef JUDGE
#undef NUMBER
#undef number

#define JUDGE(name) name##_exact
#define NUMBER(operation) dyadic_##operation
#define number struct dyadic
#include "kernels/formulas.h"
#undef JUDGE
#undef NUMBER
#undef number

/* What few limbs cannot tell, many can. */
#define EXACT(name, ...)                                                                                               \
    enum answer answer = name##_compact(__VA_ARGS__);                                                                  \
    return answer != ANSWER_UNKNOWN ? answer : name##_exact(__VA_ARGS__);

typedef enum answer exact_function(const float *a, const float *b);

#define PREDICATE(name, shape_a, shape_b, question, function)                                                          \
    static enum answer name##_middle_of(const float *a, const float *b)                                                \
    {                                                                                                                  \
        return name##_middle(shape_a##_of(a), shape_b##_of(b));                                                        \
    }                                                                                                                  \
    static enum answer name##_exact_of(const float *a, const float *b)                                                 \
    {                                                                                                                  \
        EXACT(name, shape_a##_of(a), shape_b##_of(b))                                                                  \
    }
#include "tables/predicates.def"

#define PREDICATE(name, shape_a, shape_b, question, function) {name##_middle_of, name##_exact_of},
static const struct {
    exact_function *middle, *exact;
} exact[] = {
#include "tables/predicates.def"
};

enum answer abut_exact(enum predicate predicate, const float *a, const float *b)
{
    return exact[predicate].exact(a, b);
}

bool abut_resolve(enum predicate predicate, const float *a, const float *b, bool closed, struct abut_stats *stats)
{
    stats->undecided++;
    enum answer answer = exact[predicate].middle(a, b);
    if (answer == ANSWER_UNKNOWN) {
        stats->exact++;
        answer = exact[predicate].exact(a, b);
    }
    return answer == ANSWER_HIT || (closed && answer == ANSWER_TOUCH);
}

#define SHAPE(name, plural, fields) name##_item_invalid,
static bool (*const invalid[])(const float *item) = {
#include "tables/shapes.def"
};

bool abut_is_invalid(enum shape shape, const float *item)
{
    return invalid[shape](item);
}

static enum answer hull_middle(enum hull_predicate predicate, const struct hull *hull, const float *item,
                               const struct findings *found)
{
#define HULL_PREDICATE(name, shape, question, function)                                                                \
    case hull_predicate_##name:                                                                                        \
        return name##_middle(shape##_of(item), hull, found);
    switch (predicate) {
#include "tables/predicates.def"
    default:
        return ANSWER_MISS;
    }
}

/* Not in one function, which would have the stack of all. */
typedef enum answer hull_exact_function(const struct hull *hull, const float *item, const struct findings *found);

#define HULL_PREDICATE(name, shape, question, function)                                                                \
    static enum answer name##_exact_of(const struct hull *hull, const float *item, const struct findings *found)       \
    {                                                                                                                  \
        EXACT(name, shape##_of(item), hull, found)                                                                     \
    }
#include "tables/predicates.def"

#define HULL_PREDICATE(name, shape, question, function) name##_exact_of,
static hull_exact_function *const hull_exact[] = {
#include "tables/predicates.def"
};

static enum answer without_guess(enum answer answer)
{
    return answer == ANSWER_ELSEWHERE ? ANSWER_UNKNOWN : answer;
}

enum answer abut_hull_bounded64(enum hull_predicate predicate, const struct hull *hull, const float *item,
                                const struct findings *found)
{
    return without_guess(hull_middle(predicate, hull, item, found));
}

enum answer abut_hull_exact_from(enum hull_predicate predicate, const struct hull *hull, const float *item,
                                 const struct findings *found)
{
    return without_guess(hull_exact[predicate](hull, item, found));
}

enum answer abut_hull_at(const struct hull *hull, const float *sphere, const struct active *active, uint32_t among,
                         unsigned *beyond)
{
    EXACT(hull_at, sphere_of(sphere), hull, active, among, beyond)
}
