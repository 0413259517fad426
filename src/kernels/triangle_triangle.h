/* SPDX-License-Identifier: MIT */
/*
 * Two triangles, or a segment and a triangle, in lanes: a direction that separates them proves a miss, and a hit is
 * proved where no direction of kernels/convex_body.h does. The formulas are in convex_pairs.h.
 */

#ifdef KERNEL_FILTERS

/*
 * Let d lead from the first vertex of b to that of a, let e be the edges of a, f those of b, in turn, n_a = e1 x e0 and
 * n_b = f0 x f1. All values are triple products of the five vectors d, e0, e1, f0 and f1:
 * along n_a and n_b, the first vertices are n_a.d and n_b.d apart, and others h_j = f_j.n_a less or k_i = e_i.n_b more;
 * along e_i x f_j, the first vertices are g_ij = f_j.(d x e_i) apart. Edges e0 and e2 of a are at the height of its
 * first vertex, and the other vertex is h_j above it; edge e1 is -h_j above it. For b the same holds with k_i.
 * The third edges are the sums of the others, and so are their g, h and k, with opposite sign.
 *
 * Errors, u = 2^-24, fused or not. Let D, E, F be the 1-norms of d, of e0 and e1 together, and of f0 and f1 together;
 * they bound those of e2 and f2. A difference is off by u, a member of a cross product by 4u of its two products, a dot
 * product by 3u of its products more: h0, h1, k0, k1, g and the first heights by 8u of the product of three norms, with
 * |e0||e1| <= E^2 / 4 for n_a. Third values are sums, and g22 one of sums: 10u. Heights are sums of two: off by
 * 10u (D + F) |e0||e1|. An end along e_i x f_j is g + h + k, with two more sums: (10 + 2) u DEF + (9 + 2) u (E + F)
 * EF/4. The bound has 14u (D + E + F) times |e0||e1|, |f0||f1| or EF. Below 2^40 nothing overflows. Products that
 * underflow lose less than 2^-149 each, and that times 2^40 where a cross product has: the bound has 2^-100 for it.
 *
 * All directions certainly below 0: then none of them is zero, so 0 is inside of the difference (convex_body.h).
 */
struct w_edges {
    struct v_vector first, second;
    v norm, product; /* the sum and the product of their norms */
};

INLINE struct w_edges w_edges_of(struct v_triangle t)
{
    struct w_edges edges = {w_minus(w_second(t), w_first(t)), w_minus(w_third(t), w_second(t)), v_set1(0), v_set1(0)};
    const v first = w_norm1(edges.first), second = w_norm1(edges.second);
    edges.norm = v_add(first, second);
    edges.product = v_mul(first, second);
    return edges;
}

/* The value of the third edge, too. */
INLINE struct w_three w_of_edges(v first, v second)
{
    return (struct w_three){first, second, v_sub(v_set1(0), v_add(first, second))};
}

struct w_ends {
    v low, high;
};

/* Of the directions that an edge of a makes with those of b: the greatest low end, and the least high one. */
INLINE struct w_ends w_ends_of(struct w_three g, struct w_three h, v k, bool middle)
{
    const v none = v_set1(0), down = v_min(k, none), up = v_max(k, none);
    const struct w_three least = {v_min(h.a, none), v_min(h.b, none), v_min(h.c, none)};
    const struct w_three most = {v_max(h.a, none), v_max(h.b, none), v_max(h.c, none)};
    struct w_three low = {v_add(g.a, least.a), v_add(g.b, least.b), v_add(g.c, least.c)};
    struct w_three high = {v_add(g.a, most.a), v_add(g.b, most.b), v_add(g.c, most.c)};
    if (middle) {
        low = (struct w_three){v_sub(g.a, most.a), v_sub(g.b, most.b), v_sub(g.c, most.c)};
        high = (struct w_three){v_sub(g.a, least.a), v_sub(g.b, least.b), v_sub(g.c, least.c)};
    }
    return (struct w_ends){v_max(v_sub(v_max(low.a, low.c), up), v_add(low.b, down)),
                           v_min(v_sub(v_min(high.a, high.c), down), v_add(high.b, up))};
}

/* Values that three directions or kinds of directions have, beside bounds on their errors. */
INLINE m w_any_above(struct w_three gap, struct w_three e)
{
    return m_or(m_lt(e.a, gap.a), m_or(m_lt(e.b, gap.b), m_lt(e.c, gap.c)));
}

INLINE m w_all_below(struct w_three gap, struct w_three e)
{
    const v none = v_set1(0);
    return m_and(m_lt(v_add(gap.a, e.a), none), m_and(m_lt(v_add(gap.b, e.b), none), m_lt(v_add(gap.c, e.c), none)));
}

/* 14u of the size, times the product of two norms. */
INLINE v w_error(v size, v norms)
{
    return v_fma(v_mul(size, v_set1(0xep-24f)), norms, v_set1(0x1p-100f));
}

INLINE void triangle_triangle_filter(struct filter_state *p, struct v_triangle a, struct v_triangle b)
{
    const struct v_vector d = w_minus(w_first(a), w_first(b));
    const struct w_edges e = w_edges_of(a), f = w_edges_of(b);
    const struct v_vector n_a = v_cross(e.second, e.first), n_b = v_cross(f.first, f.second);
    const struct v_vector m0 = v_cross(d, e.first), m1 = v_cross(d, e.second);
    const struct w_three h = w_of_edges(v_dot(f.first, n_a), v_dot(f.second, n_a));
    const struct w_three k = w_of_edges(v_dot(e.first, n_b), v_dot(e.second, n_b));
    const struct w_three g0 = w_of_edges(v_dot(f.first, m0), v_dot(f.second, m0));
    const struct w_three g1 = w_of_edges(v_dot(f.first, m1), v_dot(f.second, m1));
    const struct w_three g2 = {v_sub(v_set1(0), v_add(g0.a, g1.a)), v_sub(v_set1(0), v_add(g0.b, g1.b)),
                               v_sub(v_set1(0), v_add(g0.c, g1.c))};
    const v at_a = v_dot(n_a, d), at_b = v_dot(n_b, d);
    const struct w_three of_b = {at_a, v_sub(at_a, h.a), v_add(at_a, h.c)};
    const struct w_three of_a = {at_b, v_add(at_b, k.a), v_sub(at_b, k.c)};
    const struct w_ends row0 = w_ends_of(g0, h, k.a, false), row1 = w_ends_of(g1, h, k.b, true),
                        row2 = w_ends_of(g2, h, k.c, false);
    const struct w_three gaps = {w_gap(w_least(of_b), w_greatest(of_b)), w_gap(w_least(of_a), w_greatest(of_a)),
                                 w_gap(w_greatest((struct w_three){row0.low, row1.low, row2.low}),
                                       w_least((struct w_three){row0.high, row1.high, row2.high}))};
    const v size = v_add(w_norm1(d), v_add(e.norm, f.norm));
    const struct w_three errors = {w_error(size, e.product), w_error(size, f.product),
                                   w_error(size, v_mul(e.norm, f.norm))};
    const m in_range = m_lt(size, v_set1(0x1p40f));
    hit_if_proved(p, m_and(in_range, w_all_below(gaps, errors)), m_and(in_range, w_any_above(gaps, errors)));
}

/* A segment has one edge. Along e x f_j, the triangle's vertices are from 0 to k apart, as above. */
INLINE void segment_triangle_filter(struct filter_state *p, struct v_segment a, struct v_triangle b)
{
    const struct v_vector from = {a.ax, a.ay, a.az}, to = {a.bx, a.by, a.bz};
    const struct v_vector d = w_minus(from, w_first(b)), e = w_minus(to, from);
    const struct w_edges f = w_edges_of(b);
    const struct v_vector n = v_cross(f.first, f.second), m0 = v_cross(d, e);
    const v k = v_dot(e, n), height = v_dot(n, d), other = v_add(height, k);
    const struct w_three g = w_of_edges(v_dot(f.first, m0), v_dot(f.second, m0));
    const struct w_three at = {g.a, v_add(g.b, k), g.c};
    const v norm = w_norm1(e), size = v_add(v_add(w_norm1(d), norm), f.norm), none = v_set1(0);
    const v across = w_gap(v_sub(w_greatest(at), v_max(k, none)), v_sub(w_least(at), v_min(k, none)));
    const v along = w_gap(v_min(height, other), v_max(height, other));
    const struct w_three gaps = {along, across, across};
    const v error = w_error(size, v_mul(norm, f.norm));
    const struct w_three errors = {w_error(size, f.product), error, error};
    const m in_range = m_lt(size, v_set1(0x1p40f));
    hit_if_proved(p, m_and(in_range, w_all_below(gaps, errors)), m_and(in_range, w_any_above(gaps, errors)));
}

#endif
