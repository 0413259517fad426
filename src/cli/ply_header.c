/* SPDX-License-Identifier: MIT */
/* The header of a PLY file: its format, and its elements with their properties. */
#include "ply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(MOST_PROPERTIES == 64 && MOST_ELEMENTS == 16, "messages and the man page say so");

/* The names of the types, old and new. */
static const char *const type_names[type_count][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                                      {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                                      {"float", "float32"}, {"double", "float64"}};

bool ply_fail(struct problem *problem, const char *what)
{
    snprintf(problem->what, sizeof problem->what, "%s", what);
    return false;
}

void ply_next_line(struct ply *ply)
{
    while (!ply_line_ends(ply))
        ply->at++;
    ply->at += ply->at < ply->end;
    ply->line++;
}

void ply_read_word(struct ply *ply, char word[WORD])
{
    size_t length = 0;
    for (ply_skip_blanks(ply); !ply_line_ends(ply) && !ply_is_blank(*ply->at); ply->at++)
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
    ply_read_word(ply, word);
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
        return ply_fail(problem, "is a property before any element");
    struct element *element = &ply->element[ply->elements - 1];
    if (element->properties == MOST_PROPERTIES)
        return ply_fail(problem, "is a property beyond the 64 that an element may have");
    const char *start = ply->at;
    ply_read_word(ply, word);
    property.list = strcmp(word, "list") == 0;
    if (!property.list)
        ply->at = start;
    if ((property.list && (!read_type(ply, &property.count_type) || property.count_type >= FLOAT32)) ||
        !read_type(ply, &property.type))
        return ply_fail(problem, "is a property of no known type");
    ply_read_word(ply, word);
    for (unsigned k = 0; k < 3; k++)
        if (element->vertex && !property.list && strcmp(word, names[k]) == 0)
            property.role = (enum role)k;
    if ((element->face || element->strips) && property.list &&
        (strcmp(word, "vertex_indices") == 0 || strcmp(word, "vertex_index") == 0))
        property.role = ROLE_INDICES;
    if (property.role == ROLE_INDICES && property.type >= FLOAT32)
        return ply_fail(problem, "numbers vertices by other than whole numbers");
    element->property[element->properties++] = property;
    return true;
}

/* "element NAME COUNT" */
static bool read_element(struct ply *ply, struct problem *problem)
{
    char word[WORD], *end;
    if (ply->elements == MOST_ELEMENTS)
        return ply_fail(problem, "is an element beyond the 16 that a file may have");
    struct element *element = &ply->element[ply->elements++];
    *element = (struct element){0};
    ply_read_word(ply, word);
    element->vertex = strcmp(word, "vertex") == 0;
    element->face = strcmp(word, "face") == 0;
    element->strips = strcmp(word, "tristrips") == 0;
    ply_read_word(ply, word);
    element->count = strtoull(word, &end, 10);
    if (!(word[0] >= '0' && word[0] <= '9') || *end != '\0')
        return ply_fail(problem, "is an element without a count");
    return true;
}

static bool read_format(struct ply *ply, struct problem *problem)
{
    char word[WORD];
    ply_read_word(ply, word);
    ply->big = strcmp(word, "binary_big_endian") == 0;
    ply->binary = ply->big || strcmp(word, "binary_little_endian") == 0;
    if (!ply->binary && strcmp(word, "ascii") != 0)
        return ply_fail(problem, "is no known format");
    ply_read_word(ply, word);
    return strcmp(word, "1.0") == 0 || ply_fail(problem, "is of a version other than 1.0");
}

/* Each role is there once, where it belongs; and every row of an element takes at least a byte. */
static bool check_header(const struct ply *ply, struct problem *problem)
{
    unsigned vertices = 0, faces = 0, strips = 0, coordinates[ROLE_NONE + 1] = {0};
    for (unsigned i = 0; i < ply->elements; i++) {
        const struct element *element = &ply->element[i];
        unsigned roles[ROLE_NONE + 1] = {0};
        if (element->properties == 0 && element->count > 0)
            return ply_fail(problem, "ends a header with an element that has no properties");
        vertices += element->vertex;
        faces += element->face;
        strips += element->strips;
        for (unsigned k = 0; k < element->properties; k++) {
            roles[element->property[k].role]++;
            coordinates[element->property[k].role]++;
        }
        if (element->face && roles[ROLE_INDICES] != 1)
            return ply_fail(problem, "ends a header with an element face that has no list vertex_indices");
        if (element->strips && roles[ROLE_INDICES] != 1)
            return ply_fail(problem, "ends a header with an element tristrips that has no list vertex_indices");
    }
    if (vertices != 1 || coordinates[ROLE_X] != 1 || coordinates[ROLE_Y] != 1 || coordinates[ROLE_Z] != 1)
        return ply_fail(problem, "ends a header without one element vertex with x, y and z");
    return (faces < 2 && strips < 2) || ply_fail(problem, "ends a header with two elements face or tristrips");
}

bool ply_read_header(struct ply *ply, struct problem *problem)
{
    const char *begin = ply->at;
    const size_t size = (size_t)(ply->end - begin);
    char word[WORD];
    bool format = false;
    for (ply_next_line(ply); ply->at < ply->end; ply_next_line(ply)) {
        bool good = true;
        problem->line = ply->line;
        ply_read_word(ply, word);
        if (strcmp(word, "end_header") == 0) {
            ply_next_line(ply);
            return format ? check_header(ply, problem) : ply_fail(problem, "ends a header without a format");
        }
        if (strcmp(word, "format") == 0)
            good = format ? ply_fail(problem, "is a second format") : (format = read_format(ply, problem));
        else if (strcmp(word, "element") == 0)
            good = read_element(ply, problem);
        else if (strcmp(word, "property") == 0)
            good = read_property(ply, problem);
        else if (strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0)
            good = ply_fail(problem, "is no line of a PLY header");
        if (!good)
            return false;
    }
    const bool lines = memchr(begin, '\n', size) || !memchr(begin, '\r', size);
    return ply_fail(problem,
                    lines ? "is where a header ends that has no end_header" : "a carriage return alone ends no line");
}
