/* SPDX-License-Identifier: MIT */
/* Embree 3: point queries and the collision of two scenes, both over user geometry. */
#include "peers.h"

#include <embree3/rtcore.h>

#include <cstdio>
#include <cstdlib>

namespace
{

RTCDevice device()
{
    static const RTCDevice one_thread = rtcNewDevice("threads=1");
    if (one_thread == nullptr) {
        std::fprintf(stderr, "embree: no device\n");
        std::exit(1);
    }
    return one_thread;
}

void bounds_of(const RTCBoundsFunctionArguments *arguments)
{
    const Box &box = static_cast<const Box *>(arguments->geometryUserPtr)[arguments->primID];
    RTCBounds &out = *arguments->bounds_o;
    out.lower_x = box.min[0];
    out.lower_y = box.min[1];
    out.lower_z = box.min[2];
    out.upper_x = box.max[0];
    out.upper_y = box.max[1];
    out.upper_z = box.max[2];
}

/* MEDIUM is Embree's default quality. LOW (Morton order) builds several times faster and searches little slower. */
RTCScene build(const std::vector<Box> &boxes, RTCBuildQuality quality)
{
    const RTCScene scene = rtcNewScene(device());
    const RTCGeometry geometry = rtcNewGeometry(device(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(boxes.size()));
    rtcSetGeometryUserData(geometry, const_cast<Box *>(boxes.data()));
    rtcSetGeometryBoundsFunction(geometry, bounds_of, nullptr);
    rtcSetGeometryBuildQuality(geometry, quality);
    rtcSetSceneBuildQuality(scene, quality);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
}

struct Query {
    const Scene *scene;
    Pairs *pairs;
    uint32_t sphere;
};

bool take_box(RTCPointQueryFunctionArguments *arguments)
{
    const Query &query = *static_cast<const Query *>(arguments->userPtr);
    const Scene &scene = *query.scene;
    if (touches(scene.queries[query.sphere], scene.items[arguments->primID]))
        query.pairs->add(query.sphere, arguments->primID);
    return false;
}

template <RTCBuildQuality quality> Took join_by_points(const Scene &scene, Pairs &pairs)
{
    device();
    const double start = now();
    const RTCScene tree = build(scene.items, quality);
    const double built = now();
    RTCPointQueryContext context;
    rtcInitPointQueryContext(&context);
    Query query = {&scene, &pairs, 0};
    for (uint32_t i = 0; i < scene.queries.size(); i++) {
        const Sphere &sphere = scene.queries[i];
        /* A little larger, since the tree rounds. */
        RTCPointQuery point = {sphere.centre[0], sphere.centre[1], sphere.centre[2], 0, sphere.radius * 1.00001f};
        query.sphere = i;
        rtcPointQuery(tree, &point, &context, take_box, &query);
    }
    const double end = now();
    rtcReleaseScene(tree);
    return {built - start, end - built};
}

void take_collisions(void *context, RTCCollision *collisions, unsigned n)
{
    const Query &query = *static_cast<const Query *>(context);
    const Scene &scene = *query.scene;
    for (unsigned i = 0; i < n; i++)
        if (touches(scene.queries[collisions[i].primID0], scene.items[collisions[i].primID1]))
            query.pairs->add(collisions[i].primID0, collisions[i].primID1);
}

Took join_by_collision(const Scene &scene, Pairs &pairs)
{
    device();
    const double start = now();
    const RTCScene spheres = build(scene.query_bounds, RTC_BUILD_QUALITY_LOW);
    const RTCScene boxes = build(scene.items, RTC_BUILD_QUALITY_LOW);
    const double built = now();
    Query query = {&scene, &pairs, 0};
    rtcCollide(spheres, boxes, take_collisions, &query);
    const double end = now();
    rtcReleaseScene(spheres);
    rtcReleaseScene(boxes);
    return {built - start, end - built};
}

/* Embree reports each pair twice, and each box with itself: keeps i < j. */
void take_later(void *context, RTCCollision *collisions, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (collisions[i].primID0 < collisions[i].primID1)
            static_cast<Pairs *>(context)->add(collisions[i].primID0, collisions[i].primID1);
}

Took self_by_collision(const Scene &scene, Pairs &pairs)
{
    device();
    const double start = now();
    const RTCScene boxes = build(scene.items, RTC_BUILD_QUALITY_LOW);
    const double built = now();
    rtcCollide(boxes, boxes, take_later, &pairs);
    const double end = now();
    rtcReleaseScene(boxes);
    return {built - start, end - built};
}

} // namespace

std::vector<Implementation> embree_implementations()
{
    return {{"embree, points", join_by_points<RTC_BUILD_QUALITY_MEDIUM>, nullptr, true},
            {"embree, points, low", join_by_points<RTC_BUILD_QUALITY_LOW>, nullptr, true},
            {"embree, collide, low", join_by_collision, self_by_collision, true}};
}
