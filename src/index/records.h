/* SPDX-License-Identifier: MIT */
/* Items as records: the members of each side by side, so that to read one in any order touches few cache lines. */
#ifndef ABUT_INDEX_RECORDS_H
#define ABUT_INDEX_RECORDS_H

#include "index/bounds.h"
#include "variant.h"

/* Floats from one record to the next: a power of two, so that a record of up to eight lies in one cache line. */
static inline unsigned record_stride(unsigned fields)
{
    return fields <= 4 ? 4 : fields <= 8 ? 8 : 16;
}

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
