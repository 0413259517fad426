/* SPDX-License-Identifier: MIT */
/* Whether a file may be written: endings that promise another format, and inputs. */
#ifndef ABUT_CLI_TARGET_H
#define ABUT_CLI_TARGET_H

#include "cli.h"

#include <stdbool.h>

/*
 * The format that the ending of a name promises, unless another one is given. On false the name promises another one,
 * which has been reported. path may be NULL.
 */
bool target_format(const char *path, bool given, enum format *format);

/* Whether the name ends as those of a format that no command writes. If so, that is reported. */
bool target_is_foreign(const char *path);

/* Whether the file to write is an input, by whatever name: it would be overwritten. If so, that is reported. */
bool target_is_input(const char *path, const char *const input[2]);

#endif
