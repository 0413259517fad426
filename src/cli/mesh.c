/* SPDX-License-Identifier: MIT */
/* Meshes as they are read, and the table of triangles that becomes of them. */
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

/* The length of a mark of byte order. */
static size_t mark_of(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

static bool is_ply(const char *text, size_t size)
{
    const size_t mark = mark_of(text, size);
    text += mark;
    size -= mark;
    return size >= 4 && memcmp(text, "ply", 3) == 0 && (text[3] == '\n' || text[3] == '\r');
}

bool mesh_recognise(const char *path, const char *text, size_t size)
{
    return is_ply(text, size) || has_ending(path, ".obj");
}

bool mesh_read_table(struct table *table, const char *text, size_t size, struct problem *problem)
{
    struct mesh mesh = {0};
    const bool ply = is_ply(text, size);
    const size_t mark = mark_of(text, size);
    text += mark;
    size -= mark;
    *problem = (struct problem){0};
    bool done = ply ? ply_read(&mesh, text, size, problem) : obj_read(&mesh, text, size, problem);
    if (done && table_new(table, &kinds[ABUT_SET_TRIANGLES], mesh.triangle_count) != ABUT_OK) {
        problem->line = 0;
        done = no_memory(problem);
    }
    if (done) {
        table->rows.n = mesh.triangle_count;
        for (size_t i = 0; i < mesh.triangle_count; i++)
            for (unsigned k = 0; k < 9; k++)
                table->memory[k][i] = mesh.vertices[3 * (size_t)mesh.indices[3 * i + k / 3] + k % 3];
    }
    free(mesh.vertices);
    free(mesh.indices);
    return done;
}
