/* SPDX-License-Identifier: MIT */
/* Characters of UTF-8. */
#ifndef ABUT_CLI_UTF8_H
#define ABUT_CLI_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many bytes a character of UTF-8 has at the beginning of a text, or 0 if there is none. */
size_t utf8_length(const unsigned char *text, size_t length);

/* The number of the character at the beginning of a text, which has so many bytes. */
uint32_t utf8_character(const unsigned char *text, size_t bytes);

/* Whether a terminal obeys the character rather than shows it: controls, ends of lines, and marks of direction. */
bool utf8_is_control(uint32_t character);

#endif
