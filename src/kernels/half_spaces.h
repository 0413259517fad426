/* SPDX-License-Identifier: MIT */
/*
 * Shapes with straight edges and hulls against hulls: whether half spaces have a common point, by the dual simplex
 * method.
 *
 * The points of a segment, triangle or box are base + s0 axis0 + s1 axis1 + s2 axis2 for bounded s. A plane of the hull
 * becomes a row c.s + e <= 0, and so do the bounds. A missing bound is -M or M for an M beyond all numbers.
 *
 * The method keeps three rows, the basis, whose planes meet in one point s. It begins with the lower bounds. While a
 * row is violated, that row enters the basis and another leaves it, so that s stays the least point of the basis by an
 * objective g.s with g > 0. Where no row can leave, the entering row and the basis have no common point, and so have
 * all rows. The violated row and the leaving one are always the first possible: so no basis comes twice (Bland 1977).
 *
 * Under the open rule the shape and the hull must still meet after every small enough shift of the hull, so after four
 * shifts around 0, as the shifts for which two convex shapes meet are a convex set. The shifts are multiples of an e
 * less than all numbers. Every sum has three parts: multiples of M, of 1 and of e, compared in this order.
 *
 * Degrees of rows: 1 for AABBs and hulls, else 2, and at most four rows in a product. So the degree is 4 for segments,
 * AABBs and hulls, 6 for triangles, 8 for OBBs. Segments and triangles have axes of 0, whose bounds never leave.
 */

#ifdef KERNEL_FORMULAS

/* c.s + e <= 0, where e is far M + at + shift. */
struct row {
    struct vector c;
    int far;
    real at, shift;
};

struct bounds {
    real low, high;
    bool no_low, no_high;
};

/* The rows: lower bounds, upper bounds, s0 + s1 <= 1 of triangles, the planes of the hull, those of another hull. */
enum { UPPER_ROWS = 3, HALF_ROW = 6, PLANE_ROWS = 7 };
struct half_spaces {
    bool plain; /* base is 0, and the axes are those of space */
    bool half;
    struct vector base, axis[3];
    struct bounds bounds[3];
    const struct hull *hull, *other; /* other is never shifted, and may be NULL */
    unsigned shift;                  /* 0: none */
};

/* The common point of the basis, times w: the parts that are multiples of M, of 1 and of e. */
struct vertex {
    struct vector cofactor[3], far, at, shift;
    real w;
    int sign; /* of w; never 0 */
    bool any_far;
};

static inline real bound_end(struct bounds b, bool upper)
{
    return upper ? real_sub(real_of(0), b.high) : b.low;
}

static inline void plane_row(const struct half_spaces *all, const float *plane, unsigned shift, struct row *row)
{
    static const float directions[5][3] = {{0, 0, 0}, {1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const float *s = directions[shift];
    const struct vector n = of_point(plane[0], plane[1], plane[2]);
    row->far = 0;
    row->shift = shift == 0 ? real_of(0) : dot(n, of_point(s[0], s[1], s[2]));
    row->c = n;
    row->at = real_of(plane[3]);
    if (all->plain)
        return;
    row->c = (struct vector){dot(n, all->axis[0]), dot(n, all->axis[1]), dot(n, all->axis[2])};
    row->at = real_add(dot(n, all->base), row->at);
}

/* False if there is no such row among the rows. */
static inline bool take_row(const struct half_spaces *all, unsigned i, struct row *row)
{
    row->far = 0;
    row->shift = real_of(0);
    if (i < HALF_ROW) {
        const bool upper = i >= UPPER_ROWS;
        const struct bounds b = all->bounds[i % 3];
        const float sign = upper ? 1 : -1;
        row->far = (upper ? b.no_high : b.no_low) ? -1 : 0;
        row->c = of_point(i % 3 == 0 ? sign : 0, i % 3 == 1 ? sign : 0, i % 3 == 2 ? sign : 0);
        row->at = row->far != 0 ? real_of(0) : bound_end(b, upper);
        return true;
    }
    if (i == HALF_ROW) {
        row->c = of_point(1, 1, 0);
        row->at = real_of(-1);
        return all->half;
    }
    const unsigned k = i - PLANE_ROWS, planes = all->hull->planes;
    if (k < planes)
        plane_row(all, all->hull->given[k], all->shift, row);
    else
        plane_row(all, all->other->given[k - planes], 0, row);
    return true;
}

static inline unsigned rows_of(const struct half_spaces *all)
{
    return PLANE_ROWS + all->hull->planes + (all->other != NULL ? all->other->planes : 0);
}

/* False if the sign of w is unknown: then so is all that follows. */
static inline bool vertex_of(const struct row basis[3], struct vertex *v)
{
    v->far = v->at = v->shift = of_point(0, 0, 0);
    v->any_far = false;
    for (unsigned i = 0; i < 3; i++) {
        const struct row *row = &basis[i];
        const struct vector n = cross(basis[(i + 1) % 3].c, basis[(i + 2) % 3].c);
        v->cofactor[i] = n;
        v->any_far |= row->far != 0;
        if (row->far != 0)
            v->far = plus(v->far, n);
        else
            v->at = minus(v->at, times(n, row->at));
        v->shift = minus(v->shift, times(n, row->shift));
    }
    v->w = dot(basis[0].c, v->cofactor[0]);
    v->sign = real_sign(v->w);
    return v->sign != SIGN_UNKNOWN;
}

/* The sign of x.c + e w, over that of w. */
static inline int part_sign(const struct vertex *v, struct vector x, struct vector c, real of_w)
{
    const int sign = real_sign(real_add(dot(x, c), of_w));
    return sign == SIGN_UNKNOWN ? sign : sign * v->sign;
}

/* The sign of c.s + e; *tie if that is 0 but for the shift. */
static inline int row_sign(const struct vertex *v, const struct row *row, bool shifted, bool *tie)
{
    if (v->any_far || row->far != 0) {
        const real of_w = row->far != 0 ? real_sub(real_of(0), v->w) : real_of(0);
        const int sign = part_sign(v, v->far, row->c, of_w);
        if (sign != 0)
            return sign;
    }
    const int sign = part_sign(v, v->at, row->c, real_mul(row->at, v->w));
    if (sign != 0)
        return sign;
    *tie = true;
    return shifted ? part_sign(v, v->shift, row->c, real_mul(row->shift, v->w)) : 0;
}

/* Which of the rows i and j of the basis leaves before the other when a row with that c enters: 1 if i, -1 if j. */
static inline int leaves_before(const struct row basis[3], const struct vertex *v, unsigned i, unsigned j,
                                struct vector c)
{
    /* Any g > 0 will do. These components make ties rare. */
    struct vector r[3] = {basis[0].c, basis[1].c, basis[2].c};
    r[i] = of_point(1, 0.71875f, 1.28125f);
    r[j] = c;
    const int sign = real_sign(dot(r[0], cross(r[1], r[2])));
    return sign == SIGN_UNKNOWN ? sign : sign * v->sign;
}

/* The place of the row that leaves the basis; 3 if none can: there is no common point; 4 if that is unknown. */
static inline unsigned leaving(const struct row basis[3], const unsigned number[3], const struct vertex *v,
                               struct vector c)
{
    unsigned place = 3;
    for (unsigned i = 0; i < 3; i++) {
        const int along = real_sign(dot(v->cofactor[i], c));
        if (along == SIGN_UNKNOWN)
            return 4;
        if (along * v->sign <= 0)
            continue;
        const int before = place == 3 ? 1 : leaves_before(basis, v, i, place, c);
        if (before == SIGN_UNKNOWN)
            return 4;
        if (before > 0 || (before == 0 && number[i] < number[place]))
            place = i;
    }
    return place;
}

/* The first row that is certainly violated; else the number of rows, and whether a tie or an unknown one was found. */
static inline unsigned violated(const struct half_spaces *all, const unsigned number[3], const struct vertex *v,
                                struct row *row, bool *tie, bool *unknown)
{
    const unsigned n = rows_of(all);
    *tie = *unknown = false;
    for (unsigned i = 0; i < n; i++) {
        if (i == number[0] || i == number[1] || i == number[2] || !take_row(all, i, row))
            continue;
        const int sign = row_sign(v, row, all->shift != 0, tie);
        if (sign == 1)
            return i;
        *unknown |= sign == SIGN_UNKNOWN;
    }
    return n;
}

/* The rows have a point in common: a hit if they do whatever the shift, a touch if that must be found out. */
static enum answer common_point(const struct half_spaces *all)
{
    enum { MOST_STEPS = 500 }; /* more than all tests take; exact arithmetic needs no limit */
    unsigned number[3] = {0, 1, 2};
    struct row basis[3], row;
    struct vertex v;
    bool tie, unknown, skipped = false;
    for (unsigned i = 0; i < 3; i++)
        take_row(all, i, &basis[i]);
    for (unsigned step = 0; step < MOST_STEPS || !skipped; step++) {
        if (!vertex_of(basis, &v))
            return ANSWER_UNKNOWN;
        const unsigned enters = violated(all, number, &v, &row, &tie, &unknown);
        if (enters == rows_of(all))
            return unknown ? ANSWER_UNKNOWN : tie ? ANSWER_TOUCH : ANSWER_HIT;
        const unsigned place = leaving(basis, number, &v, row.c);
        if (place >= 3)
            return place == 3 ? ANSWER_MISS : ANSWER_UNKNOWN;
        basis[place] = row;
        number[place] = enters;
        skipped |= unknown;
    }
    return ANSWER_UNKNOWN;
}

/* Whether the rows have a point in common, and still have one however little the hull is shifted. */
static inline enum answer half_spaces_meet(struct half_spaces *all)
{
    all->shift = 0;
    enum answer answer = common_point(all);
    if (answer != ANSWER_TOUCH)
        return answer;
    for (all->shift = 1; all->shift <= 4; all->shift++) {
        const enum answer shifted = common_point(all);
        if (shifted == ANSWER_MISS)
            return ANSWER_TOUCH;
        if (shifted == ANSWER_UNKNOWN)
            answer = ANSWER_UNKNOWN;
    }
    return answer == ANSWER_UNKNOWN ? answer : ANSWER_HIT;
}

static inline struct half_spaces half_spaces_of(const struct hull *hull, struct vector base, bool plain)
{
    const struct bounds unit_interval = {real_of(0), real_of(1), false, false};
    const struct vector none = of_point(0, 0, 0);
    return (struct half_spaces){.plain = plain,
                                .base = base,
                                .axis = {none, none, none},
                                .bounds = {unit_interval, unit_interval, unit_interval},
                                .hull = hull};
}

static inline enum answer segment_hull(struct segment s, const struct hull *hull, const struct findings *found)
{
    (void)found;
    const struct vector a = of_point(s.ax, s.ay, s.az);
    struct half_spaces all = half_spaces_of(hull, a, false);
    all.axis[0] = minus(of_point(s.bx, s.by, s.bz), a);
    return half_spaces_meet(&all);
}

static inline enum answer triangle_hull(struct triangle t, const struct hull *hull, const struct findings *found)
{
    (void)found;
    const struct vector a = of_point(t.ax, t.ay, t.az);
    struct half_spaces all = half_spaces_of(hull, a, false);
    all.axis[0] = minus(of_point(t.bx, t.by, t.bz), a);
    all.axis[1] = minus(of_point(t.cx, t.cy, t.cz), a);
    all.half = true;
    return half_spaces_meet(&all);
}

static inline struct bounds between(float low, float high)
{
    const bool no_low = isinf(low), no_high = isinf(high);
    return (struct bounds){real_of(no_low ? 0 : low), real_of(no_high ? 0 : high), no_low, no_high};
}

static inline enum answer aabb_hull(struct aabb b, const struct hull *hull, const struct findings *found)
{
    (void)found;
    struct half_spaces all = half_spaces_of(hull, of_point(0, 0, 0), true);
    all.bounds[0] = between(b.minx, b.maxx);
    all.bounds[1] = between(b.miny, b.maxy);
    all.bounds[2] = between(b.minz, b.maxz);
    return half_spaces_meet(&all);
}

/* Spanned by its edges. */
static inline enum answer obb_hull(struct obb b, const struct hull *hull, const struct findings *found)
{
    (void)found;
    struct half_spaces all = half_spaces_of(hull, of_point(b.cx, b.cy, b.cz), false);
    all.axis[0] = of_point(b.ux, b.uy, b.uz);
    all.axis[1] = of_point(b.vx, b.vy, b.vz);
    all.axis[2] = of_point(b.wx, b.wy, b.wz);
    all.bounds[0] = between(-b.hx, b.hx);
    all.bounds[1] = between(-b.hy, b.hy);
    all.bounds[2] = between(-b.hz, b.hz);
    return half_spaces_meet(&all);
}

/* All of space, which the planes of the other hull cut as well. */
static inline enum answer hull_hull(const struct hull *other, const struct hull *hull, const struct findings *found)
{
    (void)found;
    struct half_spaces all = half_spaces_of(hull, of_point(0, 0, 0), true);
    for (unsigned k = 0; k < 3; k++)
        all.bounds[k] = between(-INFINITY, INFINITY);
    all.other = other;
    return half_spaces_meet(&all);
}

#endif
