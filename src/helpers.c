/* SPDX-License-Identifier: MIT */
/* Shapes from what users have instead: quaternions. */
#include <abut/abut.h>

#include <math.h>

/* The rotation of a quaternion of any length, rounded once; NaN of zero. */
static void axes_of(const float q[4], float axes[9])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3], s = 2 / (x * x + y * y + z * z + w * w);
    const double rotation[9] = {1 - s * (y * y + z * z), s * (x * y + w * z),     s * (x * z - w * y),
                                s * (x * y - w * z),     1 - s * (x * x + z * z), s * (y * z + w * x),
                                s * (x * z + w * y),     s * (y * z - w * x),     1 - s * (x * x + y * y)};
    for (unsigned k = 0; k < 9; k++)
        axes[k] = (float)rotation[k];
}

enum abut_status abut_obbs_axes_from_quaternions(size_t n, const float *const quaternions[4], float *const axes[9])
{
    if (quaternions == NULL || axes == NULL)
        return ABUT_ERROR_NULL;
    for (unsigned k = 0; k < 9; k++)
        if (n > 0 && (axes[k] == NULL || quaternions[k % 4] == NULL))
            return ABUT_ERROR_NULL;
    if (n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    for (size_t i = 0; i < n; i++) {
        float rotation[9];
        axes_of((const float[]){quaternions[0][i], quaternions[1][i], quaternions[2][i], quaternions[3][i]}, rotation);
        for (unsigned k = 0; k < 9; k++)
            axes[k][i] = rotation[k];
    }
    return ABUT_OK;
}
