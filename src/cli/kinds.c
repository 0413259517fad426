/* SPDX-License-Identifier: MIT */
/* The table of kinds, made from shapes.def, and what is done to a table of any kind. */
#include "kinds.h"
#include <abut/shapes.h>

#include "api/sets.h"
#include "hulls.h"

#include <stdlib.h>
#include <string.h>

#define F(member) #member,
#define SHAPE(name, plural, fields) static const char *const name##_names[] = {fields};
#include "tables/shapes.def"

#define F(member)
#define SHAPE(name, plural, fields)                                                                                    \
    static enum abut_status check_##name(const struct columns *rows, struct abut_invalid *invalid)                     \
    {                                                                                                                  \
        const name##_batch batch = name##_view(rows);                                                                  \
        return abut_check_##plural(&batch, invalid);                                                                   \
    }
#include "tables/shapes.def"

#define F(member)
#define SHAPE(name, plural, fields) {#plural, name##_names, name##_fields, check_##name},
const struct kind kinds[KINDS] = {
#include "tables/shapes.def"
    [KIND_HULLS] = {"hulls", hull_names, HULL_NAMES, check_hulls},
};

static const char *const quaternion_names[] = {"cx", "cy", "cz", "hx", "hy", "hz", "qx", "qy", "qz", "qw"};
const struct kind quaternion_obbs = {"obbs", quaternion_names, 10, check_obb};

bool kind_has(const struct kind *kind, const char *field)
{
    for (unsigned k = 0; k < kind->field_count; k++)
        if (strcmp(kind->fields[k], field) == 0)
            return true;
    return false;
}

enum abut_status table_new(struct table *table, const struct kind *kind, size_t capacity)
{
    *table = (struct table){.kind = kind};
    table->rows.shape = (enum shape)(kind - kinds);
    table->rows.fields = kind->field_count;
    enum abut_status status = abut_columns_new(capacity, kind->field_count, table->memory, NULL);
    for (unsigned k = 0; k < kind->field_count && status == ABUT_OK; k++)
        table->rows.at[k] = table->memory[k];
    return status;
}

void table_free(struct table *table)
{
    abut_columns_free(table->memory, NULL);
    table->memory[0] = NULL;
    free(table->offsets);
    table->offsets = NULL;
    free(table->labels);
    table->labels = NULL;
}

/* Where row i of a table begins in its columns. */
static size_t row_begins(const struct columns *rows, size_t i)
{
    return rows->offsets ? rows->offsets[i] : i;
}

enum abut_status table_reorder(struct table *table, const uint32_t *order)
{
    struct columns *rows = &table->rows;
    const size_t total = row_begins(rows, rows->n);
    float *column = malloc((total + 1) * sizeof *column);
    uint32_t *offsets = rows->offsets ? malloc((rows->n + 1) * sizeof *offsets) : NULL;
    if (!column || (rows->offsets && !offsets)) {
        free(column);
        free(offsets);
        return ABUT_ERROR_MEMORY;
    }
    for (unsigned k = 0; k < ABUT_MAX_FIELDS && rows->at[k]; k++) {
        size_t at = 0;
        for (size_t i = 0; i < rows->n; i++) {
            if (offsets)
                offsets[i] = (uint32_t)at;
            for (size_t from = row_begins(rows, order[i]); from < row_begins(rows, order[i] + (size_t)1); from++)
                column[at++] = table->memory[k][from];
        }
        memcpy(table->memory[k], column, total * sizeof *column);
    }
    if (offsets) {
        offsets[rows->n] = (uint32_t)total;
        free(table->offsets);
        rows->offsets = table->offsets = offsets;
    }
    free(column);
    return ABUT_OK;
}

struct columns columns_slice(const struct columns *columns, size_t first, size_t count)
{
    struct columns slice = {.shape = columns->shape, .fields = columns->fields, .n = count};
    for (unsigned k = 0; k < ABUT_MAX_FIELDS && columns->at[k]; k++)
        slice.at[k] = columns->at[k] + (columns->offsets ? 0 : first);
    if (columns->offsets)
        slice.offsets = columns->offsets + first;
    return slice;
}
