/* SPDX-License-Identifier: MIT */
/* The header of an NPY file, which is a Python dictionary: read and written. */
#include "npy.h"

#include <stdio.h>
#include <string.h>

enum { MAGIC = 6 };
static const char magic[MAGIC] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

bool npy_is_invalid(struct problem *problem, const char *what)
{
    *problem = (struct problem){.place = PLACE_HEADER};
    snprintf(problem->what, sizeof problem->what, "%s", what);
    return false;
}

/* ---- The dictionary: keys and values as NumPy writes them, in any order. */

struct text {
    const char *at, *end;
};

/* The dictionary in the making. */
struct header {
    struct npy_header *found;
    char order; /* '<' or '>' */
    bool has_type, has_order, has_shape;
};

static void skip_blanks(struct text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\n' || *text->at == '\t'))
        text->at++;
}

static bool take(struct text *text, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(text);
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, word, length) != 0)
        return false;
    text->at += length;
    return true;
}

/* A quoted string without escapes, shorter than capacity. */
static bool take_string(struct text *text, char *string, size_t capacity)
{
    skip_blanks(text);
    if (text->at == text->end || (*text->at != '\'' && *text->at != '"'))
        return false;
    const char quote = *text->at++;
    const char *end = memchr(text->at, quote, (size_t)(text->end - text->at));
    if (!end || (size_t)(end - text->at) >= capacity)
        return false;
    memcpy(string, text->at, (size_t)(end - text->at));
    string[end - text->at] = '\0';
    text->at = end + 1;
    return true;
}

static bool take_size(struct text *text, size_t *size)
{
    skip_blanks(text);
    const char *first = text->at;
    for (*size = 0; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++) {
        if (*size > (SIZE_MAX - 9) / 10)
            return false;
        *size = *size * 10 + (size_t)(*text->at - '0');
    }
    const bool digits = text->at > first;
    if (digits && text->at < text->end && *text->at == 'L')
        text->at++; /* Python 2 wrote a long so */
    return digits;
}

static bool take_shape(struct text *text, struct npy_header *found)
{
    if (!take(text, "("))
        return false;
    while (!take(text, ")")) {
        if (found->dimensions == NPY_DIMENSIONS || !take_size(text, &found->shape[found->dimensions++]))
            return false;
        if (!take(text, ",")) {
            if (!take(text, ")"))
                return false;
            break;
        }
    }
    return true;
}

static bool take_type(struct text *text, struct header *header)
{
    char type[16];
    const uint16_t one = 1;
    const bool little = *(const unsigned char *)&one == 1;
    if (!take_string(text, type, sizeof type) || strlen(type) != 3)
        return false;
    header->order = type[0] == '=' ? (little ? '<' : '>') : type[0];
    header->found->size = (unsigned)(type[2] - '0');
    header->found->swapped = (header->order == '<') != little;
    return (header->order == '<' || header->order == '>') && type[1] == 'f' &&
           (header->found->size == 4 || header->found->size == 8);
}

static bool read_dictionary(struct text text, struct header *header, struct problem *problem)
{
    if (!take(&text, "{"))
        return npy_is_invalid(problem, "is not a dictionary");
    while (!take(&text, "}")) {
        char key[16] = "";
        if (!take_string(&text, key, sizeof key) || !take(&text, ":"))
            return npy_is_invalid(problem, "is not a dictionary");
        if (strcmp(key, "descr") == 0 && !header->has_type) {
            header->has_type = true;
            if (!take_type(&text, header))
                return npy_is_invalid(problem, "descr is not that of float32 or float64");
        } else if (strcmp(key, "fortran_order") == 0 && !header->has_order) {
            header->has_order = true;
            header->found->by_columns = take(&text, "True");
            if (!header->found->by_columns && !take(&text, "False"))
                return npy_is_invalid(problem, "fortran_order is neither True nor False");
        } else if (strcmp(key, "shape") == 0 && !header->has_shape) {
            header->has_shape = true;
            if (!take_shape(&text, header->found))
                return npy_is_invalid(problem, "the shape is not that of two or three dimensions");
        } else {
            return npy_is_invalid(problem, "has a key twice, or one that NPY files do not have");
        }
        if (!take(&text, ",")) {
            if (!take(&text, "}"))
                return npy_is_invalid(problem, "is not a dictionary");
            break;
        }
    }
    skip_blanks(&text);
    if (text.at != text.end || !header->has_type || !header->has_order || !header->has_shape)
        return npy_is_invalid(problem, "lacks descr, fortran_order or shape, or goes on behind them");
    return true;
}

/* ---- The file */

bool npy_begins(const void *bytes, size_t size)
{
    return size >= MAGIC && memcmp(bytes, magic, MAGIC) == 0;
}

bool npy_read_header(struct npy_header *header, const void *bytes, size_t size, struct problem *problem)
{
    const unsigned char *at = bytes;
    const size_t prefix = size > MAGIC && at[MAGIC] > 1 ? 12 : 10;
    if (size < prefix)
        return npy_is_invalid(problem, "is not all there");
    if (at[MAGIC] < 1 || at[MAGIC] > 3)
        return npy_is_invalid(problem, "is of a format other than 1, 2 and 3");
    size_t length = at[8] | (size_t)at[9] << 8;
    if (prefix == 12)
        length |= (size_t)at[10] << 16 | (size_t)at[11] << 24;
    if (length > size - prefix)
        return npy_is_invalid(problem, "is not all there");
    *header = (struct npy_header){.values = at + prefix + length, .bytes = size - prefix - length};
    struct header dictionary = {.found = header};
    const char *text = (const char *)at + prefix;
    return read_dictionary((struct text){text, text + length}, &dictionary, problem);
}

void npy_write_header(char header[NPY_HEADER], uint64_t rows)
{
    char text[NPY_HEADER];
    const int length = snprintf(text, sizeof text, "{'descr': '<u4', 'fortran_order': False, 'shape': (%llu, 2), }",
                                (unsigned long long)rows);
    memset(header, ' ', NPY_HEADER);
    memcpy(header, magic, MAGIC);
    header[6] = 1;
    header[7] = 0;
    header[8] = NPY_HEADER - 10;
    header[9] = 0;
    memcpy(header + 10, text, (size_t)length);
    header[NPY_HEADER - 1] = '\n';
}
