/* SPDX-License-Identifier: MIT */
/* Building an index over the triangles of a mesh. */
#include "api/sets.h"
#include "util/allocator.h"
#include "util/float_mode.h"

#include <abut/index.h>

#include <math.h>

enum { FIELDS = 9 };

static enum abut_status check_mesh(const struct abut_mesh *mesh)
{
    if (!mesh || (mesh->vertices > 0 && (!mesh->x || !mesh->y || !mesh->z)) || (mesh->triangles > 0 && !mesh->indices))
        return ABUT_ERROR_NULL;
    return mesh->vertices > ABUT_MAX_ITEMS || mesh->triangles > ABUT_MAX_ITEMS ? ABUT_ERROR_TOO_MANY : ABUT_OK;
}

/* The first corner of triangle i that names a missing vertex, or 3. */
static unsigned missing_corner(const struct abut_mesh *mesh, size_t i)
{
    unsigned corner = 0;
    while (corner < 3 && mesh->indices[3 * i + corner] < mesh->vertices)
        corner++;
    return corner;
}

/*
 * Copies the vertices of all triangles, NaN for triangles without all of theirs. Returns the first of these, and their
 * number.
 */
static struct abut_invalid take_triangles(const struct abut_mesh *mesh, float *const *at)
{
    static const char *const corners[] = {"a", "b", "c"};
    const float *const members[3] = {mesh->x, mesh->y, mesh->z};
    struct abut_invalid missing = {0};
    for (size_t i = 0; i < mesh->triangles; i++) {
        const unsigned corner = missing_corner(mesh, i);
        for (unsigned k = 0; k < FIELDS; k++)
            at[k][i] = corner < 3 ? NAN : members[k % 3][mesh->indices[3 * i + k / 3]];
        if (corner < 3 && missing.count++ == 0)
            missing = (struct abut_invalid){1, i, corners[corner], "names a vertex that is not there", 0};
    }
    return missing;
}

enum abut_status abut_index_of_mesh(const struct abut_mesh *mesh, const struct abut_options *options,
                                    struct abut_invalid *invalid, struct abut_index **index)
{
    IN_DEFAULT_FLOAT_MODE;
    if (!index)
        return ABUT_ERROR_NULL;
    *index = NULL;
    options = options_or_none(options);
    enum abut_status status = abut_options_check(options_of_abut_index_of_mesh, options);
    if (status == ABUT_OK)
        status = check_mesh(mesh);
    if (status != ABUT_OK)
        return status;
    float *at[FIELDS];
    const struct abut_allocator allocator = abut_allocator_or_malloc(options->allocator);
    status = abut_columns_new(mesh->triangles, FIELDS, at, &allocator);
    if (status != ABUT_OK)
        return status;
    const struct abut_invalid missing = take_triangles(mesh, at);
    const struct abut_triangles triangles = {mesh->triangles, at[0], at[1], at[2], at[3],
                                             at[4],           at[5], at[6], at[7], at[8]};
    status = abut_index_new(abut_of_triangles(&triangles), options, invalid, index);
    if (invalid && invalid->count > 0 && missing.count > 0 && invalid->row == missing.row) {
        invalid->field = missing.field;
        invalid->what = missing.what;
    }
    abut_columns_free(at, &allocator);
    return status;
}
