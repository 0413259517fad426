/* SPDX-License-Identifier: MIT */
/*
 * Tests filters where they are most likely wrong: at pairs with one member bisected to where the answer changes, and up
 * to 1,000 floats to both sides. Each instruction set must answer like the exact stage. Inputs are those that strain
 * error bounds: edges that are nearly parallel and cross there, needles, flat shapes, axes that are skewed or scaled,
 * sizes that differ by up to 10^7, shapes far from the origin, tiny, huge and denormal ones.
 * Hulls are those of hull_inputs.c, and one member of an item near them is bisected. With --pairs N, N pairs of each
 * predicate but that of two hulls.
 */
#include "batch/resolve_pair.h"
#include "batches.h"
#include "exact/formula_table.h"
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* PAIRS is a whole number of words. */
enum { PAIRS = 1024, AROUND = 19, TRIES = 10 };

enum mode {
    RANDOM,
    PARALLEL, /* edges or axes, exactly or nearly */
    ALONG_AXES,
    NEEDLES,
    PARALLEL_NEEDLES,
    FAR_AWAY,
    RATIO,
    FLAT,
    INTEGERS,
    SKEWED,
    SKEWED_PARALLEL,
    SCALED_AXES,
    TINY,
    HUGE_ONES,
    DENORMAL,
    ANY_SCALE,
    MODES
};

static const char *const mode_names[MODES] = {
    "random",     "parallel", "along axes", "needles",   "parallel needles", "far away",
    "size ratio", "flat",     "integers",   "skewed",    "skewed parallel",  "scaled axes",
    "tiny",       "huge",     "denormal",   "any scale",
};

static double between(struct random *random, double low, double high)
{
    return low + (high - low) * ((double)(random_next(random) >> 11) * 0x1p-53);
}

static double power_of_ten(struct random *random, double low, double high)
{
    return pow(10, between(random, low, high));
}

static double any_sign(struct random *random)
{
    return random_below(random, 2) == 0 ? -1 : 1;
}

/* The directions and lengths that make a shape, in exact enough arithmetic; a member of an item is rounded once. */
struct body {
    double axis[3][3], half[3], centre[3], radius;
};

static void turn_by(double q[4], double axis[3][3])
{
    double length = 0, turned[3][3];
    for (unsigned k = 0; k < 4; k++)
        length += q[k] * q[k];
    for (unsigned k = 0; k < 4; k++)
        q[k] /= sqrt(length);
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rotation[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                                   {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                                   {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) {
            turned[i][k] = 0;
            for (unsigned j = 0; j < 3; j++)
                turned[i][k] += rotation[i][j] * axis[j][k];
        }
    memcpy(axis, turned, sizeof turned);
}

static void turn_at_random(struct random *random, double axis[3][3])
{
    double q[4];
    for (unsigned k = 0; k < 4; k++)
        q[k] = between(random, -1, 1);
    turn_by(q, axis);
}

/* By up to an angle of 1e-2, at times by none. */
static void tilt(struct random *random, double axis[3][3])
{
    const double angle = random_below(random, 6) == 0 ? 0 : power_of_ten(random, -7.5, -2);
    double q[4] = {0, 0, 0, 1};
    for (unsigned k = 0; k < 3; k++)
        q[k] = between(random, -angle, angle);
    turn_by(q, axis);
}

/* The axes of space, in any order and direction. */
static void set_along_axes(struct random *random, double axis[3][3])
{
    const unsigned first = random_below(random, 3), step = 1 + random_below(random, 2);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            axis[i][k] = k == (first + i * step) % 3 ? any_sign(random) : 0;
}

/* The other body's axes, all or one of them nearly parallel. */
static void set_parallel(struct random *random, const double other[3][3], double axis[3][3])
{
    memcpy(axis, other, 9 * sizeof axis[0][0]);
    if (random_below(random, 2) == 0) {
        const unsigned i = random_below(random, 3), j = (i + 1) % 3, l = (i + 2) % 3;
        const double angle = between(random, 0, 6.3), c = cos(angle), s = sin(angle);
        for (unsigned k = 0; k < 3; k++) {
            axis[j][k] = c * other[j][k] + s * other[l][k];
            axis[l][k] = c * other[l][k] - s * other[j][k];
        }
    }
    if (random_below(random, 4) > 0)
        tilt(random, axis);
}

static void skew(struct random *random, double by, double axis[3][3])
{
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            axis[i][k] += between(random, -by, by);
}

static void scale_axes(struct random *random, double axis[3][3])
{
    const bool alike = random_below(random, 2) == 0;
    double length = power_of_ten(random, -3, 3);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++) {
            if (k == 0 && !alike)
                length = power_of_ten(random, -3, 3);
            axis[i][k] *= length;
        }
}

static bool are_parallel(enum mode mode)
{
    return mode == PARALLEL || mode == PARALLEL_NEEDLES || mode == SKEWED_PARALLEL;
}

/* An AABB has no axes to turn, and the other shape is made parallel to it. */
static void make_axes(struct random *random, enum mode mode, const struct subject *subject, struct body *a,
                      struct body *b)
{
    set_along_axes(random, a->axis);
    set_along_axes(random, b->axis);
    if (mode == INTEGERS)
        return;
    if (mode == ALONG_AXES) {
        tilt(random, random_below(random, 2) == 0 ? a->axis : b->axis);
    } else {
        if (subject->shape_a != shape_aabb && subject->shape_b != shape_aabb && random_below(random, 4) > 0)
            turn_at_random(random, a->axis);
        turn_at_random(random, b->axis);
        if (are_parallel(mode) || (mode > FAR_AWAY && random_below(random, 3) == 0))
            set_parallel(random, (const double(*)[3])a->axis, b->axis);
        else if (subject->shape_b == shape_aabb)
            turn_at_random(random, a->axis);
    }
    if (mode == SKEWED || mode == SKEWED_PARALLEL)
        skew(random, power_of_ten(random, -7.5, -1), random_below(random, 2) == 0 ? a->axis : b->axis);
    if (mode == SCALED_AXES) {
        scale_axes(random, random_below(random, 2) == 0 ? a->axis : b->axis);
        if (random_below(random, 2) == 0)
            skew(random, power_of_ten(random, -2, 1), b->axis);
    }
}

static void make_sizes(struct random *random, enum mode mode, struct body *body)
{
    const bool needles = mode == NEEDLES || mode == PARALLEL_NEEDLES || (mode > FLAT && random_below(random, 4) == 0);
    for (unsigned k = 0; k < 3; k++) {
        body->half[k] = mode == INTEGERS ? 0.5 * random_below(random, 5) : between(random, 0.2, 1.2);
        if (mode == INTEGERS)
            continue;
        if (mode == FLAT && random_below(random, 2) == 0)
            body->half[k] = 0;
        if (needles && random_below(random, 2) == 0)
            body->half[k] *= random_below(random, 4) == 0 ? 0 : power_of_ten(random, -7, 0);
    }
    body->radius = mode == INTEGERS ? random_below(random, 4) : between(random, 0, 0.4);
    if (mode != INTEGERS && random_below(random, 4) == 0)
        body->radius *= power_of_ten(random, -7, 1);
}

static void resize(struct body *body, double by)
{
    for (unsigned k = 0; k < 3; k++) {
        body->half[k] *= by;
        body->centre[k] *= by;
    }
    body->radius *= by;
}

/* A point of an edge along axis i, or of another one, from the centre. out: on the side of that direction. */
static void edge_point(struct random *random, enum shape shape, const struct body *body, unsigned i, const double *out,
                       double *at)
{
    double q[3] = {0, 0, 0};
    const double t = between(random, -1, 1);
    if (shape == shape_aabb || shape == shape_obb) {
        for (unsigned j = 0; j < 3; j++) {
            double along = 0;
            for (unsigned k = 0; k < 3; k++)
                along += out[k] * body->axis[j][k];
            q[j] = j == i ? t : along < 0 ? -1 : 1;
        }
    } else if (shape == shape_segment || shape == shape_capsule) {
        q[0] = t;
    } else if (shape == shape_triangle) {
        q[0] = i == 1 ? -1 : t;
        q[1] = i == 0 ? -1 : i == 1 ? t : -t;
    }
    for (unsigned k = 0; k < 3; k++) {
        at[k] = 0;
        for (unsigned j = 0; j < 3; j++)
            at[k] += q[j] * body->half[j] * body->axis[j][k];
    }
}

/* The axes of the two bodies that are most nearly parallel. */
static void most_parallel(const struct body *a, const struct body *b, unsigned *of_a, unsigned *of_b)
{
    double most = -1;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++) {
            double dot = 0;
            for (unsigned k = 0; k < 3; k++)
                dot += a->axis[i][k] * b->axis[j][k];
            if (fabs(dot) > most) {
                most = fabs(dot);
                *of_a = i;
                *of_b = j;
            }
        }
}

/* Puts b at a distance, around the centre of a, or with an edge near one of a. */
static void place_near(struct random *random, const struct subject *subject, const struct body *a, struct body *b,
                       double size)
{
    const unsigned how = strcmp(subject->question, "touches") == 0 ? random_below(random, 3) : random_below(random, 6);
    double out[3], at_a[3], at_b[3];
    for (unsigned k = 0; k < 3; k++)
        out[k] = between(random, -1, 1);
    for (unsigned k = 0; k < 3 && how != 1; k++)
        b->centre[k] = a->centre[k] + size * out[k] * (how == 0 ? 1.5 : 0.1);
    if (how != 1)
        return;
    unsigned i = random_below(random, 3), j = random_below(random, 3);
    if (random_below(random, 3) > 0)
        most_parallel(a, b, &i, &j);
    edge_point(random, subject->shape_a, a, i, out, at_a);
    for (unsigned k = 0; k < 3; k++)
        out[k] = -out[k];
    edge_point(random, subject->shape_b, b, j, out, at_b);
    const double noise = random_below(random, 2) == 0 ? size * power_of_ten(random, -7, 0) : 0;
    for (unsigned k = 0; k < 3; k++)
        b->centre[k] = a->centre[k] + at_a[k] - at_b[k] + between(random, -noise, noise);
}

/* A member from a vector of the body: sums of the centre and of axes times factors. */
static float member(const struct body *body, unsigned k, double u, double v)
{
    return (float)(body->centre[k] + u * body->half[0] * body->axis[0][k] + v * body->half[1] * body->axis[1][k]);
}

static void make_plane(const struct body *body, float *item)
{
    double d = 0;
    for (unsigned k = 0; k < 3; k++) {
        item[k] = (float)body->axis[0][k];
        d -= (double)item[k] * body->centre[k];
    }
    item[3] = (float)d;
}

static void make_item(enum shape shape, const struct body *body, float *item)
{
    for (unsigned k = 0; k < 3; k++) {
        item[k] = (float)body->centre[k];
        if (shape == shape_segment || shape == shape_capsule) {
            item[k] = member(body, k, -1, 0);
            item[3 + k] = member(body, k, 1, 0);
        } else if (shape == shape_triangle) {
            item[k] = member(body, k, -1, -1);
            item[3 + k] = member(body, k, 1, -1);
            item[6 + k] = member(body, k, -1, 1);
        } else if (shape == shape_aabb) {
            item[k] = (float)(body->centre[k] - body->half[k]);
            item[3 + k] = (float)(body->centre[k] + body->half[k]);
        } else if (shape == shape_obb) {
            item[3 + k] = (float)body->half[k];
            for (unsigned i = 0; i < 3; i++)
                item[6 + 3 * i + k] = (float)body->axis[i][k];
        }
    }
    if (shape == shape_sphere || shape == shape_capsule)
        item[shape == shape_sphere ? 3 : 6] = (float)body->radius;
    if (shape == shape_plane)
        make_plane(body, item);
}

static double scale_of(struct random *random, enum mode mode)
{
    return mode == TINY        ? power_of_ten(random, -31, -19)
           : mode == HUGE_ONES ? power_of_ten(random, 16, 19)
           : mode == DENORMAL  ? power_of_ten(random, -45, -32)
           : mode == ANY_SCALE ? power_of_ten(random, -20, 20)
                               : 1;
}

/* Returns the scale of the coordinates. */
static double make_near_pair(struct random *random, enum mode mode, const struct subject *subject, float *a, float *b)
{
    struct body body_a, body_b;
    const bool inside = strcmp(subject->question, "inside") == 0;
    const double scale = scale_of(random, mode), away = mode == FAR_AWAY ? power_of_ten(random, 3, 7) : 0;
    double size_a = 1, size_b = 1;
    make_axes(random, mode, subject, &body_a, &body_b);
    make_sizes(random, mode, &body_a);
    make_sizes(random, mode, &body_b);
    for (unsigned k = 0; k < 3; k++)
        body_a.centre[k] = body_b.centre[k] = 0;
    if (mode == RATIO)
        *(inside || random_below(random, 2) == 0 ? &size_a : &size_b) = power_of_ten(random, -7, 0);
    else if (inside && random_below(random, 2) == 0)
        size_a = ldexp(1, -(int)random_below(random, 5));
    resize(&body_a, size_a);
    resize(&body_b, size_b);
    for (unsigned k = 0; k < 3; k++)
        body_a.centre[k] = mode == INTEGERS ? random_below(random, 5) : between(random, -away, away);
    place_near(random, subject, &body_a, &body_b, size_a + size_b);
    for (unsigned k = 0; k < 3 && mode == INTEGERS; k++)
        body_b.centre[k] = random_below(random, 5);
    resize(&body_a, scale);
    resize(&body_b, scale);
    make_item(subject->shape_a, &body_a, a);
    make_item(subject->shape_b, &body_b, b);
    return scale * (size_a > size_b ? size_a : size_b);
}

/* A value of a member that may have another answer; sometimes 0 for one that must not be negative. */
static float another_value(struct random *random, enum role role, float was, double scale)
{
    const double reach = role == ROLE_DIRECTION ? 1 : fmax(scale, 0.01 * fabs((double)was));
    const float other = (float)((double)was + any_sign(random) * reach * power_of_ten(random, -3, 0.7));
    if (role != ROLE_RADIUS && role != ROLE_HALF)
        return other;
    return random_below(random, 8) == 0 ? 0 : fabsf(other);
}

struct pairs {
    size_t n;
    struct batch a, b;
    enum answer answers[PAIRS];
};

/* The float64 formula that is the first to decide, or exact arithmetic. */
static enum answer right_answer(const struct subject *subject, const float *a, const float *b)
{
    if (of_hulls(subject))
        return exact_answer(subject, a, b);
    const enum answer answer = abut_formulas_sized.pairs[subject->predicate](a, b);
    return answer == ANSWER_UNKNOWN ? abut_exact(subject->predicate, a, b) : answer;
}

static void add_pair(const struct subject *subject, struct pairs *pairs, const float *a, const float *b)
{
    if (pairs->n == PAIRS)
        return;
    batch_set(&pairs->a, pairs->n, a);
    if (!of_hulls(subject))
        batch_set(&pairs->b, pairs->n, b);
    pairs->answers[pairs->n++] = right_answer(subject, a, b);
}

/* Adds the pairs around a change of the answer, if another value of the member changes it. */
static void add_around(const struct subject *subject, struct random *random, struct pairs *pairs, const float *a,
                       const float *b, float *moved, enum role role, double scale)
{
    static const int around[AROUND] = {0,   1,  -1,  2,   -2,   3,   -3,   5,    -5,   10,
                                       -10, 30, -30, 100, -100, 300, -300, 1000, -1000};
    const float was = *moved;
    const enum answer wanted = random_below(random, 2) == 0 ? ANSWER_TOUCH : ANSWER_HIT;
    for (unsigned i = 0; i < TRIES; i++) {
        int64_t low, high;
        const float other = another_value(random, role, was, scale);
        if (!isfinite(other) || !find_change(subject, wanted, a, b, moved, was, other, &low, &high))
            continue;
        for (unsigned j = 0; j < AROUND; j++) {
            *moved = from_rank((int32_t)low + around[j]);
            add_pair(subject, pairs, a, b);
        }
        return;
    }
}

static void add_tangent(const struct subject *subject, struct random *random, enum mode mode, struct pairs *pairs)
{
    float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
    const double scale = make_near_pair(random, mode, subject, a, b);
    if (!item_valid(subject->shape_a, a) || !item_valid(subject->shape_b, b))
        return;
    const bool of_b = random_below(random, 2) == 0;
    const struct shape_info *info = shape_info(of_b ? subject->shape_b : subject->shape_a);
    unsigned k = random_below(random, info->fields);
    while (info->roles[k] == ROLE_DIRECTION && random_below(random, 4) > 0)
        k = random_below(random, info->fields);
    add_around(subject, random, pairs, a, b, (of_b ? b : a) + k, info->roles[k], scale);
}

/* An item near a hull that stays. */
static void add_hull_tangent(const struct subject *subject, struct random *random, struct theme theme, float *hull,
                             struct pairs *pairs)
{
    float item[ABUT_MAX_FIELDS] = {0};
    const struct shape_info *info = shape_info(subject->shape_a);
    const unsigned k = random_below(random, info->fields);
    make_pair(subject, theme, FREE_A, random, item, hull);
    if (item_valid(subject->shape_a, item))
        add_around(subject, random, pairs, item, hull, item + k, info->roles[k], fabs((double)hull[HULL_SIZE]));
}

static void report_pair(const struct subject *subject, const struct pairs *pairs, size_t i)
{
    float a[ABUT_MAX_FIELDS], b[MAX_MEMBERS];
    batch_get(&pairs->a, i, a);
    batch_get(&pairs->b, of_hulls(subject) ? 0 : i, b);
    print_pair(subject, a, b);
}

static void check_pairs(const struct subject *subject, const struct tested *tested, const char *mode, uint64_t seed,
                        const struct pairs *pairs, struct abut_stats *stats)
{
    static uint64_t hits[PAIRS / 64];
    const struct columns a = batch_columns(&pairs->a), b = batch_columns(&pairs->b);
    for (int closed = 0; closed < 2; closed++) {
        const struct entry_args args = {&a, &b, pairs->n, 1, PAIRS / 64, closed, stats, 1};
        run_entry(tested->isa, subject, of_hulls(subject) ? ENTRY_MANY_ONE : ENTRY_ZIP, &args, hits);
        for (size_t i = 0; i < pairs->n; i++)
            if (hit_at(hits, i) != (pairs->answers[i] >= (closed ? ANSWER_TOUCH : ANSWER_HIT))) {
                check_that(false, "%s, %s, %s, %s: a %s, and the exact result is %d; seed %llu", subject->name,
                           tested->name, mode, closed ? "closed" : "open", hit_at(hits, i) ? "hit" : "miss",
                           (int)pairs->answers[i], (unsigned long long)seed);
                report_pair(subject, pairs, i);
            }
        checks_passed(pairs->n);
    }
}

static void print_undecided(const struct subject *subject, uint64_t pairs, const struct tested *tested, unsigned isas,
                            const struct abut_stats *stats)
{
    printf("%s: %llu pairs; undecided", subject->name, (unsigned long long)pairs);
    for (unsigned v = 0; v < isas; v++)
        printf("%s %s %.2g", v == 0 ? "" : ",", tested[v].name, (double)stats[v].undecided / (double)stats[v].pairs);
    printf("\n");
}

/* Makes about as many pairs of each mode, and prints the share that each instruction set leaves undecided. */
static void check_predicate(const struct subject *subject, const struct options *options, const struct tested *tested,
                            unsigned isas)
{
    struct abut_stats stats[MAX_TESTED] = {{0}};
    struct random random = {options->seed + 1000 * (uint64_t)subject->predicate};
    struct pairs pairs = {0, batch_new(subject->shape_a, PAIRS), batch_new(subject->shape_b, PAIRS), {0}};
    const uint64_t share = options->pairs / MODES + 1, most = share < PAIRS ? share : PAIRS;
    uint64_t done = 0;
    for (enum mode mode = RANDOM; done < options->pairs; mode = (mode + 1) % MODES) {
        pairs.n = 0;
        for (unsigned tries = 0; pairs.n < most && tries < 4 * PAIRS / AROUND; tries++)
            add_tangent(subject, &random, mode, &pairs);
        for (unsigned v = 0; v < isas && pairs.n > 0; v++)
            check_pairs(subject, &tested[v], mode_names[mode], options->seed, &pairs, &stats[v]);
        done += pairs.n;
    }
    print_undecided(subject, done, tested, isas, stats);
    batch_free(&pairs.a);
    batch_free(&pairs.b);
}

/* The same with one hull after another, of each kind in turn. */
static void check_hull_predicate(const struct subject *subject, const struct options *options,
                                 const struct tested *tested, unsigned isas)
{
    static const enum kind kinds[] = {kind_box,       kind_frustum, kind_hull_mixed, kind_hull_far,  kind_slabs,
                                      kind_hull_flat, kind_wedge,   kind_scaled,     kind_unbounded, kind_blade};
    enum { HULL_KIND_COUNT = sizeof kinds / sizeof *kinds, OF_A_HULL = 4 * AROUND };
    struct abut_stats stats[MAX_TESTED] = {{0}};
    struct random random = {options->seed + 1000 * (uint64_t)subject->predicate};
    uint64_t done = 0;
    for (unsigned i = 0; done < options->pairs; i = (i + 1) % HULL_KIND_COUNT) {
        const struct theme theme = theme_of(kinds[i], &random);
        struct pairs pairs = {0, batch_new(subject->shape_a, PAIRS), batch_new(shape_hull, 1), {0}};
        float item[ABUT_MAX_FIELDS] = {0}, hull[MAX_MEMBERS] = {0};
        make_pair(subject, theme, FREE_BOTH, &random, item, hull);
        batch_set(&pairs.b, 0, hull);
        for (unsigned tries = 0; pairs.n < OF_A_HULL && tries < 16; tries++)
            add_hull_tangent(subject, &random, theme, hull, &pairs);
        for (unsigned v = 0; v < isas && pairs.n > 0; v++)
            check_pairs(subject, &tested[v], kind_names[kinds[i]], options->seed, &pairs, &stats[v]);
        done += pairs.n;
        batch_free(&pairs.a);
        batch_free(&pairs.b);
    }
    print_undecided(subject, done, tested, isas, stats);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 5, .pairs = 2048});
    struct tested tested[MAX_TESTED];
    const unsigned isas = tested_isas(tested);
    print_isas();
    for (unsigned p = 0; p < predicate_count; p += options.step)
        if (subjects[p].shape_a != shape_hull && (options.only == NULL || options.only == &subjects[p]))
            (of_hulls(&subjects[p]) ? check_hull_predicate : check_predicate)(&subjects[p], &options, tested,
                                                                              isas_apart(&subjects[p], tested, isas));
    return finish("tangents");
}
