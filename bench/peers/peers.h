/* SPDX-License-Identifier: MIT */
/* Joins by other libraries beside abut's: one thread each, in the way that their manuals recommend for speed. */
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
 * The input in the forms that the implementations want, made before any clock starts. The other libraries do not sort
 * their queries, and all are faster with sorted ones, so they get both sets along a Morton curve. The sorting is not
 * timed. abut gets the sets as drawn.
 */
struct Scene {
    abut_spheres spheres, sorted_spheres;
    abut_aabbs boxes, sorted_boxes;
    std::vector<uint32_t> sphere_order, box_order; /* the number as drawn of each sorted sphere and box */
    std::vector<Sphere> queries;
    std::vector<Box> query_bounds, /* of the spheres, rounded outwards, so that box tests miss no pair */
        items;
};

/* The output array; in a cold run its memory is fresh. */
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

/* Builds and searches. It may keep memory for the next call. */
using Run = Took (*)(const Scene &scene, Pairs &pairs);

struct Implementation {
    const char *name;
    Run join, self; /* spheres with boxes; pairs i < j of boxes; either may be null */
    bool sorted;    /* its pairs are numbers in the sorted sets */
};

/* In the order of the tables. */
std::vector<Implementation> bullet_implementations();
std::vector<Implementation> boost_implementations();
std::vector<Implementation> cgal_implementations();
std::vector<Implementation> embree_implementations();

double now();

/*
 * The sphere test of libraries that only find overlapping boxes. Double is accurate enough for these workloads: far
 * fewer than one wrong pair is expected in all runs.
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
