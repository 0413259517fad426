/* SPDX-License-Identifier: MIT */
/* A pool of POSIX threads for an index. The library starts no thread: copy these two files if you have no pool. */
#ifndef ABUT_EXAMPLES_POOL_H
#define ABUT_EXAMPLES_POOL_H

#include <abut/index.h>

struct pool;

/* An index uses no more threads than this. */
enum { POOL_MOST_THREADS = 256 };

/* How many threads can run at once: the processors that this process may use, at most POOL_MOST_THREADS. */
unsigned pool_cores(void);

/* A pool of count threads, the calling one among them, or of fewer if the system has no more. NULL: out of memory. */
struct pool *pool_new(unsigned count);
void pool_free(struct pool *pool); /* NULL is fine */

/* Threads for the options of one call at a time. */
struct abut_threads pool_threads(struct pool *pool);

#endif
