/* SPDX-License-Identifier: MIT */
/* The instruction sets that run on this machine, and the active one. */
#ifndef ABUT_DISPATCH_DISPATCH_H
#define ABUT_DISPATCH_DISPATCH_H

#include "dispatch/kernel_table.h"

/* Fastest first, ended by NULL. */
const struct isa *const *abut_native_isas(void);

const struct isa *abut_active_isa(void);

/*
 * The active set. For n pairs that do not fill its vectors, the widest set whose vectors they fill: wider sets would
 * copy the pairs first, which takes longer than deciding them.
 */
const struct isa *abut_isa_for(size_t n);

#endif
