/* SPDX-License-Identifier: MIT */
/* Makes every kernel of predicates.def in the vocabulary of the including ISA file, and the one table it exports. */
#ifndef ABUT_BATCH_INSTANTIATE_H
#define ABUT_BATCH_INSTANTIATE_H

#include "batch/all_pairs.h"
#include "batch/block.h"
#include "batch/distance.h"
#include "batch/elementwise.h"
#include "batch/hull.h"
#include "batch/pairs.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#if defined(ABUT_EMULATED)
#define TABLE JOIN(JOIN(abut_kernels_, ISA), _emulated)
#elif defined(ABUT_UNCHECKED)
#define TABLE JOIN(JOIN(abut_kernels_, ISA), _unchecked)
#elif defined(ABUT_INEXACT)
#define TABLE JOIN(JOIN(abut_kernels_, ISA), _inexact)
#else
#define TABLE JOIN(abut_kernels_, ISA)
#endif
extern const struct isa TABLE;

#define STRING_(a) #a
#define STRING(a) STRING_(a)

/* The price of exactness is measured against the same loop without it. */
#ifdef ABUT_UNCHECKED
#define MODE_FAST UNCHECKED
#define MODE_PREVALIDATED UNCHECKED
#define MODE_DECIDE UNCHECKED
#else
#define MODE_FAST FAST
#define MODE_PREVALIDATED PREVALIDATED
#define MODE_DECIDE DECIDE
#endif

#define INSTANCE(name, broadcast, mode, one_a, one_b)                                                                  \
    COLD static uint64_t name##_##broadcast##_recheck_word(const struct kernel_args *args, size_t i, unsigned n)       \
    {                                                                                                                  \
        return recheck_copied(name##_recheck, args, (struct operand_at){args->a, name##_loop.fields_a, one_a},         \
                              (struct operand_at){args->b, name##_loop.fields_b, one_b}, i, n,                         \
                              UINT64_MAX >> (64 - n));                                                                 \
    }                                                                                                                  \
    __attribute__((noinline)) static uint64_t name##_##broadcast##_last(const struct kernel_args *args)                \
    {                                                                                                                  \
        return run_last(mode, name##_loop, args, one_a, one_b, name##_##broadcast##_recheck_word);                     \
    }                                                                                                                  \
    static void name##_##broadcast(const struct kernel_args *args, uint64_t *restrict hits)                            \
    {                                                                                                                  \
        run(mode, name##_loop, args, one_a, one_b, name##_##broadcast##_recheck_word, name##_##broadcast##_last,       \
            hits);                                                                                                     \
    }

#define SHAPE(name, plural, fields)                                                                                    \
    INLINE void name##_lanes_valid(struct filter_state *p, const struct operand *operand, size_t i)                    \
    {                                                                                                                  \
        name##_valid(p, v_##name##_load(operand, i));                                                                  \
    }                                                                                                                  \
    static bool plural##_valid(const float *const *columns, size_t n)                                                  \
    {                                                                                                                  \
        return all_valid(name##_lanes_valid, columns, name##_fields, n);                                               \
    }
#include "tables/shapes.def"

#define KERNELS_columns(name, shape_a, shape_b)                                                                        \
    INLINE void name##_lanes(struct filter_state *p, const struct operand *a, const struct operand *b, size_t i)       \
    {                                                                                                                  \
        name##_filter(p, v_##shape_a##_load(a, i), v_##shape_b##_load(b, i));                                          \
    }                                                                                                                  \
    static const struct filter name##_loop = {name##_lanes,           predicate_##name, shape_a##_item_invalid,        \
                                              shape_b##_item_invalid, shape_a##_fields, shape_b##_fields};             \
    COLD static uint64_t name##_recheck(const struct kernel_args *args, size_t i, uint64_t wanted)                     \
    {                                                                                                                  \
        return recheck_lanes(name##_loop, args, i, wanted);                                                            \
    }                                                                                                                  \
    INSTANCE(name, zip, MODE_FAST, false, false)                                                                       \
    INSTANCE(name, one_many, MODE_FAST, true, false)                                                                   \
    INSTANCE(name, many_one, MODE_FAST, false, true)                                                                   \
    COLD static uint64_t name##_recheck_row_word(const struct kernel_args *args, size_t k, size_t i, uint64_t wanted)  \
    {                                                                                                                  \
        const float *item[ABUT_MAX_FIELDS];                                                                            \
        for (unsigned j = 0; j < shape_a##_fields; j++)                                                                \
            item[j] = args->a[j] + k;                                                                                  \
        return recheck_copied(name##_recheck, args, (struct operand_at){item, shape_a##_fields, true},                 \
                              (struct operand_at){args->b, shape_b##_fields, false}, i, 64, wanted);                   \
    }                                                                                                                  \
    static void name##_many_many(const struct kernel_args *args, uint64_t *restrict hits)                              \
    {                                                                                                                  \
        run_block(MODE_PREVALIDATED, name##_loop, shape_b##_lanes_valid, args, name##_recheck_row_word, hits);         \
    }

#define HULL_PART(name, part, mode)                                                                                    \
    __attribute__((noinline)) static void name##_##part(const struct hull_args *args, struct boundary *boundary,       \
                                                        uint64_t *restrict hits)                                       \
    {                                                                                                                  \
        hull_##part(mode, name##_kernel, args, boundary, name##_recheck, hits);                                        \
    }
#define KERNELS_hulls(name, shape_a, shape_b)                                                                          \
    COLD static struct hull_word name##_recheck(const struct hull_args *args, size_t k, size_t i, uint64_t wanted)     \
    {                                                                                                                  \
        return hull_recheck_lanes(name##_kernel, args, k, i, wanted);                                                  \
    }                                                                                                                  \
    HULL_PART(name, one, MODE_FAST)                                                                                    \
    HULL_PART(name, several, MODE_PREVALIDATED)                                                                        \
    HULL_PART(name, last_word, MODE_FAST)                                                                              \
    static void name##_batch(const struct hull_args *args, uint64_t *restrict hits)                                    \
    {                                                                                                                  \
        hull_run(name##_kernel, args, name##_one, name##_several, name##_last_word, hits);                             \
    }
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function)
/*
 * Next to a better instruction set in a small build, scalar code serves a few pairs alone, and block functions would not
 * pay: these pairs are resolved at once. Rechecks are left out of all sets of a small build. With both, the npm package
 * has a third more compressed bytes.
 */
#ifdef ABUT_SHARED_LOOPS
#define BLOCK_PREDICATE(name, shape_a, shape_b, relation, function)
#else
#define BLOCK_PREDICATE(name, shape_a, shape_b, relation, function)                                                    \
    BY_LAYOUT(BLOCK_FUNCTIONS, shape_b, name, shape_a, shape_b)
#endif
#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(KERNELS, shape_b, name, shape_a, shape_b)
#define DISTANCE_INSTANCE(name, shape_a, shape_b, broadcast, one_a, one_b)                                             \
    static void name##_whole_##broadcast(const struct distance_args *args)                                             \
    {                                                                                                                  \
        distances_whole(name##_distances, shape_a##_fields, shape_b##_fields, one_a, one_b, args);                     \
    }                                                                                                                  \
    static void name##_distances_##broadcast(const struct distance_args *args)                                         \
    {                                                                                                                  \
        distances_run(args, (struct operand_at){args->a, shape_a##_fields, one_a},                                     \
                      (struct operand_at){args->b, shape_b##_fields, one_b}, name##_whole_##broadcast);                \
    }
#define DISTANCE(name, shape_a, shape_b, function)                                                                     \
    INLINE struct distance name##_distances(const struct operand *a, const struct operand *b, size_t i)                \
    {                                                                                                                  \
        return name##_distance(v_##shape_a##_load(a, i), v_##shape_b##_load(b, i));                                    \
    }                                                                                                                  \
    DISTANCE_INSTANCE(name, shape_a, shape_b, zip, false, false)                                                       \
    DISTANCE_INSTANCE(name, shape_a, shape_b, one_many, true, false)                                                   \
    DISTANCE_INSTANCE(name, shape_a, shape_b, many_one, false, true)
#include "tables/predicates.def"

#include "bvh/build/centres.h"
#include "bvh/search/search.h"

#define ENTRY_columns(name)                                                                                            \
    [predicate_##name] = {                                                                                             \
        .zip = name##_zip, .one_many = name##_one_many, .many_one = name##_many_one, .many_many = name##_many_many},
#define ENTRY_hulls(name) [predicate_##name] = {.hulls = name##_batch},
#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(ENTRY, shape_b, name)
#ifdef ABUT_NO_UNROLLING
#define BLOCK_ENTRY_columns(name) [predicate_##name] = {.filter = name##_block_filter},
#else
#define BLOCK_ENTRY_columns(name) [predicate_##name] = {.filter = name##_block_filter, .recheck = name##_block_recheck},
#endif
#define BLOCK_ENTRY_hulls(name) [predicate_##name] = {.hull_filter = name##_hull_filter},
#ifdef ABUT_SHARED_LOOPS
#define BLOCK_PREDICATE(name, shape_a, shape_b, relation, function)
#else
#define BLOCK_PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(BLOCK_ENTRY, shape_b, name)
#endif
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function)
#define SHAPE(name, plural, fields) plural##_valid,
#define SEARCH(query, item, predicate, order) query##_##item##_search,
#define SELF(shape, predicate) self_##shape##_search,
#define BLOCK_SEARCH(query, item, predicate, order) block_search,
#define BLOCK_SELF(shape, predicate) block_search,
const struct isa TABLE = {
    STRING(ISA),
    WIDTH,
    {
#include "tables/predicates.def"
    },
    {
#include "tables/shapes.def"
    },
    {
#include "tables/searches.def"
        NULL,
    },
    {
#define INDEXED_SHAPE(name, plural, fields) [shape_##name] = name##_centres,
#include "tables/shapes.def"
    },
    block_extent,
    block_keys,
    {
#define DISTANCE(name, shape_a, shape_b, function)                                                                     \
    {name##_distances_zip, name##_distances_one_many, name##_distances_many_one},
#include "tables/predicates.def"
    },
};

#endif
