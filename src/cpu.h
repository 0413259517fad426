/* SPDX-License-Identifier: MIT */
/* Which instruction sets this machine and its operating system run. */
#ifndef ABUT_CPU_H
#define ABUT_CPU_H

#include <stdbool.h>

struct abut_cpu {
    bool scalar, sse, avx2, avx512, neon;
};

struct abut_cpu abut_cpu_detect(void);

#endif
