/* SPDX-License-Identifier: MIT */
/* Counting, reporting and crash messages. */
#include "report.h"

#include "dispatch/dispatch.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t checks, failures;
static char context[400];

static _Noreturn void usage(const char *program, const char *argument)
{
    fprintf(
        stderr,
        "%s: cannot use %s\nusage: %s [--seed N] [--rounds N] [--pairs N] [--step N] [--only PREDICATE] [--expect ISA] "
        "[FILE]\n",
        program, argument, program);
    exit(2);
}

static uint64_t number_argument(const char *program, const char *text)
{
    char *end;
    unsigned long long n = strtoull(text, &end, 0);
    if (end == text || *end != '\0')
        usage(program, text);
    return n;
}

struct options read_options(int argc, char **argv, struct options defaults)
{
    struct options options = defaults;
    options.step = 1;
    unsigned expected = 0;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (name[0] != '-') {
            options.file = name;
            continue;
        }
        if (++i == argc)
            usage(argv[0], name);
        if (strcmp(name, "--seed") == 0)
            options.seed = number_argument(argv[0], argv[i]);
        else if (strcmp(name, "--rounds") == 0)
            options.rounds = (unsigned)number_argument(argv[0], argv[i]);
        else if (strcmp(name, "--pairs") == 0)
            options.pairs = number_argument(argv[0], argv[i]);
        else if (strcmp(name, "--step") == 0)
            options.step = (unsigned)number_argument(argv[0], argv[i]) | 1;
        else if (strcmp(name, "--only") == 0 && (options.only = subject_of(argv[i])) == NULL)
            usage(argv[0], argv[i]);
        else if (strcmp(name, "--expect") == 0 && expected + 1 < sizeof options.expect / sizeof *options.expect)
            options.expect[expected++] = argv[i];
        else if (strcmp(name, "--only") != 0)
            usage(argv[0], name);
    }
    printf("seed %llu, %u rounds\n", (unsigned long long)options.seed, options.rounds);
    return options;
}

void check_expected(const struct options *options)
{
    for (unsigned i = 0; options->expect[i] != NULL; i++) {
        bool ran = false;
        for (const struct isa *const *native = abut_native_isas(); *native != NULL; native++)
            ran |= strcmp((*native)->name, options->expect[i]) == 0;
        check_that(ran, "%s was expected to run natively and did not", options->expect[i]);
    }
}

bool check_that(bool ok, const char *format, ...)
{
    checks++;
    if (ok)
        return true;
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED: ");
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
    va_end(arguments);
    if (++failures == 10) {
        printf("giving up after 10 failures\n");
        exit(1);
    }
    return false;
}

void checks_passed(uint64_t n)
{
    checks += n;
}

static void crashed(int signal_number)
{
    ssize_t ignored = write(STDOUT_FILENO, context, strlen(context));
    (void)ignored;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

void now_testing(const struct subject *subject, const char *isa, const char *entry, const char *kind, size_t n,
                 uint64_t seed)
{
    static bool installed;
    if (!installed) {
        signal(SIGSEGV, crashed);
        signal(SIGBUS, crashed);
        signal(SIGILL, crashed);
        installed = true;
    }
    snprintf(context, sizeof context,
             "FAILED: crash (memory outside of the buffers?) in %s, %s, %s, %s, n = %zu, seed %llu\n", subject->name,
             isa, entry, kind, n, (unsigned long long)seed);
}

int finish(const char *test)
{
    printf("%s: %llu checks, %llu failures\n", test, (unsigned long long)checks, (unsigned long long)failures);
    return failures > 0 || checks == 0;
}

bool hit_at(const uint64_t *hits, size_t i)
{
    return hits[i / 64] >> i % 64 & 1;
}
