/* SPDX-License-Identifier: MIT */
/* The sign of a number, -1, 0 or 1, may be none of these. */
#ifndef ABUT_EXACT_SIGN_H
#define ABUT_EXACT_SIGN_H

/* Some numbers may not be able to say whether they are above, at or below zero. */
enum { SIGN_UNKNOWN = 2 };

#endif
