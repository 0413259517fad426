/* SPDX-License-Identifier: MIT */
/* Compares casts of rays and moving spheres, and their order, with the definition in rational arithmetic. */
#include "bvh/cast/cast_formulas.h"
#include "cast_oracle.h"
#include "index_scenes.h"
#include "report.h"

#include <abut/cast.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Times that differ after so many bits count as equal; where the greater number is first, after DEEP. */
enum { MOST = 40, RAYS = 7, HITS = RAYS * MOST, TIES = 2, BITS = 80, DEEP = 1500 };

static const enum shape shapes[] = {shape_point,   shape_sphere,  shape_aabb,    shape_obb,
                                    shape_segment, shape_capsule, shape_triangle};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Beside the layouts: a small grid, where most hits are ties or graze; and the grid, off by an ulp here and there. */
enum { SCENE_GRID = layout_count, SCENE_NEAR_GRID, SCENES };

/* The rays of a scene: x y z dx dy dz r end. */
static float rays[8][RAYS];

static struct abut_rays rays_of(size_t first, size_t n)
{
    return (struct abut_rays){.n = n,
                              .x = rays[0] + first,
                              .y = rays[1] + first,
                              .z = rays[2] + first,
                              .dx = rays[3] + first,
                              .dy = rays[4] + first,
                              .dz = rays[5] + first,
                              .r = rays[6] + first,
                              .end = rays[7] + first};
}

/* ---- Scenes */

static float near(struct random *random, unsigned scene, float x)
{
    if (scene != SCENE_NEAR_GRID || random_below(random, 6) > 0)
        return x;
    return nextafterf(x, random_below(random, 2) ? 9.0f : -9.0f);
}

static void make_grid_item(struct random *random, unsigned scene, enum shape shape, float *item)
{
    const unsigned fields = shape_info(shape)->fields;
    for (unsigned k = 0; k < fields; k++)
        item[k] = near(random, scene, (float)random_below(random, 4) - 1);
    for (unsigned k = 0; shape == shape_aabb && k < 3; k++)
        item[k + 3] = near(random, scene, item[k] + (float)random_below(random, 2));
    for (unsigned k = 0; shape == shape_aabb && k < 3; k++)
        item[k + 3] = item[k + 3] < item[k] ? item[k] : item[k + 3];
    if (shape == shape_sphere || shape == shape_capsule)
        item[fields - 1] = (float)random_below(random, 3) * 0.5f;
    if (shape == shape_obb) {
        static const float turned[9] = {0.6f, 0.8f, 0, -0.8f, 0.6f, 0, 0, 0, -1};
        const bool straight = random_below(random, 2) == 0;
        for (unsigned k = 3; k < 6; k++)
            item[k] = (float)random_below(random, 3) * 0.5f;
        for (unsigned k = 0; k < 9; k++)
            item[6 + k] = straight ? k % 4 == 0 : turned[k];
    }
}

static struct batch make_items(struct random *random, unsigned scene, enum shape shape, size_t n)
{
    struct batch batch = batch_new(shape, n);
    float item[ABUT_MAX_FIELDS];
    for (size_t i = 0; i < n; i++) {
        if (scene < layout_count)
            make_item(shape, (enum layout)scene, true, random, item);
        else
            make_grid_item(random, scene, shape, item);
        batch_set(&batch, i, item);
    }
    return batch;
}

/* From a place of the layout towards an item. */
static void aim(struct random *random, unsigned scene, const struct batch *items, float ray[8])
{
    float other[ABUT_MAX_FIELDS];
    make_item(shape_sphere, (enum layout)scene, true, random, other);
    memcpy(ray, other, 3 * sizeof *other);
    ray[6] = random_below(random, 2) ? 0 : other[3];
    make_item(shape_point, (enum layout)scene, true, random, other);
    if (items->n > 0 && random_below(random, 4) > 0)
        batch_get(items, random_below(random, (unsigned)items->n), other);
    const float scale = random_below(random, 3) ? 1.5f : 1e-3f;
    for (unsigned k = 0; k < 3; k++) {
        ray[3 + k] = (other[k] - ray[k]) * scale;
        if (!isfinite(ray[3 + k]))
            ray[3 + k] = isfinite(other[k]) ? other[k] : 1;
        if (random_below(random, 8) == 0)
            ray[3 + k] = 0;
    }
}

static void make_rays(struct random *random, unsigned scene, const struct batch *items)
{
    static const float ends[] = {1, 1, 0, 0.5f, INFINITY, INFINITY, 3};
    for (size_t i = 0; i < RAYS; i++) {
        float ray[8];
        if (scene < layout_count)
            aim(random, scene, items, ray);
        for (unsigned k = 0; k < 3 && scene >= layout_count; k++) {
            ray[k] = near(random, scene, (float)random_below(random, 15) * 0.5f - 3);
            ray[3 + k] = near(random, scene, (float)random_below(random, 5) - 2);
            ray[6] = (float)random_below(random, 3) * 0.5f;
        }
        ray[7] = ends[random_below(random, sizeof ends / sizeof *ends)];
        for (unsigned k = 0; k < 8; k++)
            rays[k][i] = ray[k];
    }
}

/* ---- The right answers */

static const char *scene_name(unsigned scene)
{
    return scene < layout_count ? layout_names[scene] : scene == SCENE_GRID ? "small grid" : "near a small grid";
}

static bool hit_by(const struct batch *items, size_t ray, uint32_t i, mpq_srcptr end)
{
    const float from[3] = {rays[0][ray], rays[1][ray], rays[2][ray]};
    const float motion[3] = {rays[3][ray], rays[4][ray], rays[5][ray]};
    float item[ABUT_MAX_FIELDS];
    batch_get(items, i, item);
    return oracle_cast(from, motion, rays[6][ray], items->shape, item, end);
}

static bool hit_by_float(const struct batch *items, size_t ray, uint32_t i, float end)
{
    mpq_t last;
    mpq_init(last);
    mpq_set_d(last, isinf(end) ? 0 : (double)end);
    const bool hit = hit_by(items, ray, i, isinf(end) ? NULL : last);
    mpq_clear(last);
    return hit;
}

/* Half way from a float to one of its neighbours; beyond the greatest one, where rounding goes to infinity. */
static void set_half(mpq_t half, float t, float to)
{
    mpq_t other;
    mpq_init(other);
    mpq_set_d(half, isinf(t) ? 0x1p128 : (double)t);
    mpq_set_d(other, isinf(to) ? 0x1p128 : (double)to);
    mpq_add(half, half, other);
    mpq_div_2exp(half, half, 1);
    mpq_clear(other);
}

/* Whether the time of a hit is before the half between two floats, or at most there. */
static bool is_before(const struct batch *items, size_t ray, uint32_t i, float t, float to, bool at_most)
{
    mpq_t half, little;
    mpq_inits(half, little, NULL);
    set_half(half, t, to);
    mpq_set_ui(little, at_most ? 0 : 1, 1);
    mpq_div_2exp(little, little, 1500);
    mpq_sub(half, half, little);
    const bool hit = hit_by(items, ray, i, half);
    mpq_clears(half, little, NULL);
    return hit;
}

/* Whether t is the time of a hit, rounded to the nearest float. An even one also takes both halves. */
static bool is_rounded(const struct batch *items, size_t ray, uint32_t i, float t)
{
    uint32_t bits;
    memcpy(&bits, &t, sizeof bits);
    const bool even = bits % 2 == 0;
    return !signbit(t) && (t == 0 || !is_before(items, ray, i, t, nextafterf(t, 0), !even)) &&
           (isinf(t) || is_before(items, ray, i, t, nextafterf(t, INFINITY), even));
}

/* The sign of the time of a less that of b, which are rounded to t; 0 if they are equal in so many bits. */
static int order_of(const struct batch *items, size_t ray, uint32_t a, uint32_t b, float t, unsigned bits)
{
    mpq_t low, high, middle;
    int order = 0;
    mpq_inits(low, high, middle, NULL);
    if (t > 0)
        set_half(low, t, nextafterf(t, 0));
    set_half(high, t, nextafterf(t, INFINITY));
    if (t == 0)
        order = (int)hit_by_float(items, ray, b, 0) - (int)hit_by_float(items, ray, a, 0);
    for (unsigned i = 0; order == 0 && i < bits; i++) {
        mpq_add(middle, low, high);
        mpq_div_2exp(middle, middle, 1);
        const bool by_a = hit_by(items, ray, a, middle), by_b = hit_by(items, ray, b, middle);
        order = (int)by_b - (int)by_a;
        mpq_set(by_a ? high : low, middle);
    }
    mpq_clears(low, high, middle, NULL);
    return order;
}

/* ---- The checks of a scene */

struct found {
    uint64_t offsets[RAYS + 1], mask;
    uint32_t items[HITS], first[RAYS];
    float t[HITS], first_t[RAYS];
};

static void cast(const struct abut_index *index, const struct abut_options *options, struct found *found)
{
    const struct abut_rays all = rays_of(0, RAYS);
    memset(found, 0, sizeof *found);
    CHECK(abut_cast_all(index, &all, options, found->offsets, found->items, found->t, HITS) == ABUT_OK);
    CHECK(abut_cast_any(index, &all, options, &found->mask) == ABUT_OK);
    CHECK(abut_cast_first(index, &all, options, found->first, found->first_t) == ABUT_OK);
}

static void check_row(const struct batch *items, size_t ray, const struct found *found, const char *what)
{
    const uint64_t begin = found->offsets[ray], end = found->offsets[ray + 1];
    bool hit[MOST] = {false};
    unsigned ties = 0;
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t item = found->items[i];
        const float t = found->t[i];
        if (!check_that(item < items->n && !hit[item], "%s, ray %zu: item %u twice, or none", what, ray, item))
            return;
        hit[item] = true;
        check_that(is_rounded(items, ray, item, t), "%s, ray %zu: item %u is not hit at %a", what, ray, item,
                   (double)t);
        if (i == begin || found->t[i - 1] != t || isinf(t) || ties++ >= TIES) {
            check_that(i == begin || found->t[i - 1] <= t, "%s, ray %zu: item %u at %a", what, ray, item, (double)t);
            continue;
        }
        const bool ascend = found->items[i - 1] < item;
        const int order = order_of(items, ray, found->items[i - 1], item, t, ascend ? BITS : DEEP);
        check_that(order < 0 || (order == 0 && ascend), "%s, ray %zu: item %u before %u", what, ray,
                   found->items[i - 1], item);
    }
    for (uint32_t i = 0; i < items->n; i++)
        check_that(hit[i] == hit_by_float(items, ray, i, rays[7][ray]), "%s, ray %zu: item %u is %shit", what, ray, i,
                   hit[i] ? "" : "not ");
    const bool any = end > begin;
    check_that(found->first[ray] == (any ? found->items[begin] : UINT32_MAX), "%s, ray %zu: the first is %u", what, ray,
               found->first[ray]);
    check_that(found->first_t[ray] == (any ? found->t[begin] : INFINITY), "%s, ray %zu: the first at %a", what, ray,
               (double)found->first_t[ray]);
    check_that((found->mask >> ray & 1) == any, "%s, ray %zu: any", what, ray);
}

static void run_backwards(void *context, unsigned parts, abut_part_function *part, void *work)
{
    (void)context;
    while (parts-- > 0)
        part(work, parts);
}

static struct abut_stats stats;

static void check_scene(struct random *random, unsigned scene, enum shape shape, size_t n)
{
    static const struct abut_threads three = {run_backwards, NULL, 3, 1};
    static struct found found, other;
    const uint64_t seed = random->state;
    char what[200];
    snprintf(what, sizeof what, "%zu of shape %d, %s; seed %llu", n, (int)shape, scene_name(scene),
             (unsigned long long)seed);
    struct batch items = make_items(random, scene, shape, n);
    union any_batch any;
    struct abut_index *index = NULL, *view = NULL;
    const struct abut_options options = {.stats = &stats}, threads = {.threads = &three};
    make_rays(random, scene, &items);
    CHECK(abut_index_new(set_of(&items, &any), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_view(set_of(&items, &any), seed % 2 ? 0.25f : 0, NULL, NULL, &view) == ABUT_OK);
    cast(index, &options, &found);
    for (size_t ray = 0; ray < RAYS; ray++)
        check_row(&items, ray, &found, what);
    cast(view, &threads, &other);
    check_that(memcmp(&found, &other, sizeof found) == 0, "%s: a view finds others", what);
    abut_index_free(view);
    abut_index_free(index);
    batch_free(&items);
}

/* The distance from a point of the core of an item, in no way exact. */
static float rough_distance(const struct cast_ray *ray, enum shape shape, const float *item)
{
    const float *at = item + (shape == shape_triangle ? 3 : 0);
    double sum = 0;
    for (unsigned k = 0; k < 3; k++)
        sum += ((double)ray->from[k] - (double)at[k]) * ((double)ray->from[k] - (double)at[k]);
    return (float)sqrt(sum);
}

/*
 * The bounds in float64 hold the exact time, and their answers are right. A sphere that starts just off an item loses
 * most digits.
 */
static void check_bounds(const struct cast_formulas *filter, struct random *random)
{
    unsigned known = 0;
    for (unsigned i = 0; i < 7000; i++) {
        const enum shape shape = shapes[i % SHAPES];
        float item[ABUT_MAX_FIELDS];
        struct cast_ray ray = {.end = INFINITY};
        make_item(shape, layout_even, true, random, item);
        for (unsigned k = 0; k < 3; k++) {
            ray.from[k] = item[k] + random_between(random, -60, 60);
            ray.motion[k] = item[k] - ray.from[k] + random_between(random, -1, 1);
        }
        if (i % 3 > 0)
            ray.r = rough_distance(&ray, shape, item) * random_between(random, 0.99999f, 1);
        struct cast_time rough = {0}, exact = {0};
        const struct measured measured = {shape, item};
        const enum answer answer = filter->first(&ray, measured, false, &rough);
        const enum answer right = abut_cast_full.first(&ray, measured, false, &exact);
        known += answer == ANSWER_HIT && exact.low > 0;
        check_that(answer == right || answer == ANSWER_UNKNOWN, "bounds of shape %d: %d, not %d", (int)shape,
                   (int)answer, (int)right);
        check_that(answer != ANSWER_HIT || (rough.low <= exact.high && exact.low <= rough.high),
                   "shape %d: [%a, %a] without [%a, %a]", (int)shape, rough.low, rough.high, exact.low, exact.high);
    }
    check_that(known > 200, "%u answers of bounds", known);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 3, .step = 1});
    struct random random = {options.seed};
    static const size_t sizes[] = {MOST, 9, 1};
    unsigned turn = 0;
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned shape = 0; shape < SHAPES; shape++)
            for (unsigned scene = 0; scene < SCENES; scene++, turn++)
                if (turn % options.step == 0)
                    check_scene(&random, scene, shapes[shape], sizes[turn % 5 == 0 ? 1 : turn % 7 == 0 ? 2 : 0]);
    check_bounds(&abut_cast_tracked, &random);
    check_bounds(&abut_cast_filter64, &random);
    CHECK(stats.exact > 0 && stats.undecided >= stats.exact && stats.pairs > stats.undecided);
    return finish("casts");
}
