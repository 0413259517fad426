/* SPDX-License-Identifier: MIT */
/* The plain loops: the formulas of abut.h in float32, for valid input and the closed relation. */
#include "plain.h"

#include <math.h>

#define F(member) float member;
#define SHAPE(name, plural, fields)                                                                                    \
    struct name {                                                                                                      \
        fields                                                                                                         \
    };
#include "tables/shapes.def"

#include "plain_loop.h"

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

static inline float sum_of_squares(float x, float y, float z)
{
    return x * x + y * y + z * z;
}

/* The signed distance of c from the nearest point of an interval. */
static inline float gap(float c, float min, float max)
{
    return c - larger(min, smaller(c, max));
}

/* The distance of c from the farther end of an interval. */
static inline float reach(float c, float min, float max)
{
    return larger(fabsf(c - min), fabsf(c - max));
}

static inline bool sphere_aabb(struct sphere s, struct aabb b)
{
    return sum_of_squares(gap(s.x, b.minx, b.maxx), gap(s.y, b.miny, b.maxy), gap(s.z, b.minz, b.maxz)) <= s.r * s.r;
}

static inline bool sphere_in_aabb(struct sphere s, struct aabb b)
{
    return (s.x - s.r >= b.minx) & (s.x + s.r <= b.maxx) & (s.y - s.r >= b.miny) & (s.y + s.r <= b.maxy) &
           (s.z - s.r >= b.minz) & (s.z + s.r <= b.maxz);
}

static inline bool aabb_in_sphere(struct aabb b, struct sphere s)
{
    return sum_of_squares(reach(s.x, b.minx, b.maxx), reach(s.y, b.miny, b.maxy), reach(s.z, b.minz, b.maxz)) <=
           s.r * s.r;
}

static inline bool point_in_sphere(struct point p, struct sphere s)
{
    return sum_of_squares(p.x - s.x, p.y - s.y, p.z - s.z) <= s.r * s.r;
}

static inline bool point_in_aabb(struct point p, struct aabb b)
{
    return (b.minx <= p.x) & (p.x <= b.maxx) & (b.miny <= p.y) & (p.y <= b.maxy) & (b.minz <= p.z) & (p.z <= b.maxz);
}

static inline bool sphere_sphere(struct sphere a, struct sphere b)
{
    float r = a.r + b.r;
    return sum_of_squares(a.x - b.x, a.y - b.y, a.z - b.z) <= r * r;
}

static inline bool aabb_aabb(struct aabb a, struct aabb b)
{
    return (a.minx <= b.maxx) & (b.minx <= a.maxx) & (a.miny <= b.maxy) & (b.miny <= a.maxy) & (a.minz <= b.maxz) &
           (b.minz <= a.maxz);
}

static inline float dot(float ax, float ay, float az, float bx, float by, float bz)
{
    return ax * bx + ay * by + az * bz;
}

static inline bool sphere_plane(struct sphere s, struct plane b)
{
    float side = dot(b.nx, b.ny, b.nz, s.x, s.y, s.z) + b.d;
    return side * fabsf(side) <= s.r * s.r * sum_of_squares(b.nx, b.ny, b.nz);
}

static inline bool sphere_in_plane(struct sphere s, struct plane b)
{
    float side = dot(b.nx, b.ny, b.nz, s.x, s.y, s.z) + b.d;
    return side * fabsf(side) <= -(s.r * s.r * sum_of_squares(b.nx, b.ny, b.nz));
}

/* The distance of a point from the centre of a box along one of its axes. */
static inline float along(float x, float y, float z, float dx, float dy, float dz)
{
    return fabsf(dot(x, y, z, dx, dy, dz));
}

static inline bool sphere_obb(struct sphere s, struct obb b)
{
    float dx = s.x - b.cx, dy = s.y - b.cy, dz = s.z - b.cz;
    return sum_of_squares(larger(along(b.ux, b.uy, b.uz, dx, dy, dz) - b.hx, 0),
                          larger(along(b.vx, b.vy, b.vz, dx, dy, dz) - b.hy, 0),
                          larger(along(b.wx, b.wy, b.wz, dx, dy, dz) - b.hz, 0)) <= s.r * s.r;
}

static inline bool sphere_in_obb(struct sphere s, struct obb b)
{
    float dx = s.x - b.cx, dy = s.y - b.cy, dz = s.z - b.cz;
    return (along(b.ux, b.uy, b.uz, dx, dy, dz) + s.r <= b.hx) && (along(b.vx, b.vy, b.vz, dx, dy, dz) + s.r <= b.hy) &&
           (along(b.wx, b.wy, b.wz, dx, dy, dz) + s.r <= b.hz);
}

static inline bool point_in_obb(struct point p, struct obb b)
{
    return sphere_in_obb((struct sphere){p.x, p.y, p.z, 0}, b);
}

/* The squared distance from the origin to the segment from a to b. */
static inline float to_segment(float ax, float ay, float az, float bx, float by, float bz)
{
    float ex = bx - ax, ey = by - ay, ez = bz - az, length2 = sum_of_squares(ex, ey, ez);
    float t = length2 > 0 ? smaller(larger(-dot(ax, ay, az, ex, ey, ez) / length2, 0), 1) : 0;
    return sum_of_squares(ax + t * ex, ay + t * ey, az + t * ez);
}

static inline bool sphere_capsule(struct sphere s, struct capsule b)
{
    float r = s.r + b.r;
    return to_segment(b.ax - s.x, b.ay - s.y, b.az - s.z, b.bx - s.x, b.by - s.y, b.bz - s.z) <= r * r;
}

static inline bool sphere_segment(struct sphere s, struct segment b)
{
    return sphere_capsule(s, (struct capsule){b.ax, b.ay, b.az, b.bx, b.by, b.bz, 0});
}

/* Whether the origin is on the inner side of the edge from v to w. */
static inline bool inner_side(float nx, float ny, float nz, float vx, float vy, float vz, float wx, float wy, float wz)
{
    float ex = wx - vx, ey = wy - vy, ez = wz - vz;
    return dot(ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex, vx, vy, vz) <= 0;
}

static inline bool sphere_triangle(struct sphere s, struct triangle t)
{
    float ax = t.ax - s.x, ay = t.ay - s.y, az = t.az - s.z, bx = t.bx - s.x, by = t.by - s.y, bz = t.bz - s.z;
    float cx = t.cx - s.x, cy = t.cy - s.y, cz = t.cz - s.z, r2 = s.r * s.r;
    float ex = bx - ax, ey = by - ay, ez = bz - az, fx = cx - ax, fy = cy - ay, fz = cz - az;
    float nx = ey * fz - ez * fy, ny = ez * fx - ex * fz, nz = ex * fy - ey * fx;
    float nn = sum_of_squares(nx, ny, nz), height = dot(nx, ny, nz, ax, ay, az);
    bool face = (nn > 0) && (height * height <= r2 * nn) && inner_side(nx, ny, nz, ax, ay, az, bx, by, bz) &&
                inner_side(nx, ny, nz, bx, by, bz, cx, cy, cz) && inner_side(nx, ny, nz, cx, cy, cz, ax, ay, az);
    return face || (to_segment(ax, ay, az, bx, by, bz) <= r2) || (to_segment(bx, by, bz, cx, cy, cz) <= r2) ||
           (to_segment(cx, cy, cz, ax, ay, az) <= r2);
}

/* Hulls: a plane is nx ny nz d, with a unit normal. */
static inline float plane_height(const float *plane, float x, float y, float z)
{
    return plane[0] * x + plane[1] * y + plane[2] * z + plane[3];
}

static inline float axis_reach(const float *plane, float h, float x, float y, float z)
{
    return h * fabsf(plane[0] * x + plane[1] * y + plane[2] * z);
}

static inline bool sphere_hull_planes(struct sphere s, const float *plane)
{
    return plane_height(plane, s.x, s.y, s.z) <= s.r;
}

static inline bool sphere_in_hull(struct sphere s, const float *plane)
{
    return plane_height(plane, s.x, s.y, s.z) <= -s.r;
}

static inline bool point_in_hull(struct point p, const float *plane)
{
    return plane_height(plane, p.x, p.y, p.z) <= 0;
}

static inline bool aabb_hull_planes(struct aabb b, const float *plane)
{
    return plane_height(plane, plane[0] > 0 ? b.minx : b.maxx, plane[1] > 0 ? b.miny : b.maxy,
                        plane[2] > 0 ? b.minz : b.maxz) <= 0;
}

static inline bool aabb_in_hull(struct aabb b, const float *plane)
{
    return plane_height(plane, plane[0] > 0 ? b.maxx : b.minx, plane[1] > 0 ? b.maxy : b.miny,
                        plane[2] > 0 ? b.maxz : b.minz) <= 0;
}

static inline float obb_reach(struct obb b, const float *plane)
{
    return axis_reach(plane, b.hx, b.ux, b.uy, b.uz) + axis_reach(plane, b.hy, b.vx, b.vy, b.vz) +
           axis_reach(plane, b.hz, b.wx, b.wy, b.wz);
}

static inline bool obb_hull_planes(struct obb b, const float *plane)
{
    return plane_height(plane, b.cx, b.cy, b.cz) <= obb_reach(b, plane);
}

static inline bool obb_in_hull(struct obb b, const float *plane)
{
    return plane_height(plane, b.cx, b.cy, b.cz) <= -obb_reach(b, plane);
}

/* Not timed: touching a hull has no short formula, so these of single planes only fill the table. */
static inline bool sphere_hull(struct sphere s, const float *plane)
{
    return sphere_hull_planes(s, plane);
}

static inline bool aabb_hull(struct aabb b, const float *plane)
{
    return aabb_hull_planes(b, plane);
}

static inline bool obb_hull(struct obb b, const float *plane)
{
    return obb_hull_planes(b, plane);
}

/* Of two hulls a plane of each: half spaces meet unless their normals are opposite. */
struct hull {
    float nx, ny, nz, d;
};

static inline struct hull load_hull(const float *const *columns, size_t i)
{
    return (struct hull){columns[0][i], columns[1][i], columns[2][i], columns[3][i]};
}

static inline bool hull_hull(struct hull p, const float *plane)
{
    return p.nx * plane[0] + p.ny * plane[1] + p.nz * plane[2] > -1 || p.d + plane[3] <= 0;
}

static inline float least(float a, float b)
{
    return a < b ? a : b;
}

static inline float most(float a, float b)
{
    return a > b ? a : b;
}

static inline bool segment_hull(struct segment s, const float *plane)
{
    return least(plane_height(plane, s.ax, s.ay, s.az), plane_height(plane, s.bx, s.by, s.bz)) <= 0;
}

static inline bool segment_in_hull(struct segment s, const float *plane)
{
    return most(plane_height(plane, s.ax, s.ay, s.az), plane_height(plane, s.bx, s.by, s.bz)) <= 0;
}

static inline bool capsule_hull(struct capsule c, const float *plane)
{
    return least(plane_height(plane, c.ax, c.ay, c.az), plane_height(plane, c.bx, c.by, c.bz)) <= c.r;
}

static inline bool capsule_in_hull(struct capsule c, const float *plane)
{
    return most(plane_height(plane, c.ax, c.ay, c.az), plane_height(plane, c.bx, c.by, c.bz)) <= -c.r;
}

static inline bool triangle_hull(struct triangle t, const float *plane)
{
    return least(plane_height(plane, t.ax, t.ay, t.az),
                 least(plane_height(plane, t.bx, t.by, t.bz), plane_height(plane, t.cx, t.cy, t.cz))) <= 0;
}

static inline bool triangle_in_hull(struct triangle t, const float *plane)
{
    return most(plane_height(plane, t.ax, t.ay, t.az),
                most(plane_height(plane, t.bx, t.by, t.bz), plane_height(plane, t.cx, t.cy, t.cz))) <= 0;
}

/* Three loops, so that the compiler knows the constant item in each. */
#define LOOP_columns(name, shape_a, shape_b) PLAIN_LOOP(name, name, shape_a, shape_b)
#define LOOP_hulls(name, shape_a, shape_b)                                                                             \
    void PREFIXED(name)(const float *const *items, size_t n, const float(*planes)[4], unsigned count, uint64_t *hits)  \
    {                                                                                                                  \
        for (size_t first = 0; first < n; first += 64) {                                                               \
            uint64_t word = 0;                                                                                         \
            for (size_t i = first; i < n && i < first + 64; i++) {                                                     \
                struct shape_a item = load_##shape_a(items, i);                                                        \
                bool hit = true;                                                                                       \
                for (unsigned k = 0; k < count; k++)                                                                   \
                    hit &= name(item, planes[k]);                                                                      \
                word |= (uint64_t)hit << (i - first);                                                                  \
            }                                                                                                          \
            hits[first / 64] = word;                                                                                   \
        }                                                                                                              \
    }
#define SCALAR_LOOP_columns(name, shape_a, shape_b) /* plain_pairs.c */
#define SCALAR_LOOP_hulls LOOP_hulls
#define SCALAR_PREDICATE(name, shape_a, shape_b, relation, function)                                                   \
    BY_LAYOUT(SCALAR_LOOP, shape_b, name, shape_a, shape_b)
#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(LOOP, shape_b, name, shape_a, shape_b)
#include "tables/predicates.def"

#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(ENTRY, shape_b, name)
#define ENTRY_columns(name) [predicate_##name] = PREFIXED(name),
#define ENTRY_hulls(name)
plain_loop *const PREFIXED(loops)[predicate_count] = {
#include "tables/predicates.def"
};

#undef ENTRY_columns
#undef ENTRY_hulls
#define PREDICATE(name, shape_a, shape_b, relation, function) BY_LAYOUT(ENTRY, shape_b, name)
#define ENTRY_columns(name)
#define ENTRY_hulls(name) [predicate_##name] = PREFIXED(name),
plain_hull_loop *const PREFIXED(hull_loops)[predicate_count] = {
#include "tables/predicates.def"
};

struct closest {
    float d2, x, y, z;
};

static inline struct closest closest_at(struct point p, float x, float y, float z)
{
    return (struct closest){sum_of_squares(p.x - x, p.y - y, p.z - z), x, y, z};
}

/* The closest point of the ball of radius r about (x, y, z). */
static inline struct closest closest_of_ball(struct point p, float x, float y, float z, float r)
{
    float dx = p.x - x, dy = p.y - y, dz = p.z - z, distance = sqrtf(sum_of_squares(dx, dy, dz));
    float share = distance > r ? r / distance : 1, gap = larger(distance - r, 0);
    return (struct closest){gap * gap, x + dx * share, y + dy * share, z + dz * share};
}

static inline struct closest point_sphere(struct point p, struct sphere s)
{
    return closest_of_ball(p, s.x, s.y, s.z, s.r);
}

static inline struct closest point_aabb(struct point p, struct aabb b)
{
    return closest_at(p, p.x - gap(p.x, b.minx, b.maxx), p.y - gap(p.y, b.miny, b.maxy),
                      p.z - gap(p.z, b.minz, b.maxz));
}

static inline struct closest point_obb(struct point p, struct obb b)
{
    float dx = p.x - b.cx, dy = p.y - b.cy, dz = p.z - b.cz;
    float i = gap(dot(b.ux, b.uy, b.uz, dx, dy, dz), -b.hx, b.hx),
          j = gap(dot(b.vx, b.vy, b.vz, dx, dy, dz), -b.hy, b.hy);
    float k = gap(dot(b.wx, b.wy, b.wz, dx, dy, dz), -b.hz, b.hz);
    return (struct closest){sum_of_squares(i, j, k), p.x - i * b.ux - j * b.vx - k * b.wx,
                            p.y - i * b.uy - j * b.vy - k * b.wy, p.z - i * b.uz - j * b.vz - k * b.wz};
}

static inline struct closest point_plane(struct point p, struct plane b)
{
    float side = larger(dot(b.nx, b.ny, b.nz, p.x, p.y, p.z) + b.d, 0), square = sum_of_squares(b.nx, b.ny, b.nz);
    float share = side / square;
    return (struct closest){side * share, p.x - share * b.nx, p.y - share * b.ny, p.z - share * b.nz};
}

static inline struct closest point_segment(struct point p, struct segment b)
{
    float ex = b.bx - b.ax, ey = b.by - b.ay, ez = b.bz - b.az, length2 = sum_of_squares(ex, ey, ez);
    float along_it = dot(p.x - b.ax, p.y - b.ay, p.z - b.az, ex, ey, ez);
    float t = length2 > 0 ? smaller(larger(along_it / length2, 0), 1) : 0;
    return closest_at(p, b.ax + t * ex, b.ay + t * ey, b.az + t * ez);
}

static inline struct closest point_capsule(struct point p, struct capsule b)
{
    struct closest c = point_segment(p, (struct segment){b.ax, b.ay, b.az, b.bx, b.by, b.bz});
    return closest_of_ball(p, c.x, c.y, c.z, b.r);
}

static inline struct closest nearer(struct closest a, struct closest b)
{
    return a.d2 < b.d2 ? a : b;
}

/* The projection of the point where it lies in the triangle, else the closest point of the three edges. */
static inline struct closest point_triangle(struct point p, struct triangle t)
{
    float ax = t.ax - p.x, ay = t.ay - p.y, az = t.az - p.z, bx = t.bx - p.x, by = t.by - p.y, bz = t.bz - p.z;
    float cx = t.cx - p.x, cy = t.cy - p.y, cz = t.cz - p.z;
    float ex = bx - ax, ey = by - ay, ez = bz - az, fx = cx - ax, fy = cy - ay, fz = cz - az;
    float nx = ey * fz - ez * fy, ny = ez * fx - ex * fz, nz = ex * fy - ey * fx, nn = sum_of_squares(nx, ny, nz);
    if ((nn > 0) && inner_side(nx, ny, nz, ax, ay, az, bx, by, bz) && inner_side(nx, ny, nz, bx, by, bz, cx, cy, cz) &&
        inner_side(nx, ny, nz, cx, cy, cz, ax, ay, az)) {
        float share = dot(nx, ny, nz, ax, ay, az) / nn;
        return closest_at(p, p.x + share * nx, p.y + share * ny, p.z + share * nz);
    }
    struct closest ab = point_segment(p, (struct segment){t.ax, t.ay, t.az, t.bx, t.by, t.bz});
    struct closest bc = point_segment(p, (struct segment){t.bx, t.by, t.bz, t.cx, t.cy, t.cz});
    return nearer(nearer(ab, bc), point_segment(p, (struct segment){t.cx, t.cy, t.cz, t.ax, t.ay, t.az}));
}

#define DISTANCES(name, shape_a, i_a, shape_b)                                                                         \
    for (size_t i = 0; i < n; i++) {                                                                                   \
        struct closest closest = name(load_##shape_a(a, i_a), load_##shape_b(b, i));                                   \
        out[0][i] = closest.d2;                                                                                        \
        out[1][i] = closest.x;                                                                                         \
        out[2][i] = closest.y;                                                                                         \
        out[3][i] = closest.z;                                                                                         \
    }

#define DISTANCE(name, shape_a, shape_b, function)                                                                     \
    void PREFIXED(name)(const float *const *a, const float *const *b, size_t n, size_t a_step, float *const *out)      \
    {                                                                                                                  \
        if (a_step == 0) {                                                                                             \
            DISTANCES(name, shape_a, 0, shape_b)                                                                       \
        } else {                                                                                                       \
            DISTANCES(name, shape_a, i, shape_b)                                                                       \
        }                                                                                                              \
    }
#include "tables/predicates.def"

#define DISTANCE(name, shape_a, shape_b, function) [distance_##name] = PREFIXED(name),
plain_distance_loop *const PREFIXED(distance_loops)[distance_count] = {
#include "tables/predicates.def"
};
