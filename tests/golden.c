/* SPDX-License-Identifier: MIT */
/* Compares one hash per predicate or distance of all answers on fixed input: equal on every ISA and platform. */
#include "batches.h"
#include "report.h"

#include "hull/hull.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A predicate or distance without its line does not compile. After a change of the generators, `golden --rounds 0`
 * prints new lines; exact_arithmetic must have passed.
 */
#define GOLDEN_sphere_aabb UINT64_C(0x01085c3e0bea92b8)
#define GOLDEN_sphere_in_aabb UINT64_C(0xec68c611760da1c1)
#define GOLDEN_aabb_in_sphere UINT64_C(0x8bd2c38411717349)
#define GOLDEN_point_in_sphere UINT64_C(0x1b7d4ab78e5ad4f3)
#define GOLDEN_point_in_aabb UINT64_C(0x8c6b8484ed0090f0)
#define GOLDEN_sphere_sphere UINT64_C(0xd4c634e1cec3c047)
#define GOLDEN_aabb_aabb UINT64_C(0x61afbc3d8cbe590e)
#define GOLDEN_sphere_plane UINT64_C(0xb97fcb130b92bf78)
#define GOLDEN_sphere_in_plane UINT64_C(0x9a0544858fea7a0a)
#define GOLDEN_sphere_obb UINT64_C(0x0e652371edf1d8cc)
#define GOLDEN_sphere_in_obb UINT64_C(0xdd2aae35900c05c6)
#define GOLDEN_point_in_obb UINT64_C(0xf3de12c3fd1ac789)
#define GOLDEN_sphere_segment UINT64_C(0xc1deee3cb638dc9b)
#define GOLDEN_sphere_capsule UINT64_C(0x72611ea188bc723a)
#define GOLDEN_sphere_triangle UINT64_C(0xfdfecacc664412d5)
#define GOLDEN_point_in_segment UINT64_C(0x8e2e2d951e0bfa71)
#define GOLDEN_point_in_capsule UINT64_C(0x56c2228b72b421dc)
#define GOLDEN_point_in_triangle UINT64_C(0x84f20fdad8b8b80f)
#define GOLDEN_point_in_plane UINT64_C(0xf922a1ee0d45d9fd)
#define GOLDEN_segment_segment UINT64_C(0x6e6c5d6a28bbdddd)
#define GOLDEN_segment_capsule UINT64_C(0xbd4345fcf4fc26b9)
#define GOLDEN_segment_triangle UINT64_C(0x6bc0a03020fcb795)
#define GOLDEN_segment_aabb UINT64_C(0xae71cd230f0952b2)
#define GOLDEN_segment_obb UINT64_C(0xc281a83a50bfa886)
#define GOLDEN_segment_plane UINT64_C(0xa90c5412788bb48c)
#define GOLDEN_capsule_capsule UINT64_C(0xc1ac30521a695076)
#define GOLDEN_capsule_triangle UINT64_C(0x313a4178bc40bd34)
#define GOLDEN_capsule_aabb UINT64_C(0xf3145e4d800d0057)
#define GOLDEN_capsule_obb UINT64_C(0x633df06ce85a0119)
#define GOLDEN_capsule_plane UINT64_C(0x98d256fd4715f5d4)
#define GOLDEN_triangle_triangle UINT64_C(0x0916af1b272490d1)
#define GOLDEN_triangle_aabb UINT64_C(0xd5934cc4ba1b2301)
#define GOLDEN_triangle_obb UINT64_C(0x166a06ab5e24e9d1)
#define GOLDEN_triangle_plane UINT64_C(0x0c98953231fa4c56)
#define GOLDEN_aabb_obb UINT64_C(0xa6f3cf733324e694)
#define GOLDEN_aabb_plane UINT64_C(0x2862dc4f6d961564)
#define GOLDEN_obb_obb UINT64_C(0xc9d2144a1681e7d6)
#define GOLDEN_obb_plane UINT64_C(0x25c6ac64dcdb5616)
#define GOLDEN_sphere_in_sphere UINT64_C(0x5d4454f281b9e752)
#define GOLDEN_sphere_in_capsule UINT64_C(0x7fa0461e79f0be34)
#define GOLDEN_segment_in_sphere UINT64_C(0xf313f1b8f6fc531e)
#define GOLDEN_segment_in_aabb UINT64_C(0x4e50d52be188f4ea)
#define GOLDEN_segment_in_obb UINT64_C(0x947219de97feda32)
#define GOLDEN_segment_in_plane UINT64_C(0x3b4b5aa39395c3f8)
#define GOLDEN_capsule_in_sphere UINT64_C(0x2bc1d449f0e7e293)
#define GOLDEN_capsule_in_aabb UINT64_C(0xdc6d3d3a032c6b06)
#define GOLDEN_capsule_in_obb UINT64_C(0x005d9f6220a56fd5)
#define GOLDEN_capsule_in_plane UINT64_C(0xeceb72c57178a995)
#define GOLDEN_triangle_in_sphere UINT64_C(0x68c44898404143a3)
#define GOLDEN_triangle_in_aabb UINT64_C(0x373c0f9a951b1b01)
#define GOLDEN_triangle_in_obb UINT64_C(0xfa844cc7ad0203b2)
#define GOLDEN_triangle_in_plane UINT64_C(0x1e800d6e68f8d279)
#define GOLDEN_aabb_in_aabb UINT64_C(0x96b968d2a9200339)
#define GOLDEN_aabb_in_obb UINT64_C(0x54d61d73b5b70a28)
#define GOLDEN_aabb_in_plane UINT64_C(0x4af075f4175aa342)
#define GOLDEN_obb_in_sphere UINT64_C(0x3796eb8dc116f6dc)
#define GOLDEN_obb_in_aabb UINT64_C(0xdbc0d7c3394eb400)
#define GOLDEN_obb_in_obb UINT64_C(0x4993f68c4d05b262)
#define GOLDEN_obb_in_plane UINT64_C(0x4d372e33c118d8d0)
#define GOLDEN_sphere_hull UINT64_C(0xff6626a027d55e72)
#define GOLDEN_sphere_hull_planes UINT64_C(0x1595bc5fd3438136)
#define GOLDEN_sphere_in_hull UINT64_C(0xe7f79072f6f5577b)
#define GOLDEN_point_in_hull UINT64_C(0x2f31dd78aacd7b32)
#define GOLDEN_aabb_hull_planes UINT64_C(0xecdaa272a1a44c47)
#define GOLDEN_aabb_in_hull UINT64_C(0x7403a85fcfacf02e)
#define GOLDEN_obb_hull_planes UINT64_C(0x23f56ab1aec5ddeb)
#define GOLDEN_obb_in_hull UINT64_C(0xfff8232b753df9e9)
#define GOLDEN_segment_hull UINT64_C(0x9708eccae5ff7009)
#define GOLDEN_capsule_hull UINT64_C(0xe072c767f393ce34)
#define GOLDEN_triangle_hull UINT64_C(0x0011de8e9a692ab6)
#define GOLDEN_aabb_hull UINT64_C(0x66486010542b9419)
#define GOLDEN_obb_hull UINT64_C(0x1f611488bec4f644)
#define GOLDEN_segment_in_hull UINT64_C(0x139007bb063f5c31)
#define GOLDEN_capsule_in_hull UINT64_C(0x2a38c00a17196921)
#define GOLDEN_triangle_in_hull UINT64_C(0x3a0d36cd87c68d6e)
#define GOLDEN_point_sphere UINT64_C(0xadf2259a12a1b1c1)
#define GOLDEN_point_aabb UINT64_C(0x6dff84892a1226e9)
#define GOLDEN_point_obb UINT64_C(0x65721b92a5307aec)
#define GOLDEN_point_plane UINT64_C(0x52f67594740a3e84)
#define GOLDEN_point_segment UINT64_C(0xa72fd598ce82d396)
#define GOLDEN_point_capsule UINT64_C(0xe5ea6afeaa630517)
#define GOLDEN_point_triangle UINT64_C(0xad43fc8e7b78733d)

#define PREDICATE(name, a, b, relation, function) GOLDEN_##name,
static const uint64_t golden[predicate_count] = {
#include "tables/predicates.def"
};

#define DISTANCE(name, a, b, function) GOLDEN_##name,
static const uint64_t golden_distances[distance_count] = {
#include "tables/predicates.def"
};

enum { PAIRS = 500 };

/* FNV-1a, the low byte of a word first. */
static uint64_t hash_word(uint64_t hash, uint64_t word, unsigned bits)
{
    for (unsigned shift = 0; shift < bits; shift += 8)
        hash = (hash ^ (word >> shift & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_words(uint64_t hash, const uint64_t *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hash = hash_word(hash, words[i], 64);
    return hash;
}

static uint64_t hash_floats(uint64_t hash, const float *floats, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &floats[i], sizeof bits);
        hash = hash_word(hash, bits, 32);
    }
    return hash;
}

static bool is_invalid_hull(const struct batch *batch)
{
    float item[MAX_MEMBERS];
    struct hull hull;
    if (batch->shape != shape_hull)
        return false;
    batch_get(batch, 0, item);
    prepare_hull(&hull, item);
    return hull.invalid;
}

/*
 * Adds the answers of every instruction set on one kind of input to its hash: pairs item by item, or many items and one
 * hull, unless that is invalid.
 */
static void hash_kind(const struct subject *subject, enum kind kind, struct random *random, const struct tested *tested,
                      unsigned n_tested, uint64_t *hashes)
{
    struct batch a, b;
    if (of_hulls(subject))
        batches_of_items(subject, kind, random, PAIRS, 1, &a, &b);
    else
        batches_of_pairs(subject, kind, random, PAIRS, &a, &b);
    const struct columns columns_a = batch_columns(&a), columns_b = batch_columns(&b);
    for (unsigned v = 0; v < n_tested && !is_invalid_hull(&b); v++)
        for (int closed = 0; closed < 2; closed++) {
            uint64_t hits[(PAIRS + 63) / 64];
            struct abut_stats stats = {0};
            const struct entry_args args = {&columns_a, &columns_b, PAIRS, 1, 0, closed, &stats, SIZE_MAX};
            run_entry(tested[v].isa, subject, of_hulls(subject) ? ENTRY_MANY_ONE : ENTRY_ZIP, &args, hits);
            hashes[v] = hash_words(hashes[v], hits, (PAIRS + 63) / 64);
        }
    batch_free(&a);
    batch_free(&b);
}

static void hash_distances(const struct distance_subject *subject, enum kind kind, struct random *random,
                           const struct tested *tested, unsigned n_tested, uint64_t *hashes)
{
    struct batch a, b;
    batches_of_pairs(subject->pairs, kind, random, PAIRS, &a, &b);
    const struct columns columns_a = batch_columns(&a), columns_b = batch_columns(&b);
    for (unsigned v = 0; v < n_tested; v++) {
        float out[DISTANCE_OUTPUTS][PAIRS];
        const struct distance_args args = {columns_a.at, columns_b.at, PAIRS, {out[0], out[1], out[2], out[3]}};
        distance_entry_of(tested[v].isa, subject->kind, ENTRY_ZIP)(&args);
        for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++)
            hashes[v] = hash_floats(hashes[v], out[k], PAIRS);
    }
    batch_free(&a);
    batch_free(&b);
}

static const uint64_t empty_hash = UINT64_C(0xcbf29ce484222325);

static void compare(const char *name, const uint64_t *hashes, uint64_t right, const struct tested *tested, unsigned n,
                    bool print)
{
    if (print)
        printf("#define GOLDEN_%s UINT64_C(0x%016llx)\n", name, (unsigned long long)hashes[0]);
    for (unsigned v = 0; v < n && !print; v++)
        check_that(hashes[v] == right, "%s, %s: the hash of all answers is %016llx, not %016llx", name, tested[v].name,
                   (unsigned long long)hashes[v], (unsigned long long)right);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n = tested_isas(tested);
    print_isas();
    for (unsigned p = 0; p < predicate_count; p++) {
        struct random random = {20240229};
        uint64_t hashes[MAX_TESTED];
        for (unsigned v = 0; v < n; v++)
            hashes[v] = empty_hash;
        const unsigned isas = isas_apart(&subjects[p], tested, n);
        for (enum kind kind = 0; kind <= kind_many; kind++)
            if (has_kind(&subjects[p], kind))
                hash_kind(&subjects[p], kind, &random, tested, isas, hashes);
        compare(subjects[p].name, hashes, golden[p], tested, isas, options.rounds == 0);
    }
    for (unsigned p = 0; p < distance_count; p++) {
        struct random random = {20240301};
        uint64_t hashes[MAX_TESTED];
        for (unsigned v = 0; v < n; v++)
            hashes[v] = empty_hash;
        for (enum kind kind = 0; kind < kind_box; kind++)
            hash_distances(&distance_subjects[p], kind, &random, tested, n, hashes);
        compare(distance_subjects[p].name, hashes, golden_distances[p], tested, n, options.rounds == 0);
    }
    return finish("golden");
}
