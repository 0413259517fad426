// SPDX-License-Identifier: MIT
// Tests abut.hpp with exceptions: every function gives what the C function gives, errors are thrown, nothing leaks.
#include <abut/abut.hpp>

#include <cstdio>
#include <cstring>
#include <random>
#include <set>
#if __cplusplus >= 202002L
#include <span>
#endif

bool status_mode_works(); // cpp_status.cc, which asks for statuses
#ifdef WITHOUT_EXCEPTIONS
bool without_exceptions_works(); // cpp_without_exceptions.cc, which is compiled without them
#endif

namespace
{

unsigned failures;

void expect(bool ok, const char *what, int line)
{
    if (ok)
        return;
    std::printf("cpp_test.cc:%d: %s\n", line, what);
    failures++;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

// The status of the abut::error that f throws.
template <class F> abut_status thrown(F &&f)
{
    try {
        f();
    } catch (const abut::error &e) {
        EXPECT(std::strncmp(e.what(), "abut: ", 6) == 0 && std::strlen(e.what()) > 10);
        return e.status();
    }
    return ABUT_OK;
}

// Two counts of items that fill more than one word and do not end with one.
constexpr std::size_t some = 70, others = 67;

// One batch of each kind, with small whole numbers, which often touch exactly.
struct shapes {
    std::vector<float> at[15];
    abut::hulls hulls;

    explicit shapes(unsigned seed)
    {
        std::mt19937 random(seed);
        const auto whole = [&](int from, int to) { return float(int(random() % unsigned(to - from + 1)) + from); };
        for (std::size_t k = 0; k < 15; k++)
            for (std::size_t i = 0; i < some; i++)
                at[k].push_back(whole(0, 9));
        for (std::size_t i = 0; i < some; i++)
            hulls.add(abut::hull_aabb({{whole(-9, 0), 0, 0}, {whole(1, 9), 5, 6}}));
    }
    abut::set set(abut_set_kind kind, std::size_t n)
    {
        const auto from = [&](std::size_t k) { return abut::span<const float>(at[k].data(), n); };
        switch (kind) {
        case ABUT_SET_POINTS:
            points = abut::points(from(0), from(1), from(2));
            return points;
        case ABUT_SET_SPHERES:
            spheres = abut::spheres(from(0), from(1), from(2), from(3));
            return spheres;
        case ABUT_SET_AABBS:
            aabbs = abut::aabbs(from(0), from(1), from(2), from(3), from(4), from(5));
            return aabbs;
        case ABUT_SET_PLANES:
            planes = abut::planes(from(0), from(1), from(2), from(3));
            return planes;
        case ABUT_SET_OBBS:
            obbs = abut::obbs(from(0), from(1), from(2), from(3), from(4), from(5), from(6), from(7), from(8), from(9),
                              from(10), from(11), from(12), from(13), from(14));
            return obbs;
        case ABUT_SET_SEGMENTS:
            segments = abut::segments(from(0), from(1), from(2), from(3), from(4), from(5));
            return segments;
        case ABUT_SET_CAPSULES:
            capsules = abut::capsules(from(0), from(1), from(2), from(3), from(4), from(5), from(6));
            return capsules;
        case ABUT_SET_TRIANGLES:
            triangles =
                abut::triangles(from(0), from(1), from(2), from(3), from(4), from(5), from(6), from(7), from(8));
            return triangles;
        default:
            return hulls;
        }
    }
    abut::points points;
    abut::spheres spheres;
    abut::aabbs aabbs;
    abut::planes planes;
    abut::obbs obbs;
    abut::segments segments;
    abut::capsules capsules;
    abut::triangles triangles;
};

bool same(abut::mask &mask, const std::vector<uint64_t> &words)
{
    return std::memcmp(mask.data(), words.data(), words.size() * sizeof words[0]) == 0;
}

// The functions of a relation, and those of C.
void test_predicate(const abut_predicate &predicate, shapes &a, shapes &b)
{
    const abut_relation relation = predicate.relation;
    const abut::set first = a.set(predicate.a, some);
    const abut::set one = b.set(predicate.b, predicate.b == ABUT_SET_HULLS ? some : 1);
    std::vector<uint64_t> words(abut_mask_words(some));
    EXPECT(abut_test(relation, first.c(), one.c(), nullptr, words.data()) == ABUT_OK);
    abut::mask hits = abut::test(relation, first, one), exactly = abut::test_exactly(relation, first, one);
    abut::mask named = relation == ABUT_TOUCHES  ? abut::touches(first, one)
                       : relation == ABUT_INSIDE ? abut::inside(first, one)
                                                 : abut::cull(first, one);
    EXPECT(hits.size() == some && same(hits, words) && same(exactly, words) && same(named, words));

    shapes c(7);
    const abut::set all = c.set(predicate.b, predicate.b == ABUT_SET_HULLS ? some : others);
    abut_options open = {};
    open.touch = ABUT_OPEN;
    words.assign(some * abut_mask_words(some), 0);
    EXPECT(abut_test_all(relation, first.c(), all.c(), &open, words.data()) == ABUT_OK);
    abut::mask rows = abut::test_all(relation, first, all, open);
    abut::mask named_rows = relation == ABUT_TOUCHES  ? abut::touches_all(first, all, open)
                            : relation == ABUT_INSIDE ? abut::inside_all(first, all, open)
                                                      : abut::cull_all(first, all, open);
    EXPECT(rows.rows() == some && rows.size() == all.size() && same(rows, words) && same(named_rows, words));
    EXPECT(rows.any() == (rows.count() > 0));
}

void test_masks()
{
    abut::mask mask(130);
    EXPECT(mask.size() == 130 && !mask.any() && mask.count() == 0 && !mask.all() && abut::mask(0).list().empty());
    mask.data()[0] = 5;
    mask.data()[2] = 2;
    const abut::bits bits = mask;
    EXPECT(mask.any() && mask.count() == 3 && bits[2] && !bits[1] && mask[129]);
    EXPECT((mask.list() == std::vector<uint32_t>{0, 2, 129}) && bits.count() == 3 && bits.any() && !bits.all());
}

void test_shapes()
{
    const std::vector<float> three(3, 1), two(2, 1);
    EXPECT(thrown([&] { abut::touches(abut::spheres(three, three, three, two), abut::spheres()); }) ==
           ABUT_ERROR_LENGTHS);
    EXPECT(thrown([&] { abut::index::of(abut::spheres(three, three, two, three)); }) == ABUT_ERROR_LENGTHS);
    const float r[] = {1, -1, 2}, x[] = {0, 0, 0};
    try {
        abut::check(abut::spheres(x, x, x, r));
        expect(false, "a negative radius is thrown", __LINE__);
    } catch (const abut::error &e) {
        EXPECT(e.status() == ABUT_ERROR_INVALID && e.why().invalid.row == 1);
        EXPECT(!std::strcmp(e.what(), "abut: row 1: r is negative"));
    }
    EXPECT(thrown([&] { abut::check(abut::points(x, x, x)); }) == ABUT_OK);

    // C structs, and arrays of one float.
    const float c = 0, radius = 1;
    const abut_spheres ball = {1, &c, &c, &c, &radius};
    EXPECT(abut::touches(ball, ball)[0] && abut::touches(abut::spheres(ball), abut_of_spheres(&ball))[0]);
#if __cplusplus >= 202002L
    const std::span<const float> standard = abut::span<const float>(three);
    EXPECT(abut::spheres(standard, standard, standard, standard).size() == 3);
#endif

    abut::columns<6> boxes = abut::columns<6>::make(2);
    for (std::size_t k = 0; k < 6; k++)
        for (float &value : boxes[k])
            value = float(6 - k);
    abut::aabbs_sort_corners(boxes);
    EXPECT(boxes[0][1] == 3 && boxes[3][1] == 6);
    const abut::columns<6> around = abut::aabbs_of(abut::aabbs(boxes));
    EXPECT(around.size() == 2 && around[5][1] == 4);
    EXPECT(thrown([&] { abut::aabbs_of(abut::planes()); }) == ABUT_ERROR_ARGUMENT);
    EXPECT(thrown([&] { abut::columns<6>::make(SIZE_MAX / 2); }) == ABUT_ERROR_TOO_MANY);
    abut::columns<6> moved = std::move(boxes);
    EXPECT(moved.size() == 2 && boxes.size() == 0);
    const float far[] = {-1, 2, 7};
    const abut::box box = abut::aabb_of_points(abut::points(far, x, far));
    EXPECT(box.min[0] == -1 && box.max[2] == 7 && box.max[1] == 0);
}

void test_making()
{
    struct ball {
        double at[3];
        float radius;
    } balls[2] = {{{100000001, 2, 3}, 4}, {{100000002, 6, 7}, 8}};
    abut::columns<4> columns = abut::columns<4>::make(2);
    const double origin[] = {100000000, 0, 0};
    EXPECT(abut::gather(2, balls[0].at, sizeof *balls, {columns.get(), 3}, origin) == 0);
    EXPECT(abut::gather(2, &balls[0].radius, sizeof *balls, {columns.get() + 3, 1}) == 0);
    EXPECT(columns[0][0] == 1 && columns[0][1] == 2 && columns[2][1] == 7 && columns[3][1] == 8);
    abut::planes_flip(columns);
    EXPECT(columns[3][1] == -8);
    for (std::size_t k = 0; k < 4; k++)
        columns[k][0] = columns[k][1] = float(k == 3);
    const abut::columns<9> axes = abut::obbs_axes_from_quaternions(columns);
    EXPECT(axes.size() == 2 && axes[0][1] == 1 && axes[4][1] == 1 && axes[1][1] == 0);

    const std::array<float, 16> scale = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1};
    const auto obb = abut::obb_from_affine(scale, ABUT_COLUMN_VECTORS, {{-1, -1, -1}, {1, 1, 1}});
    EXPECT(obb && (*obb)[3] == 2 && (*obb)[6] == 1);
    EXPECT(!abut::obb_from_affine({}, ABUT_COLUMN_VECTORS, {}));
    const auto plane = abut::plane_normal({0, 0, 5}, {0, 0, 1});
    EXPECT(plane && (*plane)[3] == -5 && !abut::plane_normal({}, {}));
    const auto through = abut::plane_points({0, 0, 5}, {1, 0, 5}, {0, 1, 5});
    EXPECT(through && (*through)[2] == 1 && !abut::plane_points({}, {}, {}));

    const float edges[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    EXPECT(abut::hull_box({}, edges).size() == 6 && abut::hull_aabb({{1, 0, 0}, {0, 0, 0}}).size() == 0);
    EXPECT(abut::frustum_from_matrix(scale, ABUT_ROW_VECTORS, ABUT_DEPTH_0_1).size() == 6);
    const float cx[] = {0, 4, 0, 0}, cy[] = {0, 0, 4, 0}, cz[] = {0, 0, 0, 4};
    EXPECT(abut::hull_of_points(abut::points(cx, cy, cz)).size() == 4);
    EXPECT(abut::hull_of_points(abut::points(cx, cx, cx)).empty());
    abut_camera camera = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, 1, 1, 1, 100};
    abut::hulls view;
    view.add(abut::frustum_from_camera(camera));
    view.add({{1, 0, 0, -1}});
    EXPECT(view.size() == 2 && view.c().offsets[2] == 7);
    abut::hulls copy = view;
    view.clear();
    const float x[] = {0, 0}, z[] = {50, -50}, r[] = {1, 1};
    EXPECT(abut::touches(abut::spheres(x, x, z, r), copy).list() == std::vector<uint32_t>({0, 1}));
    EXPECT(abut::cull_all(abut::spheres(x, x, z, r), copy).row(0).list() == std::vector<uint32_t>({0}));
    view.add(std::vector<abut::plane>(33));
    EXPECT(thrown([&] { abut::cull_all(abut::spheres(x, x, z, r), view); }) == ABUT_ERROR_ARGUMENT);
}

std::set<std::pair<uint32_t, uint32_t>> sorted(abut::span<const abut_pair> pairs)
{
    std::set<std::pair<uint32_t, uint32_t>> set;
    for (const abut_pair &pair : pairs)
        set.insert({pair.a, pair.b});
    return set;
}

void test_joins()
{
    shapes a(1), b(2);
    const abut::set queries = a.set(ABUT_SET_SPHERES, some), items = b.set(ABUT_SET_SPHERES, others);
    abut::workspace memory = abut::workspace::make();
    abut_options options = {};
    options.workspace = memory.get();
    abut::index index = abut::index::of(items, options);
    const abut::mask all = abut::touches_all(queries, items);
    std::vector<abut_pair> pairs = index.join(queries, options);
    EXPECT(memory.bytes() > 0 && index.size() == others && index.bytes() > 0 && abut::set(index).size() == others);
    EXPECT(pairs.size() == all.count() && sorted(pairs).size() == pairs.size() && !pairs.empty());
    for (const abut_pair &pair : pairs)
        EXPECT(all.row(pair.a)[pair.b]);
    abut::mask again = abut::test_pairs(ABUT_TOUCHES, queries, items, pairs);
    EXPECT(again.all() && again.size() == pairs.size());

    std::vector<abut_pair> buffer(pairs.size());
    EXPECT(index.join_into(buffer, queries) == pairs.size() && sorted(buffer) == sorted(pairs));
    std::vector<abut_pair> blocks;
    index.join_blocks(queries,
                      [&](abut::span<const abut_pair> part) { blocks.insert(blocks.end(), part.begin(), part.end()); });
    EXPECT(sorted(blocks) == sorted(pairs));
    unsigned calls = 0;
    index.self_join_blocks([&](abut::span<const abut_pair>) { return ++calls, false; });
    EXPECT(calls == 1);
    try {
        index.join_blocks(queries, [](abut::span<const abut_pair>) { throw 42; });
        expect(false, "an exception goes on from the call", __LINE__);
    } catch (int which) {
        EXPECT(which == 42);
    }

    const std::vector<uint32_t> counts = index.join_counts(queries);
    const abut::mask any = index.join_any(queries);
    const abut::rows rows = index.join_rows(queries), unsorted = index.join_rows_unsorted(queries);
    EXPECT(rows.queries.empty() && unsorted.queries.size() == some && rows.indices.size() == pairs.size());
    for (uint32_t i = 0; i < some; i++) {
        const std::vector<uint32_t> row = all.row(i).list();
        EXPECT(counts[i] == row.size() && any[i] == !row.empty());
        EXPECT(std::vector<uint32_t>(rows.indices.begin() + std::ptrdiff_t(rows.offsets[i]),
                                     rows.indices.begin() + std::ptrdiff_t(rows.offsets[i + 1])) == row);
        const uint32_t query = unsorted.queries[i];
        EXPECT(unsorted.offsets[i + 1] - unsorted.offsets[i] == counts[query]);
    }
    EXPECT(thrown([&] { index.join(abut::segments(), options); }) == ABUT_OK);
    EXPECT(thrown([&] { abut::index::of(abut::hulls()); }) == ABUT_ERROR_ARGUMENT);
    EXPECT(thrown([&] { index.join_some(std::vector<uint32_t>{others}); }) == ABUT_ERROR_ARGUMENT);
}

void test_self_joins()
{
    shapes a(3);
    abut::set boxes = a.set(ABUT_SET_AABBS, some);
    abut_options skip = {};
    skip.skip_invalid = true;
    abut::index index = abut::index::of(boxes, skip), view = abut::index::view(boxes, 0.5f, skip);
    EXPECT(thrown([&] { abut::index::of(boxes); }) == ABUT_ERROR_INVALID);
    std::vector<abut_pair> pairs = index.self_join();
    const auto before = sorted(pairs);
    EXPECT(sorted(view.self_join()) == before && !before.empty());
    std::vector<abut_pair> buffer(pairs.size());
    EXPECT(index.self_join_into(buffer) == pairs.size() && sorted(buffer) == before);
    std::vector<uint32_t> every(some);
    for (uint32_t i = 0; i < some; i++)
        every[i] = i;
    EXPECT(sorted(index.join_some(every)) == before);
    EXPECT(index.join_some_into(buffer, every) == pairs.size() && sorted(buffer) == before);
    const abut::box around = index.bounds();
    EXPECT(around.min[0] >= 0 && around.max[0] <= 9 && around.min[0] < around.max[0]);

    abut::sort_pairs(pairs);
    for (std::size_t i = 1; i < pairs.size(); i++)
        EXPECT(pairs[i - 1].a < pairs[i].a || (pairs[i - 1].a == pairs[i].a && pairs[i - 1].b < pairs[i].b));
    for (std::size_t i = 0; i < some; i += 2)
        a.at[0][i] = a.at[3][i] - 100;
    EXPECT(double(index.refit(boxes, skip)) > 1);
    std::vector<abut_pair> now = index.self_join();
    abut::sort_pairs(now);
    const abut::contacts contacts = abut::find_contacts(pairs, now);
    EXPECT(contacts.began.size() + contacts.kept.size() == now.size());
    EXPECT(contacts.ended.size() + contacts.kept.size() == pairs.size());
    const std::vector<uint32_t> first = {0}, beyond = {uint32_t(some)};
    for (unsigned k = 0; k < 6; k++)
        a.at[k][0] = k < 3 ? -1000.0f : 1000.0f;
    index.refit_some(boxes, first, skip);
    EXPECT(index.self_join().size() > now.size());
    EXPECT(thrown([&] { index.refit_some(boxes, beyond, skip); }) == ABUT_ERROR_ARGUMENT);
    EXPECT(thrown([&] { index.refit(a.set(ABUT_SET_AABBS, 3)); }) == ABUT_ERROR_LENGTHS);
    index = abut::index::of(abut::aabbs());
    EXPECT(index.size() == 0 && index.self_join().empty());
}

void test_neighbours()
{
    const float x[] = {0, 10, 20}, zero[] = {0, 0, 0}, r[] = {1, 1, 1}, from[] = {12, -4};
    const abut::index index = abut::index::of(abut::spheres(x, zero, zero, r));
    const abut::points points(from, abut::span<const float>(zero, 2), abut::span<const float>(zero, 2));
    const abut::neighbours two = index.nearest(points, 2);
    EXPECT((two.indices == std::vector<uint32_t>{1, 2, 0, 1}) && two.d2[0] == 1 && two.d2[2] == 9);
    abut_neighbours question = {};
    question.k = 1;
    const abut::neighbours one = index.find_neighbours(points, question);
    EXPECT(one.indices[0] == 1 && one.ranks[0] == 0 && one.closest[0][0] == 11 && one.closest[0][1] == -1);
    EXPECT(thrown([&] { index.nearest(points, 0); }) == ABUT_ERROR_ARGUMENT);
    EXPECT(thrown([&] { index.nearest(points, SIZE_MAX); }) == ABUT_ERROR_TOO_MANY);
}

void test_distances()
{
    const float x[] = {3, 9}, zero[] = {0, 0}, r[] = {1, 1};
    const float origin[] = {0};
    const abut::points from(origin, origin, origin);
    const std::vector<float> d2 = abut::distance(from, abut::spheres(x, zero, zero, r));
    const abut::distances found = abut::closest(from, abut::spheres(x, zero, zero, r));
    EXPECT((d2 == std::vector<float>{4, 64}) && found.d2 == d2 && found.closest[0][1] == 8);
    EXPECT(thrown([&] { abut::distance(from, abut::aabbs(origin, origin, origin, x, r, r)); }) == ABUT_ERROR_LENGTHS);
    EXPECT(thrown([&] { abut::closest(from, abut::hulls()); }) == ABUT_ERROR_PREDICATE);
    const float low[] = {-9, -9}, high[] = {4, 8.5f};
    const std::vector<uint8_t> classes =
        abut::classify(abut::spheres(x, zero, zero, r), abut::aabbs(low, low, low, high, high, high));
    EXPECT((classes == std::vector<uint8_t>{ABUT_CLASS_CROSSING, ABUT_CLASS_CROSSING}));
    EXPECT(thrown([&] { abut::classify(from, from); }) == ABUT_ERROR_PREDICATE);
}

void test_reach()
{
    const float x[] = {0, 3, 9}, zero[] = {0, 0, 0};
    const abut::points points(x, zero, zero);
    const abut::index index = abut::index::of(points);
    abut_reach reach = {};
    reach.within = 3;
    EXPECT(std::vector<abut_pair>(index.join_within(points, reach)).size() == 5);
    reach.period[0] = 12;
    std::vector<abut_pair> buffer(20), blocks;
    EXPECT(index.join_within_into(buffer, points, reach) == 7);
    index.join_within_blocks(points, reach, [&](abut::span<const abut_pair> some_pairs) {
        blocks.insert(blocks.end(), some_pairs.begin(), some_pairs.end());
    });
    EXPECT(blocks.size() == 7);
    reach.within = -1;
    EXPECT(thrown([&] { index.join_within(points, reach); }) == ABUT_ERROR_ARGUMENT);
}

void test_engine()
{
    const float x[] = {0, 3, 9}, zero[] = {0, 0, 0}, r[] = {1, 1, 1}, at[] = {3.5f};
    const abut::spheres spheres(x, zero, zero, r);
    const abut::span<const float> nought(zero, 1), one(r, 1);
    const abut::spheres obstacle(at, nought, nought, one);
    const uint32_t offsets[] = {0, 1, 1, 3};
    abut::mask hits = abut::join_groups(abut::index::of(obstacle), spheres, offsets);
    EXPECT(hits.size() == 3 && (hits.list() == std::vector<uint32_t>{2}));
    hits = abut::test_all_groups(ABUT_TOUCHES, spheres, obstacle, offsets);
    EXPECT((hits.list() == std::vector<uint32_t>{2}));
    EXPECT(thrown([&] { abut::join_groups(abut::index::of(obstacle), spheres, {}); }) == ABUT_ERROR_LENGTHS);

    abut::hulls halves;
    halves.add({{1, 0, 0, -1}});
    halves.add({{-1, 0, 0, 5}});
    EXPECT((std::vector<uint32_t>(abut::test_masks(ABUT_INSIDE, spheres, halves)) == std::vector<uint32_t>{1, 0, 2}));

    const float low[] = {-9, 1, 0}, high[] = {-0.5f, 2, 1};
    const abut::penetrations out = abut::penetration(spheres, abut::aabbs(low, low, low, high, high, high));
    EXPECT(out.depth.size() == 3 && out.directions.size() == 3 && out.depth[2] == -7);
    EXPECT(thrown([&] { abut::penetration(spheres, halves); }) == ABUT_ERROR_PREDICATE);
}

void test_meshes()
{
    const float x[] = {0, 1, 0, 1}, y[] = {0, 0, 1, 1}, z[] = {0, 0, 0, 0}, r[] = {0.25f, 1, 1, 0.25f};
    const uint32_t corners[] = {0, 1, 2, 1, 3, 2};
    const abut::index mesh = abut::index::of_mesh(abut::points(x, y, z), corners);
    EXPECT(mesh.size() == 2 && mesh.join(abut::spheres(x, y, z, r)).size() == 6);
    const abut::span<const uint32_t> five(corners, 5);
    EXPECT(thrown([&] { abut::index::of_mesh(abut::points(x, y, z), five); }) == ABUT_ERROR_LENGTHS);
    const uint32_t missing[] = {0, 1, 4};
    EXPECT(thrown([&] { abut::index::of_mesh(abut::points(x, y, z), missing); }) == ABUT_ERROR_INVALID);
}

// A tetrahedron with corners at the origin and 4 along each axis.
void test_casts()
{
    const float x[] = {2, 5, 5}, zero[] = {0, 0, 0}, r[] = {1, 1, 1}, from[] = {0, 9}, step[] = {2, -1}, end[] = {9, 1};
    const abut::index index = abut::index::of(abut::spheres(x, zero, zero, r));
    abut_rays rays = {2, from, zero, zero, step, zero, zero, nullptr, end};
    const abut::first_hits first = abut::cast_first(index, rays);
    EXPECT((first.items == std::vector<uint32_t>{0, UINT32_MAX}) && first.t[0] == 0.5f && first.t[1] > 1e38f);
    const abut::mask any = abut::cast_any(index, rays);
    EXPECT(any[0] && !any[1]);
    const abut::rows_of_hits all = abut::cast_all(index, rays);
    EXPECT((all.offsets == std::vector<uint64_t>{0, 3, 3}) && (all.items == std::vector<uint32_t>{0, 1, 2}));
    EXPECT((all.t == std::vector<float>{0.5f, 2, 2}));
    abut::hulls slabs;
    slabs.add({{-1, 0, 0, 1}, {1, 0, 0, -3}});
    slabs.add({{-1, 0, 0, 4}, {1, 0, 0, -6}});
    const float far = 1e30f, low[] = {1, 4}, high[] = {3, 6}, least[] = {-far, -far}, most[] = {far, far};
    const abut::index boxes = abut::index::of(abut::aabbs(low, least, least, high, most, most));
    EXPECT((abut::cast_first(boxes, slabs, rays).items == std::vector<uint32_t>{0, UINT32_MAX}));
    EXPECT(abut::cast_any(boxes, slabs, rays)[0] && !abut::cast_any(boxes, slabs, rays)[1]);
    EXPECT((abut::cast_all(boxes, slabs, rays).t == std::vector<float>{0.5f, 2}));
    rays.x = nullptr;
    EXPECT(thrown([&] { abut::cast_all(index, rays); }) == ABUT_ERROR_NULL);
    EXPECT(thrown([&] { abut::cast_first(boxes, slabs, rays); }) == ABUT_ERROR_NULL);
}

void test_solids()
{
    const std::vector<float> a(4, 0), ax{0, 0, 0, 4}, bx{4, 0, 4, 0}, by{0, 4, 0, 4}, cy{4, 0, 0, 0}, cz{0, 4, 4, 4};
    const abut::triangles surface(ax, a, a, bx, by, a, a, cy, cz);
    const abut::solid solid = abut::solid::of(surface);
    const float x[] = {1, 4, 0}, same[] = {0.5f, 4, 0};
    const abut::points points(x, same, same);
    const abut::mask inside = solid.contains(points);
    EXPECT(inside[0] && !inside[1] && inside[2] && solid.get() != nullptr);
    const abut::signed_distances found = solid.distance(points);
    EXPECT(found.distance[0] == -0.5f && found.d2[0] == -0.25f && found.distance[1] > 0 && found.distance[2] == 0);
    EXPECT(found.triangles[1] == 3 && found.closest[0][0] == 1);
    const abut::span<const float> three(ax.data(), 3);
    const auto first = [](const std::vector<float> &of) { return abut::span<const float>(of.data(), 3); };
    const abut::triangles open(three, first(a), first(a), first(bx), first(by), first(a), first(a), first(cy),
                               first(cz));
    EXPECT(thrown([&] { abut::solid::of(open); }) == ABUT_ERROR_INVALID);
}

void test_worlds()
{
    const float x[] = {0, 1, 9}, zero[] = {0, 0, 0}, r[] = {1, 1, 1}, far[] = {8.5f};
    const abut::span<const float> nought(zero, 1), one(r, 1);
    abut::world world = abut::world::make(0.1f);
    const uint64_t data[] = {7, 8, 9};
    abut::world_labels labels;
    labels.data = data;
    const std::vector<uint32_t> ids = world.add(abut::spheres(x, zero, zero, r), labels);
    abut::world_changes changes = world.update();
    EXPECT(changes.began.size() == 1 && changes.began[0].a == 0 && changes.began[0].b == 1 && changes.ended.empty());
    EXPECT(world.size() == 3 && world.has(2) && !world.has(3) && world.data(1) == 8 && world.pair_count() == 1);

    const std::vector<unsigned char> saved = world.save();
    const uint32_t moved[] = {1};
    world.move(moved, abut::spheres(far, nought, nought, one));
    changes = world.update(true);
    EXPECT(changes.began.size() == 1 && changes.began[0].b == 2 && changes.ended.size() == 1 && changes.kept.empty());
    EXPECT((std::vector<uint32_t>(world.touching(1)) == std::vector<uint32_t>{2}) && world.bytes() > 0);
    abut::world before = abut::world::restore(saved);
    EXPECT((std::vector<uint32_t>(before.touching(1)) == std::vector<uint32_t>{0}) && before.save() == saved);

    const uint32_t groups[] = {0};
    labels = abut::world_labels();
    labels.groups = groups;
    world.label(moved, labels);
    changes = world.update();
    EXPECT(changes.ended.size() == 1 && world.pair_count() == 0);
    abut_neighbours wanted = {};
    wanted.k = 2;
    const abut::neighbours near = world.nearest(abut::points(far, nought, nought), wanted);
    EXPECT(near.indices.size() == 2 && near.indices[0] != near.indices[1] && near.d2[0] <= near.d2[1]);
    const std::vector<abut_pair> met = world.join(abut::spheres(far, nought, nought, one));
    EXPECT(met.size() == 2 && met[0].a == 0 && met[0].b == 1 && met[1].b == 2);
    world.remove(moved);
    EXPECT(world.size() == 2 && thrown([&] { world.remove(moved); }) == ABUT_ERROR_ARGUMENT);
    EXPECT(thrown([&] { world.move(ids, abut::spheres(far, nought, nought, one)); }) == ABUT_ERROR_LENGTHS);
    EXPECT(thrown([&] { world.label(ids, labels); }) == ABUT_ERROR_LENGTHS);
    EXPECT(thrown([&] { world.add(abut::hulls()); }) == ABUT_ERROR_ARGUMENT);
    EXPECT(thrown([&] { abut::world::make(-1); }) == ABUT_ERROR_ARGUMENT);
    EXPECT(thrown([&] { abut::world::restore({saved.data(), saved.size() - 1}); }) == ABUT_ERROR_INVALID);
}

void test_library()
{
    const std::vector<const char *> isas = abut::isas();
    EXPECT(!std::strcmp(abut::version(), ABUT_VERSION) && !isas.empty() && !std::strcmp(isas.back(), "scalar"));
    const std::string active = abut::isa();
    abut::use_isa("scalar");
    EXPECT(!std::strcmp(abut::isa(), "scalar"));
    abut::use_isa(active.c_str());
    EXPECT(thrown([] { abut::use_isa("none"); }) == ABUT_ERROR_ARGUMENT);
}

} // namespace

int main()
{
    shapes a(11), b(12);
    for (const abut_predicate &predicate : abut::predicates())
        test_predicate(predicate, a, b);
    EXPECT(abut::predicates().size() > 10);
    test_masks();
    test_shapes();
    test_making();
    test_joins();
    test_self_joins();
    test_neighbours();
    test_distances();
    test_reach();
    test_engine();
    test_meshes();
    test_casts();
    test_solids();
    test_worlds();
    test_library();
    EXPECT(status_mode_works());
#ifdef WITHOUT_EXCEPTIONS
    EXPECT(without_exceptions_works());
#endif
    std::printf("%u failures\n", failures);
    return failures > 0;
}
