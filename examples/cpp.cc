// SPDX-License-Identifier: MIT
// abut from C++17: which balls touch which boxes, which balls a camera sees, and which pairs begin as a ball moves.
#include <abut/abut.hpp>

#include <cstdio>
#include <vector>

int main()
{
    try {
        std::vector<float> x{1, 9, -3}, y{0, 9, 0}, z{1, 9, 6}, r{2, 1, 0.5f};
        const abut::spheres balls(x, y, z, r);
        const std::vector<float> minx{-2, 2}, miny{-2, 1}, minz{-2, 2}, maxx{-1, 4}, maxy{-1, 3}, maxz{-1, 4};
        const abut::index boxes = abut::index::of(abut::aabbs(minx, miny, minz, maxx, maxy, maxz));
        for (const abut_pair &pair : boxes.join(balls))
            std::printf("ball %u touches box %u\n", pair.a, pair.b);

        const abut_camera camera = {{0, 0, -5}, {0, 0, 1}, {0, 1, 0}, 0.5f, 1, 0.1f, 100};
        abut::hulls view;
        view.add(abut::frustum_from_camera(camera));
        for (const uint32_t ball : abut::touches(balls, view).list())
            std::printf("the camera sees ball %u\n", ball);

        abut::world world = abut::world::make(0.1f);
        const std::vector<uint32_t> ids = world.add(balls);
        world.update();
        x[1] = y[1] = z[1] = 2;
        world.move(ids, balls);
        for (const abut_pair &pair : world.update().began)
            std::printf("balls %u and %u touch now\n", pair.a, pair.b);

        r[2] = -1;
        abut::check(balls);
    } catch (const abut::error &e) {
        std::printf("%s\n", e.what());
    }
}
