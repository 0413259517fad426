/* SPDX-License-Identifier: MIT */
/* Two published rules for a sphere and a convex volume; the library has neither. */
#include "rules.h"

#include <abut/abut.h>

#include <math.h>

bool published_rule(const float (*planes)[4], const int *opposite, unsigned count, const float *sphere, bool any_face)
{
    double height[ABUT_MAX_PLANES], radius = (double)sphere[3];
    bool inside = true;
    for (unsigned i = 0; i < count; i++) {
        double n[4];
        for (unsigned k = 0; k < 4; k++)
            n[k] = (double)planes[i][k];
        height[i] = (n[0] * (double)sphere[0] + n[1] * (double)sphere[1] + n[2] * (double)sphere[2] + n[3]) /
                    sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        inside = inside && height[i] <= -radius;
    }
    for (unsigned i = 0; i < count; i++) {
        bool crossed = fabs(height[i]) <= radius;
        for (unsigned j = 0; j < count && !any_face; j++)
            crossed = crossed && ((int)j == opposite[i] || j == i || height[j] <= radius);
        if (crossed)
            return true;
    }
    return inside;
}
