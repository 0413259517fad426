/* SPDX-License-Identifier: MIT */
/* The vocabulary in AVX2 with FMA: 8 lanes. */
#define ISA avx2
#define WIDTH 8
#define REGISTERS 16
#include "isa/isa.h"

#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

#if !defined(ABUT_EMULATED) && !(defined(SIMDE_X86_AVX2_NATIVE) && defined(SIMDE_X86_FMA_NATIVE))
#error "compile isa/avx2.c with its flags of tables/isas.def, or with ABUT_EMULATED"
#endif

typedef simde__m256 v;
typedef simde__m256 m;
struct sticky {
    simde__m256i need, near, limit, signs;
};

static inline v v_load(const float *at)
{
    return simde_mm256_loadu_ps(at);
}
static inline v v_load_aligned(const float *at)
{
    return simde_mm256_load_ps(at);
}
/* Keeps the compiler from loading a again as the operand of each use; Zen 5 loads two of these vectors a cycle. */
static inline v v_keep(v a)
{
#ifndef ABUT_EMULATED
    __asm__("" : "+x"(a));
#endif
    return a;
}
static inline v v_set1(float x)
{
    return simde_mm256_set1_ps(x);
}
static inline void v_store(float *to, v a)
{
    simde_mm256_storeu_ps(to, a);
}
static inline v v_add(v a, v b)
{
    return simde_mm256_add_ps(a, b);
}
static inline v v_sub(v a, v b)
{
    return simde_mm256_sub_ps(a, b);
}
static inline v v_mul(v a, v b)
{
    return simde_mm256_mul_ps(a, b);
}
static inline v v_div(v a, v b)
{
    return simde_mm256_div_ps(a, b);
}
static inline v v_fma(v a, v b, v c)
{
    return simde_mm256_fmadd_ps(a, b, c);
}
static inline v v_fnma(v a, v b, v c)
{
    return simde_mm256_fnmadd_ps(a, b, c);
}
static inline v v_min(v a, v b)
{
    return simde_mm256_min_ps(a, b);
}
static inline v v_max(v a, v b)
{
    return simde_mm256_max_ps(a, b);
}
static inline v v_abs(v a)
{
    return simde_mm256_andnot_ps(simde_mm256_set1_ps(-0.0f), a);
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
    return simde_mm256_sqrt_ps(a);
}
static inline float v_least(v a)
{
    simde__m128 four = simde_mm_min_ps(simde_mm256_castps256_ps128(a), simde_mm256_extractf128_ps(a, 1));
    simde__m128 two = simde_mm_min_ps(four, simde_mm_movehl_ps(four, four));
    return simde_mm_cvtss_f32(simde_mm_min_ps(two, simde_mm_shuffle_ps(two, two, 1)));
}
static inline v v_select(m mask, v a, v b)
{
    return simde_mm256_blendv_ps(b, a, mask);
}

/* For each set of lanes, a byte, the indices of its set bits: byte k of FRONT(lanes) is the index of the k-th. */
#define BIT(lanes, i) ((uint64_t)((lanes) >> (i)&1))
#define BELOW(lanes, i)                                                                                                \
    (BIT(lanes, 0) * ((i) > 0) + BIT(lanes, 1) * ((i) > 1) + BIT(lanes, 2) * ((i) > 2) + BIT(lanes, 3) * ((i) > 3) +   \
     BIT(lanes, 4) * ((i) > 4) + BIT(lanes, 5) * ((i) > 5) + BIT(lanes, 6) * ((i) > 6))
#define AT(lanes, i) (BIT(lanes, i) * (uint64_t)(i) << 8 * BELOW(lanes, i))
#define FRONT(lanes)                                                                                                   \
    (AT(lanes, 1) | AT(lanes, 2) | AT(lanes, 3) | AT(lanes, 4) | AT(lanes, 5) | AT(lanes, 6) | AT(lanes, 7))
#define FRONT4(n) FRONT(n), FRONT((n) + 1), FRONT((n) + 2), FRONT((n) + 3)
#define FRONT16(n) FRONT4(n), FRONT4((n) + 4), FRONT4((n) + 8), FRONT4((n) + 12)
#define FRONT64(n) FRONT16(n), FRONT16((n) + 16), FRONT16((n) + 32), FRONT16((n) + 48)
static const uint64_t fronts[256] = {FRONT64(0), FRONT64(64), FRONT64(128), FRONT64(192)};

static inline unsigned v_compress(void *to, const void *from, uint64_t lanes)
{
    simde__m256i front = simde_mm256_cvtepu8_epi32(simde_mm_loadl_epi64((const simde__m128i *)&fronts[lanes]));
    simde__m256i values = simde_mm256_loadu_si256(from);
    simde_mm256_storeu_si256(to, simde_mm256_permutevar8x32_epi32(values, front));
    return (unsigned)__builtin_popcountll(lanes);
}

static inline m m_all(void)
{
    return simde_mm256_castsi256_ps(simde_mm256_set1_epi32(-1));
}
static inline m m_none(void)
{
    return simde_mm256_setzero_ps();
}
static inline m m_lt(v a, v b)
{
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ);
}
static inline m m_le(v a, v b)
{
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ);
}
static inline m m_eq(v a, v b)
{
    return simde_mm256_cmp_ps(a, b, SIMDE_CMP_EQ_OQ);
}
/* m_bits takes the sign of each lane. */
static inline m m_negative(v a)
{
    return a;
}
/* As signed integers, the bits of -0 and of negative finite floats are below those of -infinity. */
static inline m m_and(m a, m b)
{
    return simde_mm256_and_ps(a, b);
}
static inline m m_both(m a, m b)
{
    return m_and(a, b);
}
static inline m m_or(m a, m b)
{
    return simde_mm256_or_ps(a, b);
}
static inline m m_andnot(m a, m b)
{
    return simde_mm256_andnot_ps(b, a);
}
static inline uint64_t m_bits(m a)
{
    return (uint64_t)(uint32_t)simde_mm256_movemask_ps(a);
}
static inline v v_apart(v x, v y)
{
    simde__m256i shifted_y = simde_mm256_sub_epi32(simde_mm256_castps_si256(y), simde_mm256_set1_epi32((int)ULPS));
    return simde_mm256_castsi256_ps(simde_mm256_sub_epi32(simde_mm256_castps_si256(x), shifted_y));
}
/* Lanes of a where a <= b, unsigned. */
static inline m at_most(simde__m256i a, simde__m256i b)
{
    return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(simde_mm256_min_epu32(a, b), a));
}
static inline m m_near(v a, v limit)
{
    return at_most(simde_mm256_castps_si256(a), simde_mm256_castps_si256(limit));
}

/*
 * The extremes of each lane so far, as integers: float adds, minima and compares share two ports on Zen, and integer
 * minima have four. The bits of a float that is >= 0, not -0 and not NaN are at most those of infinity, unsigned.
 */
static inline struct sticky sticky_start(void)
{
    return (struct sticky){simde_mm256_setzero_si256(), simde_mm256_set1_epi32(-1), simde_mm256_setzero_si256(),
                           simde_mm256_setzero_si256()};
}
static inline struct sticky sticky_nonneg(struct sticky g, v e)
{
    g.need = simde_mm256_max_epu32(g.need, simde_mm256_castps_si256(e));
    return g;
}
static inline v sticky_most(struct sticky g)
{
    return simde_mm256_castsi256_ps(g.need);
}
static inline struct sticky sticky_both_nonneg(struct sticky g, v a, v b)
{
    g.signs = simde_mm256_or_si256(g.signs, simde_mm256_castps_si256(simde_mm256_or_ps(a, b)));
    return g;
}
static inline struct sticky sticky_near(struct sticky g, v a, v limit)
{
    g.near = simde_mm256_min_epu32(g.near, simde_mm256_castps_si256(a));
    g.limit = simde_mm256_castps_si256(limit);
    return g;
}
INLINE m sticky_fine(struct sticky g)
{
    m valid = at_most(g.need, simde_mm256_set1_epi32(0x7f800000));
    m near = at_most(g.near, g.limit);
    m negative = simde_mm256_castsi256_ps(g.signs);
    return m_andnot(m_andnot(valid, near), negative);
}
INLINE bool sticky_ok(struct sticky g)
{
    return m_bits(sticky_fine(g)) == 0xff;
}

typedef uint32_t vu __attribute__((vector_size(WIDTH * sizeof(uint32_t))));

#define PICKS
static inline void vu_pick(vu *lanes, const uint32_t table[8])
{
    simde__m256i picked =
        simde_mm256_permutevar8x32_epi32(simde_mm256_loadu_si256(table), simde_mm256_loadu_si256(lanes));
    simde_mm256_storeu_si256(lanes, picked);
}

#include "batch/instantiate.h"
