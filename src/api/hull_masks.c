/* SPDX-License-Identifier: MIT */
/* Items against several hulls: a mask for each item, and planes together with the hull's AABB. */
#include "api/sets.h"
#include "util/float_mode.h"

#include <abut/engine.h>

#include <string.h>

/* Words of hits at a time, of all hulls together: each block prepares the hulls again. */
enum { WORDS = 4096, MOST_HULLS = 32, BLOCK = 4096 };

/* Sets the bits of up to 64 items, from one word of hits of each hull. Most hits are few, or all. */
static void set_bits(const uint64_t *hits, size_t row_words, size_t hulls, uint32_t *masks)
{
    for (size_t j = 0; j < hulls; j++) {
        const uint32_t bit = UINT32_C(1) << j;
        uint64_t items = hits[j * row_words];
        for (size_t i = 0; items == UINT64_MAX && i < 64; i++)
            masks[i] |= bit;
        for (items = items == UINT64_MAX ? 0 : items; items != 0; items &= items - 1)
            masks[__builtin_ctzll(items)] |= bit;
    }
}

enum abut_status abut_test_masks(enum abut_relation relation, struct abut_set items, const struct abut_hulls *hulls,
                                 const struct abut_options *options, uint32_t *restrict masks)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct abut_set of_hulls = abut_of_hulls(hulls);
    const enum abut_status status = abut_check_test(options_of_abut_test_masks, relation, items, of_hulls, options);
    if (status != ABUT_OK)
        return status;
    const size_t n = batch_length(items.items);
    if (hulls->n > MOST_HULLS)
        return ABUT_ERROR_TOO_MANY;
    if (n > 0 && !masks)
        return ABUT_ERROR_NULL;
    const size_t block = WORDS / (hulls->n > 0 ? hulls->n : 1) * 64;
    for (size_t first = 0; first < n; first += block) {
        const size_t some = n - first < block ? n - first : block, row_words = abut_mask_words(some);
        uint64_t hits[WORDS];
        union any_batch any;
        abut_test_all(relation, abut_set_part(items, first, some, &any), of_hulls, options, hits);
        memset(masks + first, 0, some * sizeof *masks);
        for (size_t w = 0; w < row_words; w++)
            set_bits(hits + w, row_words, hulls->n, masks + first + w * 64);
    }
    return ABUT_OK;
}

/* Clears the bits of n items that do not touch their boxes. Items that are tested one by one are if they have a bit. */
static void keep_touching(struct abut_set items, struct abut_set boxes, size_t n, const struct abut_options *options,
                          uint64_t *hits)
{
    uint64_t touch[BLOCK / 64];
    if (items.kind != ABUT_SET_OBBS) {
        abut_test(ABUT_TOUCHES, items, boxes, options, touch);
        for (size_t w = 0; w < abut_mask_words(n); w++)
            hits[w] &= touch[w];
        return;
    }
    for (size_t i = 0; i < n; i++) {
        union any_batch any_item, any_box;
        if ((hits[i / 64] >> i % 64 & 1) == 0)
            continue;
        abut_test(ABUT_TOUCHES, abut_set_part(items, i, 1, &any_item), abut_set_part(boxes, i, 1, &any_box), options,
                  touch);
        hits[i / 64] &= ~((~touch[0] & 1) << i % 64);
    }
}

enum abut_status abut_test_cull_box(struct abut_set items, const struct abut_hulls *hulls,
                                    const struct abut_aabbs *boxes, const struct abut_options *options,
                                    uint64_t *restrict hits)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct abut_set of_hulls = abut_of_hulls(hulls), of_boxes = abut_of_aabbs(boxes);
    enum abut_status status = abut_check_test(options_of_abut_test_cull_box, ABUT_CULL, items, of_hulls, options);
    if (status == ABUT_OK)
        status = abut_check_test(options_of_abut_test_cull_box, ABUT_TOUCHES, items, of_boxes, options);
    if (status != ABUT_OK)
        return status;
    const size_t n_items = batch_length(items.items), n = n_items == 1 ? hulls->n : n_items;
    if (hulls->n != boxes->n || (n_items != hulls->n && n_items != 1 && hulls->n != 1))
        return ABUT_ERROR_LENGTHS;
    if (n > 0 && !hits)
        return ABUT_ERROR_NULL;
    for (size_t i = 0; i < n; i += BLOCK) {
        const size_t some = n - i < BLOCK ? n - i : BLOCK;
        union any_batch any_items, any_hulls, any_boxes;
        const struct abut_set part = abut_set_part(items, i, some, &any_items);
        abut_test(ABUT_CULL, part, abut_set_part(of_hulls, i, some, &any_hulls), options, hits + i / 64);
        keep_touching(part, abut_set_part(of_boxes, i, some, &any_boxes), some, options, hits + i / 64);
    }
    return ABUT_OK;
}
