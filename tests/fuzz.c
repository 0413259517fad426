/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as input: the first chooses predicate, entry and touch rule, the others are members. Every variant must give the
 * judge's answers. With libFuzzer it looks for bytes that reach new code; without, a main of its own makes random ones.
 */
#include "judges.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 100 };

/* Columns filled from the bytes, item by item; what is missing repeats the bytes from the start. */
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

static void compare(const struct subject *subject, enum entry entry, bool closed, const struct job *job,
                    float items_a[][ABUT_MAX_FIELDS], float items_b[][ABUT_MAX_FIELDS])
{
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_variants(tested);
    const bool one_a = entry == ENTRY_ONE_MANY, one_b = entry == ENTRY_MANY_ONE;
    bool right[MAX_PAIRS];
    for (size_t i = 0; i < job->n; i++) {
        int answer = abut_judge(subject->predicate, items_a[one_a ? 0 : i], items_b[one_b ? 0 : i]);
        right[i] = answer >= (closed ? 0 : 1);
        struct abut_stats stats = {0};
        if (abut_settle(subject->predicate, items_a[one_a ? 0 : i], items_b[one_b ? 0 : i], closed, &stats) !=
            right[i]) {
            printf("FAILED: %s: the middle stage is wrong\n", subject->name);
            print_pair(subject, items_a[one_a ? 0 : i], items_b[one_b ? 0 : i]);
            abort();
        }
    }
    for (unsigned v = 0; v < n_tested; v++) {
        uint64_t hits[(MAX_PAIRS + 63) / 64];
        entry_of(tested[v].variant, subject->predicate, entry)(job, hits);
        for (size_t i = 0; i < job->n; i++)
            if (hit_at(hits, i) != right[i]) {
                printf("FAILED: %s, %s, %s, %s: pair %zu of %zu is a %s\n", subject->name, tested[v].name,
                       entry_names[entry], closed ? "closed" : "open", i, job->n, right[i] ? "hit" : "miss");
                print_pair(subject, items_a[one_a ? 0 : i], items_b[one_b ? 0 : i]);
                fflush(stdout);
                abort();
            }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float items_a[MAX_PAIRS][ABUT_MAX_FIELDS], items_b[MAX_PAIRS][ABUT_MAX_FIELDS];
    static float columns_a[ABUT_MAX_FIELDS][MAX_PAIRS], columns_b[ABUT_MAX_FIELDS][MAX_PAIRS];
    if (size < 2)
        return 0;
    const struct subject *subject = &subjects[data[0] % predicate_count];
    const bool closed = data[0] / predicate_count % 2;
    const enum entry entry = data[0] / predicate_count / 2 % ENTRY_TRUSTED;
    const unsigned fields_a = shape_info(subject->shape_a)->fields, fields_b = shape_info(subject->shape_b)->fields;
    const size_t pair = (fields_a + fields_b) * sizeof(float);
    size_t n = (size - 1 + pair - 1) / pair;
    n = n < MAX_PAIRS ? n : MAX_PAIRS;
    struct input input = {data + 1, size - 1, 0};
    read_items(&input, fields_a, entry == ENTRY_ONE_MANY ? 1 : n, items_a, columns_a);
    read_items(&input, fields_b, entry == ENTRY_MANY_ONE ? 1 : n, items_b, columns_b);
    const float *a[ABUT_MAX_FIELDS], *b[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        a[k] = columns_a[k];
        b[k] = columns_b[k];
    }
    struct abut_stats stats = {0};
    const struct job job = {a, b, n, closed, &stats};
    compare(subject, entry, closed, &job, items_a, items_b);
    return 0;
}

#ifndef ABUT_LIBFUZZER
/* Random bytes; then items that are worth more, as bytes. */
static size_t random_input(struct random *random, uint8_t *data, size_t capacity)
{
    const struct subject *subject = &subjects[random_below(random, predicate_count)];
    const unsigned fields_a = shape_info(subject->shape_a)->fields, fields_b = shape_info(subject->shape_b)->fields;
    size_t size = 1 + random_below(random, (unsigned)capacity - 1), pair = (fields_a + fields_b) * sizeof(float);
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)random_next(random);
    if (random_below(random, 4) == 0)
        return size;
    size_t n = (size - 1) / pair;
    enum kind kind = random_below(random, kind_count);
    data[0] = (uint8_t)(subject->predicate + predicate_count * random_below(random, 2));
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
