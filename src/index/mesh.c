/* SPDX-License-Identifier: MIT */
/* The triangles of a mesh as an index. */
#include "allocator.h"

#include <abut/index.h>

enum { FIELDS = 9 };

static enum abut_status check_mesh(const struct abut_mesh *mesh, struct abut_bad *bad)
{
    if (!mesh || (mesh->vertices > 0 && (!mesh->x || !mesh->y || !mesh->z)) || (mesh->triangles > 0 && !mesh->indices))
        return ABUT_ERROR_NULL;
    if (mesh->vertices > ABUT_MAX_ITEMS || mesh->triangles > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    static const char *const corners[] = {"a", "b", "c"};
    struct abut_bad found = {0};
    for (size_t i = 0; i < mesh->triangles; i++)
        for (unsigned corner = 0; corner < 3; corner++)
            if (mesh->indices[3 * i + corner] >= mesh->vertices) {
                if (found.count++ == 0)
                    found = (struct abut_bad){
                        .count = 1, .row = i, .field = corners[corner], .what = "names a vertex that is not there"};
                break;
            }
    if (bad)
        *bad = found;
    return found.count ? ABUT_ERROR_BAD_INPUT : ABUT_OK;
}

enum abut_status abut_index_of_mesh(const struct abut_mesh *mesh, const struct abut_settings *settings,
                                    struct abut_bad *bad, struct abut_index **index)
{
    if (!index)
        return ABUT_ERROR_NULL;
    *index = NULL;
    enum abut_status status = check_mesh(mesh, bad);
    if (status != ABUT_OK)
        return status;
    float *at[FIELDS];
    const struct abut_allocator allocator = abut_allocator_or_malloc(settings ? settings->allocator : NULL);
    status = abut_columns_new(mesh->triangles, FIELDS, at, &allocator);
    if (status != ABUT_OK)
        return status;
    const float *const members[3] = {mesh->x, mesh->y, mesh->z};
    for (unsigned k = 0; k < FIELDS; k++)
        for (size_t i = 0; i < mesh->triangles; i++)
            at[k][i] = members[k % 3][mesh->indices[3 * i + k / 3]];
    const struct abut_triangles triangles = {mesh->triangles, at[0], at[1], at[2], at[3],
                                             at[4],           at[5], at[6], at[7], at[8]};
    status = abut_index_new(abut_of_triangles(&triangles), settings, bad, index);
    abut_columns_free(at, &allocator);
    return status;
}
