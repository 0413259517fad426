/* SPDX-License-Identifier: MIT */
/* The batches of the public header as columns, columns as batches, and what must hold before either is read. */
#ifndef ABUT_API_VIEWS_H
#define ABUT_API_VIEWS_H

#include "dispatch/kernel_table.h"

#define F(member) batch->member,
#define SHAPE(name, plural, fields)                                                                                    \
    typedef struct abut_##plural name##_batch;                                                                         \
    static inline struct columns name##_columns(const name##_batch *batch)                                             \
    {                                                                                                                  \
        return (struct columns){shape_##name, name##_fields, batch->n, {fields}, NULL};                                \
    }
#include "tables/shapes.def"

#define F(member) batch.member = *column++;
#define SHAPE(name, plural, fields)                                                                                    \
    static inline name##_batch name##_view(const struct columns *columns)                                              \
    {                                                                                                                  \
        name##_batch batch = {.n = columns->n};                                                                        \
        const float *const *column = columns->at;                                                                      \
        fields return batch;                                                                                           \
    }
#include "tables/shapes.def"

static inline struct abut_hulls hulls_view(const struct columns *columns)
{
    const float *const *at = columns->at;
    return (struct abut_hulls){columns->n, columns->offsets, at[0], at[1], at[2], at[3]};
}

static inline enum abut_status check_columns(const struct columns *columns)
{
    if (columns->n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    for (unsigned k = 0; k < columns->fields; k++)
        if (columns->n > 0 && columns->at[k] == NULL)
            return ABUT_ERROR_NULL;
    return ABUT_OK;
}

static inline enum abut_status check_hull_columns(const struct abut_hulls *hulls)
{
    const struct columns planes = {
        shape_plane, plane_fields, hulls->n, {hulls->nx, hulls->ny, hulls->nz, hulls->d}, NULL};
    const enum abut_status status = check_columns(&planes);
    return status == ABUT_OK && hulls->n > 0 && hulls->offsets == NULL ? ABUT_ERROR_NULL : status;
}

#endif
