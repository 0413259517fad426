/* SPDX-License-Identifier: MIT */
/*
 * Ear clipping (Meisters 1975): a corner that turns left, and whose triangle holds no other corner, is cut off. A tree
 * of boxes finds a corner that blocks the triangle. Nothing else can make an ear of it than that this corner goes, or
 * one beside the ear, so that only then it is looked at again.
 */
#include "ears.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4 };
static const uint32_t none = UINT32_MAX;

struct box {
    float low[2], high[2];
};

struct ears {
    const struct flat_polygon *polygon;
    size_t n, left;
    uint32_t *next, *previous; /* of those that are left, around the polygon */
    uint64_t *ears, *flat;     /* corners that are ears, and those that do not turn, as bits */
    /* The corner that blocks an ear, or none; and lists of what each corner blocks. */
    uint32_t *blocker, *blocked, *after, *ahead;
    /* Box 1 holds all, box i those of 2 i and 2 i + 1, and of the last boxes each holds LEAF corners of the order. */
    struct box *boxes;
    uint32_t *alive; /* corners that are left in each box */
    uint32_t *order, *rank;
    size_t leaves;
    size_t looks, most_looks; /* at boxes */
};

static size_t words_of(size_t n)
{
    return (n + 63) / 64;
}

static void set_bit(uint64_t *bits, size_t i, bool value)
{
    const uint64_t bit = UINT64_C(1) << i % 64;
    bits[i / 64] = value ? bits[i / 64] | bit : bits[i / 64] & ~bit;
}

/* The first bit that is set from i on, around; n if there is none. */
static size_t next_bit(const uint64_t *bits, size_t n, size_t i)
{
    const size_t words = words_of(n);
    uint64_t word = bits[i / 64] & ~UINT64_C(0) << i % 64;
    for (size_t w = i / 64, k = 0; k <= words; k++) {
        if (word != 0)
            return w * 64 + (size_t)__builtin_ctzll(word);
        w = w + 1 < words ? w + 1 : 0;
        word = bits[w];
    }
    return n;
}

/* ---- The tree ---- */

struct key {
    float at;
    uint32_t corner;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *p = a, *q = b;
    return p->at < q->at ? -1 : p->at > q->at ? 1 : (p->corner > q->corner) - (p->corner < q->corner);
}

/* The bits of a number of 16 bits, with a zero before each. */
static uint32_t spread(uint32_t x)
{
    x = (x | x << 8) & UINT32_C(0x00FF00FF);
    x = (x | x << 4) & UINT32_C(0x0F0F0F0F);
    x = (x | x << 2) & UINT32_C(0x33333333);
    return (x | x << 1) & UINT32_C(0x55555555);
}

struct code {
    uint32_t code, corner;
};

static int compare_codes(const void *a, const void *b)
{
    const struct code *p = a, *q = b;
    return p->code != q->code ? (p->code > q->code) - (p->code < q->code)
                              : (p->corner > q->corner) - (p->corner < q->corner);
}

/*
 * Along a curve that fills the plane (Morton 1966), of places among all corners in x and in y, so that a corner far
 * away does not make all others one.
 */
static bool sort_corners(struct ears *ears)
{
    const size_t n = ears->n;
    const struct spot *spots = ears->polygon->spots;
    struct key *keys = malloc(n * sizeof *keys);
    struct code *codes = calloc(n, sizeof *codes);
    for (unsigned axis = 0; axis < 2 && keys && codes; axis++) {
        for (size_t i = 0; i < n; i++)
            keys[i] = (struct key){axis ? spots[i].y : spots[i].x, (uint32_t)i};
        qsort(keys, n, sizeof *keys, compare_keys);
        for (size_t i = 0; i < n; i++)
            codes[keys[i].corner].code |= spread((uint32_t)(i * 65535 / n)) << axis;
    }
    for (size_t i = 0; i < n && codes; i++)
        codes[i].corner = (uint32_t)i;
    if (keys && codes)
        qsort(codes, n, sizeof *codes, compare_codes);
    for (size_t i = 0; i < n && keys && codes; i++) {
        ears->order[i] = codes[i].corner;
        ears->rank[codes[i].corner] = (uint32_t)i;
    }
    const bool done = keys && codes;
    free(keys);
    free(codes);
    return done;
}

static void widen(struct box *box, const struct box *by)
{
    for (unsigned k = 0; k < 2; k++) {
        box->low[k] = by->low[k] < box->low[k] ? by->low[k] : box->low[k];
        box->high[k] = by->high[k] > box->high[k] ? by->high[k] : box->high[k];
    }
}

static void make_boxes(struct ears *ears)
{
    for (size_t i = 0; i < ears->n; i++) {
        const struct spot spot = ears->polygon->spots[ears->order[i]];
        const struct box here = {{spot.x, spot.y}, {spot.x, spot.y}};
        const size_t leaf = ears->leaves + i / LEAF;
        if (ears->alive[leaf]++ == 0)
            ears->boxes[leaf] = here;
        widen(&ears->boxes[leaf], &here);
    }
    for (size_t i = ears->leaves; i-- > 1;) {
        ears->boxes[i] = ears->boxes[2 * i];
        if (ears->alive[2 * i + 1])
            widen(&ears->boxes[i], &ears->boxes[2 * i + 1]);
        ears->alive[i] = ears->alive[2 * i] + ears->alive[2 * i + 1];
    }
}

/* The corners of a triangle, which turns left, with its box and the places of its corners. */
struct triangle {
    struct spot at[3];
    struct box box;
    uint32_t corners[3];
};

/* Whether all of the box is to the right of one edge of the triangle: so is its corner that is farthest to the left. */
static bool is_apart(const struct triangle *triangle, const struct box *box)
{
    for (unsigned k = 0; k < 2; k++)
        if (box->low[k] > triangle->box.high[k] || box->high[k] < triangle->box.low[k])
            return true;
    for (unsigned i = 0; i < 3; i++) {
        const struct spot p = triangle->at[i], q = triangle->at[(i + 1) % 3];
        const struct spot corner = {q.y > p.y ? box->low[0] : box->high[0], q.x > p.x ? box->high[1] : box->low[1]};
        if (area_sign(p, q, corner) < 0)
            return true;
    }
    return false;
}

static bool same_place(const struct flat_polygon *polygon, uint32_t a, uint32_t b)
{
    const float *p = polygon->vertices + 3 * (size_t)polygon->corners[a];
    const float *q = polygon->vertices + 3 * (size_t)polygon->corners[b];
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

static bool blocks(const struct flat_polygon *polygon, const struct triangle *triangle, uint32_t corner)
{
    const struct spot at = polygon->spots[corner];
    for (unsigned i = 0; i < 3; i++)
        if (area_sign(triangle->at[i], triangle->at[(i + 1) % 3], at) < 0)
            return false;
    for (unsigned i = 0; i < 3; i++)
        if (same_place(polygon, triangle->corners[i], corner))
            return false;
    return true;
}

/* Whether the corner is left: the ring leads back to it. */
static bool is_left(const struct ears *ears, uint32_t corner)
{
    return ears->next[corner] != none;
}

/* A corner that is left, and in the triangle; or none. */
static uint32_t find_blocker(struct ears *ears, const struct triangle *triangle)
{
    size_t stack[2 * 32], depth = 0;
    stack[depth++] = 1;
    while (depth > 0) {
        const size_t i = stack[--depth];
        ears->looks++;
        if (ears->alive[i] == 0 || is_apart(triangle, &ears->boxes[i]))
            continue;
        if (i < ears->leaves) {
            stack[depth++] = 2 * i;
            stack[depth++] = 2 * i + 1;
            continue;
        }
        const size_t first = (i - ears->leaves) * LEAF, end = first + LEAF < ears->n ? first + LEAF : ears->n;
        for (size_t k = first; k < end; k++)
            if (is_left(ears, ears->order[k]) && blocks(ears->polygon, triangle, ears->order[k]))
                return ears->order[k];
    }
    return none;
}

/* ---- The ears ---- */

static void unblock(struct ears *ears, uint32_t corner)
{
    const uint32_t blocker = ears->blocker[corner];
    if (blocker == none)
        return;
    const uint32_t after = ears->after[corner], ahead = ears->ahead[corner];
    if (ahead == none)
        ears->blocked[blocker] = after;
    else
        ears->after[ahead] = after;
    if (after != none)
        ears->ahead[after] = ahead;
    ears->blocker[corner] = none;
}

static void block(struct ears *ears, uint32_t corner, uint32_t blocker)
{
    const uint32_t after = ears->blocked[blocker];
    ears->blocker[corner] = blocker;
    ears->ahead[corner] = none;
    ears->after[corner] = after;
    if (after != none)
        ears->ahead[after] = corner;
    ears->blocked[blocker] = corner;
}

/* Whether the corner is an ear: anew, as what is around it has changed. */
static void look_at(struct ears *ears, uint32_t corner)
{
    struct triangle triangle = {.corners = {ears->previous[corner], corner, ears->next[corner]}};
    for (unsigned i = 0; i < 3; i++) {
        const struct spot at = triangle.at[i] = ears->polygon->spots[triangle.corners[i]];
        const struct box here = {{at.x, at.y}, {at.x, at.y}};
        if (i == 0)
            triangle.box = here;
        widen(&triangle.box, &here);
    }
    unblock(ears, corner);
    const int sign = area_sign(triangle.at[0], triangle.at[1], triangle.at[2]);
    const uint32_t blocker = sign > 0 ? find_blocker(ears, &triangle) : none;
    set_bit(ears->ears, corner, sign > 0 && blocker == none);
    set_bit(ears->flat, corner, sign == 0);
    if (blocker != none)
        block(ears, corner, blocker);
}

static void add_triangle(const struct ears *ears, uint32_t **triangles, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t *corners = ears->polygon->corners, triangle[3] = {corners[a], corners[b], corners[c]};
    memcpy(*triangles, triangle, sizeof triangle);
    *triangles += 3;
}

/* Takes a corner away, and looks at those that this changes. */
static void cut(struct ears *ears, uint32_t corner, uint32_t **triangles)
{
    const uint32_t previous = ears->previous[corner], next = ears->next[corner];
    add_triangle(ears, triangles, previous, corner, next);
    unblock(ears, corner);
    set_bit(ears->ears, corner, false);
    set_bit(ears->flat, corner, false);
    ears->next[previous] = next;
    ears->previous[next] = previous;
    ears->next[corner] = none;
    ears->left--;
    for (size_t i = ears->leaves + ears->rank[corner] / LEAF; i > 0; i /= 2)
        ears->alive[i]--;
    look_at(ears, previous);
    look_at(ears, next);
    while (ears->blocked[corner] != none && ears->looks < ears->most_looks)
        look_at(ears, ears->blocked[corner]);
}

/* What is left is cut around its first corner. */
static void cut_fan(const struct ears *ears, uint32_t **triangles)
{
    uint32_t first = 0;
    while (!is_left(ears, first))
        first++;
    for (uint32_t i = ears->next[first]; ears->next[i] != first; i = ears->next[i])
        add_triangle(ears, triangles, first, i, ears->next[i]);
}

/* Always the next ear around, one with an area if there is any. */
static enum clipping cut_all(struct ears *ears, uint32_t *triangles)
{
    enum clipping result = CLIPPING_DONE;
    for (size_t i = 0; i < ears->n && ears->looks < ears->most_looks; i++)
        look_at(ears, (uint32_t)i);
    for (size_t at = 0; ears->left > 3 && ears->looks < ears->most_looks;) {
        size_t ear = next_bit(ears->ears, ears->n, at);
        ear = ear < ears->n ? ear : next_bit(ears->flat, ears->n, at);
        if (ear == ears->n) {
            result = CLIPPING_UNFINISHED;
            break;
        }
        at = ears->next[ears->next[ear]]; /* not the next corner, or slivers all around one corner are cut */
        cut(ears, (uint32_t)ear, &triangles);
    }
    if (ears->looks >= ears->most_looks)
        return CLIPPING_TOO_COSTLY;
    cut_fan(ears, &triangles);
    return result;
}

/* The ring of all corners, and nothing blocked. */
static void make_ring(struct ears *ears)
{
    for (size_t i = 0; i < ears->n; i++) {
        ears->next[i] = (uint32_t)(i + 1 < ears->n ? i + 1 : 0);
        ears->previous[i] = (uint32_t)(i > 0 ? i - 1 : ears->n - 1);
        ears->blocker[i] = ears->blocked[i] = none;
    }
}

enum clipping cut_ears(const struct flat_polygon *polygon, size_t most_looks, uint32_t *triangles)
{
    enum { ARRAYS = 8 };
    const size_t n = polygon->n;
    struct ears ears = {.polygon = polygon, .n = n, .left = n, .leaves = 1};
    size_t levels = 1;
    for (; ears.leaves * LEAF < n; levels++)
        ears.leaves *= 2;
    ears.most_looks = most_looks * n * levels;
    uint32_t *arrays = malloc(ARRAYS * n * sizeof *arrays), *end = arrays;
    uint32_t **const of[ARRAYS] = {&ears.next,  &ears.previous, &ears.blocker, &ears.blocked,
                                   &ears.after, &ears.ahead,    &ears.order,   &ears.rank};
    for (unsigned i = 0; i < ARRAYS && arrays; i++, end += n)
        *of[i] = end;
    ears.ears = calloc(2 * words_of(n), sizeof *ears.ears);
    ears.flat = ears.ears ? ears.ears + words_of(n) : NULL;
    ears.boxes = calloc(2 * ears.leaves, sizeof *ears.boxes);
    ears.alive = calloc(2 * ears.leaves, sizeof *ears.alive);
    enum clipping result = CLIPPING_NO_MEMORY;
    if (arrays && ears.ears && ears.boxes && ears.alive && sort_corners(&ears)) {
        make_boxes(&ears);
        make_ring(&ears);
        result = cut_all(&ears, triangles);
    }
    free(arrays);
    free(ears.ears);
    free(ears.boxes);
    free(ears.alive);
    return result;
}
