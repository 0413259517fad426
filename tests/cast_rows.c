/* SPDX-License-Identifier: MIT */
/* Comparisons of moments in rational arithmetic, and the checks of rows. */
#include "cast_rows.h"

#include "rational.h"
#include "report.h"

#include <string.h>

/* ---- Moments */

static int sign_of(int order)
{
    return (order > 0) - (order < 0);
}

/*
 * The sign of x - (sqrt(a) - sqrt(b)), x = a->p - b->p. Where both terms have the same sign, that of x^2 - (a + b - 2
 * sqrt(a b)) tells which is greater.
 */
static int compare(const struct moment *a, const struct moment *b)
{
    mpq_srcptr a2 = a->d ? a->d : of(0), b2 = b->d ? b->d : of(0), x = minus(a->p, b->p);
    const int by_roots = sign_of(mpq_cmp(a2, b2)), by_x = mpq_sgn(x);
    if (by_roots == 0 || by_x != by_roots)
        return by_x ? by_x : -by_roots;
    mpq_srcptr rest = minus(plus(a2, b2), square(x));
    if (mpq_sgn(rest) < 0)
        return by_x;
    return by_x * sign_of(mpq_cmp(times(of(4), times(a2, b2)), square(rest)));
}

int compare_moments(const struct moment *a, const struct moment *b)
{
    used = 0;
    return compare(a, b);
}

int compare_moment_to(const struct moment *a, float t)
{
    used = 0;
    return compare(a, &(struct moment){true, of(t), NULL});
}

/* The order of a moment and the middle of two floats. What is greater than all floats counts as 2^128. */
static int compare_to_middle(const struct moment *a, float t, float next)
{
    used = 0;
    mpq_ptr sum = of(0), end = of(0);
    mpq_set_d(sum, isinf(t) ? 0x1p128 : (double)t);
    mpq_set_d(end, isinf(next) ? 0x1p128 : (double)next);
    mpq_add(sum, sum, end);
    mpq_div_2exp(sum, sum, 1);
    return compare(a, &(struct moment){true, sum, NULL});
}

/* Whether t is the nearest float, an even one where two are. */
static bool is_rounded(const struct moment *exact, float t)
{
    uint32_t bits;
    memcpy(&bits, &t, sizeof bits);
    const int most = bits % 2 == 0 ? 0 : -1;
    if (signbit(t) || isnan(t) || (t > 0 && -compare_to_middle(exact, t, nextafterf(t, 0)) > most))
        return false;
    return isinf(t) || compare_to_middle(exact, t, nextafterf(t, INFINITY)) <= most;
}

/* ---- Rows */

static void cast(const struct cast_scene *scene, const struct abut_index *index, const struct abut_options *options,
                 struct found *found)
{
    const struct abut_hulls hulls = hulls_of(scene);
    const struct abut_rays rays = rays_of(scene);
    memset(found, 0, sizeof *found);
    CHECK(abut_cast_hulls_all(index, &hulls, &rays, options, found->offsets, found->items, found->t, HITS) == ABUT_OK);
    CHECK(abut_cast_hulls_any(index, &hulls, &rays, options, &found->mask) == ABUT_OK);
    CHECK(abut_cast_hulls_first(index, &hulls, &rays, options, found->first, found->first_t) == ABUT_OK);
}

static void check_row(size_t ray, const struct moment right[HULLS], const struct found *found, const char *what)
{
    const uint64_t begin = found->offsets[ray], end = found->offsets[ray + 1];
    uint64_t count = 0;
    for (size_t i = 0; i < HULLS; i++)
        count += right[i].is;
    check_that(end - begin == count, "%s, ray %zu: %d hits, not %d", what, ray, (int)(end - begin), (int)count);
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t item = found->items[i];
        if (!check_that(item < HULLS && right[item].is, "%s, ray %zu: hull %u is not hit", what, ray, item))
            return;
        check_that(is_rounded(&right[item], found->t[i]), "%s, ray %zu: hull %u is not hit at %a", what, ray, item,
                   (double)found->t[i]);
        const uint32_t before = i > begin ? found->items[i - 1] : item;
        const int order = compare_moments(&right[before], &right[item]);
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

static void run_backwards(void *context, unsigned parts, abut_part_function *part, void *work)
{
    (void)context;
    while (parts-- > 0)
        part(work, parts);
}

/* All pairs are candidates in boxes that are all of space. */
static void cast_in_space(const struct cast_scene *scene, struct found *found)
{
    static float low[HULLS], high[HULLS];
    const struct abut_aabbs space = {HULLS, low, low, low, high, high, high};
    struct abut_index *index = NULL;
    for (size_t i = 0; i < HULLS; i++) {
        low[i] = -INFINITY;
        high[i] = INFINITY;
    }
    CHECK(abut_index_new(abut_of_aabbs(&space), NULL, NULL, &index) == ABUT_OK);
    cast(scene, index, NULL, found);
    abut_index_free(index);
}

void check_casts(const struct cast_scene *scene, right_function *right, struct abut_stats *stats, struct found *found,
                 const char *what)
{
    static const struct abut_threads two = {run_backwards, NULL, 2, 1};
    static struct found other;
    const struct abut_aabbs boxes = boxes_of(scene);
    const struct abut_options skip = {.skip_invalid = true}, counted = {.stats = stats}, threads = {.threads = &two};
    struct abut_index *index = NULL, *view = NULL;
    CHECK(abut_index_new(abut_of_aabbs(&boxes), &skip, NULL, &index) == ABUT_OK);
    CHECK(abut_index_view(abut_of_aabbs(&boxes), 0.25f, &skip, NULL, &view) == ABUT_OK);
    cast(scene, index, &counted, found);
    for (size_t ray = 0; ray < RAYS; ray++) {
        struct moment moments[HULLS];
        right(scene, ray, moments);
        check_row(ray, moments, found, what);
    }
    cast(scene, view, &threads, &other);
    check_that(memcmp(found, &other, sizeof other) == 0, "%s: a view on two threads finds others", what);
    cast_in_space(scene, &other);
    check_that(memcmp(found, &other, sizeof other) == 0, "%s: boxes that are all of space find others", what);
    abut_index_free(view);
    abut_index_free(index);
}
