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

/* Spheres and planes have a class beside the hit. */
static enum abut_status write_classes(struct output *output, const struct table *a, const struct table *b,
                                      const uint64_t *hits, size_t n)
{
    static const char *const names[] = {"", "outside", "crossing", "inside"};
    const struct columns *s = a->kind == &kinds[shape_sphere] ? &a->rows : &b->rows;
    const struct columns *p = a->kind == &kinds[shape_sphere] ? &b->rows : &a->rows;
    const struct abut_spheres spheres = {s->n, s->at[0], s->at[1], s->at[2], s->at[3]};
    const struct abut_planes planes = {p->n, p->at[0], p->at[1], p->at[2], p->at[3]};
    uint8_t *classes = malloc(n + 1);
    enum abut_status status =
        classes ? abut_spheres_planes_classes(&spheres, &planes, NULL, classes) : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK)
        output_text(output, "hit,class\n");
    for (size_t i = 0; i < n && status == ABUT_OK; i++)
        output_text(output, "%d,%s\n", (int)(hits[i / 64] >> i % 64 & 1), names[classes[i]]);
    free(classes);
    return status;
}

/* Closes the output. */
static enum exit_code write_zip(struct output *output, const struct options *options, const struct table *a,
                                const struct table *b, const uint64_t *hits, size_t n)
{
    const struct kind *planes = &kinds[shape_plane];
    if (options->count || (a->kind != planes && b->kind != planes)) {
        write_hits(output, hits, n, options->count);
        return output_close(output) ? EXIT_DONE : EXIT_FAILED;
    }
    enum abut_status status = write_classes(output, a, b, hits, n);
    if (status == ABUT_OK)
        return output_close(output) ? EXIT_DONE : EXIT_FAILED;
    complain("%s", abut_status_text(status));
    output_discard(output);
    return EXIT_FAILED;
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
        status = relation_zip(&relation, &a->rows, &b->rows, options->touch, NULL, hits);
    struct output output;
    enum exit_code code = EXIT_FAILED;
    if (status != ABUT_OK) {
        complain("%s", abut_status_text(status));
    } else if (output_open(&output, options->output)) {
        code = write_zip(&output, options, a, b, hits, n);
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
