/* SPDX-License-Identifier: MIT */
/* The self-test of hulls: one hull and many items, or several and the same items. */
#include "hull/hull.h"
#include "relation.h"
#include "selftest.h"
#include "selftest_items.h"

#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ITEMS = 300, WORDS = MOST_ITEMS / 64 + 2, MOST_DRAWN = 6, MOST_ROWS = 2 };

static const struct {
    const char *name;
    enum shape shape;
} predicates[] = {
#define HULL_PREDICATE(name, shape, relation, function) {#name, shape_##shape},
#include "tables/predicates.def"
};

struct hull_batch {
    enum hull_predicate predicate;
    struct hull hull; /* as prepared: kernels, and the judge, find out more about a copy */
    size_t n;
    float items[MOST_ITEMS][ABUT_MAX_FIELDS], columns[ABUT_MAX_FIELDS][MOST_ITEMS];
    enum answer answers[MOST_ITEMS];
};

/*
 * Planes that face away from the middle more often than not, so that points are left, and some from each other; three
 * pairs of these mostly bound a hull. What is found out of one depends on how many items are expected.
 */
static void draw_hull(struct random *random, enum mood mood, enum hull_predicate predicate, struct hull *hull)
{
    float columns[4][MOST_DRAWN];
    static const size_t expected[] = {1, SLABS_PAY, SIZE_MAX};
    const bool pairs = random_below(random, 2) == 0;
    const uint32_t offsets[2] = {0, pairs ? MOST_DRAWN : 1 + random_below(random, MOST_DRAWN)};
    for (unsigned i = 0; i < offsets[1]; i++) {
        float plane[4];
        item_draw(random, shape_plane, mood, plane);
        const bool opposite = pairs ? i % 2 != 0 : i > 0 && random_below(random, 4) == 0;
        for (unsigned k = 0; k < 4; k++)
            columns[k][i] = k == 3 && random_below(random, 4) > 0 ? -fabsf(plane[k])
                            : k < 3 && opposite                   ? -columns[k][pairs ? i - 1 : 0]
                                                                  : plane[k];
    }
    const struct abut_hulls hulls = {1, offsets, columns[0], columns[1], columns[2], columns[3]};
    abut_hull_prepare_for(hull, &hulls, predicate, 16, expected[random_below(random, 3)]);
}

struct exact_item {
    enum hull_predicate predicate;
    struct hull *hull;
    const float *item;
};

static bool closed_hit(const void *context)
{
    const struct exact_item *exact = context;
    return abut_hull_exact(exact->predicate, exact->hull, exact->item) >= ANSWER_TOUCH;
}

static void fill(struct random *random, struct hull_batch *batch, enum mood mood)
{
    const enum shape shape = predicates[batch->predicate].shape;
    draw_hull(random, mood, batch->predicate, &batch->hull);
    struct hull hull = batch->hull;
    batch->n = 1 + random_below(random, MOST_ITEMS);
    for (size_t i = 0; i < batch->n; i++) {
        float *item = batch->items[i], *radius = item_radius(shape, item);
        const struct exact_item exact = {batch->predicate, &hull, item};
        item_draw(random, shape, mood, item);
        if (mood == TANGENT && radius)
            make_tangent(random, radius, closed_hit, &exact);
        for (unsigned k = 0; k < kinds[shape].field_count; k++)
            batch->columns[k][i] = item[k];
        batch->answers[i] = abut_hull_exact(batch->predicate, &hull, item);
    }
}

static void tell(const struct hull_batch *batch, const struct isa *isa, bool closed, size_t i, bool hit)
{
    static const struct kind *const plane = &kinds[shape_plane];
    complain("selftest: %s %s %s: item %zu of %zu is a %s, the judge says %s", isa->name,
             predicates[batch->predicate].name, closed ? "closed" : "open", i, batch->n, hit ? "hit" : "miss",
             hit ? "miss" : "hit");
    item_tell("item", &kinds[predicates[batch->predicate].shape], batch->items[i]);
    for (unsigned k = 0; k < batch->hull.planes; k++)
        item_tell("plane", plane, batch->hull.given[k]);
}

static void check_row(struct selftest *selftest, const struct hull_batch *batch, const struct isa *isa, bool closed,
                      const uint64_t *hits)
{
    selftest->answers += batch->n;
    for (size_t i = 0; i < batch->n; i++) {
        bool hit = hits[i / 64] >> i % 64 & 1, expected = batch->answers[i] >= (closed ? ANSWER_TOUCH : ANSWER_HIT);
        if (hit != expected && selftest->wrong++ < MOST_REPORTED)
            tell(batch, isa, closed, i, hit);
    }
    size_t words = abut_mask_words(batch->n);
    bool tail = batch->n % 64 && hits[words - 1] >> batch->n % 64;
    if ((tail || hits[words] != SELFTEST_UNTOUCHED) && selftest->wrong++ < MOST_REPORTED)
        complain("selftest: %s %s: writes beyond item %zu", isa->name, predicates[batch->predicate].name, batch->n);
}

/* Several hulls are asked in another way than one; those here are all the same. */
static void check(struct selftest *selftest, const struct hull_batch *batch, const struct isa *isa, bool closed,
                  size_t rows)
{
    const float *at[ABUT_MAX_FIELDS];
    uint64_t hits[MOST_ROWS * WORDS];
    struct hull hulls[MOST_ROWS];
    struct abut_stats stats = {0};
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        at[k] = batch->columns[k];
    for (size_t w = 0; w < MOST_ROWS * WORDS; w++)
        hits[w] = SELFTEST_UNTOUCHED;
    for (size_t row = 0; row < rows; row++)
        hulls[row] = batch->hull;
    const struct hull_args args = {hulls, at, batch->n, closed, &stats, rows, WORDS, false};
    isa->hulls[batch->predicate](&args, hits);
    for (size_t row = 0; row < rows; row++)
        check_row(selftest, batch, isa, closed, hits + row * WORDS);
}

const char *selftest_hull_name(enum hull_predicate predicate)
{
    return predicates[predicate].name;
}

void selftest_hulls(struct selftest *selftest, struct random *random, enum hull_predicate predicate)
{
    static struct hull_batch batch;
    batch.predicate = predicate;
    for (size_t mood = 0; mood < mood_count; mood++) {
        fill(random, &batch, (enum mood)mood);
        for (const struct isa *const *v = selftest->isas; *v && !batch.hull.invalid; v++)
            for (size_t rows = 1; rows <= MOST_ROWS; rows++) {
                check(selftest, &batch, *v, true, rows);
                check(selftest, &batch, *v, false, rows);
            }
    }
}
