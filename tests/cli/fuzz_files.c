/* SPDX-License-Identifier: MIT */
/* Files of each format with random contents. */
#include "fuzz_files.h"

#include "kinds.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *at;
    size_t n;
};

static void put_bytes(struct text *text, const void *bytes, size_t n)
{
    if (n <= MOST_BYTES - text->n) {
        memcpy(text->at + text->n, bytes, n);
        text->n += n;
    }
}

static void put(struct text *text, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put_bytes(text, line, (size_t)length);
}

static const char *one_of(struct random *random, const char *const *names, unsigned n)
{
    return names[random_below(random, n)];
}

#define ONE_OF(random, ...)                                                                                            \
    one_of(random, (const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

static void put_number(struct text *text, struct random *random)
{
    if (random_below(random, 20) == 0)
        put(text, "%s",
            ONE_OF(random, "nan", "inf", "-inf", "1e39", "3.4028235e38", "3.40282357e38", "1e-46", "-0", "+1", ".5",
                   "5.", "0x1p3", "", " 1 ", "\"2\"", "1e", "--1", "7.0064923216240853546186479164495e-46"));
    else if (random_below(random, 3) == 0)
        put(text, "%u", random_below(random, 9));
    else
        put(text, "%.*g", 1 + (int)random_below(random, 12), (double)random_between(random, -9, 9));
}

static void make_csv(struct text *text, struct random *random)
{
    const struct kind *kind = random_below(random, 9) ? &kinds[random_below(random, KINDS)] : &quaternion_obbs;
    const char *end = ONE_OF(random, "\n", "\n", "\r\n");
    const unsigned extra = random_below(random, 3) == 0 ? random_below(random, kind->field_count) : 99;
    if (random_below(random, 9) == 0)
        put(text, "\xEF\xBB\xBF");
    for (unsigned k = 0; k < kind->field_count; k++)
        put(text, "%s%s%s", k ? "," : "", k == extra ? "g," : "", kind->fields[k]);
    put(text, "%s", end);
    for (unsigned row = 0, rows = random_below(random, 40); row < rows; row++) {
        for (unsigned k = 0; k < kind->field_count; k++) {
            put(text, "%s", k ? "," : "");
            if (k == extra)
                put(text, "%s,", ONE_OF(random, "a", "b", "\"a\"", "\"a,\nb\"", "\"\"\"\"", "", "c d"));
            if (strcmp(kind->fields[k], "volume") == 0)
                put(text, "%u", row / 6);
            else
                put_number(text, random);
        }
        put(text, "%s", row + 1 == rows && random_below(random, 4) == 0 ? "" : end);
    }
}

/* The bytes of a number of 1, 2, 4 or 8 bytes, or of a float of 4 or 8. */
static void put_binary(struct text *text, double value, unsigned size, bool real, bool big)
{
    unsigned char bytes[8];
    const int64_t whole = real ? 0 : (int64_t)value;
    const float single = (float)value;
    uint64_t bits = (uint64_t)whole;
    uint32_t half;
    memcpy(&half, &single, sizeof half);
    if (real && size == 8)
        memcpy(&bits, &value, sizeof bits);
    else if (real)
        bits = half;
    for (unsigned i = 0; i < size; i++)
        bytes[big ? size - 1 - i : i] = (unsigned char)(bits >> 8 * i);
    put_bytes(text, bytes, size);
}

struct type {
    const char *name, *numpy;
    unsigned size;
    bool real;
};

static const struct type all_types[] = {
    {"float", "f4", 4, true},  {"double", "f8", 8, true},  {"char", "i1", 1, false}, {"uchar", "u1", 1, false},
    {"short", "i2", 2, false}, {"ushort", "u2", 2, false}, {"int", "i4", 4, false},  {"uint", "u4", 4, false},
};

/* In ASCII, or of little or big end first. */
static void put_value(struct text *text, const struct type *type, double value, int order)
{
    if (order == 0)
        put(text, type->real ? "%.9g " : "%.0f ", value);
    else
        put_binary(text, value, type->size, type->real, order == 2);
}

static void put_npy(struct text *text, const char *type, const char *order, const char *shape, unsigned version)
{
    char dictionary[900];
    const int length = snprintf(dictionary, sizeof dictionary, "{'descr': %s, 'fortran_order': %s, 'shape': %s, }",
                                type, order, shape);
    put_bytes(text, "\x93NUMPY", 6);
    put_binary(text, version, 1, false, false);
    put_binary(text, 0, 1, false, false);
    put_binary(text, length + 1, version == 1 ? 2 : 4, false, false);
    put(text, "%s\n", dictionary);
}

/* Structures of one kind, with members of any type and some that no kind has. */
static void make_npy_structures(struct text *text, struct random *random)
{
    const struct kind *kind = &kinds[random_below(random, KINDS)];
    const unsigned rows = random_below(random, 40), odd = random_below(random, 3);
    const struct type *types[MOST_FIELDS];
    char list[640] = "[", shape[16];
    size_t length = 1;
    for (unsigned k = 0; k < kind->field_count; k++) {
        types[k] = &all_types[random_below(random, 8)];
        length += (size_t)snprintf(list + length, sizeof list - length, "%s('%s', '<%s'), ",
                                   odd == 1 && k == 1 ? "('g', '|S2'), ('', '|V1', (2,)), " : "", kind->fields[k],
                                   types[k]->numpy);
    }
    snprintf(list + length, sizeof list - length, odd == 2 ? "('w', [('r', '<f2', (2,))])]" : "]");
    snprintf(shape, sizeof shape, "(%u,)", rows);
    put_npy(text, list, "False", shape, 1);
    for (unsigned row = 0; row < rows; row++) {
        for (unsigned k = 0; k < kind->field_count; k++) {
            put(text, odd == 1 && k == 1 ? "%c..." : "", (int)('a' + random_below(random, 3)));
            put_value(text, types[k], (double)random_between(random, 0, 9), 1);
        }
        put(text, odd == 2 ? "half" : "");
    }
}

static void make_npy(struct text *text, struct random *random)
{
    static const unsigned columns_of[] = {3, 4, 5, 6, 7, 9, 10, 15, 4};
    const bool big = random_below(random, 2), hulls = random_below(random, 5) == 0;
    const unsigned version = 1 + random_below(random, 3), rows = random_below(random, 60);
    const unsigned columns = hulls ? 4 : columns_of[random_below(random, 9)], planes = 1 + random_below(random, 7);
    const struct type *type = &all_types[random_below(random, 3) ? random_below(random, 2) : random_below(random, 8)];
    char shape[64], name[16];
    snprintf(shape, sizeof shape, hulls ? "(%u, %u, %u)" : "(%u, %u)", rows, hulls ? planes : columns, columns);
    snprintf(name, sizeof name, "'%c%s'", big ? '>' : '<', type->numpy);
    put_npy(text, name, ONE_OF(random, "True", "False"), shape, version);
    for (unsigned i = 0; i < rows * columns * (hulls ? planes : 1); i++)
        put_value(text, type, !type->real || random_below(random, 200) ? (double)random_between(random, 0, 9) : 1e39,
                  big ? 2 : 1);
}

static void make_ply(struct text *text, struct random *random)
{
    static const char *const orders[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    const int order = (int)random_below(random, 3);
    const struct type *real = &all_types[random_below(random, 2)], *count = &all_types[2 + random_below(random, 6)];
    const struct type *index = &all_types[2 + random_below(random, 6)];
    const unsigned vertices = 3 + random_below(random, 30), faces = random_below(random, 20);
    const bool colour = random_below(random, 3) == 0, strips = random_below(random, 4) == 0;
    put(text, "ply\nformat %s 1.0\ncomment made\nelement vertex %u\n", orders[order], vertices);
    for (unsigned k = 0; k < 3; k++)
        put(text, "property %s %c\n", real->name, "xyz"[k]);
    put(text, colour ? "property uchar red\n" : "");
    put(text, "element %s %u\nproperty list %s %s %s\nend_header\n", strips ? "tristrips" : "face", faces, count->name,
        index->name, ONE_OF(random, "vertex_indices", "vertex_index"));
    for (unsigned i = 0; i < vertices; i++) {
        for (unsigned k = 0; k < 3; k++)
            put_value(text, real, (double)random_between(random, -9, 9), order);
        if (colour)
            put_value(text, &all_types[3], random_below(random, 256), order);
        put(text, order == 0 ? "\n" : "");
    }
    for (unsigned i = 0; i < faces; i++) {
        const unsigned corners = strips || !random_below(random, 9) ? random_below(random, 9) : 3;
        put_value(text, count, corners, order);
        for (unsigned c = 0; c < corners; c++)
            put_value(text, index,
                      strips && random_below(random, 7) == 0
                          ? -1.0
                          : random_below(random, random_below(random, 90) ? vertices : 200),
                      order);
        put(text, order == 0 ? "\n" : "");
    }
}

static void make_obj(struct text *text, struct random *random)
{
    const unsigned vertices = 3 + random_below(random, 20);
    put(text, "# made\no thing\n");
    for (unsigned i = 0; i < vertices; i++) {
        put(text, "v ");
        for (unsigned k = 0; k < 3; k++)
            put(text, "%.*g ", 1 + (int)random_below(random, 9), (double)random_between(random, -9, 9));
        put(text, "%s", ONE_OF(random, "\n", "1\n", "\\\n1\n", "\r\n"));
    }
    for (unsigned i = 0, faces = random_below(random, 20); i < faces; i++) {
        put(text, "f");
        for (unsigned c = 0, corners = 3 + random_below(random, 3); c < corners; c++)
            put(text, " %s%u%s", ONE_OF(random, "", "", "-"), 1 + random_below(random, vertices),
                ONE_OF(random, "", "", "/1", "//1", "/1/1"));
        put(text, "\n%s", ONE_OF(random, "", "usemtl a\\\n", "s 1\n", "# f 1 2 3\n"));
    }
}

static void make_stl(struct text *text, struct random *random)
{
    const bool binary = random_below(random, 2);
    const unsigned triangles = random_below(random, 12);
    if (binary) {
        char header[80] = "made";
        put_bytes(text, header, sizeof header);
        put_binary(text, triangles, 4, false, false);
    } else {
        put(text, "solid made\n");
    }
    for (unsigned i = 0; i < triangles; i++) {
        put(text, binary ? "" : "facet normal 0 0 1\nouter loop\n");
        for (unsigned k = binary ? 0 : 3; k < 12; k++) {
            const double value = random_below(random, 90) ? (double)random_between(random, -9, 9) : (double)INFINITY;
            put(text, binary || k % 3 ? "" : "vertex");
            if (binary)
                put_binary(text, value, 4, true, false);
            else
                put(text, " %.7g%s", value, k % 3 == 2 ? "\n" : "");
        }
        if (binary)
            put_binary(text, 0, 2, false, false);
        else
            put(text, "endloop\nendfacet\n");
    }
    put(text, binary ? "" : "endsolid made\n");
}

size_t fuzz_make(struct random *random, char bytes[MOST_BYTES])
{
    static void (*const make[])(struct text *, struct random *) = {make_csv, make_csv, make_npy, make_npy_structures,
                                                                   make_ply, make_obj, make_stl};
    struct text text = {bytes, 0};
    make[random_below(random, sizeof make / sizeof *make)](&text, random);
    return text.n;
}

size_t fuzz_damage(struct random *random, char bytes[MOST_BYTES], size_t size)
{
    for (unsigned i = 0, n = 1 + random_below(random, 4); i < n && size > 0; i++) {
        const size_t at = random_below(random, (unsigned)size), to = random_below(random, (unsigned)size);
        const size_t left = size - (at > to ? at : to), length = random_below(random, left < 40 ? (unsigned)left : 40);
        switch (random_below(random, 5)) {
        case 0:
            bytes[at] = (char)random_below(random, 256);
            break;
        case 1:
            bytes[at] = *ONE_OF(random, "\n", "\r", ",", "\"", " ", "-", "0", "9", "\\", "#", "");
            break;
        case 2:
            memmove(bytes + to, bytes + at, length);
            break;
        case 3: /* some bytes twice */
            if (size + length <= MOST_BYTES) {
                memmove(bytes + at + length, bytes + at, size - at);
                size += length;
            }
            break;
        default: /* some bytes less */
            memmove(bytes + at, bytes + at + length, size - at - length);
            size -= length;
            break;
        }
    }
    return size;
}

static size_t behind(const char *bytes, size_t size, const char *mark)
{
    const size_t length = strlen(mark);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, mark, length) == 0)
            return i + length;
    return size;
}

size_t fuzz_body(const char *bytes, size_t size)
{
    if (size > 3 && memcmp(bytes, "ply", 3) == 0)
        return behind(bytes, size, "end_header\n");
    return behind(bytes, size, "\n");
}
