/* SPDX-License-Identifier: MIT */
/*
 * CGAL: box_intersection_d, streamed segment trees. It gets boxes rather than pointers, since they are small. Its
 * manual advises to try cutoffs: of 10 (the default) to 16000, 4000 was among the fastest, up to five times as fast
 * as 10.
 */
#include "peers.h"

#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>

namespace
{

using Bounds = CGAL::Box_intersection_d::Box_with_info_d<float, 3, uint32_t, CGAL::Box_intersection_d::ID_EXPLICIT>;

constexpr std::ptrdiff_t cutoff = 4000;

/* Every join needs new ones, since CGAL reorders them. */
std::vector<Bounds> build(const std::vector<Box> &boxes)
{
    std::vector<Bounds> bounds;
    bounds.reserve(boxes.size());
    for (const Box &box : boxes) {
        float min[] = {box.min[0], box.min[1], box.min[2]}, max[] = {box.max[0], box.max[1], box.max[2]};
        bounds.emplace_back(min, max, static_cast<uint32_t>(bounds.size()));
    }
    return bounds;
}

Took join(const Scene &scene, Pairs &pairs)
{
    const double start = now();
    std::vector<Bounds> spheres = build(scene.query_bounds), boxes = build(scene.items);
    const double built = now();
    const auto take = [&](const Bounds &sphere, const Bounds &box) {
        if (touches(scene.queries[sphere.info()], scene.items[box.info()]))
            pairs.add(sphere.info(), box.info());
    };
    CGAL::box_intersection_d(spheres.begin(), spheres.end(), boxes.begin(), boxes.end(), take, cutoff);
    return {built - start, now() - built};
}

Took self(const Scene &scene, Pairs &pairs)
{
    const double start = now();
    std::vector<Bounds> boxes = build(scene.items);
    const double built = now();
    const auto take = [&](const Bounds &a, const Bounds &b) { pairs.add(a.info(), b.info()); };
    CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), take, cutoff);
    return {built - start, now() - built};
}

} // namespace

std::vector<Implementation> cgal_implementations()
{
    return {{"cgal, boxes", join, self, true}};
}
