/* SPDX-License-Identifier: MIT */
/* Formats that the command does not read, so that a message can name them. */
#ifndef ABUT_CLI_FOREIGN_H
#define ABUT_CLI_FOREIGN_H

#include <stddef.h>

/* What a file is that begins so, and the way out; NULL if it is none of these. */
const char *foreign_format(const char *text, size_t size);

#endif
