/* SPDX-License-Identifier: MIT */
/* PLY 1.0, ASCII or binary of either byte order: vertices and faces; other elements and properties are passed over. */
#include "mesh.h"
#include "parse_float.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROPERTIES = 64, MOST_ELEMENTS = 16, WORD = 64 };
_Static_assert(MOST_PROPERTIES == 64 && MOST_ELEMENTS == 16, "messages and the man page say so");

/* The names of the types, old and new. */
enum type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, type_count };
static const char *const type_names[type_count][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                                      {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                                      {"float", "float32"}, {"double", "float64"}};
static const unsigned type_sizes[type_count] = {1, 1, 2, 2, 4, 4, 4, 8};

enum role { ROLE_X, ROLE_Y, ROLE_Z, ROLE_INDICES, ROLE_NONE };

struct property {
    enum type type, count_type;
    bool list;
    enum role role;
};

struct element {
    bool vertex, face;
    uint64_t count;
    unsigned properties;
    struct property property[MOST_PROPERTIES];
};

struct ply {
    const char *at, *end;
    size_t line; /* of the header, and of an ASCII file */
    bool binary, big;
    unsigned elements;
    struct element element[MOST_ELEMENTS];
};

static bool fail(struct problem *problem, const char *what)
{
    snprintf(problem->what, sizeof problem->what, "%s", what);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct ply *ply)
{
    while (ply->at < ply->end && is_blank(*ply->at))
        ply->at++;
}

static bool line_ends(const struct ply *ply)
{
    return ply->at >= ply->end || *ply->at == '\n';
}

static void next_line(struct ply *ply)
{
    while (!line_ends(ply))
        ply->at++;
    ply->at += ply->at < ply->end;
    ply->line++;
}

/* The next word of the line, empty at its end; one that is longer than all keywords is "?". */
static void read_word(struct ply *ply, char word[WORD])
{
    size_t length = 0;
    for (skip_blanks(ply); !line_ends(ply) && !is_blank(*ply->at); ply->at++)
        if (length < WORD)
            word[length++] = *ply->at;
    if (length == WORD) {
        word[0] = '?';
        length = 1;
    }
    word[length] = '\0';
}

static bool read_type(struct ply *ply, enum type *type)
{
    char word[WORD];
    read_word(ply, word);
    for (unsigned i = 0; i < type_count; i++)
        if (strcmp(word, type_names[i][0]) == 0 || strcmp(word, type_names[i][1]) == 0) {
            *type = (enum type)i;
            return true;
        }
    return false;
}

/* "property TYPE NAME" or "property list TYPE TYPE NAME", of the element read last. */
static bool read_property(struct ply *ply, struct problem *problem)
{
    static const char *const names[] = {"x", "y", "z"};
    struct property property = {.role = ROLE_NONE};
    char word[WORD];
    if (ply->elements == 0)
        return fail(problem, "is a property before any element");
    struct element *element = &ply->element[ply->elements - 1];
    if (element->properties == MOST_PROPERTIES)
        return fail(problem, "is a property beyond the 64 that an element may have");
    const char *start = ply->at;
    read_word(ply, word);
    property.list = strcmp(word, "list") == 0;
    if (!property.list)
        ply->at = start;
    if ((property.list && (!read_type(ply, &property.count_type) || property.count_type >= FLOAT32)) ||
        !read_type(ply, &property.type))
        return fail(problem, "is a property of no known type");
    read_word(ply, word);
    for (unsigned k = 0; k < 3; k++)
        if (element->vertex && !property.list && strcmp(word, names[k]) == 0)
            property.role = (enum role)k;
    if (element->face && property.list && (strcmp(word, "vertex_indices") == 0 || strcmp(word, "vertex_index") == 0))
        property.role = ROLE_INDICES;
    if (property.role == ROLE_INDICES && property.type >= FLOAT32)
        return fail(problem, "numbers vertices by other than whole numbers");
    element->property[element->properties++] = property;
    return true;
}

/* "element NAME COUNT" */
static bool read_element(struct ply *ply, struct problem *problem)
{
    char word[WORD], *end;
    if (ply->elements == MOST_ELEMENTS)
        return fail(problem, "is an element beyond the 16 that a file may have");
    struct element *element = &ply->element[ply->elements++];
    *element = (struct element){0};
    read_word(ply, word);
    element->vertex = strcmp(word, "vertex") == 0;
    element->face = strcmp(word, "face") == 0;
    read_word(ply, word);
    element->count = strtoull(word, &end, 10);
    if (!(word[0] >= '0' && word[0] <= '9') || *end != '\0')
        return fail(problem, "is an element without a count");
    return true;
}

static bool read_format(struct ply *ply, struct problem *problem)
{
    char word[WORD];
    read_word(ply, word);
    ply->big = strcmp(word, "binary_big_endian") == 0;
    ply->binary = ply->big || strcmp(word, "binary_little_endian") == 0;
    if (!ply->binary && strcmp(word, "ascii") != 0)
        return fail(problem, "is no known format");
    read_word(ply, word);
    return strcmp(word, "1.0") == 0 || fail(problem, "is of a version other than 1.0");
}

/* Each role is there once, where it belongs; and every row of an element takes at least a byte. */
static bool check_header(const struct ply *ply, struct problem *problem)
{
    unsigned roles[ROLE_NONE + 1] = {0}, vertices = 0, faces = 0;
    for (unsigned i = 0; i < ply->elements; i++) {
        const struct element *element = &ply->element[i];
        if (element->properties == 0 && element->count > 0)
            return fail(problem, "ends a header with an element that has no properties");
        vertices += element->vertex;
        faces += element->face;
        for (unsigned k = 0; k < element->properties; k++)
            roles[element->property[k].role]++;
    }
    if (vertices != 1 || roles[ROLE_X] != 1 || roles[ROLE_Y] != 1 || roles[ROLE_Z] != 1)
        return fail(problem, "ends a header without one element vertex with x, y and z");
    if (faces > 1 || roles[ROLE_INDICES] != faces)
        return fail(problem, "ends a header with an element face that has no list vertex_indices");
    return true;
}

static bool read_header(struct ply *ply, struct problem *problem)
{
    const char *begin = ply->at;
    const size_t size = (size_t)(ply->end - begin);
    char word[WORD];
    bool format = false;
    for (next_line(ply); ply->at < ply->end; next_line(ply)) {
        bool good = true;
        problem->line = ply->line;
        read_word(ply, word);
        if (strcmp(word, "end_header") == 0) {
            next_line(ply);
            return format ? check_header(ply, problem) : fail(problem, "ends a header without a format");
        }
        if (strcmp(word, "format") == 0)
            good = format ? fail(problem, "is a second format") : (format = read_format(ply, problem));
        else if (strcmp(word, "element") == 0)
            good = read_element(ply, problem);
        else if (strcmp(word, "property") == 0)
            good = read_property(ply, problem);
        else if (strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0)
            good = fail(problem, "is no line of a PLY header");
        if (!good)
            return false;
    }
    const bool lines = memchr(begin, '\n', size) || !memchr(begin, '\r', size);
    return fail(problem,
                lines ? "is where a header ends that has no end_header" : "a carriage return alone ends no line");
}

/* The next number of a binary file. */
static bool read_binary(struct ply *ply, enum type type, double *number, struct problem *problem)
{
    const unsigned size = type_sizes[type];
    uint64_t bits = 0;
    if ((size_t)(ply->end - ply->at) < size)
        return fail(problem, "is cut off");
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
        skip_blanks(ply);
        if (line_ends(ply))
            return fail(problem, "has too few numbers");
        const enum parse_status status = parse_number(&ply->at, number, wide);
        if (status == PARSE_UNREADABLE || !(line_ends(ply) || is_blank(*ply->at)))
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
    read_word(ply, word);
    *number = strtoll(word, &end, 10);
    if (word[0] == '\0' || *end != '\0')
        return fail(problem, word[0] ? "has a count or an index that is not a whole number" : "has too few numbers");
    return true;
}

static bool skip_value(struct ply *ply, enum type type, struct problem *problem)
{
    char word[WORD];
    double ignored;
    if (ply->binary)
        return read_binary(ply, type, &ignored, problem);
    skip_blanks(ply);
    bool there = !line_ends(ply);
    read_word(ply, word);
    return there || fail(problem, "has too few numbers");
}

static bool read_list(struct ply *ply, const struct property *property, struct mesh *mesh, struct problem *problem)
{
    int64_t count = 0, vertex = 0;
    if (!read_whole(ply, property->count_type, &count, problem))
        return false;
    if (count < 0)
        return fail(problem, "has a list of less than nothing");
    if (property->role == ROLE_INDICES)
        mesh_face_begin(mesh);
    for (int64_t i = 0; i < count; i++) {
        if (property->role != ROLE_INDICES) {
            if (!skip_value(ply, property->type, problem))
                return false;
        } else if (!read_whole(ply, property->type, &vertex, problem) || !mesh_corner(mesh, vertex, vertex, problem)) {
            return false;
        }
    }
    return property->role != ROLE_INDICES || mesh_face_end(mesh, problem);
}

static bool read_row(struct ply *ply, const struct element *element, struct mesh *mesh, struct problem *problem)
{
    double at[3] = {0};
    float near[3] = {0};
    for (unsigned k = 0; k < element->properties; k++) {
        const struct property *property = &element->property[k];
        const bool done = property->list                  ? read_list(ply, property, mesh, problem)
                          : property->role < ROLE_INDICES ? read_coordinate(ply, property, at, near, problem)
                                                          : skip_value(ply, property->type, problem);
        if (!done)
            return false;
    }
    return !element->vertex || mesh_vertex(mesh, at, near, problem);
}

/* A binary file has no lines: the description names the row. */
static bool row_fails(const struct element *element, uint64_t row, struct problem *problem)
{
    struct problem without = *problem;
    problem->line = 0;
    snprintf(problem->what, sizeof problem->what, "%s %llu %.100s",
             element->vertex ? "vertex"
             : element->face ? "face"
                             : "row",
             (unsigned long long)row, without.what);
    return false;
}

static void skip_blank_lines(struct ply *ply)
{
    for (skip_blanks(ply); ply->at < ply->end && *ply->at == '\n'; skip_blanks(ply))
        next_line(ply);
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
            return fail(problem, "is where the file is cut off");
        if (!read_row(ply, element, mesh, problem))
            return false;
        skip_blanks(ply);
        if (!line_ends(ply))
            return fail(problem, "has too many numbers");
        next_line(ply);
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
           fail(problem, ply->binary ? "has bytes behind the last element" : "is text behind the last element");
}

/* Faces must come after the vertices that they name, as they do in every file that was seen. */
static bool parse_ply(struct mesh *mesh, const char *text, size_t size, struct problem *problem)
{
    struct ply ply = {.at = text, .end = text + size, .line = 1};
    problem->line = 1;
    bool good = read_header(&ply, problem);
    for (unsigned i = 0; good && i < ply.elements; i++)
        good = read_rows(&ply, &ply.element[i], mesh, problem);
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
