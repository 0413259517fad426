/* SPDX-License-Identifier: MIT */
/*
 * Every hull predicate of every variant, native and emulated, against the judge: one hull and many items of all kinds,
 * ends of buffers guarded; then the public functions, item by item and many against many.
 */
#include "guard.h"
#include "hull_inputs.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum shape shape;
} predicates[] = {
#define HULL_PREDICATE(name, shape, question, function) {#name, shape_##shape},
#include "kernels.def"
};

#define F(member) batch.member = columns->at[field++];
#define SHAPE(name, plural, fields)                                                                                    \
    typedef struct abut_##plural name##_batch;                                                                         \
    static inline name##_batch name##_view(const struct columns *columns)                                              \
    {                                                                                                                  \
        unsigned field = 0;                                                                                            \
        name##_batch batch;                                                                                            \
        batch.n = columns->n;                                                                                          \
        fields return batch;                                                                                           \
    }
#include "shapes.def"

typedef enum abut_status public_hull_function(const struct columns *items, const struct abut_hulls *hulls,
                                              enum abut_touch touch, struct abut_stats *stats, uint64_t *hits);

#define CALL(call, shape, function)                                                                                    \
    static enum abut_status call(const struct columns *items, const struct abut_hulls *hulls, enum abut_touch touch,   \
                                 struct abut_stats *stats, uint64_t *hits)                                             \
    {                                                                                                                  \
        const shape##_batch batch = shape##_view(items);                                                               \
        return function(&batch, hulls, touch, stats, hits);                                                            \
    }
#define HULL_PREDICATE(name, shape, question, function)                                                                \
    CALL(call_##name, shape, function)                                                                                 \
    CALL(call_all_##name, shape, function##_all)
#include "kernels.def"

static const struct {
    public_hull_function *pairs, *all;
} calls[] = {
#define HULL_PREDICATE(name, shape, question, function) {call_##name, call_all_##name},
#include "kernels.def"
};

enum { MAX_ITEMS = 200, MAX_HULLS = 12, PATTERN = 0x5a };

static float items[MAX_ITEMS][ABUT_MAX_FIELDS];
static int answers[MAX_ITEMS];

static bool wanted(int answer, bool closed)
{
    return closed ? answer >= ANSWER_TOUCH : answer == ANSWER_HIT;
}

static void compare(enum hull_predicate predicate, const char *variant, const struct planes *planes, bool closed,
                    size_t n, const uint64_t *hits)
{
    size_t words = abut_mask_words(n);
    for (size_t i = 0; i < 64 * words; i++) {
        bool want = i < n && wanted(answers[i], closed);
        bool good = (hits[i / 64] >> i % 64 & 1) == want;
        if (!good) {
            check_that(false, "%s, %s, %s, %zu of %zu: %s", predicates[predicate].name, variant,
                       closed ? "closed" : "open", i, n, want ? "missed" : "hit");
            print_hull_pair(predicates[predicate].shape, planes, items[i < n ? i : 0]);
        }
    }
    checks_passed(n);
}

static void check_variant(enum hull_predicate predicate, const struct tested *tested, const struct planes *planes,
                          size_t n, bool closed, bool at_end)
{
    unsigned fields = shape_info(predicates[predicate].shape)->fields;
    struct guarded memory[ABUT_MAX_FIELDS], output = guarded_new((abut_mask_words(n) + 1) * sizeof(uint64_t), at_end);
    const float *at[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < fields; k++) {
        memory[k] = guarded_new(n * sizeof(float), at_end);
        at[k] = memory[k].at;
        for (size_t i = 0; i < n; i++)
            memcpy((float *)memory[k].at + i, &items[i][k], sizeof(float));
    }
    struct hull hull;
    prepare_planes(&hull, planes);
    struct abut_stats stats = {0};
    memset(output.at, PATTERN, (abut_mask_words(n) + 1) * sizeof(uint64_t));
    const struct hull_job job = {&hull, at, n, closed, &stats};
    tested->variant->hulls[predicate](&job, output.at);
    compare(predicate, tested->name, planes, closed, n, output.at);
    uint64_t beyond;
    memset(&beyond, PATTERN, sizeof beyond);
    check_that(((uint64_t *)output.at)[abut_mask_words(n)] == beyond, "%s: wrote beyond its words", tested->name);
    check_that(stats.pairs == n && stats.undecided <= n && stats.judged <= stats.undecided, "%s: statistics",
               tested->name);
    for (unsigned k = 0; k < fields; k++)
        guarded_free(&memory[k]);
    guarded_free(&output);
}

static void check_scene(enum hull_predicate predicate, enum hull_kind kind, struct random *random,
                        const struct tested *tested, unsigned variants)
{
    struct planes planes;
    struct hull_theme theme;
    make_hull(kind, random, &planes, &theme);
    size_t n = 1 + random_below(random, kind == hull_kind_many ? 8 : MAX_ITEMS);
    struct hull hull;
    prepare_planes(&hull, &planes);
    for (size_t i = 0; i < n; i++) {
        make_hull_item(predicate, predicates[predicate].shape, &theme, &planes, random, items[i]);
        answers[i] = (int)abut_hull_judge(predicate, &hull, items[i]);
    }
    if (hull.bad)
        return;
    for (unsigned v = 0; v < variants; v++)
        check_variant(predicate, &tested[v], &planes, n, random_below(random, 2) == 0, v % 2);
}

/* Hulls and as many items, through the public functions: pair by pair, one item with all, all with all. */
static void check_public(enum hull_predicate predicate, struct random *random)
{
    enum shape shape = predicates[predicate].shape;
    unsigned fields = shape_info(shape)->fields, n = 1 + random_below(random, MAX_HULLS);
    static float planes_at[4][MAX_HULLS * MAX_PLANES], item_at[ABUT_MAX_FIELDS][MAX_HULLS];
    static struct planes planes[MAX_HULLS];
    uint32_t offsets[MAX_HULLS + 1] = {0};
    struct columns columns = {.n = n};
    for (unsigned i = 0; i < n; i++) {
        struct hull_theme theme;
        float item[ABUT_MAX_FIELDS];
        make_hull((enum hull_kind)random_below(random, hull_kind_many), random, &planes[i], &theme);
        make_hull_item(predicate, shape, &theme, &planes[i], random, item);
        for (unsigned k = 0; k < fields; k++)
            item_at[k][i] = item[k];
        for (unsigned p = 0; p < planes[i].count; p++)
            for (int k = 0; k < 4; k++)
                planes_at[k][offsets[i] + p] = planes[i].at[p][k];
        offsets[i + 1] = offsets[i] + planes[i].count;
    }
    for (unsigned k = 0; k < fields; k++)
        columns.at[k] = item_at[k];
    const struct abut_hulls hulls = {n, offsets, planes_at[0], planes_at[1], planes_at[2], planes_at[3]};
    bool closed = random_below(random, 2) == 0;
    enum abut_touch touch = closed ? ABUT_CLOSED : ABUT_OPEN;
    uint64_t pairs, one, all[MAX_HULLS];
    struct columns first = columns;
    first.n = 1;
    CHECK(calls[predicate].pairs(&columns, &hulls, touch, NULL, &pairs) == ABUT_OK);
    CHECK(calls[predicate].pairs(&first, &hulls, touch, NULL, &one) == ABUT_OK);
    CHECK(calls[predicate].all(&columns, &hulls, touch, NULL, all) == ABUT_OK);
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            struct hull hull;
            prepare_planes(&hull, &planes[i]);
            float item[ABUT_MAX_FIELDS];
            for (unsigned k = 0; k < fields; k++)
                item[k] = item_at[k][j];
            bool want = wanted((int)abut_hull_judge(predicate, &hull, item), closed);
            bool good = hit_at(&all[i], j) == want && (j > 0 || hit_at(&one, i) == want) &&
                        (i != j || hit_at(&pairs, i) == want);
            if (!check_that(good, "%s of %u hulls, hull %u, item %u", predicates[predicate].name, n, i, j))
                print_hull_pair(shape, &planes[i], item);
        }
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 4});
    struct tested tested[MAX_TESTED];
    unsigned variants = tested_variants(tested);
    struct random random = {options.seed};
    print_variants();
    check_expected(&options);
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0; p < hull_predicate_count; p++) {
            for (unsigned kind = 0; kind < hull_kind_count; kind++)
                check_scene((enum hull_predicate)p, (enum hull_kind)kind, &random, tested, variants);
            check_public((enum hull_predicate)p, &random);
        }
    return finish("hulls");
}
