/* SPDX-License-Identifier: MIT */
/* Times of casts on as many limbs as any input needs. */
#include "bvh/cast/scaled_of_limbs.h"
#include "exact/dyadic.h"

/* Degree 16, with one limb for the carry (bvh/cast/cast_arithmetic.h). */
#define DYADIC long_dyadic
#define DYADIC_LIMBS 146
_Static_assert(LIMBS_OF_DEGREE(16) + 1 < DYADIC_LIMBS && LIMBS_OF_PRODUCT(8, 8) <= DYADIC_LIMBS &&
                   LIMBS_OF_PRODUCT(4, 4) <= DYADIC_LIMBS && LIMBS_OF_PRODUCT(4, 8) <= DYADIC_LIMBS,
               "no polynomial of degree 16 fails to fit");
#include "exact/dyadic_limbs.h"

/* Degree 32, for one comparison: on the stack such numbers would take too much in all formulas. */
#define DYADIC wide_dyadic
#define DYADIC_LIMBS 300
_Static_assert(LIMBS_OF_DEGREE(32) + 1 < DYADIC_LIMBS && LIMBS_OF_PRODUCT(16, 16) + 1 <= DYADIC_LIMBS,
               "no polynomial of degree 32 fails to fit");
#include "exact/dyadic_limbs.h"

static struct wide_dyadic widened(const struct long_dyadic *x)
{
    struct wide_dyadic wide;
    wide.sign = x->sign;
    wide.low = x->low;
    wide.n = x->n;
    memcpy(wide.limb, x->limb, (size_t)x->n * sizeof *x->limb);
    return wide;
}

__attribute__((noinline)) static int product_less_square(struct long_dyadic a, struct long_dyadic b,
                                                         struct long_dyadic z)
{
    const struct long_dyadic four_a = long_dyadic_mul(a, long_dyadic_of(4));
    const struct wide_dyadic wide_z = widened(&z), product = wide_dyadic_mul(widened(&four_a), widened(&b));
    return wide_dyadic_sub(product, wide_dyadic_mul(wide_z, wide_z)).sign;
}

#define ARITHMETIC long_dyadic
#define FORMULAS abut_cast_full
#include "bvh/cast/cast_arithmetic.h"
