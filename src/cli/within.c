/* SPDX-License-Identifier: MIT */
/* B is indexed, and the rows of A are searched for. */
#include "within.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool within_asked(const struct options *options)
{
    return options->limited || options->periodic;
}

static bool takes(const struct options *options, enum abut_set_kind kind)
{
    if (options->periodic)
        return kind == ABUT_SET_POINTS || kind == ABUT_SET_SPHERES || kind == ABUT_SET_AABBS;
    return kind != ABUT_SET_PLANES && kind != ABUT_SET_HULLS;
}

bool within_applies(const struct options *options, enum abut_set_kind a, enum abut_set_kind b)
{
    if (takes(options, a) && takes(options, b))
        return true;
    complain("%s takes %s, not %s and %s", options->periodic ? "--periodic" : "--within",
             options->periodic ? "points, spheres and aabbs" : "all shapes but planes and hulls", kinds[a].name,
             kinds[b].name);
    return false;
}

void within_flatten(struct options *options, const struct table *a, const struct table *b)
{
    const bool boxes = (a->flat && a->kind->set == ABUT_SET_AABBS) || (b->flat && b->kind->set == ABUT_SET_AABBS);
    if (boxes || (a->flat && b->flat))
        options->period[2] = 0;
}

/*
 * Where rows have more pairs, fewer are searched for at a time: pairs take 16 MB then, and sorting as much again. One
 * row has no more pairs than there are rows.
 */
enum { MOST_PAIRS = 1 << 21 };

/* What takes blocks of pairs. */
struct taking {
    struct found_pairs *found;
    size_t first, most;
    bool self, excess, failed;
};

static bool grow(struct found_pairs *found, size_t n)
{
    size_t capacity = found->capacity > 0 ? found->capacity : 1 << 16;
    if (n <= found->capacity)
        return true;
    while (capacity < n)
        capacity *= 2;
    struct abut_pair *pairs =
        capacity <= SIZE_MAX / 2 / sizeof *pairs ? realloc(found->pairs, capacity * sizeof *pairs) : NULL;
    if (!pairs)
        return false;
    found->pairs = pairs;
    found->capacity = capacity;
    return true;
}

static bool take(void *context, const struct abut_pair *pairs, size_t n)
{
    struct taking *taking = context;
    struct found_pairs *found = taking->found;
    taking->excess = found->n + n > taking->most;
    taking->failed = !taking->excess && !grow(found, found->n + n);
    for (size_t i = 0; i < n && !taking->excess && !taking->failed; i++) {
        const struct abut_pair pair = pairs[i];
        if (!taking->self || taking->first + pair.a < pair.b)
            found->pairs[found->n++] = pair;
    }
    return !taking->excess && !taking->failed;
}

bool within_is_in_range(const struct options *options, const struct rows *rows, unsigned input, size_t first)
{
    static const double most = 0x1p20;
    const unsigned corners = rows->kind == ABUT_SET_AABBS ? 6 : 3;
    for (size_t i = 0; i < rows->n && options->periodic; i++)
        for (unsigned k = 0; k < corners; k++) {
            const double period = (double)options->period[k % 3];
            if (period == 0 || !(fabs((double)rows->at[k][i]) > most * period))
                continue;
            complain("%s: %s = %g in row %zu is infinite, or more than 1048576 periods from 0: move it into the box",
                     options->input[input], kinds[rows->kind].fields[k], (double)rows->at[k][i], first + i);
            return false;
        }
    for (size_t i = 0; i < rows->n && options->periodic && rows->kind == ABUT_SET_SPHERES; i++)
        if (rows->at[3][i] == INFINITY) {
            complain("%s: r = inf in row %zu cannot be in a periodic box", options->input[input], first + i);
            return false;
        }
    return true;
}

/* Where a coordinate is least or greatest. */
struct end {
    float at;
    size_t row;
    const char *file, *field;
};

static void find_ends(const struct placed_rows *placed, const char *file, unsigned k, struct end ends[2])
{
    const struct rows *rows = placed->rows;
    for (size_t i = 0; i < rows->n; i++) {
        const size_t row = placed->first + i;
        const struct end here = {rows->at[k][i], placed->order ? placed->order[row] : row, file,
                                 kinds[rows->kind].fields[k]};
        if (isnan(here.at))
            continue;
        if (!ends[0].file || here.at < ends[0].at)
            ends[0] = here;
        if (!ends[1].file || here.at > ends[1].at)
            ends[1] = here;
    }
}

bool within_explains(const struct options *options, enum abut_status status, const struct placed_rows *a,
                     const struct placed_rows *b)
{
    static const unsigned usual = 64;
    struct end widest[2] = {{.file = NULL}};
    double most = 0;
    for (unsigned k = 0; k < 3 && options->periodic && status == ABUT_ERROR_TOO_MANY; k++) {
        const double period = (double)options->period[k];
        struct end ends[2] = {{.file = NULL}};
        find_ends(a, options->input[0], k, ends);
        find_ends(b, options->input[options->input[1] != NULL], k, ends);
        const double periods = period > 0 && ends[0].file ? ((double)ends[1].at - (double)ends[0].at) / period : 0;
        if (periods > most) {
            most = periods;
            memcpy(widest, ends, sizeof widest);
        }
    }
    if (!widest[0].file)
        return false;
    complain(
        "%s: %s = %g in row %zu is %.3g periods beyond %s = %g in row %zu of %s, so a row has more than %u images: "
        "move the coordinates into one box, or raise --images",
        widest[1].file, widest[1].field, (double)widest[1].at, widest[1].row, most, widest[0].field,
        (double)widest[0].at, widest[0].row, widest[0].file, options->images ? options->images : usual);
    return true;
}

enum abut_status within_find(struct broad *broad, const struct options *options, struct rows *a, size_t first,
                             const struct rows *b, bool self, struct found_pairs *found)
{
    struct abut_reach reach = {.within = options->limited ? options->within : 0, .images = options->images};
    memcpy(reach.period, options->period, sizeof reach.period);
    if (found->at_once > 0 && found->at_once < a->n)
        *a = rows_slice(a, 0, found->at_once);
    for (;;) {
        struct taking taking = {found, first, a->n > 1 ? MOST_PAIRS : SIZE_MAX, self, false, false};
        const struct abut_stats before = broad->stats;
        found->n = 0;
        const enum abut_status status = broad_within(broad, a, b, &reach, take, &taking);
        if (status != ABUT_OK || taking.failed)
            return status != ABUT_OK ? status : ABUT_ERROR_MEMORY;
        if (!taking.excess)
            break;
        broad->stats = before;
        found->at_once = a->n / 2;
        *a = rows_slice(a, 0, found->at_once);
    }
    if (found->n < MOST_PAIRS / 4)
        found->at_once *= 2;
    const struct abut_options sorting = {.workspace = broad->settings.workspace};
    return abut_sort_pairs(found->pairs, found->n, &sorting);
}
