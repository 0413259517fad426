/* SPDX-License-Identifier: MIT */
/* Items as records, the members of each side by side: to read one touches a cache line or two. */
#ifndef ABUT_INDEX_RECORDS_H
#define ABUT_INDEX_RECORDS_H

#include "index/bounds.h"
#include "variant.h"

/* Copies item i of a batch. */
#define BOUNDED(name)                                                                                                  \
    static inline void name##_record(const float *const *at, size_t i, float *record)                                  \
    {                                                                                                                  \
        for (unsigned k = 0; k < name##_fields; k++)                                                                   \
            record[k] = at[k][i];                                                                                      \
    }
BOUNDED_SHAPES(BOUNDED)
#undef BOUNDED

#endif
