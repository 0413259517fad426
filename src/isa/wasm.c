/* SPDX-License-Identifier: MIT */
/* The vocabulary in WebAssembly's SIMD (simd128, without the relaxed instructions, whose bits differ): 4 lanes. */
#define ISA wasm
#define WIDTH 4
#define REGISTERS 16
#include "isa/isa.h"

#include <simde/wasm/simd128.h>

#if !defined(ABUT_EMULATED) && !defined(SIMDE_WASM_SIMD128_NATIVE)
#error "compile isa/wasm.c for WebAssembly with -msimd128, or with ABUT_EMULATED"
#endif

typedef simde_v128_t v;
typedef simde_v128_t m;
struct sticky {
    m ok, near, signs;
    v most;
};

static inline v v_load(const float *at)
{
    return simde_wasm_v128_load(at);
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
    return simde_wasm_f32x4_splat(x);
}
static inline void v_store(float *to, v a)
{
    simde_wasm_v128_store(to, a);
}
static inline v v_add(v a, v b)
{
    return simde_wasm_f32x4_add(a, b);
}
static inline v v_sub(v a, v b)
{
    return simde_wasm_f32x4_sub(a, b);
}
static inline v v_mul(v a, v b)
{
    return simde_wasm_f32x4_mul(a, b);
}
static inline v v_div(v a, v b)
{
    return simde_wasm_f32x4_div(a, b);
}
static inline v v_fma(v a, v b, v c)
{
    return simde_wasm_f32x4_add(simde_wasm_f32x4_mul(a, b), c);
}
static inline v v_fnma(v a, v b, v c)
{
    return simde_wasm_f32x4_sub(c, simde_wasm_f32x4_mul(a, b));
}
/* pmin(b, a) is a < b ? a : b, which is one instruction on x86; the other minimum, which keeps NaN, takes seven. */
static inline v v_min(v a, v b)
{
    return simde_wasm_f32x4_pmin(b, a);
}
static inline v v_max(v a, v b)
{
    return simde_wasm_f32x4_pmax(b, a);
}
static inline v v_abs(v a)
{
    return simde_wasm_f32x4_abs(a);
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
    return simde_wasm_f32x4_sqrt(a);
}
static inline float v_least(v a)
{
    v two = v_min(a, simde_wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return simde_wasm_f32x4_extract_lane(v_min(two, simde_wasm_i32x4_shuffle(two, two, 1, 0, 3, 2)), 0);
}
static inline v v_select(m mask, v a, v b)
{
    return simde_wasm_v128_bitselect(a, b, mask);
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
    v moved = simde_wasm_i8x16_swizzle(simde_wasm_v128_load(from), simde_wasm_v128_load(fronts[lanes]));
    simde_wasm_v128_store(to, moved);
    return (unsigned)__builtin_popcount((unsigned)lanes);
}

static inline m m_all(void)
{
    return simde_wasm_i32x4_splat(-1);
}
static inline m m_none(void)
{
    return simde_wasm_i32x4_splat(0);
}
static inline m m_lt(v a, v b)
{
    return simde_wasm_f32x4_lt(a, b);
}
static inline m m_le(v a, v b)
{
    return simde_wasm_f32x4_le(a, b);
}
static inline m m_eq(v a, v b)
{
    return simde_wasm_f32x4_eq(a, b);
}
/* m_bits takes the sign of each lane. */
static inline m m_negative(v a)
{
    return a;
}
/* As signed integers, the bits of -0 and of negative finite floats are below those of -infinity. */
static inline m m_and(m a, m b)
{
    return simde_wasm_v128_and(a, b);
}
static inline m m_both(m a, m b)
{
    return m_and(a, b);
}
static inline m m_or(m a, m b)
{
    return simde_wasm_v128_or(a, b);
}
static inline m m_andnot(m a, m b)
{
    return simde_wasm_v128_andnot(a, b);
}
static inline uint64_t m_bits(m a)
{
    return simde_wasm_i32x4_bitmask(a);
}
static inline v v_apart(v x, v y)
{
    return simde_wasm_i32x4_sub(x, simde_wasm_i32x4_sub(y, simde_wasm_i32x4_splat((int)ULPS)));
}
static inline m m_near(v a, v limit)
{
    return simde_wasm_u32x4_le(a, limit);
}

static inline struct sticky sticky_start(void)
{
    return (struct sticky){m_all(), m_none(), m_none(), v_set1(0)};
}
static inline struct sticky sticky_nonneg(struct sticky g, v e)
{
    g.ok = m_and(g.ok, m_le(v_set1(0), e));
    g.most = v_max(g.most, e);
    return g;
}
static inline v sticky_most(struct sticky g)
{
    return g.most;
}
static inline struct sticky sticky_both_nonneg(struct sticky g, v a, v b)
{
    g.signs = m_or(g.signs, m_or(a, b));
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
