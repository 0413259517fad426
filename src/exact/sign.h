/* SPDX-License-Identifier: MIT */
/* The fourth result of a sign function, besides -1, 0 and 1: the arithmetic does not determine the sign. */
#ifndef ABUT_EXACT_SIGN_H
#define ABUT_EXACT_SIGN_H

enum { SIGN_UNKNOWN = 2 };

#endif
