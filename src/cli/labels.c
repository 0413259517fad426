/* SPDX-License-Identifier: MIT */
/*
 * A balanced tree of texts, numbered in the order in which they came. No file can make a tree slow, as one can with a
 * hash table.
 */
#include "labels.h"

#include <search.h>
#include <stdbool.h>
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

/* Enlarges the list where it is full. */
static bool grow_list(struct labels *labels)
{
    if (labels->count < labels->capacity)
        return true;
    const size_t capacity = labels->capacity > 0 ? 2 * labels->capacity : 16;
    const struct label **list = realloc(labels->list, capacity * sizeof *list);
    if (!list)
        return false;
    labels->list = list;
    labels->capacity = capacity;
    return true;
}

uint32_t labels_number(struct labels *labels, const char *text, size_t length)
{
    const struct label like = {text, length, (uint32_t)labels->count};
    if (labels->last && compare(labels->last, &like) == 0)
        return labels->last->number;
    struct label *const *found = tfind(&like, &labels->tree, compare);
    if (!found) {
        struct label *label = grow_list(labels) ? label_new(&like) : NULL;
        found = label ? tsearch(label, &labels->tree, compare) : NULL;
        if (!found) {
            free(label);
            return UINT32_MAX;
        }
        labels->list[labels->count++] = label;
    }
    labels->last = *found;
    return labels->last->number;
}

struct text labels_text(const struct labels *labels, uint32_t number)
{
    const struct label *label = labels->list[number];
    return (struct text){label->text, label->length};
}

void labels_free(struct labels *labels)
{
    while (labels->tree) {
        struct label *label = *(struct label **)labels->tree;
        tdelete(label, &labels->tree, compare);
        free(label);
    }
    free(labels->list);
    *labels = (struct labels){0};
}
