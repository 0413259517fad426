/* SPDX-License-Identifier: MIT */
/* One hash a predicate of all answers on fixed input: the same for every variant, compiler and platform. */
#include "batches.h"
#include "judges.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A predicate without its line does not compile. Generators changed? `golden --rounds 0` prints new lines; judge_test must have passed. */
#define GOLDEN_sphere_aabb UINT64_C(0x1a475f13e0818ddc)
#define GOLDEN_sphere_in_aabb UINT64_C(0x2948b1dc64cde4c1)
#define GOLDEN_aabb_in_sphere UINT64_C(0x1da8438e6ed14b6b)
#define GOLDEN_point_in_sphere UINT64_C(0x6e38416e939cc003)
#define GOLDEN_point_in_aabb UINT64_C(0xa8b10c02c7a19188)
#define GOLDEN_sphere_sphere UINT64_C(0xa46f1fce9a3b7c78)
#define GOLDEN_aabb_aabb UINT64_C(0xebe938f3bb2d3589)

#define PREDICATE(name, a, b, question, function) GOLDEN_##name,
static const uint64_t golden[predicate_count] = {
#include "kernels.def"
};

enum { PAIRS = 1000 };

/* FNV-1a, word by word. */
static uint64_t hash_words(uint64_t hash, const uint64_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (unsigned shift = 0; shift < 64; shift += 8)
            hash = (hash ^ (words[i] >> shift & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of(const struct subject *subject, const struct variant *variant)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    struct random random = {20240229};
    for (enum kind kind = 0; kind < kind_count; kind++) {
        struct batch a, b;
        batches_of_pairs(subject, kind, &random, PAIRS, &a, &b);
        const struct columns columns_a = batch_columns(&a), columns_b = batch_columns(&b);
        for (int closed = 0; closed < 2; closed++) {
            uint64_t hits[(PAIRS + 63) / 64];
            struct abut_stats stats = {0};
            const struct job job = {columns_a.at, columns_b.at, PAIRS, closed, &stats};
            variant->kernels[subject->predicate].zip(&job, hits);
            hash = hash_words(hash, hits, (PAIRS + 63) / 64);
        }
        batch_free(&a);
        batch_free(&b);
    }
    return hash;
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n = tested_variants(tested);
    print_variants();
    for (unsigned p = 0; p < predicate_count; p++)
        for (unsigned v = 0; v < n; v++) {
            uint64_t hash = hash_of(&subjects[p], tested[v].variant);
            if (options.rounds == 0 && v == 0)
                printf("#define GOLDEN_%s UINT64_C(0x%016llx)\n", subjects[p].name, (unsigned long long)hash);
            check_that(options.rounds == 0 || hash == golden[p], "%s, %s: the hash of all answers is %016llx, not %016llx",
                       subjects[p].name, tested[v].name, (unsigned long long)hash, (unsigned long long)golden[p]);
        }
    return finish("golden");
}
