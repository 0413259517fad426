/* SPDX-License-Identifier: MIT */
/* AABB touches AABB: they overlap on every axis. Degree 1; the filter is exact. */

#ifdef KERNEL_FILTERS

/* Each coordinate is compared, so a NaN makes a miss. */
INLINE void aabb_aabb_filter(struct filter_state *p, struct v_aabb a, struct v_aabb b)
{
    aabb_valid(p, a);
    aabb_valid(p, b);
    hit_if_le(p, a.minx, b.maxx);
    hit_if_le(p, b.minx, a.maxx);
    hit_if_le(p, a.miny, b.maxy);
    hit_if_le(p, b.miny, a.maxy);
    hit_if_le(p, a.minz, b.maxz);
    hit_if_le(p, b.minz, a.maxz);
}

#endif

#ifdef KERNEL_FORMULAS

static inline enum answer aabb_aabb(struct aabb a, struct aabb b)
{
    if (aabb_invalid(a) || aabb_invalid(b))
        return ANSWER_MISS;
    if (a.minx > b.maxx || b.minx > a.maxx || a.miny > b.maxy || b.miny > a.maxy || a.minz > b.maxz || b.minz > a.maxz)
        return ANSWER_MISS;
    bool overlap =
        a.minx < b.maxx && b.minx < a.maxx && a.miny < b.maxy && b.miny < a.maxy && a.minz < b.maxz && b.minz < a.maxz;
    return overlap ? ANSWER_HIT : ANSWER_TOUCH;
}

#endif
