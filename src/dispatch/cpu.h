/* SPDX-License-Identifier: MIT */
/* The instruction sets that this machine and its operating system run. */
#ifndef ABUT_DISPATCH_CPU_H
#define ABUT_DISPATCH_CPU_H

#include <stdbool.h>

#define INSTRUCTION_SET(name, processor, flags) bool name;
struct abut_cpu {
#include "tables/isas.def"
};

struct abut_cpu abut_cpu_detect(void);

#endif
