/* SPDX-License-Identifier: MIT */
/*
 * Takes any bytes as input. The first chooses predicate, entry and touch rule, the second the number of planes of
 * hulls. The others are members, those of a before those of b, but a hull first. Every instruction set must give the
 * answers of the exact stage.
 * With libFuzzer it searches for bytes that reach new code; without, its own main makes random bytes.
 */
#include "batches.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 100, HEADER = 2, MOST_PLANES = 7 };

/* When the bytes run out they start over. */
struct input {
    const uint8_t *bytes;
    size_t size, at;
    unsigned planes;
};

static struct batch read_items(struct input *input, enum shape shape, size_t n)
{
    struct batch batch = batch_new(shape, n);
    for (size_t i = 0; i < n; i++) {
        float item[MAX_MEMBERS] = {[HULL_COUNT] = (float)input->planes};
        for (unsigned k = first_member(shape), end = end_of_members(shape, item); k < end; k++) {
            uint8_t bytes[sizeof(float)];
            for (unsigned j = 0; j < sizeof(float); j++)
                bytes[j] = input->bytes[input->at++ % input->size];
            memcpy(&item[k], bytes, sizeof bytes);
        }
        batch_set(&batch, i, item);
    }
    return batch;
}

static void compare(const struct subject *subject, enum entry entry, bool closed, size_t n, const struct batch *a,
                    const struct batch *b)
{
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_isas(tested);
    const struct columns columns_a = batch_columns(a), columns_b = batch_columns(b);
    bool right[MAX_PAIRS];
    for (unsigned v = 0; v <= n_tested; v++) {
        uint64_t hits[(MAX_PAIRS + 63) / 64] = {0};
        struct abut_stats stats = {0};
        const struct entry_args args = {&columns_a, &columns_b, n, 1, 0, closed, &stats, v % 2 == 0 ? 1 : SIZE_MAX};
        if (v < n_tested)
            run_entry(tested[v].isa, subject, entry, &args, hits);
        for (size_t i = 0; i < n; i++) {
            float item_a[MAX_MEMBERS], item_b[MAX_MEMBERS];
            batch_get(a, a->n == 1 ? 0 : i, item_a);
            batch_get(b, b->n == 1 ? 0 : i, item_b);
            if (v == 0)
                right[i] = (int)exact_answer(subject, item_a, item_b) >= (closed ? 0 : 1);
            bool hit = v < n_tested ? hit_at(hits, i) : resolved(subject, item_a, item_b, closed, &stats);
            if (hit == right[i])
                continue;
            printf("FAILED: %s, %s, %s, %s: pair %zu of %zu is a %s\n", subject->name,
                   v < n_tested ? tested[v].name : "resolved", entry_names[entry], closed ? "closed" : "open", i, n,
                   right[i] ? "hit" : "miss");
            print_pair(subject, item_a, item_b);
            fflush(stdout);
            abort();
        }
    }
}

/* Of the items of each pair; there is one hull for all. */
static size_t bytes_of_pair(const struct subject *subject)
{
    const unsigned of_b = of_hulls(subject) ? 0 : shape_info(subject->shape_b)->fields;
    return (shape_info(subject->shape_a)->fields + of_b) * sizeof(float);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A hull comes before its items. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEADER + 1)
        return 0;
    const struct subject *subject = &subjects[data[0] % predicate_count];
    const bool closed = data[0] / predicate_count % 2, hulls = of_hulls(subject);
    const enum entry entry = hulls ? ENTRY_MANY_ONE : (data[0] / predicate_count / 2 + data[1]) % entry_count;
    const bool one_a = entry == ENTRY_ONE_MANY || entry == ENTRY_BLOCK, one_b = entry == ENTRY_MANY_ONE;
    const size_t pair = bytes_of_pair(subject);
    size_t n = (size - HEADER + pair - 1) / pair;
    n = n < MAX_PAIRS ? n : MAX_PAIRS;
    struct input input = {data + HEADER, size - HEADER, 0, 1 + data[1] % MOST_PLANES};
    struct batch b = {.n = 0}, a;
    if (hulls)
        b = read_items(&input, subject->shape_b, 1);
    a = read_items(&input, subject->shape_a, one_a ? 1 : n);
    if (!hulls)
        b = read_items(&input, subject->shape_b, one_b ? 1 : n);
    compare(subject, entry, closed, n, &a, &b);
    batch_free(&a);
    batch_free(&b);
    return 0;
}

#ifndef ABUT_LIBFUZZER
/* Appends the members of an item, if they fit. */
static size_t put(uint8_t *data, size_t size, size_t capacity, enum shape shape, const float *item)
{
    const unsigned first = first_member(shape);
    const size_t bytes = (end_of_members(shape, item) - first) * sizeof *item;
    if (size + bytes > capacity)
        return size;
    memcpy(data + size, item + first, bytes);
    return size + bytes;
}

/* Random bytes, or generated items as bytes. */
static size_t random_input(struct random *random, uint8_t *data, size_t capacity)
{
    const struct subject *subject = &subjects[random_below(random, predicate_count)];
    const size_t size = 1 + random_below(random, (unsigned)capacity - 1), n = size / bytes_of_pair(subject);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)random_next(random);
    if (random_below(random, 4) == 0 || n == 0)
        return size;
    struct theme theme =
        theme_of(of_hulls(subject) ? any_kind(subject, random) : random_below(random, kind_box), random);
    static float a[MAX_PAIRS][MAX_MEMBERS], b[MAX_PAIRS][MAX_MEMBERS];
    const size_t pairs = n < MAX_PAIRS ? n : MAX_PAIRS;
    size_t end = HEADER;
    for (size_t i = 0; i < pairs; i++) {
        if (i > 0 && of_hulls(subject))
            memcpy(b[i], b[0], sizeof b[0]);
        make_pair(subject, theme, i > 0 && of_hulls(subject) ? FREE_A : FREE_BOTH, random, a[i], b[i]);
        if (i == 0 && of_hulls(subject) && planes_of(b[0]) > MOST_PLANES)
            b[0][HULL_COUNT] = MOST_PLANES;
    }
    data[0] = (uint8_t)(subject->predicate + predicate_count * random_below(random, 2));
    data[1] = of_hulls(subject) ? (uint8_t)(planes_of(b[0]) - 1) : 0;
    if (of_hulls(subject))
        end = put(data, end, capacity, subject->shape_b, b[0]);
    for (size_t i = 0; i < pairs; i++)
        end = put(data, end, capacity, subject->shape_a, a[i]);
    for (size_t i = 0; i < pairs && !of_hulls(subject); i++)
        end = put(data, end, capacity, subject->shape_b, b[i]);
    return end;
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
