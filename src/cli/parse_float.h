/* SPDX-License-Identifier: MIT */
/* Decimal text to the nearest float32 and float64. */
#ifndef ABUT_CLI_PARSE_FLOAT_H
#define ABUT_CLI_PARSE_FLOAT_H

#include <stdbool.h>

enum parse_status { PARSE_OK, PARSE_UNREADABLE, PARSE_TOO_LARGE };

/*
 * Reads the number that *text starts with and moves *text behind it. "1", "-.5", "2.", "6e23" and "inf" or "infinity"
 * in any case are numbers; hex and NaN are not. Underflow gives the nearest denormal or zero. The text must end with a
 * byte that no number contains, such as a line feed. The caller looks at what follows the number.
 */
enum parse_status parse_float(const char **text, float *value);

/* The same, and the nearest float64. */
enum parse_status parse_number(const char **text, float *value, double *wide);

/*
 * Whether a number that parse_float can read is whole before it is rounded, or infinite: "3", "3.00" and "0.3e1" are.
 */
bool parse_whole_number(const char *text);

#endif
