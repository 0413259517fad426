/* SPDX-License-Identifier: MIT */
/* The command line: which command, and what its options say. */
#ifndef ABUT_CLI_OPTIONS_H
#define ABUT_CLI_OPTIONS_H

#include "commands.h"

enum request { REQUEST_COMMAND, REQUEST_HELP, REQUEST_VERSION, REQUEST_WRONG };

/* Where it returns REQUEST_WRONG, the reason is reported. */
enum request options_parse(struct options *options, const struct command **command, int count, char **arguments);

#endif
