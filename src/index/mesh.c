/* SPDX-License-Identifier: MIT */
/* Spheres against an indexed triangle mesh, by layers: the mesh's AABB, those of its triangles in an index, the triangles. */
#include "workspace.h"

#include "kernels/items.h"

#include <string.h>

enum { FIELDS = 9, BOX = 6 };

struct abut_mesh_index {
    struct abut_allocator allocator;
    struct abut_triangles triangles;
    float min[3], max[3];
    struct abut_index *boxes;
    float *columns[FIELDS];
};

static const struct abut_settings no_settings = {0};

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

static struct abut_triangles view_triangles(float *const columns[FIELDS], size_t n)
{
    return (struct abut_triangles){n,          columns[0], columns[1], columns[2], columns[3],
                                   columns[4], columns[5], columns[6], columns[7], columns[8]};
}

static void gather_triangles(const struct abut_mesh *mesh, float *const columns[FIELDS])
{
    const float *const members[3] = {mesh->x, mesh->y, mesh->z};
    for (unsigned k = 0; k < FIELDS; k++)
        for (size_t i = 0; i < mesh->triangles; i++)
            columns[k][i] = members[k % 3][mesh->indices[3 * i + k / 3]];
}

/* The boxes live as long as it takes to index them. */
static enum abut_status index_boxes(struct abut_mesh_index *index, const struct abut_settings *settings)
{
    float *box[BOX];
    const size_t n = index->triangles.n;
    enum abut_status status = abut_columns_new(n, BOX, box, &index->allocator);
    if (status != ABUT_OK)
        return status;
    status = abut_aabbs_of_triangles(&index->triangles, box);
    for (unsigned k = 0; k < 3; k++) {
        index->min[k] = INFINITY;
        index->max[k] = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            index->min[k] = box[k][i] < index->min[k] ? box[k][i] : index->min[k];
            index->max[k] = box[k + 3][i] > index->max[k] ? box[k + 3][i] : index->max[k];
        }
    }
    const struct abut_aabbs boxes = {n, box[0], box[1], box[2], box[3], box[4], box[5]};
    struct abut_settings with_allocator = *settings;
    with_allocator.allocator = &index->allocator;
    if (status == ABUT_OK)
        status = abut_index_new(abut_of_aabbs(&boxes), &with_allocator, NULL, &index->boxes);
    abut_columns_free(box, &index->allocator);
    return status;
}

enum abut_status abut_mesh_index_new(const struct abut_mesh *mesh, const struct abut_settings *settings,
                                     struct abut_bad *bad, struct abut_mesh_index **index)
{
    if (!index)
        return ABUT_ERROR_NULL;
    *index = NULL;
    enum abut_status status = check_mesh(mesh, bad);
    if (status != ABUT_OK)
        return status;
    settings = settings ? settings : &no_settings;
    const struct abut_allocator allocator = abut_allocator_or_malloc(settings->allocator);
    struct abut_mesh_index *made = allocator.allocate(allocator.context, sizeof *made);
    if (!made)
        return ABUT_ERROR_MEMORY;
    *made = (struct abut_mesh_index){.allocator = allocator};
    status = abut_columns_new(mesh->triangles, FIELDS, made->columns, &allocator);
    if (status == ABUT_OK) {
        gather_triangles(mesh, made->columns);
        made->triangles = view_triangles(made->columns, mesh->triangles);
        status = abut_check_triangles(&made->triangles, bad);
    }
    if (status == ABUT_OK)
        status = index_boxes(made, settings);
    if (status == ABUT_OK)
        *index = made;
    else
        abut_mesh_index_free(made);
    return status;
}

void abut_mesh_index_free(struct abut_mesh_index *index)
{
    if (!index)
        return;
    const struct abut_allocator allocator = index->allocator;
    abut_index_free(index->boxes);
    abut_columns_free(index->columns, &allocator);
    allocator.release(allocator.context, index);
}

/* Where the pairs go that are left when the triangles themselves have been asked. */
struct touching {
    const struct abut_mesh_index *index;
    const struct abut_spheres *spheres; /* all of them */
    const uint32_t *ids;                /* those in the mesh's box */
    enum abut_touch touch;
    struct abut_stats *stats;
    struct abut_pair *pairs;
    size_t capacity;
    uint64_t count;
};

enum { BATCH = 256 };

/* Asks the triangles of up to BATCH pairs whose boxes touch. */
static void ask_triangles(struct touching *touching, const struct abut_pair *pairs, size_t n)
{
    float memory[4 + FIELDS][BATCH], *columns[FIELDS];
    const struct abut_spheres *all = touching->spheres;
    const float *const spheres[4] = {all->x, all->y, all->z, all->r};
    for (unsigned k = 0; k < 4; k++)
        for (size_t i = 0; i < n; i++)
            memory[k][i] = spheres[k][touching->ids[pairs[i].a]];
    for (unsigned k = 0; k < FIELDS; k++) {
        columns[k] = memory[4 + k];
        for (size_t i = 0; i < n; i++)
            columns[k][i] = touching->index->columns[k][pairs[i].b];
    }
    const struct abut_spheres some = {n, memory[0], memory[1], memory[2], memory[3]};
    const struct abut_triangles triangles = view_triangles(columns, n);
    uint64_t hits[BATCH / 64];
    abut_spheres_triangles(&some, &triangles, touching->touch, touching->stats, hits);
    for (size_t i = 0; i < n; i++) {
        if (!(hits[i / 64] >> i % 64 & 1))
            continue;
        if (touching->count < touching->capacity)
            touching->pairs[touching->count] = (struct abut_pair){touching->ids[pairs[i].a], pairs[i].b};
        touching->count++;
    }
}

static bool take_block(void *context, const struct abut_pair *pairs, size_t n)
{
    for (size_t i = 0; i < n; i += BATCH)
        ask_triangles(context, pairs + i, n - i < BATCH ? n - i : BATCH);
    return true;
}

/* The numbers of the spheres that touch the box of the mesh, and columns of them; NULL without memory. */
static uint32_t *near_mesh(const struct abut_mesh_index *index, const struct abut_spheres *spheres,
                           const struct abut_allocator *allocator, float *columns[4], size_t *near_n)
{
    const float *min = index->min,
                *max = index->max, *const members[4] = {spheres->x, spheres->y, spheres->z, spheres->r};
    const struct abut_aabbs box = {1, &min[0], &min[1], &min[2], &max[0], &max[1], &max[2]};
    uint32_t *ids = allocator->allocate(allocator->context, spheres->n * sizeof *ids + 1);
    size_t n = 0;
    for (size_t i = 0; i < spheres->n && ids; i += 64) {
        const struct abut_spheres some = {spheres->n - i < 64 ? spheres->n - i : 64, spheres->x + i, spheres->y + i,
                                          spheres->z + i, spheres->r + i};
        uint64_t hits;
        abut_spheres_aabbs(&some, &box, ABUT_CLOSED, NULL, &hits);
        for (; hits != 0; hits &= hits - 1)
            ids[n++] = (uint32_t)(i + (size_t)__builtin_ctzll(hits));
    }
    *near_n = n;
    if (!ids || abut_columns_new(n, 4, columns, allocator) != ABUT_OK) {
        if (ids)
            allocator->release(allocator->context, ids);
        return NULL;
    }
    for (unsigned k = 0; k < 4; k++)
        for (size_t i = 0; i < n; i++)
            columns[k][i] = members[k][ids[i]];
    return ids;
}

static enum abut_status check_join(const struct abut_mesh_index *index, const struct abut_spheres *spheres,
                                   const struct abut_settings *settings)
{
    if (!index || !spheres || (spheres->n > 0 && (!spheres->x || !spheres->y || !spheres->z || !spheres->r)))
        return ABUT_ERROR_NULL;
    if (spheres->n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    return settings->touch != ABUT_CLOSED && settings->touch != ABUT_OPEN ? ABUT_ERROR_ARGUMENT : ABUT_OK;
}

enum abut_status abut_mesh_join(const struct abut_mesh_index *index, const struct abut_spheres *spheres,
                                const struct abut_settings *settings, struct abut_pair *pairs, size_t capacity,
                                uint64_t *count)
{
    settings = settings ? settings : &no_settings;
    enum abut_status status = check_join(index, spheres, settings);
    if (status != ABUT_OK)
        return status;
    if (!count || (capacity > 0 && !pairs))
        return ABUT_ERROR_NULL;
    const struct abut_allocator allocator = abut_allocator_or_malloc(settings->allocator);
    float *columns[4];
    size_t n;
    uint32_t *ids = near_mesh(index, spheres, &allocator, columns, &n);
    if (!ids)
        return ABUT_ERROR_MEMORY;
    struct touching touching = {index, spheres,  ids, settings->touch, settings->stats ? &settings->stats->lanes : NULL,
                                pairs, capacity, 0};
    const struct abut_spheres near = {n, columns[0], columns[1], columns[2], columns[3]};
    struct abut_settings of_boxes = *settings;
    of_boxes.touch = ABUT_CLOSED;
    status = abut_join_blocks(index->boxes, abut_of_spheres(&near), &of_boxes, take_block, &touching);
    *count = status == ABUT_OK ? touching.count : 0;
    abut_columns_free(columns, &allocator);
    allocator.release(allocator.context, ids);
    return status;
}
