/* SPDX-License-Identifier: MIT */
/* The variants that run on this machine, and the active one. */
#ifndef ABUT_DISPATCH_DISPATCH_H
#define ABUT_DISPATCH_DISPATCH_H

#include "dispatch/kernel_table.h"

/* Fastest first, ended by NULL. */
const struct isa *const *abut_native_isas(void);

const struct isa *abut_active_isa(void);

/*
 * The active one, or for so few pairs that they do not fill its vectors the widest that they do: the others would copy
 * them first, which takes longer than to decide them.
 */
const struct isa *abut_isa_for(size_t n);

#endif
