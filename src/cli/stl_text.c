/* SPDX-License-Identifier: MIT */
/* The reader of ASCII STL: words with blanks and line ends between them. Its normals are not read. */
#include "cli.h"
#include "mesh.h"
#include "parse_float.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Where the words are read. A zero byte follows the text, and is no part of a word. */
struct cursor {
    const char *at;
    size_t line;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void find_word(struct cursor *cursor)
{
    for (; is_blank(*cursor->at) || *cursor->at == '\n'; cursor->at++)
        cursor->line += *cursor->at == '\n';
}

static size_t word_length(const struct cursor *cursor)
{
    return strcspn(cursor->at, " \t\r\n");
}

/* Takes the next word if it is this one, in whatever case. */
static bool take(struct cursor *cursor, const char *word)
{
    find_word(cursor);
    const size_t length = word_length(cursor);
    if (length != strlen(word) || strncasecmp(cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

static bool fail(struct cursor *cursor, const char *what, struct problem *problem)
{
    find_word(cursor);
    problem->line = cursor->line;
    snprintf(problem->what, sizeof problem->what, *cursor->at ? "%s should be here" : "is cut off: %s should be here",
             what);
    return false;
}

static bool need(struct cursor *cursor, const char *word, struct problem *problem)
{
    char quoted[16];
    if (take(cursor, word))
        return true;
    snprintf(quoted, sizeof quoted, "'%s'", word);
    return fail(cursor, quoted, problem);
}

/* Names of solids are words, too. */
static void skip_line(struct cursor *cursor)
{
    cursor->at += strcspn(cursor->at, "\n");
}

static bool read_vertex(struct mesh *mesh, struct cursor *cursor, struct problem *problem)
{
    float at[3];
    double wide[3];
    if (!need(cursor, "vertex", problem))
        return false;
    for (unsigned k = 0; k < 3; k++) {
        find_word(cursor);
        if (*cursor->at == '\0')
            return fail(cursor, "a coordinate", problem);
        problem->line = cursor->line;
        const size_t length = word_length(cursor);
        const char *number = cursor->at;
        const enum parse_status status = parse_number(&number, &at[k], &wide[k]);
        if (status == PARSE_UNREADABLE || number != cursor->at + length)
            return mesh_coordinate_fails(k, "is not a number", problem);
        if (status == PARSE_TOO_LARGE)
            return mesh_coordinate_fails(k, "is too large for a float32", problem);
        if (isinf(at[k]))
            return mesh_coordinate_fails(k, "is not finite", problem);
        cursor->at = number;
    }
    return mesh_vertex(mesh, wide, at, problem);
}

/* Behind the word "facet". */
static bool read_facet(struct mesh *mesh, struct cursor *cursor, struct problem *problem)
{
    if (!need(cursor, "normal", problem))
        return false;
    for (unsigned k = 0; k < 3; k++) {
        find_word(cursor);
        cursor->at += word_length(cursor);
    }
    if (!need(cursor, "outer", problem) || !need(cursor, "loop", problem))
        return false;
    mesh_face_begin(mesh);
    for (unsigned k = 0; k < 3; k++) {
        const int64_t vertex = (int64_t)mesh->vertex_count;
        if (!read_vertex(mesh, cursor, problem) || !mesh_corner(mesh, vertex, vertex, problem))
            return false;
    }
    return need(cursor, "endloop", problem) && need(cursor, "endfacet", problem) && mesh_face_end(mesh, problem);
}

/* Solids one behind the other are one mesh. */
static bool parse_stl_text(struct mesh *mesh, const char *text, size_t size, struct problem *problem)
{
    struct cursor cursor = {text, 1};
    for (find_word(&cursor); cursor.at < text + size; find_word(&cursor)) {
        if (!need(&cursor, "solid", problem))
            return false;
        skip_line(&cursor);
        while (take(&cursor, "facet"))
            if (!read_facet(mesh, &cursor, problem))
                return false;
        if (!take(&cursor, "endsolid"))
            return fail(&cursor, "'facet' or 'endsolid'", problem);
        skip_line(&cursor);
    }
    problem->line = 0;
    if (mesh->faces == 0)
        snprintf(problem->what, sizeof problem->what, "there is no facet in the file");
    return mesh->faces > 0;
}

/*
 * Binary files may begin with "solid", too, but have zero bytes in their counts. Of other text that begins so, as a
 * table with a column of that name, no line begins with "facet".
 */
static bool recognise_stl_text(const char *path, const char *text, size_t size)
{
    enum { FIRST_TRIANGLE_ENDS = 134 };
    const size_t mark = mesh_mark(text, size);
    struct cursor cursor = {text + mark, 1};
    if (size < mark + 6 || memchr(text, '\0', size < FIRST_TRIANGLE_ENDS ? size : FIRST_TRIANGLE_ENDS))
        return false;
    find_word(&cursor);
    if (strncasecmp(cursor.at, "solid", 5) != 0 || !(is_blank(cursor.at[5]) || cursor.at[5] == '\n'))
        return false;
    if (has_ending(path, ".stl") || has_ending(path, ".stl.gz"))
        return true;
    const char *line = memchr(cursor.at, '\n', size - (size_t)(cursor.at - text));
    cursor.at = line ? line : "";
    return take(&cursor, "facet") || take(&cursor, "endsolid");
}

static bool open_stl_text(struct source *source, const struct kind *kind, const char *kind_option,
                          struct problem *problem)
{
    (void)kind;
    (void)kind_option;
    return mesh_open(source, &kinds[ABUT_SET_TRIANGLES], parse_stl_text, problem);
}

const struct reader stl_text_reader = {.name = "an ASCII STL file",
                                       .kinds = {&kinds[ABUT_SET_TRIANGLES], &kinds[ABUT_SET_TRIANGLES]},
                                       .recognise = recognise_stl_text,
                                       .open = open_stl_text,
                                       .read = mesh_read,
                                       .locate = mesh_locate,
                                       .close = mesh_close};
