/* SPDX-License-Identifier: MIT */
/*
 * Compares every hull predicate on every instruction set, native and emulated, with the exact stage: one hull or
 * several, many items of all kinds, buffers that begin or end at an unmapped page.
 */
#include "api/sets.h"
#include "guard.h"
#include "hull_inputs.h"
#include "report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum shape shape;
} predicates[] = {
#define HULL_PREDICATE(name, shape, relation, function) {#name, shape_##shape},
#include "tables/predicates.def"
};

enum { FEW_ITEMS = 200, MAX_ITEMS = 20000, PATTERN = 0x5a };

static float items[MAX_ITEMS][ABUT_MAX_FIELDS];

/* A hull, and the exact result for each item. */
struct exact {
    struct planes planes;
    int answers[MAX_ITEMS];
};

/* Rows of a call end with the tested hull; calls with several hulls take another code path than calls with one. */
static struct exact tested_hull, other_hull, invalid_hull = {.planes = {1, {{0, 0, 0, 1}}}};

static unsigned bounds_found;

static bool wanted(int answer, bool closed)
{
    return closed ? answer >= ANSWER_TOUCH : answer == ANSWER_HIT;
}

static void exact_items(enum hull_predicate predicate, struct exact *exact, size_t n)
{
    struct hull hull;
    prepare_planes(&hull, &exact->planes, 1);
    for (size_t i = 0; i < n; i++)
        exact->answers[i] = (int)abut_hull_exact(predicate, &hull, items[i]);
}

static void compare(enum hull_predicate predicate, const char *isa, const struct exact *exact, bool closed, size_t n,
                    const uint64_t *hits)
{
    size_t words = abut_mask_words(n);
    for (size_t i = 0; i < 64 * words; i++) {
        bool want = i < n && wanted(exact->answers[i], closed);
        bool good = (hits[i / 64] >> i % 64 & 1) == want;
        if (!good) {
            check_that(false, "%s, %s, %s, %zu of %zu: %s", predicates[predicate].name, isa, closed ? "closed" : "open",
                       i, n, want ? "missed" : "hit");
            print_hull_pair(predicates[predicate].shape, &exact->planes, items[i < n ? i : 0]);
        }
    }
    checks_passed(n);
}

static void check_rows(enum hull_predicate predicate, const struct tested *tested, const struct exact *const *exact,
                       size_t rows, size_t n, bool closed, bool at_end)
{
    const unsigned fields = shape_info(predicates[predicate].shape)->fields;
    const size_t row_words = abut_mask_words(n) + 1;
    struct guarded memory[ABUT_MAX_FIELDS], output = guarded_new(rows * row_words * sizeof(uint64_t), at_end);
    const float *at[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < fields; k++) {
        memory[k] = guarded_new(n * sizeof(float), at_end);
        at[k] = memory[k].at;
        for (size_t i = 0; i < n; i++)
            memcpy((float *)memory[k].at + i, &items[i][k], sizeof(float));
    }
    /* More expected items make preparation look for more facts about a hull, which must not change answers. */
    static const size_t expected[] = {1, 300, SIZE_MAX};
    static struct random choice = {1};
    const unsigned chosen = random_below(&choice, sizeof expected / sizeof *expected);
    struct hull hulls[ABUT_MAX_HULLS];
    for (size_t row = 0; row < rows; row++)
        prepare_planes(&hulls[row], &exact[row]->planes, expected[chosen]);
    struct abut_stats stats = {0};
    memset(output.at, PATTERN, rows * row_words * sizeof(uint64_t));
    const struct hull_args args = {hulls, at, n, closed, &stats, rows, row_words, false};
    tested->isa->hulls[predicate](&args, output.at);
    uint64_t beyond;
    memset(&beyond, PATTERN, sizeof beyond);
    for (size_t row = 0; row < rows; row++) {
        const uint64_t *hits = (uint64_t *)output.at + row * row_words;
        compare(predicate, tested->name, exact[row], closed, n, hits);
        check_that(hits[row_words - 1] == beyond, "%s: wrote beyond its words", tested->name);
    }
    check_that(stats.pairs == rows * n && stats.undecided <= rows * n && stats.exact <= stats.undecided,
               "%s: statistics", tested->name);
    for (unsigned k = 0; k < fields; k++)
        guarded_free(&memory[k]);
    guarded_free(&output);
}

static void check_isa(enum hull_predicate predicate, const struct tested *tested, size_t n, bool closed, bool at_end)
{
    enum { ROWS = 3 };
    static const struct exact *const rows[ROWS] = {&other_hull, &invalid_hull, &tested_hull};
    exact_items(predicate, &invalid_hull, n);
    for (size_t first = 0; first < ROWS; first++)
        check_rows(predicate, tested, rows + first, ROWS - first, n, closed, at_end);
}

/* The tested hull with one plane moved through some item: most other items then cross it. */
static void make_other(enum hull_predicate predicate, struct random *random, size_t n)
{
    other_hull.planes = tested_hull.planes;
    float *plane = other_hull.planes.at[random_below(random, other_hull.planes.count)];
    const float *item = items[random_below(random, (unsigned)n)];
    const float d = -(plane[0] * item[0] + plane[1] * item[1] + plane[2] * item[2]);
    plane[3] = isfinite(d) ? d : plane[3];
    exact_items(predicate, &other_hull, n);
}

/* A word that repeats one of the n items: no other lane causes a recheck. */
static void check_alone(enum hull_predicate predicate, struct random *random, size_t n, const struct tested *tested,
                        unsigned isas)
{
    const size_t one = random_below(random, (unsigned)n);
    float item[ABUT_MAX_FIELDS];
    memcpy(item, items[one], sizeof item);
    for (size_t i = 0; i < 64; i++) {
        memcpy(items[i], item, sizeof item);
        tested_hull.answers[i] = tested_hull.answers[one];
        other_hull.answers[i] = other_hull.answers[one];
    }
    for (unsigned v = 0; v < isas; v++)
        check_isa(predicate, &tested[v], 64, random_below(random, 2) == 0, v % 2);
}

static void check_items(enum hull_predicate predicate, const struct hull_theme *theme, size_t n, struct random *random,
                        const struct tested *tested, unsigned isas)
{
    for (size_t i = 0; i < n; i++)
        make_hull_item(predicate, predicates[predicate].shape, theme, &tested_hull.planes, random, items[i]);
    exact_items(predicate, &tested_hull, n);
    make_other(predicate, random, n);
    for (unsigned v = 0; v < isas; v++)
        check_isa(predicate, &tested[v], n, random_below(random, 2) == 0, v % 2);
    check_alone(predicate, random, n, tested, isas);
}

static void check_scene(enum hull_predicate predicate, enum hull_kind kind, struct random *random,
                        const struct tested *tested, unsigned isas)
{
    struct hull_theme theme;
    make_hull(kind, random, &tested_hull.planes, &theme);
    const size_t n = 1 + random_below(random, kind == hull_kind_many ? 8 : FEW_ITEMS);
    check_items(predicate, &theme, n, random, tested, isas);
}

/* Items far away along a plane near the origin, in either direction: coordinates alone make the error of the depth. */
static void check_along(enum hull_predicate predicate, struct random *random, const struct tested *tested,
                        unsigned isas)
{
    const float x = random_between(random, 0.5f, 1), y = random_between(random, 0.5f, 1);
    const float far = ldexpf(random_below(random, 2) == 0 ? 1 : -1, 22);
    const struct hull_theme theme = {hull_kind_far, {far * x, far * y, far}, 0};
    tested_hull.planes = (struct planes){1, {{y, -x, 0, random_between(random, -1, 1)}}};
    check_items(predicate, &theme, 1 + random_below(random, 4), random, tested, isas);
}

/* A word with one NaN item, against a hull whose planes bound nothing and so do not reveal the NaN. */
static void check_space(enum hull_predicate predicate, const struct tested *tested, unsigned isas)
{
    const struct shape_info *info = shape_info(predicates[predicate].shape);
    tested_hull.planes = (struct planes){1, {{0, 0, 0, -1}}};
    for (unsigned i = 0; i < 64; i++) {
        tested_hull.answers[i] = i == 37 ? ANSWER_MISS : ANSWER_HIT;
        for (unsigned k = 0; k < info->fields; k++)
            items[i][k] = 1;
    }
    for (unsigned k = 0; k < info->fields; k++) {
        items[37][k] = NAN;
        other_hull = tested_hull;
        for (unsigned v = 0; v < isas; v++)
            check_isa(predicate, &tested[v], 64, true, false);
        items[37][k] = 1;
    }
    if (predicates[predicate].shape == shape_sphere) {
        /* All of space contains an infinite sphere. */
        items[37][3] = INFINITY;
        tested_hull.answers[37] = other_hull.answers[37] = ANSWER_HIT;
        for (unsigned v = 0; v < isas; v++)
            check_isa(predicate, &tested[v], 64, true, false);
    }
}

/* Words of far spheres: a sum of two products overflows, and the third product brings it back below the radius. */
static void check_overflow(enum hull_predicate predicate, const struct tested *tested, unsigned isas)
{
    for (unsigned side = 0; side < 2; side++) {
        const float sign = side == 0 ? 1 : -1;
        tested_hull.planes = (struct planes){1, {{sign * -0.7f, sign * 0.505f, sign * 0.505f, 0}}};
        other_hull.planes = tested_hull.planes;
        for (unsigned i = 0; i < 64; i++) {
            for (unsigned k = 0; k < 3; k++)
                items[i][k] = FLT_MAX;
            items[i][3] = FLT_MAX / 2;
        }
        exact_items(predicate, &tested_hull, 64);
        exact_items(predicate, &other_hull, 64);
        for (unsigned v = 0; v < isas; v++)
            check_isa(predicate, &tested[v], 64, true, false);
    }
}

/*
 * Words of one sphere or point with coordinates and radius up to infinity and NaN, against hulls for which find_bound()
 * bounds the distance of near items: only the depth reveals such values.
 */
static void check_far_away(enum hull_predicate predicate, struct random *random, const struct tested *tested,
                           unsigned isas)
{
    static const float far[] = {INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 0x1p126f, -0x1p125f, 0x1p90f, 1, 0, NAN};
    static const float radii[] = {0, -0.0f, 1, 0x1p99f, 0x1p119f, 0x1p126f, FLT_MAX, INFINITY, -0.25f, NAN};
    static const struct exact *const rows[] = {&tested_hull};
    enum { FAR = sizeof far / sizeof *far, RADII = sizeof radii / sizeof *radii, WORD = 64 };
    struct planes *planes = &tested_hull.planes;
    *planes = (struct planes){4, {{1, 1, 1, 0}, {-1, -1, 1, 0}, {-1, 1, -1, 0}, {1, -1, -1, 0}}};
    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < 4; i++)
            planes->at[k][i] += random_below(random, 3) == 0 ? 0 : random_between(random, -0.5f, 0.1f);
    for (unsigned k = 0; k < 4 && random_below(random, 2) == 0; k++) {
        for (unsigned i = 0; i < 3; i++)
            planes->at[planes->count][i] = -planes->at[k][i];
        planes->at[planes->count++][3] = -1;
    }
    float item[4];
    const float scale = ldexpf(1, (int)random_below(random, 40) - 10);
    const unsigned form = random_below(random, 3);
    for (unsigned k = 0; k < 4; k++)
        item[k] = k == 3      ? radii[random_below(random, RADII)]
                  : form == 0 ? random_between(random, -0.1f, 0.1f)
                  : form == 1 ? scale * random_between(random, -1, 1)
                              : far[random_below(random, FAR)];
    /* The radius becomes about the depth. */
    for (unsigned k = 0; k < planes->count && form == 1; k++) {
        const float *n = planes->at[k];
        const double length = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
        const double depth = ((double)n[0] * item[0] + (double)n[1] * item[1] + (double)n[2] * item[2] + n[3]) / length;
        item[3] = k == 0 || depth > item[3] ? (float)depth : item[3];
    }
    for (size_t i = 0; i < WORD; i++)
        memcpy(items[i], item, sizeof item);
    exact_items(predicate, &tested_hull, WORD);
    for (unsigned v = 0; v < isas; v++)
        check_rows(predicate, &tested[v], rows, 1, WORD, random_below(random, 2) == 0, v % 2);
}

/*
 * All planes go through the origin. The bound b of find_bound() must not exceed the depth of any point at distance 1
 * from it: tested in a random direction, and along a descent to smaller depths.
 */
static void check_bound(struct random *random)
{
    struct planes planes = {.count = 3 + random_below(random, 8)};
    struct hull hull;
    for (unsigned k = 0; k < planes.count; k++)
        for (unsigned i = 0; i < 4; i++)
            planes.at[k][i] = i == 3 ? 0 : random_between(random, -1, i == 0 ? 0.7f : 1);
    prepare_planes(&hull, &planes, SIZE_MAX);
    if (hull.by_radius == INFINITY)
        return;
    bounds_found++;
    double u[3];
    for (unsigned i = 0; i < 3; i++)
        u[i] = random_between(random, -1, 1);
    for (unsigned step = 0; step < 40; step++) {
        const double length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        const double *most = hull.unit[0];
        for (unsigned k = 0; k < hull.planes; k++) {
            const double *n = hull.unit[k];
            if (n[0] * u[0] + n[1] * u[1] + n[2] * u[2] > most[0] * u[0] + most[1] * u[1] + most[2] * u[2])
                most = n;
        }
        const double greatest = (most[0] * u[0] + most[1] * u[1] + most[2] * u[2]) / length;
        CHECK(greatest >= 8 * 0x1p-24 / hull.by_radius);
        for (unsigned i = 0; i < 3; i++)
            u[i] = u[i] / length - 0.3 / (1 + step) * most[i];
    }
}

/* More spheres across two faces of a cube than the boundary queue holds; every other sphere misses the edge. */
static void check_edge(const struct tested *tested, unsigned isas)
{
    tested_hull.planes = (struct planes){
        6, {{1, 0, 0, -1}, {-1, 0, 0, -1}, {0, 1, 0, -1}, {0, -1, 0, -1}, {0, 0, 1, -1}, {0, 0, -1, -1}}};
    for (unsigned i = 0; i < MAX_ITEMS; i++) {
        const float from_face = i % 2 ? 0.9f : 0.5f, radius = 1;
        tested_hull.answers[i] = i % 2 ? ANSWER_MISS : ANSWER_HIT;
        items[i][0] = items[i][1] = 1 + from_face;
        items[i][2] = 0.01f * (float)(i % 64);
        items[i][3] = radius;
    }
    other_hull.planes = tested_hull.planes;
    other_hull.planes.at[0][3] = -1.7f; /* a different half of the spheres crosses */
    exact_items(hull_predicate_sphere_hull, &other_hull, MAX_ITEMS);
    for (unsigned v = 0; v < isas; v++)
        check_isa(hull_predicate_sphere_hull, &tested[v], MAX_ITEMS, true, false);
}

/*
 * Hulls of 1 to 12 random planes around the origin, and spheres across several of them: spheres whose first guess fails
 * wait in shared vectors, whatever their hull.
 */
static void check_mixed(struct random *random, const struct tested *tested, unsigned isas)
{
    static struct exact hulls[ABUT_MAX_HULLS];
    const struct exact *rows[ABUT_MAX_HULLS];
    const float scale = ldexpf(1, (int)random_below(random, 9) - 4);
    for (size_t i = 0; i < FEW_ITEMS; i++) {
        for (unsigned k = 0; k < 3; k++)
            items[i][k] = scale * random_between(random, -2, 2);
        items[i][3] = scale * random_between(random, 0.2f, 1);
    }
    for (unsigned h = 0; h < ABUT_MAX_HULLS; h++) {
        struct planes *planes = &hulls[h].planes;
        planes->count = 1 + random_below(random, 12);
        for (unsigned p = 0; p < planes->count; p++) {
            for (unsigned k = 0; k < 3; k++)
                planes->at[p][k] = random_between(random, -1, 1);
            planes->at[p][3] = scale * random_between(random, -1, 0);
        }
        exact_items(hull_predicate_sphere_hull, &hulls[h], FEW_ITEMS);
        rows[h] = &hulls[h];
    }
    for (unsigned v = 0; v < isas; v++)
        check_rows(hull_predicate_sphere_hull, &tested[v], rows, ABUT_MAX_HULLS, FEW_ITEMS,
                   random_below(random, 2) == 0, v % 2);
}

/*
 * A word of one sphere that barely reaches a corner of a hull far from the origin, under the open rule: the errors of
 * heights there are not relative to its radius.
 */
static void check_far_corner(const struct tested *tested, unsigned isas)
{
    static const float sphere[4] = {0x1.8ca14p-4f, -0x1.48b93p-2f, 0x1.e6fa06p+7f, 0x1.0c54d6p-3f};
    static const struct planes corner = {8,
                                         {{-0x1.5a14e8p+1f, 0x1.8ea148p+0f, -0x1.5c682p-1f, 0x1.477cc2p+7f},
                                          {0x1.92f1a6p-3f, 0x1.5cb6aep-1f, -0x1.691a4p-1f, 0x1.56af6p+7f},
                                          {0x1.37dff2p-1f, -0x1.35b72p-2f, -0x1.775cdep-1f, 0x1.64f302p+7f},
                                          {-0x1.2a3db8p-1f, 0x1.be8484p-1f, -0x1.99f0d8p-2f, 0x1.83b0ap+6f},
                                          {-0x1.7cedb8p-2f, -0x1.d35c5cp-1f, -0x1.590d1ep-3f, 0x1.42bb28p+5f},
                                          {-0x1.0d84b8p-5f, -0x1.0d836p-7f, -0x1.4c8038p-5f, 0x1.3b73dcp+3f},
                                          {-0x1.22631ep-1f, -0x1.705p-1f, 0x1.9aaeecp-2f, -0x1.89f626p+6f},
                                          {-0x1.3a618p-9f, -0x1.f8d76p-4f, -0x1.fee8ap-4f, 0x1.e5a664p+4f}}};
    tested_hull.planes = other_hull.planes = corner;
    for (unsigned i = 0; i < 64; i++)
        memcpy(items[i], sphere, sizeof sphere);
    exact_items(hull_predicate_sphere_hull, &tested_hull, 64);
    exact_items(hull_predicate_sphere_hull, &other_hull, 64);
    CHECK(tested_hull.answers[0] == ANSWER_HIT);
    for (unsigned v = 0; v < isas; v++)
        check_isa(hull_predicate_sphere_hull, &tested[v], 64, false, v % 2);
}

/*
 * Spheres beyond the edge of a blade far from the origin. Its planes are nearly parallel. A centre that float32
 * rounding puts inside can be farther away than its radius, though the radius exceeds the error of a depth.
 */
static void check_blade(struct random *random, const struct tested *tested, unsigned isas)
{
    enum { WORD = 64 };
    const float reach = ldexpf(random_between(random, 1, 2), 6), slope = ldexpf(1, -4 - (int)random_below(random, 5));
    float edge[3]; /* few bits, so that the planes are exact */
    for (unsigned k = 0; k < 3; k++)
        edge[k] = (float)random_below(random, 1024) / 4 - 128;
    /* The edge is along z, the spheres lie beyond it along x, and the blade is thin along y. */
    tested_hull.planes =
        (struct planes){2, {{slope, 1, 0, -(slope * edge[0] + edge[1])}, {slope, -1, 0, -(slope * edge[0] - edge[1])}}};
    for (unsigned i = 0; i < WORD; i++) {
        const float beyond = reach * ldexpf(random_between(random, 1, 2), -18 + (int)random_below(random, 3));
        items[i][0] = edge[0] + beyond;
        items[i][1] = edge[1];
        items[i][2] = edge[2];
        items[i][3] = beyond * random_between(random, 0.5f, 1.2f);
    }
    exact_items(hull_predicate_sphere_hull, &tested_hull, WORD);
    const struct exact *const rows[] = {&tested_hull};
    for (unsigned v = 0; v < isas; v++)
        check_rows(hull_predicate_sphere_hull, &tested[v], rows, 1, WORD, random_below(random, 2) == 0, v % 2);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 4});
    struct tested tested[MAX_TESTED];
    unsigned isas = tested_isas(tested);
    struct random random = {options.seed};
    print_isas();
    check_expected(&options);
    for (unsigned p = 0; p < hull_predicate_count; p++)
        check_space((enum hull_predicate)p, tested, isas);
    for (unsigned p = 0; p < hull_predicate_count; p++)
        if (predicates[p].shape == shape_sphere)
            check_overflow((enum hull_predicate)p, tested, isas);
    for (unsigned round = 0; round < 100 * options.rounds; round++)
        for (unsigned p = 0; p < hull_predicate_count; p++)
            if (predicates[p].shape == shape_sphere || predicates[p].shape == shape_point)
                check_far_away((enum hull_predicate)p, &random, tested, isas);
    for (unsigned round = 0; round < 5000 * options.rounds; round++)
        check_bound(&random);
    CHECK(bounds_found > 100 * options.rounds);
    check_edge(tested, isas);
    check_far_corner(tested, isas);
    for (unsigned round = 0; round < options.rounds; round++)
        check_mixed(&random, tested, isas);
    for (unsigned round = 0; round < 60 * options.rounds; round++)
        check_blade(&random, tested, isas);
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0; p < hull_predicate_count; p++)
            for (unsigned kind = 0; kind < hull_kind_count; kind++)
                check_scene((enum hull_predicate)p, (enum hull_kind)kind, &random, tested, isas);
    for (unsigned round = 0; round < 8 * options.rounds; round++)
        for (unsigned p = 0; p < hull_predicate_count; p++)
            check_along((enum hull_predicate)p, &random, tested, isas);
    return finish("hulls");
}
