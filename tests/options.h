/* SPDX-License-Identifier: MIT */
/* Options for one call, in an expression. */
#ifndef ABUT_TESTS_OPTIONS_H
#define ABUT_TESTS_OPTIONS_H

#include <abut/abut.h>

#define OPTIONS(touch_rule, statistics) (&(const struct abut_options){.touch = (touch_rule), .stats = (statistics)})

#endif
