/* SPDX-License-Identifier: MIT */
/*
 * Compares the distances of every instruction set, native and emulated, with the scalar ones, bit for bit.
 * Buffers begin or end at an unmapped page; nothing but the results may be written. Zeros and NaN are canonical. The
 * public functions broadcast and return errors as the header says.
 */
#include "batches.h"
#include "exact/resolve.h"
#include "guard.h"
#include "report.h"
#include <abut/distance.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 70, PAD = 3, ENTRIES = 3 };

static const uint32_t pattern = 0x5A5AA5C3;

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* LENGTH pairs for each way of broadcasting, right after an unmapped page and right before one. */
struct scene {
    const struct distance_subject *subject;
    enum entry entry;
    enum kind kind;
    struct batch a, b;
    struct guarded memory[2][2][ABUT_MAX_FIELDS]; /* of a and b, at the beginning and at the end */
    float right[DISTANCE_OUTPUTS][LENGTH];
};

static void guard_batch(struct guarded memory[2][ABUT_MAX_FIELDS], const struct batch *batch)
{
    for (int at_end = 0; at_end < 2; at_end++)
        for (unsigned k = 0; k < batch->fields; k++) {
            memory[at_end][k] = guarded_new(batch->n * sizeof(float), at_end);
            memcpy(memory[at_end][k].at, batch->at[k], batch->n * sizeof(float));
        }
}

static void unguard_batch(struct guarded memory[2][ABUT_MAX_FIELDS], const struct batch *batch)
{
    for (int at_end = 0; at_end < 2; at_end++)
        for (unsigned k = 0; k < batch->fields; k++)
            guarded_free(&memory[at_end][k]);
}

/* Distances from an OBB with such axes are NaN, though item_valid() accepts it. */
static bool has_long_axis(const float *obb)
{
    bool is_long = false;
    for (unsigned k = obb_fields - 9; k < obb_fields; k++)
        is_long |= fabsf(obb[k]) > 0x1p20f;
    return is_long;
}

/* The scalar result for each pair alone, which distance_bounds tests against rational arithmetic. */
static void compute_right(struct scene *scene)
{
    extern const struct isa abut_kernels_scalar;
    for (size_t i = 0; i < LENGTH; i++) {
        float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
        const float *at_a[ABUT_MAX_FIELDS], *at_b[ABUT_MAX_FIELDS];
        batch_get(&scene->a, scene->a.n > 1 ? i : 0, a);
        batch_get(&scene->b, scene->b.n > 1 ? i : 0, b);
        for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++) {
            at_a[k] = &a[k];
            at_b[k] = &b[k];
        }
        float *const right[] = {&scene->right[0][i], &scene->right[1][i], &scene->right[2][i], &scene->right[3][i]};
        const struct distance_args args = {at_a, at_b, 1, {right[0], right[1], right[2], right[3]}};
        abut_kernels_scalar.distances[scene->subject->kind].zip(&args);
        bool invalid = abut_is_invalid(shape_point, a) || abut_is_invalid(scene->subject->shape_b, b);
        for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++) {
            uint32_t bits = bits_of(*right[k]);
            bool too_long = scene->subject->shape_b == shape_obb && has_long_axis(b);
            if (!check_that((bits == 0x7FC00000) == (invalid || too_long),
                            "%s, %s input: output %u is %08x of %s input", scene->subject->name,
                            kind_names[scene->kind], k, (unsigned)bits, invalid ? "invalid" : "valid") ||
                !check_that(bits != 0x80000000 && (!isnan(*right[k]) || bits == 0x7FC00000), "%s: %08x",
                            scene->subject->name, (unsigned)bits))
                print_pair(scene->subject->pairs, a, b);
        }
    }
}

static void scene_new(struct scene *scene, struct random *random)
{
    const size_t n_a = scene->entry == ENTRY_ONE_MANY ? 1 : LENGTH, n_b = scene->entry == ENTRY_MANY_ONE ? 1 : LENGTH;
    if (scene->entry == ENTRY_ZIP)
        batches_of_pairs(scene->subject->pairs, scene->kind, random, LENGTH, &scene->a, &scene->b);
    else
        batches_of_items(scene->subject->pairs, scene->kind, random, n_a, n_b, &scene->a, &scene->b);
    guard_batch(scene->memory[0], &scene->a);
    guard_batch(scene->memory[1], &scene->b);
    compute_right(scene);
}

static void scene_free(struct scene *scene)
{
    unguard_batch(scene->memory[0], &scene->a);
    unguard_batch(scene->memory[1], &scene->b);
    batch_free(&scene->a);
    batch_free(&scene->b);
}

static size_t place(const struct scene *scene, int side, size_t n, int at_end, const float **columns)
{
    const struct batch *batch = side == 0 ? &scene->a : &scene->b;
    size_t first = at_end && batch->n > 1 ? batch->n - n : 0;
    for (unsigned k = 0; k < batch->fields; k++)
        columns[k] = (const float *)scene->memory[side][at_end][k].at + first;
    return batch->n > 1 ? first : 0;
}

/* At every second length the caller leaves one of the outputs out. */
static void check_call(const struct scene *scene, const struct tested *tested, size_t n, int at_end,
                       const struct guarded out[DISTANCE_OUTPUTS])
{
    const float *a[ABUT_MAX_FIELDS], *b[ABUT_MAX_FIELDS];
    size_t first_a = place(scene, 0, n, at_end, a), first_b = place(scene, 1, n, at_end, b);
    size_t first = first_a > first_b ? first_a : first_b, size = LENGTH + (at_end ? 1 : 2) * PAD;
    struct distance_args args = {a, b, n, {NULL}};
    const unsigned unwanted = n % 2 == 0 ? DISTANCE_OUTPUTS : (unsigned)(n / 2 % DISTANCE_OUTPUTS);
    for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++) {
        for (size_t i = 0; i < size; i++)
            memcpy((char *)out[k].at + i * sizeof pattern, &pattern, sizeof pattern);
        if (k != unwanted)
            args.out[k] = (float *)out[k].at + (at_end ? size - n : PAD);
    }
    now_testing(scene->subject->pairs, tested->name, entry_names[scene->entry], kind_names[scene->kind], n, 0);
    distance_entry_of(tested->isa, scene->subject->kind, scene->entry)(&args);
    for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++)
        for (size_t i = 0; i < size; i++) {
            const size_t from = at_end ? size - n : PAD;
            bool inside = k != unwanted && i >= from && i < from + n;
            uint32_t right = inside ? bits_of(scene->right[k][first + i - from]) : pattern;
            uint32_t got = bits_of(((const float *)out[k].at)[i]);
            check_that(got == right, "%s, %s, %s, %s input: n = %zu: output %u of pair %zd is %08x, not %08x",
                       scene->subject->name, tested->name, entry_names[scene->entry], kind_names[scene->kind], n, k,
                       (ptrdiff_t)i - (ptrdiff_t)from, (unsigned)got, (unsigned)right);
        }
}

static void check_scene(const struct scene *scene, unsigned turn, const struct tested *tested, unsigned n_tested)
{
    struct guarded out[2][DISTANCE_OUTPUTS];
    for (int at_end = 0; at_end < 2; at_end++)
        for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++)
            out[at_end][k] = guarded_new((LENGTH + (at_end ? 1 : 2) * PAD) * sizeof(float), at_end);
    for (unsigned v = 0; v < n_tested; v++)
        for (size_t n = 0; n <= LENGTH; n++) {
            int at_end = (n / 8 + turn) & 1;
            check_call(scene, &tested[v], n, at_end, out[at_end]);
        }
    for (int at_end = 0; at_end < 2; at_end++)
        for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++)
            guarded_free(&out[at_end][k]);
}

/* Null pointers and wrong lengths, through the public function: an error writes nothing. */
static void check_refusals(const struct distance_subject *subject, struct random *random)
{
    struct batch a, b;
    batches_of_pairs(subject->pairs, kind_uniform, random, 3, &a, &b);
    struct columns of_a = batch_columns(&a), of_b = batch_columns(&b);
    float out[DISTANCE_OUTPUTS][3] = {{7, 7, 7}, {7, 7, 7}, {7, 7, 7}, {7, 7, 7}};
    const struct abut_closest closest = {out[1], out[2], out[3]}, half = {out[1], NULL, out[3]};
    static const struct {
        size_t a, b;
        enum abut_status status;
    } cases[] = {{2, 3, ABUT_ERROR_LENGTHS},
                 {0, 2, ABUT_ERROR_LENGTHS},
                 {0, 1, ABUT_OK},
                 {1, 0, ABUT_OK},
                 {0, 0, ABUT_OK},
                 {ABUT_MAX_ITEMS + 1, 1, ABUT_ERROR_TOO_MANY},
                 {1, ABUT_MAX_ITEMS + 1, ABUT_ERROR_TOO_MANY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        of_a.n = cases[i].a;
        of_b.n = cases[i].b;
        check_that(subject->call(&of_a, &of_b, out[0], &closest) == cases[i].status, "%s: case %zu", subject->name, i);
    }
    of_a.n = of_b.n = 3;
    CHECK(subject->call(&of_a, &of_b, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(subject->call(&of_a, &of_b, out[0], &half) == ABUT_ERROR_NULL);
    of_b.at[1] = NULL;
    CHECK(subject->call(&of_a, &of_b, out[0], &closest) == ABUT_ERROR_NULL);
    for (unsigned k = 0; k < DISTANCE_OUTPUTS; k++)
        CHECK(out[k][0] == 7 && out[k][1] == 7 && out[k][2] == 7);
    of_b = batch_columns(&b);
    CHECK(subject->call(&of_a, &of_b, out[0], NULL) == ABUT_OK && out[0][2] != 7 && out[1][2] == 7);
    CHECK(subject->call(&of_a, &of_b, NULL, &closest) == ABUT_OK && out[1][2] != 7);
    batch_free(&a);
    batch_free(&b);
}

/* Cases with obvious results. */
static void check_examples(void)
{
    float x[] = {3, 0, -2}, y[] = {4, 0, 0}, z[] = {0, 0, 0}, zero[] = {0}, one[] = {1}, four[] = {4},
          minus_one[] = {-1};
    float d2[3], cx[3], cy[3], cz[3];
    const struct abut_points points = {3, x, y, z};
    const struct abut_closest closest = {cx, cy, cz};
    const struct abut_spheres ball = {1, zero, zero, zero, one};
    const struct abut_aabbs box = {1, minus_one, minus_one, minus_one, one, one, one};
    const struct abut_planes plane = {1, four, zero, zero, minus_one};
    const struct abut_triangles triangle = {1, zero, zero, zero, four, zero, zero, zero, four, zero};
    CHECK(abut_points_spheres_distance(&points, &ball, d2, &closest) == ABUT_OK);
    CHECK(d2[0] == 16 && d2[1] == 0 && d2[2] == 1 && fabsf(cx[0] - 0.6f) < 1e-6f && fabsf(cy[0] - 0.8f) < 1e-6f &&
          cx[1] == 0 && cx[2] == -1);
    CHECK(abut_points_aabbs_distance(&points, &box, d2, &closest) == ABUT_OK);
    CHECK(d2[0] == 13 && cx[0] == 1 && cy[0] == 1 && cz[0] == 0 && d2[1] == 0 && d2[2] == 1);
    CHECK(abut_points_planes_distance(&points, &plane, d2, &closest) == ABUT_OK);
    CHECK(d2[0] == 2.75f * 2.75f && cx[0] == 0.25f && cy[0] == 4 && d2[1] == 0 && d2[2] == 0 && cx[2] == -2);
    CHECK(abut_points_triangles_distance(&points, &triangle, d2, &closest) == ABUT_OK);
    CHECK(d2[0] == 4.5f && cx[0] == 1.5f && cy[0] == 2.5f && d2[1] == 0 && d2[2] == 4 && cx[2] == 0);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 21, .rounds = 2});
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_isas(tested);
    print_isas();
    check_examples();
    struct random random = {options.seed};
    for (unsigned p = 0; p < distance_count; p++)
        check_refusals(&distance_subjects[p], &random);
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0; p < distance_count; p++)
            for (unsigned entry = 0; entry < ENTRIES; entry++)
                for (enum kind kind = 0; kind < kind_tangent_worst; kind++) {
                    static struct scene scene;
                    scene = (struct scene){.subject = &distance_subjects[p], .entry = (enum entry)entry, .kind = kind};
                    scene_new(&scene, &random);
                    check_scene(&scene, kind + round, tested, n_tested);
                    scene_free(&scene);
                }
    return finish("distances");
}
