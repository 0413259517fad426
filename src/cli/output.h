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

/*
 * Once, before any output: signals that end the command, but for KILL and those of real time, leave no unfinished file.
 */
void output_guard(void);

/*
 * Opens path, or standard output for NULL and "-". Devices, pipes and descriptors (/dev/fd/3) are written directly; a
 * file by way of a temporary one beside it, whichever descriptors have it open. False: the reason has been told.
 */
bool output_open(struct output *output, const char *path);

void output_bytes(struct output *output, const char *bytes, size_t count);
void output_text(struct output *output, const char *format, ...);

/* The decimal digits of value into text (room for 20); returns how many. */
size_t output_digits(char *text, uint64_t value);

/* Puts bytes over the first ones of a file that is written anew; false if it is none. */
bool output_begin(struct output *output, const char *bytes, size_t count);

bool output_is_terminal(const struct output *output);

/* Writes what is left and puts the file in its place. False: the reason has been told, and there is no new file. */
bool output_close(struct output *output);

/* Gives up: a file that was there before stays as it was. */
void output_discard(struct output *output);

#endif
