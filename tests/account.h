/* SPDX-License-Identifier: MIT */
/* An allocator for tests that may run out. */
#ifndef ABUT_TESTS_ACCOUNT_H
#define ABUT_TESTS_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* An allocator that fails when left comes to 0, then or from then on, and knows what was not given back. */
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
