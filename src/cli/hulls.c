/* SPDX-License-Identifier: MIT */
/* Planes of volumes, checked and gathered into hulls. */
#include "hulls.h"

#include "labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char no_hull_volume[] = "is not a whole number below 16777216";

bool hull_volume(double number)
{
    return number == floor(number) && fabs(number) < 0x1p24;
}

/* A row is a hull of one plane, and a volume. */
static bool row_invalid(const struct rows *rows, size_t i, struct abut_invalid *invalid)
{
    static const uint32_t offsets[] = {0, 1};
    const float *const *at = rows->at;
    const struct abut_hulls plane = {1, offsets, at[0] + i, at[1] + i, at[2] + i, at[3] + i};
    if (abut_check_hulls(&plane, invalid) == ABUT_OK && isnan(at[HULL_VOLUME][i]))
        *invalid = (struct abut_invalid){1, 0, kinds[ABUT_SET_HULLS].fields[HULL_VOLUME], "is not a number", 0};
    return invalid->count > 0;
}

enum abut_status hulls_check(const struct rows *rows, struct abut_invalid *invalid)
{
    *invalid = (struct abut_invalid){0};
    for (size_t i = 0; i < rows->n; i++) {
        struct abut_invalid here;
        if (row_invalid(rows, i, &here) && invalid->count++ == 0)
            *invalid = (struct abut_invalid){1, i, here.field, here.what, 0};
    }
    return invalid->count ? ABUT_ERROR_INVALID : ABUT_OK;
}

struct numbering {
    uint32_t *hull_of; /* a row each */
    size_t hulls;
};

/*
 * A row of an invalid volume belongs to the volume of the row before it, or else to the first one. False if memory
 * runs out.
 */
static bool number_rows(struct numbering *numbering, const struct table *table)
{
    const size_t n = table->rows.n;
    if (table->planes > 0) {
        for (size_t i = 0; i < n; i++)
            numbering->hull_of[i] = (uint32_t)(i / table->planes);
        numbering->hulls = n / table->planes;
        return true;
    }
    const float *volumes = table->memory[HULL_VOLUME];
    struct labels labels = {0};
    uint32_t hull = 0;
    for (size_t i = 0; i < n && hull != UINT32_MAX; i++) {
        const float volume = volumes[i] + 0.0f; /* -0 is 0 */
        if (!isnan(volume))
            hull = labels_number(&labels, (const char *)&volume, sizeof volume);
        numbering->hull_of[i] = hull;
    }
    numbering->hulls = labels.count;
    labels_free(&labels);
    return hull != UINT32_MAX;
}

/* Counts planes into offsets[hull + 1], at most the 32 that a hull may have, and the hulls that have more. */
static struct excess count_planes(const struct numbering *numbering, size_t n, uint32_t *offsets)
{
    struct excess excess = {0, n};
    for (size_t i = 0; i < n; i++) {
        uint32_t *count = &offsets[numbering->hull_of[i] + 1];
        *count += *count <= ABUT_MAX_PLANES;
        if (*count > ABUT_MAX_PLANES && excess.first == n)
            excess.first = i;
    }
    for (size_t h = 0; h < numbering->hulls; h++) {
        const bool many = offsets[h + 1] > ABUT_MAX_PLANES;
        excess.hulls += many;
        offsets[h + 1] += offsets[h] - many;
    }
    return excess;
}

/*
 * Moves each plane to its hull; next[h] is where the next plane of hull h goes. A plane too many makes the last one
 * invalid.
 */
static void place_planes(const struct table *from, float *const *to, const struct numbering *numbering,
                         const uint32_t *offsets, uint32_t *next)
{
    memcpy(next, offsets, numbering->hulls * sizeof *next);
    for (size_t i = 0; i < from->rows.n; i++) {
        uint32_t hull = numbering->hull_of[i], at = next[hull];
        struct abut_invalid unused;
        bool excess = at == offsets[hull + 1], invalid = excess || row_invalid(&from->rows, i, &unused);
        at -= excess;
        next[hull] += !excess;
        for (unsigned k = 0; k < HULL_VOLUME; k++)
            to[k][at] = invalid ? NAN : from->memory[k][i];
    }
}

/*
 * Hulls are numbered by their first rows, so that no label is lost before it has been read. Rows of invalid volumes do
 * not count.
 */
static size_t label_hulls(uint32_t *labels, const struct numbering *numbering, const float *volumes, size_t n)
{
    size_t mixed = n, known = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t hull = numbering->hull_of[i];
        if (isnan(volumes[i]))
            continue;
        if (hull == known)
            labels[known++] = labels[i];
        else if (labels[hull] != labels[i] && mixed == n)
            mixed = i;
    }
    return mixed;
}

enum abut_status hulls_from_planes(struct table *table, bool inward, struct excess *excess, size_t *mixed)
{
    size_t n = table->rows.n;
    struct numbering numbering = {calloc(n + 1, sizeof(uint32_t)), 0};
    uint32_t *offsets = calloc(n + 1, sizeof *offsets), *next = calloc(n + 1, sizeof *next);
    float *columns[MOST_FIELDS] = {NULL};
    enum abut_status status = numbering.hull_of && offsets && next && number_rows(&numbering, table)
                                  ? abut_columns_new(n, HULL_VOLUME, columns, NULL)
                                  : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK) {
        *mixed = table->labels ? label_hulls(table->labels, &numbering, table->memory[HULL_VOLUME], n) : n;
        if (numbering.hulls == 0)
            table->rows.n = n = 0;
        *excess = count_planes(&numbering, n, offsets);
        place_planes(table, columns, &numbering, offsets, next);
        if (inward)
            abut_planes_flip(offsets[numbering.hulls], columns);
        abut_columns_free(table->memory, NULL);
        table->rows = (struct rows){.kind = ABUT_SET_HULLS, .n = numbering.hulls, .offsets = offsets};
        for (unsigned k = 0; k < HULL_VOLUME; k++)
            table->rows.at[k] = table->memory[k] = columns[k];
        table->offsets = offsets;
        offsets = NULL;
    }
    free(numbering.hull_of);
    free(offsets);
    free(next);
    return status;
}
