/* SPDX-License-Identifier: MIT */
/* inside: which points are inside a watertight mesh. */
#include "inside.h"

#include "input.h"
#include "zip.h"

#include <stdlib.h>

static enum exit_code report_invalid(const struct options *options, const struct abut_invalid *invalid)
{
    complain("%s: %s of triangle %zu %s; %zu edge%s open: only a watertight mesh has an inside", options->input[1],
             invalid->field, invalid->row, invalid->what, invalid->count, invalid->count == 1 ? " is" : "s are");
    return EXIT_FAILED;
}

static bool has_inside(const struct options *options, const struct table *a, const struct table *b)
{
    if (a->kind->set == ABUT_SET_POINTS && b->kind->set == ABUT_SET_TRIANGLES)
        return true;
    complain("%s takes points (A) and a mesh (B), not %s and %s%s", options->sign ? "--signed" : "inside",
             a->kind->name, b->kind->name,
             a->kind->set == ABUT_SET_SPHERES ? "; --kind-a points reads the centres of spheres" : "");
    return false;
}

enum exit_code inside_open(struct inside *inside, const struct options *options, const struct table *a,
                           const struct table *b)
{
    struct abut_invalid invalid = {0};
    union batch batch;
    if (!has_inside(options, a, b))
        return EXIT_USAGE;
    *inside = (struct inside){.pool = pool_new(options->threads ? options->threads : pool_cores()),
                              .settings.touch = options->touch};
    enum abut_status status = inside->pool ? ABUT_OK : ABUT_ERROR_MEMORY;
    if (status == ABUT_OK) {
        inside->threads = pool_threads(inside->pool);
        inside->settings.threads = &inside->threads;
        rows_set(&b->rows, &batch);
        status = abut_solid_new(&batch.triangles, &(struct abut_options){.threads = &inside->threads}, &invalid,
                                &inside->solid);
    }
    if (status == ABUT_OK)
        return EXIT_DONE;
    inside_close(inside);
    if (status == ABUT_ERROR_INVALID)
        return report_invalid(options, &invalid);
    complain("%s", abut_status_text(status));
    return EXIT_FAILED;
}

void inside_close(struct inside *inside)
{
    abut_solid_free(inside->solid);
    pool_free(inside->pool);
}

static void write_inside(struct output *output, const struct options *options, const struct table *a,
                         const struct table *b, const uint64_t *mask)
{
    struct records records;
    const size_t n = a->rows.n;
    if (options->count) {
        output_text(output, "%llu\n", (unsigned long long)abut_mask_count(mask, n));
        return;
    }
    zip_records_open(&records, output, options, a, b);
    records_column(&records, "inside");
    records_begin(&records);
    for (size_t i = 0; i < n; i++) {
        zip_records_names(&records, a, b, i);
        records_integer(&records, mask[i / 64] >> i % 64 & 1);
    }
}

static enum exit_code find_inside(const struct options *options, const struct table *a, const struct table *b)
{
    struct inside inside;
    struct output output;
    union batch batch;
    enum exit_code code = inside_open(&inside, options, a, b);
    if (code != EXIT_DONE)
        return code;
    uint64_t *mask = malloc((abut_mask_words(a->rows.n) + 1) * sizeof *mask);
    rows_set(&a->rows, &batch);
    const enum abut_status status =
        mask ? abut_solid_contains(inside.solid, &batch.points, &inside.settings, mask) : ABUT_ERROR_MEMORY;
    code = EXIT_FAILED;
    if (status != ABUT_OK) {
        complain("%s", abut_status_text(status));
    } else if (output_open(&output, options->output)) {
        write_inside(&output, options, a, b, mask);
        code = output_close(&output) ? EXIT_DONE : EXIT_FAILED;
    }
    free(mask);
    inside_close(&inside);
    return code;
}

enum exit_code command_inside(const struct options *options)
{
    struct table tables[2];
    enum exit_code code = input_read_both(tables, options);
    if (code != EXIT_DONE)
        return code;
    code = find_inside(options, &tables[0], &tables[1]);
    table_free(&tables[0]);
    table_free(&tables[1]);
    return code;
}
