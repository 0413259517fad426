/* SPDX-License-Identifier: MIT */
/* Seeded inputs of every kind, the same on every machine. */
#ifndef ABUT_TESTS_INPUTS_H
#define ABUT_TESTS_INPUTS_H

#include "cli/random.h"
#include "subjects.h"

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

/* The kinds of hulls, with items near them. Those from many on are no part of the golden hashes. */
#define HULL_KINDS(KIND)                                                                                               \
    KIND(box, "axis-aligned, integers: many touches")                                                                  \
    KIND(cut, "a ball cut by random planes")                                                                           \
    KIND(hull_integers, "small integers for all members, many of them without points")                                 \
    KIND(wedge, "nearly parallel planes: sharp edges")                                                                 \
    KIND(unbounded, "one to three planes")                                                                             \
    KIND(doubled, "each plane twice, at another length or a little off")                                               \
    KIND(hull_flat, "opposite planes that coincide or contradict")                                                     \
    KIND(slabs, "planes with opposite normals, in any order; one may bound nothing")                                   \
    KIND(frustum, "of a camera")                                                                                       \
    KIND(hull_far, "up to a million from the origin")                                                                  \
    KIND(scaled, "all members tiny or huge, or normals and offsets of different magnitudes")                           \
    KIND(hull_invalid, "NaN, infinities, zero normals")                                                                \
    KIND(many, "32 planes")                                                                                            \
    KIND(along, "items far away along a plane: their coordinates alone make the error of the depth")                   \
    KIND(space, "all of space, which does not reveal NaN")                                                             \
    KIND(overflow, "a sum of two products overflows, and the third brings it back below the radius")                   \
    KIND(far_away, "one item up to infinity, and hulls with a bound for near items: only the depth reveals it")        \
    KIND(hull_mixed, "1 to 12 random planes around the origin, and items across several of them")                      \
    KIND(far_corner, "an item barely reaches a corner: the errors of heights there are not relative to its radius")    \
    KIND(blade, "items beyond the sharp edge of a blade far from the origin")                                          \
    KIND(sliver, "two nearly opposite planes, which meet a million times as far away as they are apart")               \
    KIND(wide, "terms from 2^200 to 2^-289, too many bits for the smaller exact types")                                \
    KIND(paraboloid, "planes tangent to a paraboloid so flat that float64 cannot order their distances")               \
    KIND(tight_edge, "the item touches a plane 2^-68 inside or outside of another one")

#define KIND(name, what) kind_##name,
enum kind { KINDS(KIND) HULL_KINDS(KIND) kind_count };
#undef KIND

extern const char *const kind_names[kind_count];

/* Whether a predicate has inputs of that kind: the kinds of hulls, or all others. */
bool has_kind(const struct subject *subject, enum kind kind);

/* Any kind of a predicate's inputs but those that take long to make or to decide. */
enum kind any_kind(const struct subject *subject, struct random *random);

/* The operands of a pair that a generator may replace. */
enum free_sides { FREE_BOTH, FREE_A, FREE_B };

/* Shared properties of the pairs of one scene, so that they come near each other. */
struct theme {
    enum kind kind, base; /* base: the kind from which an invalid or tangent pair is made */
    int exponent;
};

struct theme theme_of(enum kind kind, struct random *random);

/*
 * Makes the free operands of one pair. A new hull for a given item is at times invalid, or the last one with one plane
 * moved through the item.
 */
void make_pair(const struct subject *subject, struct theme theme, enum free_sides sides, struct random *random,
               float *a, float *b);

/* Makes a pair with a theme of its own. */
void make_any_pair(const struct subject *subject, enum kind kind, struct random *random, float *a, float *b);

/* Prints the members of both items as hexadecimal floats, and NaN as bits. */
void print_pair(const struct subject *subject, const float *a, const float *b);

/*
 * Looks for the floats between near and far where a member makes the answer change from less than wanted to at least
 * that, or back: bisects the bits of the member, which keeps its value. False if the answer is the same at both ends.
 */
bool find_change(const struct subject *subject, enum answer wanted, const float *a, const float *b, float *member,
                 float near, float far, int64_t *low, int64_t *high);

/* Maps floats to integers of the same order, and back; both zeros map to 0. */
int32_t rank_of(float x);
float from_rank(int32_t rank);

#endif
