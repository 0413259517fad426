/* SPDX-License-Identifier: MIT */
/*
 * Pairs of hulls. Two hulls take some microseconds, and two AABBs less than a nanosecond: only hulls whose AABBs touch
 * are tested.
 */
#include "hull_pairs.h"

#include <abut/engine.h>
#include <abut/index.h>

#include <string.h>

enum abut_status boxes_of_hulls(struct table *boxes, const struct rows *hulls)
{
    union batch batch;
    const enum abut_status status = table_new(boxes, &kinds[ABUT_SET_AABBS], hulls->n + 1);
    boxes->rows.n = hulls->n;
    return status != ABUT_OK ? status : abut_aabbs_of_hulls(rows_set(hulls, &batch).items, boxes->memory);
}

enum abut_status hull_boxes_new(struct hull_boxes *boxes, const struct rows *a, const struct rows *b)
{
    *boxes = (struct hull_boxes){.a = {.kind = NULL}};
    const enum abut_status status = boxes_of_hulls(&boxes->a, a);
    return status != ABUT_OK ? status : boxes_of_hulls(&boxes->b, b);
}

void hull_boxes_free(struct hull_boxes *boxes)
{
    table_free(&boxes->a);
    table_free(&boxes->b);
}

/* Leaves the hits of row i of a whose hulls touch. */
static enum abut_status test_row(const struct rows *a, size_t i, const struct rows *b,
                                 const struct abut_options *options, uint64_t *hits)
{
    enum { SOME = 4096 };
    union batch batch_a, batch_b;
    const struct abut_set set_a = rows_set(a, &batch_a), set_b = rows_set(b, &batch_b);
    for (size_t first = 0; first < b->n; first += SOME) {
        uint32_t list[SOME];
        struct abut_pair pairs[SOME];
        uint64_t touch[SOME / 64], *word = hits + first / 64;
        const size_t some = b->n - first < SOME ? b->n - first : SOME, n = abut_mask_list(word, some, list, SOME);
        for (size_t k = 0; k < n; k++)
            pairs[k] = (struct abut_pair){(uint32_t)i, (uint32_t)(first + list[k])};
        const enum abut_status status = abut_test_pairs(ABUT_TOUCHES, set_a, set_b, pairs, n, options, touch);
        if (status != ABUT_OK)
            return status;
        options->stats->pairs += some - n;
        for (size_t k = 0; k < n; k++)
            if (!(touch[k / 64] >> k % 64 & 1))
                word[list[k] / 64] &= ~(UINT64_C(1) << list[k] % 64);
    }
    return ABUT_OK;
}

enum abut_status hull_pairs_all(const struct hull_boxes *boxes, const struct rows *a, size_t first_a,
                                const struct rows *b, size_t first_b, enum abut_touch touch, struct abut_stats *stats,
                                uint64_t *hits)
{
    const struct rows boxes_a = rows_slice(&boxes->a.rows, first_a, a->n),
                      boxes_b = rows_slice(&boxes->b.rows, first_b, b->n);
    const struct abut_options options = {.touch = touch, .stats = stats};
    union batch batch_a, batch_b;
    enum abut_status status =
        abut_test_all(ABUT_TOUCHES, rows_set(&boxes_a, &batch_a), rows_set(&boxes_b, &batch_b), NULL, hits);
    for (size_t i = 0; i < a->n && status == ABUT_OK; i++)
        status = test_row(a, i, b, &options, hits + i * abut_mask_words(b->n));
    return status;
}
