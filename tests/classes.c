/* SPDX-License-Identifier: MIT */
/* Tests classes, for every pair of shapes that has them: the class follows from two exact results. */
#include "api/sets.h"
#include "batches.h"
#include "index_scenes.h"
#include "options.h"
#include "report.h"

#include <math.h>
#include <string.h>

/* The predicate of these shapes in that order with that relation. */
static const struct subject *subject_with(enum shape a, enum shape b, const char *question)
{
    for (unsigned p = 0; p < predicate_count; p++)
        if (subjects[p].shape_a == a && subjects[p].shape_b == b && strcmp(subjects[p].question, question) == 0)
            return &subjects[p];
    return NULL;
}

/* What decides a class: whether a touches b, and whether it is inside. */
struct pair {
    const struct subject *touches, *inside;
};

static struct pair pair_of(enum shape a, enum shape b)
{
    return (struct pair){subject_with(a, b, "touches"), subject_with(a, b, "inside")};
}

/* An invalid plane, or one that alone leaves no point. */
static bool hopeless(const float *plane)
{
    const bool zero = plane[0] == 0 && plane[1] == 0 && plane[2] == 0;
    return !item_valid(shape_plane, plane) || plane[3] == INFINITY || (zero && plane[3] > 0);
}

static bool has_class(enum shape shape, const float *item)
{
    bool hope = shape == shape_plane ? !hopeless(item) : shape == shape_hull || item_valid(shape, item);
    for (unsigned i = 0; shape == shape_hull && i < planes_of(item); i++)
        hope &= !hopeless(plane_of(item, i));
    return hope;
}

static uint8_t class_wanted(const struct pair *pair, const float *a, const float *b)
{
    if (!has_class(pair->touches->shape_a, a) || !has_class(pair->touches->shape_b, b))
        return ABUT_CLASS_NONE;
    if (exact_answer(pair->touches, a, b) == ANSWER_MISS)
        return ABUT_CLASS_OUTSIDE;
    return exact_answer(pair->inside, a, b) == ANSWER_HIT ? ABUT_CLASS_INSIDE : ABUT_CLASS_CROSSING;
}

static void check_batches(const struct pair *pair, enum kind kind, const struct batch *a, const struct batch *b)
{
    enum { MOST = 4200 };
    static uint8_t classes[MOST + 1];
    union any_batch any_a, any_b;
    const size_t n = a->n == 1 ? b->n : a->n;
    struct abut_stats stats = {0};
    const struct abut_set set_a = set_of(a, &any_a), set_b = set_of(b, &any_b);
    classes[n] = 77;
    CHECK(abut_classify(set_a, set_b, OPTIONS(ABUT_CLOSED, &stats), classes) == ABUT_OK && classes[n] == 77);
    CHECK(stats.pairs == 2 * n);
    for (size_t i = 0; i < n; i++) {
        float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
        batch_get(a, a->n == 1 ? 0 : i, item_a);
        batch_get(b, b->n == 1 ? 0 : i, item_b);
        const uint8_t wanted = class_wanted(pair, item_a, item_b);
        if (!check_that(classes[i] == wanted, "%s, %s input: class %zu of %zu is %d, not %d", pair->touches->name,
                        kind_names[kind], i, n, classes[i], wanted))
            print_pair(pair->touches, item_a, item_b);
    }
}

/* Pair by pair, one item with all, and one shape with few items or more than a block. At times all are valid. */
static void check_classes(const struct pair *pair, struct random *random)
{
    const struct subject *subject = random_below(random, 2) == 0 ? pair->touches : pair->inside;
    const enum kind kind = any_kind(subject, random);
    const size_t many = random_below(random, 20) == 0 ? 4200 : 1 + random_below(random, 12),
                 counts[][2] = {{12, 12}, {1, 12}, {many, 1}};
    for (unsigned i = 0; i < 3; i++) {
        struct batch a, b;
        if (i == 0)
            batches_of_pairs(subject, kind, random, counts[i][0], &a, &b);
        else
            batches_of_items(subject, kind, random, counts[i][0], counts[i][1], &a, &b);
        check_batches(pair, kind, &a, &b);
        batch_free(&a);
        batch_free(&b);
    }
}

static void check_errors(const struct pair *pair, struct random *random)
{
    struct batch a, b;
    union any_batch any_a, any_b;
    uint8_t classes[3] = {77, 77, 77};
    batches_of_pairs(pair->touches, any_kind(pair->touches, random), random, 3, &a, &b);
    struct columns columns_a = batch_columns(&a), columns_b = batch_columns(&b);
    const struct abut_set set_a = set_of_columns(&columns_a, &any_a), set_b = set_of_columns(&columns_b, &any_b),
                          null_a = {set_a.kind, NULL}, null_b = {set_b.kind, NULL};
    CHECK(abut_classify(null_a, set_b, NULL, classes) == ABUT_ERROR_NULL);
    CHECK(abut_classify(set_a, null_b, NULL, classes) == ABUT_ERROR_NULL);
    CHECK(abut_classify(set_a, set_b, NULL, NULL) == ABUT_ERROR_NULL);
    for (unsigned wrong = 0; wrong < 3; wrong++) {
        union any_batch any_wrong;
        struct columns other = columns_b;
        /* An error in the last hull alone is found before anything is written. */
        const uint32_t offsets[] = {0, 1, 2, 2};
        if (wrong == 0)
            other.n = 2;
        else if (wrong == 1)
            other.at[other.fields - 1] = NULL;
        else if (b.offsets != NULL)
            other.offsets = offsets;
        else
            continue;
        const enum abut_status expected = wrong == 0   ? ABUT_ERROR_LENGTHS
                                          : wrong == 1 ? ABUT_ERROR_NULL
                                                       : ABUT_ERROR_ARGUMENT;
        CHECK(abut_classify(set_a, set_of_columns(&other, &any_wrong), NULL, classes) == expected);
    }
    CHECK(classes[0] == 77);
    columns_b.n = 0;
    columns_a.n = 1;
    CHECK(abut_classify(set_of_columns(&columns_a, &any_a), set_of_columns(&columns_b, &any_b), NULL, NULL) == ABUT_OK);
    columns_a.at[0] = NULL;
    CHECK(abut_classify(set_of_columns(&columns_a, &any_a), set_of_columns(&columns_b, &any_b), NULL, NULL) ==
          ABUT_ERROR_NULL);
    batch_free(&a);
    batch_free(&b);
}

/* A box off the edge of a wedge: beyond no plane of it, and outside. */
static void check_off_edge(void)
{
    static const float low[3] = {1, -1, 0}, high[3] = {1.5f, 1, 1}, nx[2] = {1, 1}, ny[2] = {2, -2}, none[2] = {0, 0};
    static const uint32_t offsets[2] = {0, 2};
    const struct abut_aabbs box = {1, &low[0], &low[1], &low[2], &high[0], &high[1], &high[2]};
    const struct abut_hulls wedge = {1, offsets, nx, ny, none, none};
    uint64_t kept;
    uint8_t class;
    CHECK(abut_aabbs_cull_hulls(&box, &wedge, NULL, &kept) == ABUT_OK && kept == 1);
    CHECK(abut_aabbs_classify_hulls(&box, &wedge, NULL, &class) == ABUT_OK && class == ABUT_CLASS_OUTSIDE);
}

/* Points are on one side or the other. */
static void check_missing(enum shape a, enum shape b)
{
    union any_batch any_a, any_b;
    struct batch none_a = batch_new(a, 0), none_b = batch_new(b, 0);
    check_that(abut_classify(set_of(&none_a, &any_a), set_of(&none_b, &any_b), NULL, NULL) == ABUT_ERROR_PREDICATE,
               "classes of %s and %s", shape_info(a)->name, shape_info(b)->name);
    batch_free(&none_a);
    batch_free(&none_b);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 12, .rounds = 150});
    struct random random = {options.seed};
    unsigned pairs = 0;
    for (enum shape a = 0; a < shape_count; a++)
        for (enum shape b = 0; b < shape_count; b++) {
            const struct pair pair = pair_of(a, b);
            if (pair.touches == NULL || pair.inside == NULL) {
                check_missing(a, b);
                continue;
            }
            for (unsigned round = 0; round < options.rounds; round++)
                check_classes(&pair, &random);
            check_errors(&pair, &random);
            pairs++;
        }
    CHECK(pairs == 25);
    check_off_edge();
    return finish("classes");
}
