/* SPDX-License-Identifier: MIT */
/* Neighbour lists: rows of an index searched for in itself, and of points within distances by type. */
#include "bvh/search/run.h"
#include "util/float_mode.h"

#include <abut/engine.h>

static enum abut_status check_form(enum abut_rows form)
{
    return (unsigned)form > ABUT_ROWS_HALF ? ABUT_ERROR_ARGUMENT : ABUT_OK;
}

static enum count_which which_of(enum abut_rows form)
{
    return form == ABUT_ROWS_HALF ? COUNT_ABOVE : COUNT_OTHERS;
}

static enum abut_status self_rows(unsigned takes, const struct abut_index *index, enum abut_rows form,
                                  const struct abut_options *options, const struct rows_to *to)
{
    struct join join = join_of(takes, index, abut_of_index(index), options);
    join.which = which_of(form);
    const enum abut_status status = index ? check_form(form) : ABUT_ERROR_NULL;
    return status == ABUT_OK ? abut_join_rows_of(&join, to) : status;
}

enum abut_status abut_self_rows(const struct abut_index *index, enum abut_rows form, const struct abut_options *options,
                                uint64_t *offsets, uint32_t *indices, size_t capacity)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct rows_to to = {NULL, offsets, indices, capacity, false};
    return self_rows(options_of_abut_self_rows, index, form, options, &to);
}

enum abut_status abut_self_rows_unsorted(const struct abut_index *index, enum abut_rows form,
                                         const struct abut_options *options, uint32_t *rows, uint64_t *offsets,
                                         uint32_t *indices, size_t capacity)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct rows_to to = {rows, offsets, indices, capacity, true};
    return self_rows(options_of_abut_self_rows_unsorted, index, form, options, &to);
}

/* The greatest distance between one type and any other; without one, a negative radius finds nothing. */
static float greatest_of(const struct abut_cutoffs *cutoffs, size_t type)
{
    float greatest = -1;
    for (size_t t = 0; t < cutoffs->types; t++) {
        const float distance = cutoffs->distances[type * cutoffs->types + t];
        greatest = distance > greatest ? distance : greatest;
    }
    return greatest;
}

static enum abut_status check_cutoffs(const struct abut_index *index, const struct abut_points *points,
                                      const struct abut_cutoffs *cutoffs, enum abut_rows form)
{
    if (!index || !points || !cutoffs)
        return ABUT_ERROR_NULL;
    const enum abut_status status = abut_check_set(abut_of_points(points));
    if (status != ABUT_OK)
        return status;
    if (index->tree.leaves.shape != shape_point)
        return ABUT_ERROR_PREDICATE;
    if (points->n != index->tree.leaves.n)
        return ABUT_ERROR_LENGTHS;
    if (points->n > 0 && (!cutoffs->distances || !cutoffs->type_of))
        return ABUT_ERROR_NULL;
    for (size_t i = 0; i < points->n; i++)
        if (cutoffs->type_of[i] >= cutoffs->types)
            return ABUT_ERROR_ARGUMENT;
    return check_form(form);
}

/* A sphere around each point that holds all its neighbours; the distances of the types decide later. */
static enum abut_status cutoff_rows(unsigned takes, const struct abut_index *index, const struct abut_points *points,
                                    const struct abut_cutoffs *by_type, enum abut_rows form,
                                    const struct abut_options *options, const struct rows_to *to)
{
    enum abut_status status = abut_options_check(takes, options_or_none(options));
    if (status == ABUT_OK)
        status = check_cutoffs(index, points, by_type, form);
    if (status != ABUT_OK)
        return status;
    struct abut_workspace own, *workspace = abut_workspace_begin(options_or_none(options), &own);
    float *radii = abut_workspace_take(workspace, SLOT_MEMBERS, points->n, sizeof *radii);
    float *greatest = abut_workspace_take(workspace, SLOT_GROUPS, by_type->types, sizeof *greatest);
    for (size_t t = 0; greatest && points->n > 0 && t < by_type->types; t++)
        greatest[t] = greatest_of(by_type, t);
    for (size_t i = 0; radii && greatest && i < points->n; i++)
        radii[i] = greatest[by_type->type_of[i]];
    const struct abut_spheres spheres = {points->n, points->x, points->y, points->z, radii};
    const struct cutoffs cutoffs = {points, by_type};
    struct abut_options with_workspace = *options_or_none(options);
    with_workspace.workspace = workspace;
    struct join join = join_of(takes, index, abut_of_spheres(&spheres), &with_workspace);
    join.which = which_of(form);
    join.cutoffs = &cutoffs;
    status = radii && greatest ? abut_join_rows_of(&join, to) : ABUT_ERROR_MEMORY;
    abut_workspace_end(&own);
    return status;
}

enum abut_status abut_cutoff_rows(const struct abut_index *index, const struct abut_points *points,
                                  const struct abut_cutoffs *cutoffs, enum abut_rows form,
                                  const struct abut_options *options, uint64_t *offsets, uint32_t *indices,
                                  size_t capacity)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct rows_to to = {NULL, offsets, indices, capacity, false};
    return cutoff_rows(options_of_abut_cutoff_rows, index, points, cutoffs, form, options, &to);
}

enum abut_status abut_cutoff_rows_unsorted(const struct abut_index *index, const struct abut_points *points,
                                           const struct abut_cutoffs *cutoffs, enum abut_rows form,
                                           const struct abut_options *options, uint32_t *rows, uint64_t *offsets,
                                           uint32_t *indices, size_t capacity)
{
    IN_DEFAULT_FLOAT_MODE;
    const struct rows_to to = {rows, offsets, indices, capacity, true};
    return cutoff_rows(options_of_abut_cutoff_rows_unsorted, index, points, cutoffs, form, options, &to);
}
