/* SPDX-License-Identifier: MIT */
/* Guard pages by mmap and mprotect. */
#define _DEFAULT_SOURCE
#include "guard.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct guarded guarded_new(size_t size, int at_end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (size / page + 1) * page;
    struct guarded memory = {.map_size = inner + 2 * page};
    memory.map = mmap(NULL, memory.map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory.map == MAP_FAILED || mprotect((char *)memory.map + page, inner, PROT_READ | PROT_WRITE) != 0) {
        perror("guard pages");
        exit(2);
    }
    memory.at = (char *)memory.map + page + (at_end ? inner - size : 0);
    return memory;
}

void guarded_free(struct guarded *memory)
{
    munmap(memory->map, memory->map_size);
    *memory = (struct guarded){0};
}
