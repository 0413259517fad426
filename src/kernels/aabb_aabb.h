/* SPDX-License-Identifier: MIT */
/* AABB touches AABB: they overlap on every axis. Degree 1, and the filter is already exact. */

#ifdef ROOM_FILTERS

/* Every coordinate is in one of the comparisons, so that NaN fails. */
INLINE void aabb_aabb_filter(struct pass *p, struct v_aabb a, struct v_aabb b)
{
    aabb_valid(p, a);
    aabb_valid(p, b);
    ordered(p, a.minx, b.maxx);
    ordered(p, b.minx, a.maxx);
    ordered(p, a.miny, b.maxy);
    ordered(p, b.miny, a.maxy);
    ordered(p, a.minz, b.maxz);
    ordered(p, b.minz, a.maxz);
}

#endif

#ifdef ROOM_JUDGES

static inline enum answer JUDGE(aabb_aabb)(struct aabb a, struct aabb b)
{
    if (aabb_bad(a) || aabb_bad(b))
        return ANSWER_MISS;
    if (a.minx > b.maxx || b.minx > a.maxx || a.miny > b.maxy || b.miny > a.maxy || a.minz > b.maxz || b.minz > a.maxz)
        return ANSWER_MISS;
    bool overlap =
        a.minx < b.maxx && b.minx < a.maxx && a.miny < b.maxy && b.miny < a.maxy && a.minz < b.maxz && b.minz < a.maxz;
    return overlap ? ANSWER_HIT : ANSWER_TOUCH;
}

#endif
