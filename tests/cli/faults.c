/* SPDX-License-Identifier: MIT */
/*
 * A library to load before the command (LD_PRELOAD): one call of one function of the system fails.
 * FAULT_CALL names the function, FAULT_AT says which of its calls fails, from 1 on, and FAULT_ERROR with which number.
 * "write" may also be short: FAULT_ERROR=0 writes a byte. When a call fails, the file FAULT_LOG appears. With
 * FAULT_LASTS all later calls fail as well.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong calls;

static unsigned long number_in(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : 0;
}

/* Whether this call fails. Then errno is set. */
static bool fails(const char *function)
{
    const char *name = getenv("FAULT_CALL"), *log = getenv("FAULT_LOG");
    if (!name || !log || strcmp(name, function) != 0)
        return false;
    const unsigned long call = atomic_fetch_add(&calls, 1) + 1, at = number_in("FAULT_AT");
    if (call != at && !(call > at && getenv("FAULT_LASTS")))
        return false;
    syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY, 0666));
    errno = (int)number_in("FAULT_ERROR");
    return true;
}

/* POSIX has functions in object pointers; ISO C has not. */
#define NEXT(function) (__extension__(__typeof__(&function)) dlsym(RTLD_NEXT, #function))

void *malloc(size_t size)
{
    return fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails("malloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails("malloc") ? NULL : __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails("malloc") ? NULL : __libc_memalign(alignment, size);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    return fails("mmap") ? MAP_FAILED : NEXT(mmap)(at, size, protection, flags, fd, offset);
}

ssize_t read(int fd, void *bytes, size_t count)
{
    return fails("read") ? -1 : NEXT(read)(fd, bytes, count);
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    if (fails("write")) {
        if (errno)
            return -1;
        count = 1;
    }
    return NEXT(write)(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset)
{
    if (fails("pwrite")) {
        if (errno)
            return -1;
        count = 1;
    }
    return NEXT(pwrite)(fd, bytes, count, offset);
}

int fsync(int fd)
{
    return fails("fsync") ? -1 : NEXT(fsync)(fd);
}

/* Closes the file all the same, as systems do. */
int close(int fd)
{
    const bool failed = fails("close");
    const int error = errno, result = NEXT(close)(fd);
    errno = failed ? error : errno;
    return failed ? -1 : result;
}

int rename(const char *from, const char *to)
{
    return fails("rename") ? -1 : NEXT(rename)(from, to);
}

int mkstemp(char *name)
{
    return fails("mkstemp") ? -1 : NEXT(mkstemp)(name);
}

int fchmod(int fd, mode_t mode)
{
    return fails("fchmod") ? -1 : NEXT(fchmod)(fd, mode);
}

int fstat(int fd, struct stat *status)
{
    return fails("fstat") ? -1 : NEXT(fstat)(fd, status);
}

int madvise(void *at, size_t size, int advice)
{
    return fails("madvise") ? -1 : NEXT(madvise)(at, size, advice);
}
