/* SPDX-License-Identifier: MIT */
/* Files for the fuzzer of the readers: made by the rules of a format, and then damaged. */
#ifndef ABUT_TESTS_CLI_FUZZ_FILES_H
#define ABUT_TESTS_CLI_FUZZ_FILES_H

#include "random.h"

#include <stddef.h>

enum { MOST_BYTES = 1 << 14 };

/* A new file of some format, whose counts and lengths agree with its contents. Returns its size, at most MOST_BYTES. */
size_t fuzz_make(struct random *random, char bytes[MOST_BYTES]);

/* Damages some bytes. Returns the new size, at most MOST_BYTES. */
size_t fuzz_damage(struct random *random, char bytes[MOST_BYTES], size_t size);

/* Where the header of a file ends, so that its counts still hold if only bytes behind it change. */
size_t fuzz_body(const char *bytes, size_t size);

#endif
