/* SPDX-License-Identifier: MIT */
/* Times every implementation on every workload: WORKLOAD/PAIRS/IMPLEMENTATION, one pass over the input an iteration. */
#include "distances.h"
#include "hulls.h"
#include "implementations.h"
#include "layouts.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <sstream>

namespace
{

bool failed = false;

/* Draws an input when first needed and keeps it, since repetitions of all benchmarks are interleaved. */
const Input &input_of(const Workload &workload, size_t n)
{
    static std::map<std::pair<const Workload *, size_t>, std::unique_ptr<Input>> inputs;
    std::unique_ptr<Input> &input = inputs[{&workload, n}];
    if (!input)
        input = std::make_unique<Input>(workload, n);
    return *input;
}

const Verdict &verdict_on(const Implementation &implementation, const Input &input)
{
    static std::map<std::pair<const Implementation *, const Input *>, Verdict> verdicts;
    auto found = verdicts.find({&implementation, &input});
    if (found == verdicts.end())
        found = verdicts.emplace(std::pair(&implementation, &input), verify(implementation, input)).first;
    return found->second;
}

/* The columns that one pass reads, without those of a constant item. */
std::vector<const float *> columns_read(const Input &input)
{
    std::vector<const float *> columns = input.b.from(0);
    if (!input.workload.rotates)
        for (const float *column : input.a.from(0))
            columns.push_back(column);
    return columns;
}

double seconds_since(std::clock_t start)
{
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/* Bytes a second of read_columns on the same arrays, the best of three. Called right after the loop to compare with. */
double read_bandwidth(const std::vector<const float *> &columns, size_t n)
{
    const double bytes = static_cast<double>(columns.size() * n * sizeof(float));
    const size_t passes = 1 + (size_t(1) << 20) / n;
    double best = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        const std::clock_t start = std::clock();
        for (size_t pass = 0; pass < passes; pass++)
            benchmark::DoNotOptimize(read_columns(columns.data(), static_cast<unsigned>(columns.size()), n));
        best = std::max(best, bytes * static_cast<double>(passes) / seconds_since(start));
    }
    return best;
}

void count(benchmark::State &state, double seconds, const Implementation &implementation, const Input &input,
           const Verdict &verdict)
{
    using benchmark::Counter;
    const std::vector<const float *> columns = columns_read(input);
    const double bytes = static_cast<double>(columns.size() * input.n * sizeof(float));
    const double pairs = static_cast<double>(implementation.items * input.n);
    state.counters["pairs"] = pairs;
    state.counters["pairs/s"] = Counter(pairs, Counter::kIsIterationInvariantRate);
    state.counters["bytes/s"] = Counter(bytes, Counter::kIsIterationInvariantRate);
    state.counters["read_share"] =
        bytes * static_cast<double>(state.iterations()) / seconds / read_bandwidth(columns, input.n);
    state.counters["hits"] = verdict.hits;
    state.counters["wrong"] = verdict.wrong;
    if (implementation.exact) {
        state.counters["undecided"] = verdict.undecided;
        state.counters["exact"] = verdict.exact;
    }
}

void race(benchmark::State &state, const Implementation &implementation, const Workload &workload, size_t n)
{
    const Input &input = input_of(workload, n);
    const Verdict &verdict = verdict_on(implementation, input);
    if (!verdict.complaint.empty()) {
        failed = true;
        state.SkipWithError(verdict.complaint.c_str());
        return;
    }
    implementation.prepare();
    std::vector<uint64_t> hits(implementation.items * input.row_words());
    abut_stats stats = {};
    size_t row = 0;
    const std::clock_t start = std::clock();
    for (auto _ : state) {
        implementation.run(input, row, hits.data(), &stats);
        benchmark::ClobberMemory();
        row = row + implementation.items < input.rows.size() ? row + implementation.items : 0;
    }
    const double seconds = seconds_since(start);
    count(state, seconds, implementation, input, verdict);
}

/* Reads "all", or numbers with commas between them. Returns no sizes for any other text. */
std::vector<size_t> parse_sizes(const std::string &text)
{
    std::vector<size_t> sizes;
    if (text == "all") {
        for (size_t n = 256; n <= size_t(16) << 20; n *= 2)
            sizes.push_back(n);
        return sizes;
    }
    std::istringstream list(text);
    for (std::string number; std::getline(list, number, ',');) {
        if (number.empty() || number[0] == '0' || number.size() > 9 ||
            number.find_first_not_of("0123456789") != std::string::npos)
            return {};
        sizes.push_back(std::stoul(number));
    }
    return sizes;
}

void register_all(const std::vector<size_t> &sizes)
{
    for (const Workload &workload : workloads())
        for (size_t n : sizes.empty() ? workload.usual_sizes() : sizes)
            for (const Implementation &implementation : implementations())
                if (implementation.suits(workload))
                    benchmark::RegisterBenchmark(
                        (workload.name + "/" + std::to_string(n) + "/" + implementation.name).c_str(), race,
                        std::cref(implementation), std::cref(workload), n);
}

} // namespace

int main(int argc, char **argv)
{
    std::vector<size_t> sizes;
    const char *const option = "--sizes=";
    if (argc > 1 && std::strncmp(argv[1], option, std::strlen(option)) == 0) {
        sizes = parse_sizes(argv[1] + std::strlen(option));
        if (sizes.empty()) {
            std::fprintf(stderr, "abut_bench: --sizes takes \"all\" or numbers with commas between them\n");
            return 2;
        }
        argv[1] = argv[0];
        argv++;
        argc--;
    }
    register_all(sizes);
    register_hulls(sizes);
    register_distances(sizes);
    register_layouts(sizes);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    benchmark::RunSpecifiedBenchmarks();
    return failed || hulls_failed() || distances_failed() || layouts_failed() ? 1 : 0;
}
