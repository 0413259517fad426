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

/* What takes blocks of pairs. */
struct taking {
    struct found_pairs *found;
    bool self, failed;
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
    taking->failed = !grow(found, found->n + n);
    for (size_t i = 0; i < n && !taking->failed; i++) {
        const struct abut_pair pair = pairs[i];
        if (!taking->self || pair.a < pair.b)
            found->pairs[found->n++] = pair;
    }
    return !taking->failed;
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

enum abut_status within_find(struct broad *broad, const struct options *options, const struct rows *a,
                             const struct rows *b, bool self, struct found_pairs *found)
{
    struct taking taking = {found, self, false};
    struct abut_reach reach = {.within = options->limited ? options->within : 0};
    memcpy(reach.period, options->period, sizeof reach.period);
    found->n = 0;
    enum abut_status status = broad_within(broad, a, b, &reach, take, &taking);
    if (status == ABUT_OK && taking.failed)
        status = ABUT_ERROR_MEMORY;
    return status == ABUT_OK ? abut_sort_pairs(found->pairs, found->n, &broad->settings) : status;
}
