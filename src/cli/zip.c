/* SPDX-License-Identifier: MIT */
/* zip: row by row, or one row against all of the other file. */
#include "input.h"
#include "output.h"
#include "relation.h"

#include <stdlib.h>

static void write_hits(struct output *output, const uint64_t *hits, size_t n, bool count)
{
    if (count) {
        output_text(output, "%llu\n", (unsigned long long)abut_mask_count(hits, n));
        return;
    }
    output_text(output, "hit\n");
    for (size_t i = 0; i < n; i++)
        output_bytes(output, hits[i / 64] >> i % 64 & 1 ? "1\n" : "0\n", 2);
}

static enum exit_code zip_tables(const struct options *options, const struct table *a, const struct table *b)
{
    struct relation relation;
    if (!relation_find(&relation, a->kind, b->kind, options->question))
        return EXIT_USAGE;
    size_t n = a->rows.n == 1 ? b->rows.n : a->rows.n;
    if (b->rows.n != n && b->rows.n != 1) {
        complain("zip takes as many rows of A as of B, or one of either: %s has %zu, %s has %zu", options->input[0],
                 a->rows.n, options->input[1], b->rows.n);
        return EXIT_FAILED;
    }
    uint64_t *hits = malloc((abut_mask_words(n) + 1) * sizeof *hits);
    enum abut_status status = ABUT_ERROR_MEMORY;
    if (hits)
        status = relation_zip(&relation, &a->rows, &b->rows, options->touch, hits);
    struct output output;
    enum exit_code code = EXIT_FAILED;
    if (status != ABUT_OK) {
        complain("%s", abut_status_text(status));
    } else if (output_open(&output, options->output)) {
        write_hits(&output, hits, n, options->count);
        code = output_close(&output) ? EXIT_DONE : EXIT_FAILED;
    }
    free(hits);
    return code;
}

enum exit_code command_zip(const struct options *options)
{
    struct table tables[2];
    enum exit_code code = input_read_both(tables, options);
    if (code != EXIT_DONE)
        return code;
    code = zip_tables(options, &tables[0], &tables[1]);
    table_free(&tables[0]);
    table_free(&tables[1]);
    return code;
}
