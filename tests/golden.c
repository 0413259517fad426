/* SPDX-License-Identifier: MIT */
/* Compares one hash per predicate or distance of all answers on fixed input: equal on every ISA and platform. */
#include "batches.h"
#include "contact.h"
#include "report.h"

#include "hull/hull.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The recorded hash of a predicate or distance, or NULL. */
static const uint64_t *recorded(const char *name)
{
    static const struct {
        const char *name;
        uint64_t hash;
    } golden[] = {
#define GOLDEN(name, hash) {#name, UINT64_C(hash)},
#include "golden.def"
    };
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++)
        if (strcmp(golden[i].name, name) == 0)
            return &golden[i].hash;
    return NULL;
}

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

/* Compares with the recorded hash, or prints the line of golden.def. */
static void compare(const char *name, const uint64_t *hashes, const struct tested *tested, unsigned n, bool print)
{
    const uint64_t *right = recorded(name);
    if (print)
        printf("GOLDEN(%s, 0x%016llx)\n", name, (unsigned long long)hashes[0]);
    else if (check_that(right != NULL, "%s: no line in golden.def: `golden --rounds 0` prints it", name))
        for (unsigned v = 0; v < n; v++)
            check_that(hashes[v] == *right, "%s, %s: the hash of all answers is %016llx, not %016llx", name,
                       tested[v].name, (unsigned long long)hashes[v], (unsigned long long)*right);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n = tested_isas(tested);
    if (options.rounds > 0)
        print_isas();
    for (unsigned p = 0; p < predicate_count; p++) {
        if (options.only != NULL && options.only != &subjects[p])
            continue;
        /* The vectors of check_vectors ask these, too. */
        if (takes_long(&subjects[p]) && p % options.step != 0)
            continue;
        struct random random = {20240229};
        uint64_t hashes[MAX_TESTED];
        for (unsigned v = 0; v < n; v++)
            hashes[v] = empty_hash;
        const unsigned isas = isas_apart(&subjects[p], tested, n);
        for (enum kind kind = 0; kind <= kind_many; kind++)
            if (has_kind(&subjects[p], kind))
                hash_kind(&subjects[p], kind, &random, tested, isas, hashes);
        compare(subjects[p].name, hashes, tested, isas, options.rounds == 0);
    }
    for (unsigned p = 0; p < distance_count && options.only == NULL; p++) {
        struct random random = {20240301};
        uint64_t hashes[MAX_TESTED];
        for (unsigned v = 0; v < n; v++)
            hashes[v] = empty_hash;
        for (enum kind kind = 0; kind < kind_box; kind++)
            hash_distances(&distance_subjects[p], kind, &random, tested, n, hashes);
        compare(distance_subjects[p].name, hashes, tested, n, options.rounds == 0);
    }
    return finish("golden");
}
