/* SPDX-License-Identifier: MIT */
/* Sets as columns, and whether they can be read. */
#include "api/sets.h"

#include "api/predicate_of.h"

#include <string.h>

enum shape abut_indexed_shape(enum abut_set_kind kind)
{
#define INDEXED_SHAPE(name, plural, fields)                                                                            \
    if (kind == (enum abut_set_kind)shape_##name)                                                                      \
        return shape_##name;
#include "tables/shapes.def"
    return shape_count;
}

struct columns abut_columns_of(struct abut_set set)
{
    struct columns columns = {.shape = (enum shape)set.kind, .fields = abut_set_fields[set.kind]};
    columns.n = batch_length(set.items);
    memcpy(columns.at, batch_arrays(set.items), columns.fields * sizeof *columns.at);
    return columns;
}

enum abut_status abut_hull_arrays_readable(const struct abut_hulls *hulls)
{
    const float *const columns[] = {hulls->nx, hulls->ny, hulls->nz, hulls->d};
    const enum abut_status status = abut_check_arrays(hulls->n, columns, plane_fields);
    return status == ABUT_OK && hulls->n > 0 && hulls->offsets == NULL ? ABUT_ERROR_NULL : status;
}

enum abut_status abut_hulls_readable(const struct abut_hulls *hulls)
{
    const enum abut_status status = abut_hull_arrays_readable(hulls);
    for (size_t i = 0; status == ABUT_OK && i < hulls->n; i++)
        if (hulls->offsets[i + 1] <= hulls->offsets[i] || hulls->offsets[i + 1] - hulls->offsets[i] > ABUT_MAX_PLANES)
            return ABUT_ERROR_ARGUMENT;
    return status;
}

enum abut_status abut_check_set(struct abut_set set)
{
    if (!set.items)
        return ABUT_ERROR_NULL;
    if (set.kind == ABUT_SET_INDEX)
        return ABUT_OK;
    if (set.kind == ABUT_SET_HULLS)
        return abut_hulls_readable(set.items);
    return (unsigned)set.kind < ABUT_SET_HULLS ? abut_check_batch(set.items, abut_set_fields[set.kind])
                                               : ABUT_ERROR_ARGUMENT;
}

struct abut_set abut_set_part(struct abut_set set, size_t first, size_t n, union any_batch *any)
{
    const size_t at = batch_length(set.items) == 1 ? 0 : first, count = batch_length(set.items) == 1 ? 1 : n;
    if (set.kind == ABUT_SET_HULLS) {
        any->hulls = *(const struct abut_hulls *)set.items;
        any->hulls.n = count;
        any->hulls.offsets += at;
        return abut_of_hulls(&any->hulls);
    }
    struct columns columns = abut_columns_of(set);
    columns.n = count;
    for (unsigned k = 0; k < columns.fields; k++)
        columns.at[k] += at;
    return set_of_columns(&columns, any);
}

/* All that can be wrong but for the lengths shows in a test of no pair. */
enum abut_status abut_check_test(unsigned takes, enum abut_relation relation, struct abut_set a, struct abut_set b,
                                 const struct abut_options *options)
{
    uint64_t none;
    union any_batch empty = {.hulls = {.n = 0}};
    if (!a.items || !b.items)
        return ABUT_ERROR_NULL;
    enum abut_status status = abut_options_check(takes, options_or_none(options));
    if (status == ABUT_OK)
        status = abut_check_set(a);
    if (status == ABUT_OK)
        status = abut_check_set(b);
    const struct abut_set no_a = {a.kind, &empty}, no_b = {b.kind, &empty};
    return status == ABUT_OK ? abut_test(relation, no_a, no_b, options, &none) : status;
}
