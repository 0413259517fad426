/* SPDX-License-Identifier: MIT */
/*
 * The vocabulary at width 1, in plain C: the reference, and the fallback of any machine.
 *
 * v is a vector of floats, m a mask of lanes, WIDTH the number of lanes, REGISTERS the number of vector registers.
 * Kernels are right with all of the freedom below.
 *
 * v_min(a, b), v_max(a, b): b when either is NaN here and on x86, NaN on NEON.
 * v_fma(a, b, c), v_fnma(a, b, c): a b + c and c - a b; may round once or twice.
 * m_lt, m_le, m_eq: ordered compares, false for NaN.
 * v_min_abs(least, a): the lesser of least, which is >= 0, and |a|; may lose a NaN.
 * v_max_abs(a, b, c): the greatest of |a|, |b| and |c|; may lose a NaN.
 * v_select(mask, a, b): a in the lanes of mask and b in the others, bit for bit.
 * v_least(a): the least lane, if none is NaN.
 * v_load_aligned(at): v_load for an address aligned like v; SSE2 folds it into the instruction that uses it.
 * v_keep(a): a, kept in a register from here on where that pays: a loaded value is not loaded again.
 * v_compress(to, from, lanes): copies those of WIDTH values of 4 bytes whose bits are set to the front of to, writes
 * WIDTH values, and returns the number of copied ones. With sixteen lanes, v_load_halves and v_compress_halves take two
 * halves from two places.
 *
 * m_negative(a): a <= 0, but 0 and NaN may be either; for m_bits and operations on masks, not for v_select.
 * m_both(a, b): m_and(a, b) of independent compares. With AVX-512, m_and often becomes the mask of the next compare:
 * fewer instructions, but each waits for the last.
 *
 * v_apart(x, y): the bits of x minus those of y, plus ULPS; x and y are within ULPS floats of each other if that is at
 * most APART, unsigned.
 * m_near(a, limit): the bits of a are at most those of limit, unsigned; limits are at most infinity, or NaN for invalid
 * lanes.
 *
 * The sticky flags collect whether any lane must be checked again. sticky_nonneg notices e < 0 and NaN, and may notice
 * -0; sticky_both_nonneg the sign of either of two values, also of -0 and NaN; sticky_near the lanes of m_near, with
 * the same limit each time. sticky_fine are the lanes where nothing was noticed, and sticky_ok says that these are all.
 * sticky_most is, in these lanes, the greatest e of sticky_nonneg, or 0.
 *
 * Where PICKS is defined, vu is WIDTH integers, for the compiler's own operators, and vu_pick(lanes, table) replaces
 * each lane by the entry of a table of eight whose index is in its low three bits.
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
