/* SPDX-License-Identifier: MIT */
/*
 * Times a frame of worlds that move: a world of abut, an index that is refit and joined with itself, whose pairs are
 * sorted and compared with those of the frame before, and Bullet's btDbvtBroadphase where Bullet is found. All see the
 * same frames and must find the same pairs. One thread; medians of CPU time, by turns.
 */
#include "ways.h"

namespace
{

struct Scene {
    const char *name;
    size_t n, moving, given;
    float step;
    unsigned frames;
};

const Scene scenes[] = {
    {"1 of 100,000 moves", 100000, 1, 1, 0.1f, 300},
    {"10 of 100,000 move", 100000, 10, 10, 0.1f, 300},
    {"1,000 of 100,000 move", 100000, 1000, 1000, 0.1f, 100},
    {"20,000 of 100,000 move", 100000, 20000, 20000, 0.1f, 50},
    {"20,000 of 100,000 move far", 100000, 20000, 20000, 0.5f, 50},
    {"all of 100,000 move", 100000, 100000, 100000, 0.1f, 40},
    {"all of 100,000 move far", 100000, 100000, 100000, 0.5f, 40},
    {"16,000 asleep, all given", 16000, 0, 16000, 0, 200},
    {"64,000 asleep, all given", 64000, 0, 64000, 0, 100},
    {"64,000 asleep, 32 move", 64000, 32, 32, 0.1f, 200},
};

void run(const Scene &scene, unsigned part)
{
    Frame frame(scene.n);
    frame.scatter();
    std::vector<std::unique_ptr<Way>> ways;
    ways.push_back(std::make_unique<World>(frame));
    ways.push_back(std::make_unique<Refit>(frame));
#ifdef ABUT_BENCH_BULLET
    ways.push_back(Bullet::tree(frame));
#endif
    const unsigned frames = std::max(4U, scene.frames / part);
    for (unsigned f = 0; f < frames; f++) {
        frame.next(scene.moving, scene.step, scene.given);
        for (auto &way : ways)
            way->frame(frame);
        if (f % 8 == 3 || f + 1 == frames)
            for (auto &way : ways)
                need(way->pairs(frame) == ways[0]->pairs(frame), way->name);
    }
    std::printf("%-28s", scene.name);
    for (auto &way : ways) {
        std::sort(way->took.begin(), way->took.end());
        std::printf(" %16.3f", way->took[way->took.size() / 2]);
    }
    std::printf("\n");
}

} // namespace

int main(int argc, char **argv)
{
    unsigned part = 1;
    const char *only = "";
    for (int i = 1; i < argc; i++)
        if (std::strcmp(argv[i], "--quick") == 0)
            part = 20;
        else if (std::strncmp(argv[i], "--only=", 7) == 0)
            only = argv[i] + 7;
        else
            need(false, "usage: [--quick] [--only=WORDS]");
    std::printf("%-28s %16s %16s %16s\n", "ms a frame", "abut_world", "refit and join", "Bullet's btDbvt");
    for (const Scene &scene : scenes)
        if (std::strstr(scene.name, only))
            run(scene, part);
    return 0;
}
