/* SPDX-License-Identifier: MIT */
/* Times hulls: frustum_culling (view frusta against spheres and boxes) and, if the data are there, level brushes. */
#include "hulls.h"
#include <abut/shapes.h>

#include "generator.h"
#include "implementations.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

namespace
{

bool failed = false;

/* The planes of several hulls, in columns. */
struct Hulls {
    std::vector<float> columns[4];
    std::vector<uint32_t> offsets = {0};

    void add(const float (*planes)[4], unsigned count)
    {
        for (unsigned i = 0; i < count; i++)
            for (unsigned k = 0; k < 4; k++)
                columns[k].push_back(planes[i][k]);
        offsets.push_back(static_cast<uint32_t>(columns[0].size()));
    }
    size_t size() const
    {
        return offsets.size() - 1;
    }
    abut_hulls batch() const
    {
        return {size(), offsets.data(), columns[0].data(), columns[1].data(), columns[2].data(), columns[3].data()};
    }
};

/* The items that are drawn, the hulls, and the right answers. */
struct HullInput {
    enum predicate predicate;
    size_t n;
    Columns items;
    Hulls hulls;
    std::vector<uint64_t> answers; /* a row of words a hull */
    double hits;
    std::string complaint;
    std::map<const KernelPeer *, KernelPass> passes;

    HullInput(enum predicate drawn, size_t size, Hulls some)
        : predicate(drawn), n(size), items(size, predicate_facts[drawn].fields_a), hulls(std::move(some)),
          answers(hulls.size() * abut_mask_words(size)), hits(0)
    {
    }
    void answer();
    /* What another library makes of the first hull, kept. */
    const KernelPass &pass_of(const KernelPeer &peer);
};

/* Takes the answers of the fastest instruction set, and checks the first million pairs with the exact stage. */
void HullInput::answer()
{
    const abut_hulls batch = hulls.batch();
    const size_t words = abut_mask_words(n), lanes = std::min(n, (size_t(1) << 20) / hulls.size());
    test_all(predicate, items.at(), n, abut_of_hulls(&batch), nullptr, answers.data());
    for (size_t row = 0; row < hulls.size(); row++) {
        struct hull hull;
        abut_hull_prepare(&hull, &batch, row, false);
        hits += static_cast<double>(abut_mask_count(&answers[row * words], n));
        for (size_t i = 0; i < lanes; i++)
            if ((abut_hull_exact(predicate, &hull, items.item(i).data()) >= ANSWER_TOUCH) !=
                (answers[row * words + i / 64] >> i % 64 & 1))
                complaint =
                    "hull " + std::to_string(row) + ", item " + std::to_string(i) + ": the exact answer differs";
    }
    hits /= static_cast<double>(hulls.size() * n);
}

const KernelPass &HullInput::pass_of(const KernelPeer &peer)
{
    KernelPass &pass = passes[&peer];
    if (!pass) {
        const float *const planes[] = {hulls.columns[0].data(), hulls.columns[1].data(), hulls.columns[2].data(),
                                       hulls.columns[3].data()};
        pass = peer.prepare({items.at(), n}, {planes, hulls.offsets[1]}, false);
    }
    return pass;
}

/* The camera of frustum_culling, and its quarter turns about the vertical axis. */
Hulls cameras(unsigned count)
{
    static const float directions[4][3] = {{0, 0, -1}, {1, 0, 0}, {0, 0, 1}, {-1, 0, 0}};
    Hulls hulls;
    for (unsigned i = 0; i < count; i++) {
        const float *d = directions[i];
        const abut_camera camera = {
            {0, 0, 0}, {d[0], d[1], d[2]}, {0, 1, 0}, static_cast<float>(std::sqrt(1.0 / 3)), 16.0f / 9, 0.1f, 1000};
        float planes[6][4];
        hulls.add(planes, abut_frustum_from_camera(&camera, planes));
    }
    return hulls;
}

/*
 * Draws a radius and half extents for every item, so that all shapes share centres. OBB axes, and the corners or ends
 * of other shapes, which are within the half extents, have their own stream.
 */
void fill_frustum_culling(HullInput &input)
{
    Random random(0x3001), others(0x3002);
    const PredicateFacts &facts = predicate_facts[input.predicate];
    for (size_t i = 0; i < input.n; i++) {
        float x = random.uniform(-1100, 1100), y = random.uniform(-650, 650), z = random.uniform(-1020, 380);
        float r = random.uniform(0.5f, 5), hx = random.uniform(0.5f, 5), hy = random.uniform(0.5f, 5);
        float hz = random.uniform(0.5f, 5);
        const float centre[] = {x, y, z}, half[] = {hx, hy, hz};
        if (facts.shape_a == shape_aabb) {
            input.items.store(i, {x - hx, y - hy, z - hz, x + hx, y + hy, z + hz});
        } else if (facts.shape_a == shape_obb) {
            float c = others.uniform(-1, 1), s = std::sqrt(1 - c * c);
            input.items.store(i, {x, y, z, hx, hy, hz, c, s, 0, -s, c, 0, 0, 0, 1});
        } else if (facts.shape_a == shape_point || facts.shape_a == shape_sphere) {
            input.items.store(i, {x, y, z, r});
        } else {
            Item item = {};
            const unsigned coordinates = facts.fields_a / 3 * 3;
            for (unsigned k = 0; k < coordinates; k++)
                item[k] = centre[k % 3] + others.uniform(-1, 1) * half[k % 3];
            if (facts.shape_a == shape_capsule)
                item[coordinates] = r;
            input.items.store(i, item);
        }
    }
}

std::string data_folder()
{
    const char *set = std::getenv("ABUT_DATA_DIR");
    return set != nullptr ? set : "../shared/data";
}

/* The complete rows of a file of numbers, without its heading; none if there is no such file. */
std::vector<std::vector<float>> read_csv(const std::string &path, unsigned columns)
{
    std::vector<std::vector<float>> rows;
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream fields(line);
        std::vector<float> row(columns);
        for (float &field : row)
            fields >> field;
        if (fields)
            rows.push_back(row);
    }
    return rows;
}

Hulls brushes()
{
    Hulls hulls;
    float planes[32][4];
    unsigned count = 0;
    float volume = -1;
    for (const std::vector<float> &row : read_csv(data_folder() + "/level/lq_e1m1_planes.csv", 5)) {
        if (row[4] != volume && count > 0) {
            hulls.add(planes, count);
            count = 0;
        }
        volume = row[4];
        for (unsigned k = 0; k < 4; k++)
            planes[count][k] = -row[k];
        count++;
    }
    if (count > 0)
        hulls.add(planes, count);
    return hulls;
}

/* One workload at one size; its name is WORKLOAD/PAIRS. */
struct Race {
    std::string name;
    enum predicate predicate;
    size_t n;
    unsigned hulls; /* 1 or 4 cameras; 0: the brushes */
};

HullInput &input_of(const Race &race)
{
    static std::map<std::string, std::unique_ptr<HullInput>> inputs;
    std::unique_ptr<HullInput> &input = inputs[race.name];
    if (input)
        return *input;
    input = std::make_unique<HullInput>(race.predicate, race.n, race.hulls > 0 ? cameras(race.hulls) : brushes());
    if (race.hulls > 0) {
        fill_frustum_culling(*input);
    } else {
        const auto rows = read_csv(data_folder() + "/level/lq_e1m1_spheres.csv", 4);
        for (size_t i = 0; i < race.n; i++)
            input->items.store(i, {rows[i][0], rows[i][1], rows[i][2], rows[i][3]});
    }
    input->answer();
    return *input;
}

/* Plain loops, the kernels of an instruction set or a peer on one hull; if all are null, the public function on all. */
struct HullImplementation {
    std::string name;
    plain_hull_loop *const *loops;
    const struct isa *table, *isa;
    bool exact;
    const KernelPeer *peer = nullptr;

    bool takes_all_hulls() const
    {
        return loops == nullptr && table == nullptr && peer == nullptr;
    }
};

/* Kernels prepare their hull each time, as the public functions do. Inexact builds do without the error bounds. */
void run(const HullImplementation &implementation, HullInput &input, const struct hull &ready, abut_stats *stats,
         uint64_t *hits)
{
    const abut_hulls batch = input.hulls.batch();
    if (implementation.peer != nullptr) {
        input.pass_of (*implementation.peer)(0, hits);
    } else if (implementation.loops != nullptr) {
        implementation.loops[input.predicate](input.items.at(), input.n, ready.given, ready.planes, hits);
    } else if (implementation.table != nullptr) {
        struct hull hull;
        abut_hull_prepare(&hull, &batch, 0, !implementation.exact || input.n >= SLABS_PAY);
        const hull_args args = {&hull, input.items.at(), input.n, true, stats, 1, 0, false, nullptr};
        abut_run_hulls(implementation.table, input.predicate, &args, hits);
    } else {
        test_all(input.predicate, input.items.at(), input.n, abut_of_hulls(&batch), stats, hits);
    }
}

size_t wrong_answers(const HullInput &input, const std::vector<uint64_t> &hits)
{
    size_t wrong = 0;
    for (size_t i = 0; i < hits.size(); i++)
        wrong += static_cast<size_t>(__builtin_popcountll(hits[i] ^ input.answers[i]));
    return wrong;
}

/* float32 rounding gets about one lane in a million wrong. Ten times as many are a defect. */
std::string verify(const HullImplementation &implementation, const HullInput &input, size_t wrong)
{
    const size_t allowed = implementation.exact ? 0 : 1 + static_cast<size_t>(static_cast<double>(input.n) * 1e-5);
    return wrong > allowed ? std::to_string(wrong) + " answers are wrong" : input.complaint;
}

void race(benchmark::State &state, const HullImplementation &implementation, const Race &entry)
{
    HullInput &input = input_of(entry);
    const size_t rows = implementation.takes_all_hulls() ? input.hulls.size() : 1;
    const abut_hulls batch = input.hulls.batch();
    std::vector<uint64_t> hits(rows * abut_mask_words(input.n));
    abut_stats stats = {};
    struct hull ready;
    abut_hull_prepare(&ready, &batch, 0, false);
    if (rows > 1)
        abut_use_isa(implementation.isa->name);
    run(implementation, input, ready, &stats, hits.data());
    const size_t wrong = wrong_answers(input, hits);
    const std::string complaint = verify(implementation, input, wrong);
    if (!complaint.empty()) {
        failed = true;
        state.SkipWithError(complaint.c_str());
        return;
    }
    const double pairs = static_cast<double>(rows * input.n), undecided = static_cast<double>(stats.undecided) / pairs;
    for (auto _ : state) {
        run(implementation, input, ready, &stats, hits.data());
        benchmark::ClobberMemory();
    }
    state.counters["pairs"] = pairs;
    state.counters["pairs/s"] = benchmark::Counter(pairs, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["hits"] = input.hits;
    state.counters["wrong"] = static_cast<double>(wrong) / pairs;
    state.counters["undecided"] = undecided;
}

void enter(const Race &entry, const HullImplementation &implementation)
{
    benchmark::RegisterBenchmark((entry.name + "/" + implementation.name).c_str(),
                                 [=](benchmark::State &state) { race(state, implementation, entry); });
}

void register_race(const Race &entry)
{
    /* Touching a hull has no plain loop: single planes do not decide it. */
    const bool touches = std::strcmp(predicate_facts[entry.predicate].question, "touches") == 0;
    if (entry.hulls == 1 && !touches) {
        enter(entry, {"plain", plain_hull_loops, nullptr, nullptr, false});
        enter(entry, {"compiler", compiler_hull_loops, nullptr, nullptr, false});
    }
    for (const isa *const *table = abut_native_isas(); *table != nullptr; table++) {
        const std::string name = (*table)->name;
        if (entry.hulls != 1) {
            enter(entry, {name + "/exact", nullptr, nullptr, *table, true});
            continue;
        }
        /* Whatever crosses the surface is decided by later stages, and of corners by witness points with their bounds. */
        if (!touches || predicate_facts[entry.predicate].shape_a == shape_sphere)
            enter(entry, {name + "/unchecked", nullptr, builds_of(*table).unchecked, *table, false});
        if (!touches)
            enter(entry, {name + "/inexact", nullptr, builds_of(*table).inexact, *table, false});
        enter(entry, {name + "/exact", nullptr, *table, *table, true});
    }
    for (const KernelPeer &peer : kernel_peers())
        if (entry.hulls == 1 && peer.predicate == entry.predicate)
            enter(entry, {peer.name, nullptr, nullptr, nullptr, false, &peer});
}

/* Six planes that face outward. */
void add_box(Hulls &hulls, const Item &obb)
{
    float planes[6][4];
    for (unsigned k = 0; k < 6; k++) {
        const float sign = k % 2 == 0 ? 1.0f : -1.0f, *axis = &obb[6 + k / 2 * 3];
        for (unsigned i = 0; i < 3; i++)
            planes[k][i] = sign * axis[i];
        planes[k][3] = -(planes[k][0] * obb[0] + planes[k][1] * obb[1] + planes[k][2] * obb[2]) - obb[3 + k / 2];
    }
    hulls.add(planes, 6);
}

/* The OBBs of a workload as hulls, pair by pair. The exact stage checks the first. */
struct HullPairs {
    Hulls a, b;
    std::vector<uint64_t> answers;
    std::string complaint;

    HullPairs(const Workload &workload, size_t n) : answers(abut_mask_words(n))
    {
        Columns obbs_a(n, obb_fields), obbs_b(n, obb_fields);
        workload.fill(obbs_a, obbs_b, n);
        for (size_t i = 0; i < n; i++) {
            add_box(a, obbs_a.item(i));
            add_box(b, obbs_b.item(i));
        }
        run(nullptr, answers);
        abut_hulls some_a = a.batch(), some_b = b.batch();
        some_a.n = some_b.n = std::min(n, size_t(256));
        std::vector<uint64_t> right(abut_mask_words(some_a.n));
        abut_test_exactly(ABUT_TOUCHES, abut_of_hulls(&some_a), abut_of_hulls(&some_b), nullptr, right.data());
        for (size_t i = 0; i < some_a.n; i++)
            if ((right[i / 64] ^ answers[i / 64]) >> i % 64 & 1)
                complaint = "pair " + std::to_string(i) + ": the exact answer differs";
    }
    void run(abut_stats *stats, std::vector<uint64_t> &hits) const
    {
        const abut_hulls batch_a = a.batch(), batch_b = b.batch();
        abut_options options = {};
        options.stats = stats;
        abut_test(ABUT_TOUCHES, abut_of_hulls(&batch_a), abut_of_hulls(&batch_b), &options, hits.data());
    }
};

void race_pairs(benchmark::State &state, const isa &isa, const Workload &workload, size_t n)
{
    static std::map<size_t, std::unique_ptr<HullPairs>> inputs;
    std::unique_ptr<HullPairs> &input = inputs[n];
    if (!input)
        input = std::make_unique<HullPairs>(workload, n);
    std::vector<uint64_t> hits(abut_mask_words(n));
    abut_stats stats = {};
    abut_use_isa(isa.name);
    input->run(&stats, hits);
    const std::string complaint = hits == input->answers ? input->complaint : "instruction sets differ";
    if (!complaint.empty()) {
        failed = true;
        state.SkipWithError(complaint.c_str());
        return;
    }
    const auto pairs = static_cast<double>(n);
    state.counters["hits"] = static_cast<double>(abut_mask_count(hits.data(), n)) / pairs;
    state.counters["undecided"] = static_cast<double>(stats.undecided) / pairs;
    state.counters["pairs"] = pairs;
    for (auto _ : state) {
        input->run(nullptr, hits);
        benchmark::ClobberMemory();
    }
}

void register_pairs(size_t n)
{
    const auto same_boxes = std::find_if(workloads().begin(), workloads().end(),
                                         [](const Workload &workload) { return workload.name == "obb_obb/zip"; });
    for (const isa *const *table = abut_native_isas(); same_boxes != workloads().end() && *table != nullptr; table++)
        benchmark::RegisterBenchmark(("hull_hull/zip/" + std::to_string(n) + "/" + (*table)->name + "/exact").c_str(),
                                     race_pairs, std::cref(**table), std::cref(*same_boxes), n);
}

} // namespace

void register_hulls(const std::vector<size_t> &sizes)
{
    const std::vector<size_t> usual = {1024, 4096, size_t(16) << 20}, others = {4096};
    for (int p = 0; p < predicate_count; p++) {
        const PredicateFacts &facts = predicate_facts[p];
        if (facts.shape_b != shape_hull || facts.shape_a == shape_hull)
            continue;
        const bool all_sizes = facts.shape_a == shape_sphere || p == predicate_aabb_hull_planes;
        for (size_t n : !sizes.empty() ? sizes : all_sizes ? usual : others) {
            const std::string size = "/" + std::to_string(n);
            const auto predicate = static_cast<enum predicate>(p);
            register_race({std::string("frustum_culling/") + facts.name + size, predicate, n, 1});
            if (predicate == predicate_sphere_hull_planes)
                register_race({"frustum_culling/four_cameras" + size, predicate, n, 4});
        }
    }
    for (size_t n : sizes.empty() ? others : sizes)
        register_pairs(n);
    const size_t spheres = read_csv(data_folder() + "/level/lq_e1m1_spheres.csv", 4).size();
    if (spheres == 0)
        return;
    for (enum predicate predicate : {predicate_sphere_hull, predicate_sphere_hull_planes})
        register_race({std::string("brushes/") + predicate_facts[predicate].name + "/" + std::to_string(spheres),
                       predicate, spheres, 0});
}

bool hulls_failed()
{
    return failed;
}
