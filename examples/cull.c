/* SPDX-License-Identifier: MIT */
/*
 * Culling for one frame: 100,000 objects, by their bounding spheres, against the frustum of a camera, the boxes of two
 * shadow cascades and the pyramid of a lamp, all volumes in one pass. The output is the same on every machine.
 */
#include <abut/abut.h>
#include <abut/shapes.h>

#include <stdio.h>
#include <stdlib.h>

enum { OBJECTS = 100000, VOLUMES = 4, MOST_PLANES = 6 * VOLUMES, WORDS = (OBJECTS + 63) / 64 };

/* Hull i has the planes offsets[i] to offsets[i + 1] - 1 of these arrays: nx ny nz d. */
static float plane[4][MOST_PLANES];
static uint32_t offsets[VOLUMES + 1];
static struct abut_hulls volumes = {0, offsets, plane[0], plane[1], plane[2], plane[3]};

static void need(enum abut_status status)
{
    if (status != ABUT_OK) {
        fprintf(stderr, "cull: %s\n", abut_status_text(status));
        exit(1);
    }
}

/* Appends the planes of one volume. */
static void add_volume(unsigned count, float planes[6][4])
{
    const uint32_t first = offsets[volumes.n];
    need(count > 0 ? ABUT_OK : ABUT_ERROR_ARGUMENT);
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            plane[k][first + i] = planes[i][k];
    offsets[++volumes.n] = first + count;
}

/* A camera at (500, 30, 1000) that looks along -z: 60 degrees high, 16 by 9, from 1 to 600; depths from -1 to 1. */
static void add_camera(void)
{
    static const float matrix[4][4] = {{0.974278579f, 0, 0, -487.139290f},
                                       {0, 1.73205081f, 0, -51.9615242f},
                                       {0, 0, -1.00333890f, 1001.33556f},
                                       {0, 0, -1, 1000}};
    float planes[6][4];
    add_volume(abut_frustum_from_matrix(&matrix[0][0], ABUT_COLUMN_VECTORS, ABUT_DEPTH_MINUS_1_1, planes), planes);
}

/* A box with edges along the light, around the camera's view at this distance. */
static void add_cascade(float distance, float size)
{
    const float centre[3] = {500, 0, 1000 - distance};
    const float edges[3][3] = {{size, 0, 0}, {0, 0.6f * size, 0.8f * size}, {0, 160, -120}};
    float planes[6][4];
    add_volume(abut_hull_box(centre, edges, planes), planes);
}

/* A lamp at (480, 20, 950) that shines ahead and down, as far as 20. */
static void add_lamp(void)
{
    const struct abut_camera lamp = {.eye = {480, 20, 950},
                                     .direction = {0, -1, -1},
                                     .up = {0, 1, 0},
                                     .tangent = 0.5f,
                                     .aspect = 1,
                                     .far_distance = 20};
    float planes[6][4];
    add_volume(abut_frustum_from_camera(&lamp, planes), planes);
}

/* Multiples of one fraction fill the range from low to high evenly (Weyl 1916). */
static float spread(uint32_t i, uint32_t fraction, float low, float high)
{
    return low + (high - low) * ((float)(i * fraction >> 8) * 0x1p-24f);
}

static void make_objects(float *const column[4])
{
    for (uint32_t i = 0; i < OBJECTS; i++) {
        column[0][i] = spread(i, 3679390609u, 0, 1000);
        column[1][i] = spread(i, 3152041523u, 0, 50);
        column[2][i] = spread(i, 2700274805u, 0, 1000);
        column[3][i] = spread(i, 2313257605u, 0.5f, 15);
    }
}

int main(void)
{
    static const char *const names[VOLUMES] = {"camera", "near cascade", "far cascade", "lamp"};
    static uint64_t touch[VOLUMES][WORDS], inside[VOLUMES][WORDS], planes[VOLUMES][WORDS];
    static uint32_t visible[OBJECTS];
    float *column[4];
    need(abut_columns_new(OBJECTS, 4, column, NULL));
    make_objects(column);
    const struct abut_spheres objects = {OBJECTS, column[0], column[1], column[2], column[3]};
    add_camera();
    add_cascade(25, 30);
    add_cascade(350, 280);
    add_lamp();

    need(abut_spheres_touch_hulls_all(&objects, &volumes, NULL, touch[0]));
    /* Objects wholly inside need no clipping, and their parts need no tests. */
    need(abut_spheres_inside_hulls_all(&objects, &volumes, NULL, inside[0]));
    need(abut_spheres_cull_hulls_all(&objects, &volumes, NULL, planes[0]));

    printf("%-15s %8s %8s  %s\n", "volume", "touch", "inside", "false hits of the planes alone");
    for (unsigned i = 0; i < VOLUMES; i++) {
        const uint64_t hits = abut_mask_count(touch[i], OBJECTS);
        printf("%-15s %8llu %8llu  %llu\n", names[i], (unsigned long long)hits,
               (unsigned long long)abut_mask_count(inside[i], OBJECTS),
               (unsigned long long)(abut_mask_count(planes[i], OBJECTS) - hits));
    }
    const size_t n = abut_mask_list(touch[0], OBJECTS, visible, OBJECTS);
    printf("to be drawn:");
    for (size_t i = 0; i < n && i < 5; i++)
        printf(" %u", visible[i]);
    printf(" ...\n");
    abut_columns_free(column, NULL);
    return 0;
}
