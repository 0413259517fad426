/* SPDX-License-Identifier: MIT */
/* Tests the exact stage of hulls against the oracle; the stages before it may be undecided but never wrong. */
#include "hull_inputs.h"
#include "hull_oracle.h"
#include "report.h"

#include <math.h>
#include <string.h>

static const enum shape shapes[] = {
#define HULL_PREDICATE(name, shape, relation, function) shape_##shape,
#include "tables/predicates.def"
};

/* A guess, however poor, may leave the answer undecided but never wrong. */
static void check_guess(const struct planes *planes, const struct hull *hull, const float *item, int want)
{
    static unsigned turn;
    struct findings found = NOTHING_FOUND;
    struct active *guess = &found.active;
    for (unsigned i = 0; i < 3 && hull->planes > 0; i++) {
        unsigned plane = (turn += 5) / 3 % hull->planes;
        bool taken = false;
        for (unsigned k = 0; k < guess->count; k++)
            taken |= guess->plane[k] == plane;
        if (!taken)
            guess->plane[guess->count++] = plane;
    }
    for (; hull->planes > 0; guess->count--) {
        enum answer middle = abut_hull_bounded64(hull_predicate_sphere_hull, hull, item, &found);
        enum answer exact = abut_hull_exact_from(hull_predicate_sphere_hull, hull, item, &found);
        if (!check_that((middle == ANSWER_UNKNOWN || (int)middle == want) &&
                            (exact == ANSWER_UNKNOWN || (int)exact == want),
                        "guess of %u planes: oracle %d, float64 filter %d, exact stage %d", guess->count, want,
                        (int)middle, (int)exact))
            print_hull_pair(shape_sphere, planes, item);
        if (guess->count == 0)
            return;
    }
}

static void check_pair(enum hull_predicate predicate, const struct planes *planes, const float *item)
{
    struct hull hull;
    prepare_planes(&hull, planes, 1);
    int want = hull_oracles[predicate](item, planes->at, planes->count);
    int exact = (int)abut_hull_exact(predicate, &hull, item);
    struct abut_stats stats = {0};
    bool closed = abut_hull_resolve(predicate, &hull, item, true, &stats);
    bool open = abut_hull_resolve(predicate, &hull, item, false, &stats);
    if (!check_that(exact == want && closed == (want >= 0) && open == (want > 0),
                    "predicate %d: oracle %d, exact stage %d, resolved %d %d", (int)predicate, want, exact, closed,
                    open))
        print_hull_pair(shapes[predicate], planes, item);
    if (predicate == hull_predicate_sphere_hull && !hull.invalid && !abut_is_invalid(shape_sphere, item))
        check_guess(planes, &hull, item, want);
}

/*
 * Pairs of nearly opposite planes, which meet a million times as far away as they are apart. The critical radius is
 * within 2^-35 (relative) of a float; random radii hardly ever come as close.
 */
static void check_slivers(void)
{
    static const struct {
        float sphere[4];
        struct planes planes;
    } slivers[] = {
        {{-0x1.35c86p-2f, -0x1.14e248p-1f, 0x1.6e3f3p-3f, 0x1.a3a1dcp+19f},
         {2,
          {{-0x1.4862ecp-1f, -0x1.8c6b74p-2f, -0x1.b85934p-1f, 0x1.161a9ap-1f},
           {0x1.4863c2p-1f, 0x1.8c6c84p-2f, 0x1.b85a12p-1f, 0x1.4144c6p-1f}}}},
        {{-0x1.c639p-7f, -0x1.210484p-1f, 0x1.eb2e78p-2f, 0x1.5b9078p+17f},
         {2,
          {{0x1.282f0ap-2f, 0x1.647a14p-2f, -0x1.71957ap-1f, 0x1.5b6632p-1f},
           {-0x1.282e24p-2f, -0x1.64797ep-2f, 0x1.7195dcp-1f, 0x1.b4cb5p-3f}}}},
        {{0x1.bd052p-3f, 0x1.65c3fcp-1f, 0x1.121638p-1f, 0x1.1d92p+18f},
         {2,
          {{-0x1.5265a8p-1f, -0x1.5e324ep-1f, -0x1.b9d1ep-6f, 0x1.9e7064p-2f},
           {0x1.5265acp-1f, 0x1.5e3296p-1f, 0x1.b9c22ep-6f, 0x1.8d8148p-1f}}}},
    };
    for (unsigned i = 0; i < sizeof slivers / sizeof *slivers; i++)
        check_pair(hull_predicate_sphere_hull, &slivers[i].planes, slivers[i].sphere);
}

/*
 * To decide whether the nearest point lies outside of the third plane takes terms from 2^200 to 2^-289, too many bits
 * for the smaller exact types. An unknown sign must not count as proof that the nearest point lies on other planes.
 */
static void check_wide(void)
{
    const float sphere[4] = {0x1p100f, 0x1p-149f, 0, 0x1p101f};
    const struct planes planes = {3, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0x1p100f, 0x1p-140f, 0, -1}}};
    check_pair(hull_predicate_sphere_hull, &planes, sphere);
}

/*
 * Planes tangent to a paraboloid so flat that float64 cannot order their distances, some with a floor that may lie
 * above all their points: exact arithmetic has to find the active planes itself.
 */
static void check_flat(struct random *random)
{
    struct planes planes = {.count = 9};
    const float flat = ldexpf(1, -40 - (int)random_below(random, 80));
    for (unsigned i = 0; i < planes.count; i++) {
        const float x = random_between(random, -2, 2), y = random_between(random, -2, 2);
        const float plane[4] = {flat * x, flat * y, 1, -flat * (x * x + y * y) / 2};
        memcpy(planes.at[i], plane, sizeof plane);
    }
    if (random_below(random, 2) == 0) {
        const float floor[4] = {0, 0, -1, flat * random_between(random, -1, 1)};
        memcpy(planes.at[planes.count++], floor, sizeof floor);
    }
    const float sphere[4] = {random_between(random, -2, 2), random_between(random, -2, 2), 1, 1};
    check_pair(hull_predicate_sphere_hull, &planes, sphere);
}

/*
 * Spheres that touch a plane at a point 2^-68 inside or outside of another plane: float64 cannot decide which. Outside,
 * the nearest point lies on the edge.
 */
static void check_edge(struct random *random)
{
    const float i = (float)(1 + random_below(random, 8)), j = (float)(1 + random_below(random, 8));
    const float x = 1 + j * 0x1p-23f, r = random_between(random, 0.5f, 2);
    const float nx = 1 + i * 0x1p-23f, ny = random_between(random, 1, 2), d = -1 - (i + j) * 0x1p-23f;
    const float y = -(i * j * 0x1p-46f) / ny;
    const struct planes planes = {2, {{0, 0, 1, 0}, {nx, ny, random_between(random, -1, 1), d}}};
    check_pair(hull_predicate_sphere_hull, &planes, (const float[4]){x, y, r, r});
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 40});
    struct random random = {options.seed};
    check_slivers();
    check_wide();
    for (unsigned round = 0; round < 10 * options.rounds; round++)
        check_flat(&random);
    for (unsigned round = 0; round < 10 * options.rounds; round++)
        check_edge(&random);
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0; p < hull_predicate_count; p++)
            for (unsigned kind = 0; kind < hull_kind_many + (round == 0); kind++) {
                struct planes planes;
                struct hull_theme theme;
                make_hull((enum hull_kind)kind, &random, &planes, &theme);
                for (unsigned i = 0; i < 12; i++) {
                    float item[ABUT_MAX_FIELDS];
                    make_hull_item((enum hull_predicate)p, shapes[p], &theme, &planes, &random, item);
                    check_pair((enum hull_predicate)p, &planes, item);
                }
            }
    return finish("hull_judge");
}
