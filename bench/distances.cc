/* SPDX-License-Identifier: MIT */
/* Times every DISTANCE of predicates.def: plain loops and each instruction set, after a check of their results. */
#include "distances.h"

#include "workloads.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>

namespace
{

bool failed = false;

struct DistanceFacts {
    const char *name;
    enum shape shape;
    unsigned fields;
};

#define DISTANCE(name, shape_a, shape_b, function) {#name, shape_##shape_b, static_cast<unsigned>(shape_b##_fields)},
const DistanceFacts facts[distance_count] = {
#include "tables/predicates.def"
};

struct DistanceInput {
    size_t n;
    bool one;
    Columns points, shapes, right;

    DistanceInput(enum distance_kind kind, bool single, size_t size)
        : n(size), one(single), points(single ? 1 : size, point_fields), shapes(size, facts[kind].fields),
          right(size, DISTANCE_OUTPUTS)
    {
        fill_distances(facts[kind].shape, one, points, shapes, n);
    }
};

/* Plain loops, or the kernels of an instruction set. */
struct DistanceImplementation {
    std::string name;
    plain_distance_loop *const *loops;
    const isa *table;
};

void run(const DistanceImplementation &implementation, enum distance_kind kind, const DistanceInput &input,
         float *const *out)
{
    if (implementation.loops != nullptr) {
        implementation.loops[kind](input.points.at(), input.shapes.at(), input.n, input.one ? 0 : 1, out);
    } else {
        const distance_args args = {input.points.at(), input.shapes.at(), input.n, {out[0], out[1], out[2], out[3]}};
        const distance_kernel &kernel = implementation.table->distances[kind];
        (input.one ? kernel.one_many : kernel.zip)(&args);
    }
}

/* Draws an input when first needed and keeps it; right holds the results of the scalar kernels. */
DistanceInput &input_of(enum distance_kind kind, bool one, size_t n)
{
    static std::map<std::pair<std::pair<int, bool>, size_t>, std::unique_ptr<DistanceInput>> inputs;
    std::unique_ptr<DistanceInput> &input = inputs[{{kind, one}, n}];
    if (!input) {
        input = std::make_unique<DistanceInput>(kind, one, n);
        run({"", nullptr, &abut_kernels_scalar}, kind, *input, input->right.mutable_at());
    }
    return *input;
}

/*
 * The number of wrong results. Instruction sets must agree in every bit (one count a column). Plain loops may differ
 * by 1e-2, for their rounding in a world 100 across. They are wrong about needles among the triangles, so race()
 * allows them one wrong result in a thousand.
 */
size_t differences(const DistanceImplementation &implementation, const DistanceInput &input, const Columns &got)
{
    size_t wrong = 0;
    for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++) {
        const float *a = got.at()[k], *b = input.right.at()[k];
        if (implementation.loops == nullptr) {
            wrong += std::memcmp(a, b, input.n * sizeof *a) != 0;
            continue;
        }
        for (size_t i = 0; i < input.n; i++) {
            const float off = k == 0 ? std::sqrt(a[i]) - std::sqrt(b[i]) : a[i] - b[i];
            wrong += !(std::fabs(off) <= 1e-2f);
        }
    }
    return wrong;
}

void race(benchmark::State &state, const DistanceImplementation &implementation, enum distance_kind kind, bool one,
          size_t n)
{
    const DistanceInput &input = input_of(kind, one, n);
    Columns out(n, DISTANCE_OUTPUTS);
    run(implementation, kind, input, out.mutable_at());
    const size_t wrong = differences(implementation, input, out);
    if (wrong > (implementation.loops != nullptr ? 1 + n / 250 : 0)) {
        failed = true;
        state.SkipWithError((std::to_string(wrong) + " distances or coordinates are wrong").c_str());
        return;
    }
    for (auto _ : state) {
        run(implementation, kind, input, out.mutable_at());
        benchmark::ClobberMemory();
    }
    const auto pairs = static_cast<double>(n);
    state.counters["pairs"] = pairs;
    state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsIterationInvariantRate);
}

std::vector<DistanceImplementation> distance_implementations()
{
    std::vector<DistanceImplementation> all = {{"plain", plain_distance_loops, nullptr},
                                               {"compiler", compiler_distance_loops, nullptr}};
    for (const isa *const *table = abut_native_isas(); *table != nullptr; table++)
        all.push_back({std::string((*table)->name) + "/exact", nullptr, *table});
    return all;
}

} // namespace

void register_distances(const std::vector<size_t> &sizes)
{
    const std::vector<size_t> usual = {4096, size_t(8) << 20};
    for (int i = 0; i < distance_count; i++)
        for (bool one : {true, false})
            for (size_t n : sizes.empty() ? usual : sizes)
                for (const DistanceImplementation &implementation : distance_implementations()) {
                    const auto kind = static_cast<enum distance_kind>(i);
                    const std::string name = std::string(facts[kind].name) + (one ? "/one/" : "/zip/") +
                                             std::to_string(n) + "/" + implementation.name;
                    benchmark::RegisterBenchmark(
                        name.c_str(), [=](benchmark::State &state) { race(state, implementation, kind, one, n); });
                }
}

bool distances_failed()
{
    return failed;
}
