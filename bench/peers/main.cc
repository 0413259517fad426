/* SPDX-License-Identifier: MIT */
/*
 * Times join_uniform and join_clustered by abut and by other libraries, with one thread. Every run is a process of its
 * own: its first repetition is cold (fresh memory), later ones are warm (malloc keeps freed memory, abut its
 * workspace). All must find the same pairs before any time is printed.
 */
#include "peers.h"

#include "../large.h"

#include <abut/index.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <string>

#include <fcntl.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

/* CPU time: other processes disturb it less, and a second thread of an implementation would count. */
double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

namespace
{

[[noreturn]] void fail(const std::string &what)
{
    std::fprintf(stderr, "abut_bench_peers: %s\n", what.c_str());
    std::exit(1);
}

void need(bool ok, const char *what)
{
    if (!ok)
        fail(what);
}

/* ---- abut */

struct Kept {
    abut_workspace *workspace = nullptr;
    abut_options options = {};

    Kept()
    {
        need(abut_workspace_new(nullptr, &workspace) == ABUT_OK, "no workspace");
        options.workspace = workspace;
    }
};

template <typename Search> Took abut_run(const abut_aabbs &boxes, Search search)
{
    static const Kept kept;
    abut_index *index;
    const double start = now();
    need(abut_index_new(abut_of_aabbs(&boxes), &kept.options, nullptr, &index) == ABUT_OK, "abut does not build");
    const double built = now();
    need(search(index, &kept.options) == ABUT_OK, "abut does not join");
    const double end = now();
    abut_index_free(index);
    return {built - start, end - built};
}

Took abut_pairs(const abut_spheres &spheres, const abut_aabbs &boxes, Pairs &pairs)
{
    return abut_run(boxes, [&](const abut_index *index, const abut_options *options) {
        return abut_join(index, abut_of_spheres(&spheres), options, pairs.at, pairs.capacity, &pairs.count);
    });
}

Took join_as_drawn(const Scene &scene, Pairs &pairs)
{
    return abut_pairs(scene.spheres, scene.boxes, pairs);
}

Took join_sorted(const Scene &scene, Pairs &pairs)
{
    return abut_pairs(scene.sorted_spheres, scene.sorted_boxes, pairs);
}

Took self(const Scene &scene, Pairs &pairs)
{
    return abut_run(scene.boxes, [&](const abut_index *index, const abut_options *options) {
        return abut_self_join(index, options, pairs.at, pairs.capacity, &pairs.count);
    });
}

const char *const ours = "abut", *const ours_sorted = "abut, input sorted";

std::vector<Implementation> all_implementations()
{
    std::vector<Implementation> all = {{ours, join_as_drawn, self, false}, {ours_sorted, join_sorted, nullptr, true}};
    for (const std::vector<Implementation> &more :
         {embree_implementations(), bullet_implementations(), cgal_implementations(), boost_implementations()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

/* ---- Input */

struct Columns {
    float *at[6] = {};

    Columns(size_t n, unsigned fields)
    {
        need(abut_columns_new(n, fields, at, nullptr) == ABUT_OK, "out of memory");
    }
    ~Columns()
    {
        abut_columns_free(at, nullptr);
    }
    Columns(const Columns &) = delete;
    Columns &operator=(const Columns &) = delete;
};

uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 16) & 0x030000FF;
    x = (x | x << 8) & 0x0300F00F;
    x = (x | x << 4) & 0x030C30C3;
    return (x | x << 2) & 0x09249249;
}

/* The order of n places along a Morton curve of ten bits an axis. */
template <typename Place> std::vector<uint32_t> morton_order(size_t n, Place place)
{
    float min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            min[k] = std::min(min[k], place(i, k));
            max[k] = std::max(max[k], place(i, k));
        }
    std::vector<uint64_t> keys(n);
    for (size_t i = 0; i < n; i++) {
        uint32_t key = 0;
        for (int k = 0; k < 3; k++)
            key |= spread_bits(static_cast<uint32_t>(1023 * ((place(i, k) - min[k]) / (max[k] - min[k])))) << k;
        keys[i] = uint64_t(key) << 32 | i;
    }
    std::sort(keys.begin(), keys.end());
    std::vector<uint32_t> order(n);
    std::transform(keys.begin(), keys.end(), order.begin(), [](uint64_t key) { return static_cast<uint32_t>(key); });
    return order;
}

void fill_sorted(const std::vector<uint32_t> &order, unsigned fields, const float *const *from, float *const *to)
{
    for (unsigned k = 0; k < fields; k++)
        for (size_t i = 0; i < order.size(); i++)
            to[k][i] = from[k][order[i]];
}

std::vector<Box> as_boxes(const float *const *at, size_t n)
{
    std::vector<Box> boxes(n);
    for (size_t i = 0; i < n; i++)
        boxes[i] = {{at[0][i], at[1][i], at[2][i]}, {at[3][i], at[4][i], at[5][i]}};
    return boxes;
}

abut_spheres view_spheres(const float *const *at, size_t n)
{
    return {n, at[0], at[1], at[2], at[3]};
}

abut_aabbs view_boxes(const float *const *at, size_t n)
{
    return {n, at[0], at[1], at[2], at[3], at[4], at[5]};
}

struct Drawn : Scene {
    Columns sphere, box, sorted_sphere, sorted_box;

    Drawn(const large_sets &sets, size_t n) : sphere(n, 4), box(n, 6), sorted_sphere(n, 4), sorted_box(n, 6)
    {
        sets.fill(n, sphere.at, box.at);
        sphere_order = morton_order(n, [&](size_t i, int k) { return sphere.at[k][i]; });
        box_order = morton_order(n, [&](size_t i, int k) { return (box.at[k][i] + box.at[k + 3][i]) / 2; });
        fill_sorted(sphere_order, 4, sphere.at, sorted_sphere.at);
        fill_sorted(box_order, 6, box.at, sorted_box.at);
        spheres = view_spheres(sphere.at, n);
        boxes = view_boxes(box.at, n);
        sorted_spheres = view_spheres(sorted_sphere.at, n);
        sorted_boxes = view_boxes(sorted_box.at, n);
        const Columns bound(n, 6);
        need(abut_aabbs_of_spheres(&sorted_spheres, bound.at) == ABUT_OK, "no bounds");
        query_bounds = as_boxes(bound.at, n);
        items = as_boxes(sorted_box.at, n);
        for (size_t i = 0; i < n; i++)
            queries.push_back(
                {{sorted_sphere.at[0][i], sorted_sphere.at[1][i], sorted_sphere.at[2][i]}, sorted_sphere.at[3][i]});
    }
};

/* ---- One run, in a process of its own */

/* The report of a repetition. memory is the peak of the first one, beyond input and pairs. */
struct Report {
    Took took;
    uint64_t count, hash, memory;
};

/*
 * Reads a line of /proc/self/status, in bytes; 0 if there is no such file. It allocates nothing, since that would take
 * memory that an implementation has freed and will want again.
 */
uint64_t memory_now(const char *what)
{
    char text[8192];
    const int status = open("/proc/self/status", O_RDONLY);
    const ssize_t length = status < 0 ? 0 : read(status, text, sizeof text - 1);
    if (status >= 0)
        close(status);
    text[length > 0 ? length : 0] = '\0';
    const char *line = std::strstr(text, what);
    return line ? 1024 * std::strtoull(line + std::strlen(what), nullptr, 10) : 0;
}

/* Replaces numbers in the sorted sets by numbers as drawn. */
void unsort(const Scene &scene, bool selves, Pairs &pairs)
{
    const std::vector<uint32_t> &order_a = selves ? scene.box_order : scene.sphere_order;
    for (uint64_t i = 0; i < std::min(pairs.count, pairs.capacity); i++) {
        abut_pair &pair = pairs.at[i];
        pair = {order_a[pair.a], scene.box_order[pair.b]};
    }
}

void run_child(const Implementation &implementation, bool selves, const Scene &scene, uint64_t capacity,
               unsigned repetitions, int out)
{
    /* Returns the free heap of earlier scenes to the system; from here on malloc keeps freed memory. */
    malloc_trim(0);
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    const uint64_t before = memory_now("VmRSS:");
    Pairs pairs = {static_cast<abut_pair *>(std::malloc((capacity + 1) * sizeof(abut_pair))), 0, capacity};
    need(pairs.at != nullptr, "out of memory");
    uint64_t memory = 0;
    for (unsigned r = 0; r < repetitions; r++) {
        pairs.count = 0;
        Report report = {(selves ? implementation.self : implementation.join)(scene, pairs), pairs.count, 0, 0};
        const uint64_t most = memory_now("VmHWM:"),
                       known = before + std::min(pairs.count, capacity) * sizeof(abut_pair);
        if (r == 0)
            memory = most > known ? most - known : 0;
        if (implementation.sorted)
            unsort(scene, selves, pairs);
        if (selves)
            for (uint64_t i = 0; i < std::min(pairs.count, capacity); i++)
                if (pairs.at[i].a > pairs.at[i].b)
                    std::swap(pairs.at[i].a, pairs.at[i].b);
        report.hash = large_hash(pairs.at, std::min(pairs.count, capacity));
        report.memory = memory;
        need(write(out, &report, sizeof report) == ssize_t(sizeof report), "cannot report");
    }
}

std::vector<Report> run(const Implementation &implementation, bool selves, const Scene &scene, uint64_t capacity,
                        unsigned repetitions)
{
    int ends[2];
    need(pipe(ends) == 0, "no pipe");
    std::fflush(nullptr);
    const pid_t child = fork();
    need(child >= 0, "no process");
    if (child == 0) {
        run_child(implementation, selves, scene, capacity, repetitions, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    std::vector<Report> reports(repetitions);
    for (Report &report : reports)
        need(read(ends[0], &report, sizeof report) == ssize_t(sizeof report), implementation.name);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return reports;
}

/* ---- Tables */

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/* The medians of one implementation. */
struct Figures {
    Took took[2]; /* cold, warm */
    double memory;
    double total(bool warm) const
    {
        return took[warm].build + took[warm].query;
    }
};

Figures figures_of(const std::vector<Report> &cold, const std::vector<Report> &warm)
{
    Figures figures;
    for (bool is_warm : {false, true}) {
        std::vector<double> build, query;
        for (const Report &report : is_warm ? warm : cold) {
            build.push_back(report.took.build);
            query.push_back(report.took.query);
        }
        figures.took[is_warm] = {median(build), median(query)};
    }
    figures.memory = double(cold[0].memory);
    return figures;
}

struct Plan {
    std::vector<size_t> sizes = {LARGE_USUAL};
    unsigned repetitions = 3;
    double patience = 60; /* seconds of one run */
    std::string only, json, cpu = "unknown";
};

struct Row {
    std::string sets, implementation;
    bool selves;
    size_t n;
    uint64_t pairs;
    Figures figures;
};

const char *const warmth[] = {"cold", "warm"};

void print_rows(const std::vector<Row> &rows)
{
    const Figures &base = rows[0].figures;
    std::printf("  %-26s %9s %9s %9s %11s %11s %8s\n", "", "build", "query", "total", "/ abut cold", "/ abut warm",
                "MB");
    for (bool warm : {false, true})
        for (const Row &row : rows)
            std::printf("  %-21s %4s %9.1f %9.1f %9.1f %11.2f %11.2f %8.1f\n", row.implementation.c_str(), warmth[warm],
                        row.figures.took[warm].build, row.figures.took[warm].query, row.figures.total(warm),
                        row.figures.total(warm) / base.total(false), row.figures.total(warm) / base.total(true),
                        row.figures.memory * 1e-6);
}

/* Prints cost against n, the number of spheres and of boxes: one row for each n and implementation. */
void print_costs(const std::vector<Row> &rows)
{
    std::printf("cost against n\n  %-41s %9s %11s %10s %10s %12s %12s %9s\n", "", "n", "pairs", "ms", "ns a pair",
                "/ n log2 n", "/ abut", "MB");
    for (const char *name : {"join_uniform", "join_clustered"})
        for (const Implementation &implementation : all_implementations())
            for (bool warm : {false, true})
                for (const Row &row : rows) {
                    if (row.sets != name || row.implementation != implementation.name || row.selves)
                        continue;
                    const double n = double(row.n), ms = row.figures.total(warm);
                    const auto base = std::find_if(rows.begin(), rows.end(), [&](const Row &other) {
                        return other.sets == name && other.n == row.n && other.implementation == ours && !other.selves;
                    });
                    std::printf("  %-15s%-21s %4s %9zu %11llu %10.3f %10.2f %12.3f %12.2f %9.1f\n", name,
                                row.implementation.c_str(), warmth[warm], row.n,
                                static_cast<unsigned long long>(row.pairs), ms, 1e6 * ms / double(row.pairs),
                                1e6 * ms / (n * std::log2(n)), ms / base->figures.total(warm),
                                row.figures.memory * 1e-6);
                }
}

void write_json(const Plan &plan, const std::vector<Row> &rows)
{
    std::ofstream out(plan.json);
    out << "{\n \"context\": {\n  \"cpu\": \"" << plan.cpu << "\",\n  \"repetitions\": " << plan.repetitions
        << "\n },\n \"medians\": {";
    const char *comma = "\n";
    for (const Row &row : rows)
        for (bool warm : {false, true}) {
            out << comma << "  \"" << row.sets << "/" << (row.selves ? "self" : "join") << "/" << row.n << "/"
                << row.implementation << "/" << warmth[warm]
                << "\": {\n   \"build_ms\": " << row.figures.took[warm].build
                << ",\n   \"query_ms\": " << row.figures.took[warm].query << ",\n   \"pairs\": " << row.pairs
                << ",\n   \"bytes\": " << row.figures.memory << "\n  }";
            comma = ",\n";
        }
    out << "\n }\n}\n";
    out.close();
    need(bool(out), "cannot write the JSON file");
}

/* ---- Measuring */

bool wanted(const Plan &plan, const Implementation &implementation)
{
    return implementation.name == std::string(ours) || plan.only.empty() ||
           std::string(implementation.name).find(plan.only) != std::string::npos;
}

/* Finds the number of pairs and their hash with the scalar kernels. */
Report right_answer(bool selves, const Scene &scene)
{
    need(abut_use_isa("scalar") == ABUT_OK, "no scalar kernels");
    const Implementation scalar = all_implementations()[0];
    const uint64_t count = run(scalar, selves, scene, 0, 1)[0].count;
    const Report right = run(scalar, selves, scene, count, 1)[0];
    need(abut_use_isa(abut_isas()[0]) == ABUT_OK, "no kernels");
    return right;
}

using Last = std::map<std::string, std::pair<size_t, double>>; /* size and seconds of each implementation's last run */

/* Runs all implementations in turn, once a repetition, each cold and then warm. */
std::vector<Row> measure(const large_sets &sets, bool selves, const Scene &scene, const Plan &plan, Last &last)
{
    const size_t n = scene.spheres.n;
    const Report right = right_answer(selves, scene);
    if (n == LARGE_USUAL && !selves)
        need(right.count == sets.pairs && right.hash == sets.hash, "this is not the workload");
    std::vector<Implementation> here;
    for (const Implementation &implementation : all_implementations()) {
        if (!(selves ? implementation.self : implementation.join) || !wanted(plan, implementation))
            continue;
        const auto before = last.find(implementation.name);
        if (implementation.name == std::string(ours) || before == last.end() ||
            before->second.second * double(n) / double(before->second.first) <= plan.patience)
            here.push_back(implementation);
    }
    std::vector<std::vector<Report>> cold(here.size()), warm(here.size());
    for (unsigned r = 0; r < plan.repetitions; r++)
        for (size_t c = 0; c < here.size(); c++) {
            const std::vector<Report> reports = run(here[c], selves, scene, right.count, 2);
            for (const Report &report : reports)
                if (report.count != right.count || report.hash != right.hash)
                    fail(std::string(here[c].name) + " found other pairs: " + std::to_string(report.count) + ", not " +
                         std::to_string(right.count));
            cold[c].push_back(reports[0]);
            warm[c].insert(warm[c].end(), reports.begin() + 1, reports.end());
            last[here[c].name] = {n, 2e-3 * (reports[0].took.build + reports[0].took.query)};
        }
    std::printf("%s, %zu %s, %llu pairs, hash %016llx; one thread, ms\n", sets.name, n,
                selves ? "boxes with each other" : "spheres and boxes", static_cast<unsigned long long>(right.count),
                static_cast<unsigned long long>(right.hash));
    std::vector<Row> rows;
    for (size_t c = 0; c < here.size(); c++)
        rows.push_back({sets.name, here[c].name, selves, n, right.count, figures_of(cold[c], warm[c])});
    print_rows(rows);
    std::fflush(stdout);
    return rows;
}

std::vector<size_t> read_sizes(const char *text)
{
    std::vector<size_t> sizes;
    char *end;
    do {
        sizes.push_back(std::strtoull(text, &end, 10));
        need(end > text && sizes.back() > 1 && sizes.back() <= 100000000,
             "sizes are numbers from 2 to 100000000 with commas between them");
        text = end + 1;
    } while (*end == ',');
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

/* The text behind --NAME=, or null. */
const char *value_of(const char *argument, const char *name)
{
    const size_t length = std::strlen(name);
    return std::strncmp(argument, name, length) == 0 ? argument + length : nullptr;
}

Plan read_plan(int argc, char **argv)
{
    Plan plan;
    for (int i = 1; i < argc; i++) {
        if (const char *sizes = value_of(argv[i], "--sizes="))
            plan.sizes = read_sizes(sizes);
        else if (const char *repetitions = value_of(argv[i], "--repetitions="))
            plan.repetitions = static_cast<unsigned>(std::strtoul(repetitions, nullptr, 10));
        else if (const char *seconds = value_of(argv[i], "--patience="))
            plan.patience = std::strtod(seconds, nullptr);
        else if (const char *only = value_of(argv[i], "--only="))
            plan.only = only;
        else if (const char *json = value_of(argv[i], "--json="))
            plan.json = json;
        else if (const char *cpu = value_of(argv[i], "--cpu="))
            plan.cpu = cpu;
        else
            fail("usage: [--sizes=N,N...] [--repetitions=N] [--only=NAME] [--patience=SECONDS] [--json=FILE] "
                 "[--cpu=MODEL]");
    }
    need(plan.repetitions >= 1 && plan.repetitions <= 100, "1 to 100 repetitions");
    return plan;
}

} // namespace

int main(int argc, char **argv)
{
    const Plan plan = read_plan(argc, argv);
    std::vector<Row> rows;
    for (const large_sets &sets : large_workloads) {
        Last joins, selves;
        for (size_t n : plan.sizes) {
            const Drawn scene(sets, n);
            for (bool self : {false, true})
                for (const Row &row : measure(sets, self, scene, plan, self ? selves : joins))
                    rows.push_back(row);
        }
    }
    if (plan.sizes.size() > 1)
        print_costs(rows);
    if (!plan.json.empty())
        write_json(plan, rows);
    return 0;
}
