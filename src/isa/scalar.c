/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary at width 1, in plain C: the reference, and the fallback of any machine.
 *
 * Words: v is a vector of floats, m a mask of lanes, WIDTH the lanes. v_min(a, b) and v_max(a, b) return b when either is NaN
 * here and on x86, and NaN on NEON; v_fma and v_fnma (c - a b) may round once or twice; compares are ordered, false for NaN.
 * Kernels are right with all of that. v_min_abs(least, a) and v_max_abs(most, a) take |a| against what is >= 0, and where
 * one is NaN may return either. v_select(mask, a, b) is a in the lanes of mask and b in the others, bit for bit.
 * v_compress(to, from, lanes) copies those of WIDTH values of 4 bytes whose bits are set to the front of to, of which it
 * writes WIDTH values, and returns how many they are. A guard gathers whether some lane needs another look: g_need notices
 * e < 0 and NaN, and may notice -0, g_apart x and y within ULPS floats of each other, as m_near does lane by lane; g_ok
 * says that nothing was noticed. With sixteen lanes v_load_halves and v_compress_halves take two halves from two places.
 */
#define ISA scalar
#define WIDTH 1
#include "isa.h"

#include <math.h>
#include <string.h>

typedef float v;
typedef uint32_t m; /* 0 or 1 */
struct guard {
    bool ok;
};

static inline v v_load(const float *at)
{
    return *at;
}
static inline v v_set1(float x)
{
    return x;
}
static inline void v_store(float *to, v a)
{
    *to = a;
}
static inline v v_add(v a, v b)
{
    return a + b;
}
static inline v v_sub(v a, v b)
{
    return a - b;
}
static inline v v_mul(v a, v b)
{
    return a * b;
}
static inline v v_div(v a, v b)
{
    return a / b;
}
static inline v v_fma(v a, v b, v c)
{
    return a * b + c;
}
static inline v v_fnma(v a, v b, v c)
{
    return c - a * b;
}
static inline v v_min(v a, v b)
{
    return a < b ? a : b;
}
static inline v v_max(v a, v b)
{
    return a > b ? a : b;
}
static inline v v_abs(v a)
{
    return fabsf(a);
}
static inline v v_min_abs(v least, v a)
{
    return v_min(v_abs(a), least);
}
static inline v v_max_abs(v most, v a)
{
    return v_max(v_abs(a), most);
}
static inline v v_sqrt(v a)
{
    return sqrtf(a);
}
static inline v v_select(m mask, v a, v b)
{
    return mask ? a : b;
}

static inline unsigned v_compress(void *to, const void *from, uint64_t lanes)
{
    memcpy(to, from, 4);
    return (unsigned)lanes;
}

static inline m m_all(void)
{
    return 1;
}
static inline m m_none(void)
{
    return 0;
}
static inline m m_lt(v a, v b)
{
    return a < b;
}
static inline m m_le(v a, v b)
{
    return a <= b;
}
static inline m m_and(m a, m b)
{
    return a & b;
}
static inline m m_or(m a, m b)
{
    return a | b;
}
static inline m m_andnot(m a, m b)
{
    return a & ~b;
}
static inline uint64_t m_bits(m a)
{
    return a;
}
static inline m m_near(v x, v y)
{
    uint32_t bits_x, bits_y;
    memcpy(&bits_x, &x, sizeof x);
    memcpy(&bits_y, &y, sizeof y);
    return bits_x - bits_y + ULPS <= 2 * ULPS;
}

static inline struct guard g_start(void)
{
    return (struct guard){true};
}
static inline struct guard g_need(struct guard g, v e)
{
    return (struct guard){g.ok & (e >= 0)};
}
static inline struct guard g_apart(struct guard g, v x, v y)
{
    return (struct guard){g.ok & !m_near(x, y)};
}
static inline bool g_ok(struct guard g)
{
    return g.ok;
}

#include "../instantiate.h"
