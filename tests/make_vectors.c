/* SPDX-License-Identifier: MIT */
/*
 * Writes pairs of every kind with the oracle's answer, most of them tangent, for check_vectors here and on other machines.
 * A line: predicate, answer (-1, 0 or 1), the bits of the members of a, then b.
 */
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
    if (ferror(file) || fclose(file) != 0) {
        perror(options.file);
        return 1;
    }
    return 0;
}
