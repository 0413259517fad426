/* SPDX-License-Identifier: MIT */
/* selftest: every kernel of the variants that run here against the judge. */
#include "selftest.h"

#include "dispatch.h"
#include "judges.h"
#include "kinds.h"
#include "output.h"
#include "progress.h"
#include "relation.h"
#include "splitmix.h"

#include "cli.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PAIRS = 300, WORDS = MOST_PAIRS / 64 + 2, MOST_TOLD = 10 };
static const uint64_t seed = 1, untouched = UINT64_C(0xA5A5A5A5A5A5A5A5);

enum mood { UNIFORM, INTEGERS, TANGENT, BAD, ANY_BITS, mood_count };
enum entry { ENTRY_ZIP, ENTRY_ONE_MANY, ENTRY_MANY_ONE, ENTRY_TRUSTED, entry_count };

static const struct {
    const char *name;
    size_t step_a, step_b;
} entries[entry_count] = {{"zip", 1, 1}, {"one_many", 0, 1}, {"many_one", 1, 0}, {"trusted", 0, 1}};

typedef float item[ABUT_MAX_FIELDS];

struct batch {
    enum predicate predicate;
    enum entry entry;
    size_t n;
    item a[MOST_PAIRS], b[MOST_PAIRS];
    float columns[2][ABUT_MAX_FIELDS][MOST_PAIRS];
    enum answer answers[MOST_PAIRS];
};

static float coordinate(uint64_t *random, enum mood mood)
{
    if (mood == INTEGERS)
        return (float)random_below(random, 9) - 4;
    return random_between(random, -4, 4);
}

static float size(uint64_t *random, enum mood mood)
{
    if (mood == INTEGERS)
        return (float)random_below(random, 4);
    return random_between(random, 0, 4);
}

static void draw_point(uint64_t *random, enum mood mood, float *p)
{
    for (unsigned k = 0; k < 3; k++)
        p[k] = coordinate(random, mood);
}

static void draw_sphere(uint64_t *random, enum mood mood, float *p)
{
    draw_point(random, mood, p);
    p[3] = size(random, mood);
}

static void draw_aabb(uint64_t *random, enum mood mood, float *p)
{
    draw_point(random, mood, p);
    for (unsigned k = 0; k < 3; k++)
        p[3 + k] = p[k] + size(random, mood);
}

/* Through a point, so that spheres meet it. */
static void draw_plane(uint64_t *random, enum mood mood, float *p)
{
    float through[3];
    draw_point(random, mood, p);
    draw_point(random, mood, through);
    p[3] = -(p[0] * through[0] + p[1] * through[1] + p[2] * through[2]);
}

/* Axes of any length and direction: they are used as they stand. */
static void draw_obb(uint64_t *random, enum mood mood, float *p)
{
    draw_point(random, mood, p);
    for (unsigned k = 3; k < 6; k++)
        p[k] = size(random, mood);
    for (unsigned k = 6; k < 15; k++)
        p[k] = coordinate(random, mood) / 4;
}

static void draw_segment(uint64_t *random, enum mood mood, float *p)
{
    draw_point(random, mood, p);
    draw_point(random, mood, p + 3);
}

static void draw_capsule(uint64_t *random, enum mood mood, float *p)
{
    draw_segment(random, mood, p);
    p[6] = size(random, mood);
}

static void draw_triangle(uint64_t *random, enum mood mood, float *p)
{
    draw_segment(random, mood, p);
    draw_point(random, mood, p + 6);
}

#define F(member)
#define SHAPE(name, plural, fields) draw_##name,
static void (*const draws[shape_count])(uint64_t *random, enum mood mood, float *p) = {
#include "shapes.def"
};

static void draw(uint64_t *random, enum shape shape, enum mood mood, float *p)
{
    static const float bad[] = {NAN, -NAN, INFINITY, -INFINITY, -1, -0.0f, 0x1p-149f, 3e38f, -3e38f};
    unsigned fields = kinds[shape].field_count;
    draws[shape](random, mood, p);
    if (mood == BAD && random_below(random, 2))
        p[random_below(random, fields)] = bad[random_below(random, sizeof bad / sizeof *bad)];
    for (unsigned k = 0; mood == ANY_BITS && k < fields; k++) {
        uint32_t bits = (uint32_t)random_bits(random);
        memcpy(&p[k], &bits, sizeof bits);
    }
}

static float *radius_of(enum shape shape, float *p)
{
    for (unsigned k = 0; k < kinds[shape].field_count; k++)
        if (strcmp(kinds[shape].fields[k], "r") == 0)
            return &p[k];
    return NULL;
}

static bool closed_hit(enum predicate predicate, const float *a, const float *b)
{
    return abut_judge(predicate, a, b) >= ANSWER_TOUCH;
}

/* Sets a radius to one of the two neighbours between which the answer changes, if it changes at all. */
static void make_tangent(uint64_t *random, enum predicate predicate, float *radius, const float *a, const float *b)
{
    static const float largest = 1024;
    float old = *radius;
    uint32_t low = 0, high, middle;
    memcpy(&high, &largest, sizeof high);
    *radius = 0;
    bool at_low = closed_hit(predicate, a, b);
    *radius = largest;
    if (closed_hit(predicate, a, b) == at_low) {
        *radius = old;
        return;
    }
    while (high - low > 1) {
        middle = low + (high - low) / 2;
        memcpy(radius, &middle, sizeof middle);
        if (closed_hit(predicate, a, b) == at_low)
            low = middle;
        else
            high = middle;
    }
    memcpy(radius, random_below(random, 2) ? &low : &high, sizeof low);
}

static void tune(uint64_t *random, struct batch *batch, size_t i)
{
    const enum shape *shapes = predicate_shapes[batch->predicate];
    size_t step_a = entries[batch->entry].step_a, step_b = entries[batch->entry].step_b;
    float *a = batch->a[i * step_a], *b = batch->b[i * step_b];
    float *radius_a = step_a || i == 0 ? radius_of(shapes[0], a) : NULL;
    float *radius_b = step_b || i == 0 ? radius_of(shapes[1], b) : NULL;
    if (radius_b || radius_a)
        make_tangent(random, batch->predicate, radius_b ? radius_b : radius_a, a, b);
}

static void fill(uint64_t *random, struct batch *batch, enum mood mood)
{
    const enum shape *shapes = predicate_shapes[batch->predicate];
    size_t step_a = entries[batch->entry].step_a, step_b = entries[batch->entry].step_b;
    batch->n = 1 + random_below(random, MOST_PAIRS);
    for (size_t i = 0; i < batch->n; i++) {
        draw(random, shapes[0], mood, batch->a[i]);
        draw(random, shapes[1], mood, batch->b[i]);
    }
    for (size_t i = 0; mood == TANGENT && i < batch->n; i++)
        tune(random, batch, i);
    for (size_t i = 0; i < batch->n; i++) {
        for (unsigned k = 0; k < kinds[shapes[0]].field_count; k++)
            batch->columns[0][k][i] = batch->a[i][k];
        for (unsigned k = 0; k < kinds[shapes[1]].field_count; k++)
            batch->columns[1][k][i] = batch->b[i][k];
        batch->answers[i] = abut_judge(batch->predicate, batch->a[i * step_a], batch->b[i * step_b]);
    }
}

static void tell_item(const char *name, const struct kind *kind, const float *p)
{
    fprintf(stderr, "  %s:", name);
    for (unsigned k = 0; k < kind->field_count; k++)
        fprintf(stderr, " %s=%a", kind->fields[k], (double)p[k]);
    fputc('\n', stderr);
}

static void tell(const struct batch *batch, const struct variant *variant, bool closed, size_t i, bool hit)
{
    const enum shape *shapes = predicate_shapes[batch->predicate];
    complain("selftest: %s %s %s %s: pair %zu of %zu is a %s, the judge says %s", variant->name,
             predicate_names[batch->predicate], entries[batch->entry].name, closed ? "closed" : "open", i, batch->n,
             hit ? "hit" : "miss", hit ? "miss" : "hit");
    tell_item("a", &kinds[shapes[0]], batch->a[i * entries[batch->entry].step_a]);
    tell_item("b", &kinds[shapes[1]], batch->b[i * entries[batch->entry].step_b]);
}

static batch_function *function_of(const struct kernel *kernel, enum entry entry)
{
    batch_function *const functions[entry_count] = {kernel->zip, kernel->one_many, kernel->many_one, kernel->trusted};
    return functions[entry];
}

/* Trusted kernels take valid shapes only, on both sides. */
static bool trusts(const struct variant *variant, enum predicate predicate, const float *const *a,
                   const float *const *b, size_t n)
{
    const enum shape *shapes = predicate_shapes[predicate];
    return variant->valid[shapes[0]](a, 1) && variant->valid[shapes[1]](b, n);
}

static void check(struct selftest *selftest, const struct batch *batch, const struct variant *variant, bool closed)
{
    const float *a[ABUT_MAX_FIELDS], *b[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
        a[k] = batch->columns[0][k];
        b[k] = batch->columns[1][k];
    }
    if (batch->entry == ENTRY_TRUSTED && !trusts(variant, batch->predicate, a, b, batch->n))
        return;
    uint64_t hits[WORDS];
    struct abut_stats stats = {0};
    for (size_t w = 0; w < WORDS; w++)
        hits[w] = untouched;
    const struct job job = {a, b, batch->n, closed, &stats};
    function_of(&variant->kernels[batch->predicate], batch->entry)(&job, hits);

    selftest->answers += batch->n;
    for (size_t i = 0; i < batch->n; i++) {
        bool hit = hits[i / 64] >> i % 64 & 1, expected = batch->answers[i] >= (closed ? ANSWER_TOUCH : ANSWER_HIT);
        if (hit != expected && selftest->wrong++ < MOST_TOLD)
            tell(batch, variant, closed, i, hit);
    }
    size_t words = abut_mask_words(batch->n);
    bool tail = batch->n % 64 && hits[words - 1] >> batch->n % 64;
    if ((tail || hits[words] != untouched) && selftest->wrong++ < MOST_TOLD)
        complain("selftest: %s %s %s: writes beyond pair %zu", variant->name, predicate_names[batch->predicate],
                 entries[batch->entry].name, batch->n);
}

static void run_round(struct selftest *selftest, uint64_t *random)
{
    static struct batch batch;
    for (size_t p = selftest->first; p < selftest->end; p++) {
        for (size_t e = 0; e < entry_count; e++) {
            for (size_t mood = 0; mood < mood_count; mood++) {
                batch.predicate = (enum predicate)p;
                batch.entry = (enum entry)e;
                fill(random, &batch, (enum mood)mood);
                for (const struct variant *const *v = selftest->variants; *v; v++) {
                    check(selftest, &batch, *v, true);
                    check(selftest, &batch, *v, false);
                }
            }
        }
    }
}

void selftest_run(struct selftest *selftest)
{
    uint64_t random = seed;
    double start = now();
    struct progress progress;
    progress_begin(&progress, "selftest", !selftest->quiet);
    for (unsigned round = 0; round < selftest->rounds && now() - start < selftest->seconds; round++) {
        run_round(selftest, &random);
        progress_at(&progress, (double)round / selftest->rounds);
    }
    progress_end(&progress);
}

enum exit_code command_selftest(const struct options *options)
{
    struct output output;
    if (!output_open(&output, options->output))
        return EXIT_FAILED;
    const struct variant *const one[] = {abut_active_variant(), NULL};
    struct selftest selftest = {.variants = options->isa ? one : abut_native_variants(),
                                .end = predicate_count,
                                .rounds = 60,
                                .seconds = 40,
                                .quiet = options->quiet};
    selftest_run(&selftest);
    output_text(&output, "instruction sets:");
    for (const struct variant *const *v = selftest.variants; *v; v++)
        output_text(&output, " %s", (*v)->name);
    output_text(&output, "\nanswers: %" PRIu64 " of %d predicates against exact arithmetic, %" PRIu64 " wrong\n",
                selftest.answers, (int)predicate_count, selftest.wrong);
    if (!output_close(&output))
        return EXIT_FAILED;
    return selftest.wrong ? EXIT_FAILED : EXIT_DONE;
}
