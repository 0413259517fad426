/* SPDX-License-Identifier: MIT */
/* Batches on the heap; each column is allocated at its exact size, so that sanitizers see any access past it. */
#include "batches.h"
#include "options.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        abort();
    return memory;
}

struct batch batch_new(enum shape shape, size_t n)
{
    struct batch batch = {.shape = shape, .fields = shape_info(shape)->fields, .n = n};
    for (unsigned k = 0; k < batch.fields; k++)
        batch.at[k] = allocate(n * sizeof(float));
    if (shape == shape_hull) {
        batch.offsets = allocate((n + 1) * sizeof *batch.offsets);
        for (size_t i = 0; i <= n; i++)
            batch.offsets[i] = (uint32_t)i;
        for (unsigned k = 0; k < batch.fields; k++)
            memset(batch.at[k], 0, n * sizeof(float));
    }
    return batch;
}

struct batch batch_copy(const struct batch *batch, size_t first, size_t n)
{
    struct batch copy = batch_new(batch->shape, n);
    for (size_t i = 0; i < n; i++) {
        float item[MAX_MEMBERS];
        batch_get(batch, first + i, item);
        batch_set(&copy, i, item);
    }
    return copy;
}

void batch_free(struct batch *batch)
{
    for (unsigned k = 0; k < batch->fields; k++)
        free(batch->at[k]);
    free(batch->offsets);
    *batch = (struct batch){.n = 0};
}

/* Makes place for so many planes of a hull: moves those of the later hulls. */
static void resize_hull(struct batch *batch, size_t i, unsigned planes)
{
    uint32_t *offsets = batch->offsets;
    const uint32_t old_end = offsets[i + 1], end = offsets[i] + planes, old_total = offsets[batch->n];
    const uint32_t total = old_total - old_end + end, most = total > old_total ? total : old_total;
    for (unsigned k = 0; k < batch->fields; k++) {
        float *larger = realloc(batch->at[k], most * sizeof *larger);
        memmove(larger + end, larger + old_end, (old_total - old_end) * sizeof *larger);
        batch->at[k] = realloc(larger, total * sizeof *larger);
    }
    for (size_t j = i + 1; j <= batch->n; j++)
        offsets[j] += end - old_end;
}

void batch_set(struct batch *batch, size_t i, const float *item)
{
    const bool hull = batch->offsets != NULL;
    if (hull)
        resize_hull(batch, i, planes_of(item));
    const unsigned rows = hull ? planes_of(item) : 1;
    const float *from = item + first_member(batch->shape);
    for (unsigned row = 0; row < rows; row++)
        for (unsigned k = 0; k < batch->fields; k++)
            memcpy(&batch->at[k][(hull ? batch->offsets[i] : i) + row], from++, sizeof *from);
}

void batch_get(const struct batch *batch, size_t i, float *item)
{
    const bool hull = batch->offsets != NULL;
    const unsigned rows = hull ? batch->offsets[i + 1] - batch->offsets[i] : 1;
    float *to = item + first_member(batch->shape);
    if (hull) {
        memset(item, 0, HULL_PLANES * sizeof *item);
        item[HULL_COUNT] = (float)rows;
    }
    for (unsigned row = 0; row < rows; row++)
        for (unsigned k = 0; k < batch->fields; k++)
            memcpy(to++, &batch->at[k][(hull ? batch->offsets[i] : i) + row], sizeof *to);
}

struct columns batch_columns(const struct batch *batch)
{
    struct columns columns = {.shape = batch->shape, .fields = batch->fields, .n = batch->n, .offsets = batch->offsets};
    for (unsigned k = 0; k < batch->fields; k++)
        columns.at[k] = batch->at[k];
    return columns;
}

void batches_of_pairs(const struct subject *subject, enum kind kind, struct random *random, size_t n, struct batch *a,
                      struct batch *b)
{
    *a = batch_new(subject->shape_a, n);
    *b = batch_new(subject->shape_b, n);
    for (size_t i = 0; i < n; i++) {
        float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
        make_any_pair(subject, kind, random, item_a, item_b);
        batch_set(a, i, item_a);
        batch_set(b, i, item_b);
    }
}

void batches_of_items(const struct subject *subject, enum kind kind, struct random *random, size_t n_a, size_t n_b,
                      struct batch *a, struct batch *b)
{
    struct theme theme = theme_of(kind, random);
    float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
    *a = batch_new(subject->shape_a, n_a);
    *b = batch_new(subject->shape_b, n_b);
    make_pair(subject, theme, FREE_BOTH, random, item_a, item_b);
    for (size_t i = 0; i < n_b; i++) {
        if (i > 0)
            make_pair(subject, theme, FREE_B, random, item_a, item_b);
        batch_set(b, i, item_b);
    }
    for (size_t i = 0; i < n_a; i++) {
        if (i > 0)
            make_pair(subject, theme, FREE_A, random, item_a, item_b);
        batch_set(a, i, item_a);
    }
}

static uint64_t *call(public_function *function, const struct subject *subject, const struct batch *a,
                      const struct batch *b, size_t words, enum abut_touch touch, struct abut_stats *stats)
{
    const struct columns columns_a = batch_columns(a), columns_b = batch_columns(b);
    uint64_t *hits = allocate(words * sizeof *hits);
    memset(hits, 0x5a, words * sizeof *hits);
    enum abut_status status = function(&columns_a, &columns_b, OPTIONS(touch, stats), hits);
    check_that(status == ABUT_OK, "%s of %zu and %zu: %s", subject->name, a->n, b->n, abut_status_text(status));
    return hits;
}

uint64_t *ask(const struct subject *subject, const struct batch *a, const struct batch *b, enum abut_touch touch,
              struct abut_stats *stats)
{
    size_t n = a->n == 1 ? b->n : a->n;
    return call(subject->call, subject, a, b, abut_mask_words(n), touch, stats);
}

uint64_t *ask_all(const struct subject *subject, const struct batch *a, const struct batch *b, enum abut_touch touch,
                  struct abut_stats *stats)
{
    const size_t words = of_hulls(subject) ? b->n * abut_mask_words(a->n) : a->n * abut_mask_words(b->n);
    return call(subject->call_all, subject, a, b, words, touch, stats);
}

bool hit_in_all(const struct subject *subject, const uint64_t *hits, size_t n_a, size_t n_b, size_t i, size_t j)
{
    return of_hulls(subject) ? hit_at(hits + j * abut_mask_words(n_a), i) : hit_at(hits + i * abut_mask_words(n_b), j);
}
