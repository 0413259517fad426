/* SPDX-License-Identifier: MIT */
/* Growing a mesh while it is read, and its triangles as rows. */
#include "mesh.h"

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(struct problem *problem)
{
    snprintf(problem->what, sizeof problem->what, "%s", abut_status_text(ABUT_ERROR_MEMORY));
    return false;
}

/* Room for one more of size bytes. */
static bool reserve(void **memory, size_t count, size_t *room, size_t size, struct problem *problem)
{
    if (count >= ABUT_MAX_ITEMS) {
        snprintf(problem->what, sizeof problem->what, "%s", abut_status_text(ABUT_ERROR_TOO_MANY));
        return false;
    }
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 1024;
    void *larger = more <= SIZE_MAX / size ? realloc(*memory, more * size) : NULL;
    if (!larger)
        return no_memory(problem);
    *memory = larger;
    *room = more;
    return true;
}

bool mesh_vertex(struct mesh *mesh, const float at[3], struct problem *problem)
{
    void *memory = mesh->vertices;
    bool done = reserve(&memory, mesh->vertex_count, &mesh->vertex_room, 3 * sizeof *at, problem);
    mesh->vertices = memory;
    if (done)
        memcpy(mesh->vertices + 3 * mesh->vertex_count++, at, 3 * sizeof *at);
    return done;
}

bool mesh_coordinate_fails(unsigned coordinate, const char *what, struct problem *problem)
{
    snprintf(problem->what, sizeof problem->what, "has a coordinate %c that %s", "xyz"[coordinate], what);
    return false;
}

bool mesh_corner(struct mesh *mesh, struct face *face, int64_t vertex, int64_t number, struct problem *problem)
{
    if (vertex < 0 || (uint64_t)vertex >= mesh->vertex_count) {
        snprintf(problem->what, sizeof problem->what, "names vertex %lld, which is not there", (long long)number);
        return false;
    }
    if (mesh->triangle_count >= mesh->most_triangles) {
        snprintf(problem->what, sizeof problem->what,
                 "brings the triangles to more than %zu, which are too many for a file of this size",
                 mesh->most_triangles);
        return false;
    }
    void *memory = mesh->indices;
    bool done = reserve(&memory, mesh->triangle_count, &mesh->triangle_room, 3 * sizeof *mesh->indices, problem);
    mesh->indices = memory;
    if (!done)
        return false;
    const uint32_t index = (uint32_t)vertex, triangle[3] = {face->first, face->last, index};
    if (face->corners >= 2)
        memcpy(mesh->indices + 3 * mesh->triangle_count++, triangle, sizeof triangle);
    if (face->corners++ == 0)
        face->first = index;
    face->last = index;
    return true;
}

bool mesh_face_end(const struct face *face, struct problem *problem)
{
    if (face->corners < 3)
        snprintf(problem->what, sizeof problem->what, "is a face of fewer than three vertices");
    return face->corners >= 3;
}

size_t mesh_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/*
 * A file whose triangles have fewer bytes than this was made to fill the memory, if it is not small: a face of very many
 * corners has two bytes a triangle. Of 36 bytes as a row and 12 as numbers of vertices, a triangle takes 6 times as much
 * memory as these.
 */
enum { BYTES_A_TRIANGLE = 8, ALWAYS_FINE = 1 << 20 };

/* Gives back what reserve had in store. */
static void trim(struct mesh *mesh)
{
    void *indices = realloc(mesh->indices, (3 * mesh->triangle_count + 1) * sizeof *mesh->indices);
    void *vertices = realloc(mesh->vertices, (3 * mesh->vertex_count + 1) * sizeof *mesh->vertices);
    mesh->indices = indices ? indices : mesh->indices;
    mesh->vertices = vertices ? vertices : mesh->vertices;
}

bool mesh_open(struct source *source, mesh_parser *parse, struct problem *problem)
{
    struct mesh *mesh = source->state = calloc(1, sizeof *mesh);
    const size_t mark = mesh_mark(source->text, source->size);
    *problem = (struct problem){0};
    if (!mesh)
        return no_memory(problem);
    const size_t most = source->size / BYTES_A_TRIANGLE;
    mesh->most_triangles = most > ALWAYS_FINE ? most : ALWAYS_FINE;
    if (!parse(mesh, source->text + mark, source->size - mark, problem))
        return false;
    trim(mesh);
    source->kind = &kinds[ABUT_SET_TRIANGLES];
    source->capacity = mesh->triangle_count;
    return true;
}

bool mesh_read(const struct source *source, size_t first, size_t count, struct table *table, size_t *unreadable,
               struct problem *problem, struct progress *progress)
{
    (void)problem;
    (void)progress;
    const struct mesh *mesh = source->state;
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 9; k++)
            table->memory[k][i] = mesh->vertices[3 * (size_t)mesh->indices[3 * (first + i) + k / 3] + k % 3];
    table->rows.n = *unreadable = count;
    return true;
}

/* A triangle of finite vertices is valid, so this is never needed. */
void mesh_locate(const struct source *source, size_t row, struct problem *problem)
{
    (void)source;
    problem->place = PLACE_ROW;
    problem->line = row;
}

void mesh_close(struct source *source)
{
    struct mesh *mesh = source->state;
    if (mesh) {
        free(mesh->vertices);
        free(mesh->indices);
    }
    free(mesh);
}
