/* SPDX-License-Identifier: MIT */
/* A PLY file while it is read: its header, and words of its lines. */
#ifndef ABUT_CLI_PLY_H
#define ABUT_CLI_PLY_H

#include "problem.h"

#include <stdint.h>

enum { MOST_PROPERTIES = 64, MOST_ELEMENTS = 16, WORD = 64 };

enum type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, type_count };

enum role { ROLE_X, ROLE_Y, ROLE_Z, ROLE_INDICES, ROLE_NONE };

struct property {
    enum type type, count_type;
    bool list;
    enum role role;
};

struct element {
    bool vertex, face, strips;
    uint64_t count;
    unsigned properties;
    struct property property[MOST_PROPERTIES];
};

struct ply {
    const char *at, *end;
    size_t line; /* of the header, and of an ASCII file */
    bool binary, big;
    unsigned elements;
    struct element element[MOST_ELEMENTS];
};

/* Reads the header, up to the first row. On false problem is set. */
bool ply_read_header(struct ply *ply, struct problem *problem);

/* Describes a problem. Always false. */
bool ply_fail(struct problem *problem, const char *what);

static inline bool ply_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline void ply_skip_blanks(struct ply *ply)
{
    while (ply->at < ply->end && ply_is_blank(*ply->at))
        ply->at++;
}

static inline bool ply_line_ends(const struct ply *ply)
{
    return ply->at >= ply->end || *ply->at == '\n';
}

void ply_next_line(struct ply *ply);

/* The next word of the line, empty at its end; one that is longer than all keywords is "?". */
void ply_read_word(struct ply *ply, char word[WORD]);

#endif
