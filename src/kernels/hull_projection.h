/* SPDX-License-Identifier: MIT */
/*
 * Spheres across the surfaces of hulls, one sphere and hull a lane: finds the nearest point of the hull by moving the
 * centre to planes, and bounds whether the distance is certainly above or below the radius.
 */
#ifndef ABUT_KERNELS_HULL_PROJECTION_H
#define ABUT_KERNELS_HULL_PROJECTION_H

/* The planes of one hull a lane, by plane and lane. Planes that contain everything pad the hulls with fewer planes. */
struct mixed_hulls {
    unsigned planes;
    float nx[ABUT_MAX_PLANES][WIDTH], ny[ABUT_MAX_PLANES][WIDTH], nz[ABUT_MAX_PLANES][WIDTH];
    float d[ABUT_MAX_PLANES][WIDTH], reach[WIDTH];
};

/* The planes that the lanes are tested against: those of one hull, or of mixed ones. */
struct faces {
    bool mixed; /* a constant */
    unsigned planes;
    v reach;
    const struct hull *hull;
    const struct mixed_hulls *hulls;
};

INLINE struct faces faces_of(const struct hull *hull)
{
    return (struct faces){false, hull->planes, v_set1((float)hull->reach), hull, NULL};
}

INLINE struct faces mixed_faces(const struct mixed_hulls *hulls)
{
    return (struct faces){true, hulls->planes, v_load(hulls->reach), NULL, hulls};
}

INLINE struct v_plane face(const struct faces *faces, unsigned k)
{
    const struct hull *hull = faces->hull;
    const struct mixed_hulls *hulls = faces->hulls;
    if (faces->mixed)
        return (struct v_plane){v_load(hulls->nx[k]), v_load(hulls->ny[k]), v_load(hulls->nz[k]), v_load(hulls->d[k])};
    return hull_plane(hull, k);
}

/* Bounds the error of a height, and of a rounded point, with |x| + |y| + |z| = size. */
INLINE v height_error(const struct faces *faces, v size)
{
    return v_fma(v_add(size, faces->reach), v_set1(0x1p-21f), v_set1(0x1p-120f));
}

/* Decided lanes, as bits. */
struct moved {
    uint64_t hits, misses;
};

/* more is added to the heights by which centres are moved; less is subtracted from heights that prove a miss. */
struct slack {
    v more, less;
};

INLINE struct slack slack_of(const struct faces *faces, struct v_sphere c)
{
    const v error = height_error(faces, magnitude_of(c.x, c.y, c.z));
    return (struct slack){v_mul(error, v_set1(4)), v_fma(error, v_set1(16), v_mul(c.r, v_set1(0x1p-17f)))};
}

/*
 * Spheres whose centres may be outside of some plane, a lane each. A centre is moved inwards by w = sum of t n, all
 * t >= 0. If it is then inside of all planes, and was moved by less than r, it is a hit. For any t >= 0 the distance is
 * at least sum t s / |w| with the heights s of the centre: if that is more than r, it is a miss.
 *
 * Errors: heights 5 u (|c| + |d|), and rounding a point u |c|, for which the bound has 8 u. w has at most 32 products,
 * and unit normals are off by 3 u: its length is off by less than 40 u sum t, and the square root and squares add 4 u.
 * A miss covers these by 128 u (|c| + |d| + r), subtracted from each s: s needs 5 u of it, w 40 u by way of r, and the
 * roundings of sum t s 34 u. Products and squares below the least float matter by less than 2^-144 where sum t s is
 * above 2^-100, and in |w| by less than 2^-73. A sum t s that overflows, or is NaN, proves nothing, nor does an
 * infinite |w|.
 *
 * The padding planes of a mixed hull (n = 0, d = -2^100) move nothing. Their t is 0, unless errors are beyond 2^100:
 * then t s is below 0 and proves less, and no centre is inside of these planes.
 */
INLINE struct moved move_by(const struct faces *faces, struct v_sphere c, const v *t, const v *s, struct v_point *to)
{
    const v none = v_set1(0);
    v wx = none, wy = none, wz = none, ts = none;
    for (unsigned k = 0; k < faces->planes; k++) {
        const struct v_plane f = face(faces, k);
        wx = v_fma(t[k], f.nx, wx);
        wy = v_fma(t[k], f.ny, wy);
        wz = v_fma(t[k], f.nz, wz);
        ts = v_fma(t[k], s[k], ts);
    }
    const v length = v_fma(v_sqrt(sum_of_squares(wx, wy, wz)), v_set1(1 + 0x1p-18f), v_set1(0x1p-73f));
    const m counts = m_and(m_lt(v_set1(0x1p-100f), ts), m_lt(ts, v_set1(INFINITY)));
    const m miss = m_and(counts, m_lt(v_mul(c.r, length), ts));
    *to = (struct v_point){v_sub(c.x, wx), v_sub(c.y, wy), v_sub(c.z, wz)};
    const v error = height_error(faces, magnitude_of(to->x, to->y, to->z)), inside = v_sub(none, error);
    m hit = m_lt(v_add(length, error), c.r);
    for (unsigned k = 0; k < faces->planes; k++)
        hit = m_and(hit, m_lt(height(face(faces, k), to->x, to->y, to->z), inside));
    return (struct moved){m_bits(hit), m_bits(miss)};
}

/* t is s plus slack over the planes that the centre is outside of: enough for one plane or perpendicular ones. */
INLINE struct moved move_at_once(struct faces faces, struct v_sphere c)
{
    const struct slack slack = slack_of(&faces, c);
    v s[ABUT_MAX_PLANES], t[ABUT_MAX_PLANES];
    struct v_point to;
    for (unsigned k = 0; k < faces.planes; k++) {
        const v h = height(face(&faces, k), c.x, c.y, c.z);
        t[k] = v_max(v_add(h, slack.more), v_set1(0));
        s[k] = v_sub(h, slack.less);
    }
    return move_by(&faces, c, t, s, &to);
}

enum { MOST_ROUNDS = 6, SERIES = 3 };

/*
 * Moves the centre to a little inside of one plane after the other, and back by no more than it was moved along that
 * plane before (Hildreth 1957): round by round this leads to the nearest point. For two planes the changes of the
 * rounds are a geometric series, for more nearly so, and its limit is extrapolated (Aitken 1926). Lanes still undecided
 * at the end are close, or the hull is flat.
 *
 * The height over the next plane is computed before the current plane moves the centre, and then updated by the dot
 * product of the two normals, which shortens the dependency chain.
 */
INLINE struct moved move_in_rounds(struct faces faces, struct v_sphere c, uint64_t wanted)
{
    const v none = v_set1(0);
    const struct slack slack = slack_of(&faces, c);
    v s[ABUT_MAX_PLANES], t[ABUT_MAX_PLANES], change[ABUT_MAX_PLANES], dots[ABUT_MAX_PLANES];
    for (unsigned k = 0; k < faces.planes; k++) {
        const struct v_plane f = face(&faces, k), next = face(&faces, k + 1 < faces.planes ? k + 1 : 0);
        s[k] = v_sub(height(f, c.x, c.y, c.z), slack.less);
        t[k] = change[k] = none;
        dots[k] = v_fma(f.nx, next.nx, v_fma(f.ny, next.ny, v_mul(f.nz, next.nz)));
    }
    struct v_point p = {c.x, c.y, c.z};
    struct moved found = {0, 0};
    for (unsigned round = 1; round <= MOST_ROUNDS && (wanted & ~(found.hits | found.misses)) != 0; round++) {
        v along = none, before = v_set1(0x1p-100f);
        struct v_plane f = face(&faces, 0);
        v h = height(f, p.x, p.y, p.z);
        for (unsigned k = 0; k < faces.planes; k++) {
            const struct v_plane next = face(&faces, k + 1 < faces.planes ? k + 1 : 0);
            const v next_h = height(next, p.x, p.y, p.z), old = t[k];
            t[k] = v_max(v_add(h, v_add(old, slack.more)), none);
            const v back = v_sub(old, t[k]);
            h = v_fma(back, dots[k], next_h);
            p.x = v_fma(back, f.nx, p.x);
            p.y = v_fma(back, f.ny, p.y);
            p.z = v_fma(back, f.nz, p.z);
            along = v_fma(back, change[k], along);
            before = v_fma(change[k], change[k], before);
            change[k] = back;
            f = next;
        }
        if (round % SERIES == 0) {
            const v rest = v_div(along, v_max(v_sub(before, along), v_mul(before, v_set1(0x1p-5f))));
            for (unsigned k = 0; k < faces.planes; k++)
                t[k] = v_max(v_sub(t[k], v_mul(change[k], rest)), none);
        }
        const struct moved now = move_by(&faces, c, t, s, &p);
        found.hits |= now.hits;
        found.misses |= now.misses;
    }
    return found;
}

#endif
