/* SPDX-License-Identifier: MIT */
/*
 * Rays of a world's length among 21,000 boxes: the first hit, any hit, all hits, a moving sphere (also among the same
 * boxes as hulls), the box of a ray, and Bullet's tree where that is installed. By turns in one process; medians of
 * microseconds a ray, one thread.
 */
#include <abut/cast.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <vector>

#ifdef ABUT_BENCH_BULLET
#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#endif

namespace
{

constexpr size_t boxes_n = 21000, rays_n = 1000;
constexpr int turns = 11;

void need(bool ok, const char *what)
{
    if (ok)
        return;
    std::fprintf(stderr, "abut_bench_casts: %s\n", what);
    std::exit(1);
}

double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * double(t.tv_sec) + 1e-3 * double(t.tv_nsec);
}

/* A world of edge 100, boxes with edges up to size, and rays from one of its sides to the opposite one. */
struct Scene {
    std::vector<float> box[6], ray[6], bounds[6], radii;

    explicit Scene(float size)
    {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> place(0, 100), edge(size / 4, size);
        for (size_t i = 0; i < boxes_n; i++)
            for (int k = 0; k < 3; k++) {
                box[k].push_back(place(random));
                box[k + 3].push_back(box[k][i] + edge(random));
            }
        for (size_t i = 0; i < rays_n; i++)
            for (int k = 0; k < 3; k++) {
                const bool along = int(i % 3) == k;
                const float a = along ? -1 : place(random), b = along ? 104 : place(random);
                ray[k].push_back(a);
                ray[k + 3].push_back(b - a);
                bounds[k].push_back(std::min(a, b));
                bounds[k + 3].push_back(std::max(a, b));
            }
        radii.assign(rays_n, 0.5f);
    }
    abut_rays rays(bool thick) const
    {
        return {rays_n,        ray[0].data(), ray[1].data(), ray[2].data(),
                ray[3].data(), ray[4].data(), ray[5].data(), thick ? radii.data() : nullptr,
                nullptr};
    }
};

/* The boxes as hulls of six planes. */
struct Planes {
    std::vector<uint32_t> offsets = {0};
    std::vector<float> at[4];

    explicit Planes(const std::vector<float> box[6])
    {
        for (size_t i = 0; i < boxes_n; i++) {
            for (int k = 0; k < 6; k++) {
                for (int axis = 0; axis < 3; axis++)
                    at[axis].push_back(axis != k % 3 ? 0.0f : k < 3 ? -1.0f : 1.0f);
                at[3].push_back(k < 3 ? box[k][i] : -box[k][i]);
            }
            offsets.push_back(uint32_t(at[3].size()));
        }
    }
    abut_hulls hulls() const
    {
        return {boxes_n, offsets.data(), at[0].data(), at[1].data(), at[2].data(), at[3].data()};
    }
};

abut_aabbs view(const std::vector<float> *at)
{
    return {at[0].size(), at[0].data(), at[1].data(), at[2].data(), at[3].data(), at[4].data(), at[5].data()};
}

#ifdef ABUT_BENCH_BULLET
struct CountLeaves : btDbvt::ICollide {
    uint64_t count = 0;
    void Process(const btDbvtNode *) override
    {
        count++;
    }
};

btVector3 vector(const std::vector<float> *at, size_t i)
{
    return btVector3(at[0][i], at[1][i], at[2][i]);
}

uint64_t bullet(const btDbvt &tree, const Scene &scene)
{
    CountLeaves count;
    btAlignedObjectArray<const btDbvtNode *> stack;
    const btVector3 zero(0, 0, 0);
    for (size_t i = 0; i < rays_n; i++) {
        const btVector3 from = vector(scene.ray, i), motion = vector(scene.ray + 3, i), to = from + motion;
        const btVector3 direction = motion.normalized();
        btVector3 inverse;
        unsigned signs[3];
        for (int k = 0; k < 3; k++) {
            inverse[k] = direction[k] == 0 ? BT_LARGE_FLOAT : 1 / direction[k];
            signs[k] = inverse[k] < 0;
        }
        tree.rayTestInternal(tree.m_root, from, to, inverse, signs, direction.dot(motion), zero, zero, stack, count);
    }
    return count.count;
}
#endif

struct Way {
    const char *name;
    std::function<uint64_t()> run;
    std::vector<double> times;
    uint64_t found;
};

void measure(float size)
{
    const Scene scene(size);
    const abut_aabbs boxes = view(scene.box), bounds = view(scene.bounds);
    abut_index *index;
    need(abut_index_new(abut_of_aabbs(&boxes), nullptr, nullptr, &index) == ABUT_OK, "no index");
    abut_options options = {};
    need(abut_workspace_new(nullptr, &options.workspace) == ABUT_OK, "no workspace");
    const abut_rays rays = scene.rays(false), spheres = scene.rays(true);
    std::vector<uint32_t> items(rays_n * 500);
    std::vector<uint64_t> offsets(rays_n + 1), mask(abut_mask_words(rays_n));
    std::vector<float> t(rays_n * 500);
    const auto first = [&](const abut_rays &which) {
        need(abut_cast_first(index, &which, &options, items.data(), t.data()) == ABUT_OK, "no cast");
        return rays_n - uint64_t(std::count(items.begin(), items.begin() + rays_n, UINT32_MAX));
    };
    const Planes planes(scene.box);
    const abut_hulls hulls = planes.hulls();
    const auto among_hulls = [&] {
        need(abut_cast_hulls_first(index, &hulls, &spheres, &options, items.data(), t.data()) == ABUT_OK, "no cast");
        return rays_n - uint64_t(std::count(items.begin(), items.begin() + rays_n, UINT32_MAX));
    };
    first(spheres);
    const std::vector<uint32_t> right(items.begin(), items.begin() + rays_n);
    among_hulls();
    need(std::equal(right.begin(), right.end(), items.begin()), "boxes as hulls are hit in another order");
    std::vector<Way> ways;
    ways.push_back({"first hit", [&] { return first(rays); }, {}, 0});
    ways.push_back({"first hit, one ray a call",
                    [&] {
                        uint64_t hits = 0;
                        for (size_t i = 0; i < rays_n; i++) {
                            const abut_rays one = {1,           rays.x + i,  rays.y + i, rays.z + i, rays.dx + i,
                                                   rays.dy + i, rays.dz + i, nullptr,    nullptr};
                            need(abut_cast_first(index, &one, &options, items.data(), t.data()) == ABUT_OK, "no cast");
                            hits += items[0] != UINT32_MAX;
                        }
                        return hits;
                    },
                    {},
                    0});
    ways.push_back({"any hit",
                    [&] {
                        need(abut_cast_any(index, &rays, &options, mask.data()) == ABUT_OK, "no cast");
                        return abut_mask_count(mask.data(), rays_n);
                    },
                    {},
                    0});
    ways.push_back({"all hits, counted",
                    [&] {
                        need(abut_cast_all(index, &rays, &options, offsets.data(), nullptr, nullptr, 0) == ABUT_OK,
                             "no cast");
                        return offsets[rays_n];
                    },
                    {},
                    0});
    ways.push_back({"all hits in order, with times",
                    [&] {
                        need(abut_cast_all(index, &rays, &options, offsets.data(), items.data(), t.data(),
                                           items.size()) == ABUT_OK,
                             "no cast");
                        return offsets[rays_n];
                    },
                    {},
                    0});
    ways.push_back({"first hit of a moving sphere", [&] { return first(spheres); }, {}, 0});
    ways.push_back({"the same among the boxes as hulls", among_hulls, {}, 0});
    ways.push_back({"boxes that the box of a ray meets, counted",
                    [&] {
                        uint64_t count;
                        need(abut_join(index, abut_of_aabbs(&bounds), &options, nullptr, 0, &count) == ABUT_OK,
                             "no join");
                        return count;
                    },
                    {},
                    0});
#ifdef ABUT_BENCH_BULLET
    btDbvt tree;
    for (size_t i = 0; i < boxes_n; i++)
        tree.insert(btDbvtVolume::FromMM(vector(scene.box, i), vector(scene.box + 3, i)), nullptr);
    ways.push_back({"Bullet's btDbvt, all hits, counted", [&] { return bullet(tree, scene); }, {}, 0});
#endif
    for (int turn = 0; turn < turns; turn++)
        for (Way &way : ways) {
            const double start = now();
            way.found = way.run();
            way.times.push_back((now() - start) / double(rays_n));
        }
    std::printf("21,000 boxes with edges up to %g in a world of edge 100\n", double(size));
    for (Way &way : ways) {
        std::nth_element(way.times.begin(), way.times.begin() + turns / 2, way.times.end());
        std::printf("%-45s %8.2f us a ray, %8.3f found\n", way.name, way.times[turns / 2],
                    double(way.found) / double(rays_n));
    }
    abut_workspace_free(options.workspace);
    abut_index_free(index);
}

} // namespace

int main()
{
    for (const float size : {1.0f, 4.0f})
        measure(size);
    return 0;
}
