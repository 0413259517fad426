/* SPDX-License-Identifier: MIT */
/* The tables of commands and options: the command line is read by them, and the pages of help are made from them. */
#ifndef ABUT_CLI_COMMANDS_H
#define ABUT_CLI_COMMANDS_H

#include "cli.h"

enum option_id {
    OPTION_OUTPUT,
    OPTION_TOUCH,
    OPTION_PREDICATE,
    OPTION_COUNT,
    OPTION_CLASS,
    OPTION_KIND_A,
    OPTION_KIND_B,
    OPTION_COLUMNS_A,
    OPTION_COLUMNS_B,
    OPTION_EYE,
    OPTION_TARGET,
    OPTION_UP,
    OPTION_FOV,
    OPTION_ASPECT,
    OPTION_NEAR,
    OPTION_FAR,
    OPTION_ORTHOGRAPHIC,
    OPTION_MATRIX,
    OPTION_DEPTH,
    OPTION_ORDER,
    OPTION_METHOD,
    OPTION_NEIGHBOURS,
    OPTION_DISTANCE,
    OPTION_D2,
    OPTION_CLOSEST,
    OPTION_SIGNED,
    OPTION_WITHIN,
    OPTION_PERIODIC,
    OPTION_IMAGES,
    OPTION_TIES,
    OPTION_ALL,
    OPTION_END,
    OPTION_EXCLUDE_SELF,
    OPTION_ADJACENT,
    OPTION_THREADS,
    OPTION_STATS,
    OPTION_SVG,
    OPTION_FILES,
    OPTION_VIEW,
    OPTION_ISA,
    OPTION_BY,
    OPTION_ID_A,
    OPTION_ID_B,
    OPTION_FORMAT,
    OPTION_NORMALS,
    OPTION_ORIGIN,
    OPTION_OUTWARDS,
    OPTION_SKIP_BAD,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION,
    option_count
};

/* The form of an option's value. A choice has names of its own; a request takes the place of a command. */
enum form { ORIGIN, FLAG, TEXT, NUMBER, POINT, AMOUNT, KIND, CHOICE, REQUEST };

struct option_row {
    enum form form;
    size_t at;                       /* of the member that it sets, but for a choice or request */
    const char *name, *value, *help; /* value is NULL where there is none */
};

extern const struct option_row option_rows[option_count];

#define BIT(option) (UINT64_C(1) << OPTION_##option)

/* No option: the command can write an array. */
#define ARRAYS (UINT64_C(1) << option_count)

/* What every command takes. */
#define ALWAYS (BIT(HELP) | BIT(VERSION))

struct command {
    const char *name, *operands, *summary;
    int inputs;       /* how many files it reads */
    uint64_t accepts; /* bits of the options it takes, and whether it can write arrays */
    enum exit_code (*run)(const struct options *options);
    const char *example; /* without "abut" */
};

extern const struct command commands[];
extern const size_t command_count;

#endif
