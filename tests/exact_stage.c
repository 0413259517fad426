/* SPDX-License-Identifier: MIT */
/* Tests the exact stage against the oracle, and the float64 filter against the exact stage, on every kind of input. */
#include "contact.h"
#include "hull/hull.h"
#include "oracle.h"
#include "report.h"

#include <stdio.h>
#include <string.h>

/* A guess of the planes that hold the nearest point, however poor, may leave an answer undecided but never wrong. */
static void check_guess(const struct subject *subject, const float *a, const float *b, int right)
{
    static unsigned turn;
    struct hull hull;
    struct findings found = NOTHING_FOUND;
    struct active *guess = &found.active;
    prepare_hull(&hull, b);
    if (subject->predicate != predicate_sphere_hull || hull.invalid || hull.planes == 0 ||
        abut_is_invalid(shape_sphere, a))
        return;
    for (unsigned i = 0; i < 3; i++) {
        unsigned plane = (turn += 5) / 3 % hull.planes;
        bool taken = false;
        for (unsigned k = 0; k < guess->count; k++)
            taken |= guess->plane[k] == plane;
        if (!taken)
            guess->plane[guess->count++] = plane;
    }
    for (bool more = true; more; more = guess->count > 0, guess->count -= more) {
        enum answer filter = abut_hull_bounded64(subject->predicate, &hull, a, &found);
        enum answer exact = abut_hull_exact_from(subject->predicate, &hull, a, &found);
        if (!check_that((filter == ANSWER_UNKNOWN || (int)filter == right) &&
                            (exact == ANSWER_UNKNOWN || (int)exact == right),
                        "guess of %u planes: oracle %d, float64 filter %d, exact stage %d", guess->count, right,
                        (int)filter, (int)exact))
            print_pair(subject, a, b);
    }
}

/* Returns the oracle's answer. */
static int check_pair(const struct subject *subject, enum kind kind, uint64_t seed, const float *a, const float *b,
                      struct abut_stats *stats)
{
    int right = oracles[subject->predicate](a, b), exact = exact_answer(subject, a, b);
    if (!check_that(exact == right, "%s, %s input: the exact stage says %d, the oracle %d; seed %llu", subject->name,
                    kind_names[kind], exact, right, (unsigned long long)seed))
        print_pair(subject, a, b);
    for (int closed = 0; closed < 2; closed++) {
        bool hit = resolved(subject, a, b, closed, stats);
        if (!check_that(hit == (right >= (closed ? 0 : 1)),
                        "%s, %s input, %s: resolved as a %s, the oracle says %d; seed %llu", subject->name,
                        kind_names[kind], closed ? "closed" : "open", hit ? "hit" : "miss", right,
                        (unsigned long long)seed))
            print_pair(subject, a, b);
    }
    if (of_hulls(subject))
        check_guess(subject, a, b, right);
    return right;
}

/*
 * Each kind of input must give hits and misses, and touches too where the kind is about ties. Kinds of hulls, and of
 * shapes with corners, of which fewer rounds are run, count together: signed zeros hardly ever put a box in a capsule.
 */
static void check_mix(const struct subject *subject, enum kind kind, const unsigned counts[3])
{
    bool ties =
        kind == kind_integers || kind == kind_tangent_radius || kind == kind_tangent_member || kind == kind_zeros;
    check_that(counts[0] > 0 && (is_thin(subject) ? counts[1] > 0 : counts[2] > 0 && (counts[1] > 0 || !ties)),
               "%s, %s input: %u misses, %u touches, %u hits", subject->name, kind_names[kind], counts[0], counts[1],
               counts[2]);
}

/* The oracle takes long for many planes, and for shapes with corners. */
static unsigned rounds_of(const struct subject *subject, enum kind kind, unsigned rounds)
{
    if (has_corners(subject))
        return rounds / 20;
    if (takes_long(subject) && strcmp(subject->question, "touches") == 0)
        return kind == kind_many ? rounds / 500 : rounds / 50;
    return kind == kind_many ? rounds / 100 : kind >= kind_box ? rounds / 5 : rounds;
}

static void check_predicate(const struct subject *subject, const struct options *options)
{
    struct abut_stats stats = {0};
    unsigned of_all[3] = {0};
    const bool together = of_hulls(subject) || has_corners(subject);
    for (enum kind kind = 0; kind < kind_count; kind++) {
        struct random random = {options->seed + 1000 * (uint64_t)subject->predicate + kind};
        unsigned counts[3] = {0};
        if (!has_kind(subject, kind))
            continue;
        for (unsigned i = 0; i < rounds_of(subject, kind, options->rounds); i++) {
            float a[MAX_MEMBERS], b[MAX_MEMBERS];
            make_any_pair(subject, kind, &random, a, b);
            counts[check_pair(subject, kind, options->seed, a, b, &stats) + 1]++;
        }
        if (!together)
            check_mix(subject, kind, counts);
        for (unsigned i = 0; i < 3; i++)
            of_all[i] += counts[i];
    }
    if (together)
        check_mix(subject, kind_integers, of_all);
    printf("%s: %llu undecided, %llu exact\n", subject->name, (unsigned long long)stats.undecided,
           (unsigned long long)stats.exact);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 2, .rounds = 2000});
    for (unsigned p = 0; p < predicate_count; p += options.step)
        if (options.only == NULL || options.only == &subjects[p])
            check_predicate(&subjects[p], &options);
    return finish("exact_stage");
}
