/* SPDX-License-Identifier: MIT */
/* Tests functions around the predicates: axes from quaternions, affine boxes, contacts. */
#include "api/sets.h"
#include "batches.h"
#include "exact/resolve.h"
#include "options.h"
#include "report.h"
#include <abut/index.h>
#include <abut/shapes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t random_pairs(struct random *random, struct abut_pair *pairs, unsigned sides)
{
    size_t n = 0;
    for (uint32_t a = 0; a < sides; a++)
        for (uint32_t b = 0; b < sides; b++)
            if (random_below(random, 2) == 0)
                pairs[n++] = (struct abut_pair){a * 0x3fffffff, b * 0x3fffffff};
    return n;
}

static bool holds(const struct abut_pair *pairs, size_t n, struct abut_pair pair)
{
    for (size_t i = 0; i < n; i++)
        if (pairs[i].a == pair.a && pairs[i].b == pair.b)
            return true;
    return false;
}

/* The list holds those pairs of `of` that are, or are not, in `other`, in the order of `of`. */
static void check_list(const char *name, const struct abut_pair *of, size_t n_of, const struct abut_pair *other,
                       size_t n_other, bool in_other, const struct abut_pair *list, size_t n, size_t capacity)
{
    size_t found = 0;
    for (size_t i = 0; i < n_of; i++) {
        if (holds(other, n_other, of[i]) != in_other)
            continue;
        check_that(found >= capacity || memcmp(&list[found], &of[i], sizeof *list) == 0, "contacts: %s, pair %zu", name,
                   found);
        found++;
    }
    check_that(found == n, "contacts: %zu %s, not %zu", n, name, found);
}

static void check_contacts(struct random *random)
{
    enum { SIDES = 4, MOST_PAIRS = SIDES * SIDES };
    struct abut_pair before[MOST_PAIRS], now[MOST_PAIRS], began[MOST_PAIRS + 1], kept[MOST_PAIRS + 1],
        ended[MOST_PAIRS + 1];
    size_t n_before = random_pairs(random, before, random_below(random, SIDES + 1));
    size_t n_now = random_pairs(random, now, random_below(random, SIDES + 1)),
           capacity = random_below(random, MOST_PAIRS + 1);
    struct abut_contacts contacts = {began, kept, ended, capacity, 9, 9, 9};
    began[capacity].a = kept[capacity].a = ended[capacity].a = 77;
    CHECK(abut_find_contacts(before, n_before, now, n_now, &contacts) == ABUT_OK);
    CHECK(began[capacity].a == 77 && kept[capacity].a == 77 && ended[capacity].a == 77);
    check_list("began", now, n_now, before, n_before, false, began, contacts.n_began, capacity);
    check_list("kept", now, n_now, before, n_before, true, kept, contacts.n_kept, capacity);
    check_list("ended", before, n_before, now, n_now, false, ended, contacts.n_ended, capacity);
    struct abut_contacts counts = {.capacity = capacity};
    CHECK(abut_find_contacts(before, n_before, now, n_now, &counts) == ABUT_OK && counts.n_began == contacts.n_began &&
          counts.n_kept == contacts.n_kept && counts.n_ended == contacts.n_ended);
    CHECK(abut_find_contacts(NULL, 1, now, n_now, &counts) == ABUT_ERROR_NULL);
    CHECK(abut_find_contacts(NULL, 0, NULL, 0, &counts) == ABUT_OK &&
          counts.n_began + counts.n_kept + counts.n_ended == 0);
}

static void check_quaternions(struct random *random)
{
    float memory[9];
    float *axes[9];
    for (unsigned k = 0; k < 9; k++)
        axes[k] = &memory[k];
    float *const quaternions[4] = {axes[0], axes[1], axes[2], axes[3]};
    for (unsigned k = 0; k < 4; k++)
        memory[k] = random_between(random, -1, 1);
    CHECK(abut_obbs_axes_from_quaternions(1, quaternions, axes) == ABUT_OK);
    const float one[] = {1}, zero[] = {0};
    const struct abut_obbs box = {1,       zero,    zero,    zero,    one,     one,     one,     axes[0],
                                  axes[1], axes[2], axes[3], axes[4], axes[5], axes[6], axes[7], axes[8]};
    CHECK(abut_check_obbs(&box, NULL) == ABUT_OK);
    float handed = memory[0] * (memory[4] * memory[8] - memory[5] * memory[7]) +
                   memory[1] * (memory[5] * memory[6] - memory[3] * memory[8]) +
                   memory[2] * (memory[3] * memory[7] - memory[4] * memory[6]);
    CHECK(handed > 0.999f);
    /* x y z w, of any length: a quarter turn about z takes x to y. */
    memory[0] = memory[1] = 0;
    memory[2] = memory[3] = 5;
    CHECK(abut_obbs_axes_from_quaternions(1, quaternions, axes) == ABUT_OK && memory[1] == 1 && memory[3] == -1 &&
          memory[8] == 1 && fabsf(memory[0]) < 1e-6f);
    memset(memory, 0, sizeof memory);
    CHECK(abut_obbs_axes_from_quaternions(1, quaternions, axes) == ABUT_OK);
    for (unsigned k = 0; k < 9; k++) {
        uint32_t bits;
        memcpy(&bits, &memory[k], sizeof bits);
        check_that(bits == 0x7fc00000, "a zero quaternion gives %08x", bits);
    }
    CHECK(abut_obbs_axes_from_quaternions(1, NULL, axes) == ABUT_ERROR_NULL);
    CHECK(abut_obbs_axes_from_quaternions(ABUT_MAX_ITEMS + 1, quaternions, axes) == ABUT_ERROR_TOO_MANY);
}

/* A rotation, other scales along the edges, and a translation, in both conventions: corners stay corners. */
static void check_affine(struct random *random)
{
    float rotation[9], quaternion[4], m[4][4] = {{0}}, turned[4][4], box[15], other[15], scale[3];
    float *axes[9];
    const float min[3] = {-1, 0, 2}, max[3] = {1, 3, 2.5f};
    for (unsigned k = 0; k < 9; k++)
        axes[k] = &rotation[k];
    for (unsigned k = 0; k < 4; k++)
        quaternion[k] = random_between(random, -1, 1);
    float *const quaternions[4] = {&quaternion[0], &quaternion[1], &quaternion[2], &quaternion[3]};
    CHECK(abut_obbs_axes_from_quaternions(1, quaternions, axes) == ABUT_OK);
    for (unsigned j = 0; j < 3; j++) {
        scale[j] = random_between(random, 0.5f, 20) * (random_below(random, 2) == 0 ? 1.0f : -1.0f);
        for (unsigned k = 0; k < 3; k++)
            m[k][j] = scale[j] * rotation[3 * j + k];
        m[j][3] = random_between(random, -100, 100);
    }
    m[3][3] = 1;
    for (unsigned k = 0; k < 16; k++)
        turned[k % 4][k / 4] = m[k / 4][k % 4];
    CHECK(abut_obb_from_affine(&m[0][0], ABUT_COLUMN_VECTORS, min, max, box));
    CHECK(abut_obb_from_affine(&turned[0][0], ABUT_ROW_VECTORS, min, max, other));
    CHECK(memcmp(box, other, sizeof box) == 0);
    for (unsigned corner = 0; corner < 8; corner++) {
        double p[3] = {m[0][3], m[1][3], m[2][3]};
        for (unsigned j = 0; j < 3; j++)
            for (unsigned k = 0; k < 3; k++)
                p[k] += (double)m[k][j] * (double)(corner >> j & 1 ? max[j] : min[j]);
        for (unsigned j = 0; j < 3; j++) {
            double along = 0, half = fabs((double)scale[j]) * (max[j] - min[j]) / 2;
            for (unsigned k = 0; k < 3; k++)
                along += (p[k] - (double)box[k]) * (double)box[6 + 3 * j + k];
            check_that(fabs(fabs(along) - half) < 1e-4 && fabs((double)box[3 + j] - half) < 1e-4,
                       "affine: a corner is %g along axis %u, not %g", along, j, half);
        }
    }
    const float above[3] = {0x1p-149f, 0, 0}, tiny[4][4] = {{0.25f}, {0, 0.25f}, {0, 0, 0.25f}, {0, 0, 0, 1}};
    CHECK(abut_obb_from_affine(&tiny[0][0], ABUT_COLUMN_VECTORS, (const float[3]){0}, above, other));
    CHECK(!abut_obb_from_affine(&tiny[0][0], ABUT_COLUMN_VECTORS, above, (const float[3]){0}, other));
    /* An index accepts every OBB made here, however close its shear to the limit. */
    const double shear = 1e-3 * (1 + 1e-6 * (double)random_between(random, -1, 1));
    float sheared[4][4] = {{0}, {0}, {0}, {0, 0, 0, 1}};
    for (unsigned k = 0; k < 3; k++) {
        sheared[k][0] = rotation[k];
        sheared[k][1] = (float)((double)rotation[3 + k] + shear * (double)rotation[k]);
        sheared[k][2] = rotation[6 + k];
    }
    if (abut_obb_from_affine(&sheared[0][0], ABUT_COLUMN_VECTORS, min, max, other)) {
        const float *o = other;
        const struct abut_obbs one = {1,     &o[0], &o[1], &o[2],  &o[3],  &o[4],  &o[5],  &o[6],
                                      &o[7], &o[8], &o[9], &o[10], &o[11], &o[12], &o[13], &o[14]};
        CHECK(abut_check_obbs(&one, NULL) == ABUT_OK);
    }
    const float inverted[3] = {-2, 0, 2}, endless[3] = {INFINITY, 3, 3};
    memset(other, 0, sizeof other);
    CHECK(!abut_obb_from_affine(&m[0][0], ABUT_COLUMN_VECTORS, min, inverted, other));
    CHECK(!abut_obb_from_affine(&m[0][0], ABUT_COLUMN_VECTORS, min, endless, other));
    CHECK(!abut_obb_from_affine(&m[0][0], ABUT_ROW_VECTORS, min, max, other)); /* its translation is elsewhere */
    for (unsigned k = 0; k < 3; k++)
        m[k][0] += 0.01f * m[k][1] / scale[1] * scale[0];
    CHECK(!abut_obb_from_affine(&m[0][0], ABUT_COLUMN_VECTORS, min, max, other)); /* shears */
    m[0][0] = m[1][0] = m[2][0] = 0;
    CHECK(!abut_obb_from_affine(&m[0][0], ABUT_COLUMN_VECTORS, min, max, other)); /* flattens */
    CHECK(other[0] == 0 && other[14] == 0);
}

/* A row as a user may have it. */
struct ball {
    char name[3];
    double at[3], radius;
};

/*
 * Differences of small integers and multiples of 2^-40 are exact in long double, which has 64 bits on x86-64 and 113 on
 * AArch64: what they round to, in each direction, is known.
 */
static void check_gather(struct random *random)
{
    enum { N = 40 };
    struct ball balls[N];
    float columns[3][N], *const at[3] = {columns[0], columns[1], columns[2]};
    const double origin[3] = {5600000, -0x1p30, random_below(random, 2) == 0 ? 0 : 0x1p-30};
    for (size_t i = 0; i < N; i++)
        for (unsigned k = 0; k < 3; k++)
            balls[i].at[k] = origin[k] +
                             ldexp((double)(random_next(random) >> 33), -38 + (int)random_below(random, 9)) -
                             (double)random_below(random, 3);
    for (enum abut_round round = ABUT_ROUND_NEAREST; round <= ABUT_ROUND_UP; round++) {
        double greatest = -1, most = 0;
        CHECK(abut_gather_doubles(N, balls[0].at, sizeof *balls, 3, origin, round, at, &greatest) == ABUT_OK);
        for (size_t i = 0; i < N; i++)
            for (unsigned k = 0; k < 3; k++) {
                const long double exact = (long double)balls[i].at[k] - (long double)origin[k];
                const float x = columns[k][i];
                const long double off = (long double)x - exact;
                const float below = nextafterf(x, -INFINITY), above = nextafterf(x, INFINITY);
                CHECK(round != ABUT_ROUND_DOWN || (off <= 0 && (long double)above > exact));
                CHECK(round != ABUT_ROUND_UP || (off >= 0 && (long double)below < exact));
                CHECK(round != ABUT_ROUND_NEAREST ||
                      (fabsl(off) <= (long double)above - exact && fabsl(off) <= exact - (long double)below));
                most = fmax(most, (double)fabsl(off));
            }
        check_that(greatest == most, "gathering: the greatest rounding is %g, not %g", greatest, most);
    }
}

static void check_gather_limits(void)
{
    const double rows[] = {NAN, INFINITY, 1e300, -0.0, 0.1};
    const float floats[] = {1, 2, 3, 4};
    float column[5], other[2], *const one[1] = {column}, *const two[2] = {column, other}, *const none[2] = {column};
    double greatest = -1;
    const size_t stride = sizeof *rows;
    CHECK(abut_gather_doubles(5, rows, stride, 1, NULL, ABUT_ROUND_NEAREST, one, &greatest) == ABUT_OK);
    CHECK(isnan(column[0]) && column[1] == INFINITY && column[2] == INFINITY && column[3] == 0 && column[4] == 0.1f);
    CHECK(greatest == INFINITY);
    CHECK(abut_gather_doubles(1, rows + 4, stride, 1, NULL, ABUT_ROUND_DOWN, one, &greatest) == ABUT_OK);
    CHECK(column[0] < 0.1f && (double)column[0] < 0.1 && greatest == 0.1 - (double)column[0]);
    CHECK(abut_gather_floats(2, floats, 2 * sizeof *floats, 2, (const double[]){1, -1}, ABUT_ROUND_UP, two, NULL) ==
          ABUT_OK);
    CHECK(column[0] == 0 && other[0] == 3 && column[1] == 2 && other[1] == 5);
    CHECK(abut_gather_floats(0, NULL, 4, 1, NULL, ABUT_ROUND_UP, none, &greatest) == ABUT_OK && greatest == 0);
    CHECK(abut_gather_floats(1, NULL, 4, 1, NULL, ABUT_ROUND_UP, one, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_gather_floats(1, floats, 4, 1, NULL, ABUT_ROUND_UP, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_gather_floats(1, floats, 4, 2, NULL, ABUT_ROUND_UP, none, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_gather_floats(1, floats, 4, 0, NULL, ABUT_ROUND_UP, one, NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_gather_floats(1, floats, 4, 33, NULL, ABUT_ROUND_UP, one, NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_gather_floats(1, floats, 4, 1, NULL, (enum abut_round)3, one, NULL) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_gather_floats(ABUT_MAX_ITEMS + 1, floats, 4, 1, NULL, ABUT_ROUND_UP, one, NULL) == ABUT_ERROR_TOO_MANY);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 12, .rounds = 500});
    struct random random = {options.seed};
    for (unsigned round = 0; round < options.rounds; round++) {
        check_contacts(&random);
        check_quaternions(&random);
        check_affine(&random);
        check_gather(&random);
    }
    check_gather_limits();
    return finish("shapes");
}
