/* SPDX-License-Identifier: MIT */
/* What --origin auto stands for. */
#ifndef ABUT_CLI_ORIGIN_H
#define ABUT_CLI_ORIGIN_H

#include "cli.h"

/* Sets the origin to the centre of the bounds of all inputs. Unless it returns EXIT_DONE, the reason is reported. */
enum exit_code origin_find(struct options *options);

#endif
