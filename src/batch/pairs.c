/* SPDX-License-Identifier: MIT */
/*
 * The loops around block functions, once for all predicates and instruction sets. A block function decides a chunk of
 * pairs; words with undecided pairs are rechecked in lanes, and what is left is resolved pair by pair.
 */
#include "batch/pairs.h"

#include "batch/resolve_pair.h"
#include "exact/resolve.h"

#include <string.h>

/*
 * The words that one call of a block function decides: a cheap one takes 6 ns a word, so that the call itself is a
 * small part. Rows are tested a chunk at a time, whose items then stay in the second cache.
 */
enum { CHUNK_WORDS = 64, ROW_CHUNK_WORDS = 16 };

/* One side of a batch: columns, or the tile of the one item that stands for all. */
struct side {
    enum shape shape;
    unsigned fields;
    bool one;
    const float *at[ABUT_MAX_FIELDS];
};

struct batch {
    const struct kernel *kernel;
    enum predicate predicate;
    unsigned width;
    bool closed;
    struct abut_stats *stats;
    struct side a, b;
};

static struct batch batch_of(const struct isa *isa, enum predicate predicate, const struct kernel_args *args)
{
    struct batch batch = {&isa->kernels[predicate],
                          predicate,
                          isa->width,
                          args->closed,
                          args->stats,
                          {.shape = (enum shape)abut_predicate_shapes[predicate][0]},
                          {.shape = (enum shape)abut_predicate_shapes[predicate][1]}};
    batch.a.fields = abut_shape_fields[batch.a.shape];
    batch.b.fields = abut_shape_fields[batch.b.shape];
    memcpy(batch.a.at, args->a, batch.a.fields * sizeof *args->a);
    memcpy(batch.b.at, args->b, batch.b.fields * sizeof *args->b);
    return batch;
}

static struct side moved_on(const struct side *side, size_t i)
{
    struct side moved = *side;
    for (unsigned k = 0; k < side->fields && !side->one; k++)
        moved.at[k] += i;
    return moved;
}

static void take_item(float item[ABUT_MAX_FIELDS], const struct side *side, size_t i)
{
    for (unsigned k = 0; k < side->fields; k++)
        item[k] = side->at[k][side->one ? 0 : i];
}

/* The hits among the wanted of n pairs, at most 64, that the filter left undecided. */
__attribute__((noinline)) static uint64_t resolve_word(const struct batch *batch, const struct side *a,
                                                       const struct side *b, size_t n, uint64_t wanted)
{
    uint64_t hits = 0;
    if (batch->kernel->recheck != NULL) {
        uint64_t undecided;
        const struct block_args args = {a->at, b->at, a->one, b->one, n, batch->closed};
        batch->kernel->recheck(&args, &hits, &undecided);
        hits &= wanted;
        wanted &= undecided;
    }
    for (; wanted != 0; wanted &= wanted - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(wanted);
        float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
        take_item(item_a, a, lane);
        take_item(item_b, b, lane);
        const bool filtered = batch->kernel->filter != NULL;
        hits |= (uint64_t)abut_resolve_pair(batch->predicate, item_a, item_b, filtered, batch->closed, batch->stats)
                << lane;
    }
    return hits;
}

/*
 * Decides n pairs; padded is their number rounded up to whole vectors, and as many can be read. A partial word is the
 * last.
 */
static void decide(const struct batch *batch, const struct side *a, const struct side *b, size_t n, size_t padded,
                   uint64_t *restrict hits)
{
    uint64_t undecided[CHUNK_WORDS];
    for (size_t i = 0; i < n; i += CHUNK_WORDS * 64) {
        const size_t some = padded - i < CHUNK_WORDS * 64 ? padded - i : CHUNK_WORDS * 64, words = (some + 63) / 64;
        const struct side chunk_a = moved_on(a, i), chunk_b = moved_on(b, i);
        uint64_t *chunk = hits + i / 64;
        if (batch->kernel->filter != NULL) {
            const struct block_args args = {chunk_a.at, chunk_b.at, a->one, b->one, some, batch->closed};
            batch->kernel->filter(&args, chunk, undecided);
        } else {
            memset(chunk, 0, words * sizeof *chunk);
            memset(undecided, 0xff, words * sizeof *undecided);
        }
        if (n % 64 != 0) {
            chunk[words - 1] &= UINT64_MAX >> (64 - n % 64);
            undecided[words - 1] &= UINT64_MAX >> (64 - n % 64);
        }
        for (size_t w = 0; w < words; w++)
            if (undecided[w] != 0) {
                const struct side word_a = moved_on(&chunk_a, w * 64), word_b = moved_on(&chunk_b, w * 64);
                const size_t rest = some - w * 64 < 64 ? some - w * 64 : 64;
                chunk[w] |= resolve_word(batch, &word_a, &word_b, rest, undecided[w]);
            }
    }
}

/* Copies n items, and fills the last vector with the last of them. */
static void pad(float copy[][64], struct side *side, size_t n, size_t padded)
{
    for (unsigned k = 0; k < side->fields && !side->one; k++) {
        memcpy(copy[k], side->at[k], n * sizeof(float));
        for (size_t i = n; i < padded; i++)
            copy[k][i] = copy[k][n - 1];
        side->at[k] = copy[k];
    }
}

/* Decides the pairs of the two sides. The last, partial word is copied, as vectors read beyond its end. */
static void run_sides(const struct batch *batch, const struct side *a, const struct side *b, size_t n,
                      uint64_t *restrict hits)
{
    const size_t full = n / 64 * 64, rest = n - full, width = batch->width;
    if (full > 0)
        decide(batch, a, b, full, full, hits);
    if (rest == 0)
        return;
    float copy_a[ABUT_MAX_FIELDS][64], copy_b[ABUT_MAX_FIELDS][64];
    struct side last_a = moved_on(a, full), last_b = moved_on(b, full);
    const size_t padded = (rest + width - 1) / width * width;
    pad(copy_a, &last_a, rest, padded);
    pad(copy_b, &last_b, rest, padded);
    decide(batch, &last_a, &last_b, rest, padded, hits + full / 64);
}

/* A tile of item i of a side. False if the item is invalid: it hits nothing. */
static bool make_tile(float tile[][ABUT_WIDEST], const struct side *from, size_t i, struct side *to)
{
    float item[ABUT_MAX_FIELDS];
    *to = *from;
    take_item(item, from, i);
    for (unsigned k = 0; k < from->fields; k++) {
        for (unsigned j = 0; j < ABUT_WIDEST; j++)
            tile[k][j] = item[k];
        to->at[k] = tile[k];
    }
    to->one = true;
    return !abut_is_invalid(from->shape, item);
}

static void run_one(const struct batch *batch, bool a_is_one, size_t n, uint64_t *restrict hits)
{
    float tile[ABUT_MAX_FIELDS][ABUT_WIDEST];
    struct side one;
    if (!make_tile(tile, a_is_one ? &batch->a : &batch->b, 0, &one))
        memset(hits, 0, (n + 63) / 64 * sizeof *hits);
    else if (a_is_one)
        run_sides(batch, &one, &batch->b, n, hits);
    else
        run_sides(batch, &batch->a, &one, n, hits);
}

static void run_rows(const struct batch *batch, size_t rows, size_t n, size_t row_words, uint64_t *restrict hits)
{
    for (size_t i = 0; i < n; i += ROW_CHUNK_WORDS * 64) {
        const size_t some = n - i < ROW_CHUNK_WORDS * 64 ? n - i : ROW_CHUNK_WORDS * 64;
        const struct side b = moved_on(&batch->b, i);
        for (size_t row = 0; row < rows; row++) {
            float tile[ABUT_MAX_FIELDS][ABUT_WIDEST];
            struct side a;
            uint64_t *to = hits + row * row_words + i / 64;
            if (make_tile(tile, &batch->a, row, &a))
                run_sides(batch, &a, &b, some, to);
            else
                memset(to, 0, (some + 63) / 64 * sizeof *to);
        }
    }
}

void abut_run_batch(const struct isa *isa, enum predicate predicate, enum broadcast broadcast,
                    const struct kernel_args *args, uint64_t *restrict hits)
{
    const struct kernel *kernel = &isa->kernels[predicate];
    batch_function *const loops[] = {kernel->zip, kernel->one_many, kernel->many_one, kernel->many_many};
    if (loops[broadcast] != NULL) {
        loops[broadcast](args, hits);
        return;
    }
    const struct batch batch = batch_of(isa, predicate, args);
    args->stats->pairs += args->n * (broadcast == BROADCAST_MANY_MANY ? args->rows : 1);
    if (broadcast == BROADCAST_ZIP)
        run_sides(&batch, &batch.a, &batch.b, args->n, hits);
    else if (broadcast == BROADCAST_MANY_MANY)
        run_rows(&batch, args->rows, args->n, args->row_words, hits);
    else
        run_one(&batch, broadcast == BROADCAST_ONE_MANY, args->n, hits);
}

uint64_t abut_run_wanted(const struct isa *isa, enum predicate predicate, const struct kernel_args *args,
                         uint64_t wanted)
{
    const struct batch batch = batch_of(isa, predicate, args);
    uint64_t hits = 0, undecided = wanted;
    if (batch.kernel->filter != NULL) {
        const struct block_args block = {args->a, args->b, false, false, args->n, args->closed};
        batch.kernel->filter(&block, &hits, &undecided);
        undecided &= wanted;
    }
    if (undecided != 0)
        hits |= resolve_word(&batch, &batch.a, &batch.b, args->n, undecided);
    return hits & wanted;
}
