/* SPDX-License-Identifier: MIT */
/* Words of the dictionary that is the header of an NPY file. */
#ifndef ABUT_CLI_NPY_WORDS_H
#define ABUT_CLI_NPY_WORDS_H

#include "npy.h"

/* What is left of the text. Blanks before a word are skipped; false where another word is next. */
struct npy_text {
    const char *at, *end;
};

void npy_skip_blanks(struct npy_text *text);

bool npy_take(struct npy_text *text, const char *word);

/* A quoted string without escapes, cut to capacity - 1 bytes. */
bool npy_take_string(struct npy_text *text, char *string, size_t capacity);

bool npy_take_size(struct npy_text *text, size_t *size);

/* "(3, 4)" */
bool npy_take_shape(struct npy_text *text, size_t *shape, unsigned most, unsigned *dimensions);

/* "<f4", "|S5" or "<M8[ns]". A byte may have any order, larger numbers need one. Objects ("O") have no size. */
bool npy_read_type(const char *name, struct npy_type *type);

/* The rest of a list of members, behind its bracket: the columns of the header. On false problem is set. */
bool npy_take_structure(struct npy_text *text, struct npy_header *header, struct problem *problem);

#endif
