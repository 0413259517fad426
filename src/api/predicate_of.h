/* SPDX-License-Identifier: MIT */
/* Which predicate answers a relation of two kinds of sets. */
#ifndef ABUT_API_PREDICATE_OF_H
#define ABUT_API_PREDICATE_OF_H

#include "dispatch/kernel_table.h"

#include <abut/abut.h>

struct found_predicate {
    bool exists;
    bool swapped;  /* its a is the second set; of relations that are symmetric */
    bool of_hulls; /* hull_predicate says which, else predicate does */
    unsigned char fields_a, fields_b;
    union {
        enum predicate predicate;
        enum hull_predicate hull_predicate;
    };
};

struct found_predicate abut_find_predicate(enum abut_relation relation, enum abut_set_kind a, enum abut_set_kind b);

#endif
