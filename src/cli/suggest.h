/* SPDX-License-Identifier: MIT */
/* "Did you mean": the name that a misspelt one is nearest to. */
#ifndef ABUT_CLI_SUGGEST_H
#define ABUT_CLI_SUGGEST_H

#include <stddef.h>

/*
 * How many single changes make one name of the other: a character more, less or other, or two neighbours swapped.
 * SIZE_MAX if one of them is too long for any name.
 */
size_t edit_distance(const char *a, size_t length_a, const char *b, size_t length_b);

/* The most changes after which a name of that length is still a misspelt one. */
size_t edits_allowed(size_t length);

#endif
