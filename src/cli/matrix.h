/* SPDX-License-Identifier: MIT */
/* A matrix in a text file. */
#ifndef ABUT_CLI_MATRIX_H
#define ABUT_CLI_MATRIX_H

#include <stdbool.h>

enum { MATRIX_NUMBERS = 16 };

/* Reads 16 finite numbers with blanks, commas, semicolons or brackets between them. On false the reason is reported. */
bool matrix_read(const char *path, float matrix[MATRIX_NUMBERS]);

#endif
