/* SPDX-License-Identifier: MIT */
/* Vectors in lanes, and the vertices of triangles. */

#ifdef KERNEL_FILTERS

INLINE struct v_vector w_minus(struct v_vector a, struct v_vector b)
{
    return (struct v_vector){v_sub(a.x, b.x), v_sub(a.y, b.y), v_sub(a.z, b.z)};
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

#endif
