/* SPDX-License-Identifier: MIT */
/* Whether a moving sphere touches an item by some time, in rational arithmetic, from the definition. */
#ifndef ABUT_TESTS_CAST_ORACLE_H
#define ABUT_TESTS_CAST_ORACLE_H

#include "dispatch/kernel_table.h"

#include <gmp.h>

/* Members of a valid ray and of a valid item. end: the last time, or NULL for a ray without end. */
bool oracle_cast(const float from[3], const float motion[3], float r, enum shape shape, const float *item,
                 mpq_srcptr end);

#endif
