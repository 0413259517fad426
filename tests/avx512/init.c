/* SPDX-License-Identifier: MIT */
/* The only program of an emulated machine with AVX-512: runs the self-test, and switches the machine off. */
#define _DEFAULT_SOURCE /* reboot */
#include "selftest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <termios.h>
#include <unistd.h>

/* The last argument is the number of rounds; before it come words of the kernel's command line. */
int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    const char *const isas[] = {abut_isa(), NULL};
    bool is_avx512 = strcmp(isas[0], "avx512") == 0;
    struct subject subjects[MOST_SUBJECTS];
    const size_t count = selftest_subjects(subjects);
    /* scripts/avx512.sh counts the lines. */
    printf("%s: %s is the instruction set in use\n", is_avx512 ? "passed" : "failed", isas[0]);
    for (size_t s = 0; s < count && is_avx512; s++) {
        char name[SUBJECT_NAME];
        struct selftest selftest = {.under_test = &the_library,
                                    .isas = isas,
                                    .subjects = &subjects[s],
                                    .subject_count = 1,
                                    .rounds = (unsigned)atoi(argv[argc - 1]),
                                    .seconds = HUGE_VAL,
                                    .quiet = true};
        selftest_run(&selftest);
        const uint64_t answers = selftest.answers + selftest.distances;
        printf("%s: %s, %" PRIu64 " answers, %" PRIu64 " wrong\n",
               answers > 0 && selftest.wrong == 0 ? "passed" : "failed", selftest_name(&subjects[s], name), answers,
               selftest.wrong);
    }
    puts("end");
    /* Power-off does not wait for the serial line. */
    tcdrain(STDOUT_FILENO);
    return reboot(RB_POWER_OFF);
}
