/* SPDX-License-Identifier: MIT */
/*
 * Limits of fuzzers that run without libFuzzer, whose own are -timeout and -malloc_limit_mb: bytes that make the command
 * work for long or fill memory are as bad as those that make it crash.
 */
#ifndef ABUT_TESTS_CLI_FUZZ_LIMITS_H
#define ABUT_TESTS_CLI_FUZZ_LIMITS_H

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

/* Of processor time, for one input of a few thousand bytes: no measure of speed, but far from what any of them takes. */
enum { MOST_SECONDS = 20 };

static void out_of_time(int number)
{
    static const char message[] = "FAILED: an input took 20 seconds of processor time\n";
    (void)number;
    if (write(STDOUT_FILENO, message, sizeof message - 1) < 0)
        _exit(2);
    _exit(1);
}

/* Before each input. */
static void start_clock(void)
{
    const struct itimerval limit = {.it_value = {.tv_sec = MOST_SECONDS}};
    signal(SIGVTALRM, out_of_time);
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

/* The most memory, in bytes, that the process had so far. */
static size_t peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (size_t)usage.ru_maxrss * 1024 : 0;
}

/* Whether no input needed more than 64 MB and 16 times its size. before: peak_memory() before all of them. */
static int memory_was_enough(const char *program, size_t before, size_t most_input)
{
    const size_t used = peak_memory() - before, allowed = ((size_t)64 << 20) + 16 * most_input;
    if (used > allowed)
        printf("FAILED: %s: inputs of at most %zu bytes needed %zu MB, more than %zu\n", program, most_input,
               used >> 20, allowed >> 20);
    return used <= allowed;
}

#endif
