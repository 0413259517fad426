/* SPDX-License-Identifier: MIT */
/* When a ray hits an item, and which of two hits is first: by bounds in float64, else in exact arithmetic. */
#include "bvh/cast/cast.h"

#include "bvh/search/nearest.h"
#include "util/float32.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* From the fastest to the one that always decides; the first two are float64. */
static const struct cast_formulas *const arithmetics[] = {&abut_cast_tracked, &abut_cast_filter64, &abut_cast_compact,
                                                          &abut_cast_full};

/* Counts a question that a stage did not decide. */
static void count_stage(struct abut_stats *stats, unsigned stage)
{
    stats->undecided += stage == 0;
    stats->exact += stage == 1;
}

static int twice_less(const struct cast_search *search, const float *item, const float sum[3])
{
    int sign = SIGN_UNKNOWN;
    for (unsigned i = 0; sign == SIGN_UNKNOWN; i++) {
        sign = arithmetics[i]->twice_less(&search->ray, (struct measured){search->tree->leaves.shape, item}, sum);
        if (sign == SIGN_UNKNOWN)
            count_stage(search->stats, i);
    }
    return sign;
}

bool abut_cast_measure(struct cast_search *search, size_t position, bool apart, struct cast_hit *hit)
{
    const struct leaves *leaves = &search->tree->leaves;
    const float end = search->ray.end;
    float item[ABUT_MAX_FIELDS];
    enum answer answer = ANSWER_UNKNOWN;
    item_at(leaves, position, item);
    hit->position = position;
    for (unsigned i = 0; answer == ANSWER_UNKNOWN; i++) {
        answer = arithmetics[i]->first(&search->ray, (struct measured){leaves->shape, item}, apart, &hit->time);
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
    float item_a[ABUT_MAX_FIELDS], item_b[ABUT_MAX_FIELDS];
    const struct leaves *leaves = &search->tree->leaves;
    int sign = SIGN_UNKNOWN;
    item_at(leaves, a, item_a);
    item_at(leaves, b, item_b);
    if (memcmp(item_a, item_b, leaves->fields * sizeof *item_a) == 0)
        return 0;
    search->stats->undecided++;
    for (unsigned i = 1; sign == SIGN_UNKNOWN; i++) {
        sign = arithmetics[i]->compare(&search->ray, (struct measured){leaves->shape, item_a},
                                       (struct measured){leaves->shape, item_b});
        if (sign == SIGN_UNKNOWN)
            count_stage(search->stats, i);
    }
    return sign;
}

static bool same_part(const struct cast_part *a, const struct cast_part *b)
{
    return a->kind != CAST_OTHER && a->kind == b->kind && memcmp(a->at, b->at, sizeof a->at) == 0;
}

bool abut_cast_after(const struct cast_search *search, const struct cast_hit *a, const struct cast_hit *b)
{
    const uint32_t *ids = search->tree->leaves.ids;
    search->stats->pairs++;
    if (a->time.low > b->time.high || b->time.low > a->time.high)
        return a->time.low > b->time.high;
    const bool at_start = a->time.high == 0 && b->time.high == 0;
    const int order =
        at_start || same_part(&a->time.part, &b->time.part) ? 0 : compare(search, a->position, b->position);
    return order != 0 ? order > 0 : ids[a->position] > ids[b->position];
}

/* Floats >= 0 are ordered as their bits. The least one is sought whose distance from the next is not half gone by. */
float abut_cast_round(const struct cast_search *search, const struct cast_hit *hit)
{
    float item[ABUT_MAX_FIELDS];
    uint32_t least = float32_bits((float)hit->time.low), most = float32_bits((float)hit->time.high);
    item_at(&search->tree->leaves, hit->position, item);
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

/* ---- Sorting: a heap whose top is the last hit */

static void sift_down(const struct cast_search *search, size_t i, size_t n)
{
    struct cast_hit *hits = search->all;
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && abut_cast_after(search, &hits[child + 1], &hits[child]))
            child++;
        if (!abut_cast_after(search, &hits[child], &hits[i]))
            return;
        const struct cast_hit was = hits[i];
        hits[i] = hits[child];
        hits[child] = was;
    }
}

void abut_cast_sort(struct cast_search *search)
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
