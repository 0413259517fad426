/* SPDX-License-Identifier: MIT */
/* The self-test of squared distances and closest points: the bits of the scalar kernels. */
#include "dispatch/dispatch.h"
#include "selftest.h"
#include "selftest_items.h"

#include "cli.h"

#include <string.h>

enum { MOST_PAIRS = 300 };

static const struct {
    const char *name;
    enum shape shapes[2];
} distances[distance_count] = {
#define DISTANCE(name, shape_a, shape_b, function) {#name, {shape_##shape_a, shape_##shape_b}},
#include "tables/predicates.def"
};

enum entry { ENTRY_ZIP, ENTRY_ONE_MANY, ENTRY_MANY_ONE, entry_count };

static const char *const entry_names[entry_count] = {"zip", "one_many", "many_one"};

struct distance_batch {
    enum distance_kind kind;
    size_t n;
    float columns[2][ABUT_MAX_FIELDS][MOST_PAIRS];
};

/* d2 and the point of each pair, and what is behind the last. */
struct results {
    float at[DISTANCE_OUTPUTS][MOST_PAIRS + 1];
};

static void fill(struct random *random, struct distance_batch *batch, enum mood mood)
{
    batch->n = 1 + random_below(random, MOST_PAIRS);
    for (unsigned side = 0; side < 2; side++) {
        const enum shape shape = distances[batch->kind].shapes[side];
        for (size_t i = 0; i < batch->n; i++) {
            float item[ABUT_MAX_FIELDS];
            item_draw(random, shape, mood, item);
            for (unsigned k = 0; k < kinds[shape].field_count; k++)
                batch->columns[side][k][i] = item[k];
        }
    }
}

static void compute(const struct distance_batch *batch, const struct isa *isa, enum entry entry,
                    struct results *results)
{
    const struct distance_kernel *kernel = &isa->distances[batch->kind];
    distance_function *const functions[entry_count] = {kernel->zip, kernel->one_many, kernel->many_one};
    const float *a[ABUT_MAX_FIELDS], *b[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        a[k] = batch->columns[0][k];
        b[k] = batch->columns[1][k];
    }
    struct distance_args args = {.a = a, .b = b, .n = batch->n};
    memset(results, 0x5a, sizeof *results);
    for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++)
        args.out[k] = results->at[k];
    functions[entry](&args);
}

const char *selftest_distance_name(enum distance_kind kind)
{
    return distances[kind].name;
}

void selftest_distances(struct selftest *selftest, struct random *random, enum distance_kind kind)
{
    static struct distance_batch batch;
    static struct results right, found;
    batch.kind = kind;
    for (size_t mood = 0; mood < mood_count; mood++) {
        fill(random, &batch, (enum mood)mood);
        for (size_t e = 0; e < entry_count; e++) {
            compute(&batch, &abut_kernels_scalar, (enum entry)e, &right);
            for (const struct isa *const *v = selftest->isas; *v; v++) {
                compute(&batch, *v, (enum entry)e, &found);
                selftest->distances += batch.n;
                if (memcmp(&found, &right, sizeof found) != 0 && selftest->wrong++ < MOST_REPORTED)
                    complain("selftest: %s %s %s: of %zu pairs some have other bits than scalar has", (*v)->name,
                             distances[kind].name, entry_names[e], batch.n);
            }
        }
    }
}
