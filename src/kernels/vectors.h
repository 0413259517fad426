/* SPDX-License-Identifier: MIT */
/* Vectors in lanes. Rechecks compute products one by one and track where they round. */

#ifdef KERNEL_FILTERS

INLINE v product(struct filter_state *p, v a, v b)
{
    track_exact(p, m_and(few_bits(a), few_bits(b)));
    return v_mul(a, b);
}

/* a b - c d */
INLINE v w_determinant(struct filter_state *p, v a, v b, v c, v d)
{
    if (p->mode == RECHECK)
        return difference(p, product(p, a, b), product(p, c, d));
    return v_fnma(c, d, v_mul(a, b));
}

INLINE v w_dot(struct filter_state *p, struct v_vector a, struct v_vector b)
{
    if (p->mode == RECHECK)
        return sum(p, sum(p, product(p, a.x, b.x), product(p, a.y, b.y)), product(p, a.z, b.z));
    return dot3(a.x, a.y, a.z, b.x, b.y, b.z);
}

INLINE struct v_vector w_cross(struct filter_state *p, struct v_vector a, struct v_vector b)
{
    return (struct v_vector){w_determinant(p, a.y, b.z, a.z, b.y), w_determinant(p, a.z, b.x, a.x, b.z),
                             w_determinant(p, a.x, b.y, a.y, b.x)};
}

INLINE struct v_vector w_minus(struct filter_state *p, struct v_vector a, struct v_vector b)
{
    return (struct v_vector){difference(p, a.x, b.x), difference(p, a.y, b.y), difference(p, a.z, b.z)};
}

INLINE struct v_vector w_scaled(struct v_vector a, float factor)
{
    return v_times(v_set1(factor), a.x, a.y, a.z);
}

INLINE v w_norm1(struct v_vector a)
{
    return magnitude_of(a.x, a.y, a.z);
}

/* The vertices of a triangle. */
INLINE struct v_vector w_first(struct v_triangle t)
{
    return (struct v_vector){t.ax, t.ay, t.az};
}

INLINE struct v_vector w_second(struct v_triangle t)
{
    return (struct v_vector){t.bx, t.by, t.bz};
}

INLINE struct v_vector w_third(struct v_triangle t)
{
    return (struct v_vector){t.cx, t.cy, t.cz};
}

/* Values of the vertices or the edges of a triangle. */
struct w_three {
    v a, b, c;
};

INLINE v w_least(struct w_three t)
{
    return v_min(t.a, v_min(t.b, t.c));
}

INLINE v w_greatest(struct w_three t)
{
    return v_max(t.a, v_max(t.b, t.c));
}

/* How far the interval from low to high is away from 0; below 0: how deep 0 lies in it. */
INLINE v w_gap(v low, v high)
{
    return v_max(low, v_sub(v_set1(0), high));
}

/* Pairs of a closed question; a touch is a hit. */
INLINE m closed_lanes(const struct filter_state *p)
{
    return m_lt(p->below, v_set1(0));
}

#endif
