/* SPDX-License-Identifier: MIT */
/* frustum: the planes of a camera as a file of one hull. */
#include "output.h"
#include <abut/shapes.h>

#include "cli.h"

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

enum exit_code command_frustum(const struct options *options)
{
    const struct looking *looking = &options->looking;
    const struct abut_camera camera = camera_of(looking);
    float planes[6][4];
    if (!(looking->fov > 0 && looking->fov < 180 && looking->aspect > 0 && looking->near_distance > 0 &&
          looking->near_distance < looking->far_distance)) {
        complain("frustum needs a field of view between 0 and 180 degrees, aspect and near above 0, far beyond near");
        return EXIT_USAGE;
    }
    const unsigned count = abut_frustum_from_camera(&camera, planes);
    if (count == 0) {
        complain("frustum needs %s", lack(&camera));
        return EXIT_USAGE;
    }
    struct output output;
    if (!output_open(&output, options->output))
        return EXIT_FAILED;
    output_text(&output, "nx,ny,nz,d,volume\n");
    for (unsigned i = 0; i < count; i++)
        output_text(&output, "%.9g,%.9g,%.9g,%.9g,0\n", (double)planes[i][0], (double)planes[i][1],
                    (double)planes[i][2], (double)planes[i][3]);
    return output_close(&output) ? EXIT_DONE : EXIT_FAILED;
}
