/* SPDX-License-Identifier: MIT */
/* NumPy's array files as an output format; the reader is in reader.h. */
#ifndef ABUT_CLI_NPY_H
#define ABUT_CLI_NPY_H

#include <stdint.h>

/* The header of rows x 2 values uint32 in little-endian order. */
enum { NPY_HEADER = 128 };
void npy_header(char header[NPY_HEADER], uint64_t rows);

#endif
