/* SPDX-License-Identifier: MIT */
/* The vocabulary in AVX-512 (F, VL, DQ, BW): 16 lanes, and masks that are integers. */
#define ISA avx512
#define WIDTH 16
#define REGISTERS 32
#include "isa/isa.h"

#include <simde/x86/avx512.h>

#if !defined(ABUT_EMULATED) && !(defined(SIMDE_X86_AVX512F_NATIVE) && defined(SIMDE_X86_AVX512VL_NATIVE) &&            \
                                 defined(SIMDE_X86_AVX512DQ_NATIVE) && defined(SIMDE_X86_AVX512BW_NATIVE))
#error "compile isa/avx512.c with its flags of tables/isas.def, or with ABUT_EMULATED"
#endif

typedef simde__m512 v;
typedef simde__mmask16 m;
struct sticky {
    simde__m512i need, near, limit, signs;
};

static inline v v_load(const float *at)
{
    return simde_mm512_loadu_ps(at);
}
static inline v v_load_aligned(const float *at)
{
    return simde_mm512_load_ps(at);
}
/* Keeps the compiler from loading a again as the operand of each use; Zen 4 loads one of these vectors a cycle. */
static inline v v_keep(v a)
{
#ifndef ABUT_EMULATED
    __asm__("" : "+v"(a));
#endif
    return a;
}
static inline v v_load_halves(const float *low, const float *high)
{
    return simde_mm512_insertf32x8(simde_mm512_castps256_ps512(simde_mm256_loadu_ps(low)), simde_mm256_loadu_ps(high),
                                   1);
}
static inline v v_set1(float x)
{
    return simde_mm512_set1_ps(x);
}
static inline void v_store(float *to, v a)
{
    simde_mm512_storeu_ps(to, a);
}
static inline v v_add(v a, v b)
{
    return simde_mm512_add_ps(a, b);
}
static inline v v_sub(v a, v b)
{
    return simde_mm512_sub_ps(a, b);
}
static inline v v_mul(v a, v b)
{
    return simde_mm512_mul_ps(a, b);
}
static inline v v_div(v a, v b)
{
    return simde_mm512_div_ps(a, b);
}
static inline v v_fma(v a, v b, v c)
{
    return simde_mm512_fmadd_ps(a, b, c);
}
static inline v v_fnma(v a, v b, v c)
{
    return simde_mm512_fnmadd_ps(a, b, c);
}
static inline v v_min(v a, v b)
{
    return simde_mm512_min_ps(a, b);
}
static inline v v_max(v a, v b)
{
    return simde_mm512_max_ps(a, b);
}
static inline v v_abs(v a)
{
    return simde_mm512_abs_ps(a);
}
/* vrangeps: the lesser, or greater, of the absolute values, with a cleared sign. */
static inline v v_min_abs(v least, v a)
{
    return simde_mm512_range_ps(a, least, 0xa);
}
static inline v v_max_abs(v a, v b, v c)
{
    return simde_mm512_range_ps(c, simde_mm512_range_ps(b, a, 0xb), 0xb);
}
static inline v v_sqrt(v a)
{
    return simde_mm512_sqrt_ps(a);
}
static inline float v_least(v a)
{
    simde__m256 high = simde_mm256_castpd_ps(simde_mm512_extractf64x4_pd(simde_mm512_castps_pd(a), 1));
    simde__m256 eight = simde_mm256_min_ps(simde_mm512_castps512_ps256(a), high);
    simde__m128 four = simde_mm_min_ps(simde_mm256_castps256_ps128(eight), simde_mm256_extractf128_ps(eight, 1));
    simde__m128 two = simde_mm_min_ps(four, simde_mm_movehl_ps(four, four));
    return simde_mm_cvtss_f32(simde_mm_min_ps(two, simde_mm_shuffle_ps(two, two, 1)));
}
static inline v v_select(m mask, v a, v b)
{
    return simde_mm512_mask_blend_ps(mask, b, a);
}

/* Compresses to a register first: the form that stores is slow on Zen 4. */
static inline unsigned v_store_lanes(void *to, simde__m512i values, uint64_t lanes)
{
    simde_mm512_storeu_si512(to, simde_mm512_maskz_compress_epi32((simde__mmask16)lanes, values));
    return (unsigned)__builtin_popcountll(lanes);
}
static inline unsigned v_compress(void *to, const void *from, uint64_t lanes)
{
    return v_store_lanes(to, simde_mm512_loadu_si512(from), lanes);
}
static inline unsigned v_compress_halves(void *to, const void *low, const void *high, uint64_t lanes)
{
    simde__m256i first = simde_mm256_loadu_si256(low), second = simde_mm256_loadu_si256(high);
    return v_store_lanes(to, simde_mm512_inserti32x8(simde_mm512_castsi256_si512(first), second, 1), lanes);
}

static inline m m_all(void)
{
    return 0xffff;
}
static inline m m_none(void)
{
    return 0;
}
static inline m m_lt(v a, v b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LT_OQ);
}
static inline m m_le(v a, v b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_LE_OQ);
}
static inline m m_eq(v a, v b)
{
    return simde_mm512_cmp_ps_mask(a, b, SIMDE_CMP_EQ_OQ);
}
static inline m m_negative(v a)
{
    return simde_mm512_cmp_ps_mask(a, simde_mm512_setzero_ps(), SIMDE_CMP_LE_OQ);
}
/* As signed integers, the bits of -0 and of negative finite floats are below those of -infinity. */
static inline m m_and(m a, m b)
{
    return a & b;
}
static inline m m_both(m a, m b)
{
#ifndef ABUT_EMULATED
    return _kand_mask16(a, b);
#else
    return a & b;
#endif
}
static inline m m_or(m a, m b)
{
    return a | b;
}
static inline m m_andnot(m a, m b)
{
    return a & (m)~b;
}
static inline uint64_t m_bits(m a)
{
    return a;
}
static inline v v_apart(v x, v y)
{
    simde__m512i shifted_y = simde_mm512_sub_epi32(simde_mm512_castps_si512(y), simde_mm512_set1_epi32((int)ULPS));
    return simde_mm512_castsi512_ps(simde_mm512_sub_epi32(simde_mm512_castps_si512(x), shifted_y));
}
/* Lanes of a where a <= b, unsigned. */
static inline m at_most(simde__m512i a, simde__m512i b)
{
    return simde_mm512_cmple_epu32_mask(a, b);
}
static inline m m_near(v a, v limit)
{
    return at_most(simde_mm512_castps_si512(a), simde_mm512_castps_si512(limit));
}

/*
 * The extremes of each lane so far, as integers, which leaves the float ports to the formulas.
 * The bits of a float that is >= 0, not -0 and not NaN are at most those of infinity, unsigned.
 */
static inline struct sticky sticky_start(void)
{
    return (struct sticky){simde_mm512_setzero_si512(), simde_mm512_set1_epi32(-1), simde_mm512_setzero_si512(),
                           simde_mm512_setzero_si512()};
}
static inline struct sticky sticky_nonneg(struct sticky g, v e)
{
    g.need = simde_mm512_max_epu32(g.need, simde_mm512_castps_si512(e));
    return g;
}
static inline v sticky_most(struct sticky g)
{
    return simde_mm512_castsi512_ps(g.need);
}
static inline struct sticky sticky_both_nonneg(struct sticky g, v a, v b)
{
    enum { A_OR_B_OR_C = 0xfe };
    g.signs =
        simde_mm512_ternarylogic_epi32(g.signs, simde_mm512_castps_si512(a), simde_mm512_castps_si512(b), A_OR_B_OR_C);
    return g;
}
static inline struct sticky sticky_near(struct sticky g, v a, v limit)
{
    g.near = simde_mm512_min_epu32(g.near, simde_mm512_castps_si512(a));
    g.limit = simde_mm512_castps_si512(limit);
    return g;
}
/* Whether a sticky flag still has its start value. Compilers know that, but test its mask all the same in each word. */
#ifdef ABUT_EMULATED
#define UNTOUCHED(part, start) false
#else
#define UNTOUCHED(part, start) (__builtin_constant_p((part)[0]) && (part)[0] == (start))
#endif
INLINE m sticky_fine(struct sticky g)
{
    m fine = m_all();
    if (!UNTOUCHED(g.need, 0))
        fine = at_most(g.need, simde_mm512_set1_epi32(0x7f800000));
    if (!UNTOUCHED(g.near, -1))
        fine = m_andnot(fine, at_most(g.near, g.limit));
    if (!UNTOUCHED(g.signs, 0))
        fine = m_andnot(fine, simde_mm512_movepi32_mask(g.signs));
    return fine;
}
INLINE bool sticky_ok(struct sticky g)
{
    return m_bits(sticky_fine(g)) == 0xffff;
}

typedef uint32_t vu __attribute__((vector_size(WIDTH * sizeof(uint32_t))));

#define PICKS
static inline void vu_pick(vu *lanes, const uint32_t table[8])
{
    simde__m512i twice = simde_mm512_broadcast_i64x4(simde_mm256_loadu_si256(table));
    simde_mm512_storeu_si512(lanes, simde_mm512_permutexvar_epi32(simde_mm512_loadu_si512(lanes), twice));
}

#include "batch/instantiate.h"
