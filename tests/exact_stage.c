/* SPDX-License-Identifier: MIT */
/* Tests the exact stage against the oracle, and the float64 filter against the exact stage, on every kind of input. */
#include "exact/resolve.h"

#include "oracle.h"
#include "report.h"

#include <stdio.h>

/* Returns the oracle's answer. */
static int check_pair(const struct subject *subject, enum kind kind, uint64_t seed, const float *a, const float *b,
                      struct abut_stats *stats)
{
    int right = oracles[subject->predicate](a, b), exact = abut_exact(subject->predicate, a, b);
    if (!check_that(exact == right, "%s, %s input: the exact stage says %d, the oracle %d; seed %llu", subject->name,
                    kind_names[kind], exact, right, (unsigned long long)seed))
        print_pair(subject, a, b);
    for (int closed = 0; closed < 2; closed++) {
        bool hit = abut_resolve(subject->predicate, a, b, closed, stats);
        if (!check_that(hit == (right >= (closed ? 0 : 1)),
                        "%s, %s input, %s: resolved as a %s, the oracle says %d; seed %llu", subject->name,
                        kind_names[kind], closed ? "closed" : "open", hit ? "hit" : "miss", right,
                        (unsigned long long)seed))
            print_pair(subject, a, b);
    }
    return right;
}

/* Each kind of input must give hits and misses, and touches too where the kind is about ties. */
static void check_mix(const struct subject *subject, enum kind kind, const unsigned counts[3])
{
    bool ties =
        kind == kind_integers || kind == kind_tangent_radius || kind == kind_tangent_member || kind == kind_zeros;
    check_that(counts[0] > 0 && counts[2] > 0 && (counts[1] > 0 || !ties),
               "%s, %s input: %u misses, %u touches, %u hits", subject->name, kind_names[kind], counts[0], counts[1],
               counts[2]);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 2, .rounds = 2000});
    for (unsigned p = 0; p < predicate_count; p++) {
        struct abut_stats stats = {0};
        for (enum kind kind = 0; kind < kind_count; kind++) {
            struct random random = {options.seed + 1000 * p + kind};
            unsigned counts[3] = {0};
            if (options.only != NULL && options.only != &subjects[p])
                continue;
            for (unsigned i = 0; i < options.rounds; i++) {
                float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
                make_any_pair(&subjects[p], kind, &random, a, b);
                counts[check_pair(&subjects[p], kind, options.seed, a, b, &stats) + 1]++;
            }
            check_mix(&subjects[p], kind, counts);
        }
        printf("%s: %llu undecided, %llu exact\n", subjects[p].name, (unsigned long long)stats.undecided,
               (unsigned long long)stats.exact);
    }
    return finish("exact_stage");
}
