/* SPDX-License-Identifier: MIT */
/* An allocator with a limit, for tests that run out of memory. */
#ifndef ABUT_TESTS_ACCOUNT_H
#define ABUT_TESTS_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Fails when left reaches 0: that allocation alone, or all that follow too. Counts the blocks not released. */
struct account {
    size_t left, open;
    bool recovers;
};

static inline void *take(void *context, size_t size)
{
    struct account *account = context;
    if (account->left == 0) {
        account->left = account->recovers ? SIZE_MAX : 0;
        return NULL;
    }
    account->left--;
    void *memory = malloc(size);
    account->open += memory != NULL;
    return memory;
}

static inline void give(void *context, void *memory)
{
    struct account *account = context;
    account->open--;
    free(memory);
}

#endif
