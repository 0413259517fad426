/* SPDX-License-Identifier: MIT */
/* Items as records: the members of an item are contiguous, so reading it touches one or two cache lines. */
#ifndef ABUT_BVH_BUILD_RECORDS_H
#define ABUT_BVH_BUILD_RECORDS_H

#include "bvh/build/bounds.h"
#include "bvh/transpose.h"
#include "dispatch/kernel_table.h"

/* A labelled record ends with the number of its item and a key. */
enum { LABELS = 2 };

static inline uint32_t record_item(const float *record, unsigned fields)
{
    uint32_t item;
    memcpy(&item, record + fields, sizeof item);
    return item;
}

static inline uint32_t record_key(const float *record, unsigned fields)
{
    return record_item(record, fields + 1);
}

/*
 * Writes items first to first + 3 as records of four columns or more, with LABELS labels or none. It stores whole
 * vectors: the store queue, where they wait for memory, then holds more records. If columns is not a multiple of 4, the
 * last vector overlaps the one before it.
 */
static inline void put_records(const float *const *at, unsigned fields, unsigned labels, size_t first,
                               const uint32_t *keys, float *const to[4])
{
    const unsigned columns = fields + labels;
    four column[ABUT_MAX_FIELDS + LABELS];
    for (unsigned k = 0; k < fields; k++)
        column[k] = four_load(at[k] + first);
    if (labels > 0) {
        column[fields] = (uint32_t)first + (four){0, 1, 2, 3};
        column[fields + 1] = four_load(keys + first);
    }
    for (unsigned k = 0; k < columns; k += 4) {
        const unsigned from = k + 4 <= columns ? k : columns - 4;
        four x[] = {column[from], column[from + 1], column[from + 2], column[from + 3]};
        transpose(x);
        for (unsigned j = 0; j < 4; j++)
            four_store(to[j] + from, x[j]);
    }
}

static inline void put_record(const float *const *at, unsigned fields, unsigned labels, size_t i, const uint32_t *keys,
                              float *record)
{
    for (unsigned k = 0; k < fields; k++)
        record[k] = at[k][i];
    if (labels > 0) {
        const uint32_t label[LABELS] = {(uint32_t)i, keys[i]};
        memcpy(record + fields, label, sizeof label);
    }
}

/*
 * Fills a leaf from records from[0] to from[LEAF - 1]; the record none stands in for UINT32_MAX. It reads four members
 * or more of each record.
 */
static inline void gather_records(const float *records, size_t stride, const uint32_t *from, unsigned fields,
                                  const float *none, float *leaf)
{
    const float *record[LEAF];
    for (unsigned i = 0; i < LEAF; i++)
        record[i] = from[i] == UINT32_MAX ? none : records + from[i] * stride;
    for (unsigned i = 0; i < LEAF; i += 4)
        for (unsigned k = 0; k < fields; k += 4) {
            const unsigned first = k + 4 <= fields || fields < 4 ? k : fields - 4;
            four x[4];
            for (unsigned j = 0; j < 4; j++)
                x[j] = four_load(record[i + j] + first);
            transpose(x);
            for (unsigned j = 0; j < 4 && first + j < fields; j++)
                four_store(leaf + (first + j) * LEAF + i, x[j]);
        }
}

#endif
