/* SPDX-License-Identifier: MIT */
/* Chooses the kernel table: the tables of this processor, and one atomic pointer to the active one. */
#include "dispatch/dispatch.h"

#include "dispatch/cpu.h"

#include <stdatomic.h>
#include <string.h>

/* The sets that run on this machine are the end of these lists, so the lists are constant. */
#define NATIVE(name) &abut_kernels_##name,
static const struct isa *const isas[] = {
#include "tables/isas.def"
    NULL};

#define NATIVE(name) #name,
static const char *const names[] = {
#include "tables/isas.def"
    NULL};

#define INSTRUCTION_SET(name, processor, flags) #name,
static const char *const known_names[] = {
#include "tables/isas.def"
};

#define PREDICATE(name, shape_a, shape_b, relation, function) [predicate_##name] = {shape_##shape_a, shape_##shape_b},
const unsigned char abut_predicate_shapes[predicate_count][2] = {
#include "tables/predicates.def"
};

#define SHAPE(name, plural, fields) name##_fields,
#define HULL_SHAPE SHAPE
const unsigned char abut_shape_fields[shape_count] = {
#include "tables/shapes.def"
};

/* Detects once: CPUID takes microseconds on virtual machines. Concurrent threads find the same. */
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

const struct isa *const *abut_native_isas(void)
{
    return isas + first_native();
}

const char *const *abut_isas(void)
{
    return names + first_native();
}

static _Atomic(const struct isa *) active;

/* If another thread sets the active one meanwhile, that choice holds. */
const struct isa *abut_active_isa(void)
{
    const struct isa *isa = atomic_load_explicit(&active, memory_order_acquire);
    if (isa == NULL) {
        isa = abut_native_isas()[0];
        const struct isa *unset = NULL;
        if (!atomic_compare_exchange_strong(&active, &unset, isa))
            isa = unset;
    }
    return isa;
}

const struct isa *abut_isa_for(size_t n)
{
    const struct isa *isa = abut_active_isa();
    if (n >= isa->width || n == 0)
        return isa;
    const struct isa *const *narrower = abut_native_isas();
    while ((*narrower)->width > n)
        narrower++;
    return *narrower;
}

const char *abut_isa(void)
{
    return abut_active_isa()->name;
}

enum abut_status abut_use_isa(const char *name)
{
    if (name == NULL)
        return ABUT_ERROR_NULL;
    for (const struct isa *const *isa = abut_native_isas(); *isa != NULL; isa++)
        if (strcmp((*isa)->name, name) == 0) {
            atomic_store_explicit(&active, *isa, memory_order_release);
            return ABUT_OK;
        }
    for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
        if (strcmp(known_names[i], name) == 0)
            return ABUT_ERROR_ISA;
    return ABUT_ERROR_ARGUMENT;
}
