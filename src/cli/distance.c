/* SPDX-License-Identifier: MIT */
/* distance: squared distances from points, and closest points, row by row or one row against all. */
#include "input.h"
#include "inside.h"
#include "progress.h"
#include "records.h"
#include "zip.h"
#include <abut/distance.h>

#include <math.h>

/* The squared distance, or with a sign what is written, and the closest point. */
enum { DISTANCES = 4 };

/* Closes the output. Nine digits distinguish all floats; printing them takes longer than computing distances. */
static enum exit_code write_distances(struct output *output, float *const distances[DISTANCES], size_t n,
                                      const struct options *options, const struct table *a, const struct table *b)
{
    struct records records;
    struct progress progress;
    progress_begin(&progress, "writing", (double)n, "rows", !options->quiet && !output_is_terminal(output));
    zip_records_open(&records, output, options, a, b);
    records_column(&records, options->distances ? "distance" : "d2");
    for (unsigned k = 0; k < 3; k++)
        records_column(&records, (const char *const[]){"x", "y", "z"}[k]);
    records_begin(&records);
    for (size_t i = 0; i < n; i++) {
        const float d2 = distances[0][i];
        zip_records_names(&records, a, b, i);
        records_number(&records, (double)(options->distances && !options->sign ? sqrtf(d2) : d2));
        for (unsigned k = 0; k < 3; k++)
            records_number(&records, options->origin.at[k] + (double)distances[1 + k][i]);
        if (i % ROWS_A_REPORT == 0)
            progress_at(&progress, (double)i / (double)n);
    }
    progress_end(&progress);
    return output_close(output) ? EXIT_DONE : EXIT_FAILED;
}

static enum abut_status measure(const struct rows *a, const struct rows *b, float *const distances[DISTANCES])
{
    union batch batch_a, batch_b;
    const struct abut_closest closest = {distances[1], distances[2], distances[3]};
    rows_set(a, &batch_a);
    return abut_distance(&batch_a.points, rows_set(b, &batch_b), distances[0], &closest);
}

/* Whether the library has the distance of points from rows of this kind: no rows show it. */
static bool has_distance(const struct rows *b)
{
    float *unused[DISTANCES] = {NULL};
    const struct rows points = {.kind = ABUT_SET_POINTS}, none = rows_slice(b, 0, 0);
    return measure(&points, &none, unused) == ABUT_OK;
}

static enum exit_code measure_tables(const struct options *options, const struct table *a, const struct table *b,
                                     size_t n)
{
    float *distances[DISTANCES] = {NULL};
    enum abut_status status = abut_columns_new(n, DISTANCES, distances, NULL);
    if (status == ABUT_OK)
        status = measure(&a->rows, &b->rows, distances);
    struct output output;
    enum exit_code code = EXIT_FAILED;
    if (status != ABUT_OK)
        complain("%s", abut_status_text(status));
    else if (output_open(&output, options->output))
        code = write_distances(&output, distances, n, options, a, b);
    abut_columns_free(distances, NULL);
    return code;
}

/* From the surface of a mesh, with signs. */
static enum exit_code signed_distances(const struct options *options, const struct table *a, const struct table *b)
{
    struct inside inside;
    struct output output;
    union batch batch;
    float *distances[DISTANCES] = {NULL};
    enum exit_code code = inside_open(&inside, options, a, b);
    if (code != EXIT_DONE)
        return code;
    code = EXIT_FAILED;
    enum abut_status status = abut_columns_new(a->rows.n, DISTANCES, distances, NULL);
    struct abut_solid_found found = {.closest = {distances[1], distances[2], distances[3]}};
    *(options->distances ? &found.distance : &found.d2) = distances[0];
    rows_set(&a->rows, &batch);
    if (status == ABUT_OK)
        status = abut_solid_distance(inside.solid, &batch.points, &inside.settings, &found);
    if (status != ABUT_OK)
        complain("%s", abut_status_text(status));
    else if (output_open(&output, options->output))
        code = write_distances(&output, distances, a->rows.n, options, a, b);
    abut_columns_free(distances, NULL);
    inside_close(&inside);
    return code;
}

static enum exit_code distance_tables(const struct options *options, const struct table *a, const struct table *b)
{
    if (options->sign)
        return signed_distances(options, a, b);
    if (a->kind->set != ABUT_SET_POINTS) {
        complain("distance takes points for A, not %s; --kind-a points reads the centres of spheres", a->kind->name);
        return EXIT_USAGE;
    }
    if (!has_distance(&b->rows)) {
        complain("distance does not take %s for B", b->kind->name);
        return EXIT_USAGE;
    }
    size_t n = a->rows.n == 1 ? b->rows.n : a->rows.n;
    if (b->rows.n != n && b->rows.n != 1) {
        complain("distance takes as many rows of A as of B, or one of either: %s has %zu, %s has %zu; "
                 "abut nearest --distance finds the nearest row of B for each point of A",
                 options->input[0], a->rows.n, options->input[1], b->rows.n);
        return EXIT_FAILED;
    }
    return measure_tables(options, a, b, n);
}

enum exit_code command_distance(const struct options *options)
{
    struct table tables[2];
    enum exit_code code = input_read_both(tables, options);
    if (code != EXIT_DONE)
        return code;
    code = distance_tables(options, &tables[0], &tables[1]);
    table_free(&tables[0]);
    table_free(&tables[1]);
    return code;
}
