/* SPDX-License-Identifier: MIT */
/* The command line: which command, which options it takes, and the help made from the same tables. */
#ifndef ABUT_CLI_OPTIONS_H
#define ABUT_CLI_OPTIONS_H

#include "cli.h"
#include "output.h"

struct command {
    const char *name, *operands, *summary;
    int inputs;       /* how many files it reads */
    uint64_t accepts; /* bits of the options it takes, and whether it can write arrays */
    enum exit_code (*run)(const struct options *options);
    const char *example; /* without "abut" */
};

enum request { REQUEST_COMMAND, REQUEST_HELP, REQUEST_VERSION, REQUEST_WRONG };

/* Where it returns REQUEST_WRONG, the reason is reported. */
enum request options_parse(struct options *options, const struct command **command, int count, char **arguments);

/* The page of one command, or of all where it is NULL. */
void options_help(struct output *output, const struct command *command);

#endif
