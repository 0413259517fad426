/* SPDX-License-Identifier: MIT */
/*
 * Convex bodies with straight edges: whether two of them share a point, by the directions that can separate them.
 *
 * The difference of two bodies a and b is the set of all p - q with p in a and q in b. They share a point where it
 * contains 0, and still do after every small enough shift where it has 0 in its interior: that is the open rule. A
 * segment, AABB, OBB or triangle is a point plus a sum of intervals along directions (generators) and of at most one
 * triangle, and so is the difference.
 *
 * Such a sum has faces that are normal to the cross product of two of its edges, if its edges span space. Then 0 is in
 * it if and only if no such direction n has all of it on one side (Gottschalk 1996 for boxes): 15 directions for two
 * boxes, 13 for a box and a triangle. Any other direction may be tested, too: it proves nothing wrong. Where all edges
 * lie in one plane or on one line, these directions are not enough, and meets_flat() also tests within them.
 *
 * Degree 3 in differences for triangles, 4 for OBBs.
 */

#ifdef KERNEL_FORMULAS

enum { MOST_GENERATORS = 6, MOST_EDGES = 6 };

/* The points t d with low <= t <= high. */
struct generator {
    struct vector d;
    real low, high;
    bool endless_low, endless_high;
    unsigned edge; /* the number of an edge with this direction */
};

/* base + the generators + triangles with the corners 0, corner[0] and corner[1]; corner[2] is from one to the other. */
struct body {
    struct vector base;
    struct generator generator[MOST_GENERATORS];
    unsigned generators;
    struct vector corner[2][3];
    unsigned first_edge[2]; /* corner[0] and the next two are three edges */
    unsigned triangles;
    /* The directions of its edges. Equal directions are listed once where the inputs show it. */
    struct vector edge[MOST_EDGES];
    float axis[MOST_EDGES][3]; /* the same as inputs, or zero */
    unsigned edges;
};

/* The first point is the base, and the second is subtracted from it. */
static inline void body_place(struct body *body, struct vector p, bool second)
{
    body->base = second ? minus(body->base, p) : p;
}

static inline struct body body_empty(void)
{
    struct body body;
    body.base = of_point(0, 0, 0);
    body.generators = body.triangles = body.edges = 0;
    return body;
}

static inline void body_edge(struct body *body, struct vector d)
{
    body->axis[body->edges][0] = body->axis[body->edges][1] = body->axis[body->edges][2] = 0;
    body->edge[body->edges++] = d;
}

static inline bool same_axis(const float *a, float x, float y, float z)
{
    return (a[0] == x && a[1] == y && a[2] == z) || (a[0] == -x && a[1] == -y && a[2] == -z);
}

/* Returns its number. */
static inline unsigned body_axis_edge(struct body *body, float x, float y, float z)
{
    for (unsigned i = 0; i < body->edges; i++)
        if (same_axis(body->axis[i], x, y, z))
            return i;
    body->axis[body->edges][0] = x;
    body->axis[body->edges][1] = y;
    body->axis[body->edges][2] = z;
    body->edge[body->edges] = of_point(x, y, z);
    return body->edges++;
}

static inline void body_generator(struct body *body, struct vector d, real low, real high)
{
    body->generator[body->generators++] = (struct generator){d, low, high, false, false, body->edges};
}

static inline struct vector negative(struct vector v)
{
    return minus(of_point(0, 0, 0), v);
}

static inline void body_add_point(struct body *body, struct point p, bool second)
{
    body_place(body, of_point(p.x, p.y, p.z), second);
}

static inline void body_add_segment(struct body *body, struct segment s, bool second)
{
    const struct vector a = of_point(s.ax, s.ay, s.az), b = of_point(s.bx, s.by, s.bz);
    body_place(body, a, second);
    if (s.ax == s.bx && s.ay == s.by && s.az == s.bz)
        return;
    const struct vector d = second ? minus(a, b) : minus(b, a);
    body_generator(body, d, real_of(0), real_of(1));
    body_edge(body, d);
}

static inline void body_add_triangle(struct body *body, struct triangle t, bool second)
{
    const struct vector a = of_point(t.ax, t.ay, t.az), b = of_point(t.bx, t.by, t.bz), c = of_point(t.cx, t.cy, t.cz);
    struct vector *corner = body->corner[body->triangles];
    body->first_edge[body->triangles++] = body->edges;
    body_place(body, a, second);
    corner[0] = second ? minus(a, b) : minus(b, a);
    corner[1] = second ? minus(a, c) : minus(c, a);
    corner[2] = second ? minus(b, c) : minus(c, b);
    body_edge(body, corner[0]);
    body_edge(body, corner[1]);
    body_edge(body, corner[2]);
}

/* One axis of an AABB: returns the coordinate of its base, the finite bound if there is only one. */
static inline float body_add_interval(struct body *body, unsigned axis, float min, float max, bool second)
{
    const bool no_min = isinf(min), no_max = isinf(max);
    const float from = !no_min ? min : !no_max ? max : 0;
    if (min == max)
        return from;
    const float x = axis == 0, y = axis == 1, z = axis == 2;
    struct generator *g = &body->generator[body->generators++];
    const real size = no_min || no_max ? real_of(0) : difference(max, min);
    g->d = of_point(x, y, z);
    g->low = second ? real_sub(real_of(0), size) : real_of(0);
    g->high = second ? real_of(0) : size;
    g->endless_low = second ? no_max : no_min;
    g->endless_high = second ? no_min : no_max;
    g->edge = body_axis_edge(body, x, y, z);
    return from;
}

static inline void body_add_aabb(struct body *body, struct aabb b, bool second)
{
    const float x = body_add_interval(body, 0, b.minx, b.maxx, second);
    const float y = body_add_interval(body, 1, b.miny, b.maxy, second);
    const float z = body_add_interval(body, 2, b.minz, b.maxz, second);
    body_place(body, of_point(x, y, z), second);
}

static inline void body_add_half(struct body *body, float h, float x, float y, float z)
{
    if (h == 0 || (x == 0 && y == 0 && z == 0))
        return;
    struct generator *g = &body->generator[body->generators++];
    g->endless_low = g->endless_high = isinf(h);
    g->d = of_point(x, y, z);
    g->high = real_of(isinf(h) ? 0 : h);
    g->low = real_of(isinf(h) ? 0 : -h);
    g->edge = body_axis_edge(body, x, y, z);
}

/* Spanned by its edges: the sums of the centre and of the axes times numbers from -h to h. */
static inline void body_add_obb(struct body *body, struct obb b, bool second)
{
    body_place(body, of_point(b.cx, b.cy, b.cz), second);
    body_add_half(body, b.hx, b.ux, b.uy, b.uz);
    body_add_half(body, b.hy, b.vx, b.vy, b.vz);
    body_add_half(body, b.hz, b.wx, b.wy, b.wz);
}

/* 1 for certain, 0 for certain not, or SIGN_UNKNOWN. */
static inline int nonzero(struct vector v)
{
    const int x = real_sign(v.x), y = real_sign(v.y), z = real_sign(v.z);
    if (x % 2 != 0 || y % 2 != 0 || z % 2 != 0)
        return 1;
    return x == 0 && y == 0 && z == 0 ? 0 : SIGN_UNKNOWN;
}

/* The direction n, the cross product of two edges of some body. NO_EDGE: of others. */
enum { NO_EDGE = MOST_EDGES };
struct direction {
    struct vector n;
    unsigned across[2];
};

static inline struct direction any_direction(struct vector n)
{
    return (struct direction){n, {NO_EDGE, NO_EDGE}};
}

/* Whether an edge is at a right angle to n by the way n was made, which rounding hides. */
static inline bool is_across(const struct direction *direction, unsigned edge)
{
    return edge == direction->across[0] || edge == direction->across[1];
}

/* The values n.p of a body's points, and whether they have ends. */
struct span {
    real low, high;
    bool endless_low, endless_high, unknown;
    int leaves; /* whether some edge leaves the plane normal to n: 1, 0 or SIGN_UNKNOWN */
};

static inline real lesser(real a, real b)
{
    const real zero = real_of(0);
    return real_sub(zero, real_max(real_sub(zero, a), real_sub(zero, b)));
}

static inline void span_leaves(struct span *span, int sign)
{
    if (span->leaves != 1 && sign != 0)
        span->leaves = sign == SIGN_UNKNOWN ? SIGN_UNKNOWN : 1;
}

static inline void span_generator(struct span *span, const struct generator *g, struct vector n)
{
    const real t = dot(n, g->d);
    const int sign = real_sign(t);
    span_leaves(span, sign);
    if (!g->endless_low && !g->endless_high) {
        const real x = real_mul(g->low, t), y = real_mul(g->high, t);
        span->low = real_add(span->low, lesser(x, y));
        span->high = real_add(span->high, real_max(x, y));
        return;
    }
    /* The finite end, if there is one, is 0. */
    span->unknown |= sign == SIGN_UNKNOWN;
    span->endless_low |= sign != 0 && (sign > 0 ? g->endless_low : g->endless_high);
    span->endless_high |= sign != 0 && (sign > 0 ? g->endless_high : g->endless_low);
}

static inline void span_triangle(struct span *span, const struct body *body, unsigned i,
                                 const struct direction *direction)
{
    const unsigned edge = body->first_edge[i];
    const struct vector *corner = body->corner[i];
    const real zero = real_of(0);
    real e = is_across(direction, edge) ? zero : dot(direction->n, corner[0]), f = e;
    if (!is_across(direction, edge + 2))
        f = is_across(direction, edge + 1) ? zero : dot(direction->n, corner[1]);
    else if (is_across(direction, edge + 1))
        e = f = zero;
    span->low = real_add(span->low, lesser(zero, lesser(e, f)));
    span->high = real_add(span->high, real_max(zero, real_max(e, f)));
    span_leaves(span, real_sign(e));
    span_leaves(span, real_sign(f));
}

/* Of a body along a direction that its own edges made, or any. */
static inline struct span span_of(const struct body *body, const struct direction *direction)
{
    const real at = dot(direction->n, body->base);
    struct span span = {at, at, false, false, false, 0};
    for (unsigned i = 0; i < body->generators; i++)
        if (!is_across(direction, body->generator[i].edge))
            span_generator(&span, &body->generator[i], direction->n);
    for (unsigned i = 0; i < body->triangles; i++)
        span_triangle(&span, body, i, direction);
    return span;
}

/* 0 <= a as an answer. */
static inline enum answer not_negative(real a)
{
    const int sign = real_sign(a);
    return sign == SIGN_UNKNOWN ? ANSWER_UNKNOWN : (enum answer)sign;
}

/* A question that is answered direction by direction: a miss in any direction is a miss. */
struct by_direction {
    const struct body *edges; /* whose edges give the directions */
    enum answer (*ask)(const struct by_direction *question, const struct direction *direction, int *leaves);
    const struct body *body, *container;
    bool rounded;
    real r2;
};

/* Whether 0 is between the ends of the body. A direction that may be zero proves no touch. */
static inline enum answer zero_between(const struct by_direction *question, const struct direction *direction,
                                       int *leaves)
{
    const struct span span = span_of(question->body, direction);
    *leaves = span.leaves;
    if (span.unknown)
        return ANSWER_UNKNOWN;
    const enum answer low = span.endless_low ? ANSWER_HIT : not_negative(real_sub(real_of(0), span.low));
    const enum answer high = span.endless_high ? ANSWER_HIT : not_negative(span.high);
    const enum answer answer = both(low, high);
    return answer == ANSWER_TOUCH && nonzero(direction->n) != 1 ? ANSWER_UNKNOWN : answer;
}

/* A direction that is zero for certain says nothing. */
static inline enum answer in_direction(const struct by_direction *question, struct direction direction, int *leaves)
{
    *leaves = 0;
    return nonzero(direction.n) == 0 ? ANSWER_HIT : question->ask(question, &direction, leaves);
}

/* Unit vectors. */
static inline struct vector unit(unsigned axis)
{
    return of_point(axis == 0, axis == 1, axis == 2);
}

/* All directions of the plane normal to n; edges not in the plane cannot exist. */
static inline enum answer in_plane(const struct by_direction *question, struct vector n)
{
    int leaves;
    enum answer all = in_direction(question, any_direction(n), &leaves);
    for (unsigned k = 0; k < question->edges->edges && all != ANSWER_MISS; k++)
        all = both(all, in_direction(question, any_direction(cross(n, question->edges->edge[k])), &leaves));
    return all;
}

/* The edges are parallel to d: the direction, and three that span the plane normal to it. */
static inline enum answer on_line(const struct by_direction *question, struct vector d)
{
    int leaves;
    enum answer all = in_direction(question, any_direction(d), &leaves);
    for (unsigned k = 0; k < 3 && all != ANSWER_MISS; k++)
        all = both(all, in_direction(question, any_direction(cross(d, unit(k))), &leaves));
    return all;
}

static inline enum answer in_point(const struct by_direction *question)
{
    int leaves;
    enum answer all = ANSWER_TOUCH;
    for (unsigned k = 0; k < 3; k++)
        all = both(all, in_direction(question, any_direction(unit(k)), &leaves));
    return all;
}

/* The edges lie in one plane for certain, so there is no interior. */
static inline enum answer by_directions_flat(const struct by_direction *question)
{
    const struct body *body = question->edges;
    for (unsigned i = 0; i < body->edges; i++)
        for (unsigned j = i + 1; j < body->edges; j++) {
            const struct vector n = cross(body->edge[i], body->edge[j]);
            const int is = nonzero(n);
            if (is != 0)
                return is == 1 ? both(ANSWER_TOUCH, in_plane(question, n)) : ANSWER_UNKNOWN;
        }
    for (unsigned i = 0; i < body->edges; i++) {
        const int is = nonzero(body->edge[i]);
        if (is != 0)
            return is == 1 ? both(ANSWER_TOUCH, on_line(question, body->edge[i])) : ANSWER_UNKNOWN;
    }
    return in_point(question);
}

static inline enum answer by_directions(const struct by_direction *question)
{
    const struct body *body = question->edges;
    enum answer all = ANSWER_HIT;
    int spread = 0; /* whether the edges span space */
    for (unsigned i = 0; i < body->edges; i++)
        for (unsigned j = i + 1; j < body->edges; j++) {
            int leaves;
            const struct direction across = {cross(body->edge[i], body->edge[j]), {i, j}};
            all = both(all, in_direction(question, across, &leaves));
            if (all == ANSWER_MISS)
                return all;
            spread = spread == 1 || leaves == 0 ? spread : leaves;
        }
    return spread == 1 ? all : spread == 0 ? by_directions_flat(question) : ANSWER_UNKNOWN;
}

/* Whether 0 is in the body. */
static inline enum answer body_meets(const struct body *body)
{
    const struct by_direction question = {.edges = body, .ask = zero_between, .body = body};
    return by_directions(&question);
}

#endif
