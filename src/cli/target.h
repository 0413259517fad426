/* SPDX-License-Identifier: MIT */
/* Whether a file may be written: endings that promise another format, and inputs. */
#ifndef ABUT_CLI_TARGET_H
#define ABUT_CLI_TARGET_H

#include "cli.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The format that the ending of a name promises, unless another one is given. On false the name promises another one,
 * which has been reported. path may be NULL.
 */
bool target_format(const char *path, bool given, enum format *format);

/* Whether the name ends as those of a format that no command writes. If so, that is reported. */
bool target_is_foreign(const char *path);

/* Whether two names, of which - is standard output, lead to different files, or to none that keeps what is written. */
bool target_is_other(const char *path, const char *other);

/*
 * Whether the file to write is one of the inputs, by whatever name: it would be overwritten. If so, that is reported.
 * Inputs may be NULL.
 */
bool target_is_input(const char *path, const char *const *input, size_t inputs);

#endif
