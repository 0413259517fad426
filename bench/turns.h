/* SPDX-License-Identifier: MIT */
/* Ways to the same answers, by turns: medians of CPU time. And what they are asked about: spheres and an index. */
#ifndef ABUT_BENCH_TURNS_H
#define ABUT_BENCH_TURNS_H

#include "ways.h"

#include <functional>
#include <string>

inline unsigned part = 1; /* of the items and turns */

inline void ok(abut_status status)
{
    need(status == ABUT_OK, abut_status_text(status));
}

struct Timed {
    std::string name;
    std::function<void()> run;
};

/* Medians of nanoseconds for each of n things. */
inline std::vector<double> medians(const std::vector<Timed> &ways, size_t n)
{
    const unsigned turns = part > 1 ? 3 : 15;
    std::vector<double> found;
    std::vector<std::vector<double>> took(ways.size());
    for (unsigned turn = 0; turn < turns; turn++)
        for (size_t i = 0; i < ways.size(); i++) {
            const double start = cpu_time();
            ways[i].run();
            took[i].push_back((cpu_time() - start) * 1e6 / double(n));
        }
    for (std::vector<double> &times : took) {
        std::nth_element(times.begin(), times.begin() + turns / 2, times.end());
        found.push_back(times[turns / 2]);
    }
    return found;
}

/* Two ways to the same answers, for n things. */
inline void compare(const char *of, size_t n, const Timed &call, const Timed &other, const std::function<bool()> &same)
{
    call.run();
    other.run();
    need(same(), call.name.c_str());
    const std::vector<double> ns = medians({call, other}, n);
    std::printf("%-46s %9.2f ns %-14s %9.2f by %-46s %5.2f\n", call.name.c_str(), ns[0], of, ns[1], other.name.c_str(),
                ns[1] / ns[0]);
}

using Columns = std::vector<std::vector<float>>;

inline abut_points points_of(const Columns &at)
{
    return {at[0].size(), at[0].data(), at[1].data(), at[2].data()};
}

inline abut_spheres spheres_of(const Columns &at)
{
    return {at[0].size(), at[0].data(), at[1].data(), at[2].data(), at[3].data()};
}

/* n spheres in a cube, with radii up to r. */
inline Columns scatter(size_t n, float side, float r, uint64_t seed)
{
    Random random(seed);
    Columns at(4);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            at[k].push_back(random.uniform(0, side));
        at[3].push_back(random.uniform(r / 2, r));
    }
    return at;
}

/* An index, with a workspace that is kept. */
struct Indexed {
    abut_index *index = nullptr;
    abut_options options = {};

    explicit Indexed(abut_set items)
    {
        ok(abut_workspace_new(nullptr, &options.workspace));
        ok(abut_index_new(items, &options, nullptr, &index));
    }
    ~Indexed()
    {
        abut_index_free(index);
        abut_workspace_free(options.workspace);
    }
    std::vector<abut_pair> pairs(abut_set queries, const abut_options &with) const
    {
        uint64_t count;
        ok(abut_join(index, queries, &with, nullptr, 0, &count));
        return std::vector<abut_pair>(size_t(count) + 1);
    }
};

#endif
