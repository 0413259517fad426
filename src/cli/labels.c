/* SPDX-License-Identifier: MIT */
/*
 * A tree of the bits in which texts differ (a crit-bit tree: Morrison 1968), numbered in the order in which they came.
 * A text leads to its place by its own bits, so that no file can make the tree slow, as one can with a hash table; and
 * a text takes some 40 bytes beside its own.
 */
#include "labels.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * Texts are the same up to a byte and a bit of it, and go left or right by that bit. The numbers on both sides are
 * those of branches, or of texts where leaf says so.
 */
struct branch {
    uint64_t where; /* byte * 64 + (15 - bit) * 4 + 2 * (right is a text) + (left is a text) */
    uint32_t side[2];
};

/* A byte as a number with a bit that says that it is there: a text differs from those that go on behind its end. */
static unsigned letter(struct text text, size_t i)
{
    return i < text.length ? 0x100u | (unsigned char)text.at[i] : 0;
}

static unsigned side_of(const struct branch *branch, struct text text)
{
    const unsigned bit = 15 - (unsigned)(branch->where >> 2 & 15);
    return letter(text, (size_t)(branch->where >> 6)) >> bit & 1;
}

static bool is_leaf(const struct branch *branch, unsigned side)
{
    return branch->where >> side & 1;
}

struct text labels_text(const struct labels *labels, uint32_t number)
{
    const size_t start = number > 0 ? labels->ends[number - 1] : 0;
    /* Where all labels are empty there is no memory for them. */
    return (struct text){labels->texts ? labels->texts + start : "", labels->ends[number] - start};
}

/* The text of the set to which the bits of a text lead: this one, if it is there. */
static uint32_t lead(const struct labels *labels, struct text text)
{
    uint32_t at = 0;
    for (bool leaf = labels->count == 1; !leaf;) {
        const struct branch *branch = &labels->branches[at];
        const unsigned side = side_of(branch, text);
        leaf = is_leaf(branch, side);
        at = branch->side[side];
    }
    return at;
}

/* Where two texts first differ, as in a branch; UINT64_MAX if they are the same. */
static uint64_t find_difference(struct text a, struct text b)
{
    const size_t most = a.length < b.length ? b.length : a.length;
    for (size_t i = 0; i < most; i++) {
        const unsigned difference = letter(a, i) ^ letter(b, i);
        unsigned bit = 8;
        if (difference == 0)
            continue;
        while (!(difference >> bit & 1))
            bit--;
        return (uint64_t)i << 6 | (uint64_t)(15 - bit) << 2;
    }
    return UINT64_MAX;
}

/* Room for one more text, and for its branch. */
static bool reserve(struct labels *labels, size_t length)
{
    const size_t used = labels->count > 0 ? labels->ends[labels->count - 1] : 0;
    if (labels->count == UINT32_MAX)
        return false;
    if (labels->count == labels->capacity) {
        const size_t capacity = labels->capacity + labels->capacity / 2 + 16;
        size_t *ends = realloc(labels->ends, capacity * sizeof *ends);
        labels->ends = ends ? ends : labels->ends;
        struct branch *branches = ends ? realloc(labels->branches, capacity * sizeof *branches) : NULL;
        labels->branches = branches ? branches : labels->branches;
        if (!branches)
            return false;
        labels->capacity = capacity;
    }
    if (length > labels->texts_capacity - used) {
        const size_t capacity = labels->texts_capacity + labels->texts_capacity / 2 + length + 64;
        char *texts = realloc(labels->texts, capacity);
        if (!texts)
            return false;
        labels->texts = texts;
        labels->texts_capacity = capacity;
    }
    return true;
}

/* A branch where the new text differs from one of the set, above all that differ further on. */
static void add_branch(struct labels *labels, struct text text, uint64_t where)
{
    const uint32_t number = (uint32_t)labels->count, added = number - 1; /* the texts have one branch less */
    struct branch branch = {where, {0, 0}}, *parent = NULL;
    unsigned from = 0;
    uint32_t below = 0;
    bool leaf = labels->count == 1;
    while (!leaf && labels->branches[below].where >> 2 < where >> 2) {
        parent = &labels->branches[below];
        from = side_of(parent, text);
        leaf = is_leaf(parent, from);
        below = parent->side[from];
    }
    const unsigned side = side_of(&branch, text);
    branch.side[side] = number;
    branch.side[!side] = below;
    branch.where |= UINT64_C(1) << side | (uint64_t)leaf << !side;
    if (parent) {
        parent->side[from] = added;
        parent->where &= ~(UINT64_C(1) << from);
        labels->branches[added] = branch;
        return;
    }
    /* The first branch is the root: the one that was there moves. */
    if (!leaf) {
        branch.side[!side] = added;
        labels->branches[added] = labels->branches[0];
    }
    labels->branches[0] = branch;
}

uint32_t labels_number(struct labels *labels, const char *text, size_t length)
{
    const struct text wanted = {text, length};
    uint64_t where = 0;
    if (labels->count > 0) {
        if (find_difference(wanted, labels_text(labels, labels->last)) == UINT64_MAX)
            return labels->last;
        const uint32_t like = lead(labels, wanted);
        where = find_difference(wanted, labels_text(labels, like));
        if (where == UINT64_MAX)
            return labels->last = like;
    }
    if (!reserve(labels, length))
        return UINT32_MAX;
    if (labels->count > 0)
        add_branch(labels, wanted, where);
    const size_t used = labels->count > 0 ? labels->ends[labels->count - 1] : 0;
    if (length > 0)
        memcpy(labels->texts + used, text, length);
    labels->ends[labels->count] = used + length;
    labels->last = (uint32_t)labels->count++;
    return labels->last;
}

void labels_free(struct labels *labels)
{
    free(labels->texts);
    free(labels->ends);
    free(labels->branches);
    *labels = (struct labels){0};
}
