/* SPDX-License-Identifier: MIT */
/* Integers in decimal, and strings without the zeros that fill them. */
#include "npy_label.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_INTEGER = 24 };

/* No rounding makes two of them one. */
static bool has_text(const struct npy_type *type)
{
    return type->kind == 'S' || type->kind == 'U' || (type->number && type->kind != 'f');
}

size_t npy_label_size(const struct npy_type *type)
{
    return type->size + LONGEST_INTEGER;
}

/* A character in at most four bytes, as many as it had. */
static size_t put_utf8(uint32_t c, char *text)
{
    if (c < 0x80) {
        text[0] = (char)c;
        return 1;
    }
    const size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};
    text[0] = (char)(first[more] | (c >> 6 * more & 0x3F));
    for (size_t i = 1; i <= more; i++)
        text[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3F));
    return 1 + more;
}

static size_t unicode_text(const struct npy_type *type, const unsigned char *at, char *text)
{
    const struct npy_number *character = npy_number_of('u', 4);
    size_t length = 0, used = 0;
    for (size_t i = 0; i < type->size; i += 4) {
        const uint64_t c = character->bits[type->swapped](at + i);
        length += put_utf8((uint32_t)c, text + length);
        used = c ? length : used;
    }
    return used;
}

size_t npy_label(const struct npy_type *type, const unsigned char *at, char *text)
{
    if (type->kind == 'U')
        return unicode_text(type, at, text);
    if (type->kind != 'S') {
        const uint64_t bits = type->number->bits[type->swapped](at);
        return (size_t)(type->kind == 'i' ? snprintf(text, LONGEST_INTEGER, "%lld", (long long)bits)
                                          : snprintf(text, LONGEST_INTEGER, "%llu", (unsigned long long)bits));
    }
    size_t length = type->size;
    while (length > 0 && at[length - 1] == '\0')
        length--;
    memcpy(text, at, length);
    return length;
}

const struct npy_column *npy_find_label(const struct npy_header *header, const char *name, struct problem *problem)
{
    const struct npy_column *column = NULL;
    size_t found = 0;
    for (size_t i = 0; i < header->column_count; i++)
        if (strcmp(header->columns[i].name, name) == 0) {
            column = &header->columns[i];
            found++;
        }
    if (!header->structured)
        npy_is_invalid(problem, "the columns of arrays have no names");
    else if (found != 1)
        npy_is_invalid(problem, found ? "the column is here several times" : "the column is missing");
    else if (!has_text(&column->type))
        npy_is_invalid(problem, "labels are integers or strings");
    else
        return column;
    problem->column = name;
    return NULL;
}
