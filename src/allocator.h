/* SPDX-License-Identifier: MIT */
/* The caller's allocator, or malloc. */
#ifndef ABUT_ALLOCATOR_H
#define ABUT_ALLOCATOR_H

#include <abut/abut.h>

struct abut_allocator abut_allocator_or_malloc(const struct abut_allocator *allocator);

#endif
