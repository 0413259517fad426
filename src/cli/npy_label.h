/* SPDX-License-Identifier: MIT */
/* Values of NPY files as texts, for labels. */
#ifndef ABUT_CLI_NPY_LABEL_H
#define ABUT_CLI_NPY_LABEL_H

#include "npy.h"

/*
 * The member of a structure of exactly that name, if it holds integers or strings. If there is none, or more than one,
 * NULL, and problem is set.
 */
const struct npy_column *npy_find_label(const struct npy_header *header, const char *name, struct problem *problem);

/* The most bytes that the text of a value takes. */
size_t npy_label_size(const struct npy_type *type);

/* Writes the text of the value there, without a zero byte, and returns its length. Strings of Unicode become UTF-8. */
size_t npy_label(const struct npy_type *type, const unsigned char *at, char *text);

#endif
