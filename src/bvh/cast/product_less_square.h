/* SPDX-License-Identifier: MIT */
/* The sign of 4 a b - z^2 of long_dyadic, in wide_dyadic, which holds twice their degree. */
#ifndef ABUT_BVH_PRODUCT_LESS_SQUARE_H
#define ABUT_BVH_PRODUCT_LESS_SQUARE_H

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

#endif
