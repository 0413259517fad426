/* SPDX-License-Identifier: MIT */
/* The only program of an emulated AVX-512 machine: compares the kernels with the exact stage, then switches off. */
#define _DEFAULT_SOURCE /* reboot */
#include "dispatch/dispatch.h"
#include "selftest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <termios.h>
#include <unistd.h>

/* Linux passes kernel parameters that it does not know to init first; the last argument is the number of rounds. */
int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    const struct isa *const isas[] = {abut_active_isa(), NULL};
    bool is_avx512 = strcmp(isas[0]->name, "avx512") == 0;
    /* scripts/avx512.sh counts these lines. */
    printf("%s: %s is the instruction set in use\n", is_avx512 ? "passed" : "failed", isas[0]->name);
    for (size_t p = 0; p < SELFTEST_ALL && is_avx512; p++) {
        struct selftest selftest = {.isas = isas,
                                    .first = p,
                                    .end = p + 1,
                                    .rounds = (unsigned)atoi(argv[argc - 1]),
                                    .seconds = HUGE_VAL,
                                    .quiet = true};
        selftest_run(&selftest);
        const uint64_t answers = selftest.answers + selftest.distances;
        printf("%s: %s, %" PRIu64 " answers, %" PRIu64 " wrong\n",
               answers > 0 && selftest.wrong == 0 ? "passed" : "failed", selftest_name(p), answers, selftest.wrong);
    }
    puts("end");
    /* Power-off does not wait for the serial line. */
    tcdrain(STDOUT_FILENO);
    return reboot(RB_POWER_OFF);
}
