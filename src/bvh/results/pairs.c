/* SPDX-License-Identifier: MIT */
/* Sorting pairs, which searches leave unsorted. */
#include "bvh/index.h"
#include "bvh/radix_sort.h"
#include "bvh/workspace.h"

static bool in_order(const struct abut_pair *pairs, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (entry(pairs[i - 1].a, pairs[i - 1].b) > entry(pairs[i].a, pairs[i].b))
            return false;
    return true;
}

static unsigned bits_of(uint32_t any)
{
    unsigned bits = 0;
    for (; any != 0; any >>= 1)
        bits++;
    return bits;
}

/* Sorts by b, and then by a with a stable sort. */
static void sort(struct abut_pair *pairs, size_t n, uint64_t *entries, uint64_t *spare)
{
    uint32_t starts[DIGITS], any_a = 0, any_b = 0;
    for (size_t i = 0; i < n; i++) {
        any_a |= pairs[i].a;
        any_b |= pairs[i].b;
        entries[i] = entry(pairs[i].b, pairs[i].a);
    }
    sort_entries(starts, entries, spare, n, bits_of(any_b));
    for (size_t i = 0; i < n; i++)
        entries[i] = entry((uint32_t)entries[i], (uint32_t)(entries[i] >> 32));
    sort_entries(starts, entries, spare, n, bits_of(any_a));
    for (size_t i = 0; i < n; i++)
        pairs[i] = (struct abut_pair){(uint32_t)(entries[i] >> 32), (uint32_t)entries[i]};
}

enum abut_status abut_sort_pairs(struct abut_pair *pairs, size_t n, const struct abut_options *options)
{
    options = options_or_none(options);
    const enum abut_status status = abut_options_check(options_of_abut_sort_pairs, options);
    if (status != ABUT_OK || (n > 0 && !pairs))
        return status != ABUT_OK ? status : ABUT_ERROR_NULL;
    if (n > UINT32_MAX)
        return ABUT_ERROR_TOO_MANY;
    if (in_order(pairs, n))
        return ABUT_OK;
    struct abut_workspace own, *workspace = abut_workspace_begin(options, &own);
    uint64_t *entries = abut_workspace_take(workspace, SLOT_RECORDS, n, sizeof *entries);
    uint64_t *spare = abut_workspace_take(workspace, SLOT_SPARE, n, sizeof *spare);
    if (entries && spare)
        sort(pairs, n, entries, spare);
    abut_workspace_end(&own);
    return entries && spare ? ABUT_OK : ABUT_ERROR_MEMORY;
}
