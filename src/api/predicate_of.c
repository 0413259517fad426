/* SPDX-License-Identifier: MIT */
/* The exported table of predicates, and the table by relation and kinds. */
#include "api/predicate_of.h"

/*
 * An index of either shape can be searched for the other where the predicate is symmetric or of points, and both can be
 * indexed. tests/generic.c compares this with what an index does.
 */
#define INDEXED_SHAPE(name, plural, fields) indexed_##name = true,
#define SHAPE(name, plural, fields) indexed_##name = false,
#define HULL_SHAPE SHAPE
enum {
#include "tables/shapes.def"
};
#define SEARCHED_touches(a, b) (indexed_##a && indexed_##b)
#define SEARCHED_in(a, b) (indexed_##a && indexed_##b)
#define SEARCHED_inside(a, b) false
#define SEARCHED_cull(a, b) false

/* A point touches what it is inside of. */
#define RELATION_touches ABUT_TOUCHES
#define RELATION_inside ABUT_INSIDE
#define RELATION_in ABUT_INSIDE
#define RELATION_cull ABUT_CULL
#define KIND(shape) ((enum abut_set_kind)shape_##shape)

/* Items of an index are searched for hulls by any relation; hulls are not indexed. */
#define PREDICATE(name, shape_a, shape_b, relation, function)                                                          \
    {#name,                                                                                                            \
     RELATION_##relation,                                                                                              \
     KIND(shape_a),                                                                                                    \
     KIND(shape_b),                                                                                                    \
     #function,                                                                                                        \
     SEARCHED_##relation(shape_a, shape_b),                                                                            \
     SEARCHED_##relation(shape_a, shape_b) || (indexed_##shape_a && KIND(shape_b) == ABUT_SET_HULLS),                  \
     SEARCHED_##relation(shape_a, shape_b) && KIND(shape_a) == KIND(shape_b)},

const struct abut_predicate *abut_predicates(size_t *count)
{
    static const struct abut_predicate predicates[] = {
#include "tables/predicates.def"
    };
    if (count != NULL)
        *count = sizeof predicates / sizeof *predicates;
    return predicates;
}

#define ENTRY_touches(a, b, number) [ABUT_TOUCHES][a][b] = (number),
#define ENTRY_inside(a, b, number) [ABUT_INSIDE][a][b] = (number),
#define ENTRY_cull(a, b, number) [ABUT_CULL][a][b] = (number),
#define ENTRY_in(a, b, number) ENTRY_touches(a, b, number) ENTRY_inside(a, b, number)
#define PREDICATE(name, shape_a, shape_b, relation, function)                                                          \
    ENTRY_##relation(shape_##shape_a, shape_##shape_b, 1 + predicate_##name)
const unsigned char abut_predicate_numbers[ABUT_CULL + 1][ABUT_SET_INDEX + 1][ABUT_SET_INDEX + 1] = {
#include "tables/predicates.def"
};

#define F(member) +1
#define SHAPE(name, plural, fields) 0 fields,
const unsigned char abut_set_fields[ABUT_SET_INDEX + 1] = {
#include "tables/shapes.def"
};
