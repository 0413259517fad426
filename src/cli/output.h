/* SPDX-License-Identifier: MIT */
/* Where results go: a file that appears whole or not at all, or a stream. */
#ifndef ABUT_CLI_OUTPUT_H
#define ABUT_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OUTPUT_BUFFER = 1 << 16 };

struct output {
    const char *name; /* for messages */
    int fd;
    char *target, *temporary; /* NULL for a stream */
    int error;                /* the first errno of a failed write */
    size_t used;
    char buffer[OUTPUT_BUFFER];
};

/* Once, before any output: no signal that ends the command, but KILL, leaves an unfinished file. */
void output_guard(void);

/*
 * Opens path, or standard output for NULL and "-". Devices, pipes and descriptors (/dev/fd/3) are written directly; a
 * file by way of a temporary one beside it, whichever descriptors have it open. On false the reason is reported.
 */
bool output_open(struct output *output, const char *path);

void output_bytes(struct output *output, const char *bytes, size_t count);

/* Enough for a number: nine distinguish all floats, and sums with an origin have more. */
static inline int number_digits(double number)
{
    return (double)(float)number == number ? 9 : 15;
}

void output_text(struct output *output, const char *format, ...);

/* The decimal digits of value into text (20 bytes); returns how many. */
size_t output_digits(char *text, uint64_t value);

/* Overwrites the first bytes of a new file; false if the output is a stream. */
bool output_begin(struct output *output, const char *bytes, size_t count);

bool output_is_terminal(const struct output *output);

/* Writes the rest and puts the file in its place. On false the reason is reported, and there is no new file. */
bool output_close(struct output *output);

/* Gives up: a file that was there before stays as it was. */
void output_discard(struct output *output);

#endif
