/* SPDX-License-Identifier: MIT */
/*
 * Three worlds of boxes that move, after those of Broadmark (Brownian, free fall, gravity): n turned cubes of edge 1,
 * so boxes of edge 1 to 1.73, which fill a tenth of a cube; 30 frames a second; speeds relative to the world's side.
 * Nothing collides: a field of heights, and of densities, stand for contacts.
 */
#ifndef ABUT_BENCH_SCENES_H
#define ABUT_BENCH_SCENES_H

#include "ways.h"

/* Boxes with speeds, from 0 to side on each axis. */
struct Scene {
    Frame frame;
    float side;

    explicit Scene(size_t n);
    virtual ~Scene() = default;
    /* Moves to the next frame, whose moved boxes are those that are elsewhere. */
    void next();

  protected:
    std::vector<float> at[3], speed[3], half[3];
    Random random{20261128};

    virtual void move() = 0;
    void write();
    void bounce(size_t i, int axis, float restitution);
};

/* "brownian", "free fall" or "gravity". */
std::unique_ptr<Scene> make_scene(const char *name, size_t n);

#endif
