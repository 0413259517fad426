/* SPDX-License-Identifier: MIT */
/*
 * Writes pairs of every kind, mostly tangent, with the oracle's answers, for check_vectors here and on other machines.
 * A line has the predicate, the answer (-1, 0 or 1), and the bits of the members of a, then b. The members
 * of a hull begin with the number of its planes.
 */
#include "contact.h"
#include "oracle.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_item(FILE *file, enum shape shape, const float *item)
{
    if (shape == shape_hull)
        fprintf(file, " %u", planes_of(item));
    for (unsigned k = first_member(shape); k < end_of_members(shape, item); k++) {
        uint32_t bits;
        memcpy(&bits, &item[k], sizeof bits);
        fprintf(file, " %08" PRIx32, bits);
    }
}

/* The oracle takes long for many planes, and for shapes with corners. Kinds whose answers change often get most. */
static unsigned rounds_of(const struct subject *subject, enum kind kind, unsigned rounds)
{
    if (takes_long(subject))
        rounds /= of_hulls(subject) ? 4 : 8;
    return kind == kind_many ? rounds / 50 : kind < kind_tangent_radius || kind >= kind_box ? rounds : 10 * rounds;
}

/* Pairs with hulls are items of one hull for a while. */
static void write_pairs(FILE *file, const struct subject *subject, enum kind kind, unsigned rounds,
                        struct random *random)
{
    enum { ITEMS = 40 };
    float a[MAX_MEMBERS], b[MAX_MEMBERS];
    for (unsigned i = 0; i < rounds; i++) {
        const bool other = !of_hulls(subject) || i % ITEMS == 0;
        make_pair(subject, theme_of(kind, random), other ? FREE_BOTH : FREE_A, random, a, b);
        fprintf(file, "%s %d", subject->name, oracles[subject->predicate](a, b));
        write_item(file, subject->shape_a, a);
        write_item(file, subject->shape_b, b);
        fputc('\n', file);
    }
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 6, .rounds = 200});
    FILE *file = options.file == NULL ? NULL : fopen(options.file, "w");
    if (file == NULL) {
        perror(options.file == NULL ? "no file given" : options.file);
        return 2;
    }
    for (unsigned p = 0; p < predicate_count; p++)
        for (enum kind kind = 0; kind < kind_count; kind++) {
            struct random random = {options.seed + 1000 * p + kind};
            if (has_kind(&subjects[p], kind))
                write_pairs(file, &subjects[p], kind, rounds_of(&subjects[p], kind, options.rounds), &random);
        }
    if (ferror(file) || fclose(file) != 0) {
        perror(options.file);
        return 1;
    }
    return 0;
}
