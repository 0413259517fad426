/* SPDX-License-Identifier: MIT */
/*
 * Takes any bytes as input: the first chooses predicate, entry and touch rule, the others are members; for hulls, the
 * planes come first. Every instruction set must give the answers of the exact stage.
 * With libFuzzer it searches for bytes that reach new code; without, its own main makes random bytes.
 */
#include "exact/resolve.h"
#include "hull_inputs.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 100, ALL_PREDICATES = predicate_count + (int)hull_predicate_count, MOST_PLANES = 7 };

/* Columns filled from the bytes, item by item; when the bytes run out they start over. */
struct input {
    const uint8_t *bytes;
    size_t size, at;
};

static void read_items(struct input *input, unsigned fields, size_t n, float items[][ABUT_MAX_FIELDS],
                       float columns[][MAX_PAIRS])
{
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < fields; k++) {
            uint8_t bytes[sizeof(float)];
            for (unsigned j = 0; j < sizeof(float); j++)
                bytes[j] = input->bytes[input->at++ % input->size];
            memcpy(&items[i][k], bytes, sizeof bytes);
            memcpy(&columns[k][i], bytes, sizeof bytes);
        }
}

static void compare(const struct subject *subject, enum entry entry, bool closed, const struct kernel_args *args,
                    float items_a[][ABUT_MAX_FIELDS], float items_b[][ABUT_MAX_FIELDS])
{
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_isas(tested);
    const bool one_a = entry == ENTRY_ONE_MANY || entry == ENTRY_BLOCK, one_b = entry == ENTRY_MANY_ONE;
    bool right[MAX_PAIRS];
    for (size_t i = 0; i < args->n; i++) {
        int answer = abut_exact(subject->predicate, items_a[one_a ? 0 : i], items_b[one_b ? 0 : i]);
        right[i] = answer >= (closed ? 0 : 1);
        struct abut_stats stats = {0};
        if (abut_resolve(subject->predicate, items_a[one_a ? 0 : i], items_b[one_b ? 0 : i], closed, &stats) !=
            right[i]) {
            printf("FAILED: %s: the float64 filter is wrong\n", subject->name);
            print_pair(subject, items_a[one_a ? 0 : i], items_b[one_b ? 0 : i]);
            abort();
        }
    }
    for (unsigned v = 0; v < n_tested; v++) {
        uint64_t hits[(MAX_PAIRS + 63) / 64];
        entry_of(tested[v].isa, subject->predicate, entry)(args, hits);
        for (size_t i = 0; i < args->n; i++)
            if (hit_at(hits, i) != right[i]) {
                printf("FAILED: %s, %s, %s, %s: pair %zu of %zu is a %s\n", subject->name, tested[v].name,
                       entry_names[entry], closed ? "closed" : "open", i, args->n, right[i] ? "hit" : "miss");
                print_pair(subject, items_a[one_a ? 0 : i], items_b[one_b ? 0 : i]);
                fflush(stdout);
                abort();
            }
    }
}

static const struct {
    const char *name;
    enum shape shape;
} hull_predicates[] = {
#define HULL_PREDICATE(name, shape, relation, function) {#name, shape_##shape},
#include "tables/predicates.def"
};

/* Each instruction set gets a fresh copy of the hull, without any cached results. */
static void compare_hull(enum hull_predicate predicate, const struct planes *planes, const struct hull_args *given,
                         float items[][ABUT_MAX_FIELDS])
{
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_isas(tested);
    struct hull exact = *given->hulls;
    for (unsigned v = 0; v <= n_tested; v++) {
        uint64_t hits[(MAX_PAIRS + 63) / 64] = {0};
        struct hull own = *given->hulls;
        struct hull_args args = *given;
        args.hulls = &own;
        if (v < n_tested)
            tested[v].isa->hulls[predicate](&args, hits);
        for (size_t i = 0; i < args.n; i++) {
            bool right = (int)abut_hull_exact(predicate, &exact, items[i]) >= (args.closed ? 0 : 1);
            bool hit =
                v < n_tested ? hit_at(hits, i) : abut_hull_resolve(predicate, &own, items[i], args.closed, args.stats);
            if (hit != right) {
                printf("FAILED: %s, %s, %s: item %zu of %zu is a %s\n", hull_predicates[predicate].name,
                       v < n_tested ? tested[v].name : "resolved", args.closed ? "closed" : "open", i, args.n,
                       right ? "hit" : "miss");
                print_hull_pair(hull_predicates[predicate].shape, planes, items[i]);
                fflush(stdout);
                abort();
            }
        }
    }
}

/* The second byte gives the number of planes. */
static void decide_hull(enum hull_predicate predicate, bool closed, const uint8_t *data, size_t size)
{
    static float items[MAX_PAIRS][ABUT_MAX_FIELDS], columns[ABUT_MAX_FIELDS][MAX_PAIRS];
    const unsigned fields = shape_info(hull_predicates[predicate].shape)->fields;
    struct planes planes = {.count = 1 + data[1] % MOST_PLANES};
    struct input input = {data + 2, size - 2, 0};
    read_items(&input, 4, planes.count, items, columns);
    for (unsigned i = 0; i < planes.count; i++)
        memcpy(planes.at[i], items[i], sizeof planes.at[i]);
    size_t left = size - 2 > input.at ? size - 2 - input.at : 0, n = left / (fields * sizeof(float)) + 1;
    n = n < MAX_PAIRS ? n : MAX_PAIRS;
    read_items(&input, fields, n, items, columns);
    const float *at[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        at[k] = columns[k];
    struct hull hull;
    struct abut_stats stats = {0};
    prepare_planes(&hull, &planes, data[1] / MOST_PLANES % 2 == 0 ? 1 : SIZE_MAX);
    const struct hull_args args = {&hull, at, n, closed, &stats, 1, 0, false};
    if (!hull.invalid)
        compare_hull(predicate, &planes, &args, items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float items_a[MAX_PAIRS][ABUT_MAX_FIELDS], items_b[MAX_PAIRS][ABUT_MAX_FIELDS];
    static float columns_a[ABUT_MAX_FIELDS][MAX_PAIRS], columns_b[ABUT_MAX_FIELDS][MAX_PAIRS];
    if (size < 3)
        return 0;
    const bool closed = data[0] / ALL_PREDICATES % 2;
    if (data[0] % ALL_PREDICATES >= predicate_count) {
        decide_hull((enum hull_predicate)(data[0] % ALL_PREDICATES - predicate_count), closed, data, size);
        return 0;
    }
    const struct subject *subject = &subjects[data[0] % ALL_PREDICATES];
    const enum entry entry = data[0] / ALL_PREDICATES / 2 % entry_count;
    const unsigned fields_a = shape_info(subject->shape_a)->fields, fields_b = shape_info(subject->shape_b)->fields;
    const size_t pair = (fields_a + fields_b) * sizeof(float);
    size_t n = (size - 1 + pair - 1) / pair;
    n = n < MAX_PAIRS ? n : MAX_PAIRS;
    struct input input = {data + 1, size - 1, 0};
    read_items(&input, fields_a, entry == ENTRY_ONE_MANY || entry == ENTRY_BLOCK ? 1 : n, items_a, columns_a);
    read_items(&input, fields_b, entry == ENTRY_MANY_ONE ? 1 : n, items_b, columns_b);
    const float *a[ABUT_MAX_FIELDS], *b[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        a[k] = columns_a[k];
        b[k] = columns_b[k];
    }
    struct abut_stats stats = {0};
    const struct kernel_args args = {a, b, n, closed, &stats, 1, 0};
    compare(subject, entry, closed, &args, items_a, items_b);
    return 0;
}

#ifndef ABUT_LIBFUZZER
/* A generated hull with items near it, as bytes: reaches more code than random bytes. */
static size_t hull_input(struct random *random, uint8_t *data, size_t capacity)
{
    enum hull_predicate predicate = (enum hull_predicate)random_below(random, hull_predicate_count);
    enum shape shape = hull_predicates[predicate].shape;
    size_t bytes = shape_info(shape)->fields * sizeof(float), size = 2;
    struct planes planes;
    struct hull_theme theme;
    make_hull((enum hull_kind)random_below(random, hull_kind_many), random, &planes, &theme);
    planes.count = planes.count < MOST_PLANES ? planes.count : MOST_PLANES;
    data[0] = (uint8_t)(predicate_count + (unsigned)predicate + ALL_PREDICATES * random_below(random, 2));
    data[1] = (uint8_t)(planes.count - 1);
    for (unsigned i = 0; i < planes.count; i++, size += sizeof planes.at[i])
        memcpy(data + size, planes.at[i], sizeof planes.at[i]);
    for (unsigned n = random_below(random, MAX_PAIRS); n > 0 && size + bytes <= capacity; n--, size += bytes) {
        float item[ABUT_MAX_FIELDS];
        make_hull_item(predicate, shape, &theme, &planes, random, item);
        memcpy(data + size, item, bytes);
    }
    return size;
}

/* Random bytes, then generated items as bytes. */
static size_t random_input(struct random *random, uint8_t *data, size_t capacity)
{
    const struct subject *subject = &subjects[random_below(random, predicate_count)];
    const unsigned fields_a = shape_info(subject->shape_a)->fields, fields_b = shape_info(subject->shape_b)->fields;
    size_t size = 1 + random_below(random, (unsigned)capacity - 1), pair = (fields_a + fields_b) * sizeof(float);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)random_next(random);
    if (random_below(random, 4) == 0)
        return size;
    if (random_below(random, 4) == 0)
        return hull_input(random, data, capacity);
    size_t n = (size - 1) / pair;
    enum kind kind = random_below(random, kind_count);
    data[0] = (uint8_t)(subject->predicate + ALL_PREDICATES * random_below(random, 2));
    for (size_t i = 0; i < n; i++) {
        float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
        make_any_pair(subject, kind, random, a, b);
        memcpy(data + 1 + i * fields_a * sizeof(float), a, fields_a * sizeof(float));
        memcpy(data + 1 + (n * fields_a + i * fields_b) * sizeof(float), b, fields_b * sizeof(float));
    }
    return n > 0 ? 1 + n * pair : size;
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 13, .rounds = 20000});
    struct random random = {options.seed};
    for (unsigned round = 0; round < options.rounds; round++) {
        uint8_t data[2048];
        LLVMFuzzerTestOneInput(data, random_input(&random, data, sizeof data));
        checks_passed(1);
    }
    return finish("fuzz");
}
#endif
