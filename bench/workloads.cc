/* SPDX-License-Identifier: MIT */
/* Draws the workloads. The order of the random draws defines them: do not change it. */
#include "workloads.h"
#include <abut/shapes.h>

#include "generator.h"

#include <cmath>
#include <cstring>
#include <new>

Columns::Columns(size_t n, unsigned fields) : fields_(fields)
{
    if (abut_columns_new(n, fields, columns_, nullptr) != ABUT_OK)
        throw std::bad_alloc();
}

Columns::~Columns()
{
    abut_columns_free(columns_, nullptr);
}

std::vector<const float *> Columns::from(size_t i) const
{
    std::vector<const float *> at;
    for (unsigned k = 0; k < fields_; k++)
        at.push_back(columns_[k] + i);
    return at;
}

Item Columns::item(size_t i) const
{
    Item item = {};
    for (unsigned k = 0; k < fields_; k++)
        item[k] = columns_[k][i];
    return item;
}

void Columns::store(size_t i, const Item &item)
{
    for (unsigned k = 0; k < fields_; k++)
        columns_[k][i] = item[k];
}

#define PREDICATE(name, a, b, relation, function)                                                                      \
    {#name, #relation, shape_##a, shape_##b, static_cast<unsigned>(a##_fields), static_cast<unsigned>(b##_fields)},
const PredicateFacts predicate_facts[predicate_count] = {
#include "tables/predicates.def"
};

namespace
{

struct Vector {
    float x, y, z;
};

float draw_distance(Random &random, Range range)
{
    return range.low == range.high ? range.low : random.uniform(range.low, range.high);
}

/* Uniform in a cube about a centre. */
Vector draw_centre(Random &random, Vector about, float spread)
{
    float x = random.uniform(-spread, spread), y = random.uniform(-spread, spread), z = random.uniform(-spread, spread);
    return {about.x + x, about.y + y, about.z + z};
}

Item draw_point(Random &, Vector c, Range)
{
    return {c.x, c.y, c.z};
}

Item draw_sphere(Random &random, Vector c, Range size)
{
    return {c.x, c.y, c.z, draw_distance(random, size)};
}

Item draw_aabb(Random &random, Vector c, Range size)
{
    float x = draw_distance(random, size), y = draw_distance(random, size), z = draw_distance(random, size);
    return {c.x - x, c.y - y, c.z - z, c.x + x, c.y + y, c.z + z};
}

/* A plane through the centre, with a unit normal. */
Item draw_plane(Random &random, Vector c, Range)
{
    double x = 0, y = 0, z = 0, square = 0;
    while (square < 1e-6) {
        x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        square = x * x + y * y + z * z;
    }
    double length = std::sqrt(square);
    float nx = float(x / length), ny = float(y / length), nz = float(z / length);
    return {nx, ny, nz, -(nx * c.x + ny * c.y + nz * c.z)};
}

/* Half extents, then a quaternion of four numbers from -1 to 1, normalised in double; its axes are rounded to float. */
Item draw_obb(Random &random, Vector c, Range size)
{
    float hx = draw_distance(random, size), hy = draw_distance(random, size), hz = draw_distance(random, size);
    double q[4], length = 0;
    for (double &member : q) {
        member = random.uniform(-1, 1);
        length += member * member;
    }
    length = std::sqrt(length);
    const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
    return {c.x,
            c.y,
            c.z,
            hx,
            hy,
            hz,
            float(1 - 2 * (y * y + z * z)),
            float(2 * (x * y + w * z)),
            float(2 * (x * z - w * y)),
            float(2 * (x * y - w * z)),
            float(1 - 2 * (x * x + z * z)),
            float(2 * (y * z + w * x)),
            float(2 * (x * z + w * y)),
            float(2 * (y * z - w * x)),
            float(1 - 2 * (x * x + y * y))};
}

Vector draw_near(Random &random, Vector c, Range size)
{
    return draw_centre(random, c, size.high);
}

Item draw_segment(Random &random, Vector c, Range size)
{
    Vector a = draw_near(random, c, size), b = draw_near(random, c, size);
    return {a.x, a.y, a.z, b.x, b.y, b.z};
}

Item draw_capsule(Random &random, Vector c, Range size)
{
    Item item = draw_segment(random, c, size);
    item[6] = draw_distance(random, size);
    return item;
}

Item draw_triangle(Random &random, Vector c, Range size)
{
    Item item = draw_segment(random, c, size);
    Vector third = draw_near(random, c, size);
    item[6] = third.x, item[7] = third.y, item[8] = third.z;
    return item;
}

#define SHAPE(name, plural, fields) draw_##name,
Item (*const draw_shape[shape_count])(Random &, Vector centre, Range size) = {
#include "tables/shapes.def"
};

constexpr float world = 50;

void fill_rotation(const Workload &w, Columns &a, Columns &b, size_t n)
{
    const PredicateFacts &facts = predicate_facts[w.predicate];
    Random random_b(0x1001), random_a(0x1002);
    for (size_t i = 0; i < n; i++)
        b.store(i, draw_shape[facts.shape_b](random_b, draw_centre(random_b, {0, 0, 0}, world), w.size_b));
    for (size_t i = 0; i < w.rows(); i++)
        a.store(i, draw_shape[facts.shape_a](random_a, draw_centre(random_a, {0, 0, 0}, w.spread), w.size_a));
}

void fill_pairs(const Workload &w, Columns &a, Columns &b, size_t n)
{
    const PredicateFacts &facts = predicate_facts[w.predicate];
    Random random(0x2001);
    for (size_t i = 0; i < n; i++) {
        Vector centre = draw_centre(random, {0, 0, 0}, world);
        b.store(i, draw_shape[facts.shape_b](random, centre, w.size_b));
        a.store(i, draw_shape[facts.shape_a](random, draw_centre(random, centre, w.spread), w.size_a));
    }
}

/*
 * Spheres that touch a face, an edge or a corner of a box exactly. The offsets (x, y, z, r) from it satisfy
 * x^2 + y^2 + z^2 = r^2 in integers.
 */
void fill_ties(Columns &a, Columns &b, size_t n)
{
    static const int offsets[][4] = {{1, 0, 0, 1},   {0, 3, 0, 3}, {3, 4, 0, 5},
                                     {0, 5, 12, 13}, {1, 2, 2, 3}, {2, 3, 6, 7}};
    Random random(0x7101);
    for (size_t i = 0; i < n; i++) {
        const int *offset = offsets[random.whole(0, 5)];
        Item box = {}, sphere = {0, 0, 0, static_cast<float>(offset[3])};
        for (int k = 0; k < 3; k++) {
            int min = random.whole(-50, 50), max = min + random.whole(1, 4);
            box[k] = static_cast<float>(min);
            box[k + 3] = static_cast<float>(max);
            sphere[k] = static_cast<float>(random.whole(0, 1) ? max + offset[k] : min - offset[k]);
        }
        b.store(i, box);
        a.store(i, sphere);
    }
}

/* A shape with a level top at height c.y, around c or below it. OBBs are turned about the vertical axis. */
Item level_ground(Random &random, enum shape shape, Vector c)
{
    const float half = static_cast<float>(random.whole(16, 32)) / 16, top = c.y;
    const double angle = random.uniform(0, 6);
    const float cosine = float(std::cos(angle)), sine = float(std::sin(angle));
    switch (shape) {
    case shape_plane:
        return {0, 1, 0, -top};
    case shape_aabb:
        return {c.x - half, top - half, c.z - half, c.x + half, top, c.z + half};
    case shape_obb:
        return {c.x, top - half, c.z, half, half, half, cosine, 0, sine, 0, 1, 0, -sine, 0, cosine};
    case shape_sphere:
        return {c.x, top - half, c.z, half};
    case shape_triangle:
        return {c.x - half, top, c.z - half, c.x + half, top, c.z - half, c.x, top, c.z + half};
    default: /* a segment, or a capsule, whose radius is the last number */
        return {c.x - half, top, c.z, c.x + half, top, c.z, half};
    }
}

bool has_level_face(enum shape shape)
{
    return shape == shape_plane || shape == shape_aabb || shape == shape_obb || shape == shape_triangle;
}

/* Shapes that rest on others; spheres on all, and the rest on what has a face. */
bool rests_on(enum shape a, enum shape b)
{
    const bool has_face = a == shape_capsule || a == shape_aabb || a == shape_obb || a == shape_triangle;
    return a == shape_sphere ? b != shape_hull : has_face && has_level_face(b);
}

/*
 * A shape that stands on height c.y, its centre a radius or half extent above: a capsule upright or lying, a box turned
 * about the vertical axis, a triangle lying.
 */
Item body_at_rest(Random &random, enum shape shape, Vector c, float r)
{
    if (shape == shape_sphere)
        return {c.x, c.y + r, c.z, r};
    if (shape == shape_triangle)
        return level_ground(random, shape, c);
    const float x = c.x + random.uniform(-0.25f, 0.25f), z = c.z + random.uniform(-0.25f, 0.25f), level = c.y + r;
    const double angle = random.uniform(0, 6);
    const float cosine = float(std::cos(angle)), sine = float(std::sin(angle)), half = random.uniform(0.25f, 1);
    if (shape == shape_capsule && random.whole(0, 1))
        return {x, level, z, x, level + half, z, r};
    if (shape == shape_capsule)
        return {x, level, z, x + cosine, level, z + sine, r};
    if (shape == shape_aabb)
        return {x - half, c.y, z - half, x + half, level + r, z + half};
    return {x, level, z, half, r, half, cosine, 0, sine, 0, 1, 0, -sine, 0, cosine};
}

/* Heights and radii are multiples of 2^-16, so that no sum of them rounds. */
void fill_at_rest(const PredicateFacts &facts, Columns &a, Columns &b, size_t n)
{
    Random random(0x7201);
    for (size_t i = 0; i < n; i++) {
        Vector c = draw_centre(random, {0, 0, 0}, world);
        c.y = static_cast<float>(random.whole(-32, 32)) / 4;
        const Item ground = level_ground(random, facts.shape_b, c);
        const float r = static_cast<float>(random.whole(1 << 14, 1 << 16)) / (1 << 16);
        c.y += facts.shape_b == shape_capsule ? ground[6] : 0;
        b.store(i, ground);
        a.store(i, body_at_rest(random, facts.shape_a, c, r));
    }
}

std::vector<Workload> make_workloads()
{
    const Range query = {12.2f, 12.2f}, usual = {0.5f, 2}, smaller = {0.25f, 1}, larger = {8, 16};
    std::vector<Workload> all = {
        {"sphere_vs_aabbs/1%", predicate_sphere_aabb, 64, true, 35, query, usual, Draw::unbounded},
        {"sphere_vs_aabbs/50%", predicate_sphere_aabb, 64, true, 3, {48.5f, 48.5f}, usual, Draw::unbounded},
        {"sphere_aabb_pairs/7%", predicate_sphere_aabb, 1, false, 4.45f, smaller, usual, Draw::unbounded},
        {"sphere_aabb_pairs/46%", predicate_sphere_aabb, 1, false, 2.35f, smaller, usual, Draw::unbounded},
        {"sphere_obb_pairs/42%", predicate_sphere_obb, 1, false, 2.4f, smaller, usual, Draw::unbounded},
        {"sphere_aabb_pairs/ties", predicate_sphere_aabb, 1, false, 0, usual, usual, Draw::ties},
    };
    for (int p = 0; p < predicate_count; p++) {
        const PredicateFacts &facts = predicate_facts[p];
        if (p == predicate_sphere_aabb || facts.shape_b == shape_hull)
            continue;
        enum predicate predicate = static_cast<enum predicate>(p);
        bool touches = std::strcmp(facts.question, "touches") == 0;
        std::string name = facts.name;
        all.push_back({name + "/one", predicate, 8, true, 35, touches ? query : usual, touches ? usual : larger,
                       Draw::unbounded});
        all.push_back({name + "/zip", predicate, 1, false, touches ? 2.35f : 12, touches ? smaller : usual,
                       touches ? usual : larger, Draw::unbounded});
    }
    for (int p = 0; p < predicate_count; p++) {
        const PredicateFacts &facts = predicate_facts[p];
        if (rests_on(facts.shape_a, facts.shape_b) && std::strcmp(facts.question, "touches") == 0)
            all.push_back({"rest/" + std::string(facts.name), static_cast<enum predicate>(p), 1, false, 0, usual, usual,
                           Draw::at_rest});
    }
    return all;
}

} // namespace

void Workload::fill(Columns &a, Columns &b, size_t n) const
{
    if (draw == Draw::ties)
        fill_ties(a, b, n);
    else if (draw == Draw::at_rest)
        fill_at_rest(predicate_facts[predicate], a, b, n);
    else if (rotates)
        fill_rotation(*this, a, b, n);
    else
        fill_pairs(*this, a, b, n);
}

void fill_distances(enum shape shape, bool one, Columns &points, Columns &shapes, size_t n)
{
    Random random(0x8001);
    for (size_t i = 0; i < n; i++) {
        Vector centre = draw_centre(random, {0, 0, 0}, world), point = draw_centre(random, centre, 4);
        shapes.store(i, draw_shape[shape](random, centre, {0.5f, 2}));
        if (!one || i == 0)
            points.store(i, {point.x, point.y, point.z});
    }
}

std::vector<size_t> Workload::usual_sizes() const
{
    if (draw == Draw::at_rest)
        return {4096};
    size_t largest = rotates ? size_t(16) << 20 : size_t(8) << 20;
    if (predicate == predicate_sphere_aabb)
        return {rotates ? size_t(1024) : size_t(512), 4096, 65536, largest};
    if (predicate == predicate_sphere_obb)
        return {256, 4096, 65536, largest};
    return {4096, 65536, largest};
}

const std::vector<Workload> &workloads()
{
    static const std::vector<Workload> all = make_workloads();
    return all;
}
