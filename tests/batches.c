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
    return batch;
}

struct batch batch_copy(const struct batch *batch, size_t first, size_t n)
{
    struct batch copy = batch_new(batch->shape, n);
    for (unsigned k = 0; k < copy.fields; k++)
        memcpy(copy.at[k], batch->at[k] + first, n * sizeof(float));
    return copy;
}

void batch_free(struct batch *batch)
{
    for (unsigned k = 0; k < batch->fields; k++)
        free(batch->at[k]);
    *batch = (struct batch){.n = 0};
}

void batch_set(struct batch *batch, size_t i, const float *item)
{
    for (unsigned k = 0; k < batch->fields; k++)
        memcpy(&batch->at[k][i], &item[k], sizeof item[k]);
}

void batch_get(const struct batch *batch, size_t i, float *item)
{
    for (unsigned k = 0; k < batch->fields; k++)
        memcpy(&item[k], &batch->at[k][i], sizeof item[k]);
}

struct columns batch_columns(const struct batch *batch)
{
    struct columns columns = {.shape = batch->shape, .fields = batch->fields, .n = batch->n};
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
        float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
        make_any_pair(subject, kind, random, item_a, item_b);
        batch_set(a, i, item_a);
        batch_set(b, i, item_b);
    }
}

void batches_of_items(const struct subject *subject, enum kind kind, struct random *random, size_t n_a, size_t n_b,
                      struct batch *a, struct batch *b)
{
    struct theme theme = theme_of(kind, random);
    float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
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
    return call(subject->call_all, subject, a, b, a->n * abut_mask_words(b->n), touch, stats);
}
