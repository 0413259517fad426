/* SPDX-License-Identifier: MIT */
/* Oriented boxes from what users have instead: quaternions and matrices. */
#include <abut/shapes.h>

#include "util/dot.h"
#include "util/float32.h"
#include "util/float_mode.h"

#include <abut/abut.h>

#include <math.h>
#include <string.h>

/* The rotation of a quaternion of any length, rounded once; NaN of zero. */
static void axes_of(const float q[4], float axes[9])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3], s = 2 / (x * x + y * y + z * z + w * w);
    const double rotation[9] = {1 - s * (y * y + z * z), s * (x * y + w * z),     s * (x * z - w * y),
                                s * (x * y - w * z),     1 - s * (x * x + z * z), s * (y * z + w * x),
                                s * (x * z + w * y),     s * (y * z - w * x),     1 - s * (x * x + y * y)};
    /* Machines differ in the sign of the NaN that an operation makes. */
    for (unsigned k = 0; k < 9; k++)
        axes[k] = isnan(rotation[k]) ? NAN : (float)rotation[k];
}

enum abut_status abut_obbs_axes_from_quaternions(size_t n, float *const quaternions[4], float *const axes[9])
{
    IN_DEFAULT_FLOAT_MODE;
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

/*
 * Makes the lengths 1, rounded to float32, and sets lengths to those before. False if one is 0, or a right angle off by
 * more than 1e-3.
 */
static bool make_orthonormal(double axes[3][3], double lengths[3])
{
    for (unsigned j = 0; j < 3; j++) {
        lengths[j] = sqrt(dot(axes[j], axes[j]));
        if (!(lengths[j] > 0))
            return false;
        for (unsigned k = 0; k < 3; k++)
            axes[j][k] = float32_of(axes[j][k] / lengths[j]);
    }
    for (unsigned j = 0; j < 3; j++)
        if (!(fabs(dot(axes[j], axes[(j + 1) % 3])) <= 1e-3))
            return false;
    return true;
}

bool abut_obb_from_affine(const float *matrix, enum abut_vectors vectors, const float min[3], const float max[3],
                          float box[15])
{
    IN_DEFAULT_FLOAT_MODE;
    double axes[3][3], lengths[3], centre[3];
    float made[15];
    if (matrix == NULL || min == NULL || max == NULL || box == NULL)
        return false;
    for (unsigned k = 0; k < 4; k++) /* row k, or column k, of what moves points */
        for (unsigned j = 0; j < 4; j++) {
            const double member = vectors == ABUT_COLUMN_VECTORS ? matrix[4 * k + j] : matrix[4 * j + k];
            if (k == 3 ? member != (j == 3) : !isfinite(member))
                return false;
            if (k < 3)
                *(j < 3 ? &axes[j][k] : &centre[k]) = member;
        }
    for (unsigned j = 0; j < 3; j++) {
        if (!(min[j] <= max[j]))
            return false;
        for (unsigned k = 0; k < 3; k++)
            centre[k] += axes[j][k] * ((double)min[j] + (double)max[j]) / 2;
    }
    if (!make_orthonormal(axes, lengths))
        return false;
    for (unsigned j = 0; j < 3; j++) {
        made[j] = (float)centre[j];
        made[3 + j] = (float)(lengths[j] * ((double)max[j] - (double)min[j]) / 2);
        for (unsigned k = 0; k < 3; k++)
            made[6 + 3 * j + k] = (float)axes[j][k];
        if (!(isfinite(made[j]) && isfinite(made[3 + j])))
            return false;
    }
    memcpy(box, made, sizeof made);
    return true;
}
