/* SPDX-License-Identifier: MIT */
/* Guard bytes, where there are no guard pages: a write out of bounds is found when the memory is freed. */
#include "guard.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 4096, BLOCK = 64, FILL = 0xa5 };

/* The map is guard, pages blocks that hold size bytes at their start or end, guard. */
struct guarded guarded_new(size_t size, int at_end)
{
    const size_t blocks = size / BLOCK + 1, bytes = blocks * BLOCK;
    char *map = aligned_alloc(BLOCK, bytes + 2 * (size_t)GUARD);
    if (!map)
        abort();
    memset(map, FILL, bytes + 2 * (size_t)GUARD);
    return (struct guarded){.map = map, .pages = blocks, .at = map + GUARD + (at_end ? bytes - size : 0)};
}

void guarded_free(struct guarded *memory)
{
    if (!memory->map)
        return;
    const unsigned char *before = memory->map, *after = before + GUARD + memory->pages * BLOCK;
    bool kept = true;
    for (size_t i = 0; i < GUARD; i++)
        kept = kept && before[i] == FILL && after[i] == FILL;
    check_that(kept, "bytes outside of a buffer were written");
    free(memory->map);
    *memory = (struct guarded){0};
}
