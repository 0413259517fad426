/* SPDX-License-Identifier: MIT */
/* zip: row by row, or one row against all of the other file. */
#include "api/sets.h"
#include "input.h"
#include "output.h"
#include "progress.h"
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

/* Which of two tables the classes are of, and what they are classes in: a sphere or box, and boxes, planes or hulls. */
struct classified {
    const struct table *items, *in;
};

/* False if these kinds have no class. */
static bool classified_find(struct classified *classified, const struct table *a, const struct table *b)
{
    const struct kind *sphere = &kinds[shape_sphere], *hulls = &kinds[KIND_HULLS];
    const bool turned = b->kind == sphere || a->kind == hulls;
    *classified = turned ? (struct classified){b, a} : (struct classified){a, b};
    const struct kind *items = classified->items->kind, *in = classified->in->kind;
    return (items == sphere &&
            (in == hulls || in == &kinds[shape_plane] || in == &kinds[shape_aabb] || in == &kinds[shape_obb])) ||
           (items == &kinds[shape_aabb] && in == hulls);
}

static enum abut_status classify(const struct classified *classified, uint8_t *classes)
{
    const struct columns *a = &classified->items->rows, *b = &classified->in->rows;
    const struct abut_spheres spheres = sphere_view(a);
    const struct abut_aabbs boxes = aabb_view(a);
    const struct abut_planes planes = plane_view(b);
    const struct abut_hulls hulls = hulls_view(b);
    const struct abut_aabbs around = aabb_view(b);
    const struct abut_obbs turned = obb_view(b);
    if (classified->items->kind == &kinds[shape_aabb])
        return abut_aabbs_classify_hulls(&boxes, &hulls, NULL, classes);
    return classified->in->kind == &kinds[shape_aabb]  ? abut_spheres_classify_aabbs(&spheres, &around, NULL, classes)
           : classified->in->kind == &kinds[shape_obb] ? abut_spheres_classify_obbs(&spheres, &turned, NULL, classes)
           : classified->in->kind == &kinds[shape_plane]
               ? abut_spheres_classify_planes(&spheres, &planes, NULL, classes)
               : abut_spheres_classify_hulls(&spheres, &hulls, NULL, classes);
}

/* A class beside the hit. */
static enum abut_status write_classes(struct output *output, const struct classified *classified, const uint64_t *hits,
                                      size_t n, bool quiet)
{
    static const char *const names[] = {"", "outside", "crossing", "inside"};
    uint8_t *classes = malloc(n + 1);
    enum abut_status status = classes ? classify(classified, classes) : ABUT_ERROR_MEMORY;
    struct progress progress;
    progress_begin(&progress, "writing", !quiet && !output_is_terminal(output));
    if (status == ABUT_OK)
        output_text(output, "hit,class\n");
    for (size_t i = 0; i < n && status == ABUT_OK; i++) {
        output_text(output, "%d,%s\n", (int)(hits[i / 64] >> i % 64 & 1), names[classes[i]]);
        if (i % ROWS_A_REPORT == 0)
            progress_at(&progress, (double)i / (double)n);
    }
    progress_end(&progress);
    free(classes);
    return status;
}

/* Closes the output. Of planes there is always a class, of others where it is asked for. */
static enum exit_code write_zip(struct output *output, const struct options *options, const struct table *a,
                                const struct table *b, const uint64_t *hits, size_t n)
{
    struct classified classified;
    bool has_class = classified_find(&classified, a, b);
    if (options->count || !has_class || (!options->classes && classified.in->kind != &kinds[shape_plane])) {
        write_hits(output, hits, n, options->count);
        return output_close(output) ? EXIT_DONE : EXIT_FAILED;
    }
    enum abut_status status = write_classes(output, &classified, hits, n, options->quiet);
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
    struct classified unused;
    if (options->classes && !classified_find(&unused, a, b)) {
        complain("--class is of spheres and aabbs, obbs, planes or hulls, or of aabbs and hulls");
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
