/* SPDX-License-Identifier: MIT */
/* The pages of help. */
#ifndef ABUT_CLI_HELP_H
#define ABUT_CLI_HELP_H

#include "commands.h"
#include "output.h"

/* Writes the page of one command, or of all where it is NULL. */
void help_write(struct output *output, const struct command *command);

#endif
