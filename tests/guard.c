/* SPDX-License-Identifier: MIT */
/* Guard pages by mmap and mprotect. */
#define _DEFAULT_SOURCE
#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Small maps are kept for reuse, by their number of pages: else system calls took most of a test's time. */
enum { KEPT_PAGES = 8, KEPT = 32 };
static struct {
    void *maps[KEPT];
    unsigned count;
} kept[KEPT_PAGES + 1];

static void *new_map(size_t page, size_t pages)
{
    if (pages <= KEPT_PAGES && kept[pages].count > 0)
        return kept[pages].maps[--kept[pages].count];
    char *map = mmap(NULL, (pages + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map + page, pages * page, PROT_READ | PROT_WRITE) != 0) {
        perror("guard pages");
        exit(2);
    }
    return map;
}

struct guarded guarded_new(size_t size, int at_end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = size / page + 1;
    struct guarded memory = {.map = new_map(page, pages), .pages = pages};
    memory.at = (char *)memory.map + page + (at_end ? pages * page - size : 0);
    return memory;
}

void guarded_free(struct guarded *memory)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = memory->pages;
    if (pages <= KEPT_PAGES && kept[pages].count < KEPT)
        kept[pages].maps[kept[pages].count++] = memory->map;
    else
        munmap(memory->map, (pages + 2) * page);
    *memory = (struct guarded){0};
}
