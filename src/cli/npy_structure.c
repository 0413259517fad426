/* SPDX-License-Identifier: MIT */
/* Structures in NPY files: a list of names and types, of which each may have a shape, or be a list itself. */
#include "npy_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "[('x', '<f4'), ('position', '<f4', (3,)), ('', '|V4'), ('inner', [...])]" */

/* No deeper structure was seen, nor a larger one; the depth bounds how often functions call each other. */
enum { MOST_DEPTH = 8, MOST_STRUCTURE = 1 << 20 };
static const char *const too_large = "has a structure of more than a megabyte";

struct structure {
    struct npy_header *header;
    struct npy_text text;
    size_t offset;    /* of the next member */
    const char *what; /* is wrong */
};

static bool structure_fails(struct structure *structure, const char *what)
{
    structure->what = what;
    return false;
}

static bool add_column(struct structure *structure, const struct npy_column *column)
{
    struct npy_header *header = structure->header;
    if (header->column_count == NPY_MOST_COLUMNS)
        return structure_fails(structure, "has a structure of more than 256 values");
    header->columns[header->column_count++] = *column;
    return true;
}

/* A value, or padding, which has no name. */
static bool add_value(struct structure *structure, const char *name)
{
    char type[24];
    struct npy_column column = {.offset = structure->offset};
    if (!npy_take_string(&structure->text, type, sizeof type) || !npy_read_type(type, &column.type))
        return structure_fails(structure, "has a structure with a member of no known type");
    if (column.type.size > MOST_STRUCTURE)
        return structure_fails(structure, too_large);
    snprintf(column.name, sizeof column.name, "%.47s", name);
    structure->offset += column.type.size;
    return *name == '\0' || add_column(structure, &column);
}

/* More elements of an array, of which the first is there: columns from first on, and bytes from start on. */
static bool add_elements(struct structure *structure, size_t times, size_t first, size_t start, const char *name)
{
    struct npy_header *header = structure->header;
    const size_t columns = header->column_count - first, size = structure->offset - start;
    if ((uint64_t)times * size > MOST_STRUCTURE)
        return structure_fails(structure, too_large);
    if (times == 0)
        header->column_count = first;
    structure->offset = start + times * size;
    for (size_t i = 1; i < times && columns > 0; i++) /* padding has no columns, and may be there a million times */
        for (size_t k = 0; k < columns; k++) {
            struct npy_column column = header->columns[first + k];
            column.offset += i * size;
            if (columns == 1)
                snprintf(column.name, sizeof column.name, "%.24s[%zu]", name, i);
            if (!add_column(structure, &column))
                return false;
        }
    if (times > 1 && columns == 1)
        snprintf(header->columns[first].name, NPY_NAME, "%.24s[0]", name);
    return true;
}

/* Behind a comma: "(3, 2)", "3", or nothing. */
static bool take_times(struct structure *structure, size_t *times)
{
    size_t shape[NPY_DIMENSIONS] = {0};
    unsigned dimensions = 1;
    const char *behind = structure->text.at;
    *times = 1;
    if (npy_take(&structure->text, ")")) {
        structure->text.at = behind;
        return true;
    }
    npy_skip_blanks(&structure->text);
    const bool tuple = structure->text.at < structure->text.end && *structure->text.at == '(';
    if (!(tuple ? npy_take_shape(&structure->text, shape, NPY_DIMENSIONS, &dimensions)
                : npy_take_size(&structure->text, shape)))
        return structure_fails(structure, "has a structure with an array of no known shape");
    for (unsigned i = 0; i < dimensions; i++) {
        if (shape[i] > MOST_STRUCTURE || (uint64_t)*times * shape[i] > MOST_STRUCTURE)
            return structure_fails(structure, too_large);
        *times *= shape[i];
    }
    return true;
}

static bool take_members(struct structure *structure, const char *around, unsigned depth);

/* Behind the parenthesis of "('x', '<f4')", also with a title, "(('a title', 'x'), '<f4')", or a shape at its end. */
static bool take_member(struct structure *structure, const char *around, unsigned depth)
{
    static const char *const no_list = "has a structure that is not a list of names and types";
    struct npy_text *text = &structure->text;
    char name[NPY_NAME], whole[2 * NPY_NAME];
    const size_t first = structure->header->column_count, start = structure->offset;
    size_t times = 1;
    const bool titled = npy_take(text, "(");
    if (!npy_take_string(text, name, sizeof name) || !npy_take(text, ",") ||
        (titled && (!npy_take_string(text, name, sizeof name) || !npy_take(text, ")") || !npy_take(text, ","))))
        return structure_fails(structure, no_list);
    for (char *comma = name; *comma; comma++) /* it separates names in a list */
        *comma = *comma == ',' ? ' ' : *comma;
    snprintf(whole, sizeof whole, "%s%s%s", around, *around && *name ? "." : "", name);
    if (npy_take(text, "[") ? !take_members(structure, whole, depth + 1) : !add_value(structure, *name ? whole : ""))
        return false;
    if (npy_take(text, ",") && !take_times(structure, &times))
        return false;
    if (!npy_take(text, ")"))
        return structure_fails(structure, no_list);
    return add_elements(structure, times, first, start, whole) &&
           (structure->offset <= MOST_STRUCTURE || structure_fails(structure, too_large));
}

/* Behind the bracket of a list. */
static bool take_members(struct structure *structure, const char *around, unsigned depth)
{
    static const char *const no_list = "has a structure that is not a list of names and types";
    if (depth == MOST_DEPTH)
        return structure_fails(structure, "has structures in structures, more than 8 deep");
    while (!npy_take(&structure->text, "]")) {
        if (!npy_take(&structure->text, "("))
            return structure_fails(structure, no_list);
        if (!take_member(structure, around, depth))
            return false;
        if (!npy_take(&structure->text, ","))
            return npy_take(&structure->text, "]") || structure_fails(structure, no_list);
    }
    return true;
}

bool npy_take_structure(struct npy_text *text, struct npy_header *header, struct problem *problem)
{
    struct structure structure = {header, *text, 0, NULL};
    header->structured = true;
    header->columns = calloc(NPY_MOST_COLUMNS, sizeof *header->columns);
    if (!header->columns)
        return npy_is_invalid(problem, "out of memory");
    if (!take_members(&structure, "", 0))
        return npy_is_invalid(problem, structure.what);
    *text = structure.text;
    header->item = structure.offset;
    return (header->column_count > 0 && header->item > 0) || npy_is_invalid(problem, "has a structure without members");
}
