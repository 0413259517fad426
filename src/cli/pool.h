/* SPDX-License-Identifier: MIT */
/* Threads that wait for work, as the library borrows them. */
#ifndef ABUT_CLI_POOL_H
#define ABUT_CLI_POOL_H

#include <abut/index.h>

struct pool;

/* How many threads can run at once: the processors that this process may use, at most 256. */
unsigned pool_cores(void);

/* Of count threads, the calling one among them, or of fewer if the system gives no more. NULL: no memory. */
struct pool *pool_new(unsigned count);
void pool_free(struct pool *pool);

/* For the settings of one call at a time. */
struct abut_threads pool_threads(struct pool *pool);

#endif
