/* SPDX-License-Identifier: MIT */
/* PLY 1.0, ASCII or binary of either byte order: vertices, faces and strips; all else is passed over. */
#include "ply.h"
#include "mesh.h"
#include "parse_float.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned type_sizes[type_count] = {1, 1, 2, 2, 4, 4, 4, 8};

/* The next number of a binary file. */
static bool read_binary(struct ply *ply, enum type type, double *number, struct problem *problem)
{
    const unsigned size = type_sizes[type];
    uint64_t bits = 0;
    if ((size_t)(ply->end - ply->at) < size)
        return ply_fail(problem, "is cut off");
    for (unsigned i = 0; i < size; i++)
        bits |= (uint64_t)(unsigned char)ply->at[i] << 8 * (ply->big ? size - 1 - i : i);
    ply->at += size;
    const uint64_t sign = bits >> (8 * size - 1) & 1;
    if (type == FLOAT64) {
        memcpy(number, &bits, sizeof bits);
    } else if (type == FLOAT32) {
        const uint32_t word = (uint32_t)bits;
        float narrow;
        memcpy(&narrow, &word, sizeof word);
        *number = (double)narrow;
    } else {
        const bool negative = sign && (type == INT8 || type == INT16 || type == INT32);
        *number = (double)bits - (negative ? ldexp(1, 8 * (int)size) : 0);
    }
    return true;
}

static bool read_coordinate(struct ply *ply, const struct property *property, double at[3], float near[3],
                            struct problem *problem)
{
    float *number = &near[property->role];
    double *wide = &at[property->role];
    bool too_large = false;
    if (ply->binary) {
        if (!read_binary(ply, property->type, wide, problem))
            return false;
        *number = (float)*wide;
        too_large = isfinite(*wide) && isinf(*number);
    } else {
        ply_skip_blanks(ply);
        if (ply_line_ends(ply))
            return ply_fail(problem, "has too few numbers");
        const enum parse_status status = parse_number(&ply->at, number, wide);
        if (status == PARSE_UNREADABLE || !(ply_line_ends(ply) || ply_is_blank(*ply->at)))
            return mesh_coordinate_fails(property->role, "is not a number", problem);
        too_large = status == PARSE_TOO_LARGE;
    }
    if (too_large)
        return mesh_coordinate_fails(property->role, "is too large for a float32", problem);
    return isfinite(*number) || mesh_coordinate_fails(property->role, "is not finite", problem);
}

static bool read_whole(struct ply *ply, enum type type, int64_t *number, struct problem *problem)
{
    if (ply->binary) {
        double wide = 0;
        if (!read_binary(ply, type, &wide, problem))
            return false;
        *number = (int64_t)wide;
        return true;
    }
    char word[WORD], *end;
    ply_read_word(ply, word);
    *number = strtoll(word, &end, 10);
    if (word[0] == '\0' || *end != '\0')
        return ply_fail(problem,
                        word[0] ? "has a count or an index that is not a whole number" : "has too few numbers");
    return true;
}

static bool skip_value(struct ply *ply, enum type type, struct problem *problem)
{
    char word[WORD];
    double ignored;
    if (ply->binary)
        return read_binary(ply, type, &ignored, problem);
    ply_skip_blanks(ply);
    bool there = !ply_line_ends(ply);
    ply_read_word(ply, word);
    return there || ply_fail(problem, "has too few numbers");
}

/* A number of a vertex; in a strip, -1 ends it and begins another. */
static bool read_corner(struct ply *ply, const struct property *property, bool strip, struct mesh *mesh,
                        struct problem *problem)
{
    int64_t vertex = 0;
    if (!read_whole(ply, property->type, &vertex, problem))
        return false;
    if (!strip || vertex != -1)
        return mesh_corner(mesh, vertex, vertex, problem);
    const bool done = mesh_strip_end(mesh, problem);
    mesh_face_begin(mesh);
    return done;
}

static bool read_list(struct ply *ply, const struct property *property, bool strip, struct mesh *mesh,
                      struct problem *problem)
{
    int64_t count = 0;
    if (!read_whole(ply, property->count_type, &count, problem))
        return false;
    if (count < 0)
        return ply_fail(problem, "has a list of less than nothing");
    const bool corners = mesh && property->role == ROLE_INDICES;
    if (corners)
        mesh_face_begin(mesh);
    for (int64_t i = 0; i < count; i++)
        if (!(corners ? read_corner(ply, property, strip, mesh, problem) : skip_value(ply, property->type, problem)))
            return false;
    return !corners || (strip ? mesh_strip_end : mesh_face_end)(mesh, problem);
}

/* Without a mesh the row is passed over. */
static bool read_row(struct ply *ply, const struct element *element, struct mesh *mesh, struct problem *problem)
{
    double at[3] = {0};
    float near[3] = {0};
    for (unsigned k = 0; k < element->properties; k++) {
        const struct property *property = &element->property[k];
        const bool done = property->list ? read_list(ply, property, element->strips, mesh, problem)
                          : mesh && property->role < ROLE_INDICES ? read_coordinate(ply, property, at, near, problem)
                                                                  : skip_value(ply, property->type, problem);
        if (!done)
            return false;
    }
    return !mesh || !element->vertex || mesh_vertex(mesh, at, near, problem);
}

/* A binary file has no lines: the description names the row. */
static bool row_fails(const struct element *element, uint64_t row, struct problem *problem)
{
    struct problem without = *problem;
    problem->line = 0;
    snprintf(problem->what, sizeof problem->what, "%s %llu %.100s",
             element->vertex   ? "vertex"
             : element->face   ? "face"
             : element->strips ? "list of strips"
                               : "row",
             (unsigned long long)row, without.what);
    return false;
}

static void skip_blank_lines(struct ply *ply)
{
    for (ply_skip_blanks(ply); ply->at < ply->end && *ply->at == '\n'; ply_skip_blanks(ply))
        ply_next_line(ply);
}

static bool read_rows(struct ply *ply, const struct element *element, struct mesh *mesh, struct problem *problem)
{
    for (uint64_t row = 0; row < element->count; row++) {
        if (ply->binary) {
            if (!read_row(ply, element, mesh, problem))
                return row_fails(element, row, problem);
            continue;
        }
        skip_blank_lines(ply);
        problem->line = ply->line;
        if (ply->at >= ply->end)
            return ply_fail(problem, "is where the file is cut off");
        if (!read_row(ply, element, mesh, problem))
            return false;
        ply_skip_blanks(ply);
        if (!ply_line_ends(ply))
            return ply_fail(problem, "has too many numbers");
        ply_next_line(ply);
    }
    return true;
}

/* Nothing may follow the last element: it would be lost. */
static bool check_end(struct ply *ply, struct problem *problem)
{
    if (!ply->binary)
        skip_blank_lines(ply);
    problem->line = ply->binary ? 0 : ply->line;
    return ply->at >= ply->end ||
           ply_fail(problem, ply->binary ? "has bytes behind the last element" : "is text behind the last element");
}

/* How many elements come before that of the vertices, if faces or strips are among them; else 0. */
static unsigned elements_before(const struct ply *ply)
{
    bool faces = false;
    unsigned i = 0;
    for (; !ply->element[i].vertex; i++)
        faces |= ply->element[i].face || ply->element[i].strips;
    return faces ? i : 0;
}

/*
 * Elements have any order. Faces need the coordinates of their vertices: where these come later, what is before them is
 * passed over and read again.
 */
static bool parse_ply(struct mesh *mesh, const char *text, size_t size, struct problem *problem)
{
    struct ply ply = {.at = text, .end = text + size, .line = 1};
    problem->line = 1;
    bool good = ply_read_header(&ply, problem);
    const char *const rows = ply.at;
    const size_t line = ply.line;
    const unsigned before = good ? elements_before(&ply) : 0;
    for (unsigned i = 0; good && i < before; i++)
        good = read_rows(&ply, &ply.element[i], NULL, problem);
    if (good && before > 0) {
        good = read_rows(&ply, &ply.element[before], mesh, problem);
        ply.at = rows;
        ply.line = line;
    }
    for (unsigned i = 0; good && i < ply.elements; i++)
        good = read_rows(&ply, &ply.element[i], before > 0 && i == before ? NULL : mesh, problem);
    return good && check_end(&ply, problem);
}

static bool recognise_ply(const char *path, const char *text, size_t size)
{
    (void)path;
    const size_t mark = mesh_mark(text, size);
    text += mark;
    size -= mark;
    return size >= 4 && memcmp(text, "ply", 3) == 0 && (text[3] == '\n' || text[3] == '\r');
}

static bool open_ply(struct source *source, const struct kind *kind, const char *kind_option, struct problem *problem)
{
    (void)kind_option;
    return mesh_open(source, kind, parse_ply, problem);
}

const struct reader ply_reader = {.name = "a mesh",
                                  .kinds = {&kinds[ABUT_SET_TRIANGLES], &kinds[ABUT_SET_POINTS]},
                                  .recognise = recognise_ply,
                                  .open = open_ply,
                                  .read = mesh_read,
                                  .locate = mesh_locate,
                                  .close = mesh_close};
