/* SPDX-License-Identifier: MIT */
/*
 * Writes pairs of every kind, mostly tangent, with the oracle's answers, for check_vectors here and on other machines.
 * A line has the predicate, the answer (-1, 0 or 1), and the bits of the members of a, then b. For hulls, a line
 * "planes", their number and their bits comes first; the lines after it leave b out.
 */
#include "hull_inputs.h"
#include "hull_oracle.h"
#include "oracle.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void write_item(FILE *file, enum shape shape, const float *item)
{
    for (unsigned k = 0; k < shape_info(shape)->fields; k++) {
        uint32_t bits;
        memcpy(&bits, &item[k], sizeof bits);
        fprintf(file, " %08" PRIx32, bits);
    }
}

static const struct {
    const char *name;
    enum shape shape;
} hull_predicates[] = {
#define HULL_PREDICATE(name, shape, relation, function) {#name, shape_##shape},
#include "tables/predicates.def"
};

static void write_hull(FILE *file, enum hull_predicate predicate, enum hull_kind kind, struct random *random)
{
    enum { ITEMS = 40, FEW = 4 };
    const enum shape shape = hull_predicates[predicate].shape;
    struct planes planes;
    struct hull_theme theme;
    make_hull(kind, random, &planes, &theme);
    fprintf(file, "planes %u", planes.count);
    for (unsigned i = 0; i < planes.count; i++)
        write_item(file, shape_plane, planes.at[i]);
    fputc('\n', file);
    for (unsigned i = 0; i < (kind == hull_kind_many ? FEW : ITEMS); i++) {
        float item[ABUT_MAX_FIELDS];
        make_hull_item(predicate, shape, &theme, &planes, random, item);
        fprintf(file, "%s %d", hull_predicates[predicate].name,
                hull_oracles[predicate](item, (const float(*)[4])planes.at, planes.count));
        write_item(file, shape, item);
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
            bool tangent = kind >= kind_tangent_radius;
            for (unsigned i = 0; i < options.rounds * (tangent ? 10 : 1); i++) {
                float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
                make_any_pair(&subjects[p], kind, &random, a, b);
                fprintf(file, "%s %d", subjects[p].name, oracles[p](a, b));
                write_item(file, subjects[p].shape_a, a);
                write_item(file, subjects[p].shape_b, b);
                fputc('\n', file);
            }
        }
    for (unsigned p = 0; p < hull_predicate_count; p++)
        for (unsigned kind = 0; kind < hull_kind_count; kind++) {
            struct random random = {options.seed + 1000 * (predicate_count + p) + kind};
            for (unsigned i = 0; i < (options.rounds + 39) / 40; i++)
                write_hull(file, (enum hull_predicate)p, (enum hull_kind)kind, &random);
        }
    if (ferror(file) || fclose(file) != 0) {
        perror(options.file);
        return 1;
    }
    return 0;
}
