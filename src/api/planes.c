/* SPDX-License-Identifier: MIT */
/* From points, boxes, matrices and cameras to planes and those of hulls; computed in float64 and rounded once. */
#include "api/sets.h"
#include "kernels/items.h"
#include "util/dot.h"
#include "util/float_mode.h"

#include <abut/shapes.h>
#include <math.h>

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Scaled to a unit normal; false if there is none, or no float for the distance. */
static bool store(const double *normal, double d, float *plane)
{
    double length = sqrt(dot(normal, normal));
    if (!(length > 0 && length < INFINITY))
        return false;
    for (unsigned k = 0; k < 3; k++)
        plane[k] = (float)(normal[k] / length + 0); /* -0 becomes 0 */
    plane[3] = (float)(d / length + 0);
    return isfinite(plane[3]);
}

static bool all_finite(const float *vector)
{
    return finite_vector(vector[0], vector[1], vector[2]);
}

bool abut_plane_normal(const float point[3], const float normal[3], float plane[4])
{
    IN_DEFAULT_FLOAT_MODE;
    double d = 0;
    bool any = false;
    if (point == NULL || normal == NULL || plane == NULL)
        return false;
    for (unsigned k = 0; k < 3; k++) {
        d -= (double)normal[k] * (double)point[k];
        any |= normal[k] != 0;
    }
    if (!any || !all_finite(point) || !all_finite(normal) || !isfinite((float)d))
        return false;
    for (unsigned k = 0; k < 3; k++)
        plane[k] = normal[k];
    plane[3] = (float)(d + 0);
    return true;
}

bool abut_plane_points(const float a[3], const float b[3], const float c[3], float plane[4])
{
    IN_DEFAULT_FLOAT_MODE;
    double ab[3], ac[3], normal[3];
    float unit[4];
    if (a == NULL || b == NULL || c == NULL)
        return false;
    for (unsigned k = 0; k < 3; k++) {
        ab[k] = (double)b[k] - (double)a[k];
        ac[k] = (double)c[k] - (double)a[k];
    }
    cross(ab, ac, normal);
    /* d is made for the normal as it was rounded, so that the plane misses a by one rounding only. */
    return all_finite(a) && all_finite(b) && all_finite(c) && store(normal, 0, unit) &&
           abut_plane_normal(a, unit, plane);
}

unsigned abut_hull_aabb(const float min[3], const float max[3], float planes[6][4])
{
    IN_DEFAULT_FLOAT_MODE;
    unsigned count = 0;
    if (min == NULL || max == NULL || planes == NULL)
        return 0;
    for (unsigned k = 0; k < 3; k++)
        if (interval_invalid(min[k], max[k]))
            return 0;
    for (unsigned k = 0; k < 3; k++)
        for (unsigned side = 0; side < 2; side++) {
            float bound = side ? max[k] : min[k];
            if (isinf(bound))
                continue;
            for (unsigned axis = 0; axis < 3; axis++)
                planes[count][axis] = axis != k ? 0.0f : side ? 1.0f : -1.0f;
            planes[count++][3] = side ? -bound : bound;
        }
    return count;
}

unsigned abut_hull_box(const float centre[3], const float edges[3][3], float planes[6][4])
{
    IN_DEFAULT_FLOAT_MODE;
    double e[3][3], c[3];
    if (centre == NULL || edges == NULL || planes == NULL)
        return 0;
    for (unsigned i = 0; i < 9; i++)
        e[i / 3][i % 3] = edges[i / 3][i % 3];
    for (unsigned k = 0; k < 3; k++)
        c[k] = centre[k];
    for (unsigned k = 0; k < 3; k++) {
        double normal[3], turned[3];
        cross(e[(k + 1) % 3], e[(k + 2) % 3], normal);
        double middle = dot(normal, c), half = fabs(dot(normal, e[k]));
        for (unsigned axis = 0; axis < 3; axis++)
            turned[axis] = -normal[axis];
        if (!store(normal, -middle - half, planes[2 * k]) || !store(turned, middle - half, planes[2 * k + 1]))
            return 0;
    }
    /*
     * Rounded normals of a flat box are within sqrt(3) 2^-25 of one line, and so their determinant within 2^-46 of 0.
     */
    double n[3][3], third[3];
    for (unsigned i = 0; i < 9; i++)
        n[i / 3][i % 3] = planes[i / 3 * 2][i % 3];
    cross(n[0], n[1], third);
    return fabs(dot(third, n[2])) < 0x1p-44 ? 0 : 6;
}

unsigned abut_frustum_from_matrix(const float *matrix, enum abut_vectors vectors, enum abut_depth depth,
                                  float planes[6][4])
{
    IN_DEFAULT_FLOAT_MODE;
    double clip[4][4]; /* x y z w, each as the plane of its sign */
    if (matrix == NULL || planes == NULL)
        return 0;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 4; k++) {
            clip[i][k] = vectors == ABUT_COLUMN_VECTORS ? matrix[4 * i + k] : matrix[4 * k + i];
            if (!isfinite(clip[i][k]))
                return 0;
        }
    const double w = sqrt(dot(clip[3], clip[3]));
    unsigned count = 0;
    for (unsigned i = 0; i < 6; i++) {
        /* Inside are w + x >= 0, w - x >= 0 and the like; with depths from 0 to 1, z >= 0 stands for w + z >= 0. */
        double with_w = i == 4 && depth == ABUT_DEPTH_0_1 ? 0 : 1, sign = i % 2 == 0 ? 1 : -1, outward[4];
        for (unsigned k = 0; k < 4; k++)
            outward[k] = -(with_w * clip[3][k] + sign * clip[i / 2][k]);
        /* Only the far plane may lie at infinity. Where two rows cancel, rounding errors may be left of it. */
        const double length = sqrt(dot(outward, outward));
        const bool at_infinity =
            i >= 4 && (length == 0 || length < with_w * 0x1p-22 * w || isinf((float)(outward[3] / length)));
        if (at_infinity ? outward[3] > 0x1p-20 * (fabs(clip[3][3]) + fabs(clip[2][3]))
                        : !store(outward, outward[3], planes[count++]))
            return 0;
    }
    return count;
}

unsigned abut_frustum_from_camera(const struct abut_camera *camera, float planes[6][4])
{
    IN_DEFAULT_FLOAT_MODE;
    double forward[3], up[3], right[3], eye[3];
    if (camera == NULL || planes == NULL)
        return 0;
    for (unsigned k = 0; k < 3; k++) {
        forward[k] = camera->direction[k];
        up[k] = camera->up[k];
        eye[k] = camera->eye[k];
    }
    cross(forward, up, right);
    double forwards = sqrt(dot(forward, forward)), rights = sqrt(dot(right, right));
    if (!(forwards > 0 && rights > 0 && camera->tangent > 0 && camera->aspect > 0 &&
          camera->near_distance < camera->far_distance))
        return 0;
    for (unsigned k = 0; k < 3; k++) {
        forward[k] /= forwards;
        right[k] /= rights;
    }
    cross(right, forward, up);
    const double tangent = camera->tangent, *sideways[2] = {right, up};
    unsigned count = 0;
    for (unsigned i = 0; i < 4; i++) {
        double reach = i < 2 ? tangent * camera->aspect : tangent, sign = i % 2 == 0 ? 1 : -1, normal[3];
        for (unsigned k = 0; k < 3; k++)
            normal[k] = sign * sideways[i / 2][k] - reach * forward[k];
        if (!store(normal, -dot(normal, eye), planes[count++]))
            return 0;
    }
    const double along = dot(forward, eye), backward[3] = {-forward[0], -forward[1], -forward[2]};
    if (!store(backward, along + camera->near_distance, planes[count++]))
        return 0;
    if (!isinf(camera->far_distance) && !store(forward, -along - camera->far_distance, planes[count++]))
        return 0;
    return count;
}

enum abut_status abut_planes_flip(size_t n, float *const columns[4])
{
    if (columns == NULL)
        return ABUT_ERROR_NULL;
    const enum abut_status status = abut_check_arrays(n, (const float *const *)columns, plane_fields);
    for (unsigned k = 0; status == ABUT_OK && k < 4; k++)
        for (size_t i = 0; i < n; i++)
            columns[k][i] = -columns[k][i];
    return status;
}
