/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: vertices and faces; everything else in the file is passed over. */
#include "mesh.h"
#include "parse_float.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct reader {
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

/*
 * A line that is read goes on in the next one where a backslash ends it; names of folders in other lines end so, too.
 */
static void skip_blanks(struct reader *reader)
{
    for (;;) {
        const char *at = reader->at;
        if (at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'))) {
            reader->at += at[1] == '\n' ? 2 : 3;
            reader->line++;
        } else if (is_blank(*at)) {
            reader->at++;
        } else {
            return;
        }
    }
}

static bool at_end(const struct reader *reader, const char *end)
{
    return reader->at >= end || *reader->at == '\n';
}

/* Whether another word follows in a line that is read. */
static bool find_word(struct reader *reader, const char *end)
{
    skip_blanks(reader);
    return !at_end(reader, end) && *reader->at != '#';
}

static bool fail(struct problem *problem, const char *what)
{
    snprintf(problem->what, sizeof problem->what, "%s", what);
    return false;
}

static bool read_vertex(struct mesh *mesh, struct reader *reader, const char *end, struct problem *problem)
{
    float at[3];
    for (unsigned k = 0; k < 3; k++) {
        if (!find_word(reader, end))
            return fail(problem, "is a vertex without three coordinates");
        enum parse_status status = parse_float(&reader->at, &at[k]);
        if (status == PARSE_UNREADABLE || !ends_word(*reader->at))
            return mesh_coordinate_fails(k, "is not a number", problem);
        if (status == PARSE_TOO_LARGE)
            return mesh_coordinate_fails(k, "is too large for a float32", problem);
        if (isinf(at[k]))
            return mesh_coordinate_fails(k, "is not finite", problem);
    }
    while (find_word(reader, end)) /* a weight or a colour */
        reader->at++;
    return mesh_vertex(mesh, at, problem);
}

static bool read_whole(struct reader *reader, int64_t *number)
{
    const bool negative = *reader->at == '-';
    reader->at += negative;
    const char *digits = reader->at;
    *number = 0;
    for (; *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        *number = *number < INT64_MAX / 10 ? *number * 10 + (*reader->at - '0') : INT64_MAX;
    *number = negative ? -*number : *number;
    return reader->at > digits;
}

/* "7", "7/1", "7//3" or "7/1/3": the first counts, from 1 or, negative, back from the last vertex. */
static bool read_index(struct reader *reader, int64_t *index)
{
    if (!read_whole(reader, index))
        return false;
    for (unsigned part = 0; part < 2 && *reader->at == '/'; part++) {
        int64_t unused;
        reader->at++;
        if (*reader->at != '/' && !ends_word(*reader->at) && !read_whole(reader, &unused))
            return false;
    }
    return ends_word(*reader->at);
}

static bool read_face(struct mesh *mesh, struct reader *reader, const char *end, struct problem *problem)
{
    struct face face = {0};
    while (find_word(reader, end)) {
        int64_t index;
        if (!read_index(reader, &index))
            return fail(problem, "is a face with something else than numbers of vertices");
        /* There is no vertex 0. */
        const int64_t vertex = index > 0 ? index - 1 : index < 0 ? (int64_t)mesh->vertex_count + index : -1;
        if (!mesh_corner(mesh, &face, vertex, index, problem))
            return false;
    }
    return mesh_face_end(&face, problem);
}

bool obj_read(struct mesh *mesh, const char *text, size_t size, struct problem *problem)
{
    const char *end = text + size;
    struct reader reader = {text, 1};
    while (reader.at < end) {
        skip_blanks(&reader);
        problem->line = reader.line;
        const char keyword = *reader.at;
        const bool is_read = (keyword == 'v' || keyword == 'f') && ends_word(reader.at[1]);
        reader.at += is_read;
        if (is_read && keyword == 'v' && !read_vertex(mesh, &reader, end, problem))
            return false;
        if (is_read && keyword == 'f' && !read_face(mesh, &reader, end, problem))
            return false;
        while (!at_end(&reader, end))
            reader.at++;
        reader.at++;
        reader.line++;
    }
    problem->line = 0;
    const bool lines = memchr(text, '\n', size) || !memchr(text, '\r', size);
    return mesh->triangle_count > 0 ||
           fail(problem, lines ? "there is no face in the file" : "a carriage return alone ends no line");
}
