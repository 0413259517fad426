/* SPDX-License-Identifier: MIT */
/*
 * Compares casts of rays among hulls, and their order, with the definition in rational arithmetic: the times at which a
 * point is outside of no plane are an interval, and its least is the start or a time at which the point is on a plane.
 */
#include "hull_inputs.h"
#include "hull_item.h"
#include "rational.h"
#include "report.h"

#include <abut/cast.h>
#include <abut/engine.h>

#include <string.h>

enum { HULLS = 20, RAYS = 9, HITS = HULLS * RAYS };

static uint32_t offsets[HULLS + 1];
static float plane[4][HULLS * ABUT_MAX_PLANES], box[6][HULLS];
static float rays[8][RAYS]; /* x y z dx dy dz r end */

static const struct abut_hulls hulls = {HULLS, offsets, plane[0], plane[1], plane[2], plane[3]};
static const struct abut_aabbs boxes = {HULLS, box[0], box[1], box[2], box[3], box[4], box[5]};
static const struct abut_rays all_rays = {RAYS, rays[0], rays[1], rays[2], rays[3], rays[4], rays[5], rays[6], rays[7]};

/* ---- Scenes */

static bool is_grid(enum kind kind)
{
    return kind == kind_box || kind == kind_hull_integers;
}

/* Turns planes along an axis by so little that float64 does not see on which side of them the points of a grid are. */
static void tilt(struct random *random, float *hull)
{
    for (unsigned j = 0; j < planes_of(hull); j++) {
        float *n = hull + (plane_of(hull, j) - hull);
        const unsigned k = random_below(random, 3);
        if (n[k] == 0 && random_below(random, 3) == 0)
            n[k] = random_below(random, 2) ? 0x1p-60f : -0x1p-60f;
    }
}

static void make_hulls(struct random *random, enum kind kind)
{
    const bool tilts = is_grid(kind) && random_below(random, 2) == 0;
    float hull[MAX_MEMBERS] = {0};
    for (size_t i = 0; i < HULLS; i++) {
        if (i == 0 || random_below(random, 6) > 0) /* or once more */
            make_hull(kind, random, hull);
        if (tilts)
            tilt(random, hull);
        for (unsigned j = 0; j < planes_of(hull); j++)
            for (unsigned k = 0; k < 4; k++)
                plane[k][offsets[i] + j] = plane_of(hull, j)[k];
        offsets[i + 1] = offsets[i] + planes_of(hull);
    }
}

/* Along a grid, or from far or near towards a point near the box of a hull, or of a plane of its. */
static void make_ray(struct random *random, bool grid, float ray[8])
{
    static const float ends[] = {1, 1, 0, 0.5f, INFINITY, INFINITY, INFINITY, 3};
    const size_t i = random_below(random, HULLS);
    grid = grid || random_below(random, 2) == 0;
    for (unsigned k = 0; k < 3; k++) {
        const float low = isfinite(box[k][i]) ? box[k][i] : -1, high = isfinite(box[k + 3][i]) ? box[k + 3][i] : 1;
        const float inside = low / 2 + high / 2 + (high / 2 - low / 2) * random_between(random, -1.1f, 1.1f);
        ray[k] =
            grid ? (float)random_below(random, 15) * 0.5f - 3.5f : inside + (high - low) * random_integer(random, 2);
        ray[k + 3] = grid ? random_integer(random, 2) : inside - ray[k];
        ray[k + 3] *= random_below(random, 4) ? 1 : 0x1p-20f;
        ray[k + 3] = isfinite(ray[k + 3]) && random_below(random, 6) ? ray[k + 3] : 0;
        ray[k] = isfinite(ray[k]) ? ray[k] : 0;
    }
    ray[6] = random_below(random, 2) ? 0 : -0.0f;
    ray[7] = ends[random_below(random, sizeof ends / sizeof *ends)];
}

/* ---- The right answers */

struct hit {
    bool is;
    mpq_srcptr t;
};

static bool bounds_nothing(const float p[4])
{
    return p[3] == -INFINITY || (p[0] == 0 && p[1] == 0 && p[2] == 0);
}

static bool is_valid(size_t hull)
{
    for (uint32_t j = offsets[hull]; j < offsets[hull + 1]; j++) {
        const float p[4] = {plane[0][j], plane[1][j], plane[2][j], plane[3][j]};
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || isnan(p[3]) || p[3] == INFINITY ||
            (bounds_nothing(p) && p[3] > 0))
            return false;
    }
    return true;
}

/* The planes of a hull at time t: n.p + d of each is s + t w. */
struct heights {
    unsigned n;
    mpq_ptr s[ABUT_MAX_PLANES], w[ABUT_MAX_PLANES];
};

static bool is_in_all(const struct heights *heights, mpq_srcptr t)
{
    for (unsigned k = 0; k < heights->n; k++)
        if (mpq_sgn(plus(heights->s[k], times(t, heights->w[k]))) > 0)
            return false;
    return true;
}

static void take(struct hit *hit, const struct heights *heights, mpq_srcptr t, float end)
{
    if (mpq_sgn(t) < 0 || (!isinf(end) && mpq_cmp(t, of(end)) > 0) || (hit->is && mpq_cmp(t, hit->t) >= 0) ||
        !is_in_all(heights, t))
        return;
    hit->is = true;
    hit->t = t;
}

static struct hit right_hit(size_t ray, size_t hull)
{
    struct heights heights = {0};
    struct hit hit = {false, NULL};
    if (!is_valid(hull))
        return hit;
    for (uint32_t j = offsets[hull]; j < offsets[hull + 1]; j++) {
        const float p[4] = {plane[0][j], plane[1][j], plane[2][j], plane[3][j]};
        mpq_ptr s = bounds_nothing(p) ? NULL : of(p[3]), w = of(0);
        for (unsigned k = 0; k < 3 && s; k++) {
            s = plus(s, times(of(p[k]), of(rays[k][ray])));
            w = plus(w, times(of(p[k]), of(rays[k + 3][ray])));
        }
        heights.s[heights.n] = s;
        heights.w[heights.n] = w;
        heights.n += s != NULL;
    }
    take(&hit, &heights, of(0), rays[7][ray]);
    for (unsigned k = 0; k < heights.n; k++)
        if (mpq_sgn(heights.w[k]) != 0)
            take(&hit, &heights, over(minus(of(0), heights.s[k]), heights.w[k]), rays[7][ray]);
    return hit;
}

/* Whether t is the nearest float, an even one where two are. What is greater than all floats has its half at 2^128. */
static bool is_rounded(mpq_srcptr exact, float t)
{
    uint32_t bits;
    memcpy(&bits, &t, sizeof bits);
    const float below = nextafterf(t, 0), above = nextafterf(t, INFINITY);
    mpq_ptr half = new_number(), last = new_number();
    mpq_set_d(last, 0x1p128);
    mpq_srcptr at = isinf(t) ? last : of(t), next = isinf(above) ? last : of(above);
    const int most = bits % 2 == 0 ? 0 : -1;
    mpq_div(half, plus(at, of(below)), of(2));
    if (t > 0 && mpq_cmp(half, exact) > most)
        return false;
    if (isinf(t))
        return true;
    mpq_div(half, plus(at, next), of(2));
    return !signbit(t) && mpq_cmp(exact, half) <= most;
}

/* ---- The checks of a scene */

struct found {
    uint64_t offsets[RAYS + 1], mask;
    uint32_t items[HITS], first[RAYS];
    float t[HITS], first_t[RAYS];
};

static struct abut_stats stats;

static void cast(const struct abut_index *index, const struct abut_options *options, struct found *found)
{
    memset(found, 0, sizeof *found);
    CHECK(abut_cast_hulls_all(index, &hulls, &all_rays, options, found->offsets, found->items, found->t, HITS) ==
          ABUT_OK);
    CHECK(abut_cast_hulls_any(index, &hulls, &all_rays, options, &found->mask) == ABUT_OK);
    CHECK(abut_cast_hulls_first(index, &hulls, &all_rays, options, found->first, found->first_t) == ABUT_OK);
}

static void check_ray(size_t ray, const struct found *found, const char *what)
{
    const uint64_t begin = found->offsets[ray], end = found->offsets[ray + 1];
    struct hit right[HULLS];
    uint64_t count = 0;
    used = 0;
    for (size_t i = 0; i < HULLS; i++) {
        right[i] = right_hit(ray, i);
        count += right[i].is;
    }
    check_that(end - begin == count, "%s, ray %zu: %d hits, not %d", what, ray, (int)(end - begin), (int)count);
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t item = found->items[i];
        if (!check_that(item < HULLS && right[item].is, "%s, ray %zu: hull %u is not hit", what, ray, item))
            return;
        check_that(is_rounded(right[item].t, found->t[i]), "%s, ray %zu: hull %u is not hit at %a", what, ray, item,
                   (double)found->t[i]);
        const uint32_t before = i > begin ? found->items[i - 1] : item;
        const int order = mpq_cmp(right[before].t, right[item].t);
        check_that(i == begin || order < 0 || (order == 0 && before < item), "%s, ray %zu: hull %u before %u", what,
                   ray, before, item);
    }
    const bool any = count > 0;
    check_that(found->first[ray] == (any ? found->items[begin] : UINT32_MAX), "%s, ray %zu: the first is %u", what, ray,
               found->first[ray]);
    check_that(found->first_t[ray] == (any ? found->t[begin] : INFINITY), "%s, ray %zu: the first at %a", what, ray,
               (double)found->first_t[ray]);
    check_that((found->mask >> ray & 1) == any, "%s, ray %zu: any", what, ray);
}

static void check_scene(struct random *random, enum kind kind)
{
    static struct found found, other;
    float *const columns[6] = {box[0], box[1], box[2], box[3], box[4], box[5]};
    const struct abut_options skip = {.skip_invalid = true}, counted = {.stats = &stats};
    struct abut_index *index = NULL, *view = NULL;
    char what[100];
    snprintf(what, sizeof what, "%s; seed %llu", kind_names[kind], (unsigned long long)random->state);
    make_hulls(random, kind);
    CHECK(abut_aabbs_of_hulls(&hulls, columns) == ABUT_OK);
    for (size_t i = 0; i < RAYS; i++) {
        float ray[8];
        make_ray(random, is_grid(kind), ray);
        for (unsigned k = 0; k < 8; k++)
            rays[k][i] = ray[k];
    }
    CHECK(abut_index_new(abut_of_aabbs(&boxes), &skip, NULL, &index) == ABUT_OK);
    CHECK(abut_index_view(abut_of_aabbs(&boxes), 0.25f, &skip, NULL, &view) == ABUT_OK);
    cast(index, &counted, &found);
    for (size_t ray = 0; ray < RAYS; ray++)
        check_ray(ray, &found, what);
    cast(view, NULL, &other);
    check_that(memcmp(&found, &other, sizeof found) == 0, "%s: a view finds others", what);
    abut_index_free(view);
    abut_index_free(index);
}

/* A ray outside of one plane that approaches it, or leaves it, by less than float64 sees. */
static void check_slow_approach(void)
{
    static const uint32_t offset[] = {0, 1};
    const float one = 1, none = 0, back = -1, end = INFINITY, low = -INFINITY, high = INFINITY;
    const struct abut_aabbs space = {1, &low, &low, &low, &high, &high, &high};
    const struct abut_rays ray = {1, &one, &none, &none, &one, &one, &back, NULL, &end};
    for (int sign = -1; sign <= 1; sign += 2) {
        const float ny = (float)sign * 0x1p-60f;
        const struct abut_hulls hull = {1, offset, &one, &ny, &one, &none};
        struct abut_index *index = NULL;
        uint32_t item;
        float t;
        CHECK(abut_index_new(abut_of_aabbs(&space), NULL, NULL, &index) == ABUT_OK);
        CHECK(abut_cast_hulls_first(index, &hull, &ray, NULL, &item, &t) == ABUT_OK);
        CHECK(item == (sign < 0 ? 0 : UINT32_MAX) && t == (sign < 0 ? 0x1p60f : INFINITY));
        abut_index_free(index);
    }
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 12, .step = 1});
    struct random random = {options.seed};
    unsigned turn = 0;
    check_slow_approach();
    for (unsigned round = 0; round < options.rounds; round++)
        for (enum kind kind = kind_box; kind < kind_count; kind++, turn++)
            for (unsigned i = 0; i < (is_grid(kind) ? 40 : 1) && turn % options.step == 0; i++)
                check_scene(&random, kind);
    CHECK(stats.exact > 0 && stats.undecided >= stats.exact && stats.pairs > stats.undecided);
    return finish("casts among hulls");
}
