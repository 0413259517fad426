/* SPDX-License-Identifier: MIT */
/*
 * The loop of many against many: each of a block of items of a against the same words of b. Included by instantiate.h.
 * batch/hull.h treats hulls and items in the same way.
 */
#ifndef ABUT_BATCH_ALL_PAIRS_H
#define ABUT_BATCH_ALL_PAIRS_H

#include "batch/elementwise.h"

INLINE uint64_t valid_bits(valid_function *valid, const struct operand *operand, size_t i)
{
    uint64_t bits = 0;
    for (unsigned j = 0; j < 64; j += WIDTH) {
        struct filter_state p = start(RECHECK, v_set1(0), sticky_start());
        valid(&p, operand, i + j);
        bits |= m_bits(p.valid) << j;
    }
    return bits;
}

/* The valid items of a block, each in one place, and their rows. */
struct block {
    unsigned n;
    unsigned char row[ABUT_MAX_ROWS];
    float items[ABUT_MAX_ROWS][ABUT_MAX_FIELDS];
};

/*
 * Prefetches one of several parts of the chunk after the next, while the chunk at i is decided: a part a row. Without
 * it, hardware prefetchers start too late, as a chunk is computed with for long. Scalar code is slow enough for them.
 * Rows beyond the number of parts prefetch nothing. With fewer rows the hardware loads the rest.
 */
INLINE void prefetch_ahead(const struct operand *operand, size_t i, size_t n, size_t part, unsigned parts)
{
    enum { LINE = 64 / sizeof(float) };
    const unsigned length = CHUNK * 64 / parts;
    i += 2 * CHUNK * 64 + part * length;
    if (WIDTH > 1 && part < parts && i + length <= n)
        for (unsigned j = 0; j < length; j += LINE)
            UNROLL_FIELDS for (unsigned k = 0; k < operand->fields; k++) __builtin_prefetch(operand->at[k] + i + j);
}

/* Prefetches the next cache line of a row of hits: rows are too far apart for hardware prefetchers. */
INLINE void prefetch_line(const uint64_t *row, size_t word, size_t words)
{
    enum { LINE = 64 / sizeof *row };
    if (word % LINE == 0 && words - word > LINE)
        __builtin_prefetch(row + word + LINE, 1, 2);
}

/* Decides again the wanted pairs among i to i + 63 of row k of a block. */
typedef uint64_t recheck_row_word_function(const struct kernel_args *args, size_t k, size_t i, uint64_t wanted);

/* Several items against items i to i + 63 of b: the hits and the sticky flags of each. */
INLINE void decide_rows(enum mode mode, struct filter filter, unsigned rows, const struct operand *a,
                        const struct operand *b, v below, size_t i, struct sticky *sticky, uint64_t *bits)
{
    if (rows_unrolled(filter.predicate)) {
        UNROLL for (unsigned j = 0; j < 64; j += WIDTH)
        {
            UNROLL for (unsigned r = 0; r < rows; r++)
            {
                const uint64_t hits = decide_lanes(mode, filter, &a[r], b, below, i + j, &sticky[r]);
                bits[r] = in_turn(bits[r] | hits << j, j);
            }
        }
        return;
    }
    for (unsigned j = 0; j < 64; j += WIDTH)
        UNROLL for (unsigned r = 0; r < rows; r++)
        {
            bits[r] = push(bits[r], decide_lanes(mode, filter, &a[r], b, below, i + j, &sticky[r]));
        }
}

/* One or two items of a block, from the k-th on, against the words at i. */
INLINE void run_rows(enum mode mode, struct filter filter, unsigned rows, const struct block *block, size_t k,
                     const struct kernel_args *args, const struct operand *b, size_t i, size_t words,
                     const uint64_t *wanted, recheck_row_word_function *recheck_word, uint64_t *restrict hits)
{
    struct operand a[2];
    uint64_t *row[2];
    UNROLL for (unsigned r = 0; r < rows; r++)
    {
        a[r] = (struct operand){.fields = filter.fields_a, .one = true};
        UNROLL_FIELDS for (unsigned j = 0; j < filter.fields_a; j++) a[r].item[j] = block->items[k + r][j];
        row[r] = hits + block->row[k + r] * args->row_words;
        prefetch_line(row[r], i / 64, args->n / 64);
        prefetch_ahead(b, i, args->n, k + r, 8);
    }
    const v below = below_touch(args->closed);
    for (size_t w = 0; w < words; w++) {
        struct sticky sticky[2] = {sticky_start(), sticky_start()};
        uint64_t bits[2] = {0, 0};
        decide_rows(mode, filter, rows, a, b, below, i + w * 64, sticky, bits);
        UNROLL for (unsigned r = 0; r < rows; r++)
        {
            if (UNLIKELY(mode != UNCHECKED && !sticky_ok(sticky[r])))
                bits[r] = recheck_word(args, block->row[k + r], i + w * 64, wanted[w]);
            row[r][i / 64 + w] = bits[r] & wanted[w];
        }
    }
}

/*
 * Each item of the block against the words at i of b; of the last word only the first n items count. The items of b
 * are checked once for all rows. Invalid ones are taken out of the hits, so the filter need not look for them.
 */
INLINE void run_chunk(enum mode mode, struct filter filter, valid_function *valid, const struct block *block,
                      const struct kernel_args *args, size_t i, size_t words, unsigned n,
                      recheck_row_word_function *recheck_word, uint64_t *restrict hits)
{
    struct operand b;
    operand_set(&b, args->b, filter.fields_b, false);
    b.prevalidated = true;
    uint64_t wanted[CHUNK];
    for (size_t w = 0; w < words; w++)
        wanted[w] = valid_bits(valid, &b, i + w * 64);
    wanted[words - 1] &= UINT64_MAX >> (64 - n);
    const unsigned together = rows_together(filter.fields_b);
    size_t k = 0;
    for (; k + together <= block->n; k += together)
        run_rows(mode, filter, together, block, k, args, &b, i, words, wanted, recheck_word, hits);
    if (together > 1 && k < block->n)
        run_rows(mode, filter, 1, block, k, args, &b, i, words, wanted, recheck_word, hits);
}

/* Gathers the valid items of a. Invalid ones hit nothing. */
INLINE void block_take(struct block *block, invalid_function *invalid, unsigned fields, const struct kernel_args *args,
                       uint64_t *restrict hits)
{
    block->n = 0;
    for (size_t k = 0; k < args->rows; k++) {
        float *item = block->items[block->n];
        UNROLL_FIELDS for (unsigned j = 0; j < fields; j++) item[j] = args->a[j][k];
        block->row[block->n] = (unsigned char)k;
        if (UNLIKELY(invalid(item)))
            memset(hits + k * args->row_words, 0, (args->n + 63) / 64 * sizeof *hits);
        else
            block->n++;
    }
}

/* Several items against all of b, a chunk at a time, so that b comes from memory once for all of them. */
INLINE void run_block(enum mode mode, struct filter filter, valid_function *valid, const struct kernel_args *args,
                      recheck_row_word_function *recheck_word, uint64_t *restrict hits)
{
    struct block block;
    block_take(&block, filter.invalid_a, filter.fields_a, args, hits);
    args->stats->pairs += args->rows * args->n;
    float copy[ABUT_MAX_FIELDS][64];
    const float *at[ABUT_MAX_FIELDS];
    const size_t full = args->n / 64, all = (args->n + 63) / 64;
    struct kernel_args part = *args;
    for (size_t w = 0, words; w < all; w += words) {
        size_t i = w * 64;
        unsigned n = 64;
        words = full - w < CHUNK ? full - w : CHUNK;
        if (words == 0) {
            /* The last, partial word is a batch of its own. */
            words = 1;
            n = (unsigned)(args->n - i);
            pad(copy, at, (struct operand_at){args->b, filter.fields_b, false}, i, n, 64);
            part.b = at;
            part.n = n;
            hits += w;
            i = 0;
        }
        run_chunk(mode, filter, valid, &block, &part, i, words, n, recheck_word, hits);
    }
}

#endif
