/* SPDX-License-Identifier: MIT */
/*
 * The block functions of a predicate: its filter on many pairs of columns, which gives two masks, hits and undecided.
 * The loops around them are the same for all predicates and instruction sets, and stand in batch/pairs.c. Included by
 * instantiate.h.
 */
#ifndef ABUT_BATCH_BLOCK_H
#define ABUT_BATCH_BLOCK_H

#include "batch/elementwise.h"
#include "hull/hull.h"

/* Applies a filter to a vector of pairs, whose items begin at these places of the columns. */
typedef void pair_lanes_function(struct filter_state *p, const struct operand *a, const struct operand *b, size_t at_a,
                                 size_t at_b);

INLINE void run_filter(enum mode mode, pair_lanes_function *lanes, unsigned fields_a, unsigned fields_b,
                       const struct block_args *args, uint64_t *restrict hits, uint64_t *restrict undecided)
{
    struct operand a, b;
    operand_set(&a, args->a, fields_a, false);
    operand_set(&b, args->b, fields_b, false);
    const size_t moves_a = args->one_a ? 0 : SIZE_MAX, moves_b = args->one_b ? 0 : SIZE_MAX, n = args->n;
    const v below = below_touch(args->closed);
    for (size_t i = 0; i < n; i += 64) {
        const size_t end = n - i < 64 ? n - i : 64;
        uint64_t hit = 0, open = 0;
        for (size_t j = 0; j < end; j += WIDTH) {
            struct filter_state p = start(mode, below, sticky_start());
            lanes(&p, &a, &b, (i + j) & moves_a, (i + j) & moves_b);
            hit |= m_bits(m_and(p.valid, m_andnot(p.hit, p.undecided))) << j;
            open |= m_bits(m_and(p.valid, p.undecided)) << j;
        }
        hits[i / 64] = hit;
        undecided[i / 64] = open;
    }
}

/*
 * A filter need not look for invalid items, as long as it calls no pair with one a hit: those that it leaves undecided
 * are discarded by the recheck, or else by the stages of a pair.
 */
#define BLOCK_FUNCTIONS_columns(name, shape_a, shape_b)                                                                \
    INLINE void name##_pair_lanes(struct filter_state *p, const struct operand *a, const struct operand *b,            \
                                  size_t at_a, size_t at_b)                                                            \
    {                                                                                                                  \
        const struct v_##shape_a item_a = v_##shape_a##_load(a, at_a);                                                 \
        const struct v_##shape_b item_b = v_##shape_b##_load(b, at_b);                                                 \
        name##_filter(p, item_a, item_b);                                                                              \
        if (p->mode == RECHECK) {                                                                                      \
            shape_a##_valid(p, item_a);                                                                                \
            shape_b##_valid(p, item_b);                                                                                \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_block_filter(const struct block_args *args, uint64_t *restrict hits,                            \
                                    uint64_t *restrict undecided)                                                      \
    {                                                                                                                  \
        run_filter(MODE_DECIDE, name##_pair_lanes, shape_a##_fields, shape_b##_fields, args, hits, undecided);         \
    }                                                                                                                  \
    BLOCK_RECHECK(name, shape_a, shape_b)

#ifdef ABUT_NO_UNROLLING
#define BLOCK_RECHECK(name, shape_a, shape_b)
#else
#define BLOCK_RECHECK(name, shape_a, shape_b)                                                                          \
    COLD static void name##_block_recheck(const struct block_args *args, uint64_t *restrict hits,                      \
                                          uint64_t *restrict undecided)                                                \
    {                                                                                                                  \
        run_filter(RECHECK, name##_pair_lanes, shape_a##_fields, shape_b##_fields, args, hits, undecided);             \
    }
#endif

/* Applies a filter to a vector of items and one hull. */
typedef void hull_item_lanes_function(struct filter_state *p, const struct operand *a, const struct hull *hull,
                                      size_t i);

INLINE void run_hull_filter(enum mode mode, hull_item_lanes_function *lanes, unsigned fields,
                            const struct hull_block_args *args, uint64_t *restrict hits, uint64_t *restrict undecided)
{
    struct operand a;
    operand_set(&a, args->items, fields, false);
    for (size_t i = 0; i < args->n; i += 64) {
        const size_t end = args->n - i < 64 ? args->n - i : 64;
        uint64_t hit = 0, open = 0;
        for (size_t j = 0; j < end; j += WIDTH) {
            struct filter_state p = start(mode, v_set1(0), sticky_start());
            lanes(&p, &a, args->hull, i + j);
            hit |= m_bits(m_and(p.valid, m_andnot(p.hit, p.undecided))) << j;
            open |= m_bits(m_and(p.valid, p.undecided)) << j;
        }
        hits[i / 64] = hit;
        undecided[i / 64] = open;
    }
}

#define BLOCK_FUNCTIONS_hulls(name, shape_a, shape_b)                                                                  \
    INLINE void name##_hull_item_lanes(struct filter_state *p, const struct operand *a, const struct hull *hull,       \
                                       size_t i)                                                                       \
    {                                                                                                                  \
        name##_filter(p, v_##shape_a##_load(a, i), hull);                                                              \
    }                                                                                                                  \
    static void name##_hull_filter(const struct hull_block_args *args, uint64_t *restrict hits,                        \
                                   uint64_t *restrict undecided)                                                       \
    {                                                                                                                  \
        run_hull_filter(MODE_DECIDE, name##_hull_item_lanes, shape_a##_fields, args, hits, undecided);                 \
    }

#endif
