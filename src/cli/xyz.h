/* SPDX-License-Identifier: MIT */
/* Tables that begin with the count of their rows: XYZ files of molecules, and PTS files of scanners. */
#ifndef ABUT_CLI_XYZ_H
#define ABUT_CLI_XYZ_H

#include "problem.h"

#include <stdint.h>

enum counted {
    COUNTED_NOT,
    COUNTED_ROWS, /* PTS: the rows follow */
    COUNTED_XYZ,  /* a comment follows, and then the rows: an element and three coordinates each, perhaps more */
    COUNTED_WRONG /* as XYZ, but with another number of rows: problem is set */
};

/* Whether the first line of a text is such a count. The text ends with a line feed, and a zero byte follows. */
enum counted find_count(const char *text, const char *end, struct problem *problem);

/*
 * The names of so many columns, with commas between them: those that the comment of an XYZ file has, as extended XYZ
 * does (Properties=species:S:1:pos:R:3), or element,x,y,z. NULL: out of memory.
 */
char *xyz_names(const char *comment, size_t columns);

#endif
