/* SPDX-License-Identifier: MIT */
/* One side of a batch as kernels see it: arrays, or one item that stands for all; and vectors of its members. */
#ifndef ABUT_KERNELS_OPERAND_H
#define ABUT_KERNELS_OPERAND_H

#include "kernels/filter.h"

/*
 * One side of a batch: its arrays, or the members of the one item that stands for all. A copy, so that it can stay in
 * registers.
 */
struct operand {
    unsigned fields;
    bool one;
    bool prevalidated; /* somebody else sees to it that bad items are no hits */
    const float *at[ABUT_MAX_FIELDS];
    float item[ABUT_MAX_FIELDS];
};

/* Pointers that the compiler loads several at a time, as vectors, come back from these slowly. */
INLINE const float *in_register(const float *column)
{
    __asm__("" : "+r"(column));
    return column;
}

INLINE void operand_set(struct operand *operand, const float *const *at, unsigned fields, bool one)
{
    operand->fields = fields;
    operand->one = one;
    operand->prevalidated = false;
    /* Not a loop: clang unrolls too late to keep the arrays out of memory. */
#define TAKE(k)                                                                                                        \
    do {                                                                                                               \
        if ((k) < fields) {                                                                                            \
            operand->at[k] = in_register(at[k]);                                                                       \
            operand->item[k] = one ? *operand->at[k] : 0;                                                              \
        }                                                                                                              \
    } while (0)
    TAKE(0);
    TAKE(1);
    TAKE(2);
    TAKE(3);
    TAKE(4);
    TAKE(5);
    TAKE(6);
    TAKE(7);
    TAKE(8);
    TAKE(9);
    TAKE(10);
    TAKE(11);
    TAKE(12);
    TAKE(13);
    TAKE(14);
    _Static_assert(ABUT_MAX_FIELDS == 15, "one TAKE a field");
}

/* What is broadcast is loop-invariant: the compiler loads it, and computes with it, once a batch. */
#define F(member)                                                                                                      \
    item.member = operand->one ? v_set1(operand->item[k]) : v_load(operand->at[k] + i);                                \
    if (member_kept(shape, k) && !operand->one)                                                                        \
        item.member = v_keep(item.member);                                                                             \
    k++;
#define SHAPE(name, plural, fields)                                                                                    \
    INLINE struct v_##name v_##name##_load(const struct operand *operand, size_t i)                                    \
    {                                                                                                                  \
        const enum shape shape = shape_##name;                                                                         \
        struct v_##name item;                                                                                          \
        unsigned k = 0;                                                                                                \
        fields return item;                                                                                            \
    }
#include "tables/shapes.def"

#endif
