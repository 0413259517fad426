/* SPDX-License-Identifier: MIT */
/* zip: row by row, or one row against all of the other file. */
#include "zip.h"

#include "input.h"
#include "progress.h"
#include "relation.h"

#include <stdlib.h>

void zip_records_open(struct records *records, struct output *output, const struct options *options,
                      const struct table *a, const struct table *b)
{
    records_open(records, output, options->format == FORMAT_JSONL);
    if (a->names)
        records_column(records, "a");
    if (b->names)
        records_column(records, "b");
}

void zip_records_names(struct records *records, const struct table *a, const struct table *b, size_t i)
{
    if (a->names)
        records_row(records, a->names, a->rows.n == 1 ? 0 : i);
    if (b->names)
        records_row(records, b->names, b->rows.n == 1 ? 0 : i);
}

/* Without names or classes. */
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

/* Writes the classes of a in b, or, where the library has no such classes, of b in a. */
static enum abut_status classify(const struct rows *a, const struct rows *b, uint8_t *classes)
{
    union batch batch_a, batch_b;
    const struct abut_set set_a = rows_set(a, &batch_a), set_b = rows_set(b, &batch_b);
    const enum abut_status status = abut_classify(set_a, set_b, NULL, classes);
    return status == ABUT_ERROR_PREDICATE ? abut_classify(set_b, set_a, NULL, classes) : status;
}

/* Whether the library has classes for these kinds: no rows show it. */
static bool has_classes(const struct rows *a, const struct rows *b)
{
    const struct rows no_a = rows_slice(a, 0, 0), no_b = rows_slice(b, 0, 0);
    return classify(&no_a, &no_b, NULL) == ABUT_OK;
}

/* A hit, and if there are classes one beside it. */
static void write_records(struct output *output, const struct options *options, const struct table *a,
                          const struct table *b, const uint64_t *hits, const uint8_t *classes, size_t n)
{
    static const char *const names[] = {"", "outside", "crossing", "inside"};
    struct progress progress;
    struct records records;
    progress_begin(&progress, "writing", (double)n, "rows", !options->quiet && !output_is_terminal(output));
    zip_records_open(&records, output, options, a, b);
    records_column(&records, "hit");
    if (classes)
        records_column(&records, "class");
    records_begin(&records);
    for (size_t i = 0; i < n; i++) {
        zip_records_names(&records, a, b, i);
        records_integer(&records, hits[i / 64] >> i % 64 & 1);
        if (classes)
            records_word(&records, names[classes[i]]);
        if (i % ROWS_A_REPORT == 0)
            progress_at(&progress, (double)i / (double)n);
    }
    progress_end(&progress);
}

/* Closes the output. Spheres and planes always have the column of classes, others with --class. */
static enum exit_code write_zip(struct output *output, const struct options *options, const struct table *a,
                                const struct table *b, const uint64_t *hits, size_t n)
{
    const bool planes = a->kind->set == ABUT_SET_PLANES || b->kind->set == ABUT_SET_PLANES;
    const bool classes = !options->count && (options->classes || (planes && has_classes(&a->rows, &b->rows)));
    const bool records = classes || a->names || b->names || options->format == FORMAT_JSONL;
    uint8_t *class = classes ? malloc(n + 1) : NULL;
    enum abut_status status = classes && !class ? ABUT_ERROR_MEMORY : ABUT_OK;
    if (class)
        status = classify(&a->rows, &b->rows, class);
    if (status == ABUT_OK && records && !options->count)
        write_records(output, options, a, b, hits, class, n);
    else if (status == ABUT_OK)
        write_hits(output, hits, n, options->count);
    free(class);
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
    if (options->classes && !has_classes(&a->rows, &b->rows)) {
        complain("--class is of spheres and spheres, capsules, aabbs, obbs, planes or hulls, or of segments, capsules, "
                 "triangles, aabbs or obbs and aabbs, obbs, planes or hulls");
        return EXIT_USAGE;
    }
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
