/* SPDX-License-Identifier: MIT */
/* Runs the implementations, and compares their answers with the exact stage's and with each other. */
#include "implementations.h"

#include <algorithm>
#include <cstring>

namespace
{

std::vector<Implementation> make_implementations()
{
    std::vector<Implementation> all = {{"plain", plain_loops, nullptr, false, 1},
                                       {"compiler", compiler_loops, nullptr, false, 1}};
    for (const isa *const *table = abut_native_isas(); *table != nullptr; table++) {
        std::string name = (*table)->name;
        all.push_back({name + "/unchecked", nullptr, builds_of(*table).unchecked, false, 1});
        all.push_back({name + "/inexact", nullptr, builds_of(*table).inexact, false, 1});
        all.push_back({name + "/exact", nullptr, *table, true, 1});
        all.push_back({name + "/x8", nullptr, *table, true, 8});
        all.push_back({name + "/x64", nullptr, *table, true, 64});
    }
    for (const KernelPeer &peer : kernel_peers())
        all.push_back({peer.name, nullptr, nullptr, false, 1, &peer});
    return all;
}

/* Enough pairs to find a defect of a workload or kernel; the exact stage would take minutes for the largest input. */
constexpr size_t exact_lanes = size_t(1) << 20;

std::string exact_some(const Input &input)
{
    size_t rows = input.rows.size(), lanes = std::min(input.n, exact_lanes / rows);
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < lanes; i++) {
            Item a = input.a.item(input.workload.rotates ? row : i), b = input.b.item(i);
            bool right = abut_exact(input.workload.predicate, a.data(), b.data()) >= ANSWER_TOUCH;
            if (right != (input.answers[row * input.row_words() + i / 64] >> i % 64 & 1))
                return "row " + std::to_string(row) + ", pair " + std::to_string(i) + ": the exact answer differs";
        }
    return "";
}

size_t differences(const uint64_t *a, const uint64_t *b, size_t words)
{
    size_t count = 0;
    for (size_t i = 0; i < words; i++)
        count += static_cast<size_t>(__builtin_popcountll(a[i] ^ b[i]));
    return count;
}

} // namespace

#ifndef ABUT_BENCH_PEERS
const std::vector<KernelPeer> &kernel_peers()
{
    static const std::vector<KernelPeer> none;
    return none;
}
#endif

const Builds &builds_of(const isa *table)
{
#define NATIVE(name) {#name, {&abut_kernels_##name##_unchecked, &abut_kernels_##name##_inexact}},
    static const std::pair<const char *, Builds> builds[] = {
#include "tables/isas.def"
    };
    return std::find_if(std::begin(builds), std::end(builds),
                        [&](const auto &build) { return std::strcmp(build.first, table->name) == 0; })
        ->second;
}

Input::Input(const Workload &drawn, size_t size)
    : workload(drawn), n(size), a(drawn.items_a(size), predicate_facts[drawn.predicate].fields_a),
      b(size, predicate_facts[drawn.predicate].fields_b), answers(drawn.rows() * abut_mask_words(size))
{
    workload.fill(a, b, n);
    const Implementation first = {"", nullptr, abut_native_isas()[0], true, 1};
    abut_stats stats = {};
    for (size_t row = 0; row < workload.rows(); row++) {
        rows.push_back(a.from(row));
        first.run(*this, row, &answers[row * row_words()], &stats);
    }
    complaint = exact_some(*this);
}

const KernelPass &Input::pass_of(const KernelPeer &peer) const
{
    KernelPass &pass = passes[&peer];
    if (!pass)
        pass = peer.prepare({a.at(), workload.items_a(n)}, {b.at(), n}, workload.rotates);
    return pass;
}

void test_all(enum predicate predicate, const float *const *a, size_t n, abut_set b, abut_stats *stats, uint64_t *hits)
{
    const abut_predicate &facts = abut_predicates(nullptr)[predicate];
    const Batch batch(a, predicate_facts[predicate].fields_a, n);
    abut_options options = {};
    options.stats = stats;
    abut_test_all(facts.relation, {facts.a, &batch}, b, &options, hits);
}

void Implementation::prepare() const
{
    if (items > 1)
        abut_use_isa(table->name);
}

void Implementation::run(const Input &input, size_t row, uint64_t *hits, abut_stats *stats) const
{
    const enum predicate predicate = input.workload.predicate;
    const float *const *a = input.rows[row].data(), *const *b = input.b.at();
    if (peer != nullptr) {
        input.pass_of (*peer)(row, hits);
    } else if (loops != nullptr) {
        loops[predicate](a, b, input.n, input.workload.rotates ? 0 : 1, 1, hits);
    } else if (items > 1) {
        const PredicateFacts &facts = predicate_facts[predicate];
        const Batch batch_b(b, facts.fields_b, input.n);
        const auto of_b = static_cast<abut_set_kind>(facts.shape_b);
        test_all(predicate, a, items, {of_b, &batch_b}, stats, hits);
    } else {
        const kernel_args args = {a, b, input.n, true, stats, 1, 0};
        abut_run_batch(table, predicate, input.workload.rotates ? BROADCAST_ONE_MANY : BROADCAST_ZIP, &args, hits);
    }
}

const std::vector<Implementation> &implementations()
{
    static const std::vector<Implementation> all = make_implementations();
    return all;
}

Verdict verify(const Implementation &implementation, const Input &input)
{
    implementation.prepare();
    std::vector<uint64_t> hits(implementation.items * input.row_words());
    abut_stats stats = {};
    size_t wrong = 0, count = 0;
    for (size_t row = 0; row < input.rows.size(); row += implementation.items) {
        implementation.run(input, row, hits.data(), &stats);
        wrong += differences(hits.data(), &input.answers[row * input.row_words()], hits.size());
        for (size_t item = 0; item < implementation.items; item++)
            count += abut_mask_count(&hits[item * input.row_words()], input.n);
    }
    auto pairs = static_cast<double>(input.rows.size() * input.n);
    auto share = [=](auto lanes) { return static_cast<double>(lanes) / pairs; };
    Verdict verdict = {share(count), share(stats.undecided), share(stats.exact), share(wrong), input.complaint};
    /* float32 rounding gets about one lane in a million wrong. Ten times as many are a defect of the loop. */
    size_t allowed = implementation.exact ? 0 : 1 + static_cast<size_t>(pairs * 1e-5);
    if (wrong > allowed)
        verdict.complaint = std::to_string(wrong) + " answers are wrong";
    return verdict;
}
