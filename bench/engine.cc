/* SPDX-License-Identifier: MIT */
/*
 * Times small searches, and the calls of engine.h beside what one would write without them. Both ways must give the
 * same answers before they are timed. By turns in one process, medians of CPU time, one thread.
 */
#include <abut/engine.h>

#include "turns.h"

namespace
{

/* Boxes that fill a tenth of a cube, and 1,000 queries like them: one query a call. */
void small_search(size_t n)
{
    constexpr size_t queries = 1000;
    Frame boxes(n), asked(queries);
    Random random(2);
    boxes.scatter();
    for (size_t i = 0; i < queries; i++) {
        const size_t near = size_t(random.whole(0, int(n) - 1));
        for (int k = 0; k < 3; k++) {
            const float by = random.uniform(-1, 1);
            asked.bounds[k].push_back(boxes.bounds[k][near] + by);
            asked.bounds[k + 3].push_back(boxes.bounds[k + 3][near] + by);
        }
    }
    const abut_aabbs items = Frame::view(boxes.bounds);
    const Indexed in(abut_of_aabbs(&items));
    std::vector<abut_pair> pairs(n);
    std::vector<uint32_t> list(n);
    std::vector<uint64_t> hits(abut_mask_words(n));
    std::vector<uint64_t> sums[3];
    const auto box = [&](size_t i) {
        const std::vector<float> *at = asked.bounds;
        return abut_aabbs{1, &at[0][i], &at[1][i], &at[2][i], &at[3][i], &at[4][i], &at[5][i]};
    };
    /* The sum of the numbers that were found, for each query. */
    const Timed search = {"abut_join", [&] {
                              sums[0].assign(queries, 0);
                              for (size_t i = 0; i < queries; i++) {
                                  uint64_t count;
                                  const abut_aabbs one = box(i);
                                  ok(abut_join(in.index, abut_of_aabbs(&one), &in.options, pairs.data(), n, &count));
                                  for (size_t j = 0; j < count; j++)
                                      sums[0][i] += 1 + pairs[j].b;
                              }
                          }};
    const Timed loop = {"a loop", [&] {
                            sums[1].assign(queries, 0);
                            for (size_t i = 0; i < queries; i++) {
                                size_t count = 0;
                                for (uint32_t j = 0; j < n; j++) {
                                    bool touch = true;
                                    for (int k = 0; k < 3 && touch; k++)
                                        touch = asked.bounds[k][i] <= boxes.bounds[k + 3][j] &&
                                                boxes.bounds[k][j] <= asked.bounds[k + 3][i];
                                    if (touch)
                                        list[count++] = j;
                                }
                                for (size_t j = 0; j < count; j++)
                                    sums[1][i] += 1 + list[j];
                            }
                        }};
    const Timed test = {"abut_test", [&] {
                            sums[2].assign(queries, 0);
                            for (size_t i = 0; i < queries; i++) {
                                const abut_aabbs one = box(i);
                                ok(abut_aabbs_touch_aabbs(&one, &items, nullptr, hits.data()));
                                const size_t count = abut_mask_list(hits.data(), n, list.data(), n);
                                for (size_t j = 0; j < count; j++)
                                    sums[2][i] += 1 + list[j];
                            }
                        }};
    for (const Timed &way : {search, loop, test})
        way.run();
    need(sums[0] == sums[1] && sums[0] == sums[2], "small searches differ");
    const std::vector<double> ns = medians({search, loop, test}, queries);
    std::printf("one query among %7zu %14.3f %14.3f %14.3f\n", n, ns[0] / 1e3, ns[1] / 1e3, ns[2] / 1e3);
}

/* Robots of 30 spheres among 10,000 boxes: which of them are in collision? */
void groups()
{
    const size_t robots = 10000 / part, links = 30, n = robots * links;
    Frame boxes(10000);
    boxes.scatter();
    const abut_aabbs items = Frame::view(boxes.bounds);
    const Indexed in(abut_of_aabbs(&items));
    const Columns at = scatter(n, 46, 0.3f, 3);
    const abut_spheres spheres = spheres_of(at);
    const abut_set queries = abut_of_spheres(&spheres);
    std::vector<uint32_t> offsets;
    for (size_t i = 0; i <= robots; i++)
        offsets.push_back(uint32_t(i * links));
    const abut_groups of = {robots, offsets.data()};
    std::vector<abut_pair> pairs = in.pairs(queries, in.options);
    std::vector<uint64_t> mask(abut_mask_words(robots)), other(mask.size());
    compare("a group", robots,
            {"abut_join_groups", [&] { ok(abut_join_groups(in.index, queries, &of, &in.options, mask.data())); }},
            {"abut_join, and a bit for each pair",
             [&] {
                 uint64_t count;
                 ok(abut_join(in.index, queries, &in.options, pairs.data(), pairs.size(), &count));
                 std::fill(other.begin(), other.end(), 0);
                 for (size_t i = 0; i < count; i++)
                     other[pairs[i].a / links / 64] |= uint64_t(1) << pairs[i].a / links % 64;
             }},
            [&] { return mask == other; });
}

/* Cameras in the middle of a cube, each a quarter turn or less from the last. */
struct Cameras {
    std::vector<uint32_t> offsets{0};
    std::vector<float> n[3], d;

    explicit Cameras(unsigned count)
    {
        for (unsigned i = 0; i < count; i++) {
            const float turn = 6.2831853f * float(i) / float(count);
            const abut_camera camera = {{50, 50, 50}, {std::cos(turn), 0, std::sin(turn)}, {0, 1, 0}, 0.4f, 1.5f, 0.1f,
                                        200};
            float planes[6][4];
            const unsigned sides = abut_frustum_from_camera(&camera, planes);
            for (unsigned p = 0; p < sides; p++) {
                for (int k = 0; k < 3; k++)
                    n[k].push_back(planes[p][k]);
                d.push_back(planes[p][3]);
            }
            offsets.push_back(uint32_t(d.size()));
        }
    }
    abut_hulls all() const
    {
        return {offsets.size() - 1, offsets.data(), n[0].data(), n[1].data(), n[2].data(), d.data()};
    }
    abut_hulls one(size_t i) const
    {
        return {1, offsets.data() + i, n[0].data(), n[1].data(), n[2].data(), d.data()};
    }
};

/* Which spheres do cameras see? As a mask of each sphere, or as a list of each camera. */
void masks(unsigned count)
{
    const size_t n = 100000 / part;
    const Columns at = scatter(n, 100, 1, 4);
    const abut_spheres spheres = spheres_of(at);
    const abut_set items = abut_of_spheres(&spheres);
    const Cameras cameras(count);
    const abut_hulls hulls = cameras.all();
    const Indexed in(items);
    abut_options options = in.options;
    options.relation = ABUT_CULL;
    std::vector<uint32_t> found(n), lists[32];
    std::vector<uint64_t> hits(abut_mask_words(n));
    const auto listed = [&] {
        std::vector<uint32_t> all(n);
        for (unsigned j = 0; j < count; j++)
            for (const uint32_t i : lists[j])
                all[i] |= 1U << j;
        return all == found;
    };
    for (std::vector<uint32_t> &list : lists)
        list.reserve(n);
    const std::string name = std::to_string(count) + " cameras: ";
    compare("a sphere", n,
            {name + "abut_test_masks", [&] { ok(abut_test_masks(ABUT_CULL, items, &hulls, nullptr, found.data())); }},
            {"abut_test and abut_mask_list, each camera",
             [&] {
                 for (unsigned j = 0; j < count; j++) {
                     const abut_hulls one = cameras.one(j);
                     ok(abut_test(ABUT_CULL, items, abut_of_hulls(&one), nullptr, hits.data()));
                     lists[j].resize(n);
                     lists[j].resize(abut_mask_list(hits.data(), n, lists[j].data(), n));
                 }
             }},
            listed);
    std::vector<uint64_t> offsets(count + 1);
    std::vector<uint32_t> rows(count * n);
    compare(
        "a sphere", n,
        {name + "abut_join_masks",
         [&] { ok(abut_join_masks(in.index, abut_of_hulls(&hulls), &options, found.data())); }},
        {"abut_join_rows",
         [&] {
             ok(abut_join_rows(in.index, abut_of_hulls(&hulls), &options, offsets.data(), rows.data(), rows.size()));
         }},
        [&] {
            for (unsigned j = 0; j < count; j++)
                lists[j].assign(rows.begin() + long(offsets[j]), rows.begin() + long(offsets[j + 1]));
            return listed();
        });
}

void bits_and_classes()
{
    const size_t n = 100000 / part, count = 4;
    const Columns at = scatter(n, 100, 1, 5);
    const abut_spheres spheres = spheres_of(at);
    const abut_set items = abut_of_spheres(&spheres);
    const Cameras cameras(count);
    const abut_hulls hulls = cameras.all();
    const Indexed in(items);
    std::vector<uint64_t> bits(count * abut_mask_words(n)), all(bits.size());
    compare(
        "a sphere", n,
        {"4 cameras: abut_join_bits",
         [&] { ok(abut_join_bits(in.index, abut_of_hulls(&hulls), &in.options, bits.data())); }},
        {"abut_test_all", [&] { ok(abut_test_all(ABUT_TOUCHES, items, abut_of_hulls(&hulls), nullptr, all.data())); }},
        [&] { return bits == all; });
    std::vector<uint8_t> classes(count * n), each(count * n);
    compare(
        "a sphere", n,
        {"4 cameras: abut_join_classes", [&] { ok(abut_join_classes(in.index, &hulls, &in.options, classes.data())); }},
        {"abut_classify, each camera",
         [&] {
             for (size_t j = 0; j < count; j++) {
                 const abut_hulls one = cameras.one(j);
                 ok(abut_classify(items, abut_of_hulls(&one), nullptr, each.data() + j * n));
             }
         }},
        [&] { return classes == each; });
}

/* Particles with 12 to 30 neighbours. */
void neighbour_lists()
{
    const size_t n = 100000 / part;
    const Columns at = scatter(n, std::cbrt(float(n)), 1, 6);
    const std::vector<float> radii(n, 0.8f);
    const abut_points points = points_of(at);
    const abut_spheres spheres = {n, at[0].data(), at[1].data(), at[2].data(), radii.data()};
    const Indexed in(abut_of_spheres(&spheres));
    std::vector<uint64_t> offsets(n + 1), other(n + 1);
    ok(abut_join_rows(in.index, abut_of_index(in.index), &in.options, offsets.data(), nullptr, 0));
    std::vector<uint32_t> indices(offsets[n]), others(offsets[n]), rows(n), other_rows(n);
    const Timed plain = {"abut_join_rows_unsorted, self and both ways", [&] {
                             ok(abut_join_rows_unsorted(in.index, abut_of_index(in.index), &in.options,
                                                        other_rows.data(), other.data(), others.data(), others.size()));
                         }};
    const auto unsorted = [&](abut_rows form) {
        ok(abut_self_rows_unsorted(in.index, form, &in.options, rows.data(), offsets.data(), indices.data(),
                                   indices.size()));
    };
    compare("a point", n, {"abut_self_rows_unsorted, half", [&] { unsorted(ABUT_ROWS_HALF); }}, plain,
            [&] { return 2 * offsets[n] + n == other[n]; });
    compare("a point", n, {"abut_self_rows_unsorted, full", [&] { unsorted(ABUT_ROWS_FULL); }}, plain,
            [&] { return offsets[n] + n == other[n]; });
    compare(
        "a point", n,
        {"abut_self_rows, full",
         [&] {
             ok(abut_self_rows(in.index, ABUT_ROWS_FULL, &in.options, offsets.data(), indices.data(), indices.size()));
         }},
        {"abut_join_rows, with self",
         [&] {
             ok(abut_join_rows(in.index, abut_of_index(in.index), &in.options, other.data(), others.data(),
                               others.size()));
         }},
        [&] { return offsets[n] + n == other[n]; });
    const Columns moved = at;
    const abut_points now = points_of(moved);
    bool any = true, any_other = true;
    compare("a point", n, {"abut_any_moved, none has", [&] { ok(abut_any_moved(&points, &now, 0.1f, &any)); }},
            {"a loop",
             [&] {
                 any_other = false;
                 for (size_t i = 0; i < n && !any_other; i++) {
                     const float x = now.x[i] - points.x[i], y = now.y[i] - points.y[i], z = now.z[i] - points.z[i];
                     any_other = x * x + y * y + z * z > 0.01f;
                 }
             }},
            [&] { return !any && !any_other; });
}

/* Four types of points with a distance for each pair of types. */
void cutoffs()
{
    const size_t n = 100000 / part;
    const Columns at = scatter(n, std::cbrt(float(n)), 1, 7);
    const abut_points points = points_of(at);
    const Indexed in(abut_of_points(&points));
    float distances[16];
    std::vector<uint32_t> types;
    for (unsigned i = 0; i < 16; i++)
        distances[i] = 0.8f + 0.1f * float(i / 4 + i % 4);
    for (size_t i = 0; i < n; i++)
        types.push_back(uint32_t(i * 7 % 4));
    const abut_cutoffs of = {4, distances, types.data()};
    std::vector<uint64_t> offsets(n + 1);
    std::vector<uint32_t> rows(n), indices(60 * n);
    size_t kept = 0;
    std::vector<abut_pair> pairs(60 * n);
    compare("a point", n,
            {"abut_cutoff_rows_unsorted, full",
             [&] {
                 ok(abut_cutoff_rows_unsorted(in.index, &points, &of, ABUT_ROWS_FULL, &in.options, rows.data(),
                                              offsets.data(), indices.data(), indices.size()));
             }},
            {"abut_join_within the greatest, filtered after",
             [&] {
                 const abut_reach reach = {1.4f, {}, 0};
                 uint64_t count;
                 ok(abut_join_within(in.index, abut_of_points(&points), &reach, &in.options, pairs.data(), pairs.size(),
                                     &count));
                 need(count <= pairs.size(), "too many neighbours");
                 kept = 0;
                 for (size_t p = 0; p < count; p++) {
                     const uint32_t i = pairs[p].a, j = pairs[p].b;
                     const double x = double(at[0][i]) - at[0][j], y = double(at[1][i]) - at[1][j],
                                  z = double(at[2][i]) - at[2][j], c = distances[types[i] * 4 + types[j]];
                     if (i != j && x * x + y * y + z * z <= c * c)
                         pairs[kept++] = pairs[p];
                 }
             }},
            [&] { return kept == offsets[n]; });
}

void penetration()
{
    const size_t n = 100000 / part;
    const Columns at = scatter(n, 100, 3, 8);
    const abut_spheres spheres = spheres_of(at);
    const abut_points centres = points_of(at);
    Frame boxes(n);
    Random random(9);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            boxes.bounds[k].push_back(at[k][i] + random.uniform(-3, 1));
            boxes.bounds[k + 3].push_back(boxes.bounds[k][i] + random.uniform(0, 2));
        }
    const abut_aabbs items = Frame::view(boxes.bounds);
    std::vector<float> depth(n), d2(n), x(n), y(n), z(n);
    const abut_directions directions = {x.data(), y.data(), z.data()};
    const abut_closest closest = {x.data(), y.data(), z.data()};
    compare("a pair", n,
            {"abut_penetration, sphere and AABB, direction",
             [&] { ok(abut_penetration(&spheres, abut_of_aabbs(&items), depth.data(), &directions)); }},
            {"abut_distance of the centre, closest point",
             [&] { ok(abut_distance(&centres, abut_of_aabbs(&items), d2.data(), &closest)); }},
            [&] {
                for (size_t i = 0; i < n; i++)
                    if (d2[i] > 0 && !(std::fabs(at[3][i] - std::sqrt(d2[i]) - depth[i]) <= 1e-5f))
                        return false;
                return true;
            });
}

/*
 * Ten groups, whose items meet those of their own group alone: 90 % of the pairs do not count. Boxes that are grown on
 * all sides have more pairs.
 */
void filtered(float grow)
{
    const size_t n = 100000 / part;
    Frame boxes(n);
    boxes.scatter();
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++) {
            boxes.bounds[k][i] -= grow;
            boxes.bounds[k + 3][i] += grow;
        }
    const abut_aabbs items = Frame::view(boxes.bounds);
    const Indexed in(abut_of_aabbs(&items));
    std::vector<uint32_t> bits;
    for (size_t i = 0; i < n; i++)
        bits.push_back(1U << i % 10);
    abut_filter filter = {};
    filter.item_groups = filter.item_masks = bits.data();
    abut_options options = in.options;
    options.filter = &filter;
    uint64_t count = 0, all = 0;
    ok(abut_self_join(in.index, &in.options, nullptr, 0, &all));
    std::vector<abut_pair> pairs(all), kept(all);
    size_t others = 0;
    compare("an item", n,
            {"abut_self_join, filtered, " + std::to_string(double(all) / double(n)).substr(0, 3) + " pairs an item",
             [&] {
                 ok(abut_self_join(in.index, &options, pairs.data(), pairs.size(), &count));
                 ok(abut_sort_pairs(pairs.data(), count, &in.options));
             }},
            {"abut_self_join, sorted, filtered after",
             [&] {
                 ok(abut_self_join(in.index, &in.options, kept.data(), kept.size(), &all));
                 ok(abut_sort_pairs(kept.data(), all, &in.options));
                 others = 0;
                 for (size_t i = 0; i < all; i++)
                     if ((bits[kept[i].a] & bits[kept[i].b]) != 0)
                         kept[others++] = kept[i];
             }},
            [&] {
                return count == others &&
                       std::equal(pairs.begin(), pairs.begin() + long(count), kept.begin(),
                                  [](const abut_pair &a, const abut_pair &b) { return a.a == b.a && a.b == b.b; });
            });
}

} // namespace

int main(int argc, char **argv)
{
    need(argc == 1 || (argc == 2 && std::strcmp(argv[1], "--quick") == 0), "usage: [--quick]");
    part = argc == 2 ? 20 : 1;
    std::printf("%-23s %14s %14s %14s\n", "us a query", "abut_join", "a loop", "abut_test");
    for (const size_t n : {10, 100, 1000, 100000})
        if (n <= 1000 || part == 1)
            small_search(n);
    std::printf("\nthe time of each call; that of the other way; other / call\n");
    groups();
    masks(4);
    masks(32);
    bits_and_classes();
    neighbour_lists();
    cutoffs();
    penetration();
    filtered(0);
    filtered(0.6f);
    return 0;
}
