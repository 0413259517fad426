/* SPDX-License-Identifier: MIT */
/* A pool of POSIX threads: one mutex, and each thread takes the next part until none is left. */
#define _GNU_SOURCE /* sched_getaffinity, which is not in POSIX */
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t wake, done;
    abut_part_function *part;
    void *work;
    unsigned next, parts, busy; /* the next part, the number of parts, and the number at work */
    bool ending;
    unsigned count; /* threads besides the calling one */
    pthread_t threads[];
};

unsigned pool_cores(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t allowed; /* for 1024 processors; with more the call fails */
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        count = CPU_COUNT(&allowed);
#endif
    return count < 1 ? 1 : count > POOL_MOST_THREADS ? POOL_MOST_THREADS : (unsigned)count;
}

/* Takes parts until none is left. The caller holds the mutex; it is released while a part runs. */
static void take_parts(struct pool *pool)
{
    while (pool->next < pool->parts) {
        const unsigned i = pool->next++;
        pool->busy++;
        pthread_mutex_unlock(&pool->mutex);
        pool->part(pool->work, i);
        pthread_mutex_lock(&pool->mutex);
        pool->busy--;
    }
}

static void *wait_for_work(void *context)
{
    struct pool *pool = context;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->ending) {
        take_parts(pool);
        if (pool->busy == 0)
            pthread_cond_signal(&pool->done);
        pthread_cond_wait(&pool->wake, &pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static void run(void *context, unsigned parts, abut_part_function *part, void *work)
{
    struct pool *pool = context;
    pthread_mutex_lock(&pool->mutex);
    pool->part = part;
    pool->work = work;
    pool->next = 0;
    pool->parts = parts;
    pthread_cond_broadcast(&pool->wake);
    take_parts(pool);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

struct pool *pool_new(unsigned count)
{
    struct pool *pool = calloc(1, sizeof *pool + count * sizeof *pool->threads);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    while (pool->count + 1 < count && pthread_create(&pool->threads[pool->count], NULL, wait_for_work, pool) == 0)
        pool->count++;
    return pool;
}

void pool_free(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->ending = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (unsigned i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->mutex);
    free(pool);
}

struct abut_threads pool_threads(struct pool *pool)
{
    return (struct abut_threads){.run = run, .context = pool, .count = pool->count + 1};
}
