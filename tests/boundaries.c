/* SPDX-License-Identifier: MIT */
/* What the headers say where readers may expect another rule: radii of 0, infinite bounds, zero axes, a reach of 0. */
#include "options.h"
#include "report.h"

#include <abut/index.h>

#include <math.h>

enum { MISS, HIT };

/* One pair under both rules. */
static bool answers(enum abut_relation relation, struct abut_set a, struct abut_set b, bool closed, bool open)
{
    uint64_t hits[2] = {9, 9};
    return abut_test(relation, a, b, OPTIONS(ABUT_CLOSED, NULL), &hits[0]) == ABUT_OK && hits[0] == closed &&
           abut_test(relation, a, b, OPTIONS(ABUT_OPEN, NULL), &hits[1]) == ABUT_OK && hits[1] == open;
}

static const float zero = 0, quarter = 0.25f, half = 0.5f, one = 1, two = 2, minus = -1, inf = INFINITY,
                   least = -INFINITY;

/* A sphere or capsule of radius 0, at the origin, touches what has a radius and holds it, and half spaces. */
static void check_radius_of_zero(void)
{
    const struct abut_points point = {1, &zero, &zero, &zero};
    const struct abut_spheres dot = {1, &zero, &zero, &zero, &zero}, ball = {1, &zero, &zero, &half, &one},
                              at_surface = {1, &zero, &zero, &one, &one};
    const struct abut_capsules line = {1, &zero, &zero, &zero, &half, &zero, &zero, &zero},
                               rod = {1, &zero, &minus, &zero, &zero, &one, &zero, &one};
    const struct abut_aabbs box = {1, &minus, &minus, &minus, &one, &one, &one};
    const struct abut_obbs obb = {1,     &zero, &zero, &zero, &one,  &one,  &one,  &one,
                                  &zero, &zero, &zero, &one,  &zero, &zero, &zero, &one};
    const struct abut_planes plane = {1, &one, &zero, &zero, &minus};
    static const uint32_t offsets[2] = {0, 1};
    const struct abut_hulls hull = {1, offsets, &one, &zero, &zero, &minus};
    const struct abut_set with_radius[] = {abut_of_spheres(&ball), abut_of_capsules(&rod)};
    const struct abut_set without[] = {abut_of_aabbs(&box), abut_of_obbs(&obb), abut_of_hulls(&hull)};
    for (unsigned i = 0; i < 2; i++) {
        CHECK(answers(ABUT_TOUCHES, abut_of_spheres(&dot), with_radius[i], HIT, HIT));
        CHECK(answers(ABUT_INSIDE, abut_of_points(&point), with_radius[i], HIT, HIT));
    }
    CHECK(answers(ABUT_INSIDE, abut_of_points(&point), abut_of_spheres(&at_surface), HIT, MISS));
    CHECK(answers(ABUT_INSIDE, abut_of_points(&point), abut_of_spheres(&dot), HIT, MISS));
    CHECK(answers(ABUT_TOUCHES, abut_of_spheres(&dot), abut_of_capsules(&line), HIT, MISS));
    for (unsigned i = 0; i < 3; i++) {
        CHECK(answers(ABUT_TOUCHES, abut_of_spheres(&dot), without[i], HIT, MISS));
        CHECK(answers(ABUT_TOUCHES, abut_of_capsules(&line), without[i], HIT, MISS));
    }
    CHECK(answers(ABUT_TOUCHES, abut_of_spheres(&dot), abut_of_planes(&plane), HIT, HIT));
    CHECK(answers(ABUT_TOUCHES, abut_of_capsules(&line), abut_of_planes(&plane), HIT, HIT));
}

/* An infinite bound is no face that another box could touch from inside. */
static void check_infinite_bounds(void)
{
    const struct abut_aabbs a = {1, &least, &zero, &zero, &zero, &one, &one},
                            b = {1, &least, &minus, &minus, &one, &two, &two},
                            c = {1, &least, &minus, &minus, &zero, &two, &two};
    const struct abut_obbs slab = {1,     &zero, &zero, &zero, &inf,  &two,  &two,  &one,
                                   &zero, &zero, &zero, &one,  &zero, &zero, &zero, &one};
    CHECK(answers(ABUT_INSIDE, abut_of_aabbs(&a), abut_of_aabbs(&b), HIT, HIT));
    CHECK(answers(ABUT_INSIDE, abut_of_aabbs(&a), abut_of_aabbs(&c), HIT, MISS));
    CHECK(answers(ABUT_INSIDE, abut_of_aabbs(&a), abut_of_obbs(&slab), HIT, HIT));
    CHECK(answers(ABUT_TOUCHES, abut_of_aabbs(&a), abut_of_aabbs(&b), HIT, HIT));
}

/* |0| <= h and |0| + R <= h, whatever a zero axis might be thought to bound. */
static void check_zero_axis(void)
{
    const struct abut_points far = {1, &zero, &zero, &two};
    const struct abut_spheres ball = {1, &zero, &zero, &zero, &half}, all = {1, &zero, &zero, &zero, &inf};
#define WITH_ZERO_AXIS(h, hz)                                                                                          \
    {                                                                                                                  \
        1, &zero, &zero, &zero, h, h, hz, &one, &zero, &zero, &zero, &one, &zero, &zero, &zero, &zero                  \
    }
    const struct abut_obbs flat = WITH_ZERO_AXIS(&one, &zero), thin = WITH_ZERO_AXIS(&one, &quarter),
                           wide = WITH_ZERO_AXIS(&one, &half), unbounded = WITH_ZERO_AXIS(&inf, &one);
    CHECK(answers(ABUT_INSIDE, abut_of_points(&far), abut_of_obbs(&flat), HIT, MISS));
    CHECK(answers(ABUT_INSIDE, abut_of_points(&far), abut_of_obbs(&thin), HIT, HIT));
    CHECK(answers(ABUT_INSIDE, abut_of_spheres(&ball), abut_of_obbs(&thin), MISS, MISS));
    CHECK(answers(ABUT_INSIDE, abut_of_spheres(&ball), abut_of_obbs(&wide), HIT, MISS));
    CHECK(answers(ABUT_INSIDE, abut_of_spheres(&all), abut_of_obbs(&unbounded), MISS, MISS));
}

static uint64_t pairs_within_zero(struct abut_set query, struct abut_set item, enum abut_touch touch, float period)
{
    const struct abut_reach reach = {0, {period, period, period}, 0};
    struct abut_index *index;
    uint64_t count = 9;
    CHECK(abut_index_new(item, NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join_within(index, query, &reach, OPTIONS(touch, NULL), NULL, 0, &count) == ABUT_OK);
    abut_index_free(index);
    return count;
}

/* The same shapes touch within 0 of each other in a periodic box and outside of one. */
static void check_reach_of_zero(void)
{
    const struct abut_points point = {1, &half, &half, &half};
    const struct abut_spheres ball = {1, &half, &half, &half, &half}, beside = {1, &half, &half, &one, &zero};
    const struct abut_aabbs box = {1, &zero, &zero, &zero, &one, &one, &one},
                            beyond = {1, &one, &zero, &zero, &two, &one, &one};
    for (unsigned i = 0; i < 2; i++) {
        const float period = i == 0 ? 0 : 4;
#define WITHIN_ZERO(query, item, closed, open)                                                                         \
    CHECK(pairs_within_zero(query, item, ABUT_CLOSED, period) == (closed) &&                                           \
          pairs_within_zero(query, item, ABUT_OPEN, period) == (open))
        WITHIN_ZERO(abut_of_points(&point), abut_of_points(&point), HIT, MISS);
        WITHIN_ZERO(abut_of_points(&point), abut_of_aabbs(&box), HIT, HIT);
        WITHIN_ZERO(abut_of_aabbs(&box), abut_of_aabbs(&box), HIT, HIT);
        WITHIN_ZERO(abut_of_aabbs(&box), abut_of_aabbs(&beyond), HIT, MISS);
        WITHIN_ZERO(abut_of_spheres(&ball), abut_of_spheres(&ball), HIT, HIT);
        WITHIN_ZERO(abut_of_spheres(&ball), abut_of_spheres(&beside), HIT, MISS);
        WITHIN_ZERO(abut_of_spheres(&beside), abut_of_aabbs(&box), HIT, MISS);
    }
}

int main(void)
{
    check_radius_of_zero();
    check_infinite_bounds();
    check_zero_axis();
    check_reach_of_zero();
    return finish("boundaries");
}
