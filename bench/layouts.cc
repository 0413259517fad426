/* SPDX-License-Identifier: MIT */
/*
 * Times sphere_aabb_pairs and sphere_obb_pairs in three layouts: columns staggered by abut_columns_new, columns that
 * all start at the same offset within a page, and tiles of 16 floats a member. The loop counts hits, without checks, in
 * the compiler's vector types.
 */
#include "layouts.h"
#include <abut/shapes.h>

#include "implementations.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>

namespace
{

bool failed = false;

constexpr size_t tile = 16, page = 4096;

using Lanes = float __attribute__((vector_size(tile * sizeof(float))));
using Counts = int __attribute__((vector_size(tile * sizeof(int))));

struct Free {
    void operator()(float *block) const
    {
        std::free(block);
    }
};

using Block = std::unique_ptr<float, Free>;

Block new_pages(size_t floats)
{
    Block block(static_cast<float *>(std::aligned_alloc(page, (floats * sizeof(float) + page - 1) / page * page)));
    if (!block)
        throw std::bad_alloc();
    return block;
}

/* Returns the floats of member k from pair i on. */
struct InColumns {
    std::array<const float *, size_t(2) * ABUT_MAX_FIELDS> at;

    const float *operator()(unsigned k, size_t i) const
    {
        return at[k] + i;
    }
};

struct InTiles {
    const float *first;
    size_t fields;

    const float *operator()(unsigned k, size_t i) const
    {
        return first + i * fields + k * tile;
    }
};

/* A workload of one size in all layouts, cut to whole tiles. */
struct LayoutInput {
    Input columns;
    size_t n = columns.n / tile * tile, hits = 0;
    Block same_place, tiles;
    InColumns staggered = {}, aligned = {};
    InTiles tiled;

    LayoutInput(const Workload &workload, size_t size) : columns(workload, size)
    {
        std::vector<const float *> members = columns.a.from(0), of_b = columns.b.from(0);
        members.insert(members.end(), of_b.begin(), of_b.end());
        const size_t fields = members.size(),
                     whole_pages = (n * sizeof(float) + page - 1) / page * page / sizeof(float);
        same_place = new_pages(fields * whole_pages);
        tiles = new_pages(fields * n);
        tiled = {tiles.get(), fields};
        for (unsigned k = 0; k < fields; k++) {
            float *column = same_place.get() + k * whole_pages;
            staggered.at[k] = members[k];
            aligned.at[k] = column;
            std::memcpy(column, members[k], n * sizeof *column);
            for (size_t i = 0; i < n; i += tile)
                std::memcpy(tiles.get() + i * fields + k * tile, members[k] + i, tile * sizeof(float));
        }
        for (size_t i = 0; i < n; i++)
            hits += columns.answers[i / 64] >> i % 64 & 1;
    }
};

Lanes load(const float *at)
{
    Lanes lanes;
    std::memcpy(&lanes, at, sizeof lanes);
    return lanes;
}

Lanes least(Lanes a, Lanes b)
{
    return a < b ? a : b;
}

Lanes greatest(Lanes a, Lanes b)
{
    return a > b ? a : b;
}

/* Each lane is -1 for a hit, else 0. */
template <class Layout> Counts aabb_hits(const Layout &member, size_t i)
{
    Lanes squares = {};
    for (unsigned k = 0; k < 3; k++) {
        const Lanes c = load(member(k, i));
        const Lanes off = least(greatest(c, load(member(4 + k, i))), load(member(7 + k, i))) - c;
        squares += off * off;
    }
    const Lanes r = load(member(3, i));
    return squares <= r * r;
}

template <class Layout> Counts obb_hits(const Layout &member, size_t i)
{
    Lanes offset[3], squares = {};
    for (unsigned k = 0; k < 3; k++)
        offset[k] = load(member(k, i)) - load(member(4 + k, i));
    for (unsigned k = 0; k < 3; k++) {
        Lanes along = {};
        for (unsigned j = 0; j < 3; j++)
            along += load(member(10 + 3 * k + j, i)) * offset[j];
        const Lanes beyond = greatest(greatest(along, -along) - load(member(7 + k, i)), Lanes{});
        squares += beyond * beyond;
    }
    const Lanes r = load(member(3, i));
    return squares <= r * r;
}

template <class Layout> size_t count_hits(const LayoutInput &input, const Layout &layout)
{
    const bool aabbs = input.columns.workload.predicate == predicate_sphere_aabb;
    const Layout member = layout; /* a local copy, which nothing else can change */
    Counts counts = {};
    if (aabbs)
        for (size_t i = 0; i < input.n; i += tile)
            counts -= aabb_hits(member, i);
    else
        for (size_t i = 0; i < input.n; i += tile)
            counts -= obb_hits(member, i);
    size_t sum = 0;
    for (size_t k = 0; k < tile; k++)
        sum += static_cast<size_t>(counts[k]);
    return sum;
}

/* Draws an input when first needed and keeps it, since repetitions of all layouts are interleaved. */
const LayoutInput &input_of(const Workload &workload, size_t n)
{
    static std::map<std::pair<const Workload *, size_t>, std::unique_ptr<LayoutInput>> inputs;
    std::unique_ptr<LayoutInput> &input = inputs[{&workload, n}];
    if (!input)
        input = std::make_unique<LayoutInput>(workload, n);
    return *input;
}

using CountFunction = size_t (*)(const LayoutInput &);

struct LayoutImplementation {
    const char *name;
    CountFunction count;
};

const LayoutImplementation layouts[] = {
    {"columns", [](const LayoutInput &input) { return count_hits(input, input.staggered); }},
    {"same_place", [](const LayoutInput &input) { return count_hits(input, input.aligned); }},
    {"tiles", [](const LayoutInput &input) { return count_hits(input, input.tiled); }},
};

void race(benchmark::State &state, const LayoutImplementation &implementation, const Workload &workload, size_t n)
{
    const LayoutInput &input = input_of(workload, n);
    const size_t hits = implementation.count(input), apart = hits > input.hits ? hits - input.hits : input.hits - hits;
    /* float32 rounding gets about one lane in a million wrong. Ten times as many are a defect. */
    if (apart > 1 + input.n / 100000 || !input.columns.complaint.empty()) {
        failed = true;
        state.SkipWithError((std::to_string(apart) + " hits too many or too few").c_str());
        return;
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(implementation.count(input));
    const auto pairs = static_cast<double>(input.n);
    state.counters["pairs"] = pairs;
    state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsIterationInvariantRate);
}

} // namespace

void register_layouts(const std::vector<size_t> &sizes)
{
    for (const Workload &workload : workloads())
        if (workload.name == "sphere_aabb_pairs/7%" || workload.name == "sphere_obb_pairs/42%")
            for (size_t n : sizes.empty() ? workload.usual_sizes() : sizes)
                for (const LayoutImplementation &implementation : layouts)
                    benchmark::RegisterBenchmark(("layout/" + workload.name.substr(0, workload.name.find('/')) + "/" +
                                                  std::to_string(n) + "/" + implementation.name)
                                                     .c_str(),
                                                 race, std::cref(implementation), std::cref(workload), n);
}

bool layouts_failed()
{
    return failed;
}
