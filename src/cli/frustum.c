/* SPDX-License-Identifier: MIT */
/* frustum: the planes of a camera as a file of one hull. */
#include "number.h"
#include "output.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>

enum exit_code command_frustum(const struct options *options)
{
    const struct view *view = &options->view;
    const double half_turn = 3.14159265358979323846;
    struct abut_camera camera = {.tangent = (float)tan((double)view->fov * half_turn / 360),
                                 .aspect = view->aspect,
                                 .near_distance = view->near_distance,
                                 .far_distance = view->far_distance};
    for (unsigned k = 0; k < 3; k++) {
        camera.eye[k] = view->eye[k];
        camera.direction[k] = view->target[k] - view->eye[k];
        camera.up[k] = view->up[k];
    }
    if (!(view->fov > 0 && view->fov < 180 && view->aspect > 0 && view->near_distance < view->far_distance)) {
        complain("frustum needs a field of view between 0 and 180 degrees, an aspect above 0, and far beyond near");
        return EXIT_USAGE;
    }
    float planes[6][4];
    unsigned count = abut_hull_camera(&camera, planes);
    if (count == 0) {
        complain("frustum needs a target apart from the eye, and not straight up from it");
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
