/* SPDX-License-Identifier: MIT */
/*
 * A balanced tree of texts, numbered in the order in which they came. No file can make a tree slow, as one can with a
 * hash table.
 */
#include "labels.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct label {
    const char *text;
    size_t length;
    uint32_t number;
};

static int compare(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    return x->length != y->length ? (x->length < y->length ? -1 : 1) : memcmp(x->text, y->text, x->length);
}

/* With a copy of the text behind it. */
static struct label *label_new(const struct label *like)
{
    struct label *label = malloc(sizeof *label + like->length);
    if (!label)
        return NULL;
    *label = *like;
    label->text = memcpy(label + 1, like->text, like->length);
    return label;
}

uint32_t labels_number(struct labels *labels, const char *text, size_t length)
{
    const struct label like = {text, length, (uint32_t)labels->count};
    if (labels->last && compare(labels->last, &like) == 0)
        return labels->last->number;
    struct label *const *found = tfind(&like, &labels->tree, compare);
    if (!found) {
        struct label *label = label_new(&like);
        found = label ? tsearch(label, &labels->tree, compare) : NULL;
        if (!found) {
            free(label);
            return UINT32_MAX;
        }
        labels->count++;
    }
    labels->last = *found;
    return labels->last->number;
}

void labels_free(struct labels *labels)
{
    while (labels->tree) {
        struct label *label = *(struct label **)labels->tree;
        tdelete(label, &labels->tree, compare);
        free(label);
    }
    *labels = (struct labels){0};
}
