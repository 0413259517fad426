/* SPDX-License-Identifier: MIT */
/* Formats by their first bytes. */
#include "foreign.h"

#include <stdbool.h>
#include <string.h>

static const struct {
    const char *mark, *what;
    size_t length;
} formats[] = {
#define FORMAT(mark, what)                                                                                             \
    {                                                                                                                  \
        mark, what, sizeof(mark) - 1                                                                                   \
    }
    FORMAT("\x1F\x8B", "is compressed by gzip twice: gunzip it once"),
    FORMAT("BZh", "is compressed by bzip2: pass it on with bunzip2 -c FILE | abut ... -"),
    FORMAT("\xFD"
           "7zXZ",
           "is compressed by xz: pass it on with xz -dc FILE | abut ... -"),
    FORMAT("\x28\xB5\x2F\xFD", "is compressed by zstd: pass it on with zstd -dc FILE | abut ... -"),
    FORMAT("glTF", "is a glTF file: convert it to PLY or OBJ"),
    FORMAT("LASF", "is a LAS or LAZ file: convert it to CSV, PLY or NPY"),
    FORMAT("# .PCD", "is a PCD file: convert it to PLY or NPY"),
    FORMAT("PAR1", "is a Parquet file: convert it to NPY or CSV"),
    FORMAT("\x89HDF", "is an HDF5 file: save its arrays as NPY"),
    FORMAT("ARROW1", "is an Arrow file: convert it to NPY or CSV"),
    FORMAT("solid ", "is no STL file in ASCII: no 'facet' follows its first line"),
    FORMAT("{", "is JSON, perhaps glTF: convert it to CSV, PLY or OBJ"),
    FORMAT("[", "is JSON: convert it to CSV"),
    FORMAT("<", "is XML or HTML: convert it to CSV, PLY or OBJ"),
    FORMAT("OFF", "is an OFF file: convert it to PLY or OBJ"),
#undef FORMAT
};

/* Archives of zip by the name of a file that they hold, which is not compressed; the last for any other. */
static const struct {
    const char *holds, *what;
} archives[] = {
    {"3D/3dmodel.model", "is a 3MF file: convert it to PLY, OBJ or STL"},
    {".npy", "is an NPZ archive: save its arrays as NPY"},
    {"xl/workbook.xml", "is an XLSX workbook: save its sheet as CSV"},
    {"", "is a zip archive: unpack it, and pass on a file from it"},
};

static bool holds(const char *text, size_t size, const char *word)
{
    const size_t length = strlen(word);
    for (const char *p = text; length > 0 && (size_t)(text + size - p) >= length; p++) {
        p = memchr(p, *word, (size_t)(text + size - p) - length + 1);
        if (!p)
            return false;
        if (memcmp(p, word, length) == 0)
            return true;
    }
    return length == 0;
}

const char *foreign_format(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (size >= formats[i].length && memcmp(text, formats[i].mark, formats[i].length) == 0)
            return formats[i].what;
    if (size < 4 || memcmp(text, "PK\x03\x04", 4) != 0)
        return NULL;
    size_t i = 0;
    while (!holds(text, size, archives[i].holds))
        i++;
    return archives[i].what;
}
