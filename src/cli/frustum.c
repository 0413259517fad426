/* SPDX-License-Identifier: MIT */
/* frustum: the planes of a camera as a file of one hull. */
#include "output.h"
#include <abut/shapes.h>

#include "cli.h"
#include "matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* About 1 long, since the difference of two float32 may be too large for float32. */
static void find_direction(const struct looking *looking, float direction[3])
{
    double difference[3], greatest = 0;
    int exponent;
    for (unsigned k = 0; k < 3; k++) {
        difference[k] = (double)looking->target[k] - (double)looking->eye[k];
        greatest = fmax(greatest, fabs(difference[k]));
    }
    frexp(greatest, &exponent);
    for (unsigned k = 0; k < 3; k++)
        direction[k] = (float)ldexp(difference[k], -exponent);
}

static struct abut_camera camera_of(const struct looking *looking)
{
    const double half_turn = 3.14159265358979323846;
    struct abut_camera camera = {.tangent = (float)tan((double)looking->fov * half_turn / 360),
                                 .aspect = looking->aspect,
                                 .near_distance = looking->near_distance,
                                 .far_distance = looking->far_distance};
    memcpy(camera.eye, looking->eye, sizeof camera.eye);
    memcpy(camera.up, looking->up, sizeof camera.up);
    find_direction(looking, camera.direction);
    return camera;
}

/* What a camera without planes lacks. The target is fine if the plainest camera that looks there has planes. */
static const char *lack(const struct abut_camera *camera)
{
    struct abut_camera plain = {.tangent = 1, .aspect = 1, .far_distance = 1};
    float planes[6][4];
    memcpy(plain.direction, camera->direction, sizeof plain.direction);
    memcpy(plain.up, camera->up, sizeof plain.up);
    if (camera->up[0] == 0 && camera->up[1] == 0 && camera->up[2] == 0)
        return "an up other than 0,0,0";
    if (abut_frustum_from_camera(&plain, planes) == 0)
        return "a target apart from the eye, and not straight up from it";
    return "planes that float32 can hold: a number is too large or too small";
}

/* The planes of a camera with perspective; 0 if there are none, which has been reported. */
static unsigned planes_of_camera(const struct looking *looking, float planes[6][4])
{
    if (!(looking->fov > 0 && looking->fov < 180 && looking->aspect > 0 && looking->near_distance > 0 &&
          looking->near_distance < looking->far_distance)) {
        complain("frustum needs a field of view between 0 and 180 degrees, aspect and near above 0, far beyond near");
        return 0;
    }
    const struct abut_camera camera = camera_of(looking);
    const unsigned count = abut_frustum_from_camera(&camera, planes);
    if (count == 0)
        complain("frustum needs %s", lack(&camera));
    return count;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (unsigned k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Gives a vector that length; false if it has none. */
static bool scale_to(double vector[3], double length)
{
    const double now = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    for (unsigned k = 0; k < 3; k++)
        vector[k] *= length / now;
    return now > 0;
}

/* A box in front of the eye, from the near plane to the far one. */
static unsigned planes_of_view(const struct looking *looking, float height, float planes[6][4])
{
    const double half = (double)height / 2, near = (double)looking->near_distance, far = (double)looking->far_distance;
    double edges[3][3], up[3];
    float direction[3], rounded[3][3], centre[3];
    if (!(looking->aspect > 0 && near < far && far < INFINITY)) {
        complain("frustum needs an aspect above 0, and far beyond near and finite for --orthographic");
        return 0;
    }
    find_direction(looking, direction);
    for (unsigned k = 0; k < 3; k++) {
        edges[0][k] = (double)direction[k];
        up[k] = (double)looking->up[k];
    }
    bool good = scale_to(edges[0], 1) && scale_to(up, 1);
    cross(edges[0], up, edges[1]);
    good = good && scale_to(edges[1], half * (double)looking->aspect);
    cross(edges[1], edges[0], edges[2]);
    good = good && scale_to(edges[2], half);
    for (unsigned k = 0; k < 3 && good; k++) {
        centre[k] = (float)((double)looking->eye[k] + edges[0][k] * (near + far) / 2);
        edges[0][k] *= (far - near) / 2;
        for (unsigned e = 0; e < 3; e++)
            rounded[e][k] = (float)edges[e][k];
    }
    const unsigned count = good ? abut_hull_box(centre, (const float(*)[3])rounded, planes) : 0;
    if (count == 0)
        complain(
            "frustum needs a target apart from the eye, an up that is not along the view, and a box that is not flat");
    return count;
}

/* Reversed depths go from 0 to 1, too. */
static unsigned planes_of_matrix(const struct options *options, float planes[6][4])
{
    float matrix[MATRIX_NUMBERS];
    if (!matrix_read(options->matrix, matrix))
        return 0;
    const unsigned count =
        abut_frustum_from_matrix(matrix, options->order == ORDER_COLUMN ? ABUT_ROW_VECTORS : ABUT_COLUMN_VECTORS,
                                 options->depth == DEPTH_MINUS_1_1 ? ABUT_DEPTH_MINUS_1_1 : ABUT_DEPTH_0_1, planes);
    if (count == 0)
        complain("%s: the matrix has a plane at infinity or beyond float32: is it --order %s?", options->matrix,
                 options->order == ORDER_COLUMN ? "row" : "column");
    return count;
}

enum exit_code command_frustum(const struct options *options)
{
    const struct looking *looking = &options->looking;
    float planes[6][4];
    const unsigned count = options->matrix       ? planes_of_matrix(options, planes)
                           : options->height > 0 ? planes_of_view(looking, options->height, planes)
                                                 : planes_of_camera(looking, planes);
    if (count == 0)
        return options->matrix ? EXIT_FAILED : EXIT_USAGE;
    struct output output;
    if (!output_open(&output, options->output))
        return EXIT_FAILED;
    output_text(&output, "nx,ny,nz,d,volume\n");
    for (unsigned i = 0; i < count; i++)
        output_text(&output, "%.9g,%.9g,%.9g,%.9g,0\n", (double)planes[i][0], (double)planes[i][1],
                    (double)planes[i][2], (double)planes[i][3]);
    return output_close(&output) ? EXIT_DONE : EXIT_FAILED;
}
