/* SPDX-License-Identifier: MIT */
/* --origin auto: the centre of the bounds of all files, which are read for it before they are read for good. */
#include "origin.h"

#include "input.h"
#include "source.h"

#include <math.h>
#include <stdio.h>

/* Widens the bounds by all coordinates of a file. What cannot be read is reported when the file is read for good. */
static void add_bounds(struct source *source, const struct options *options, unsigned index, double *low, double *high)
{
    struct problem problem = {0};
    struct progress unseen = {0};
    struct table table;
    size_t unreadable;
    if (!source->reader->open(source, options->kind[index], index ? "--kind-b" : "--kind-a", &problem) ||
        !source_is_in_proportion(source, false))
        return;
    const size_t rows = source->capacity, block = source->reader->by_rows && rows > INPUT_BLOCK ? INPUT_BLOCK : rows;
    if (table_new(&table, &kinds[source->kind->set], block) == ABUT_OK) {
        for (size_t i = 0; i == 0 || i < rows; i += block ? block : 1)
            source->reader->read(source, i, rows - i < block ? rows - i : block, &table, &unreadable, &problem,
                                 &unseen);
        table_free(&table);
    }
    for (unsigned k = 0; k < 3; k++) {
        low[k] = fmin(low[k], source->rounding->low[k]);
        high[k] = fmax(high[k], source->rounding->high[k]);
    }
}

enum exit_code origin_find(struct options *options)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (unsigned i = 0; i < 2 && options->input[i]; i++) {
        struct rounding rounding = {.bounded = true};
        struct source source = {.path = options->input[i],
                                .names = options->columns[i],
                                .rounding = &rounding,
                                .rays = options->rays && i == 0};
        rounding_begin(&rounding);
        if (!source_can_be_read_again(&source)) {
            complain("--origin auto reads files twice, which %s does not allow: say --origin X,Y,Z", source.path);
            return EXIT_FAILED;
        }
        if (!source_load(&source))
            return EXIT_FAILED;
        add_bounds(&source, options, i, low, high);
        source_unload(&source);
        rounding_free(&rounding);
    }
    options->origin.given = true;
    for (unsigned k = 0; k < 3; k++)
        options->origin.at[k] = low[k] <= high[k] ? low[k] + (high[k] - low[k]) / 2 : 0;
    if (options->stats)
        fprintf(stderr, "abut: the origin is %.17g,%.17g,%.17g\n", options->origin.at[0], options->origin.at[1],
                options->origin.at[2]);
    return EXIT_DONE;
}
