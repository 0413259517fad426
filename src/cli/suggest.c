/* SPDX-License-Identifier: MIT */
/* "Did you mean": the name that a misspelt one is nearest to. */
#include "suggest.h"

#include <stdint.h>

enum { LONGEST = 31 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t edit_distance(const char *a, size_t length_a, const char *b, size_t length_b)
{
    size_t d[LONGEST + 1][LONGEST + 1];
    if (length_a > LONGEST || length_b > LONGEST)
        return SIZE_MAX;
    for (size_t i = 0; i <= length_a; i++)
        d[i][0] = i;
    for (size_t j = 0; j <= length_b; j++)
        d[0][j] = j;
    for (size_t i = 1; i <= length_a; i++)
        for (size_t j = 1; j <= length_b; j++) {
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[length_a][length_b];
}

size_t edits_allowed(size_t length)
{
    return length < 4 ? 1 : length < 8 ? 2 : 3;
}
