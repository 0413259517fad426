/* SPDX-License-Identifier: MIT */
/*
 * Convex bodies within a distance: whether the difference of two (convex_body.h) comes that near to 0. For a capsule
 * the body is its segment, and the distance its radius.
 *
 * The faces of a sum of generators and triangles consist of parallelograms of two generators, of a generator and an
 * edge of a triangle, or of two edges, and of triangles, each at ends or corners of the others. Faces in one plane are
 * parted into these: a mixed subdivision. Their edges and corners likewise. If 0 is not in the sum, its nearest point
 * is a corner, or inside of an edge or of a parallelogram or triangle. All of these are parts of the sum, so each may
 * be tested, whether or not it is on the outside, and none proves a wrong hit. Degree 8 for OBBs.
 *
 * Half extents may be infinite along directions that are dependent. A point of a face is then still the sum of two
 * stretches at most, with the other generators at their ends, or at 0 if they have none: a basic solution.
 */

#ifdef KERNEL_FORMULAS

/* The points from + t d with 0 <= t <= length; endless: without that end. */
struct stretch {
    struct vector d;
    real length;
    bool endless_low, endless_high;
};

/* A condition value >= 0, which a feature must meet for its nearest point to be in it; a touch is met. */
static inline enum answer require_feature(enum answer so_far, real value)
{
    const enum answer answer = not_negative(value);
    return both(so_far, answer == ANSWER_TOUCH ? ANSWER_HIT : answer);
}

static inline enum answer in_stretch(enum answer so_far, const struct stretch *s, real at, real scale)
{
    if (!s->endless_low)
        so_far = require_feature(so_far, at);
    if (!s->endless_high)
        so_far = require_feature(so_far, real_sub(real_mul(s->length, scale), at));
    return so_far;
}

/* The line is within the radius where q.q d.d - (q.d)^2 <= R^2 d.d. */
static inline enum answer near_stretch(struct vector q, const struct stretch *s, real r2)
{
    const real dd = dot(s->d, s->d), at = dot(q, s->d);
    const int sign = real_sign(dd);
    if (sign == 0)
        return ANSWER_MISS;
    const enum answer line = at_most(real_sub(real_mul(dot(q, q), dd), square(at)), real_mul(r2, dd));
    if (line == ANSWER_MISS)
        return ANSWER_MISS;
    const enum answer inside = in_stretch(ANSWER_HIT, s, real_sub(real_of(0), at), dd);
    return both(line, sign == SIGN_UNKNOWN ? both(inside, ANSWER_UNKNOWN) : inside);
}

/* The parallelogram from q, or its half with t + u <= 1. The plane is within the radius where (n.q)^2 <= R^2 n.n. */
static inline enum answer near_area(struct vector q, const struct stretch *s, const struct stretch *t, bool half,
                                    real r2)
{
    const struct vector n = cross(s->d, t->d);
    const real nn = dot(n, n);
    const int sign = real_sign(nn);
    if (sign == 0)
        return ANSWER_MISS;
    const enum answer plane = at_most(square(dot(n, q)), real_mul(r2, nn));
    if (plane == ANSWER_MISS)
        return ANSWER_MISS;
    const real along_s = dot(cross(t->d, q), n), along_t = dot(cross(q, s->d), n);
    enum answer inside = in_stretch(in_stretch(ANSWER_HIT, s, along_s, nn), t, along_t, nn);
    if (half)
        inside = require_feature(inside, real_sub(nn, real_add(along_s, along_t)));
    return both(plane, sign == SIGN_UNKNOWN ? both(inside, ANSWER_UNKNOWN) : inside);
}

/* A part of the body: a corner from which it extends along at most two stretches. */
struct feature {
    struct vector q;
    struct stretch stretch[2];
    unsigned stretches;
    bool half;
};

static inline enum answer near_feature(const struct feature *f, real r2)
{
    if (f->stretches == 0)
        return at_most(dot(f->q, f->q), r2);
    if (f->stretches == 1)
        return near_stretch(f->q, &f->stretch[0], r2);
    return near_area(f->q, &f->stretch[0], &f->stretch[1], f->half, r2);
}

static inline struct vector moved(struct vector q, struct vector d, real t)
{
    return (struct vector){real_add(q.x, real_mul(d.x, t)), real_add(q.y, real_mul(d.y, t)),
                           real_add(q.z, real_mul(d.z, t))};
}

enum end { LOW_END, HIGH_END, WHOLE, ENDS };

/* Takes an end of a generator, or all of it; false if it has no such end, or too much is taken. */
static inline bool feature_generator(struct feature *f, const struct generator *g, enum end end)
{
    if ((end == LOW_END && g->endless_low && !g->endless_high) || (end == HIGH_END && g->endless_high) ||
        (end == WHOLE && f->stretches == 2))
        return false;
    /* With one end only, that is 0. Without ends, 0 stands for the low one. */
    const bool endless = g->endless_low || g->endless_high;
    if (!endless)
        f->q = moved(f->q, g->d, end == HIGH_END ? g->high : g->low);
    if (end == WHOLE) {
        const real length = endless ? real_of(0) : real_sub(g->high, g->low);
        f->stretch[f->stretches++] = (struct stretch){g->d, length, g->endless_low, g->endless_high};
    }
    return true;
}

enum { PARTS_OF_TRIANGLE = 7 };

/* The corners, the edges and the area of a triangle; false if too much is taken. */
static inline bool feature_triangle(struct feature *f, const struct vector corner[2], unsigned part)
{
    if (part >= 3 && f->stretches + (part == 6 ? 2 : 1) > 2)
        return false;
    if (part == 1 || part == 2 || part == 5)
        f->q = moved(f->q, corner[part == 1 ? 0 : part == 2 ? 1 : 0], real_of(1));
    if (part < 3)
        return true;
    const struct vector d = part == 4 ? corner[1] : part == 5 ? minus(corner[1], corner[0]) : corner[0];
    f->stretch[f->stretches++] = (struct stretch){d, real_of(1), false, false};
    if (part == 6)
        f->stretch[f->stretches++] = (struct stretch){corner[1], real_of(1), false, false};
    f->half = part == 6;
    return true;
}

/* The choice of ends is a number in base ENDS, and the parts of triangles are its last digits. */
static inline bool feature_take(struct feature *f, const struct body *body, unsigned choice)
{
    *f = (struct feature){.q = body->base, .stretches = 0, .half = false};
    for (unsigned i = 0; i < body->generators; i++, choice /= ENDS)
        if (!feature_generator(f, &body->generator[i], (enum end)(choice % ENDS)))
            return false;
    for (unsigned i = 0; i < body->triangles; i++, choice /= PARTS_OF_TRIANGLE)
        if (!feature_triangle(f, body->corner[i], choice % PARTS_OF_TRIANGLE))
            return false;
    return true;
}

static inline enum answer near_features(const struct body *body, real r2)
{
    unsigned choices = 1;
    for (unsigned i = 0; i < body->generators; i++)
        choices *= ENDS;
    for (unsigned i = 0; i < body->triangles; i++)
        choices *= PARTS_OF_TRIANGLE;
    enum answer any = ANSWER_MISS;
    for (unsigned choice = 0; choice < choices && any != ANSWER_HIT; choice++) {
        struct feature feature;
        if (feature_take(&feature, body, choice))
            any = either(any, near_feature(&feature, r2));
    }
    return any;
}

/* D^2 <= R^2 for the distance D of the body from 0. zero: R is 0. */
static inline enum answer body_within(const struct body *body, real r, bool zero)
{
    const enum answer meets = body_meets(body);
    if (zero)
        return meets == ANSWER_HIT ? ANSWER_TOUCH : meets;
    if (meets == ANSWER_HIT || meets == ANSWER_TOUCH)
        return ANSWER_HIT;
    return either(meets, near_features(body, square(r)));
}

#endif
