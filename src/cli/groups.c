/* SPDX-License-Identifier: MIT */
/* Counting rows by label, moving them, and keeping pairs until all labels are done. */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

static size_t most_label(const struct table *table, size_t labels)
{
    for (size_t i = 0; i < table->rows.n; i++)
        if (table->labels[i] >= labels)
            labels = (size_t)table->labels[i] + 1;
    return labels;
}

static bool group(struct grouped *grouped, const struct table *table, size_t labels)
{
    const size_t n = table->rows.n;
    size_t *starts = calloc(labels + 2, sizeof *starts);
    uint32_t *order = malloc((n + 1) * sizeof *order);
    *grouped = (struct grouped){starts, order};
    if (!starts || !order)
        return false;
    /* starts[l + 1] is where label l begins, and in the end, after its rows have been placed, where it ends. */
    for (size_t i = 0; i < n; i++)
        starts[table->labels[i] + 2]++;
    for (size_t l = 0; l < labels; l++)
        starts[l + 2] += starts[l + 1];
    for (size_t i = 0; i < n; i++)
        order[starts[table->labels[i] + 1]++] = (uint32_t)i;
    return true;
}

enum abut_status groups_open(struct groups *groups, struct table *a, struct table *b)
{
    *groups = (struct groups){.labels = most_label(b, most_label(a, 0))};
    groups->offsets = calloc(a->rows.n + 1, sizeof *groups->offsets);
    groups->next = calloc(groups->labels + 1, sizeof *groups->next);
    if (!groups->offsets || !groups->next || !group(&groups->a, a, groups->labels) ||
        (a != b && !group(&groups->b, b, groups->labels)))
        return ABUT_ERROR_MEMORY;
    memcpy(groups->next, groups->a.starts, groups->labels * sizeof *groups->next);
    enum abut_status status = table_reorder(a, groups->a.order);
    if (a == b)
        groups->b = groups->a;
    else if (status == ABUT_OK)
        status = table_reorder(b, groups->b.order);
    return status;
}

void groups_begin(struct groups *groups, const struct table *a, size_t first, size_t end)
{
    groups->pass_end = end;
    groups->several = end - first > 1;
    groups->crowded = false;
    groups->hits_n = 0;
    memset(groups->offsets, 0, (a->rows.n + 1) * sizeof *groups->offsets);
}

size_t groups_rows(const struct groups *groups, size_t label)
{
    size_t end = groups->next[label];
    while (end < groups->a.starts[label + 1] && groups->a.order[end] < groups->pass_end)
        end++;
    return end - groups->next[label];
}

/* The most hits at a time, unless one row has more: 16 MB. */
enum { MOST_HITS = 1 << 22 };

static bool enlarge(struct groups *groups, size_t n)
{
    if (n <= groups->capacity - groups->hits_n)
        return true;
    const size_t wanted = groups->hits_n + n, twice = 2 * groups->capacity;
    const size_t capacity = wanted < twice && twice <= MOST_HITS ? twice : wanted < MOST_HITS ? MOST_HITS : wanted;
    uint32_t *hits = capacity <= SIZE_MAX / sizeof *hits ? realloc(groups->hits, capacity * sizeof *hits) : NULL;
    if (!hits)
        return false;
    groups->hits = hits;
    groups->capacity = capacity;
    return true;
}

void groups_take(struct groups *groups, size_t row, size_t first, const uint32_t *items, size_t n)
{
    groups->crowded |= groups->several && groups->hits_n + n > MOST_HITS;
    groups->failed |= !groups->crowded && !enlarge(groups, n);
    if (groups->failed || groups->crowded)
        return;
    for (size_t i = 0; i < n; i++)
        groups->hits[groups->hits_n++] = groups->b.order[first + items[i]];
    groups->offsets[row + 1] += n;
}

void groups_write(struct groups *groups, const struct table *a, size_t first, struct pair_output *output)
{
    for (size_t i = 0; i < a->rows.n; i++)
        groups->offsets[i + 1] += groups->offsets[i];
    for (size_t i = first; i < groups->pass_end && !output->output.error; i++) {
        /* The rows of a label come in their order. */
        const size_t at = groups->next[a->labels[i]]++;
        const uint64_t begin = groups->offsets[at], end = groups->offsets[at + 1];
        if (begin < end)
            pairs_write(output, i, 0, groups->hits + begin, (size_t)(end - begin));
    }
}

void groups_close(struct groups *groups)
{
    if (groups->b.order != groups->a.order) {
        free(groups->b.starts);
        free(groups->b.order);
    }
    free(groups->a.starts);
    free(groups->a.order);
    free(groups->offsets);
    free(groups->next);
    free(groups->hits);
}
