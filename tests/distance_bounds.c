/* SPDX-License-Identifier: MIT */
/* Tests the scalar distances against rational arithmetic: the error stays within the documented bounds. */
#include "distance_oracle.h"
#include "report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const struct isa abut_kernels_scalar;

struct answer_of {
    float d2, at[3];
};

static struct answer_of compute(enum distance_kind kind, const float *p, const float *b)
{
    const float *at_p[3], *at_b[ABUT_MAX_FIELDS];
    for (unsigned k = 0; k < 3; k++)
        at_p[k] = &p[k];
    for (unsigned k = 0; k < ABUT_MAX_FIELDS; k++)
        at_b[k] = &b[k];
    struct answer_of answer;
    const struct distance_args args = {at_p, at_b, 1, {&answer.d2, &answer.at[0], &answer.at[1], &answer.at[2]}};
    abut_kernels_scalar.distances[kind].zip(&args);
    return answer;
}

static double floor_of(const struct truth *truth)
{
    return truth->greatest > 0x1p60 ? 0x1p-50 * truth->greatest : 0x1p-60;
}

/* The sign of (true distance - x). */
static int compare(const struct truth *truth, double x)
{
    mpq_t reach;
    if (x < 0)
        return 1;
    mpq_init(reach);
    mpq_set_d(reach, x);
    if (isfinite(truth->radius)) {
        mpq_t radius;
        mpq_init(radius);
        mpq_set_d(radius, truth->radius);
        mpq_add(reach, reach, radius);
        mpq_clear(radius);
        mpq_mul(reach, reach, reach);
    }
    int sign = isinf(truth->radius) ? -1 : mpq_cmp(truth->core2, reach);
    mpq_clear(reach);
    return sign < 0 && x == 0 ? 0 : sign; /* no distance is below 0 */
}

static bool within(const struct truth *truth, double distance, double error)
{
    return compare(truth, distance + error) <= 0 && compare(truth, distance - error) >= 0;
}

/* Infinity is correct if the true value is within the error bound of FLT_MAX, or larger. */
static bool near_square(const struct truth *truth, float d2)
{
    mpq_t error, off;
    mpq_init(error);
    mpq_init(off);
    mpq_set_d(off, truth->square_factor * 0x1p-24);
    mpq_mul(error, truth->core2, off);
    mpq_set_d(off, 0x1p-148);
    mpq_add(error, error, off);
    mpq_set_d(off, isinf(d2) ? (double)FLT_MAX : (double)d2);
    mpq_sub(off, off, truth->core2);
    if (!isinf(d2))
        mpq_abs(off, off);
    const bool near = mpq_cmp(off, error) <= 0;
    mpq_clear(error);
    mpq_clear(off);
    return near;
}

static double distance_between(const float *p, const float *q)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += ((double)p[k] - (double)q[k]) * ((double)p[k] - (double)q[k]);
    return sqrt(sum);
}

static bool same_point(const struct truth *truth, const float *at)
{
    bool same = true;
    for (int k = 0; k < 3; k++) {
        mpq_t difference, limit;
        /* Infinity is correct if the true value is within the error bound of FLT_MAX, or larger. */
        double got = isinf(at[k]) ? copysign((double)FLT_MAX, (double)at[k]) : (double)at[k];
        mpq_init(difference);
        mpq_init(limit);
        mpq_set_d(difference, got);
        mpq_sub(difference, difference, truth->point[k]);
        if (isinf(at[k]) && mpq_sgn(difference) != (got > 0 ? 1 : -1))
            mpq_set_ui(difference, 0, 1);
        mpq_abs(difference, difference);
        if (truth->point_error > 0)
            mpq_set_d(limit, truth->point_error + floor_of(truth) + 0x1p-23 * fabs(got));
        same &= mpq_cmp(difference, limit) <= 0;
        mpq_clear(difference);
        mpq_clear(limit);
    }
    return same;
}

/* Whether the closest point belongs to the shape and lies at the right distance. */
static bool good_point(const struct distance_subject *subject, const float *p, const float *b, const float *at,
                       const struct truth *truth, double error, struct truth *of_point)
{
    double greatest = fmax(fmax(fabs((double)at[0]), fabs((double)at[1])), fabs((double)at[2]));
    if (truth->has_point)
        return same_point(truth, at);
    if (isinf(greatest)) /* only for planes: the true point must be near overflow or beyond */
        return truth->greatest > 0x1p127;
    error += 0x1p-23 * greatest;
    distance_oracles[subject->kind](at, b, of_point);
    return within(truth, distance_between(p, at), error) && within(of_point, 0, error);
}

/* The least factor of u * length that would have been enough, in steps of 0.25. */
static double factor_needed(const struct truth *truth, double distance)
{
    double factor = 0;
    while (!within(truth, distance, factor * 0x1p-24 * truth->length + floor_of(truth)) && factor < truth->factor)
        factor += 0.25;
    return factor;
}

static void check_pair(const struct distance_subject *subject, enum kind kind, const float *p, const float *b,
                       struct truth truths[2], double *worst)
{
    struct truth *truth = &truths[0];
    struct answer_of answer = compute(subject->kind, p, b);
    distance_oracles[subject->kind](p, b, truth);
    if (truth->invalid) {
        check_that(isnan(answer.d2) && isnan(answer.at[0]) && isnan(answer.at[1]) && isnan(answer.at[2]),
                   "%s, %s input: invalid input is not NaN throughout", subject->name, kind_names[kind]);
        return;
    }
    const double error = truth->factor * 0x1p-24 * truth->length + floor_of(truth);
    const double distance = sqrt((double)answer.d2), most = sqrt((double)FLT_MAX);
    bool good = isinf(answer.d2) ? compare(truth, most - error) >= 0 : within(truth, distance, error);
    good &= truth->square_factor == 0 || near_square(truth, answer.d2);
    bool point = good_point(subject, p, b, answer.at, truth, error, &truths[1]);
    if (!check_that(good && point, "%s, %s input: d2 = %a, closest %a %a %a%s%s", subject->name, kind_names[kind],
                    (double)answer.d2, (double)answer.at[0], (double)answer.at[1], (double)answer.at[2],
                    good ? "" : ": d2 is wrong", point ? "" : ": the point is wrong"))
        print_pair(subject->pairs, p, b);
    if (good && isfinite(answer.d2) && truth->length > 0)
        *worst = fmax(*worst, factor_needed(truth, distance));
}

/* Makes the points of b nearly collinear: the worst case of segments and triangles. */
static void make_needle(struct random *random, const struct shape_info *info, float *p, float *b)
{
    const float width = ldexpf(1, -(int)random_below(random, 30)), far = ldexpf(1, (int)random_below(random, 20) - 5);
    float from[3], along[3];
    for (unsigned k = 0; k < 3; k++) {
        from[k] = random_below(random, 2) == 0 ? 0 : random_between(random, -100, 100);
        along[k] = random_between(random, -1, 1);
        p[k] = from[k] + far * random_between(random, -1, 1);
    }
    for (unsigned k = 0; k + 3 <= info->fields; k += 3) {
        float t = random_between(random, -1, 1);
        for (unsigned i = 0; i < 3; i++)
            b[k + i] = from[i] + t * along[i] + width * random_between(random, -1, 1);
    }
}

/* Makes planes whose distance is near FLT_MAX or beyond, though d is less. */
static void make_far_plane(struct random *random, float *p, float *b)
{
    const float size = ldexpf(1, -(int)random_below(random, 4)), most = 0x1.fffffep127f;
    for (unsigned k = 0; k < 3; k++) {
        p[k] = most * random_between(random, -1, 1);
        b[k] = size * random_between(random, -1, 1);
    }
    b[3] = most * random_between(random, -1, 1);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 22, .rounds = 1500});
    static struct truth truths[2];
    for (int t = 0; t < 2; t++) {
        mpq_init(truths[t].core2);
        for (int k = 0; k < 3; k++)
            mpq_init(truths[t].point[k]);
    }
    for (unsigned n = 0; n < distance_count; n++) {
        const struct distance_subject *subject = &distance_subjects[n];
        const struct shape_info *info = shape_info(subject->shape_b);
        const bool of_vertices = info->roles[info->fields - 1] == ROLE_COORDINATE && info->fields > 3;
        double worst = 0;
        for (enum kind kind = 0; kind < kind_tangent_worst; kind++) {
            struct random random = {options.seed + 100 * n + kind};
            for (unsigned i = 0; i < options.rounds; i++) {
                float a[ABUT_MAX_FIELDS], b[ABUT_MAX_FIELDS];
                make_any_pair(subject->pairs, kind, &random, a, b);
                if (of_vertices && kind == kind_uniform && i % 2 == 0)
                    make_needle(&random, info, a, b);
                if (subject->shape_b == shape_plane && kind == kind_uniform && i % 2 == 0)
                    make_far_plane(&random, a, b);
                check_pair(subject, kind, a, b, truths, &worst);
            }
        }
        printf("%s: %g of %g u\n", subject->name, worst, truths[0].factor);
    }
    return finish("distance bounds");
}
