/* SPDX-License-Identifier: MIT */
/*
 * Tests ties and near ties of integers, with answers from integer arithmetic: x^2 + y^2 + z^2 equals r^2 or nearly.
 * The filter must decide ties whose squares and sums have 24 bits, in whole words, and balls of any radius at rest on
 * or in a shape with faces along the axes. It must not take a value with one more bit, or one float off, for a tie.
 */
#include "batch/pairs.h"
#include "batches.h"
#include "exact/resolve.h"
#include "report.h"

#include <math.h>

enum { PAIRS = 10000 };

struct near_tie {
    int64_t along[3], r;
};

static int64_t beyond(struct near_tie t)
{
    return t.along[0] * t.along[0] + t.along[1] * t.along[1] + t.along[2] * t.along[2] - t.r * t.r;
}

/* y^2 = 2 x + d makes x^2 + y^2 = (x + 1)^2 + d - 1. */
static struct near_tie draw(struct random *random, bool small)
{
    const int64_t y = 3 + random_below(random, small ? 87 : 260),
                  d = y % 2 + 2 * ((int64_t)random_below(random, 3) - 1);
    const int64_t x = (y * y - d) / 2, z = random_below(random, 3);
    const unsigned turn = random_below(random, 3), signs = random_below(random, 8);
    struct near_tie t = {.r = x + 1};
    t.along[turn] = signs & 1 ? -x : x;
    t.along[(turn + 1) % 3] = signs & 2 ? -y : y;
    t.along[(turn + 2) % 3] = signs & 4 ? -z : z;
    return t;
}

/* A point, a sphere of that radius, or a box: the point alone, or one that extends from the point along `away`. */
static void make_item(enum shape shape, struct random *random, const int64_t *at, const int64_t *away, int64_t r,
                      float *item)
{
    for (unsigned k = 0; k < 3; k++) {
        item[k] = (float)at[k];
        if (shape != shape_aabb)
            continue;
        int64_t size = away == NULL ? 0 : (int64_t)random_below(random, 20);
        item[k] = (float)(away != NULL && away[k] < 0 ? at[k] - size : at[k]);
        item[3 + k] = (float)(away != NULL && away[k] > 0 ? at[k] + size : at[k]);
    }
    if (shape == shape_sphere)
        item[3] = (float)r;
}

/* Returns how many pairs the filter leaves undecided. */
static uint64_t check_answers(const struct tested *tested, enum predicate predicate, const struct batch *a,
                              const struct batch *b, bool closed, const enum answer *expected, uint64_t seed)
{
    static uint64_t hits[(PAIRS + 63) / 64];
    const struct columns columns_a = batch_columns(a), columns_b = batch_columns(b);
    struct abut_stats stats = {0};
    const struct kernel_args args = {columns_a.at, columns_b.at, PAIRS, closed, &stats, 1, 0};
    abut_run_batch(tested->isa, predicate, BROADCAST_ZIP, &args, hits);
    for (size_t i = 0; i < PAIRS; i++)
        check_that(hit_at(hits, i) == (closed ? expected[i] >= ANSWER_TOUCH : expected[i] == ANSWER_HIT),
                   "%s, %s, %s: pair %zu; seed %llu", subjects[predicate].name, tested->name,
                   closed ? "closed" : "open", i, (unsigned long long)seed);
    return stats.undecided;
}

static void check_integers(const struct tested *tested, enum predicate predicate, bool small, uint64_t seed)
{
    static enum answer expected[PAIRS];
    const struct subject *subject = &subjects[predicate];
    const bool sphere_is_b = subject->shape_b == shape_sphere, touches = predicate == predicate_sphere_aabb;
    struct random random = {seed};
    struct batch a = batch_new(subject->shape_a, PAIRS), b = batch_new(subject->shape_b, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        struct near_tie t = draw(&random, small);
        float sphere[ABUT_MAX_FIELDS], other[ABUT_MAX_FIELDS];
        int64_t centre[3], at[3], part = predicate == predicate_sphere_sphere ? random_below(&random, 100) % t.r : 0;
        for (unsigned k = 0; k < 3; k++) {
            centre[k] = (int64_t)random_below(&random, 2001) - 1000;
            at[k] = centre[k] + t.along[k];
        }
        make_item(shape_sphere, &random, centre, NULL, t.r - part, sphere);
        make_item(sphere_is_b ? subject->shape_a : subject->shape_b, &random, at, touches ? t.along : NULL, part,
                  other);
        batch_set(&a, i, sphere_is_b ? other : sphere);
        batch_set(&b, i, sphere_is_b ? sphere : other);
        const int64_t d = beyond(t);
        expected[i] = d < 0 ? ANSWER_HIT : d == 0 ? ANSWER_TOUCH : ANSWER_MISS;
    }
    for (int closed = 0; closed < 2; closed++) {
        const uint64_t left = check_answers(tested, predicate, &a, &b, closed, expected, seed);
        check_that(small ? left == 0 : left > PAIRS / 10,
                   "%s, %s: the filter leaves %llu of %d near ties of %s integers", subject->name, tested->name,
                   (unsigned long long)left, PAIRS, small ? "small" : "larger");
    }
    batch_free(&a);
    batch_free(&b);
}

/* Multiples of 2^-10 from -4 to 4, and radii of twice as many bits. */
static float place(struct random *random)
{
    return ldexpf((float)random_below(random, 8193) - 4096, -10);
}

static float radius(struct random *random)
{
    return ldexpf((float)(1 + random_below(random, 1 << 21)), -20);
}

/* Turns two axes of an OBB about the third by some angle. */
static void turn(struct random *random, float *u, float *v)
{
    const double angle = random_between(random, 0, 6), c = cos(angle), s = sin(angle);
    for (unsigned k = 0; k < 3; k++) {
        const double x = (double)u[k], y = (double)v[k];
        u[k] = (float)(c * x + s * y);
        v[k] = (float)(c * y - s * x);
    }
}

/* Axes in any order and direction, some turned about the outward one. Terms round far from a large box's centre. */
static void make_obb_ground(struct random *random, unsigned axis, float out, float face, float *item)
{
    const float size = random_below(random, 2) == 0 ? 8 : 64;
    for (unsigned k = 0; k < 3; k++) {
        const unsigned row = (axis + 1 + k) % 3;
        item[row] = k == 2 ? face - out * size : 0;
        item[3 + k] = k == 2 ? size : 2 * size;
        item[6 + 3 * k + row] = random_below(random, 2) == 0 ? 1.0f : -1.0f;
    }
    if (random_below(random, 2) == 0)
        turn(random, item + 6, item + 9);
}

/* A shape around the origin or below it: its face crosses the axis at `face`, and `out` is the outward direction. */
static void make_ground(enum shape shape, struct random *random, unsigned axis, float out, float face, float *item)
{
    const float size = 8;
    const unsigned next = (axis + 1) % 3, last = (axis + 2) % 3, turned = random_below(random, 3);
    switch (shape) {
    case shape_plane:
        item[axis] = out;
        item[3] = -out * face;
        break;
    case shape_aabb:
        for (unsigned k = 0; k < 3; k++) {
            item[k] = k != axis ? -size : out > 0 ? face - size : face;
            item[3 + k] = k != axis ? size : out > 0 ? face : face + size;
        }
        break;
    case shape_obb:
        make_obb_ground(random, axis, out, face, item);
        break;
    case shape_triangle:
        for (unsigned k = 0; k < 3; k++) {
            float *vertex = item + (turned + (out > 0 ? k : 3 - k)) % 3 * 3;
            vertex[axis] = face;
            vertex[next] = k == 1 ? 32.5f : -size - place(random);
            vertex[last] = k == 2 ? 32.5f : -size - place(random);
        }
        break;
    default: /* segments and capsules, along another axis */
        item[axis] = item[3 + axis] = face;
        item[next] = out * size;
        item[3 + next] = -out * size;
        item[last] = item[3 + last] = place(random);
        if (shape == shape_capsule)
            item[6] = radius(random);
    }
}

/* The distance of a ball's centre from the line (direction) or plane (normal) through a point. */
static double distance_from(const float *ball, const float *through, const double *direction, bool line)
{
    double length2 = 0, along = 0, offset2 = 0;
    for (unsigned k = 0; k < 3; k++) {
        const double away = (double)ball[k] - (double)through[k];
        length2 += direction[k] * direction[k];
        along += direction[k] * away;
        offset2 += away * away;
    }
    return line ? sqrt(offset2 - along * along / length2) : fabs(along) / sqrt(length2);
}

/*
 * Shares the outward axis between two components, 0.7 and 0.3: they add up to 1, but length and direction differ. Or
 * lifts a vertex. Sets the ball's radius, if it has one, to nearly fit.
 */
static void slant(enum shape shape, bool inside, unsigned axis, float *ground, float *ball)
{
    if (shape == shape_aabb)
        return;
    if (shape == shape_plane || shape == shape_obb) {
        float *out = shape == shape_plane ? ground : ground + 12;
        out[axis] *= 0.7f;
        out[(axis + 1) % 3] = 0.3f;
        if (shape == shape_plane)
            return;
        double along = 0;
        for (unsigned k = 0; k < 3; k++)
            along += (double)out[k] * ((double)ball[k] - (double)ground[k]);
        ground[5] = inside ? 16 : 0.25f;
        ball[3] = (float)fmax(inside ? 16 - fabs(along) : fabs(along) - 0.25, 0);
        return;
    }
    ground[3 + axis] += 0.5f;
    double e[3], f[3], n[3];
    for (unsigned k = 0; k < 3; k++) {
        e[k] = (double)ground[3 + k] - (double)ground[k];
        f[k] = shape == shape_triangle ? (double)ground[6 + k] - (double)ground[k] : 0;
    }
    for (unsigned k = 0; k < 3; k++)
        n[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    const bool line = shape != shape_triangle;
    const double distance = distance_from(ball, ground, line ? e : n, line);
    ball[3] = (float)fmax(distance - (shape == shape_capsule ? (double)ground[6] : 0), 0);
}

enum rest { AT_REST, GREATER, SMALLER, ROUNDED, SLANTED, AT_BRINK, REST_KINDS };

/*
 * A ball that rests on a face, or from inside; or nearly: one float larger or smaller, at a rounded place, on a slanted
 * face, or level with the end of another axis of an OBB.
 */
static void make_rest(const struct subject *subject, enum rest rest, bool inside, struct random *random, float *ball,
                      float *ground)
{
    const bool is_point = subject->shape_a == shape_point;
    const unsigned axis = random_below(random, 3);
    const float out = random_below(random, 2) == 0 ? 1.0f : -1.0f;
    const float face = rest == ROUNDED ? 0.1f * random_between(random, -4, 4) : place(random);
    const float r = is_point ? 0 : rest == ROUNDED ? random_between(random, 0, 8) : radius(random);
    make_ground(subject->shape_b, random, axis, out, face, ground);
    const float more = subject->shape_b == shape_capsule ? ground[6] : 0;
    for (unsigned k = 0; k < 3; k++)
        ball[k] = k != axis ? place(random) : inside ? face - out * r : face + out * (r + more);
    if (is_point)
        return;
    if (subject->shape_b == shape_segment || subject->shape_b == shape_capsule)
        ball[(axis + 2) % 3] = ground[(axis + 2) % 3];
    ball[3] = rest == GREATER   ? nextafterf(r, 8)
              : rest == SMALLER ? nextafterf(r, 0)
              : rest == ROUNDED ? fmaxf(fabsf(ball[axis] - face) - more, 0)
                                : r;
    if (rest == SLANTED)
        slant(subject->shape_b, inside, axis, ground, ball);
    if (rest == AT_BRINK && subject->shape_b == shape_obb) {
        double along = 0;
        for (unsigned k = 0; k < 3; k++)
            along += (double)ground[6 + k] * ((double)ball[k] - (double)ground[k]);
        ground[3] = (float)(fabs(along) + (inside ? (double)r : 0));
    }
}

static void check_rest(const struct tested *tested, enum predicate predicate, enum rest rest, bool inside,
                       uint64_t seed)
{
    static enum answer expected[PAIRS];
    const struct subject *subject = &subjects[predicate];
    struct random random = {seed};
    struct batch a = batch_new(subject->shape_a, PAIRS), b = batch_new(subject->shape_b, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        float ball[ABUT_MAX_FIELDS] = {0}, ground[ABUT_MAX_FIELDS] = {0};
        make_rest(subject, rest, inside, &random, ball, ground);
        expected[i] = rest == AT_REST ? ANSWER_TOUCH : abut_exact(predicate, ball, ground);
        batch_set(&a, i, ball);
        batch_set(&b, i, ground);
    }
    for (int closed = 0; closed < 2; closed++) {
        const uint64_t left = check_answers(tested, predicate, &a, &b, closed, expected, seed);
        check_that(rest != AT_REST || left == 0, "%s, %s: the filter leaves %llu of %d balls at rest", subject->name,
                   tested->name, (unsigned long long)left, PAIRS);
    }
    batch_free(&a);
    batch_free(&b);
}

/*
 * A segment, capsule, triangle or box of any size up to 4 on a face across the axis, on the side of `away`. Boxes are
 * turned about the axis, or not; no sum along it rounds. Triangles lie on the face, or also stand on it.
 */
static void make_body(enum shape shape, bool lies, struct random *random, unsigned axis, float away, float face,
                      float *item)
{
    const float rise = lies || random_below(random, 2) == 0 ? 0 : away;
    const float h = radius(random);
    if (shape == shape_obb)
        make_obb_ground(random, axis, away, face, item);
    for (unsigned k = 0; k < 3; k++) {
        const bool along = k == axis;
        for (unsigned end = 0; end < 3 && (shape == shape_segment || shape == shape_triangle); end++)
            if (end < 2 || shape == shape_triangle)
                item[3 * end + k] = !along ? place(random) / 2 : face + rise * h * (float)end / 2;
        for (unsigned end = 0; end < 2 && shape == shape_capsule; end++)
            item[3 * end + k] = along ? face + away * h * (float)(1 + end) : place(random) / 2;
        if (shape == shape_aabb) {
            const float at = along ? face + away * h : place(random) / 2, half = along ? h : radius(random);
            item[k] = at - half;
            item[3 + k] = at + half;
        }
        if (shape == shape_obb) {
            item[k] = along ? face + away * h : place(random) / 2;
            item[3 + k] = k == 2 ? h : radius(random);
        }
    }
    if (shape == shape_capsule)
        item[6] = h;
}

/* Bodies at rest on a face of a box, or on one from inside: all touch, and the filter decides that. */
static void check_bodies(const struct tested *tested, enum predicate predicate, bool inside, uint64_t seed)
{
    static enum answer expected[PAIRS];
    const struct subject *subject = &subjects[predicate];
    struct random random = {seed};
    struct batch a = batch_new(subject->shape_a, PAIRS), b = batch_new(subject->shape_b, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        float body[ABUT_MAX_FIELDS] = {0}, ground[ABUT_MAX_FIELDS] = {0};
        const unsigned axis = random_below(&random, 3);
        const float out = random_below(&random, 2) == 0 ? 1.0f : -1.0f, face = place(&random);
        make_ground(subject->shape_b, &random, axis, out, face, ground);
        make_body(subject->shape_a, subject->shape_a == shape_triangle && !inside, &random, axis, inside ? -out : out,
                  face, body);
        expected[i] = ANSWER_TOUCH;
        batch_set(&a, i, body);
        batch_set(&b, i, ground);
    }
    for (int closed = 0; closed < 2; closed++) {
        const uint64_t left = check_answers(tested, predicate, &a, &b, closed, expected, seed);
        check_that(left == 0, "%s, %s: the filter leaves %llu of %d bodies at rest", subject->name, tested->name,
                   (unsigned long long)left, PAIRS);
    }
    batch_free(&a);
    batch_free(&b);
}

/* A box around that centre, tilted against the axes, or a segment along one: about 4 in length. */
static void make_tilted(enum shape shape, struct random *random, float tilt, const float *centre, float *item)
{
    const unsigned axis = random_below(random, 3);
    if (shape == shape_obb)
        for (unsigned k = 0; k < 9; k++)
            item[6 + k] = k % 4 == 0 ? 1 : 0;
    if (shape == shape_obb && tilt > 0)
        for (unsigned i = 0; i < 3; i++) {
            const float by = random_between(random, -tilt, tilt);
            const unsigned j = (i + 1) % 3;
            item[6 + 3 * i + j] += by;
            item[6 + 3 * j + i] -= by;
        }
    for (unsigned k = 0; k < 3; k++) {
        const float half = shape == shape_segment && k != axis ? random_between(random, -tilt, tilt) : 2;
        item[k] = shape == shape_obb ? centre[k] : centre[k] - half;
        item[3 + k] = shape == shape_obb ? half : centre[k] + half;
    }
}

/* Pairs that overlap by much more than nearly parallel edges deviate: hardly any lane is undecided. */
static void check_tilted(const struct tested *tested, enum predicate predicate, float tilt, uint64_t seed)
{
    static enum answer expected[PAIRS];
    const struct subject *subject = &subjects[predicate];
    struct random random = {seed};
    struct batch a = batch_new(subject->shape_a, PAIRS), b = batch_new(subject->shape_b, PAIRS);
    for (size_t i = 0; i < PAIRS; i++) {
        float first[ABUT_MAX_FIELDS], second[ABUT_MAX_FIELDS];
        const float origin[3] = {0, 0, 0}, apart[3] = {place(&random) / 4, place(&random) / 4, place(&random) / 4};
        make_tilted(subject->shape_a, &random, tilt, origin, first);
        make_tilted(subject->shape_b, &random, tilt, apart, second);
        expected[i] = ANSWER_HIT;
        batch_set(&a, i, first);
        batch_set(&b, i, second);
    }
    const uint64_t left = check_answers(tested, predicate, &a, &b, true, expected, seed);
    check_that(left <= PAIRS / 500, "%s, %s: the filter leaves %llu of %d pairs with a tilt of %g", subject->name,
               tested->name, (unsigned long long)left, PAIRS, (double)tilt);
    batch_free(&a);
    batch_free(&b);
}

int main(int argc, char **argv)
{
    static const enum predicate predicates[] = {predicate_sphere_aabb, predicate_aabb_in_sphere,
                                                predicate_point_in_sphere, predicate_sphere_sphere};
    static const struct {
        enum predicate predicate;
        bool inside;
    } rests[] = {{predicate_sphere_aabb, false},    {predicate_sphere_in_aabb, true},
                 {predicate_sphere_plane, false},   {predicate_sphere_in_plane, true},
                 {predicate_sphere_obb, false},     {predicate_sphere_in_obb, true},
                 {predicate_point_in_obb, true},    {predicate_sphere_segment, false},
                 {predicate_sphere_capsule, false}, {predicate_sphere_triangle, false}};
    static const struct {
        enum predicate predicate;
        bool inside;
    } bodies[] = {{predicate_segment_aabb, false},  {predicate_aabb_obb, false},       {predicate_obb_obb, false},
                  {predicate_triangle_aabb, false}, {predicate_triangle_obb, false},   {predicate_segment_in_obb, true},
                  {predicate_capsule_in_obb, true}, {predicate_triangle_in_obb, true}, {predicate_aabb_in_obb, true},
                  {predicate_obb_in_obb, true}};
    const struct options options = read_options(argc, argv, (struct options){.seed = 8, .rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n = tested_isas(tested);
    print_isas();
    for (unsigned v = 0; v < n; v++)
        for (unsigned p = 0; p < sizeof bodies / sizeof *bodies; p++)
            check_bodies(&tested[v], bodies[p].predicate, bodies[p].inside, options.seed);
    static const enum predicate tilted[] = {predicate_segment_aabb, predicate_segment_obb, predicate_aabb_obb,
                                            predicate_obb_obb};
    static const float tilts[] = {0, 1e-7f, 1e-5f, 1e-4f, 1e-3f};
    for (unsigned v = 0; v < n; v++)
        for (unsigned p = 0; p < sizeof tilted / sizeof *tilted; p++)
            for (unsigned t = 0; t < sizeof tilts / sizeof *tilts; t++)
                check_tilted(&tested[v], tilted[p], tilts[t], options.seed);
    for (unsigned v = 0; v < n; v++)
        for (unsigned p = 0; p < sizeof predicates / sizeof *predicates; p++)
            for (unsigned round = 0; round < options.rounds; round++) {
                check_integers(&tested[v], predicates[p], true, options.seed + round);
                check_integers(&tested[v], predicates[p], false, options.seed + round);
            }
    for (unsigned v = 0; v < n; v++)
        for (unsigned p = 0; p < sizeof rests / sizeof *rests; p++)
            for (enum rest rest = 0; rest < REST_KINDS; rest++)
                check_rest(&tested[v], rests[p].predicate, rest, rests[p].inside, options.seed);
    return finish("near_ties");
}
