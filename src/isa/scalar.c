/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary at width 1, in plain C: the reference, and the fallback of any machine.
 *
 * Words: v is a vector of floats, m a mask of lanes, WIDTH the lanes, and REGISTERS how many vectors a machine holds.
 * v_min(a, b) and v_max(a, b) return b when either is NaN here and on x86, and NaN on NEON; v_fma and v_fnma (c - a b)
 * may round once or twice; compares are ordered, false for NaN. Kernels are right with all of that.
 * v_min_abs(least, a) takes |a| against what is >= 0, and v_max_abs is the greatest of |a|, |b| and |c|; either may
 * lose a NaN. v_select(mask, a, b) is a in the lanes of mask and b in the others, bit for bit. v_least(a) is the least
 * lane, NaN apart. v_load_aligned(at) is v_load where at is aligned as v is: SSE2 takes it in the instruction that uses
 * it. v_keep(a) is a, and where that pays in a register from here on: what was loaded is not loaded again.
 * m_negative(a) is a <= 0, but 0 and NaN may be either; it is for m_bits and what joins masks, not for v_select.
 * m_below_zero(a) is a < 0 but where a is -infinity, and -0 may be either.
 * m_both(a, b) is m_and(a, b) of compares that do not wait for each other; with AVX-512 m_and is often the mask of the
 * next one, which takes fewer instructions and more time where all wait for the last.
 * v_compress(to, from, lanes) copies those of WIDTH values of 4 bytes whose bits are set to the front of to, of which
 * it writes WIDTH values, and returns how many they are. With sixteen lanes v_load_halves and v_compress_halves take
 * two halves from two places.
 *
 * v_apart(x, y) is the bits of x less those of y, plus ULPS: x and y are within ULPS floats of each other if that is at
 * most APART, unsigned. m_near(a, limit) is where the bits of a are at most those of limit, unsigned; limits are at
 * most infinity, or NaN for what is invalid.
 * A guard gathers whether some lane needs another look: sticky_nonneg notices e < 0 and NaN, and may notice -0,
 * sticky_both_nonneg the sign of either of two, -0 and NaN too, sticky_near what m_near would, with the same limit each
 * time; sticky_fine are the lanes where nothing was noticed, and sticky_ok says that these are all. sticky_most is, in
 * these lanes, the greatest e that was needed, or 0.
 *
 * Where PICKS is defined, vu is WIDTH integers, for the compiler's own operators, and vu_pick(lanes, table) puts in
 * each lane the entry of a table of eight that its low three bits number.
 */
#define ISA scalar
#define WIDTH 1
#define REGISTERS 16
#include "isa/isa.h"

#include <math.h>
#include <string.h>

typedef float v;
typedef uint32_t m; /* 0 or 1 */
struct sticky {
    bool ok;
    float most;
};

static inline v v_load(const float *at)
{
    return *at;
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
static inline v v_max_abs(v a, v b, v c)
{
    return v_max(v_max(v_abs(a), v_abs(b)), v_abs(c));
}
static inline v v_sqrt(v a)
{
    return sqrtf(a);
}
static inline float v_least(v a)
{
    return a;
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
static inline m m_eq(v a, v b)
{
    return a == b;
}
static inline m m_negative(v a)
{
    return signbit(a) != 0;
}
static inline m m_and(m a, m b)
{
    return a & b;
}
static inline m m_both(m a, m b)
{
    return m_and(a, b);
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
static inline uint32_t bits_of(v a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof a);
    return bits;
}
static inline m m_below_zero(v a)
{
    return (int32_t)bits_of(a) < -0x800000; /* those of -infinity; no branch, which nobody would foresee */
}
static inline v v_apart(v x, v y)
{
    const uint32_t bits = bits_of(x) - bits_of(y) + ULPS;
    v apart;
    memcpy(&apart, &bits, sizeof bits);
    return apart;
}
static inline m m_near(v a, v limit)
{
    return bits_of(a) <= bits_of(limit);
}

static inline struct sticky sticky_start(void)
{
    return (struct sticky){true, 0};
}
static inline struct sticky sticky_nonneg(struct sticky g, v e)
{
    return (struct sticky){g.ok & (e >= 0), v_max(g.most, e)};
}
static inline v sticky_most(struct sticky g)
{
    return g.most;
}
static inline struct sticky sticky_both_nonneg(struct sticky g, v a, v b)
{
    return (struct sticky){g.ok & !((bits_of(a) | bits_of(b)) >> 31), g.most};
}
static inline struct sticky sticky_near(struct sticky g, v a, v limit)
{
    return (struct sticky){g.ok & !m_near(a, limit), g.most};
}
INLINE m sticky_fine(struct sticky g)
{
    return g.ok;
}
INLINE bool sticky_ok(struct sticky g)
{
    return g.ok;
}

#include "batch/instantiate.h"
