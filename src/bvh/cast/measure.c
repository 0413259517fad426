/* SPDX-License-Identifier: MIT */
/* When a ray hits an item, and which of two hits is first: by bounds in float64, else in exact arithmetic. */
#include "bvh/cast/cast.h"

#include "bvh/search/nearest.h"
#include "kernels/items.h"
#include "util/float32.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* From the fastest to the one that always decides; the first two are float64. */
static const struct cast_formulas *arithmetic(const struct cast_search *search, unsigned stage)
{
    static const struct cast_formulas *const all[] = {&abut_cast_tracked, &abut_cast_filter64, &abut_cast_compact};
    return stage < 3 ? all[stage] : search->hulls ? &abut_cast_full_hulls : &abut_cast_full;
}

/* Counts a question that a stage did not decide. */
static void count_stage(struct abut_stats *stats, unsigned stage)
{
    stats->undecided += stage == 0;
    stats->exact += stage == 1;
}

/* An item of the tree, or the hull whose AABB it is. */
struct content {
    float item[ABUT_MAX_FIELDS];
    struct cast_hull hull;
    uint64_t possible[CAST_FEATURE_WORDS];
};

/* False for an invalid hull. */
static bool read_hull(struct cast_hull *hull, const struct abut_hulls *hulls, size_t i)
{
    hull->planes = 0;
    for (size_t k = hulls->offsets[i]; k < hulls->offsets[i + 1]; k++) {
        const struct plane plane = {hulls->nx[k], hulls->ny[k], hulls->nz[k], hulls->d[k]};
        if (plane_invalid(plane))
            return false;
        if (!plane_missing(plane))
            memcpy(hull->plane[hull->planes++], &plane, sizeof hull->plane[0]);
    }
    return true;
}

/* Items of a tree are valid. False for an invalid hull, and for one that a moving sphere does not touch in time. */
static bool read_measured(struct content *content, struct measured *measured, const struct cast_search *search,
                          size_t position, bool apart)
{
    const struct leaves *leaves = &search->tree->leaves;
    if (search->hulls) {
        *measured = measured_hull(&content->hull);
        content->hull.possible = content->possible;
        return read_hull(&content->hull, search->hulls, leaves->ids[position]) &&
               (search->ray.r == 0 || abut_cast_prepare_hull(&content->hull, search, leaves->ids[position], apart));
    }
    item_at(leaves, position, content->item);
    *measured = (struct measured){leaves->shape, content->item};
    return true;
}

static int twice_less(const struct cast_search *search, struct measured item, const float sum[3])
{
    int sign = SIGN_UNKNOWN;
    for (unsigned i = 0; sign == SIGN_UNKNOWN; i++) {
        sign = arithmetic(search, i)->twice_less(&search->ray, item, sum);
        if (sign == SIGN_UNKNOWN)
            count_stage(search->stats, i);
    }
    return sign;
}

bool abut_cast_measure(struct cast_search *search, size_t position, bool apart, struct cast_hit *hit)
{
    const float end = search->ray.end;
    struct content content;
    struct measured item;
    enum answer answer = ANSWER_UNKNOWN;
    if (!read_measured(&content, &item, search, position, apart))
        return false;
    hit->position = position;
    for (unsigned i = 0; answer == ANSWER_UNKNOWN; i++) {
        answer = arithmetic(search, i)->first(&search->ray, item, apart, &hit->time);
        if (answer == ANSWER_UNKNOWN)
            count_stage(search->stats, i);
    }
    if (answer == ANSWER_MISS || hit->time.low > (double)end)
        return false;
    if (hit->time.high <= (double)end)
        return true;
    return twice_less(search, item, (const float[3]){end, end, 0}) <= 0;
}

static int compare(const struct cast_search *search, size_t a, size_t b)
{
    struct content content_a, content_b;
    struct measured item_a, item_b;
    int sign = SIGN_UNKNOWN;
    read_measured(&content_a, &item_a, search, a, true);
    read_measured(&content_b, &item_b, search, b, true);
    if (!search->hulls && memcmp(item_a.at, item_b.at, search->tree->leaves.fields * sizeof *item_a.at) == 0)
        return 0;
    search->stats->undecided++;
    for (unsigned i = 1; sign == SIGN_UNKNOWN; i++) {
        sign = arithmetic(search, i)->compare(&search->ray, item_a, item_b);
        if (sign == SIGN_UNKNOWN)
            count_stage(search->stats, i);
    }
    return sign;
}

static bool same_part(const struct cast_part *a, const struct cast_part *b)
{
    return a->kind != CAST_OTHER && a->kind == b->kind && memcmp(a->at, b->at, sizeof a->at) == 0;
}

int abut_cast_compare(const struct cast_search *search, const struct cast_hit *a, const struct cast_hit *b)
{
    search->stats->pairs++;
    if (a->time.low > b->time.high || b->time.low > a->time.high)
        return a->time.low > b->time.high ? 1 : -1;
    if (a->time.high == 0 || b->time.high == 0) /* hit at the start */
        return (b->time.high == 0) - (a->time.high == 0);
    return same_part(&a->time.part, &b->time.part) ? 0 : compare(search, a->position, b->position);
}

/* Floats >= 0 are ordered as their bits. The least one is sought whose distance from the next is not half gone by. */
float abut_cast_round(const struct cast_search *search, const struct cast_hit *hit)
{
    struct content content;
    struct measured item;
    uint32_t least = float32_bits((float)hit->time.low), most = float32_bits((float)hit->time.high);
    read_measured(&content, &item, search, hit->position, true);
    while (least < most) {
        const uint32_t middle = least + (most - least) / 2;
        const float x = float32_of_bits(middle), step = x == FLT_MAX ? 0x1p104f : float32_of_bits(middle + 1) - x;
        const int sign = twice_less(search, item, (const float[3]){x, x, step});
        if (sign > 0 || (sign == 0 && middle % 2 == 1))
            least = middle + 1;
        else
            most = middle;
    }
    return float32_of_bits(least);
}

/* ---- Sorting */

static uint32_t number_of(const struct cast_search *search, size_t i)
{
    return search->tree->leaves.ids[search->all[i].position];
}

static void sift_down(const struct cast_search *search, size_t i, size_t n)
{
    struct cast_hit *hits = search->all;
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && number_of(search, child + 1) > number_of(search, child))
            child++;
        if (number_of(search, child) < number_of(search, i))
            return;
        const struct cast_hit was = hits[i];
        hits[i] = hits[child];
        hits[child] = was;
    }
}

/* A heap whose top is the greatest number. */
static void sort_by_number(const struct cast_search *search)
{
    struct cast_hit *hits = search->all;
    for (size_t i = search->n / 2; i-- > 0;)
        sift_down(search, i, search->n);
    for (size_t n = search->n; n > 1;) {
        const struct cast_hit last = hits[0];
        hits[0] = hits[--n];
        hits[n] = last;
        sift_down(search, 0, n);
    }
}

/* Merges two lists of times. Hits of the second have greater numbers. */
static uint32_t merge(const struct cast_search *search, uint32_t a, uint32_t b)
{
    struct cast_hit *hits = search->all;
    uint32_t first = CAST_NONE, *to = &first;
    while (a != CAST_NONE && b != CAST_NONE) {
        const int order = abut_cast_compare(search, &hits[a], &hits[b]);
        if (order == 0) {
            hits[hits[a].last].equal = b;
            hits[a].last = hits[b].last;
            b = hits[b].later;
        }
        uint32_t *from = order <= 0 ? &a : &b;
        *to = *from;
        to = &hits[*from].later;
        *from = *to;
    }
    *to = a != CAST_NONE ? a : b;
    return first;
}

/* A merge sort of hits in the order of their numbers: list i has 2^i of them, or none. */
uint32_t abut_cast_sort(struct cast_search *search)
{
    enum { LISTS = 32 };
    uint32_t list[LISTS], all = CAST_NONE;
    for (unsigned k = 0; k < LISTS; k++)
        list[k] = CAST_NONE;
    sort_by_number(search);
    for (uint32_t i = 0; i < search->n; i++) {
        uint32_t some = i;
        unsigned k = 0;
        search->all[i].later = search->all[i].equal = CAST_NONE;
        search->all[i].last = i;
        for (; list[k] != CAST_NONE; k++) {
            some = merge(search, list[k], some);
            list[k] = CAST_NONE;
        }
        list[k] = some;
    }
    for (unsigned k = 0; k < LISTS; k++)
        if (list[k] != CAST_NONE)
            all = merge(search, list[k], all);
    return all;
}
