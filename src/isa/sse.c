/* SPDX-License-Identifier: MIT */
/* The vocabulary in SSE2, the baseline of x86: 4 lanes. */
#define ISA sse
#define WIDTH 4
#define REGISTERS 16
#include "isa/isa.h"

#include <simde/x86/sse2.h>

#include <string.h>

#if !defined(ABUT_EMULATED) && !defined(SIMDE_X86_SSE2_NATIVE)
#error "compile isa/sse.c for x86 with SSE2, or with ABUT_EMULATED"
#endif

typedef simde__m128 v;
typedef simde__m128 m;
struct sticky {
    m ok, near, signs;
    v most;
};

static inline v v_load(const float *at)
{
    return simde_mm_loadu_ps(at);
}
static inline v v_load_aligned(const float *at)
{
    return simde_mm_load_ps(at);
}
static inline v v_keep(v a)
{
    return a;
}
static inline v v_set1(float x)
{
    return simde_mm_set1_ps(x);
}
static inline void v_store(float *to, v a)
{
    simde_mm_storeu_ps(to, a);
}
static inline v v_add(v a, v b)
{
    return simde_mm_add_ps(a, b);
}
static inline v v_sub(v a, v b)
{
    return simde_mm_sub_ps(a, b);
}
static inline v v_mul(v a, v b)
{
    return simde_mm_mul_ps(a, b);
}
static inline v v_div(v a, v b)
{
    return simde_mm_div_ps(a, b);
}
static inline v v_fma(v a, v b, v c)
{
    return simde_mm_add_ps(simde_mm_mul_ps(a, b), c);
}
static inline v v_fnma(v a, v b, v c)
{
    return simde_mm_sub_ps(c, simde_mm_mul_ps(a, b));
}
static inline v v_min(v a, v b)
{
    return simde_mm_min_ps(a, b);
}
static inline v v_max(v a, v b)
{
    return simde_mm_max_ps(a, b);
}
static inline v v_abs(v a)
{
    return simde_mm_andnot_ps(simde_mm_set1_ps(-0.0f), a);
}
static inline v v_min_abs(v least, v a)
{
    return v_min(v_abs(a), least);
}
static inline v v_max_abs(v a, v b, v c)
{
    return v_max(v_max(v_abs(a), v_abs(b)), v_abs(c));
}
static inline v v_sqrt(v a)
{
    return simde_mm_sqrt_ps(a);
}
static inline float v_least(v a)
{
    v two = v_min(a, simde_mm_movehl_ps(a, a));
    return simde_mm_cvtss_f32(v_min(two, simde_mm_shuffle_ps(two, two, 1)));
}
static inline v v_select(m mask, v a, v b)
{
    return simde_mm_or_ps(simde_mm_and_ps(mask, a), simde_mm_andnot_ps(mask, b));
}

/*
 * SSE2 has no shuffle by a variable. Two lanes are one little-endian integer: a shift drops the first lane, and the
 * high two lanes overwrite the rest. For each set of lanes: the shifts of the low and the high two, the bytes of the
 * low two that stay, and the number of lanes that stay.
 */
static inline unsigned v_compress(void *to, const void *from, uint64_t lanes)
{
#define SHIFT(two) ((two) == 2 ? 32 : 0)
#define COUNT(two) (((two)&1) + ((two) >> 1))
#define WAY(low, high)                                                                                                 \
    {                                                                                                                  \
        SHIFT(low), SHIFT(high), 4 * COUNT(low), COUNT(low) + COUNT(high)                                              \
    }
#define WAYS(high) WAY(0, high), WAY(1, high), WAY(2, high), WAY(3, high)
    static const struct {
        uint8_t low, high, low_bytes, count;
    } ways[] = {WAYS(0), WAYS(1), WAYS(2), WAYS(3)};
#undef WAYS
#undef WAY
#undef COUNT
#undef SHIFT
    uint64_t low, high;
    memcpy(&low, from, sizeof low);
    memcpy(&high, (const char *)from + sizeof low, sizeof high);
    low >>= ways[lanes].low;
    high >>= ways[lanes].high;
    memcpy(to, &low, sizeof low);
    memcpy((char *)to + ways[lanes].low_bytes, &high, sizeof high);
    return ways[lanes].count;
}

static inline m m_all(void)
{
    return simde_mm_castsi128_ps(simde_mm_set1_epi32(-1));
}
static inline m m_none(void)
{
    return simde_mm_setzero_ps();
}
static inline m m_lt(v a, v b)
{
    return simde_mm_cmplt_ps(a, b);
}
static inline m m_le(v a, v b)
{
    return simde_mm_cmple_ps(a, b);
}
static inline m m_eq(v a, v b)
{
    return simde_mm_cmpeq_ps(a, b);
}
/* m_bits takes the sign of each lane. */
static inline m m_negative(v a)
{
    return a;
}
/* As signed integers, the bits of -0 and of negative finite floats are below those of -infinity. */
static inline m m_and(m a, m b)
{
    return simde_mm_and_ps(a, b);
}
static inline m m_both(m a, m b)
{
    return m_and(a, b);
}
static inline m m_or(m a, m b)
{
    return simde_mm_or_ps(a, b);
}
static inline m m_andnot(m a, m b)
{
    return simde_mm_andnot_ps(b, a);
}
static inline uint64_t m_bits(m a)
{
    return (uint64_t)(uint32_t)simde_mm_movemask_ps(a);
}
static inline v v_apart(v x, v y)
{
    simde__m128i shifted_y = simde_mm_sub_epi32(simde_mm_castps_si128(y), simde_mm_set1_epi32((int)ULPS));
    return simde_mm_castsi128_ps(simde_mm_sub_epi32(simde_mm_castps_si128(x), shifted_y));
}
/* SSE2 compares signed integers only: adding the least one maps unsigned order to signed order. */
static inline simde__m128i as_signed(v a)
{
    return simde_mm_add_epi32(simde_mm_castps_si128(a), simde_mm_set1_epi32(INT32_MIN));
}
static inline m m_near(v a, v limit)
{
    simde__m128i above = simde_mm_add_epi32(as_signed(limit), simde_mm_set1_epi32(1));
    return simde_mm_castsi128_ps(simde_mm_cmplt_epi32(as_signed(a), above));
}

static inline struct sticky sticky_start(void)
{
    return (struct sticky){m_all(), m_none(), m_none(), v_set1(0)};
}
static inline struct sticky sticky_nonneg(struct sticky g, v e)
{
    g.ok = m_and(g.ok, m_le(simde_mm_setzero_ps(), e));
    g.most = v_max(g.most, e);
    return g;
}
static inline v sticky_most(struct sticky g)
{
    return g.most;
}
static inline struct sticky sticky_both_nonneg(struct sticky g, v a, v b)
{
    g.signs = simde_mm_or_ps(g.signs, simde_mm_or_ps(a, b));
    return g;
}
static inline struct sticky sticky_near(struct sticky g, v a, v limit)
{
    g.near = m_or(g.near, m_near(a, limit));
    return g;
}
INLINE m sticky_fine(struct sticky g)
{
    return m_andnot(g.ok, m_or(g.near, g.signs));
}
INLINE bool sticky_ok(struct sticky g)
{
    return m_bits(sticky_fine(g)) == 0xf;
}

#include "batch/instantiate.h"
