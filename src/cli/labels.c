/* SPDX-License-Identifier: MIT */
/* A hash table of texts, numbered in the order in which they came. */
#include "labels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct label {
    char *text; /* NULL: free */
    size_t length;
    uint32_t number;
};

static size_t slot_of(const struct labels *labels, const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    size_t slot = (size_t)hash & (labels->capacity - 1);
    while (labels->slots[slot].text &&
           (labels->slots[slot].length != length || memcmp(labels->slots[slot].text, text, length) != 0))
        slot = (slot + 1) & (labels->capacity - 1);
    return slot;
}

static bool grow(struct labels *labels)
{
    struct labels larger = {.count = labels->count, .capacity = labels->capacity ? labels->capacity * 2 : 64};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < labels->capacity; i++)
        if (labels->slots[i].text)
            larger.slots[slot_of(&larger, labels->slots[i].text, labels->slots[i].length)] = labels->slots[i];
    free(labels->slots);
    *labels = larger;
    return true;
}

uint32_t labels_number(struct labels *labels, const char *text, size_t length)
{
    if (labels->count * 2 >= labels->capacity && !grow(labels))
        return UINT32_MAX;
    struct label *label = &labels->slots[slot_of(labels, text, length)];
    if (!label->text) {
        char *copy = malloc(length + 1);
        if (!copy)
            return UINT32_MAX;
        memcpy(copy, text, length);
        *label = (struct label){copy, length, (uint32_t)labels->count++};
    }
    return label->number;
}

void labels_free(struct labels *labels)
{
    for (size_t i = 0; i < labels->capacity; i++)
        free(labels->slots[i].text);
    free(labels->slots);
    *labels = (struct labels){0};
}
