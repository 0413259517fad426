/* SPDX-License-Identifier: MIT */
/* Growing a mesh while it is read, and its triangles as rows. */
#include "mesh.h"

#include "cli.h"
#include "polygon.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(struct problem *problem)
{
    snprintf(problem->what, sizeof problem->what, "%s", abut_status_text(ABUT_ERROR_MEMORY));
    return false;
}

/* Enlarges an array of count elements of size bytes, where that is needed for some more. */
static bool reserve(void **memory, size_t count, size_t some, size_t *capacity, size_t size, struct problem *problem)
{
    if (some > ABUT_MAX_ITEMS || count > ABUT_MAX_ITEMS - some) {
        snprintf(problem->what, sizeof problem->what, "%s", abut_status_text(ABUT_ERROR_TOO_MANY));
        return false;
    }
    if (count + some <= *capacity)
        return true;
    size_t more = *capacity + *capacity / 2 + 1024;
    more = more < count + some ? count + some : more;
    void *larger = more <= SIZE_MAX / size ? realloc(*memory, more * size) : NULL;
    if (!larger)
        return no_memory(problem);
    *memory = larger;
    *capacity = more;
    return true;
}

bool mesh_vertex(struct mesh *mesh, const double wide[3], const float near[3], struct problem *problem)
{
    const size_t n = mesh->vertex_count;
    void *vertices = mesh->vertices, *moved = mesh->moved;
    const bool done = reserve(&vertices, n, 1, &mesh->vertex_capacity, 3 * sizeof *near, problem) &&
                      reserve(&moved, n, 1, &mesh->moved_capacity, sizeof *mesh->moved, problem);
    mesh->vertices = vertices;
    mesh->moved = moved;
    if (!done)
        return false;
    float *at = mesh->vertices + 3 * n;
    memcpy(at, near, 3 * sizeof *near);
    mesh->moved[n] = (float)rounding_row(mesh->rounding, &kinds[ABUT_SET_POINTS], n, wide, at);
    mesh->vertex_count++;
    return true;
}

bool mesh_coordinate_fails(unsigned coordinate, const char *what, struct problem *problem)
{
    snprintf(problem->what, sizeof problem->what, "has a coordinate %c that %s", "xyz"[coordinate], what);
    return false;
}

void mesh_face_begin(struct mesh *mesh)
{
    mesh->corner_count = 0;
}

bool mesh_corner(struct mesh *mesh, int64_t vertex, int64_t number, struct problem *problem)
{
    if (vertex < 0 || (uint64_t)vertex >= mesh->vertex_count) {
        snprintf(problem->what, sizeof problem->what, "names vertex %lld, which is not there", (long long)number);
        return false;
    }
    if (mesh->triangle_count + mesh->corner_count > mesh->most_triangles + 1) {
        snprintf(problem->what, sizeof problem->what,
                 "brings the triangles to more than %zu, which are too many for a file of this size",
                 mesh->most_triangles);
        return false;
    }
    void *memory = mesh->corners;
    bool done = reserve(&memory, mesh->corner_count, 1, &mesh->corner_capacity, sizeof *mesh->corners, problem);
    mesh->corners = memory;
    if (done)
        mesh->corners[mesh->corner_count++] = (uint32_t)vertex;
    return done;
}

/* Keeps what is odd about a face for a remark. */
static void note_odd(struct mesh *mesh, const char *what, size_t line)
{
    if (mesh->odd_faces++ > 0)
        return;
    mesh->odd = what;
    mesh->odd_line = line;
    mesh->odd_face = mesh->faces;
}

static bool reserve_triangles(struct mesh *mesh, size_t n, struct problem *problem)
{
    void *memory = mesh->indices;
    const bool done =
        reserve(&memory, mesh->triangle_count, n, &mesh->triangle_capacity, 3 * sizeof *mesh->indices, problem);
    mesh->indices = memory;
    return done;
}

/* Adds the triangles of a face of n corners. */
static bool cut_face(struct mesh *mesh, size_t n, struct problem *problem)
{
    if (!reserve_triangles(mesh, n - 2, problem))
        return false;
    const enum polygon polygon =
        polygon_cut(mesh->vertices, mesh->corners, n, mesh->indices + 3 * mesh->triangle_count);
    if (polygon == POLYGON_NO_MEMORY)
        return no_memory(problem);
    if (polygon == POLYGON_TOO_LARGE)
        snprintf(problem->what, sizeof problem->what, "is a concave face of more than %d vertices: cut it in pieces",
                 MOST_CONCAVE_CORNERS);
    if (polygon == POLYGON_TOO_COSTLY)
        snprintf(problem->what, sizeof problem->what,
                 "is a concave face of %zu vertices that takes too long to cut into triangles: cut it in pieces", n);
    if (polygon == POLYGON_TOO_LARGE || polygon == POLYGON_TOO_COSTLY)
        return false;
    if (polygon != POLYGON_GOOD)
        note_odd(mesh, polygon == POLYGON_NOT_FLAT ? "is not flat" : "crosses itself", problem->line);
    mesh->triangle_count += n - 2;
    return true;
}

bool mesh_face_end(struct mesh *mesh, struct problem *problem)
{
    if (mesh->corner_count < 3) {
        snprintf(problem->what, sizeof problem->what, "is a face of fewer than three vertices");
        return false;
    }
    const bool done = cut_face(mesh, mesh->corner_count, problem);
    mesh->faces += done;
    return done;
}

bool mesh_strip_end(struct mesh *mesh, struct problem *problem)
{
    const size_t n = mesh->corner_count;
    if (n == 1 || n == 2) {
        snprintf(problem->what, sizeof problem->what, "is a strip of fewer than three vertices");
        return false;
    }
    if (n > 0 && !reserve_triangles(mesh, n - 2, problem))
        return false;
    for (size_t i = 2; i < n; i++) {
        const uint32_t a = mesh->corners[i - 2 + i % 2], b = mesh->corners[i - 1 - i % 2], c = mesh->corners[i];
        if (a == b || b == c || c == a)
            continue;
        memcpy(mesh->indices + 3 * mesh->triangle_count++, (const uint32_t[]){a, b, c}, 3 * sizeof c);
        mesh->faces++;
    }
    return true;
}

size_t mesh_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/*
 * A file whose triangles have fewer bytes than this was made to fill the memory, if it is not small: a face of very
 * many corners has two bytes a triangle. Of 36 bytes as a row and 12 as numbers of vertices, a triangle takes 6 times
 * as much memory as these.
 */
enum { BYTES_A_TRIANGLE = 8, ALWAYS_FINE = 1 << 20 };

/* Gives back what reserve had in store. */
static void trim(struct mesh *mesh)
{
    void *indices = realloc(mesh->indices, (3 * mesh->triangle_count + 1) * sizeof *mesh->indices);
    void *vertices = realloc(mesh->vertices, (3 * mesh->vertex_count + 1) * sizeof *mesh->vertices);
    float *moved = realloc(mesh->moved, (mesh->vertex_count + 1) * sizeof *mesh->moved);
    mesh->moved = moved ? moved : mesh->moved;
    mesh->indices = indices ? indices : mesh->indices;
    mesh->vertices = vertices ? vertices : mesh->vertices;
}

/* Answers are those of the triangles, which may not be what the user expects of such faces. */
static void remark_on_faces(struct source *source, const struct mesh *mesh)
{
    char place[40], more[40] = "";
    if (mesh->odd_faces == 0)
        return;
    if (mesh->odd_line > 0)
        snprintf(place, sizeof place, "line %zu: the face", mesh->odd_line);
    else
        snprintf(place, sizeof place, "face %zu", mesh->odd_face);
    if (mesh->odd_faces > 1)
        snprintf(more, sizeof more, " (and so %s %zu more)", mesh->odd_faces > 2 ? "are" : "is", mesh->odd_faces - 1);
    snprintf(source->remark, sizeof source->remark, "%s %s%s: the triangles it is cut into count", place, mesh->odd,
             more);
}

bool mesh_open(struct source *source, const struct kind *kind, mesh_parser *parse, struct problem *problem)
{
    struct mesh *mesh = source->state = calloc(1, sizeof *mesh);
    const size_t mark = mesh_mark(source->text, source->size);
    *problem = (struct problem){0};
    if (!mesh)
        return no_memory(problem);
    mesh->rounding = source->rounding;
    const size_t most = source->size / BYTES_A_TRIANGLE;
    mesh->most_triangles = most > ALWAYS_FINE ? most : ALWAYS_FINE;
    if (!parse(mesh, source->text + mark, source->size - mark, problem))
        return false;
    trim(mesh);
    const bool points = kind ? kind == &kinds[ABUT_SET_POINTS] : mesh->faces == 0;
    if (!points && mesh->faces == 0) {
        *problem = (struct problem){.what = "there is no face in the file, only vertices, which are points"};
        return false;
    }
    source->kind = &kinds[points ? ABUT_SET_POINTS : ABUT_SET_TRIANGLES];
    source->capacity = points ? mesh->vertex_count : mesh->triangle_count;
    if (!points)
        remark_on_faces(source, mesh);
    return true;
}

static void read_vertices(const struct mesh *mesh, size_t first, size_t count, struct table *table)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 3; k++)
            table->memory[k][i] = mesh->vertices[3 * (first + i) + k];
}

static void read_triangles(const struct mesh *mesh, size_t first, size_t count, struct table *table)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t *corners = mesh->indices + 3 * (first + i);
        double vertices[9], moved = 0;
        for (unsigned k = 0; k < 9; k++) {
            table->memory[k][i] = mesh->vertices[3 * (size_t)corners[k / 3] + k % 3];
            vertices[k] = (double)table->memory[k][i];
            moved = fmax(moved, (double)mesh->moved[corners[k / 3]]);
        }
        rounding_sizes(mesh->rounding, &kinds[ABUT_SET_TRIANGLES], first + i, vertices, moved);
    }
}

bool mesh_read(const struct source *source, size_t first, size_t count, struct table *table, size_t *unreadable,
               struct problem *problem, struct progress *progress)
{
    (void)problem;
    (void)progress;
    const bool points = source->kind == &kinds[ABUT_SET_POINTS];
    (points ? read_vertices : read_triangles)(source->state, first, count, table);
    table->rows.n = *unreadable = count;
    return true;
}

/* Finite vertices, and triangles of them, are valid, so this is never needed. */
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
        free(mesh->corners);
        free(mesh->moved);
    }
    free(mesh);
}
