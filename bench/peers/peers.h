/* SPDX-License-Identifier: MIT */
/* What runs beside abut: joins of other libraries, one thread each, in the way their manuals recommend for speed. */
#ifndef ABUT_BENCH_PEERS_H
#define ABUT_BENCH_PEERS_H

#include <abut/abut.h>
#include <abut/index.h>

#include <cstdint>
#include <vector>

struct Sphere {
    float centre[3], radius;
};

struct Box {
    float min[3], max[3];
};

/*
 * The input in the forms that implementations like, made before any clock starts. Peers do not sort their queries, without
 * which all of them are slower: both sets are here along a Morton curve, and that is not timed. abut gets them as they
 * were drawn.
 */
struct Scene {
    abut_spheres spheres, sorted_spheres;
    abut_aabbs boxes, sorted_boxes;
    std::vector<uint32_t> sphere_order, box_order; /* where in the batches the items of these come from: */
    std::vector<Sphere> queries;
    std::vector<Box> query_bounds,
        items; /* bounds: rounded outwards, so that what looks at boxes alone misses nothing */
};

/* Room for all pairs, which is fresh memory in a cold run. */
struct Pairs {
    abut_pair *at;
    uint64_t count, capacity;

    void add(uint32_t a, uint32_t b)
    {
        if (count < capacity)
            at[count] = {a, b};
        count++;
    }
};

/* Milliseconds. */
struct Took {
    double build, query;
};

/* Builds and searches; what it keeps for the next call is its own affair. */
using Run = Took (*)(const Scene &scene, Pairs &pairs);

struct Implementation {
    const char *name;
    Run join, self; /* spheres with boxes; boxes i < j; or null */
    bool sorted;    /* pairs are of the sorted sets */
};

/* In the order of the tables. */
std::vector<Implementation> bullet_implementations();
std::vector<Implementation> boost_implementations();
std::vector<Implementation> cgal_implementations();
std::vector<Implementation> embree_implementations();

double now();

/*
 * Whether they touch, in double: float differences of these workloads are exact there, but for far fewer than one pair
 * in all runs. Libraries that find boxes alone ask this of their candidates.
 */
inline bool touches(const Sphere &sphere, const Box &box)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const double c = sphere.centre[k], min = box.min[k], max = box.max[k];
        const double gap = c < min ? min - c : c > max ? c - max : 0;
        square += gap * gap;
    }
    return square <= double(sphere.radius) * sphere.radius;
}

#endif
