/* SPDX-License-Identifier: MIT */
/* The names that a file has for its rows, in the column of --id-a or --id-b. */
#ifndef ABUT_CLI_NAMES_H
#define ABUT_CLI_NAMES_H

#include "labels.h"

struct names {
    struct labels labels;
    uint32_t *numbers; /* of the text of each row */
};

#endif
