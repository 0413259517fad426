/* SPDX-License-Identifier: MIT */
/* real_scaled() of a DYADIC type, by its three upper limbs: wrong by less than a part in 2^50. */
#ifndef ABUT_BVH_SCALED_OF_LIMBS_H
#define ABUT_BVH_SCALED_OF_LIMBS_H

#include "bvh/cast/cast_formulas.h"

static inline struct scaled scaled_of_limbs(const uint32_t *limb, int n, int low)
{
    double top = 0;
    if (n == 0)
        return (struct scaled){0, 0, 0};
    for (int i = n > 3 ? n - 3 : 0; i < n; i++)
        top = top * 0x1p-32 + (double)limb[i];
    return (struct scaled){top * (1 - 0x1p-50), top * (1 + 0x1p-50), low + n - 1};
}

#define real_scaled(x) scaled_of_limbs((x).limb, (x).n, (x).low)

#endif
