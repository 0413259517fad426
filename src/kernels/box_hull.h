/* SPDX-License-Identifier: MIT */
/* AABB and hull: the corner nearest along each normal, or the farthest, against each plane. Degree 2. */

#ifdef ROOM_FILTERS

/* Which member of an AABB the normal of a plane meets first on an axis, or last. */
INLINE const float *first_bound(const struct side *side, float normal, unsigned axis, bool nearest)
{
    return side->at[(normal > 0) == nearest ? axis : axis + 3];
}

INLINE v greatest_bound(const struct side *side, size_t i, unsigned axis)
{
    return v_max(v_abs(v_load(side->at[axis] + i)), v_abs(v_load(side->at[axis + 3] + i)));
}

/*
 * As for a centre, with the greatest bound on each axis for its coordinate. A NaN that v_max drops is caught
 * with the inverted boxes; an infinite bound makes the error infinite.
 */
INLINE v box_error2(const struct hull *hull, const struct side *side, size_t i)
{
    return hull_error2(hull, greatest_bound(side, i, 0), greatest_bound(side, i, 1), greatest_bound(side, i, 2));
}

INLINE struct two corner_depth(const struct hull *hull, const struct side *side, size_t i, bool nearest)
{
    v s0 = v_set1(-INFINITY), s1 = s0;
    for (unsigned k = 0; k < hull->planes; k++) {
        const float *x = first_bound(side, hull->nx[k], 0, nearest) + i;
        const float *y = first_bound(side, hull->ny[k], 1, nearest) + i;
        const float *z = first_bound(side, hull->nz[k], 2, nearest) + i;
        v nx = v_set1(hull->nx[k]), ny = v_set1(hull->ny[k]), nz = v_set1(hull->nz[k]), d = v_set1(hull->d[k]);
        s0 = v_max(s0, v_fma(nx, v_load(x), v_fma(ny, v_load(y), v_fma(nz, v_load(z), d))));
        s1 = v_max(s1, v_fma(nx, v_load(x + WIDTH), v_fma(ny, v_load(y + WIDTH), v_fma(nz, v_load(z + WIDTH), d))));
    }
    return (struct two){{s0, box_error2(hull, side, i)}, {s1, box_error2(hull, side, i + WIDTH)}};
}

INLINE struct two aabb_hull_planes_depth(const struct hull *hull, const struct side *side, size_t i)
{
    return corner_depth(hull, side, i, true);
}

INLINE struct two aabb_in_hull_depth(const struct hull *hull, const struct side *side, size_t i)
{
    return corner_depth(hull, side, i, false);
}

INLINE void aabb_hull_planes_filter(struct hull_pass *p, const struct side *side, size_t i, struct depth depth)
{
    for (unsigned axis = 0; axis < 3; axis++)
        hull_need(p, v_sub(v_load(side->at[axis + 3] + i), v_load(side->at[axis] + i)));
    hull_below(p, depth.s, depth);
}

INLINE void aabb_in_hull_filter(struct hull_pass *p, const struct side *side, size_t i, struct depth depth)
{
    aabb_hull_planes_filter(p, side, i, depth);
}

#endif

#ifdef ROOM_JUDGES

/* n.q + d of the corner nearest along n or farthest along it, against 0; an infinite bound decides alone, and 0 times
 * it is 0. */
static inline enum answer JUDGE(corner_plane)(struct aabb b, const float *plane, bool nearest)
{
    const float low[3] = {b.minx, b.miny, b.minz}, high[3] = {b.maxx, b.maxy, b.maxz};
    number sum = NUMBER(of)(plane[3]);
    for (unsigned axis = 0; axis < 3; axis++) {
        float bound = (plane[axis] > 0) == nearest ? low[axis] : high[axis];
        if (plane[axis] == 0)
            continue;
        if (isinf(bound))
            return nearest ? ANSWER_HIT : ANSWER_MISS;
        sum = NUMBER(add)(sum, NUMBER(mul)(NUMBER(of)(plane[axis]), NUMBER(of)(bound)));
    }
    return JUDGE(at_most)(sum, NUMBER(of)(0));
}

static inline enum answer JUDGE(box_planes)(struct aabb b, const struct hull *hull, bool nearest)
{
    enum answer answer = ANSWER_HIT;
    for (unsigned k = 0; k < hull->planes && answer != ANSWER_MISS; k++)
        answer = JUDGE(both)(answer, JUDGE(corner_plane)(b, hull->given[k], nearest));
    return answer;
}

static inline enum answer JUDGE(aabb_hull_planes)(struct aabb b, const struct hull *hull, const struct active *guess)
{
    (void)guess;
    return JUDGE(box_planes)(b, hull, true);
}

static inline enum answer JUDGE(aabb_in_hull)(struct aabb b, const struct hull *hull, const struct active *guess)
{
    (void)guess;
    return JUDGE(box_planes)(b, hull, false);
}

#endif
