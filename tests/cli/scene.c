/* SPDX-License-Identifier: MIT */
/*
 * Writes a long array of random spheres or boxes, as many in a unit of volume whatever their number:
 * scene spheres|boxes ROWS SEED > FILE.npy
 */
#include "random.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 128, MOST_COLUMNS = 6 };

static void write_header(size_t rows, unsigned columns)
{
    char dictionary[HEADER];
    snprintf(dictionary, sizeof dictionary, "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %u), }", rows,
             columns);
    printf("\x93NUMPY%c%c%c%c%-117s\n", 1, 0, HEADER - 10, 0, dictionary);
}

static void make_row(struct random *random, float side, bool boxes, float row[MOST_COLUMNS])
{
    for (unsigned k = 0; k < 3; k++)
        row[k] = random_between(random, 0, side);
    row[3] = random_between(random, 0.3f, 0.6f);
    const float edge = row[3] + 0.3f;
    for (unsigned k = 0; boxes && k < 3; k++)
        row[k + 3] = row[k] + edge;
}

int main(int argc, char **argv)
{
    const bool boxes = argc == 4 && strcmp(argv[1], "boxes") == 0;
    const size_t rows = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
    if (argc != 4 || (!boxes && strcmp(argv[1], "spheres") != 0)) {
        fputs("usage: scene spheres|boxes ROWS SEED\n", stderr);
        return 2;
    }
    struct random random = {strtoull(argv[3], NULL, 10)};
    const unsigned columns = boxes ? 6 : 4;
    write_header(rows, columns);
    for (size_t i = 0; i < rows; i++) {
        float row[MOST_COLUMNS];
        make_row(&random, cbrtf((float)rows), boxes, row);
        fwrite(row, sizeof *row, columns, stdout);
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
