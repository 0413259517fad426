/* SPDX-License-Identifier: MIT */
/* Seeded inputs of every kind, the same on every machine. */
#ifndef ABUT_TESTS_INPUTS_H
#define ABUT_TESTS_INPUTS_H

#include "subjects.h"
#include "util/splitmix.h"

/* KIND(name, description) */
#define KINDS(KIND)                                                                                                    \
    KIND(uniform, "nothing special")                                                                                   \
    KIND(integers, "small integers: many touches")                                                                     \
    KIND(far_1e6, "far from the origin")                                                                               \
    KIND(far_1e9, "so far that coordinates are multiples of 64")                                                       \
    KIND(tiny, "squares underflow")                                                                                    \
    KIND(denormal, "the inputs are denormal")                                                                          \
    KIND(huge, "squares overflow")                                                                                     \
    KIND(zeros, "signed zeros, ones and the least denormals")                                                          \
    KIND(flat, "boxes without thickness, radii of 0")                                                                  \
    KIND(infinite, "slabs, half spaces, all of space, infinite radii")                                                 \
    KIND(mixed, "any mixture of exponents")                                                                            \
    KIND(invalid, "NaN of either sign and any payload, infinities, inverted boxes, negative radii")                    \
    KIND(tangent_radius, "one of the above, and the two neighbouring radii between which the answer changes")          \
    KIND(tangent_member, "the same for any member")                                                                    \
    KIND(tangent_worst, "the same for the radius, with the worst rounding that a search finds")

#define KIND(name, what) kind_##name,
enum kind { KINDS(KIND) kind_count };
#undef KIND

extern const char *const kind_names[kind_count];

/* The operands of a pair that a generator may replace. */
enum free_sides { FREE_BOTH, FREE_A, FREE_B };

/* Shared properties of the pairs of one scene, so that they come near each other. */
struct theme {
    enum kind kind, base; /* base: the kind from which an invalid or tangent pair is made */
    int exponent;
};

struct theme theme_of(enum kind kind, struct random *random);

/* Makes the free operands of one pair. */
void make_pair(const struct subject *subject, struct theme theme, enum free_sides sides, struct random *random,
               float *a, float *b);

/* Makes a pair with a theme of its own. */
void make_any_pair(const struct subject *subject, enum kind kind, struct random *random, float *a, float *b);

/* Prints the members of both items as hexadecimal floats, and NaN as bits. */
void print_pair(const struct subject *subject, const float *a, const float *b);

/* Maps floats to integers of the same order, and back; both zeros map to 0. */
int32_t rank_of(float x);
float from_rank(int32_t rank);

#endif
