/* SPDX-License-Identifier: MIT */
/* Chooses the kernel table: those of this processor, and one atomic pointer to the active one. */
#include "dispatch/dispatch.h"

#include "dispatch/cpu.h"

#include <stdatomic.h>
#include <string.h>

/* What runs on this machine is the end of these lists, which can so be constants. */
#define NATIVE(name) &abut_variant_##name,
static const struct variant *const variants[] = {
#include "tables/isas.def"
    NULL};

#define NATIVE(name) #name,
static const char *const names[] = {
#include "tables/isas.def"
    NULL};

#define VARIANT(name, processor) #name,
static const char *const known_names[] = {
#include "tables/isas.def"
};

/* Asked once: CPUID takes microseconds on virtual machines. Threads that ask at once find the same. */
static size_t first_native(void)
{
    static _Atomic(size_t) found = SIZE_MAX;
    size_t i = atomic_load_explicit(&found, memory_order_relaxed);
    if (i == SIZE_MAX) {
        const struct abut_cpu cpu = abut_cpu_detect();
#define NATIVE(name) cpu.name,
        const bool runs[] = {
#include "tables/isas.def"
        };
        for (i = 0; !runs[i];)
            i++;
        atomic_store_explicit(&found, i, memory_order_relaxed);
    }
    return i;
}

const struct variant *const *abut_native_variants(void)
{
    return variants + first_native();
}

const char *const *abut_isas(void)
{
    return names + first_native();
}

static _Atomic(const struct variant *) active;

/* If another thread sets it meanwhile, that choice holds. */
const struct variant *abut_active_variant(void)
{
    const struct variant *variant = atomic_load_explicit(&active, memory_order_acquire);
    if (variant == NULL) {
        variant = abut_native_variants()[0];
        const struct variant *unset = NULL;
        if (!atomic_compare_exchange_strong(&active, &unset, variant))
            variant = unset;
    }
    return variant;
}

const struct variant *abut_variant_for(size_t n)
{
    const struct variant *variant = abut_active_variant();
    if (n >= variant->width || n == 0)
        return variant;
    const struct variant *const *narrower = abut_native_variants();
    while ((*narrower)->width > n)
        narrower++;
    return *narrower;
}

const char *abut_isa(void)
{
    return abut_active_variant()->name;
}

enum abut_status abut_use_isa(const char *name)
{
    if (name == NULL)
        return ABUT_ERROR_NULL;
    for (const struct variant *const *variant = abut_native_variants(); *variant != NULL; variant++)
        if (strcmp((*variant)->name, name) == 0) {
            atomic_store_explicit(&active, *variant, memory_order_release);
            return ABUT_OK;
        }
    for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
        if (strcmp(known_names[i], name) == 0)
            return ABUT_ERROR_ISA;
    return ABUT_ERROR_ARGUMENT;
}
