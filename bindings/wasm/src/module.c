/* SPDX-License-Identifier: MIT */
/*
 * What JavaScript calls: numbers and addresses only. A batch lies in memory as in abut.h, a count and the addresses of
 * its columns. The module has one thread, so the result of the last join and the last invalid row are kept here.
 */
#include <abut/abut.h>
#include <abut/index.h>
#include <abut/shapes.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* JavaScript reads these structs by the offsets of their members. */
_Static_assert(sizeof(struct abut_predicate) == 24, "abut.js reads predicates of 24 bytes");
_Static_assert(offsetof(struct abut_predicate, search) == 20, "abut.js reads the flags of a predicate at byte 20");
_Static_assert(sizeof(struct abut_pair) == 8, "abut.js reads pairs of two integers");
_Static_assert(sizeof(struct abut_obbs) == 64 && sizeof(struct abut_hulls) == 24, "abut.js writes batches");

EXPORT(allocate) void *js_allocate(size_t size)
{
    return malloc(size ? size : 1);
}

EXPORT(release) void js_release(void *memory)
{
    free(memory);
}

EXPORT(version) const char *js_version(void)
{
    return abut_version();
}

EXPORT(isa) const char *js_isa(void)
{
    return abut_isa();
}

EXPORT(use_isa) int js_use_isa(const char *name)
{
    return (int)abut_use_isa(name);
}

EXPORT(status_text) const char *js_status_text(int status)
{
    return abut_status_text((enum abut_status)status);
}

/* The shapes in the order of abut_set_kind: "points x y z,spheres x y z r,". */
EXPORT(shapes) const char *js_shapes(void)
{
#define F(member) " " #member
#define SHAPE(name, plural, fields) #plural fields ","
#define HULL_SHAPE SHAPE
    return
#include "tables/shapes.def"
        ;
}

EXPORT(predicates) const struct abut_predicate *js_predicates(void)
{
    size_t count;
    return abut_predicates(&count);
}

EXPORT(predicate_count) size_t js_predicate_count(void)
{
    size_t count;
    (void)abut_predicates(&count);
    return count;
}

/* ---- Predicates ---------------------------------------------------------------------------------- */

static struct abut_set set_of(unsigned kind, const void *items)
{
    return (struct abut_set){(enum abut_set_kind)kind, items};
}

/* all: every item of a with every item of b. */
EXPORT(test)
int js_test(int all, unsigned relation, unsigned kind_a, const void *a, unsigned kind_b, const void *b, unsigned touch,
            uint64_t *hits)
{
    const struct abut_options options = {.touch = (enum abut_touch)touch};
    return (int)(all ? abut_test_all : abut_test)((enum abut_relation)relation, set_of(kind_a, a), set_of(kind_b, b),
                                                  &options, hits);
}

EXPORT(classify) int js_classify(unsigned kind_a, const void *a, unsigned kind_b, const void *b, uint8_t *classes)
{
    return (int)abut_classify(set_of(kind_a, a), set_of(kind_b, b), NULL, classes);
}

/* ---- The first invalid row of the last check, build or refit -------------------------------------- */

static struct abut_invalid invalid;

EXPORT(invalid_count) size_t js_invalid_count(void)
{
    return invalid.count;
}

EXPORT(invalid_row) size_t js_invalid_row(void)
{
    return invalid.row;
}

EXPORT(invalid_field) const char *js_invalid_field(void)
{
    return invalid.field;
}

EXPORT(invalid_what) const char *js_invalid_what(void)
{
    return invalid.what;
}

EXPORT(check) int js_check(unsigned kind, const void *items)
{
    return (int)abut_check(set_of(kind, items), &invalid);
}

/* ---- Planes --------------------------------------------------------------------------------------- */

EXPORT(frustum) unsigned js_frustum(const float *matrix, int rows, int from_0, float planes[6][4])
{
    return abut_frustum_from_matrix(matrix, rows ? ABUT_COLUMN_VECTORS : ABUT_ROW_VECTORS,
                                    from_0 ? ABUT_DEPTH_0_1 : ABUT_DEPTH_MINUS_1_1, planes);
}

EXPORT(hull_aabb) unsigned js_hull_aabb(const float bounds[6], float planes[6][4])
{
    return abut_hull_aabb(bounds, bounds + 3, planes);
}

EXPORT(plane_points) int js_plane_points(const float points[9], float plane[4])
{
    return abut_plane_points(points, points + 3, points + 6, plane);
}

/* ---- Index ---------------------------------------------------------------------------------------- */

static struct abut_workspace *workspace;

/* Scratch memory is kept from call to call; without memory for that, each call makes its own. */
static struct abut_options options_of(unsigned relation, unsigned touch)
{
    if (!workspace)
        (void)abut_workspace_new(NULL, &workspace);
    return (struct abut_options){
        .touch = (enum abut_touch)touch, .relation = (enum abut_relation)relation, .workspace = workspace};
}

EXPORT(index_new) int js_index_new(unsigned kind, const void *items, int skip_invalid, struct abut_index **index)
{
    struct abut_options options = options_of(0, 0);
    options.skip_invalid = skip_invalid != 0;
    return (int)abut_index_new(set_of(kind, items), &options, &invalid, index);
}

EXPORT(index_refit)
int js_index_refit(struct abut_index *index, unsigned kind, const void *items, int skip_invalid, double *growth)
{
    struct abut_options options = options_of(0, 0);
    options.skip_invalid = skip_invalid != 0;
    return (int)abut_index_refit(index, set_of(kind, items), &options, growth, &invalid);
}

EXPORT(index_free) void js_index_free(struct abut_index *index)
{
    abut_index_free(index);
}

EXPORT(index_bytes) size_t js_index_bytes(const struct abut_index *index)
{
    return abut_index_bytes(index);
}

/* The pairs of the last join; the memory serves the next one. */
static struct {
    struct abut_pair *pairs;
    size_t count, capacity;
} found;

static struct abut_pair *get_pairs(void *context, size_t count)
{
    (void)context;
    if (count > found.capacity) {
        free(found.pairs);
        found.pairs = count <= SIZE_MAX / sizeof *found.pairs ? malloc(count * sizeof *found.pairs) : NULL;
        found.capacity = found.pairs ? count : 0;
    }
    found.count = found.pairs ? count : 0;
    return found.pairs;
}

static int sorted(enum abut_status status, int sort)
{
    const struct abut_options options = {.workspace = workspace};
    if (status != ABUT_OK)
        found.count = 0;
    return (int)(status == ABUT_OK && sort ? abut_sort_pairs(found.pairs, found.count, &options) : status);
}

EXPORT(pairs) const struct abut_pair *js_pairs(void)
{
    return found.pairs;
}

EXPORT(pair_count) size_t js_pair_count(void)
{
    return found.count;
}

EXPORT(join)
int js_join(const struct abut_index *index, unsigned kind, const void *queries, unsigned relation, unsigned touch,
            int sort)
{
    const struct abut_options options = options_of(relation, touch);
    found.count = 0;
    return sorted(abut_join_to(index, set_of(kind, queries), &options, get_pairs, NULL), sort);
}

EXPORT(self_join) int js_self_join(const struct abut_index *index, unsigned touch, int sort)
{
    const struct abut_options options = options_of(0, touch);
    found.count = 0;
    return sorted(abut_self_join_to(index, &options, get_pairs, NULL), sort);
}

EXPORT(nearest)
int js_nearest(const struct abut_index *index, const struct abut_points *points, size_t k, uint32_t *indices, float *d2)
{
    const struct abut_options options = options_of(0, 0);
    return (int)abut_nearest(index, points, k, &options, indices, d2);
}

/* Gives back the memory that calls keep for the next call. */
EXPORT(trim) void js_trim(void)
{
    abut_workspace_free(workspace);
    workspace = NULL;
    free(found.pairs);
    found.pairs = NULL;
    found.count = found.capacity = 0;
}
