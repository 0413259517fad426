/* SPDX-License-Identifier: MIT */
/*
 * The loop over pairs, item by item: 64 pairs to a word of hits, in three broadcasts. Included by instantiate.h.
 *
 * A filter is passed as a function pointer that is constant at every call, so that it is inlined like the loop itself.
 * Instances differ in the broadcast side and in the mode.
 */
#ifndef ABUT_BATCH_ELEMENTWISE_H
#define ABUT_BATCH_ELEMENTWISE_H

#include "exact/resolve.h"
#include "kernels/filter.h"
#include "kernels/items.h"
#include "kernels/operand.h"

#include <string.h>

#define COLD __attribute__((noinline, cold))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/*
 * The end of the words from i on that share one look at the sticky flags: once words of that size. Up to singly each
 * word has a look of its own. None is beyond end.
 */
INLINE size_t end_of_words(size_t i, size_t end, unsigned once, size_t size, size_t singly)
{
    return once == 1 || i < singly ? i + size : end - i < once * size ? end : i + once * size;
}

/* Applies a filter to pairs i to i + WIDTH - 1. */
typedef void lanes_function(struct filter_state *p, const struct operand *a, const struct operand *b, size_t i);

/* Whether an item is invalid. */
typedef bool invalid_function(const float *item);

/* A predicate as the loop sees it; a constant wherever it is used. */
struct filter {
    lanes_function *lanes;
    enum predicate predicate;
    invalid_function *invalid_a, *invalid_b;
    unsigned fields_a, fields_b;
};

/* Puts the bits of one vector above those of the vectors before it, which move down. */
INLINE uint64_t push(uint64_t bits, uint64_t lanes)
{
    return bits >> WIDTH | lanes << (64 - WIDTH);
}

/*
 * The bits of a word so far, those at j the last. Without the barrier, compilers join the bits of all vectors at the
 * end of a word, and need registers for the masks until then.
 */
INLINE uint64_t in_turn(uint64_t bits, unsigned j)
{
    if (ends_turn(j / WIDTH))
        __asm__("" : "+r"(bits));
    return bits;
}

/* The hits of pairs i to i + WIDTH - 1. Not for RECHECK. */
INLINE uint64_t decide_lanes(enum mode mode, struct filter filter, const struct operand *a, const struct operand *b,
                             v below, size_t i, struct sticky *sticky)
{
    struct filter_state p = start(mode, below, *sticky);
    p.one_a = a->one;
    p.one_b = b->one;
    p.prevalidated = b->prevalidated;
    filter.lanes(&p, a, b, i);
    *sticky = p.sticky;
    return m_bits(p.hit);
}

/* The hits and sticky flags of pairs i to i + 63. Not for RECHECK. */
INLINE uint64_t decide(enum mode mode, struct filter filter, const struct operand *a, const struct operand *b, v below,
                       size_t i, struct sticky *sticky)
{
    uint64_t hits = 0;
    if (word_unrolled(filter.predicate)) {
        UNROLL for (unsigned j = 0; j < 64; j += WIDTH)
        {
            hits = in_turn(hits | decide_lanes(mode, filter, a, b, below, i + j, sticky) << j, j);
        }
        return hits;
    }
    for (unsigned j = 0; j < 64; j += WIDTH)
        hits = push(hits, decide_lanes(mode, filter, a, b, below, i + j, sticky));
    return hits;
}

/*
 * The hits of pairs first to end - 1, which are less than a word. There are end pairs in all, at least WIDTH, so the
 * last vector can begin before first where it would go beyond end. Not for RECHECK.
 */
INLINE uint64_t decide_rest(enum mode mode, struct filter filter, const struct operand *a, const struct operand *b,
                            v below, size_t first, size_t end, struct sticky *sticky)
{
    uint64_t hits = 0;
    for (size_t i = first; i < end; i += WIDTH) {
        const size_t at = end - i < WIDTH ? end - WIDTH : i;
        const uint64_t bits = decide_lanes(mode, filter, a, b, below, at, sticky);
        hits |= at < first ? bits >> (first - at) : bits << (at - first);
    }
    return hits;
}

/* The bound of hit_if_le(): -2^-149 < y - x means x <= y. */
INLINE v below_touch(bool closed)
{
    return v_set1(closed ? -0x1p-149f : 0);
}

/* Decides 64 pairs again, item by item, and resolves the wanted pairs that are undecided. Returns the wanted hits. */
INLINE uint64_t recheck_lanes(struct filter filter, const struct kernel_args *args, size_t i, uint64_t wanted)
{
    struct operand a, b;
    operand_set(&a, args->a, filter.fields_a, false);
    operand_set(&b, args->b, filter.fields_b, false);
    uint64_t hits = 0, undecided = 0;
    for (unsigned j = 0; j < 64; j += WIDTH) {
        if ((wanted >> j & UINT64_MAX >> (64 - WIDTH)) == 0)
            continue;
        struct filter_state p = start(RECHECK, below_touch(args->closed), sticky_start());
        filter.lanes(&p, &a, &b, i + j);
        hits |= m_bits(m_and(p.valid, m_andnot(p.hit, p.undecided))) << j;
        undecided |= m_bits(m_and(p.valid, p.undecided)) << j;
    }
    for (uint64_t left = undecided & wanted; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
        for (unsigned k = 0; k < filter.fields_a; k++)
            item_a[k] = args->a[k][i + lane];
        for (unsigned k = 0; k < filter.fields_b; k++)
            item_b[k] = args->b[k][i + lane];
        if (abut_resolve(filter.predicate, item_a, item_b, args->closed, args->stats))
            hits |= UINT64_C(1) << lane;
    }
    return hits & wanted;
}

typedef uint64_t recheck_function(const struct kernel_args *args, size_t i, uint64_t wanted);

/* Copies 1 to 63 floats in a few moves of constant length. */
INLINE void copy_few(float *to, const float *from, unsigned n)
{
#define COPY_TWICE(half)                                                                                               \
    if (n >= (half)) {                                                                                                 \
        memcpy(to, from, (half) * sizeof *to);                                                                         \
        memcpy(to + n - (half), from + n - (half), (half) * sizeof *to);                                               \
        return;                                                                                                        \
    }
    COPY_TWICE(32)
    COPY_TWICE(16)
    COPY_TWICE(8)
    COPY_TWICE(4)
    COPY_TWICE(2)
    *to = *from;
#undef COPY_TWICE
}

/* One side of a batch where it lies. */
struct operand_at {
    const float *const *at;
    unsigned fields;
    bool one; /* the first item stands for all */
};

/*
 * Copies n items from i on into vectors of so many lanes, which are more. The last item fills the rest: it cannot make
 * a decided word undecided. An item that stands for all is not copied. Not inlined, as it has many callers and is rare.
 */
__attribute__((noinline)) static void pad(float copy[][64], const float **at, struct operand_at from, size_t i,
                                          unsigned n, unsigned lanes)
{
    for (unsigned k = 0; k < from.fields; k++) {
        at[k] = from.at[k];
        if (from.one)
            continue;
        const float last = from.at[k][i + n - 1];
        for (unsigned j = 0; j < lanes; j += WIDTH)
            v_store(copy[k] + j, v_set1(last));
        copy_few(copy[k], from.at[k] + i, n);
        at[k] = copy[k];
    }
}

/* Makes a word of n items from i on, with copies of an item that stands for all. 64 items stay where they are. */
static void spread(float copy[][64], const float **at, struct operand_at from, size_t i, unsigned n)
{
    if (!from.one && n < 64) {
        pad(copy, at, from, i, n, 64);
        return;
    }
    for (unsigned k = 0; k < from.fields; k++) {
        at[k] = from.one ? copy[k] : from.at[k] + i;
        /* Vectors by hand, as the compiler optimises rare code for size. */
        for (unsigned j = 0; from.one && j < 64; j += WIDTH)
            v_store(copy[k] + j, v_set1(*from.at[k]));
    }
}

/*
 * Decides again the wanted pairs among i to i + n - 1. Whatever the broadcast, recheck() takes them item by item:
 * undecided words are rare, so one loop in mode RECHECK serves all broadcasts.
 */
static uint64_t recheck_copied(recheck_function *recheck, const struct kernel_args *args, struct operand_at a,
                               struct operand_at b, size_t i, unsigned n, uint64_t wanted)
{
    if (!a.one && !b.one && n == 64)
        return recheck(args, i, wanted);
    float copy_a[ABUT_MAX_FIELDS][64], copy_b[ABUT_MAX_FIELDS][64];
    const float *at_a[ABUT_MAX_FIELDS], *at_b[ABUT_MAX_FIELDS];
    spread(copy_a, at_a, a, i, n);
    spread(copy_b, at_b, b, i, n);
    struct kernel_args pairs = *args;
    pairs.a = at_a;
    pairs.b = at_b;
    return recheck(&pairs, 0, wanted);
}

/* Decides again all pairs i to i + n - 1 of one broadcast. */
typedef uint64_t recheck_word_function(const struct kernel_args *args, size_t i, unsigned n);

INLINE bool first_is_invalid(invalid_function *invalid, const float *const *at, unsigned fields)
{
    float item[ABUT_MAX_FIELDS];
    UNROLL_FIELDS for (unsigned k = 0; k < fields; k++) item[k] = *at[k];
    return invalid(item);
}

typedef uint64_t last_function(const struct kernel_args *args);

/*
 * Decides every full word, and has last() decide the rest. An item that stands for all is checked first: if it is
 * invalid, all pairs miss, and else the filter need not check it. The inner loop calls no function, so that its values
 * stay in registers.
 */
INLINE void run(enum mode mode, struct filter filter, const struct kernel_args *args, bool a_is_one, bool b_is_one,
                recheck_word_function *recheck_word, last_function *last, uint64_t *restrict hits)
{
    args->stats->pairs += args->n;
    if (mode != UNCHECKED && ((a_is_one && first_is_invalid(filter.invalid_a, args->a, filter.fields_a)) ||
                              (b_is_one && first_is_invalid(filter.invalid_b, args->b, filter.fields_b)))) {
        memset(hits, 0, (args->n + 63) / 64 * sizeof *hits);
        return;
    }
    struct operand a, b;
    operand_set(&a, args->a, filter.fields_a, a_is_one);
    operand_set(&b, args->b, filter.fields_b, b_is_one);
    const v below = below_touch(args->closed);
    const size_t full = args->n / 64 * 64;
    const unsigned once = words_at_once(filter.fields_a + filter.fields_b);
    for (size_t i = 0, singly = 0; i < full;) {
        size_t first = 0;
        bool ok = true;
        while (i < full && ok) {
            first = i;
            const size_t end = end_of_words(i, full, once, 64, singly);
            struct sticky sticky = sticky_start();
            do {
                hits[i / 64] = decide(mode, filter, &a, &b, below, i, &sticky);
                i += 64;
            } while (i < end);
            ok = mode == UNCHECKED || sticky_ok(sticky);
        }
        if (UNLIKELY(!ok)) {
            if (i - first == 64)
                hits[first / 64] = recheck_word(args, first, 64);
            else {
                singly = i + BACK_OFF * 64;
                i = first;
            }
        }
    }
    if (full < args->n)
        hits[full / 64] = last(args);
}

/* The last, partial word of a batch. */
INLINE uint64_t run_last(enum mode mode, struct filter filter, const struct kernel_args *args, bool a_is_one,
                         bool b_is_one, recheck_word_function *recheck_word)
{
    float copy_a[ABUT_MAX_FIELDS][64], copy_b[ABUT_MAX_FIELDS][64];
    const float *at_a[ABUT_MAX_FIELDS], *at_b[ABUT_MAX_FIELDS];
    const bool few = args->n < WIDTH;
    if (few) {
        pad(copy_a, at_a, (struct operand_at){args->a, filter.fields_a, a_is_one}, 0, (unsigned)args->n, WIDTH);
        pad(copy_b, at_b, (struct operand_at){args->b, filter.fields_b, b_is_one}, 0, (unsigned)args->n, WIDTH);
    }
    struct operand a, b;
    operand_set(&a, few ? at_a : args->a, filter.fields_a, a_is_one);
    operand_set(&b, few ? at_b : args->b, filter.fields_b, b_is_one);
    const size_t first = args->n / 64 * 64;
    const unsigned n = (unsigned)(args->n - first);
    const uint64_t wanted = UINT64_MAX >> (64 - n);
    struct sticky sticky = sticky_start();
    const uint64_t hits =
        decide_rest(mode, filter, &a, &b, below_touch(args->closed), first, few ? WIDTH : args->n, &sticky);
    if (UNLIKELY(mode != UNCHECKED && !sticky_ok(sticky)))
        return recheck_word(args, first, n);
    return hits & wanted;
}

/* A filter that only checks: its state has the valid lanes. */
typedef void valid_function(struct filter_state *p, const struct operand *operand, size_t i);

/* Whether n shapes are all valid. */
INLINE bool all_valid(valid_function *valid, const float *const *at, unsigned fields, size_t n)
{
    struct operand operand;
    operand_set(&operand, at, fields, false);
    m all = m_all();
    size_t full = n / WIDTH * WIDTH;
    for (size_t i = 0; i < full; i += WIDTH) {
        struct filter_state p = start(RECHECK, v_set1(0), sticky_start());
        valid(&p, &operand, i);
        all = m_and(all, p.valid);
    }
    if (full < n) {
        float copy[ABUT_MAX_FIELDS][64];
        const float *rest[ABUT_MAX_FIELDS];
        pad(copy, rest, (struct operand_at){at, fields, false}, full, (unsigned)(n - full), WIDTH);
        operand_set(&operand, rest, fields, false);
        struct filter_state p = start(RECHECK, v_set1(0), sticky_start());
        valid(&p, &operand, 0);
        all = m_and(all, p.valid);
    }
    return m_bits(all) == UINT64_MAX >> (64 - WIDTH);
}

#endif
