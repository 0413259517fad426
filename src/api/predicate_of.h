/* SPDX-License-Identifier: MIT */
/* Which predicate answers a relation of two kinds of sets, as a table. */
#ifndef ABUT_API_PREDICATE_OF_H
#define ABUT_API_PREDICATE_OF_H

#include "dispatch/kernel_table.h"

#include <abut/abut.h>

/* 1 + a predicate; 0 where there is none. */
extern const unsigned char abut_predicate_numbers[ABUT_CULL + 1][ABUT_SET_INDEX + 1][ABUT_SET_INDEX + 1];

/* The members of each kind of batch; 0 for hulls and indices. */
extern const unsigned char abut_set_fields[ABUT_SET_INDEX + 1];

#endif
