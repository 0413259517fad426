/* SPDX-License-Identifier: MIT */
/*
 * Texts as numbers, the same for the same text, for --by and for the volumes of hulls. The texts are kept for names.
 */
#ifndef ABUT_CLI_LABELS_H
#define ABUT_CLI_LABELS_H

#include <stddef.h>
#include <stdint.h>

struct branch;

/* Zeros are an empty set. */
struct labels {
    char *texts; /* one behind the other */
    size_t texts_capacity;
    size_t *ends;            /* of each text, by its number */
    struct branch *branches; /* one less than texts */
    size_t count, capacity;
    uint32_t last; /* found: rows of one label often follow each other */
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
