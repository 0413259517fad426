/* SPDX-License-Identifier: MIT */
/* The vocabulary in AArch64's NEON: 4 lanes. (32-bit NEON flushes denormals and cannot be used.) */
#define ISA neon
#define WIDTH 4
#define REGISTERS 32
#include "isa/isa.h"

#include <simde/arm/neon.h>

#include <math.h>

#if !defined(ABUT_EMULATED) && !defined(SIMDE_ARM_NEON_A64V8_NATIVE)
#error "compile isa/neon.c for AArch64, or with ABUT_EMULATED"
#endif

typedef simde_float32x4_t v;
typedef simde_uint32x4_t m;
struct sticky {
    m need, near, limit, signs;
};

static inline v v_load(const float *at)
{
    return simde_vld1q_f32(at);
}
static inline v v_load_aligned(const float *at)
{
    return v_load(at);
}
static inline v v_keep(v a)
{
    return a;
}
static inline v v_set1(float x)
{
    return simde_vdupq_n_f32(x);
}
static inline void v_store(float *to, v a)
{
    simde_vst1q_f32(to, a);
}
static inline v v_add(v a, v b)
{
    return simde_vaddq_f32(a, b);
}
static inline v v_sub(v a, v b)
{
    return simde_vsubq_f32(a, b);
}
static inline v v_mul(v a, v b)
{
    return simde_vmulq_f32(a, b);
}
static inline v v_div(v a, v b)
{
#ifdef SIMDE_ARM_NEON_A64V8_NATIVE
    return vdivq_f32(a, b); /* SIMDe has none */
#else
    float x[4], y[4];
    simde_vst1q_f32(x, a);
    simde_vst1q_f32(y, b);
    for (unsigned i = 0; i < 4; i++)
        x[i] /= y[i];
    return simde_vld1q_f32(x);
#endif
}
static inline v v_fma(v a, v b, v c)
{
    return simde_vfmaq_f32(c, a, b);
}
static inline v v_fnma(v a, v b, v c)
{
    return simde_vfmaq_f32(c, simde_vnegq_f32(a), b);
}
static inline v v_min(v a, v b)
{
    return simde_vminq_f32(a, b);
}
static inline v v_max(v a, v b)
{
    return simde_vmaxq_f32(a, b);
}
static inline v v_abs(v a)
{
    return simde_vabsq_f32(a);
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
#ifdef SIMDE_ARM_NEON_A64V8_NATIVE
    return vsqrtq_f32(a); /* SIMDe has none */
#else
    float x[4];
    simde_vst1q_f32(x, a);
    for (unsigned i = 0; i < 4; i++)
        x[i] = sqrtf(x[i]);
    return simde_vld1q_f32(x);
#endif
}
static inline float v_least(v a)
{
    return simde_vminvq_f32(a);
}
static inline v v_select(m mask, v a, v b)
{
    return simde_vbslq_f32(mask, a, b);
}

/* For each set of lanes, the indices of their bytes; the remaining indices are arbitrary. */
#define LANE(i) 4 * (i), 4 * (i) + 1, 4 * (i) + 2, 4 * (i) + 3
static const uint8_t fronts[16][16] = {
    {0},
    {LANE(0)},
    {LANE(1)},
    {LANE(0), LANE(1)},
    {LANE(2)},
    {LANE(0), LANE(2)},
    {LANE(1), LANE(2)},
    {LANE(0), LANE(1), LANE(2)},
    {LANE(3)},
    {LANE(0), LANE(3)},
    {LANE(1), LANE(3)},
    {LANE(0), LANE(1), LANE(3)},
    {LANE(2), LANE(3)},
    {LANE(0), LANE(2), LANE(3)},
    {LANE(1), LANE(2), LANE(3)},
    {LANE(0), LANE(1), LANE(2), LANE(3)},
};

static inline unsigned v_compress(void *to, const void *from, uint64_t lanes)
{
    simde_vst1q_u8(to, simde_vqtbl1q_u8(simde_vld1q_u8(from), simde_vld1q_u8(fronts[lanes])));
    return (unsigned)__builtin_popcountll(lanes);
}

static inline m m_all(void)
{
    return simde_vdupq_n_u32(UINT32_MAX);
}
static inline m m_none(void)
{
    return simde_vdupq_n_u32(0);
}
static inline m m_lt(v a, v b)
{
    return simde_vcltq_f32(a, b);
}
static inline m m_le(v a, v b)
{
    return simde_vcleq_f32(a, b);
}
static inline m m_eq(v a, v b)
{
    return simde_vceqq_f32(a, b);
}
static inline m m_negative(v a)
{
    return simde_vcleq_f32(a, simde_vdupq_n_f32(0));
}
/* As signed integers, the bits of -0 and of negative finite floats are below those of -infinity. */
static inline m m_and(m a, m b)
{
    return simde_vandq_u32(a, b);
}
static inline m m_both(m a, m b)
{
    return m_and(a, b);
}
static inline m m_or(m a, m b)
{
    return simde_vorrq_u32(a, b);
}
static inline m m_andnot(m a, m b)
{
    return simde_vbicq_u32(a, b);
}
static inline uint64_t m_bits(m a)
{
    static const uint32_t weights[4] = {1, 2, 4, 8};
    return simde_vaddvq_u32(simde_vandq_u32(a, simde_vld1q_u32(weights)));
}
static inline v v_apart(v x, v y)
{
    simde_uint32x4_t shifted_y = simde_vsubq_u32(simde_vreinterpretq_u32_f32(y), simde_vdupq_n_u32(ULPS));
    return simde_vreinterpretq_f32_u32(simde_vsubq_u32(simde_vreinterpretq_u32_f32(x), shifted_y));
}
static inline m m_near(v a, v limit)
{
    return simde_vcleq_u32(simde_vreinterpretq_u32_f32(a), simde_vreinterpretq_u32_f32(limit));
}

/*
 * The extremes of each lane so far, as integers.
 * The bits of a float that is >= 0, not -0 and not NaN are at most those of infinity, unsigned.
 */
static inline struct sticky sticky_start(void)
{
    return (struct sticky){m_none(), m_all(), m_none(), m_none()};
}
static inline struct sticky sticky_nonneg(struct sticky g, v e)
{
    g.need = simde_vmaxq_u32(g.need, simde_vreinterpretq_u32_f32(e));
    return g;
}
static inline v sticky_most(struct sticky g)
{
    return simde_vreinterpretq_f32_u32(g.need);
}
static inline struct sticky sticky_both_nonneg(struct sticky g, v a, v b)
{
    g.signs = simde_vorrq_u32(g.signs, simde_vorrq_u32(simde_vreinterpretq_u32_f32(a), simde_vreinterpretq_u32_f32(b)));
    return g;
}
static inline struct sticky sticky_near(struct sticky g, v a, v limit)
{
    g.near = simde_vminq_u32(g.near, simde_vreinterpretq_u32_f32(a));
    g.limit = simde_vreinterpretq_u32_f32(limit);
    return g;
}
INLINE m sticky_fine(struct sticky g)
{
    m invalid =
        simde_vorrq_u32(simde_vcgtq_u32(g.need, simde_vdupq_n_u32(0x7f800000)), simde_vcleq_u32(g.near, g.limit));
    m negative = simde_vcgtq_u32(g.signs, simde_vdupq_n_u32(0x7fffffff));
    return simde_vmvnq_u32(simde_vorrq_u32(invalid, negative));
}
INLINE bool sticky_ok(struct sticky g)
{
    return simde_vminvq_u32(sticky_fine(g)) != 0;
}

#include "batch/instantiate.h"
