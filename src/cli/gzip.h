/* SPDX-License-Identifier: MIT */
/* Files that are compressed by gzip, in memory. */
#ifndef ABUT_CLI_GZIP_H
#define ABUT_CLI_GZIP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this build can inflate such files: it has zlib. */
bool gzip_is_read(void);

/* Whether the bytes are the beginning of such a file. */
bool gzip_begins(const char *bytes, size_t size);

/*
 * Inflates all members of a file, one behind the other, into a new buffer with slack more bytes behind the text. On
 * false the reason is reported with that path, and there is nothing to free.
 */
bool gzip_inflate(const char *path, char *bytes, size_t size, size_t slack, char **text, size_t *text_size);

#endif
