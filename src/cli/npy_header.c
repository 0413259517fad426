/* SPDX-License-Identifier: MIT */
/* The header of an NPY file: a Python dictionary, behind a mark and its length. */
#include "npy_words.h"

#include <stdio.h>
#include <string.h>

/* NumPy reads at most 10,000 bytes unless it is told to trust a file. */
enum { MAGIC = 6, MOST_HEADER = 1 << 20 };
static const char magic[MAGIC] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

bool npy_is_invalid(struct problem *problem, const char *what)
{
    *problem = (struct problem){.place = PLACE_HEADER};
    snprintf(problem->what, sizeof problem->what, "%s", what);
    return false;
}

static bool take_description(struct npy_text *text, struct npy_header *header, struct problem *problem)
{
    char type[24];
    if (npy_take(text, "["))
        return npy_take_structure(text, header, problem);
    if (!npy_take_string(text, type, sizeof type) || !npy_read_type(type, &header->type) || !header->type.number)
        return npy_is_invalid(problem, "descr is that of neither integers nor floats of up to 8 bytes");
    header->item = header->type.size;
    return true;
}

/* Keys may have any order. */
static bool read_dictionary(struct npy_text text, struct npy_header *header, struct problem *problem)
{
    bool type = false, order = false, shape = false;
    if (!npy_take(&text, "{"))
        return npy_is_invalid(problem, "is not a dictionary");
    while (!npy_take(&text, "}")) {
        char key[16] = "";
        if (!npy_take_string(&text, key, sizeof key) || !npy_take(&text, ":"))
            return npy_is_invalid(problem, "is not a dictionary");
        if (strcmp(key, "descr") == 0 && !type) {
            type = true;
            if (!take_description(&text, header, problem))
                return false;
        } else if (strcmp(key, "fortran_order") == 0 && !order) {
            order = true;
            header->by_columns = npy_take(&text, "True");
            if (!header->by_columns && !npy_take(&text, "False"))
                return npy_is_invalid(problem, "fortran_order is neither True nor False");
        } else if (strcmp(key, "shape") == 0 && !shape) {
            shape = true;
            if (!npy_take_shape(&text, header->shape, NPY_DIMENSIONS, &header->dimensions))
                return npy_is_invalid(problem, "the shape is not that of two or three dimensions");
        } else {
            return npy_is_invalid(problem, "has a key twice, or one that NPY files do not have");
        }
        if (!npy_take(&text, ",")) {
            if (!npy_take(&text, "}"))
                return npy_is_invalid(problem, "is not a dictionary");
            break;
        }
    }
    npy_skip_blanks(&text);
    if (text.at != text.end || !type || !order || !shape)
        return npy_is_invalid(problem, "lacks descr, fortran_order or shape, or goes on behind them");
    return true;
}

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
    if (length > MOST_HEADER)
        return npy_is_invalid(problem, "is longer than a megabyte");
    *header = (struct npy_header){.values = at + prefix + length, .bytes = size - prefix - length};
    const char *text = (const char *)at + prefix;
    return read_dictionary((struct npy_text){text, text + length}, header, problem);
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
