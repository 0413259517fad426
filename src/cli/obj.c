/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: vertices and faces; everything else in the file is passed over. */
#include "cli.h"
#include "mesh.h"
#include "parse_float.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct cursor {
    const char *at; /* the text ends with a zero byte */
    size_t line;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_word(char c)
{
    return is_blank(c) || c == '\n' || c == '\\' || c == '\0';
}

/* A backslash at the end of a line that is read continues it. In other lines a name of a folder may end so. */
static void skip_blanks(struct cursor *cursor)
{
    for (;;) {
        const char *at = cursor->at;
        if (at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'))) {
            cursor->at += at[1] == '\n' ? 2 : 3;
            cursor->line++;
        } else if (is_blank(*at)) {
            cursor->at++;
        } else {
            return;
        }
    }
}

static bool at_end(const struct cursor *cursor, const char *end)
{
    return cursor->at >= end || *cursor->at == '\n';
}

/* Whether another word follows in a line that is read. */
static bool find_word(struct cursor *cursor, const char *end)
{
    skip_blanks(cursor);
    return !at_end(cursor, end) && *cursor->at != '#';
}

/* The rest of a line that is read, with the lines that continue it. */
static void skip_words(struct cursor *cursor, const char *end)
{
    while (find_word(cursor, end))
        cursor->at++;
}

static bool fail(struct problem *problem, const char *what)
{
    snprintf(problem->what, sizeof problem->what, "%s", what);
    return false;
}

static bool read_vertex(struct mesh *mesh, struct cursor *cursor, const char *end, struct problem *problem)
{
    float at[3];
    double wide[3];
    for (unsigned k = 0; k < 3; k++) {
        if (!find_word(cursor, end))
            return fail(problem, "is a vertex without three coordinates");
        enum parse_status status = parse_number(&cursor->at, &at[k], &wide[k]);
        if (status == PARSE_UNREADABLE || !ends_word(*cursor->at))
            return mesh_coordinate_fails(k, "is not a number", problem);
        if (status == PARSE_TOO_LARGE)
            return mesh_coordinate_fails(k, "is too large for a float32", problem);
        if (isinf(at[k]))
            return mesh_coordinate_fails(k, "is not finite", problem);
    }
    skip_words(cursor, end); /* a weight or a colour */
    return mesh_vertex(mesh, wide, at, problem);
}

static bool read_whole(struct cursor *cursor, int64_t *number)
{
    const bool negative = *cursor->at == '-';
    cursor->at += negative;
    const char *digits = cursor->at;
    *number = 0;
    for (; *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++)
        *number = *number < INT64_MAX / 10 ? *number * 10 + (*cursor->at - '0') : INT64_MAX;
    *number = negative ? -*number : *number;
    return cursor->at > digits;
}

/* "7", "7/1", "7//3" or "7/1/3": the first counts, from 1 or, negative, back from the last vertex. */
static bool read_index(struct cursor *cursor, int64_t *index)
{
    if (!read_whole(cursor, index))
        return false;
    for (unsigned part = 0; part < 2 && *cursor->at == '/'; part++) {
        int64_t unused;
        cursor->at++;
        if (*cursor->at != '/' && !ends_word(*cursor->at) && !read_whole(cursor, &unused))
            return false;
    }
    return ends_word(*cursor->at);
}

/* before: how many vertices come before the face, from which negative numbers count. */
static bool read_face(struct mesh *mesh, struct cursor *cursor, const char *end, size_t before, struct problem *problem)
{
    mesh_face_begin(mesh);
    while (find_word(cursor, end)) {
        int64_t index;
        if (!read_index(cursor, &index))
            return fail(problem, "is a face with something else than numbers of vertices");
        /* There is no vertex 0. */
        const int64_t vertex = index > 0 ? index - 1 : index < 0 ? (int64_t)before + index : -1;
        if (!mesh_corner(mesh, vertex, index, problem))
            return false;
    }
    return mesh_face_end(mesh, problem);
}

/* The lines that begin with the keyword, v or f. */
static bool read_lines(struct mesh *mesh, char wanted, const char *text, const char *end, struct problem *problem)
{
    struct cursor cursor = {text, 1};
    size_t vertices = 0;
    while (cursor.at < end) {
        skip_blanks(&cursor);
        problem->line = cursor.line;
        const char keyword = *cursor.at;
        const bool is_read = (keyword == 'v' || keyword == 'f') && ends_word(cursor.at[1]);
        cursor.at += is_read;
        vertices += is_read && keyword == 'v';
        if (is_read && keyword != wanted)
            skip_words(&cursor, end);
        else if (is_read && !(keyword == 'v' ? read_vertex(mesh, &cursor, end, problem)
                                             : read_face(mesh, &cursor, end, vertices, problem)))
            return false;
        while (!at_end(&cursor, end))
            cursor.at++;
        cursor.at++;
        cursor.line++;
    }
    return true;
}

/* Faces may come before their vertices, whose coordinates they need. */
static bool parse_obj(struct mesh *mesh, const char *text, size_t size, struct problem *problem)
{
    const char *end = text + size;
    if (!read_lines(mesh, 'v', text, end, problem) || !read_lines(mesh, 'f', text, end, problem))
        return false;
    problem->line = 0;
    const bool lines = memchr(text, '\n', size) || !memchr(text, '\r', size);
    if (!lines)
        return fail(problem, "a carriage return alone ends no line");
    return mesh->vertex_count > 0 || fail(problem, "there is no vertex in the file");
}

static bool recognise_obj(const char *path, const char *text, size_t size)
{
    (void)text;
    (void)size;
    return has_ending(path, ".obj") || has_ending(path, ".obj.gz");
}

static bool open_obj(struct source *source, const struct kind *kind, const char *kind_option, struct problem *problem)
{
    (void)kind_option;
    return mesh_open(source, kind, parse_obj, problem);
}

const struct reader obj_reader = {.name = "a mesh",
                                  .kinds = {&kinds[ABUT_SET_TRIANGLES], &kinds[ABUT_SET_POINTS]},
                                  .recognise = recognise_obj,
                                  .open = open_obj,
                                  .read = mesh_read,
                                  .locate = mesh_locate,
                                  .close = mesh_close};
