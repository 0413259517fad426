/* SPDX-License-Identifier: MIT */
/*
 * Times the self pairs of each frame of three worlds (scenes.h): abut's index and world beside Bullet's tree and axis
 * sweep, CGAL's box intersection, and a plain sort and sweep. All see the same frames and must find the same pairs
 * before a time is printed. One thread; medians of CPU time, by turns.
 */
#include "scenes.h"

#include <fstream>
#include <numeric>
#include <string>

#ifdef ABUT_BENCH_CGAL
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>
#endif

namespace
{

/* A way that finds all pairs anew, or keeps what it can by itself. */
struct Anew : Way {
    std::vector<Key> found;

    using Way::Way;
    virtual void find(const Frame &frame) = 0;
    void frame(const Frame &frame) override
    {
        const double start = cpu_time();
        found.clear();
        find(frame);
        took.push_back(cpu_time() - start);
    }
    std::vector<Key> pairs(const Frame &) const override
    {
        std::vector<Key> keys = found;
        std::sort(keys.begin(), keys.end());
        return keys;
    }
};

/* Sorts by the lower bounds along x, from the order of the frame before, and compares each box with those it overlaps.
 */
struct Sweep : Anew {
    std::vector<uint32_t> order;

    explicit Sweep(const Frame &frame) : Anew("sort and sweep"), order(frame.n)
    {
        std::iota(order.begin(), order.end(), 0U);
    }
    void find(const Frame &frame) override
    {
        const std::vector<float> *const at = frame.bounds;
        std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return at[0][a] < at[0][b]; });
        for (size_t i = 0; i < order.size(); i++) {
            const uint32_t a = order[i];
            for (size_t j = i + 1; j < order.size() && at[0][order[j]] <= at[3][a]; j++) {
                const uint32_t b = order[j];
                if (at[1][a] <= at[4][b] && at[1][b] <= at[4][a] && at[2][a] <= at[5][b] && at[2][b] <= at[5][a])
                    found.push_back(key_of(a, b));
            }
        }
    }
};

#ifdef ABUT_BENCH_CGAL
/* With the cutoff of peers/cgal.cc. */
struct Cgal : Anew {
    using Bounds = CGAL::Box_intersection_d::Box_with_info_d<float, 3, uint32_t, CGAL::Box_intersection_d::ID_EXPLICIT>;

    Cgal() : Anew("CGAL box intersection")
    {
    }
    void find(const Frame &frame) override
    {
        std::vector<Bounds> boxes;
        boxes.reserve(frame.n);
        for (uint32_t i = 0; i < frame.n; i++) {
            float min[3], max[3];
            for (int k = 0; k < 3; k++) {
                min[k] = frame.bounds[k][i];
                max[k] = frame.bounds[k + 3][i];
            }
            boxes.emplace_back(min, max, i);
        }
        const auto take = [&](const Bounds &a, const Bounds &b) { found.push_back(key_of(a.info(), b.info())); };
        CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), take, std::ptrdiff_t(4000));
    }
};
#endif

struct Plan {
    std::vector<size_t> sizes = {1000, 4000, 16000, 64000, 256000};
    unsigned frames = 24;
    double patience = 1000; /* ms a frame: slower ways are left out of larger sizes */
    std::string json, cpu = "unknown";
};

struct Row {
    std::string scene, way;
    size_t n, pairs;
    double ms;
};

using Ways = std::vector<std::unique_ptr<Way>>;

Ways make_ways(const Scene &scene)
{
    const Frame &frame = scene.frame;
    Ways ways;
    ways.push_back(std::make_unique<Refit>(frame));
    ways.push_back(std::make_unique<World>(frame));
#ifdef ABUT_BENCH_BULLET
    const float far = 2 + scene.side;
    ways.push_back(Bullet::tree(frame));
    if (frame.n <= 16000) /* it takes minutes to fill */
        ways.push_back(Bullet::axis_sweep(frame, btVector3(-2, -2, -2), btVector3(far, far, far)));
#endif
#ifdef ABUT_BENCH_CGAL
    ways.push_back(std::make_unique<Cgal>());
#endif
    ways.push_back(std::make_unique<Sweep>(frame));
    return ways;
}

/* Runs one scene of one size; too_slow holds the names of ways to leave out. */
void run(const Plan &plan, const char *name, size_t n, std::set<std::string> &too_slow, std::vector<Row> &rows)
{
    const std::unique_ptr<Scene> scene = make_scene(name, n);
    Ways ways = make_ways(*scene);
    ways.erase(std::remove_if(ways.begin(), ways.end(), [&](const auto &way) { return too_slow.count(way->name); }),
               ways.end());
    const unsigned frames = std::max(4U, std::min(plan.frames, unsigned(4000000 / n)));
    size_t pairs = 0;
    for (unsigned f = 0; f < frames; f++) {
        scene->next();
        for (auto &way : ways)
            way->frame(scene->frame);
        if (f != 1 && f + 1 != frames)
            continue;
        const std::vector<Key> right = ways[0]->pairs(scene->frame);
        pairs = right.size();
        for (auto &way : ways)
            need(way->pairs(scene->frame) == right, way->name);
    }
    for (auto &way : ways) {
        std::sort(way->took.begin(), way->took.end());
        const double ms = way->took[way->took.size() / 2];
        rows.push_back({name, way->name, n, pairs, ms});
        std::printf("%-10s %7zu %9zu  %-22s %9.3f %6.1f\n", name, n, pairs, way->name, ms,
                    ms / rows[rows.size() - size_t(&way - &ways[0]) - 1].ms);
        if (ms > plan.patience)
            too_slow.insert(way->name);
    }
    std::fflush(stdout);
}

void write_json(const Plan &plan, const std::vector<Row> &rows)
{
    std::ofstream out(plan.json);
    out << "{\n \"context\": {\"cpu\": \"" << plan.cpu << "\", \"frames\": " << plan.frames << "},\n \"frames\": [";
    const char *comma = "\n";
    for (const Row &row : rows) {
        out << comma << "  {\"scene\": \"" << row.scene << "\", \"n\": " << row.n << ", \"pairs\": " << row.pairs
            << ", \"way\": \"" << row.way << "\", \"ms\": " << row.ms << "}";
        comma = ",\n";
    }
    out << "\n ]\n}\n";
    out.close();
    need(bool(out), "cannot write the JSON file");
}

Plan read_plan(int argc, char **argv)
{
    Plan plan;
    for (int i = 1; i < argc; i++) {
        const std::string argument = argv[i], value = argument.substr(argument.find('=') + 1);
        if (argument == "--quick")
            plan.sizes = {1000, 4000}, plan.frames = 4;
        else if (argument.rfind("--json=", 0) == 0)
            plan.json = value;
        else if (argument.rfind("--cpu=", 0) == 0)
            plan.cpu = value;
        else
            need(false, "usage: [--quick] [--json=FILE] [--cpu=NAME]");
    }
    return plan;
}

} // namespace

int main(int argc, char **argv)
{
    const Plan plan = read_plan(argc, argv);
    std::vector<Row> rows;
    std::printf("%-10s %7s %9s  %-22s %9s %6s\n", "scene", "boxes", "pairs", "", "ms a frame", "/ abut");
    for (const char *scene : {"brownian", "free fall", "gravity"}) {
        std::set<std::string> too_slow;
        for (const size_t n : plan.sizes)
            run(plan, scene, n, too_slow, rows);
    }
    if (!plan.json.empty())
        write_json(plan, rows);
    return 0;
}
