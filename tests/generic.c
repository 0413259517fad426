/* SPDX-License-Identifier: MIT */
/*
 * Predicates asked for by relation and sets: the exported table, the order of the sets, exact arithmetic, and missing
 * pairs.
 */
#include "api/sets.h"
#include "batches.h"
#include "index_scenes.h"
#include "options.h"
#include "report.h"

#include <abut/index.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 70, WORDS = 2 };

static const struct abut_predicate *predicate_named(const char *name)
{
    size_t count;
    const struct abut_predicate *predicates = abut_predicates(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(predicates[i].name, name) == 0)
            return &predicates[i];
    return NULL;
}

static bool equal(const uint64_t *a, const uint64_t *b, size_t n)
{
    return memcmp(a, b, abut_mask_words(n) * sizeof *a) == 0;
}

/* The generic calls give the hits of the typed ones, in either order of the sets where the relation is symmetric. */
static void check_calls(const struct subject *subject, const struct abut_predicate *predicate, const struct batch *a,
                        const struct batch *b, enum abut_touch touch)
{
    union any_batch any_a, any_b;
    const struct abut_set set_a = set_of(a, &any_a), set_b = set_of(b, &any_b);
    const enum abut_relation relation = predicate->relation;
    uint64_t *right = ask(subject, a, b, touch, NULL), *right_all = ask_all(subject, a, b, touch, NULL);
    uint64_t hits[WORDS], rows[ITEMS * WORDS];
    CHECK(abut_test(relation, set_a, set_b, OPTIONS(touch, NULL), hits) == ABUT_OK && equal(hits, right, ITEMS));
    CHECK(abut_test_exactly(relation, set_a, set_b, OPTIONS(touch, NULL), hits) == ABUT_OK &&
          equal(hits, right, ITEMS));
    CHECK(abut_test_all(relation, set_a, set_b, OPTIONS(touch, NULL), rows) == ABUT_OK &&
          memcmp(rows, right_all, sizeof rows) == 0);
    if (relation == ABUT_TOUCHES || predicate->a == ABUT_SET_POINTS) {
        CHECK(abut_test(ABUT_TOUCHES, set_b, set_a, OPTIONS(touch, NULL), hits) == ABUT_OK &&
              equal(hits, right, ITEMS));
        CHECK(abut_test_all(ABUT_TOUCHES, set_b, set_a, OPTIONS(touch, NULL), rows) == ABUT_OK);
        /* Hulls and other shapes have the same rows in either order. */
        const bool same = of_hulls(subject) && subject->shape_a != shape_hull;
        bool turned = true;
        for (size_t i = 0; i < ITEMS; i++)
            for (size_t j = 0; j < ITEMS; j++)
                turned &= hit_at(same ? rows + i * WORDS : rows + j * WORDS, same ? j : i) ==
                          hit_at(right_all + i * WORDS, j);
        check_that(turned, "%s, all pairs, sets swapped", subject->name);
    }
    free(right);
    free(right_all);
}

/* Whether an index of items can be searched for queries. */
static bool searchable(struct abut_set items, struct abut_set queries, enum abut_relation relation)
{
    struct abut_index *index;
    uint64_t count;
    const struct abut_options skip = {.skip_invalid = true}, options = {.relation = relation};
    const bool found = abut_index_new(items, &skip, NULL, &index) == ABUT_OK &&
                       abut_join(index, queries, &options, NULL, 0, &count) == ABUT_OK;
    abut_index_free(index);
    return found;
}

static bool searchable_for_itself(struct abut_set items)
{
    struct abut_index *index;
    uint64_t count;
    const struct abut_options options = {.skip_invalid = true};
    const bool found = abut_index_new(items, &options, NULL, &index) == ABUT_OK &&
                       abut_self_join(index, NULL, NULL, 0, &count) == ABUT_OK;
    abut_index_free(index);
    return found;
}

/*
 * The table says of searches what the index does: other shapes than hulls only for what touches, or is a point inside.
 */
static void check_searches(const struct subject *subject, const struct abut_predicate *predicate, const struct batch *a,
                           const struct batch *b)
{
    if (!of_hulls(subject) && (predicate->relation == ABUT_CULL || strcmp(subject->question, "inside") == 0)) {
        check_that(!predicate->search && !predicate->search_swapped, "%s: search", subject->name);
        return;
    }
    union any_batch any_a, any_b;
    const struct abut_set set_a = set_of(a, &any_a), set_b = set_of(b, &any_b);
    for (int asked = 0; asked < 2; asked++) {
        const enum abut_relation relation = of_hulls(subject) || asked == 0 ? predicate->relation : ABUT_TOUCHES;
        check_that(predicate->search == searchable(set_b, set_a, relation), "%s: search", subject->name);
        check_that(predicate->search_swapped == searchable(set_a, set_b, relation), "%s: search, swapped",
                   subject->name);
    }
    if (predicate->a == predicate->b)
        check_that(predicate->self == searchable_for_itself(set_a), "%s: self", subject->name);
}

/* Every relation and pair of kinds that the table lacks is an error that writes nothing. */
static void check_missing(void)
{
    static const float zero[1];
    static const uint32_t offsets[2] = {0, 1};
    struct columns one = {.n = 1};
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        one.at[k] = zero;
    union any_batch any[ABUT_SET_INDEX];
    struct abut_set sets[ABUT_SET_INDEX];
    for (unsigned kind = 0; kind < ABUT_SET_INDEX; kind++) {
        one.shape = (enum shape)kind;
        one.offsets = kind == ABUT_SET_HULLS ? offsets : NULL;
        sets[kind] = set_of_columns(&one, &any[kind]);
    }
    size_t count, exist = 0;
    const struct abut_predicate *predicates = abut_predicates(&count);
    for (enum abut_relation relation = ABUT_TOUCHES; relation <= ABUT_CULL; relation++)
        for (unsigned a = 0; a < ABUT_SET_INDEX; a++)
            for (unsigned b = 0; b < ABUT_SET_INDEX; b++) {
                bool exists = false, straight = false;
                for (size_t i = 0; i < count; i++) {
                    const struct abut_predicate *p = &predicates[i];
                    const bool answers =
                        p->relation == relation || (p->a == ABUT_SET_POINTS && relation == ABUT_TOUCHES);
                    straight |= p->relation == relation && p->a == a && p->b == b;
                    exists |=
                        answers && ((p->a == a && p->b == b) || (relation == ABUT_TOUCHES && p->a == b && p->b == a));
                }
                exist += straight;
                uint64_t hits = 77;
                const enum abut_status status = abut_test(relation, sets[a], sets[b], NULL, &hits);
                check_that(exists ? status == ABUT_OK && hits <= 1 : status == ABUT_ERROR_PREDICATE && hits == 77,
                           "relation %d of kinds %u and %u: %s", (int)relation, a, b, abut_status_text(status));
                hits = 77;
                check_that(abut_test_all(relation, sets[a], sets[b], NULL, &hits) == status &&
                               (exists ? hits <= 1 : hits == 77),
                           "relation %d of all of kinds %u and %u", (int)relation, a, b);
            }
    CHECK(exist == count);
    uint64_t hits;
    const struct abut_set none = {ABUT_SET_SPHERES, NULL}, unknown = {(enum abut_set_kind)99, zero};
    CHECK(abut_test(ABUT_TOUCHES, none, sets[0], NULL, &hits) == ABUT_ERROR_NULL);
    CHECK(abut_test(ABUT_TOUCHES, unknown, sets[0], NULL, &hits) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_test((enum abut_relation)3, sets[0], sets[1], NULL, &hits) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_predicates(NULL) == predicates);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 5, .rounds = 1});
    struct random random = {options.seed};
    for (unsigned p = 0; p < predicate_count; p += options.step) {
        const struct abut_predicate *predicate = predicate_named(subjects[p].name);
        if (!check_that(predicate != NULL, "%s is not in the exported table", subjects[p].name))
            continue;
        for (enum kind kind = 0; kind < kind_count; kind++) {
            struct batch a, b;
            if (!has_kind(&subjects[p], kind))
                continue;
            batches_of_items(&subjects[p], kind, &random, ITEMS, ITEMS, &a, &b);
            check_calls(&subjects[p], predicate, &a, &b, kind % 2 ? ABUT_CLOSED : ABUT_OPEN);
            if (kind == 0 || kind == kind_box)
                check_searches(&subjects[p], predicate, &a, &b);
            batch_free(&a);
            batch_free(&b);
        }
    }
    check_missing();
    return finish("generic");
}
