/* SPDX-License-Identifier: MIT */
/* The rules of casts: invalid rays, defaults, filters, small buffers, errors, times by hand, and work done. */
#include "report.h"

#include <abut/cast.h>

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 2000 };

/* Boxes of edge 1 that begin at x = 2 i. */
static float box[6][MOST];

static struct abut_index *row_of_boxes(size_t n, const struct abut_options *options)
{
    struct abut_index *index = NULL;
    for (unsigned k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++) {
            box[k][i] = k == 0 ? 2 * (float)i : 0;
            box[k + 3][i] = box[k][i] + 1;
        }
    const struct abut_aabbs boxes = {n, box[0], box[1], box[2], box[3], box[4], box[5]};
    CHECK(abut_index_new(abut_of_aabbs(&boxes), options, NULL, &index) == ABUT_OK);
    return index;
}

/* x y z dx dy dz r end of one ray. */
static float ray[8];

static struct abut_rays the_ray(void)
{
    return (struct abut_rays){1, &ray[0], &ray[1], &ray[2], &ray[3], &ray[4], &ray[5], &ray[6], &ray[7]};
}

/* Along the row, through the middle of all boxes. */
static void set_ray(float x, float dx, float r, float end)
{
    const float values[8] = {x, 0.5f, 0.5f, dx, 0, 0, r, end};
    memcpy(ray, values, sizeof ray);
}

/* The number of hits by all three functions, which must agree. */
static uint64_t hits(const struct abut_index *index, const struct abut_options *options, uint32_t *item, float *t)
{
    static uint32_t items[MOST];
    static float times[MOST];
    const struct abut_rays rays = the_ray();
    uint64_t offsets[2] = {7, 7}, mask = ~UINT64_C(0);
    CHECK(abut_cast_first(index, &rays, options, item, t) == ABUT_OK);
    CHECK(abut_cast_any(index, &rays, options, &mask) == ABUT_OK);
    CHECK(abut_cast_all(index, &rays, options, offsets, items, times, MOST) == ABUT_OK);
    const bool any = offsets[1] > 0;
    CHECK(offsets[0] == 0 && mask == any);
    CHECK(*item == (any ? items[0] : UINT32_MAX) && *t == (any ? times[0] : INFINITY));
    return offsets[1];
}

static void check_rays(const struct abut_index *index, size_t n)
{
    uint32_t item;
    float t;
    set_ray(-1, 2, 0, INFINITY);
    CHECK(hits(index, NULL, &item, &t) == n && item == 0 && t == 0.5f);
    set_ray(-1, 2, 0, 0.5f);
    CHECK(hits(index, NULL, &item, &t) == 1 && item == 0 && t == 0.5f);
    set_ray(-1, 2, 0, nextafterf(0.5f, 0));
    CHECK(hits(index, NULL, &item, &t) == 0);
    set_ray(-1, 2, 0.5f, 1);
    CHECK(hits(index, NULL, &item, &t) == 1 && item == 0 && t == 0.25f);
    set_ray(2 * (float)n, -4, 0, 1);
    CHECK(hits(index, NULL, &item, &t) == 2 && item == n - 1 && t == 0.25f);
    set_ray(2.5f, 0, -0.0f, 1); /* at rest */
    CHECK(hits(index, NULL, &item, &t) == 1 && item == 1 && t == 0);
    set_ray(1.5f, 0, 0.5f, 0); /* touches two */
    CHECK(hits(index, NULL, &item, &t) == 2 && item == 0 && t == 0);
    set_ray(1.5f, 1, 0.25f, 1); /* 0.25 before a face at 2, 1 thirtieth away */
    ray[3] = 7.5f;
    CHECK(hits(index, NULL, &item, &t) == 4 && item == 1 && t == 1.0f / 30);
    set_ray(-1, 1, INFINITY, 1);
    CHECK(hits(index, NULL, &item, &t) == n && item == 0 && t == 0);
    set_ray(-0x1p100f, 0x1p-30f, 0, INFINITY); /* after 2^130 */
    CHECK(hits(index, NULL, &item, &t) == n && item == 0 && t == INFINITY);
}

static void check_invalid_rays(const struct abut_index *index)
{
    static const float odd[8][2] = {{NAN, INFINITY},  {NAN, -INFINITY}, {-NAN, INFINITY}, {NAN, INFINITY},
                                    {NAN, -INFINITY}, {NAN, INFINITY},  {NAN, -1},        {NAN, -1}};
    uint32_t item;
    float t;
    for (unsigned k = 0; k < 16; k++) {
        set_ray(-1, 2, 0, INFINITY);
        ray[k / 2] = odd[k / 2][k % 2];
        check_that(hits(index, NULL, &item, &t) == 0, "a ray with %g in column %u hits", (double)ray[k / 2], k / 2);
    }
}

/* Without r and end they are 0 and 1; without t no times are written. */
static void check_defaults(const struct abut_index *index)
{
    struct abut_rays rays = the_ray();
    uint64_t offsets[2];
    uint32_t item, items[4];
    set_ray(-1, 2, 0, INFINITY);
    rays.r = rays.end = NULL;
    CHECK(abut_cast_first(index, &rays, NULL, &item, NULL) == ABUT_OK && item == 0);
    CHECK(abut_cast_all(index, &rays, NULL, offsets, items, NULL, 4) == ABUT_OK && offsets[1] == 1 && items[0] == 0);
}

static size_t keep_odd(void *context, uint32_t query, uint32_t *items, size_t n)
{
    (void)context;
    CHECK(query == 0 && n == 1);
    return items[0] % 2 == 1 ? 1 : 0;
}

static void check_filters(const struct abut_index *index, size_t n)
{
    static uint32_t labels[MOST];
    uint32_t item, one = 4;
    float t;
    for (size_t i = 0; i < n; i++)
        labels[i] = i == 3 ? 4 : 3;
    const struct abut_filter groups = {.query_masks = &one, .item_groups = labels},
                             masks = {.query_groups = &one, .item_masks = labels}, keep = {.keep = keep_odd};
    set_ray(-1, 2, 0, INFINITY);
    CHECK(hits(index, &(struct abut_options){.filter = &groups}, &item, &t) == 1 && item == 3);
    CHECK(hits(index, &(struct abut_options){.filter = &masks}, &item, &t) == 1 && item == 3);
    CHECK(hits(index, &(struct abut_options){.filter = &keep}, &item, &t) == n / 2 && item == 1);
}

static void check_errors(const struct abut_index *index)
{
    const struct abut_rays good = the_ray(), none = {0};
    struct abut_rays rays = good;
    const struct abut_own own = {{0}, {1}};
    const struct abut_options odd[] = {{.touch = ABUT_OPEN}, {.relation = ABUT_INSIDE}, {.own = &own}};
    uint64_t offsets[2] = {1, 1}, mask;
    uint32_t items[2] = {9, 9};
    float t[2] = {9, 9};
    set_ray(-1, 2, 0, INFINITY);
    for (unsigned i = 0; i < 3; i++) {
        CHECK(abut_cast_first(index, &rays, &odd[i], items, t) == ABUT_ERROR_ARGUMENT);
        CHECK(abut_cast_any(index, &rays, &odd[i], &mask) == ABUT_ERROR_ARGUMENT);
        CHECK(abut_cast_all(index, &rays, &odd[i], offsets, items, t, 2) == ABUT_ERROR_ARGUMENT);
    }
    CHECK(abut_cast_first(NULL, &rays, NULL, items, t) == ABUT_ERROR_NULL);
    CHECK(abut_cast_first(index, NULL, NULL, items, t) == ABUT_ERROR_NULL);
    CHECK(abut_cast_first(index, &rays, NULL, NULL, t) == ABUT_ERROR_NULL);
    CHECK(abut_cast_any(index, &rays, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_cast_all(index, &rays, NULL, NULL, items, t, 2) == ABUT_ERROR_NULL);
    CHECK(abut_cast_all(index, &rays, NULL, offsets, NULL, t, 2) == ABUT_ERROR_NULL);
    rays.dz = NULL;
    CHECK(abut_cast_first(index, &rays, NULL, items, t) == ABUT_ERROR_NULL);
    rays = good;
    rays.n = ABUT_MAX_ITEMS + 1;
    CHECK(abut_cast_first(index, &rays, NULL, items, t) == ABUT_ERROR_TOO_MANY);
    CHECK(offsets[0] == 1 && items[0] == 9 && t[0] == 9);
    CHECK(abut_cast_first(index, &none, NULL, NULL, NULL) == ABUT_OK);
    CHECK(abut_cast_any(index, &none, NULL, NULL) == ABUT_OK);
    CHECK(abut_cast_all(index, &none, NULL, offsets, NULL, NULL, 0) == ABUT_OK && offsets[0] == 0);
    /* A buffer that is too small stays as it was. */
    CHECK(abut_cast_all(index, &good, NULL, offsets, items, t, 2) == ABUT_OK && offsets[1] > 2);
    CHECK(items[0] == 9 && items[1] == 9 && t[0] == 9);
}

static void *allocate_none(void *context, size_t size)
{
    (void)context, (void)size;
    return NULL;
}

static void release_none(void *context, void *memory)
{
    (void)context, (void)memory;
}

static void check_memory(const struct abut_index *index)
{
    const struct abut_allocator none = {allocate_none, release_none, NULL};
    const struct abut_rays rays = the_ray();
    uint64_t offsets[2];
    static uint32_t items[MOST];
    set_ray(-1, 2, 0, INFINITY);
    CHECK(abut_cast_all(index, &rays, &(struct abut_options){.allocator = &none}, offsets, items, NULL, MOST) ==
          ABUT_ERROR_MEMORY);
}

/* Items that an index skips are not hit, not even by a sphere of infinite radius, nor where they fill a leaf. */
static void check_skipped(void)
{
    enum { N = 60, FIRST = 3, END = 50 };
    uint32_t item;
    float t;
    struct abut_index *index = row_of_boxes(N, NULL);
    for (size_t i = FIRST; i < END; i++)
        box[i % 6][i] = NAN;
    const struct abut_aabbs boxes = {N, box[0], box[1], box[2], box[3], box[4], box[5]};
    CHECK(abut_index_refit(index, abut_of_aabbs(&boxes), &(struct abut_options){.skip_invalid = true}, NULL, NULL) ==
          ABUT_OK);
    for (unsigned i = 0; i < 2; i++) {
        set_ray(-1, 1, i ? INFINITY : 0, INFINITY);
        CHECK(hits(index, NULL, &item, &t) == N - (END - FIRST) && item == 0);
    }
    set_ray(5.5f, 1, 0, INFINITY);
    CHECK(hits(index, NULL, &item, &t) == N - END && item == END && t == 2 * END - 5.5f);
    abut_index_free(index);
}

/* A first hit is found in few leaves, however long the ray is. Of many at the start the least number is the first. */
static void check_cost(void)
{
    struct abut_index *index = row_of_boxes(MOST, NULL);
    struct abut_stats stats = {0};
    const struct abut_options options = {.stats = &stats};
    const struct abut_rays rays = the_ray();
    uint64_t mask;
    uint32_t item;
    set_ray(-1, 1, 0, INFINITY);
    CHECK(abut_cast_first(index, &rays, &options, &item, NULL) == ABUT_OK && item == 0);
    CHECK(abut_cast_any(index, &rays, &options, &mask) == ABUT_OK && mask == 1);
    check_that(stats.leaf_tests <= 3, "%d leaves for two rays", (int)stats.leaf_tests);
    abut_index_free(index);
    for (unsigned k = 0; k < 6; k++)
        for (size_t i = 0; i < MOST; i++)
            box[k][i] = k < 3 ? -1 - (float)(i * 7 % 5) : 2;
    const struct abut_aabbs boxes = {MOST, box[0], box[1], box[2], box[3], box[4], box[5]};
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) == ABUT_OK);
    stats = (struct abut_stats){0};
    set_ray(0, 1, 0, 1);
    CHECK(abut_cast_first(index, &rays, &options, &item, NULL) == ABUT_OK && item == 0);
    check_that(stats.leaf_tests <= 9, "%d leaves for the first of equal items", (int)stats.leaf_tests);
    abut_index_free(index);
}

/*
 * Two balls whose hits float64 does not tell apart. The second is farther along the ray by 2^-149 only, and by as much
 * nearer to its line: its hit is earlier, unless it has the greater number and both are the same.
 */
static void check_near_ties(void)
{
    const float x[] = {3, 3, 3}, y[] = {1, 0x1.fffffep-1f, 1}, z[] = {0x1p-149f, 0, 0}, r[] = {2, 2, 2};
    const struct abut_spheres balls = {3, x, y, z, r};
    struct abut_index *index = NULL;
    uint64_t offsets[2];
    uint32_t items[3];
    float t[3];
    const struct abut_rays rays = the_ray();
    memset(ray, 0, sizeof ray);
    ray[3] = ray[7] = 1;
    CHECK(abut_index_new(abut_of_spheres(&balls), NULL, NULL, &index) == ABUT_OK);
    ray[7] = 9;
    CHECK(abut_cast_all(index, &rays, NULL, offsets, items, t, 3) == ABUT_OK && offsets[1] == 3);
    CHECK(items[0] == 1 && items[1] == 2 && items[2] == 0 && t[2] == t[1] && t[1] == (float)(3 - sqrt(3.0)));
    abut_index_free(index);
}

/* An OBB measures along its axes: where these are short, a sphere reaches farther than its radius. */
static void check_short_axes(void)
{
    const float zero = 0, half = 0.01f, axis = 0.9991f;
    const struct abut_obbs boxes = {1,     &zero, &zero, &zero, &half, &half, &half, &axis,
                                    &zero, &zero, &zero, &axis, &zero, &zero, &zero, &axis};
    struct abut_index *index = NULL;
    const struct abut_rays rays = the_ray();
    uint32_t item;
    set_ray(-500, 1000, 100, 1);
    ray[1] = 100.05f;
    CHECK(abut_index_new(abut_of_obbs(&boxes), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_cast_first(index, &rays, NULL, &item, NULL) == ABUT_OK && item == 0);
    ray[1] = 100.11f;
    CHECK(abut_cast_first(index, &rays, NULL, &item, NULL) == ABUT_OK && item == UINT32_MAX);
    abut_index_free(index);
}

/*
 * Boxes that share a corner, which a ray or a sphere meets first: equal times are compared once a hit or so, and once
 * more in the search.
 */
static void check_shared_corner(void)
{
    enum { BOXES = 300 };
    static const float corner[3] = {0.1f, 0.2f, 0.3f};
    for (unsigned k = 0; k < 3; k++)
        for (size_t i = 0; i < BOXES; i++) {
            box[k][i] = corner[k];
            box[k + 3][i] = corner[k] + 1 + (float)(i * 7 % 97 + k);
        }
    const struct abut_aabbs boxes = {BOXES, box[0], box[1], box[2], box[3], box[4], box[5]};
    const struct abut_rays rays = the_ray();
    struct abut_index *index = NULL;
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) == ABUT_OK);
    for (unsigned i = 0; i < 2; i++) {
        static uint32_t items[BOXES];
        static float t[BOXES];
        struct abut_stats stats = {0};
        const struct abut_options options = {.stats = &stats};
        const float values[8] = {-0.1f, -0.2f, -0.3f, 0.2f, 0.4f, 0.6f, i ? 0.05f : 0, 9};
        uint64_t offsets[2];
        for (unsigned k = 0; k < 8; k++)
            ray[k] = values[k];
        CHECK(abut_cast_all(index, &rays, &options, offsets, items, t, BOXES) == ABUT_OK && offsets[1] == BOXES);
        bool in_order = true;
        for (uint32_t k = 0; k < BOXES; k++)
            in_order &= items[k] == k && t[k] == t[0];
        check_that(in_order, "hits at one corner come in the order of their numbers");
        check_that(stats.undecided <= 3 * BOXES + 10, "%u comparisons beyond the first stage for %u hits at one corner",
                   (unsigned)stats.undecided, (unsigned)BOXES);
    }
    abut_index_free(index);
}

enum { FEW = 12 };

/* Counts its calls; from some call on all items count. */
static size_t keep_later(void *context, uint32_t query, uint32_t *items, size_t n)
{
    unsigned *calls = context;
    (void)query;
    (void)items;
    return (*calls)++ < FEW - 1 ? 0 : n;
}

/* A filter or arrays that change between the count of hits and their list: no more are written than were counted. */
static void check_changing(void)
{
    struct abut_index *index = row_of_boxes(FEW, NULL);
    const struct abut_rays rays = the_ray();
    unsigned calls = 0;
    const struct abut_filter filter = {.keep = keep_later, .context = &calls};
    const struct abut_options options = {.filter = &filter};
    uint64_t offsets[2];
    uint32_t items[FEW];
    float t[FEW];
    for (size_t i = 0; i < FEW; i++) {
        items[i] = 99;
        t[i] = 99;
    }
    set_ray(-1, 1, 0, INFINITY);
    CHECK(abut_cast_all(index, &rays, &options, offsets, items, t, FEW) == ABUT_OK && offsets[1] == 1);
    CHECK(items[0] == 0 && t[0] < 99);
    for (size_t i = 1; i < FEW; i++)
        CHECK(items[i] == 99 && t[i] == 99);
    abut_index_free(index);
}

/* Two slabs between planes of x, and their boxes. */
static void check_hulls(void)
{
    const uint32_t offsets[] = {0, 2, 4}, empty[] = {0, 0, 2};
    const float nx[] = {-1, 1, -1, 1}, zero[4] = {0}, d[] = {1, -3, 4, -6};
    const float low[] = {1, 4}, high[] = {3, 6}, least[] = {-9, -9}, most[] = {9, 9};
    const struct abut_hulls hulls = {2, offsets, nx, zero, zero, d}, one = {1, offsets, nx, zero, zero, d},
                            none = {2, empty, nx, zero, zero, d}, gone = {2, offsets, NULL, zero, zero, d};
    const struct abut_aabbs boxes = {2, low, least, least, high, most, most};
    const struct abut_spheres balls = {2, low, least, least, most};
    const struct abut_rays rays = the_ray(), no_rays = {0};
    struct abut_index *index = NULL, *of_balls = NULL;
    uint64_t offset[2] = {1, 1}, mask = 9;
    uint32_t items[2] = {9, 9};
    float t[2] = {9, 9};
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_new(abut_of_spheres(&balls), NULL, NULL, &of_balls) == ABUT_OK);
    set_ray(-1, 2, 0, INFINITY);
    CHECK(abut_cast_hulls_first(NULL, &hulls, &rays, NULL, items, t) == ABUT_ERROR_NULL);
    CHECK(abut_cast_hulls_first(index, NULL, &rays, NULL, items, t) == ABUT_ERROR_NULL);
    CHECK(abut_cast_hulls_first(index, &gone, &rays, NULL, items, t) == ABUT_ERROR_NULL);
    CHECK(abut_cast_hulls_first(index, &hulls, &rays, NULL, NULL, t) == ABUT_ERROR_NULL);
    CHECK(abut_cast_hulls_any(index, &hulls, &rays, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_cast_hulls_all(index, &hulls, &rays, NULL, offset, NULL, t, 2) == ABUT_ERROR_NULL);
    CHECK(abut_cast_hulls_first(index, &one, &rays, NULL, items, t) == ABUT_ERROR_LENGTHS);
    CHECK(abut_cast_hulls_first(index, &none, &rays, NULL, items, t) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_cast_hulls_any(of_balls, &hulls, &rays, NULL, &mask) == ABUT_ERROR_PREDICATE);
    CHECK(items[0] == 9 && t[0] == 9 && offset[0] == 1 && mask == 9);
    CHECK(abut_cast_hulls_all(index, &hulls, &no_rays, NULL, offset, NULL, NULL, 0) == ABUT_OK && offset[0] == 0);
    set_ray(-1, 2, NAN, INFINITY);
    CHECK(abut_cast_hulls_any(index, &hulls, &rays, NULL, &mask) == ABUT_OK && mask == 0);
    set_ray(-1, 2, 0, INFINITY);
    CHECK(abut_cast_hulls_all(index, &hulls, &rays, NULL, offset, items, t, 2) == ABUT_OK && offset[1] == 2);
    CHECK(items[0] == 0 && t[0] == 1 && items[1] == 1 && t[1] == 2.5f);
    set_ray(-1, 2, 0.5f, INFINITY);
    CHECK(abut_cast_hulls_all(index, &hulls, &rays, NULL, offset, items, t, 2) == ABUT_OK && offset[1] == 2);
    CHECK(items[0] == 0 && t[0] == 0.75f && items[1] == 1 && t[1] == 2.25f);
    abut_index_free(index);
    abut_index_free(of_balls);
}

/* The box from 0 to 1 as a hull, and a hull without points in as large a box. */
struct box_hull {
    struct abut_index *index;
    struct abut_hulls hulls;
};

/* The time of the first hit of a sphere that moves along x from -10, by all three functions; -1 where there is none. */
static float first_touch(const struct box_hull *box_hull, float y, float z, float speed, float r, float end)
{
    const struct abut_rays rays = the_ray();
    const float values[8] = {-10, y, z, speed, 0, 0, r, end};
    uint64_t offset[2], mask = 9;
    uint32_t item = 9, items[2] = {9, 9};
    float t = 9, all_t[2] = {9, 9};
    memcpy(ray, values, sizeof ray);
    CHECK(abut_cast_hulls_first(box_hull->index, &box_hull->hulls, &rays, NULL, &item, &t) == ABUT_OK);
    CHECK(abut_cast_hulls_any(box_hull->index, &box_hull->hulls, &rays, NULL, &mask) == ABUT_OK);
    CHECK(abut_cast_hulls_all(box_hull->index, &box_hull->hulls, &rays, NULL, offset, items, all_t, 2) == ABUT_OK);
    const bool hit = item == 0;
    CHECK(mask == hit && offset[0] == 0 && offset[1] == hit && (hit || item == UINT32_MAX));
    CHECK(hit ? items[0] == 0 && all_t[0] == t : items[0] == 9 && t == INFINITY);
    return hit ? t : -1;
}

/* Before a face, beyond an edge and beyond a corner; each touched on the way, just so, and not. */
static void check_moving_among_hulls(void)
{
    static const uint32_t offsets[] = {0, 6, 8};
    static const float n[3][8] = {{1, -1, 0, 0, 0, 0, 1, -1}, {0, 0, 1, -1, 0, 0, 0, 0}, {0, 0, 0, 0, 1, -1, 0, 0}},
                       d[] = {-1, 0, -1, 0, -1, 0, 0, 1}, low[] = {0, 0}, high[] = {1, 1};
    const struct abut_aabbs boxes = {2, low, low, low, high, high, high};
    struct box_hull box_hull = {NULL, {2, offsets, n[0], n[1], n[2], d}};
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &box_hull.index) == ABUT_OK);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, 3, 1, INFINITY) == 3);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, 7, 1, INFINITY) == 9.0f / 7);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, 1, 1, 9) == 9);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, 1, 1, nextafterf(9, 0)) == -1);
    CHECK(first_touch(&box_hull, 1, 0, 1, 1, INFINITY) == 9);
    CHECK(first_touch(&box_hull, 1.5f, 0.5f, 1, 1, INFINITY) == (float)(10 - sqrt(0.75)));
    CHECK(first_touch(&box_hull, 0.5f, -0.5f, 2, 1, INFINITY) == (float)(5 - sqrt(0.1875)));
    CHECK(first_touch(&box_hull, 2, 0.5f, 1, 1, INFINITY) == 10);
    CHECK(first_touch(&box_hull, nextafterf(2, 3), 0.5f, 1, 1, INFINITY) == -1);
    CHECK(first_touch(&box_hull, 1.5f, 1.5f, 1, 1, INFINITY) == (float)(10 - sqrt(0.5)));
    CHECK(first_touch(&box_hull, 1.5f, -0.5f, 1, 1, (float)(10 - sqrt(0.5))) == (float)(10 - sqrt(0.5)));
    CHECK(first_touch(&box_hull, 1.5f, -0.5f, 1, 1, nextafterf((float)(10 - sqrt(0.5)), 0)) == -1);
    CHECK(first_touch(&box_hull, 4, 5, 1, 5, INFINITY) == 10);
    CHECK(first_touch(&box_hull, 4, nextafterf(5, 6), 1, 5, INFINITY) == -1);
    CHECK(first_touch(&box_hull, 0, 0, -1, 9.5f, INFINITY) == -1);
    CHECK(first_touch(&box_hull, 0, 0, -1, 10, INFINITY) == 0);
    CHECK(first_touch(&box_hull, 0, 0, 0, 10, 0) == 0);
    CHECK(first_touch(&box_hull, 0, 0, 0, nextafterf(10, 0), 0) == -1);
    CHECK(first_touch(&box_hull, 9, 9, -1, INFINITY, 0) == 0);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, 1, -1, INFINITY) == -1);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, 1, NAN, INFINITY) == -1);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, 1, 20, -1) == -1);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, 1, INFINITY, NAN) == -1);
    CHECK(first_touch(&box_hull, 0.5f, 0.5f, INFINITY, 1, INFINITY) == -1);
    abut_index_free(box_hull.index);
}

int main(int argc, char **argv)
{
    read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    enum { N = 100 };
    struct abut_index *index = row_of_boxes(N, NULL), *empty = row_of_boxes(0, NULL);
    uint32_t item;
    float t;
    check_rays(index, N);
    check_invalid_rays(index);
    check_defaults(index);
    check_filters(index, N);
    check_errors(index);
    check_memory(index);
    set_ray(-1, 2, 0, INFINITY);
    CHECK(hits(empty, NULL, &item, &t) == 0);
    abut_index_free(index);
    abut_index_free(empty);
    check_skipped();
    check_cost();
    check_near_ties();
    check_short_axes();
    check_shared_corner();
    check_changing();
    check_hulls();
    check_moving_among_hulls();
    return finish("cast calls");
}
