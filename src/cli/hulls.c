/* SPDX-License-Identifier: MIT */
/* Planes or vertices of volumes, checked and gathered into hulls. */
#include "hulls.h"

#include "labels.h"
#include "signs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char no_hull_volume[] = "is not a whole number below 16777216";

bool hull_volume(double number)
{
    return number == floor(number) && fabs(number) < 0x1p24;
}

unsigned volume_field(const struct kind *kind)
{
    return kind->set != ABUT_SET_HULLS ? MOST_FIELDS : kind == &vertex_hulls ? VERTEX_VOLUME : HULL_VOLUME;
}

static const struct abut_invalid no_volume = {1, 0, "volume", "is not a number", 0};

/* A row is a hull of one plane, and a volume. */
static bool row_invalid(const struct rows *rows, size_t i, struct abut_invalid *invalid)
{
    static const uint32_t offsets[] = {0, 1};
    const float *const *at = rows->at;
    const struct abut_hulls plane = {1, offsets, at[0] + i, at[1] + i, at[2] + i, at[3] + i};
    if (abut_check_hulls(&plane, invalid) == ABUT_OK && isnan(at[HULL_VOLUME][i]))
        *invalid = no_volume;
    return invalid->count > 0;
}

/* A row is a point, and a volume. */
static bool vertex_invalid(const struct rows *rows, size_t i, struct abut_invalid *invalid)
{
    const float *const *at = rows->at;
    const struct abut_points point = {1, at[0] + i, at[1] + i, at[2] + i};
    if (abut_check(abut_of_points(&point), invalid) == ABUT_OK && isnan(at[VERTEX_VOLUME][i]))
        *invalid = no_volume;
    return invalid->count > 0;
}

typedef bool invalid_function(const struct rows *rows, size_t i, struct abut_invalid *invalid);

static enum abut_status check(const struct rows *rows, invalid_function *is_invalid, struct abut_invalid *invalid)
{
    *invalid = (struct abut_invalid){0};
    for (size_t i = 0; i < rows->n; i++) {
        struct abut_invalid here;
        if (is_invalid(rows, i, &here) && invalid->count++ == 0)
            *invalid = (struct abut_invalid){1, i, here.field, here.what, 0};
    }
    return invalid->count ? ABUT_ERROR_INVALID : ABUT_OK;
}

enum abut_status hulls_check(const struct rows *rows, struct abut_invalid *invalid)
{
    return check(rows, row_invalid, invalid);
}

enum abut_status hulls_check_vertices(const struct rows *rows, struct abut_invalid *invalid)
{
    return check(rows, vertex_invalid, invalid);
}

struct numbering {
    uint32_t *hull_of; /* a row each */
    size_t hulls;
};

/*
 * A row of an invalid volume belongs to the volume of the row before it, or else to the first one. False if memory
 * runs out.
 */
static bool number_rows(struct numbering *numbering, const struct table *table, const float *volumes)
{
    const size_t n = table->rows.n;
    if (table->planes > 0) {
        for (size_t i = 0; i < n; i++)
            numbering->hull_of[i] = (uint32_t)(i / table->planes);
        numbering->hulls = n / table->planes;
        return true;
    }
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
    struct excess excess = {0, n, "has more than 32 planes"};
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

/* The table becomes one of these hulls, in place of its rows. */
static void take_hulls(struct table *table, size_t hulls, uint32_t *offsets, float *const *columns)
{
    abut_columns_free(table->memory, NULL);
    table->rows = (struct rows){.kind = ABUT_SET_HULLS, .n = hulls, .offsets = offsets};
    for (unsigned k = 0; k < HULL_VOLUME; k++)
        table->rows.at[k] = table->memory[k] = columns[k];
    table->offsets = offsets;
}

enum abut_status hulls_from_planes(struct table *table, bool inward, struct excess *excess, size_t *mixed)
{
    size_t n = table->rows.n;
    struct numbering numbering = {calloc(n + 1, sizeof(uint32_t)), 0};
    uint32_t *offsets = calloc(n + 1, sizeof *offsets), *next = calloc(n + 1, sizeof *next);
    float *columns[MOST_FIELDS] = {NULL};
    enum abut_status status =
        numbering.hull_of && offsets && next && number_rows(&numbering, table, table->memory[HULL_VOLUME])
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
        take_hulls(table, numbering.hulls, offsets, columns);
        offsets = NULL;
    }
    free(numbering.hull_of);
    free(offsets);
    free(next);
    return status;
}

/* The rows of hull h are order[starts[h]] to order[starts[h + 1] - 1], ascending. */
static void sort_rows(const struct numbering *numbering, size_t n, uint32_t *starts, uint32_t *order)
{
    for (size_t i = 0; i < n; i++)
        starts[numbering->hull_of[i] + 1]++;
    for (size_t h = 0; h < numbering->hulls; h++)
        starts[h + 1] += starts[h];
    for (size_t i = 0; i < n; i++)
        order[starts[numbering->hull_of[i]]++] = (uint32_t)i;
    for (size_t h = numbering->hulls; h > 0; h--)
        starts[h] = starts[h - 1];
    starts[0] = 0;
}

/* Whether all points are in one plane: all others with three of them that are not on one line. */
static bool is_flat(const struct abut_points *points)
{
    float at[ABUT_MAX_HULL_POINTS][3];
    size_t other = 1, third = 2;
    for (size_t i = 0; i < points->n; i++) {
        at[i][0] = points->x[i];
        at[i][1] = points->y[i];
        at[i][2] = points->z[i];
    }
    while (other < points->n && at[0][0] == at[other][0] && at[0][1] == at[other][1] && at[0][2] == at[other][2])
        other++;
    while (other < points->n && third < points->n && on_one_line(at[0], at[other], at[third]))
        third++;
    for (size_t i = 1; i < points->n && third < points->n; i++)
        if (!in_one_plane(at[0], at[other], at[third], at[i]))
            return false;
    return true;
}

/* Whether all points are valid. */
static bool are_valid(const struct abut_points *points)
{
    struct abut_invalid unused;
    return abut_check(abut_of_points(points), &unused) == ABUT_OK;
}

/*
 * The planes of the hull of some points, at most 128; or 0, with the reason and a way out, or with NULL if a vertex is
 * invalid, which has been counted. Points in one plane are found first: searching for their hull takes long.
 */
static unsigned find_hull(const struct abut_points *points, float planes[ABUT_MAX_PLANES][4], const char **what)
{
    *what = NULL;
    if (points->n < 4)
        *what = "has fewer than 4 vertices: a flat hull needs its planes (nx,ny,nz,d,volume)";
    else if (!are_valid(points))
        return 0;
    else if (is_flat(points))
        *what = "has all vertices in one plane: a flat hull needs its planes (nx,ny,nz,d,volume)";
    const unsigned count = *what ? 0 : abut_hull_of_points(points, planes);
    if (count == 0 && !*what)
        *what = "has more than 32 faces, or one beyond float32: cut it in parts";
    return count;
}

/* Writes the planes of the hull of some rows, or if there is none one that is invalid; returns their number. */
static uint32_t put_planes(const struct table *table, const uint32_t *rows, size_t n, float *const *to, uint32_t at,
                           struct excess *excess)
{
    float of[3][ABUT_MAX_HULL_POINTS], planes[ABUT_MAX_PLANES][4];
    const size_t taken = n < ABUT_MAX_HULL_POINTS ? n : ABUT_MAX_HULL_POINTS;
    bool valid = n == taken;
    for (size_t i = 0; i < taken; i++) {
        for (unsigned c = 0; c < 3; c++)
            of[c][i] = table->memory[c][rows[i]];
        valid = valid && !isnan(table->memory[VERTEX_VOLUME][rows[i]]);
    }
    const struct abut_points points = {taken, of[0], of[1], of[2]};
    const char *what =
        n > taken ? "has more than 128 vertices: leave out those that are no corners, or cut it in parts" : NULL;
    const unsigned count = valid ? find_hull(&points, planes, &what) : 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            to[k][at + i] = planes[i][k];
    if (count > 0)
        return count;
    for (unsigned k = 0; k < 4; k++)
        to[k][at] = NAN;
    excess->hulls += what != NULL;
    if (what && rows[0] < excess->first) {
        excess->first = rows[0];
        excess->what = what;
    }
    return 1;
}

/* A polyhedron of n vertices has at most 2 n - 4 faces, and a hull without vertices of its own one plane. */
enum abut_status hulls_from_vertices(struct table *table, struct excess *excess, size_t *mixed)
{
    size_t n = table->rows.n;
    const float *volumes = table->memory[VERTEX_VOLUME];
    struct numbering numbering = {calloc(n + 1, sizeof(uint32_t)), 0};
    uint32_t *starts = calloc(n + 2, sizeof *starts), *order = calloc(n + 1, sizeof *order);
    uint32_t *offsets = calloc(n + 1, sizeof *offsets);
    float *columns[MOST_FIELDS] = {NULL};
    enum abut_status status = numbering.hull_of && starts && order && offsets && number_rows(&numbering, table, volumes)
                                  ? abut_columns_new(2 * n, HULL_VOLUME, columns, NULL)
                                  : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK) {
        *mixed = table->labels ? label_hulls(table->labels, &numbering, volumes, n) : n;
        *excess = (struct excess){0, n, NULL};
        if (numbering.hulls > 0)
            sort_rows(&numbering, n, starts, order);
        for (size_t h = 0; h < numbering.hulls; h++)
            offsets[h + 1] = offsets[h] + put_planes(table, order + starts[h], starts[h + 1] - starts[h], columns,
                                                     offsets[h], excess);
        take_hulls(table, numbering.hulls, offsets, columns);
        offsets = NULL;
    }
    free(numbering.hull_of);
    free(starts);
    free(order);
    free(offsets);
    return status;
}
