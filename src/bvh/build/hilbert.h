/* SPDX-License-Identifier: MIT */
/* Positions on a Hilbert curve, by table. Consecutive cells share a face, so runs of items have compact boxes. */
#ifndef ABUT_BVH_BUILD_HILBERT_H
#define ABUT_BVH_BUILD_HILBERT_H

#include <stdint.h>

enum { KEY_LEVELS = 10, KEY_BITS = 3 * KEY_LEVELS };

/*
 * A state is the corner where the curve enters a cube and the direction in which it leaves it: 8 * 3 states. next takes
 * two levels of cubes at once, six bits in Morton order, and holds the next state and six bits of the position. turns
 * takes one level, for the lanes of vectors (centres.h). Its index is the cube as seen from the corner of entry, cube ^
 * entry, and byte d is for direction d: three bits of the position, three that change the corner of entry, and the next
 * direction.
 */
struct hilbert {
    uint16_t next[24][64];
    uint32_t turns[8];
};

static inline unsigned hilbert_gray(unsigned i)
{
    return i ^ i >> 1;
}

static inline unsigned hilbert_rotate(unsigned bits, unsigned by)
{
    return (bits << by | bits >> (3 - by)) & 7;
}

/* Trailing set bits of i < 8, modulo 3: the axis that the Gray code changes after i. */
static inline unsigned hilbert_axis(unsigned i)
{
    return (i & 1) == 0 ? 0 : (i & 2) == 0 ? 1 : (i & 4) == 0 ? 2 : 0;
}

/*
 * One level of cubes: next state << 3 | position. C. H. Hamilton, Compact Hilbert Indices, Dalhousie CS-2006-07,
 * theorems 2.9 and 2.10.
 */
static inline unsigned hilbert_step(unsigned state, unsigned cube)
{
    unsigned entry = state / 3, direction = state % 3, turn = (direction + 1) % 3;
    unsigned code = hilbert_rotate(cube ^ entry, (3 - turn) % 3), position = code ^ code >> 1 ^ code >> 2;
    unsigned inner_entry = position == 0 ? 0 : hilbert_gray((position - 1) / 2 * 2);
    unsigned inner_direction = position == 0 ? 0 : hilbert_axis(position & 1 ? position : position - 1);
    unsigned next_entry = entry ^ hilbert_rotate(inner_entry, turn);
    return (next_entry * 3 + (direction + inner_direction + 1) % 3) << 3 | position;
}

static inline void hilbert_make(struct hilbert *table)
{
    uint16_t step[24][8];
    for (unsigned state = 0; state < 24; state++)
        for (unsigned cube = 0; cube < 8; cube++)
            step[state][cube] = (uint16_t)hilbert_step(state, cube);
    for (unsigned state = 0; state < 24; state++)
        for (unsigned cubes = 0; cubes < 64; cubes++) {
            unsigned outer = step[state][cubes >> 3], inner = step[outer >> 3][cubes & 7];
            table->next[state][cubes] = (uint16_t)(inner >> 3 << 6 | (outer & 7) << 3 | (inner & 7));
        }
    for (unsigned cube = 0; cube < 8; cube++) {
        table->turns[cube] = 0;
        for (unsigned direction = 0; direction < 3; direction++) {
            const unsigned state = step[direction][cube] >> 3, position = step[direction][cube] & 7;
            table->turns[cube] |= (state % 3 << 6 | state / 3 << 3 | position) << 8 * direction;
        }
    }
}

/* Spreads ten bits, with two zeros between neighbours. */
static inline uint32_t hilbert_spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

/* The Morton code of a cell with ten bits per axis. */
static inline uint32_t hilbert_morton(uint32_t x, uint32_t y, uint32_t z)
{
    return hilbert_spread(x) << 2 | hilbert_spread(y) << 1 | hilbert_spread(z);
}

static inline uint32_t hilbert_key(const struct hilbert *table, uint32_t morton)
{
    const uint16_t(*next)[64] = table->next;
    const uint32_t a = next[0][morton >> 24], b = next[a >> 6][morton >> 18 & 63], c = next[b >> 6][morton >> 12 & 63];
    const uint32_t d = next[c >> 6][morton >> 6 & 63], e = next[d >> 6][morton & 63];
    return (a & 63) << 24 | (b & 63) << 18 | (c & 63) << 12 | (d & 63) << 6 | (e & 63);
}

#endif
