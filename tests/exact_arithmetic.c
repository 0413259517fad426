/* SPDX-License-Identifier: MIT */
/* Tests the number types of the later stages on random polynomials of float32 values, against rationals. */
#include "exact/bounded.h"
#include "exact/dyadic.h"

#include "report.h"

#include <float.h>
#include <gmp.h>

/* One value in each arithmetic. */
struct value {
    struct dyadic dyadic;
    struct compact compact;
    struct bounded bounded;
    mpq_t exact;
    int degree;
};

static float leaf(struct random *random)
{
    static const float special[] = {0, -0.0f, 1, -1, FLT_MAX, -FLT_MAX, FLT_MIN, 0x1p-149f, -0x1p-149f};
    switch (random_below(random, 4)) {
    case 0:
        return special[random_below(random, sizeof special / sizeof *special)];
    case 1:
        return (float)random_below(random, 65) - 32;
    case 2:
        return random_between(random, -1, 1);
    default: {
        const int exponent = (int)random_below(random, 277) - 149;
        float x = ldexpf(random_between(random, 1, 2), exponent);
        return isinf(x) ? FLT_MAX : x;
    }
    }
}

static void set_leaf(struct value *v, struct random *random)
{
    float x = leaf(random);
    v->dyadic = dyadic_of(x);
    v->compact = compact_of(x);
    v->bounded = bounded_of(x);
    mpq_set_d(v->exact, (double)x);
    v->degree = 1;
}

/* a = a op b, where the degree allows it. */
static void combine(struct value *a, const struct value *b, unsigned operation)
{
    if (operation == 0 && a->degree + b->degree <= 8) {
        a->dyadic = dyadic_mul(a->dyadic, b->dyadic);
        a->compact = compact_mul(a->compact, b->compact);
        a->bounded = bounded_mul(a->bounded, b->bounded);
        mpq_mul(a->exact, a->exact, b->exact);
        a->degree += b->degree;
    } else if (operation == 1) {
        a->dyadic = dyadic_add(a->dyadic, b->dyadic);
        a->compact = compact_add(a->compact, b->compact);
        a->bounded = bounded_add(a->bounded, b->bounded);
        mpq_add(a->exact, a->exact, b->exact);
    } else {
        a->dyadic = dyadic_sub(a->dyadic, b->dyadic);
        a->compact = compact_sub(a->compact, b->compact);
        a->bounded = bounded_sub(a->bounded, b->bounded);
        mpq_sub(a->exact, a->exact, b->exact);
    }
    a->degree = a->degree > b->degree ? a->degree : b->degree;
}

static void limbs_to_mpq(mpq_t result, int sign, int low, int n, const uint32_t *limbs)
{
    mpq_t limb;
    mpq_init(limb);
    mpq_set_ui(result, 0, 1);
    for (int i = 0; i < n; i++) {
        mpq_set_ui(limb, limbs[i], 1);
        int shift = 32 * (low + i);
        if (shift >= 0)
            mpq_mul_2exp(limb, limb, (mp_bitcnt_t)shift);
        else
            mpq_div_2exp(limb, limb, (mp_bitcnt_t)-shift);
        mpq_add(result, result, limb);
    }
    if (sign < 0)
        mpq_neg(result, result);
    mpq_clear(limb);
}

static void check_value(const struct value *v, uint64_t seed, unsigned round)
{
    mpq_t number, bound;
    mpq_inits(number, bound, NULL);
    limbs_to_mpq(number, v->dyadic.sign, v->dyadic.low, v->dyadic.n, v->dyadic.limb);
    check_that(mpq_equal(number, v->exact) && dyadic_sign(v->dyadic) == mpq_sgn(v->exact),
               "dyadic: polynomial %u of degree %d is not exact; seed %llu", round, v->degree,
               (unsigned long long)seed);
    if (compact_sign(v->compact) != SIGN_UNKNOWN) {
        limbs_to_mpq(number, v->compact.sign, v->compact.low, v->compact.n, v->compact.limb);
        check_that(mpq_equal(number, v->exact) && compact_sign(v->compact) == mpq_sgn(v->exact),
                   "compact: polynomial %u of degree %d is not exact; seed %llu", round, v->degree,
                   (unsigned long long)seed);
    }
    int sign = bounded_sign(v->bounded);
    check_that(sign == SIGN_UNKNOWN || sign == mpq_sgn(v->exact),
               "bounded: polynomial %u: sign %d, in truth %d; seed %llu", round, sign, mpq_sgn(v->exact),
               (unsigned long long)seed);
    if (isfinite(v->bounded.value) && isfinite(v->bounded.error)) {
        mpq_set_d(number, v->bounded.value);
        mpq_sub(number, number, v->exact);
        mpq_abs(number, number);
        mpq_set_d(bound, v->bounded.error);
        check_that(mpq_cmp(number, bound) <= 0, "bounded: polynomial %u: %a is wrong by more than %a; seed %llu", round,
                   v->bounded.value, v->bounded.error, (unsigned long long)seed);
    }
    mpq_clears(number, bound, NULL);
}

/* With denormals read as zero, signs and limbs agree: limbs with sign 0 would be written out of bounds. */
static void check_denormals_read_as_zero(void)
{
#ifdef __SSE2_MATH__
    volatile float least = 0x1p-149f, greatest = -0x1.fffffcp-127f, zero = -0.0f;
    const unsigned usual = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(usual | 0x8040);
    const struct dyadic a = dyadic_of(least), b = dyadic_of(greatest), c = dyadic_of(zero);
    __builtin_ia32_ldmxcsr(usual);
    CHECK(a.sign == 1 && a.n > 0 && b.sign == -1 && b.n > 0 && c.sign == 0 && c.n == 0);
#endif
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 4, .rounds = 60000});
    struct random random = {options.seed};
    enum { TERMS = 6 };
    static struct value values[TERMS];
    uint64_t known = 0, fit = 0;
    for (unsigned i = 0; i < TERMS; i++)
        mpq_init(values[i].exact);
    for (unsigned round = 0; round < options.rounds; round++) {
        for (unsigned i = 0; i < TERMS; i++)
            set_leaf(&values[i], &random);
        for (unsigned step = 0; step < 10; step++) {
            struct value *value = &values[random_below(&random, TERMS)], *other = &values[random_below(&random, TERMS)];
            combine(value, other, random_below(&random, 3));
        }
        for (unsigned i = 0; i < TERMS; i++) {
            check_value(&values[i], options.seed, round);
            known += bounded_sign(values[i].bounded) != SIGN_UNKNOWN;
            fit += compact_sign(values[i].compact) != SIGN_UNKNOWN;
        }
    }
    check_that(known > options.rounds * TERMS / 2, "bounded: only %llu signs are known", (unsigned long long)known);
    check_that(fit > options.rounds * TERMS / 2 && fit < options.rounds * TERMS, "compact: %llu numbers fit",
               (unsigned long long)fit);
    for (unsigned i = 0; i < TERMS; i++)
        mpq_clear(values[i].exact);
    check_denormals_read_as_zero();
    return finish("exact");
}
