/* SPDX-License-Identifier: MIT */
/* Which triangles share a vertex: one has a vertex with the coordinates of a vertex of the other. */
#include "adjacent.h"

static bool share_vertex(const struct rows *triangles, size_t i, size_t j)
{
    for (unsigned a = 0; a < 9; a += 3)
        for (unsigned b = 0; b < 9; b += 3)
            if (triangles->at[a][i] == triangles->at[b][j] && triangles->at[a + 1][i] == triangles->at[b + 1][j] &&
                triangles->at[a + 2][i] == triangles->at[b + 2][j])
                return true;
    return false;
}

size_t adjacent_leave_out(const struct rows *triangles, size_t row, size_t first, const uint32_t *list, size_t n,
                          uint32_t *kept)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (!share_vertex(triangles, row, first + list[i]))
            kept[count++] = list[i];
    return count;
}
