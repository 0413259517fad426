/* SPDX-License-Identifier: MIT */
/* What classes are made of. */
#ifndef ABUT_API_CLASSIFY_H
#define ABUT_API_CLASSIFY_H

#include <abut/abut.h>

/* Whether items of a have classes against b. */
bool abut_has_classes(enum abut_set_kind a, enum abut_set_kind b);

/* Whether item i has no class, or leaves the other side without one. */
bool abut_item_is_invalid(struct abut_set set, size_t i);

#endif
