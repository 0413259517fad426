/* SPDX-License-Identifier: MIT */
/* Buffered output to a stream, or to a temporary file that is renamed when it is whole. */
#include "output.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* For the signal handler: what to take away when the command is interrupted. */
static char *volatile unfinished;

static void give_up(int number)
{
    if (unfinished)
        unlink(unfinished);
    if (number == SIGBUS) {
        static const char message[] = "abut: an input file became shorter, or unreadable, while it was read\n";
        (void)!write(STDERR_FILENO, message, sizeof message - 1);
        _exit(EXIT_FAILED);
    }
    signal(number, SIG_DFL);
    raise(number);
}

/* Signals that end no process unless it asks for them, or that no process can catch. All others end it. */
static bool is_harmless(int number)
{
    static const int signals[] = {SIGCHLD,  SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGKILL,
#ifdef SIGWINCH
                                  SIGWINCH,
#endif
#ifdef SIGINFO
                                  SIGINFO,
#endif
                                  SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i] == number)
            return true;
    return false;
}

void output_guard(void)
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        /* What is ignored stays so, and sanitizers have handlers of their own. A number may stand for no signal. */
        struct sigaction before;
        if (!is_harmless(number) && sigaction(number, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
            before.sa_handler == SIG_DFL)
            signal(number, give_up);
    }
    /* A file that grows too large is then an error of write as any other. */
    signal(SIGXFSZ, SIG_IGN);
}

static bool refuse(struct output *output, int error)
{
    complain("cannot write %s: %s", output->name, strerror(error));
    return false;
}

static bool open_temporary(struct output *output, const char *path, const struct stat *old)
{
    if (old && access(path, W_OK) != 0)
        return false;
    output->target = old ? realpath(path, NULL) : strdup(path);
    if (!output->target)
        return false;
    /* Short: a name longer than the target's might be too long. */
    static const char template[] = "abut-XXXXXX";
    const char *last = strrchr(output->target, '/');
    const size_t folder = last ? (size_t)(last + 1 - output->target) : 0;
    char *name = malloc(folder + sizeof template);
    if (!name)
        return false;
    memcpy(name, output->target, folder);
    memcpy(name + folder, template, sizeof template);
    /* No signal comes between the file and its name for the handler. */
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    output->fd = mkstemp(name);
    const int error = errno;
    unfinished = output->fd < 0 ? NULL : name;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (output->fd < 0) {
        free(name);
        errno = error;
        return false;
    }
    output->temporary = name;
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(output->fd, old ? old->st_mode & 0777 : 0666 & ~mask) == 0;
}

/*
 * The descriptor that an existing name stands for (/dev/stdout, /dev/fd/3, or a link to one of these), or -1. Links
 * are followed one at a time, since a descriptor may itself be a link, to the file that it has open.
 */
static int descriptor_named(const char *name)
{
    char descriptors[PATH_MAX], folder[PATH_MAX], link[PATH_MAX], path[2 * PATH_MAX];
    if (!realpath("/dev/fd", descriptors))
        return -1;
    snprintf(path, sizeof path, *name == '/' ? "%s" : "./%s", name);
    for (;;) {
        char *slash = strrchr(path, '/'), *end;
        *slash = '\0';
        if (!realpath(slash > path ? path : "/", folder))
            return -1;
        if (strcmp(folder, descriptors) == 0) {
            const long descriptor = strtol(slash + 1, &end, 10);
            return end > slash + 1 && *end == '\0' ? (int)descriptor : -1;
        }
        *slash = '/';
        const ssize_t length = readlink(path, link, sizeof link - 1);
        if (length < 0)
            return -1;
        link[length] = '\0';
        snprintf(path, sizeof path, "%s/%s", *link == '/' ? "" : folder, link);
    }
}

bool output_open(struct output *output, const char *path)
{
    struct stat at_path, itself;
    output->target = output->temporary = NULL;
    output->error = 0;
    output->used = 0;
    output->fd = STDOUT_FILENO;
    output->name = "standard output";
    if (!path || strcmp(path, "-") == 0)
        return true;
    output->name = path;
    bool exists = stat(path, &at_path) == 0;
    if (!exists && errno != ENOENT)
        return refuse(output, errno);
    if (!exists && lstat(path, &itself) == 0) {
        complain("cannot write %s: it is a link to a file that does not exist", path);
        return false;
    }
    const int descriptor = exists ? descriptor_named(path) : -1;
    if (descriptor >= 0) {
        output->fd = descriptor;
        return true;
    }
    if (exists && !S_ISREG(at_path.st_mode)) {
        output->fd = open(path, O_WRONLY);
        return output->fd >= 0 || refuse(output, errno);
    }
    if (open_temporary(output, path, exists ? &at_path : NULL))
        return true;
    int error = errno;
    output_discard(output);
    return refuse(output, error);
}

static void flush(struct output *output)
{
    for (size_t done = 0; done < output->used && !output->error;) {
        ssize_t written = write(output->fd, output->buffer + done, output->used - done);
        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR)
            output->error = errno;
    }
    output->used = 0;
}

void output_bytes(struct output *output, const char *bytes, size_t count)
{
    while (count > 0) {
        if (output->used == OUTPUT_BUFFER)
            flush(output);
        size_t left = OUTPUT_BUFFER - output->used, part = count < left ? count : left;
        memcpy(output->buffer + output->used, bytes, part);
        output->used += part;
        bytes += part;
        count -= part;
    }
}

void output_text(struct output *output, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        abort();
    output_bytes(output, text, (size_t)length);
}

bool output_begin(struct output *output, const char *bytes, size_t count)
{
    if (!output->temporary)
        return false;
    flush(output);
    const ssize_t written = output->error ? 0 : pwrite(output->fd, bytes, count, 0);
    if (!output->error && written != (ssize_t)count)
        output->error = written < 0 ? errno : ENOSPC;
    return true;
}

size_t output_digits(char *text, uint64_t value)
{
    char reversed[20];
    size_t digits = 0;
    do {
        reversed[digits++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    for (size_t i = 0; i < digits; i++)
        text[i] = reversed[digits - 1 - i];
    return digits;
}

bool output_is_terminal(const struct output *output)
{
    return isatty(output->fd);
}

static void release(struct output *output)
{
    unfinished = NULL;
    free(output->target);
    free(output->temporary);
    output->target = output->temporary = NULL;
}

void output_discard(struct output *output)
{
    if (output->temporary) {
        unlink(output->temporary);
        close(output->fd);
    }
    release(output);
}

/* Delayed errors, of a full disk or a file server, show when the data is forced out. */
static bool finish_file(struct output *output)
{
    if (fsync(output->fd) != 0 && errno != EINVAL)
        return false;
    int fd = output->fd;
    output->fd = -1;
    return close(fd) == 0 && rename(output->temporary, output->target) == 0;
}

bool output_close(struct output *output)
{
    flush(output);
    bool done = !output->error;
    if (done && output->temporary)
        done = finish_file(output);
    else if (done && output->fd > STDERR_FILENO)
        done = close(output->fd) == 0;
    if (!done) {
        int error = output->error ? output->error : errno;
        output_discard(output);
        return refuse(output, error);
    }
    release(output);
    return true;
}
