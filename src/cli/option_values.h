/* SPDX-License-Identifier: MIT */
/* The values of options, as they are written on the command line. */
#ifndef ABUT_CLI_OPTION_VALUES_H
#define ABUT_CLI_OPTION_VALUES_H

#include "commands.h"

enum { MOST_NAMES = 512 };

/* Adds a name to a list: "closed", "closed or open", "touches, inside or contains". */
void list_name(char list[MOST_NAMES], const char *name, bool last);

/* The values that an option can have, if it has names for them; else NULL, and the count is 0. */
const char *const *option_choices(enum option_id id, unsigned *count);

/* Sets the member of an option; value is NULL where it has none. A value that is not of its form is reported. */
bool option_apply(struct options *options, enum option_id id, const char *value);

#endif
