/* SPDX-License-Identifier: MIT */
/* Formats by their first bytes. */
#include "foreign.h"

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
    FORMAT("PK\x03\x04", "is a zip archive (NPZ and XLSX files are, too): save its arrays or sheets as NPY or CSV"),
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

const char *foreign_format(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (size >= formats[i].length && memcmp(text, formats[i].mark, formats[i].length) == 0)
            return formats[i].what;
    return NULL;
}
