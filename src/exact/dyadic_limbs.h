/* SPDX-License-Identifier: MIT */
/*
 * Integers times a power of two in DYADIC_LIMBS limbs, a type named DYADIC. No include guard: each inclusion makes
 * another type (dyadic.h).
 */
#define D_(kind, operation) kind##_##operation
#define D__(kind, operation) D_(kind, operation)
#define D(operation) D__(DYADIC, operation)

/*
 * sign * sum of limb[i] * 2^(32 (low + i)), i < n; zero has sign 0 and n 0. Limbs from n on are not set. A value that
 * does not fit in DYADIC_LIMBS has the sign SIGN_UNKNOWN and no limbs.
 */
struct DYADIC {
    int sign, low, n;
    uint32_t limb[DYADIC_LIMBS];
};

static inline void D(trim)(struct DYADIC *x)
{
    int zeros = 0;
    while (x->n > 0 && x->limb[x->n - 1] == 0)
        x->n--;
    while (zeros < x->n && x->limb[zeros] == 0)
        zeros++;
    if (zeros > 0) {
        x->n -= zeros;
        x->low += zeros;
        for (int i = 0; i < x->n; i++)
            x->limb[i] = x->limb[i + zeros];
    }
    if (x->n == 0)
        x->sign = 0;
}

/* x must be finite. */
static inline struct DYADIC D(of)(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* x = mantissa * 2^(shift - 160); subnormals have the exponent of the least normal floats, and no leading bit. */
    const uint32_t exponent = bits >> 23 & 255, shift = (exponent > 0 ? exponent : 1) + 10;
    const uint64_t mantissa = (uint64_t)((bits & 0x7fffff) | (uint32_t)(exponent > 0) << 23) << shift % 32;
    const uint32_t limb[2] = {(uint32_t)mantissa, (uint32_t)(mantissa >> 32)};
    const int zeros = limb[0] == 0;
    struct DYADIC r;
    /* Not by comparing x: it is 0 in a mode where denormals are zero. Sign and limbs must agree in any mode. */
    r.sign = mantissa == 0 ? 0 : bits >> 31 != 0 ? -1 : 1;
    r.low = (int)(shift / 32) - 5 + zeros;
    r.n = (limb[0] != 0) + (limb[1] != 0);
    r.limb[0] = limb[zeros];
    r.limb[1] = limb[1];
    return r;
}

/* The limb of weight 2^(32 i). */
static inline uint32_t D(limb)(const struct DYADIC *x, int i)
{
    return i < x->low || i >= x->low + x->n ? 0 : x->limb[i - x->low];
}

static inline int D(compare_magnitude)(const struct DYADIC *a, const struct DYADIC *b)
{
    int top_a = a->low + a->n, top_b = b->low + b->n, low = a->low < b->low ? a->low : b->low;
    if (top_a != top_b)
        return top_a < top_b ? -1 : 1;
    for (int i = top_a - 1; i >= low; i--) {
        uint32_t x = D(limb)(a, i), y = D(limb)(b, i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

static inline struct DYADIC D(unknown)(void)
{
    struct DYADIC r;
    r.sign = SIGN_UNKNOWN;
    r.low = r.n = 0;
    return r;
}

static inline struct DYADIC D(negate)(struct DYADIC x)
{
    x.sign = x.sign == SIGN_UNKNOWN ? SIGN_UNKNOWN : -x.sign;
    return x;
}

static inline struct DYADIC D(add)(struct DYADIC a, struct DYADIC b)
{
    if (a.sign == 0)
        return b;
    if (b.sign == 0)
        return a;
    if (a.sign == SIGN_UNKNOWN || b.sign == SIGN_UNKNOWN)
        return D(unknown)();
    if (D(compare_magnitude)(&a, &b) < 0) {
        struct DYADIC larger = b;
        b = a;
        a = larger;
    }
    int low = a.low < b.low ? a.low : b.low;
    struct DYADIC r;
    r.sign = a.sign;
    r.low = low;
    r.n = a.low + a.n - low + 1;
    if (r.n > DYADIC_LIMBS)
        return D(unknown)();
    bool subtract = a.sign != b.sign;
    uint64_t carry = 0;
    for (int i = 0; i < r.n; i++) {
        uint64_t x = D(limb)(&a, low + i), y = D(limb)(&b, low + i);
        uint64_t sum = subtract ? x - y - carry : x + y + carry;
        r.limb[i] = (uint32_t)sum;
        carry = (sum >> 32) & 1;
    }
    D(trim)(&r);
    return r;
}

static inline struct DYADIC D(sub)(struct DYADIC a, struct DYADIC b)
{
    return D(add)(a, D(negate)(b));
}

static inline struct DYADIC D(mul)(struct DYADIC a, struct DYADIC b)
{
    struct DYADIC r;
    r.sign = a.sign * b.sign;
    r.low = a.low + b.low;
    r.n = a.n + b.n;
    if (r.sign != 0 && (a.sign == SIGN_UNKNOWN || b.sign == SIGN_UNKNOWN || r.n > DYADIC_LIMBS))
        return D(unknown)();
    memset(r.limb, 0, (size_t)r.n * sizeof *r.limb);
    for (int i = 0; i < a.n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b.n; j++) {
            uint64_t t = (uint64_t)a.limb[i] * b.limb[j] + r.limb[i + j] + carry;
            r.limb[i + j] = (uint32_t)t;
            carry = t >> 32;
        }
        r.limb[i + b.n] = (uint32_t)carry;
    }
    D(trim)(&r);
    return r;
}

/* Unknown if the order of the two is. */
static inline struct DYADIC D(max)(struct DYADIC a, struct DYADIC b)
{
    const struct DYADIC difference = D(sub)(a, b);
    return difference.sign == SIGN_UNKNOWN ? difference : difference.sign > 0 ? a : b;
}

static inline int D(sign)(struct DYADIC x)
{
    return x.sign;
}

#undef D
#undef D__
#undef D_
#undef DYADIC
#undef DYADIC_LIMBS
