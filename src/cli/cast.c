/* SPDX-License-Identifier: MIT */
/* cast: which rows of B a ray or a moving sphere hits, and when. */
#include "broad.h"
#include "hull_pairs.h"
#include "input.h"
#include "progress.h"
#include "records.h"

#include <abut/cast.h>

#include <math.h>
#include <stdlib.h>

/*
 * Rays that are cast at a time, and the most hits of them, unless one ray has more: 8 MB, and as much again to sort
 * them.
 */
enum { RAYS = 1 << 16, MOST_HITS = 1 << 20 };

/* The hits of some rays: with --all rows of them, else one a ray, UINT32_MAX for none. */
struct hits {
    float *motion[3], *end, *t;
    uint64_t *offsets;
    uint32_t *items;
    size_t capacity;
};

static void hits_free(struct hits *hits)
{
    for (unsigned k = 0; k < 3; k++)
        free(hits->motion[k]);
    free(hits->end);
    free(hits->t);
    free(hits->offsets);
    free(hits->items);
}

static bool enlarge(struct hits *hits, uint64_t capacity)
{
    free(hits->items);
    free(hits->t);
    hits->capacity = capacity <= SIZE_MAX / sizeof *hits->items ? (size_t)capacity : 0;
    hits->items = hits->capacity ? malloc(hits->capacity * sizeof *hits->items) : NULL;
    hits->t = hits->capacity ? malloc(hits->capacity * sizeof *hits->t) : NULL;
    return hits->items && hits->t;
}

static bool hits_new(struct hits *hits, size_t rays)
{
    *hits =
        (struct hits){.offsets = malloc((rays + 1) * sizeof *hits->offsets), .end = malloc(rays * sizeof *hits->end)};
    bool there = hits->offsets && hits->end;
    for (unsigned k = 0; k < 3; k++) {
        hits->motion[k] = malloc(rays * sizeof(float));
        there &= hits->motion[k] != NULL;
    }
    return there && enlarge(hits, rays);
}

struct cast {
    const struct options *options;
    struct broad *broad;
    const struct table *a, *b;
    struct output output;
    struct records records;
    struct hits hits;
    uint64_t count;
    size_t rounded; /* rows whose motion is no float32 */
};

/*
 * Rays have theirs; others go from a to b. Rows that are skipped have NaN. False: a motion is beyond float32, which is
 * reported.
 */
static bool set_motions(struct cast *cast, const struct rows *rows, size_t first)
{
    const bool directed = kind_is_ray(cast->a->kind);
    for (size_t i = 0; i < rows->n; i++) {
        bool rounds = false;
        for (unsigned k = 0; k < 3; k++) {
            const float from = directed ? 0 : rows->at[k][i], to = rows->at[k + 3][i], motion = to - from;
            cast->hits.motion[k][i] = motion;
            rounds |= !isnan(motion) && (double)motion != (double)to - (double)from;
            if (isinf(motion)) {
                complain("%s: row %zu moves farther than float32 numbers reach: give its direction as dx,dy,dz, and "
                         "--end",
                         cast->options->input[0], first + i);
                return false;
            }
        }
        cast->rounded += rounds;
        cast->hits.end[i] = cast->options->end;
    }
    return true;
}

static enum abut_status find_first(struct cast *cast, const struct abut_rays *rays)
{
    const struct abut_options *settings = &cast->broad->settings;
    const struct abut_index *index = cast->broad->index;
    struct hits *hits = &cast->hits;
    union batch batch;
    if (!cast->b->rows.offsets)
        return abut_cast_first(index, rays, settings, hits->items, hits->t);
    return abut_cast_hulls_first(index, rows_set(&cast->b->rows, &batch).items, rays, settings, hits->items, hits->t);
}

static enum abut_status find_all(struct cast *cast, const struct abut_rays *rays)
{
    const struct abut_options *settings = &cast->broad->settings;
    const struct abut_index *index = cast->broad->index;
    struct hits *hits = &cast->hits;
    union batch batch;
    if (!cast->b->rows.offsets)
        return abut_cast_all(index, rays, settings, hits->offsets, hits->items, hits->t, hits->capacity);
    return abut_cast_hulls_all(index, rows_set(&cast->b->rows, &batch).items, rays, settings, hits->offsets,
                               hits->items, hits->t, hits->capacity);
}

/* Sets whether the rays have so many hits that fewer rays are to be cast at a time. */
static enum abut_status search(struct cast *cast, const struct abut_rays *rays, bool *crowded)
{
    struct hits *hits = &cast->hits;
    const double start = now();
    const struct abut_stats before = cast->broad->stats;
    enum abut_status status = cast->options->all ? find_all(cast, rays) : find_first(cast, rays);
    const uint64_t found = cast->options->all && status == ABUT_OK ? hits->offsets[rays->n] : 0;
    *crowded = found > hits->capacity && found > MOST_HITS && rays->n > 1;
    if (found > hits->capacity)
        cast->broad->stats = before;
    if (found > hits->capacity && !*crowded)
        status = enlarge(hits, found) ? find_all(cast, rays) : ABUT_ERROR_MEMORY;
    cast->broad->search_seconds += now() - start;
    return status;
}

static void write_hit(struct cast *cast, size_t row, size_t at)
{
    cast->count++;
    if (cast->options->count)
        return;
    records_row(&cast->records, cast->a->names, row);
    records_row(&cast->records, cast->b->names, cast->hits.items[at]);
    records_number(&cast->records, (double)cast->hits.t[at]);
}

static enum abut_status cast_rows(struct cast *cast, const struct rows *rows, size_t first, bool *crowded)
{
    const struct hits *hits = &cast->hits;
    const struct abut_rays rays = {.n = rows->n,
                                   .x = rows->at[0],
                                   .y = rows->at[1],
                                   .z = rows->at[2],
                                   .dx = hits->motion[0],
                                   .dy = hits->motion[1],
                                   .dz = hits->motion[2],
                                   .r = rows->kind == ABUT_SET_CAPSULES ? rows->at[6] : NULL,
                                   .end = hits->end};
    const enum abut_status status = search(cast, &rays, crowded);
    for (size_t i = 0; i < rows->n && status == ABUT_OK && !*crowded; i++)
        if (!cast->options->all && hits->items[i] != UINT32_MAX)
            write_hit(cast, first + i, i);
        else if (cast->options->all)
            for (uint64_t k = hits->offsets[i]; k < hits->offsets[i + 1]; k++)
                write_hit(cast, first + i, (size_t)k);
    return status;
}

/* EXIT_FAILED after a message. */
static enum exit_code cast_all(struct cast *cast)
{
    const struct rows *a = &cast->a->rows;
    struct progress progress;
    enum abut_status status = hits_new(&cast->hits, a->n < RAYS ? a->n + 1 : RAYS) ? ABUT_OK : ABUT_ERROR_MEMORY;
    bool finite = true;
    progress_begin(&progress, "casting", (double)a->n, "rows",
                   !cast->options->quiet && (cast->options->count || !output_is_terminal(&cast->output)));
    for (size_t first = 0, at_once = RAYS; first < a->n && status == ABUT_OK && finite && !cast->output.error;) {
        const struct rows block = rows_slice(a, first, a->n - first < at_once ? a->n - first : at_once);
        const size_t rounded = cast->rounded;
        bool crowded = false;
        finite = set_motions(cast, &block, first);
        if (finite)
            status = cast_rows(cast, &block, first, &crowded);
        if (crowded) {
            at_once = block.n / 2;
            cast->rounded = rounded;
            continue;
        }
        first += block.n;
        progress_at(&progress, (double)first / (double)a->n);
    }
    progress_end(&progress);
    hits_free(&cast->hits);
    if (status != ABUT_OK)
        complain("%s", abut_status_text(status));
    return status == ABUT_OK && finite ? EXIT_DONE : EXIT_FAILED;
}

static void begin_records(struct cast *cast)
{
    if (cast->options->count)
        return;
    records_open(&cast->records, &cast->output, cast->options->format == FORMAT_JSONL);
    records_column(&cast->records, "a");
    records_column(&cast->records, "b");
    records_column(&cast->records, "t");
    records_begin(&cast->records);
}

static enum exit_code finish(struct cast *cast, enum exit_code code)
{
    const struct options *options = cast->options;
    if (code != EXIT_DONE) {
        output_discard(&cast->output);
        return code;
    }
    if (options->count)
        output_text(&cast->output, "%llu\n", (unsigned long long)cast->count);
    if (options->stats)
        broad_report(cast->broad);
    if (cast->rounded > 0 && !options->quiet)
        complain("%s: the way from a to b is rounded to float32 in %zu row%s", options->input[0], cast->rounded,
                 cast->rounded == 1 ? "" : "s");
    return output_close(&cast->output) ? EXIT_DONE : EXIT_FAILED;
}

static enum exit_code write_casts(const struct options *options, const struct table tables[2])
{
    struct broad broad;
    struct table boxes = {.kind = NULL}; /* of B, if it is hulls */
    struct cast cast = {.options = options, .broad = &broad, .a = &tables[0], .b = &tables[1]};
    const bool hulls = cast.b->rows.offsets != NULL;
    if (!output_open(&cast.output, options->output))
        return EXIT_FAILED;
    enum abut_status status = broad_open(&broad, options, NULL);
    if (status == ABUT_OK && hulls)
        status = boxes_of_hulls(&boxes, &cast.b->rows);
    if (status == ABUT_OK)
        status = broad_index(&broad, hulls ? &boxes.rows : &cast.b->rows, 0);
    if (status != ABUT_OK)
        complain("%s", abut_status_text(status));
    else
        begin_records(&cast);
    const enum exit_code code = finish(&cast, status == ABUT_OK ? cast_all(&cast) : EXIT_FAILED);
    broad_close(&broad);
    table_free(&boxes);
    return code;
}

/* Whether such rows are cast among such: rays, which segments are, and moving spheres, which capsules are. */
static bool casts(enum abut_set_kind a, enum abut_set_kind b)
{
    return b != ABUT_SET_PLANES && (a == ABUT_SET_SEGMENTS || a == ABUT_SET_CAPSULES);
}

enum exit_code command_cast(const struct options *options)
{
    struct table tables[2];
    enum exit_code code = input_read_both(tables, options);
    if (code != EXIT_DONE)
        return code;
    if (casts(tables[0].kind->set, tables[1].kind->set)) {
        code = write_casts(options, tables);
    } else {
        complain("cast takes rays, segments or capsules (A) and all shapes but planes (B), not %s and %s",
                 tables[0].kind->name, tables[1].kind->name);
        code = EXIT_USAGE;
    }
    table_free(&tables[0]);
    table_free(&tables[1]);
    return code;
}
