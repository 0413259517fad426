/* SPDX-License-Identifier: MIT */
/*
 * Options that cannot be used (an allocator with one of its two functions, threads that cannot be run) are an error of
 * every function that takes them, and nothing is written.
 */
#include "report.h"
#include <abut/index.h>
#include <abut/shapes.h>

#include <stdlib.h>

static const float zeros[4], ones[4] = {1, 1, 1, 1};
static const struct abut_spheres spheres = {4, zeros, zeros, zeros, ones};
static const struct abut_points points = {4, zeros, zeros, zeros};
static struct abut_index *index_of_spheres;

static struct abut_index *const untouched = (struct abut_index *)&zeros;

static enum abut_status call_index_new(const struct abut_options *options)
{
    struct abut_index *index = untouched;
    const enum abut_status status = abut_index_new(abut_of_spheres(&spheres), options, NULL, &index);
    CHECK(status == ABUT_OK || !index);
    abut_index_free(index);
    return status;
}

static enum abut_status call_index_view(const struct abut_options *options)
{
    struct abut_index *index = untouched;
    const enum abut_status status = abut_index_view(abut_of_spheres(&spheres), 1, options, NULL, &index);
    CHECK(status == ABUT_OK || !index);
    abut_index_free(index);
    return status;
}

static enum abut_status call_index_of_mesh(const struct abut_options *options)
{
    const uint32_t corners[] = {0, 1, 2};
    const struct abut_mesh mesh = {4, zeros, zeros, ones, 1, corners};
    struct abut_index *index = untouched;
    const enum abut_status status = abut_index_of_mesh(&mesh, options, NULL, &index);
    CHECK(status == ABUT_OK || !index);
    abut_index_free(index);
    return status;
}

static enum abut_status call_refit(const struct abut_options *options)
{
    double growth = -1;
    const enum abut_status status =
        abut_index_refit(index_of_spheres, abut_of_spheres(&spheres), options, &growth, NULL);
    CHECK((status == ABUT_OK) == (growth >= 0));
    return status;
}

static enum abut_status call_refit_some(const struct abut_options *options)
{
    const uint32_t first = 0;
    return abut_index_refit_some(index_of_spheres, abut_of_spheres(&spheres), &first, 1, options, NULL, NULL);
}

static enum abut_status call_join(const struct abut_options *options)
{
    uint64_t count = 99;
    const enum abut_status status = abut_join(index_of_spheres, abut_of_points(&points), options, NULL, 0, &count);
    CHECK(count == (status == ABUT_OK ? 16 : 99));
    return status;
}

static enum abut_status call_self_join(const struct abut_options *options)
{
    uint64_t count = 99;
    const enum abut_status status = abut_self_join(index_of_spheres, options, NULL, 0, &count);
    CHECK(count == (status == ABUT_OK ? 6 : 99));
    return status;
}

static bool count_block(void *context, const struct abut_pair *pairs, size_t n)
{
    *(uint64_t *)context += n;
    return pairs != NULL;
}

static enum abut_status call_join_blocks(const struct abut_options *options)
{
    uint64_t count = 0;
    const enum abut_status status =
        abut_join_blocks(index_of_spheres, abut_of_points(&points), options, count_block, &count);
    CHECK(count == (status == ABUT_OK ? 16 : 0));
    return status;
}

static enum abut_status call_self_join_blocks(const struct abut_options *options)
{
    uint64_t count = 0;
    const enum abut_status status = abut_self_join_blocks(index_of_spheres, options, count_block, &count);
    CHECK(count == (status == ABUT_OK ? 6 : 0));
    return status;
}

static enum abut_status call_join_counts(const struct abut_options *options)
{
    uint32_t counts[4] = {99, 99, 99, 99};
    const enum abut_status status = abut_join_counts(index_of_spheres, abut_of_points(&points), options, counts);
    CHECK(counts[0] == (status == ABUT_OK ? 4 : 99));
    return status;
}

static enum abut_status call_join_any(const struct abut_options *options)
{
    uint64_t hits[1] = {99};
    const enum abut_status status = abut_join_any(index_of_spheres, abut_of_points(&points), options, hits);
    CHECK(hits[0] == (status == ABUT_OK ? 15 : 99));
    return status;
}

static enum abut_status call_join_rows(const struct abut_options *options)
{
    uint64_t offsets[5] = {99, 99, 99, 99, 99};
    uint32_t indices[16];
    const enum abut_status status =
        abut_join_rows(index_of_spheres, abut_of_points(&points), options, offsets, indices, 16);
    CHECK(offsets[4] == (status == ABUT_OK ? 16 : 99));
    return status;
}

static enum abut_status call_join_rows_unsorted(const struct abut_options *options)
{
    uint64_t offsets[5] = {99, 99, 99, 99, 99};
    uint32_t rows[4], indices[16];
    const enum abut_status status =
        abut_join_rows_unsorted(index_of_spheres, abut_of_points(&points), options, rows, offsets, indices, 16);
    CHECK(offsets[4] == (status == ABUT_OK ? 16 : 99));
    return status;
}

static enum abut_status call_nearest(const struct abut_options *options)
{
    uint32_t indices[4] = {99, 99, 99, 99};
    const enum abut_status status = abut_nearest(index_of_spheres, &points, 1, options, indices, NULL);
    CHECK((indices[3] == 99) == (status != ABUT_OK));
    return status;
}

static enum abut_status call_sort_pairs(const struct abut_options *options)
{
    struct abut_pair pairs[2] = {{1, 0}, {0, 1}};
    const enum abut_status status = abut_sort_pairs(pairs, 2, options);
    CHECK(pairs[0].a == (status == ABUT_OK ? 0 : 1));
    return status;
}

/* These take the allocator alone. */
static enum abut_status call_workspace_new(const struct abut_options *options)
{
    struct abut_workspace *workspace = (struct abut_workspace *)&zeros;
    const enum abut_status status = abut_workspace_new(options->allocator, &workspace);
    CHECK(status == ABUT_OK || !workspace);
    abut_workspace_free(workspace);
    return status;
}

static enum abut_status call_columns_new(const struct abut_options *options)
{
    float first, *columns[2] = {&first, NULL};
    const enum abut_status status = abut_columns_new(9, 2, columns, options->allocator);
    CHECK(status == ABUT_OK || !columns[0]);
    abut_columns_free(columns, options->allocator);
    return status;
}

static const struct call {
    const char *name;
    enum abut_status (*call)(const struct abut_options *options);
    bool takes_threads;
} calls[] = {
    {"abut_index_new", call_index_new, true},
    {"abut_index_view", call_index_view, true},
    {"abut_index_of_mesh", call_index_of_mesh, true},
    {"abut_index_refit", call_refit, true},
    {"abut_index_refit_some", call_refit_some, true},
    {"abut_join", call_join, true},
    {"abut_self_join", call_self_join, true},
    {"abut_join_blocks", call_join_blocks, true},
    {"abut_self_join_blocks", call_self_join_blocks, true},
    {"abut_join_counts", call_join_counts, true},
    {"abut_join_any", call_join_any, true},
    {"abut_join_rows", call_join_rows, true},
    {"abut_join_rows_unsorted", call_join_rows_unsorted, true},
    {"abut_nearest", call_nearest, true},
    {"abut_sort_pairs", call_sort_pairs, true},
    {"abut_workspace_new", call_workspace_new, false},
    {"abut_columns_new", call_columns_new, false},
};

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static void expect(const struct call *call, const struct abut_options *options, enum abut_status status,
                   const char *with)
{
    const enum abut_status got = call->call(options);
    check_that(got == status, "%s with %s: %s", call->name, with, abut_status_text(got));
}

/* A release without its allocate must never see memory of malloc; and columns outlive a try to free them so. */
static void check_columns_free(void)
{
    float *columns[1];
    CHECK(abut_columns_new(9, 1, columns, NULL) == ABUT_OK);
    abut_columns_free(columns, &(struct abut_allocator){allocate, NULL, NULL});
    CHECK(columns[0] != NULL);
    abut_columns_free(columns, NULL);
    CHECK(columns[0] == NULL);
}

int main(void)
{
    const struct abut_allocator whole = {allocate, release, NULL}, none = {NULL, NULL, NULL};
    const struct abut_allocator no_release = {allocate, NULL, NULL}, no_allocate = {NULL, release, NULL};
    const struct abut_threads one = {NULL, NULL, 1, 1}, two = {NULL, NULL, 2, 1};
    CHECK(abut_index_new(abut_of_spheres(&spheres), NULL, NULL, &index_of_spheres) == ABUT_OK);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const enum abut_status threads = calls[i].takes_threads ? ABUT_ERROR_NULL : ABUT_OK;
        expect(&calls[i], &(struct abut_options){.allocator = &whole}, ABUT_OK, "an allocator");
        expect(&calls[i], &(struct abut_options){.allocator = &none}, ABUT_OK, "an allocator of zeros");
        expect(&calls[i], &(struct abut_options){.allocator = &no_release}, ABUT_ERROR_NULL, "no release");
        expect(&calls[i], &(struct abut_options){.allocator = &no_allocate}, ABUT_ERROR_NULL, "no allocate");
        expect(&calls[i], &(struct abut_options){.threads = &one}, ABUT_OK, "one thread");
        expect(&calls[i], &(struct abut_options){.threads = &two}, threads, "two threads and no run");
    }
    check_columns_free();
    abut_index_free(index_of_spheres);
    return finish("index_options");
}
