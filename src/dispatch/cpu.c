/* SPDX-License-Identifier: MIT */
/*
 * Detects the instruction sets that processor (CPUID) and operating system (XCR0) support; compiled for the baseline.
 */
#include "dispatch/cpu.h"

#include <stdint.h>

#if defined(__SSE2_MATH__)

#include <cpuid.h>

/* The register states that the operating system saves: without these, instructions fault or lose data. */
static uint32_t saved_states(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

struct abut_cpu abut_cpu_detect(void)
{
    enum { YMM_STATE = 0x6, ZMM_STATE = 0xe6 };
    const uint32_t avx512_wanted = bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | bit_AVX512BW;
    struct abut_cpu cpu = {.scalar = true, .sse = true};
    uint32_t eax, ebx, ecx, edx, leaf7_ebx;
    if (!__get_cpuid_count(7, 0, &eax, &leaf7_ebx, &ecx, &edx) || !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return cpu;
    if (!(ecx & bit_OSXSAVE) || !(ecx & bit_AVX))
        return cpu;
    uint32_t states = saved_states();
    cpu.avx2 = (states & YMM_STATE) == YMM_STATE && (ecx & bit_FMA) && (leaf7_ebx & bit_AVX2);
    cpu.avx512 = cpu.avx2 && (states & ZMM_STATE) == ZMM_STATE && (leaf7_ebx & avx512_wanted) == avx512_wanted;
    return cpu;
}

#else

struct abut_cpu abut_cpu_detect(void)
{
#if defined(__aarch64__)
    return (struct abut_cpu){.scalar = true, .neon = true};
#elif defined(__wasm32__)
    /* An engine without SIMD refuses a module that has it. */
    return (struct abut_cpu){.scalar = true, .wasm = true};
#else
    return (struct abut_cpu){.scalar = true};
#endif
}

#endif
