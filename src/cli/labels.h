/* SPDX-License-Identifier: MIT */
/*
 * Texts as numbers, the same for the same text, for --by and for the volumes of hulls. The texts are kept for names.
 */
#ifndef ABUT_CLI_LABELS_H
#define ABUT_CLI_LABELS_H

#include <stddef.h>
#include <stdint.h>

/* Zeros are an empty set. */
struct labels {
    void *tree;
    const struct label *last; /* found: rows of one label often follow each other */
    size_t count;
    const struct label **list; /* by number */
    size_t capacity;
};

struct text {
    const char *at;
    size_t length;
};

/* The number of a text, new or seen before; UINT32_MAX if memory runs out. */
uint32_t labels_number(struct labels *labels, const char *text, size_t length);

/* The text of a number. */
struct text labels_text(const struct labels *labels, uint32_t number);

void labels_free(struct labels *labels);

#endif
