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
 * Most of them are left out by signs of lower degree. The nearest point p of the sum is also the nearest one of the
 * line or plane of its feature. From there no step within the sum leads nearer: p.d >= 0 for each generator d that is
 * taken at its low end, and so on. A feature whose own p fails a condition is not the one.
 *
 * Half extents may be infinite along directions that are dependent. A point of a face is then still the sum of two
 * stretches at most, with the other generators at their ends, or at 0 if they have none: a basic solution.
 */

#ifdef KERNEL_FORMULAS

/* The points from + t d with low <= t <= high; endless: without that end. */
struct stretch {
    const struct vector *d;
    real low, high;
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
        so_far = require_feature(so_far, real_sub(at, real_mul(s->low, scale)));
    if (!s->endless_high)
        so_far = require_feature(so_far, real_sub(real_mul(s->high, scale), at));
    return so_far;
}

enum { MOST_FEATURE_STEPS = 6 }; /* of six generators; of a triangle there are two, of its three edges */

/* A step within the body from all points of a feature; both: backwards as well. */
struct step {
    const struct vector *d;
    bool back, both;
};

/*
 * A part of the body, along at most two stretches. They begin at q and not at their ends, which may be far: they would
 * hide by their size what is at a right angle to them.
 */
struct feature {
    struct vector q;
    struct stretch stretch[2];
    unsigned stretches;
    bool half;
    struct step step[MOST_FEATURE_STEPS];
    unsigned steps;
};

/*
 * Whether steps lead nearer to 0 from a point times some number of this sign: 1 if one certainly does, 0 if certainly
 * none does, or SIGN_UNKNOWN. If none does, the body has no point on the near side of the plane through the point that
 * is normal to it: nothing is nearer.
 */
static inline int steps_near(const struct feature *f, struct vector p, int sign)
{
    int near = sign == SIGN_UNKNOWN ? sign : 0;
    for (unsigned i = 0; i < f->steps && sign != SIGN_UNKNOWN; i++) {
        const int along = real_sign(dot(p, *f->step[i].d)), onwards = f->step[i].back ? -sign : sign;
        if (along == SIGN_UNKNOWN)
            near = SIGN_UNKNOWN;
        else if (f->step[i].both ? along * sign != 0 : along * onwards < 0)
            return 1;
    }
    return near;
}

/* The answer of one feature; *all: it is that of the body as well, as no point of the body is nearer. */
static inline enum answer feature_answer(enum answer distance, enum answer inside, int near, bool *all)
{
    const enum answer answer = both(distance, inside);
    *all = near == 0 && (distance == ANSWER_MISS || answer == ANSWER_TOUCH);
    return answer;
}

/* The line is within the radius where q.q d.d - (q.d)^2 <= R^2 d.d. Its nearest point is q - (q.d / d.d) d. */
static inline enum answer near_line(const struct feature *f, real r2, bool *all)
{
    const struct stretch *s = &f->stretch[0];
    const real dd = dot(*s->d, *s->d), at = dot(f->q, *s->d);
    const int sign = real_sign(dd);
    if (sign == 0)
        return ANSWER_MISS;
    const enum answer inside = in_stretch(ANSWER_HIT, s, real_sub(real_of(0), at), dd);
    if (inside == ANSWER_MISS)
        return ANSWER_MISS;
    const int near = steps_near(f, minus(times(f->q, dd), times(*s->d, at)), sign);
    if (near == 1)
        return ANSWER_MISS;
    const enum answer line = at_most(real_sub(real_mul(dot(f->q, f->q), dd), square(at)), real_mul(r2, dd));
    return feature_answer(line, sign == SIGN_UNKNOWN ? both(inside, ANSWER_UNKNOWN) : inside, near, all);
}

/*
 * The parallelogram from q, or its half with t + u <= 1. The plane is within the radius where (n.q)^2 <= R^2 n.n. Its
 * nearest point is (n.q / n.n) n.
 */
static inline enum answer near_area(const struct feature *f, real r2, bool *all)
{
    const struct stretch *s = &f->stretch[0], *t = &f->stretch[1];
    const struct vector n = cross(*s->d, *t->d);
    const real height = dot(n, f->q);
    const int near = steps_near(f, n, real_sign(height));
    if (near == 1)
        return ANSWER_MISS;
    const real nn = dot(n, n);
    const int sign = real_sign(nn);
    if (sign == 0)
        return ANSWER_MISS;
    const enum answer plane = at_most(square(height), real_mul(r2, nn));
    if (plane == ANSWER_MISS)
        return feature_answer(plane, plane, near, all);
    const real along_s = dot(cross(*t->d, f->q), n), along_t = dot(cross(f->q, *s->d), n);
    enum answer inside = in_stretch(in_stretch(ANSWER_HIT, s, along_s, nn), t, along_t, nn);
    if (f->half)
        inside = require_feature(inside, real_sub(nn, real_add(along_s, along_t)));
    return feature_answer(plane, sign == SIGN_UNKNOWN ? both(inside, ANSWER_UNKNOWN) : inside, near, all);
}

static inline enum answer near_feature(const struct feature *f, real r2, bool *all)
{
    if (f->stretches == 2)
        return near_area(f, r2, all);
    if (f->stretches == 1)
        return near_line(f, r2, all);
    const int near = steps_near(f, f->q, 1);
    return near == 1 ? ANSWER_MISS : feature_answer(at_most(dot(f->q, f->q), r2), ANSWER_HIT, near, all);
}

enum end { LOW_END, HIGH_END, WHOLE, ENDS };

static inline void feature_step(struct feature *f, const struct vector *d, bool back, bool both)
{
    f->step[f->steps++] = (struct step){d, back, both};
}

/* Takes an end of a generator, or all of it; false if it has no such end, or too much is taken. */
static inline bool feature_generator(struct feature *f, const struct generator *g, enum end end)
{
    if ((end == LOW_END && g->endless_low && !g->endless_high) || (end == HIGH_END && g->endless_high) ||
        (end == WHOLE && f->stretches == 2))
        return false;
    if (end != WHOLE)
        feature_step(f, &g->d, end == HIGH_END, g->endless_low && g->endless_high);
    else
        f->stretch[f->stretches++] = (struct stretch){&g->d, g->low, g->high, g->endless_low, g->endless_high};
    return true;
}

enum { PARTS_OF_TRIANGLE = 7 };

/*
 * The corners 0, a and b, the edges from 0 to a, from 0 to b and from a to b, and the area of a triangle; false if too
 * much is taken.
 */
static inline bool feature_triangle(struct feature *f, const struct vector corner[3], unsigned part)
{
    const struct vector *a = &corner[0], *b = &corner[1], *from_a_to_b = &corner[2];
    if (part >= 3 && f->stretches + (part == 6 ? 2 : 1) > 2)
        return false;
    const struct vector *along = part == 4 ? b : part == 5 ? from_a_to_b : a;
    if (part >= 3)
        f->stretch[f->stretches++] = (struct stretch){along, real_of(0), real_of(1), false, false};
    if (part == 6)
        f->stretch[f->stretches++] = (struct stretch){b, real_of(0), real_of(1), false, false};
    f->half = part == 6;
    if (part == 0 || part == 1 || part == 4 || part == 5)
        feature_step(f, a, part == 1 || part == 5, false);
    if (part == 0 || part == 2 || part == 3)
        feature_step(f, b, part == 2, false);
    if (part == 1 || part == 2)
        feature_step(f, from_a_to_b, part == 2, false);
    return true;
}

enum { MOST_LEVELS = MOST_GENERATORS };

/*
 * Features are numbered: of each generator and triangle one digit tells what is taken. place[i] is where a feature
 * begins by its first i digits, so that the next one shares most of these places.
 */
struct features_walk {
    const struct body *body;
    unsigned levels, features, digit[MOST_LEVELS], known; /* how many digits the places are of */
    struct vector place[MOST_LEVELS + 1];
};

static inline unsigned choices_of(const struct body *body, unsigned level)
{
    return level < body->generators ? ENDS : PARTS_OF_TRIANGLE;
}

/* Where a feature begins that takes this of a generator or triangle. The only end of an endless generator is 0. */
static inline struct vector taken_from(const struct body *body, unsigned level, struct vector q, unsigned digit)
{
    if (level >= body->generators) {
        const struct vector *corner = body->corner[level - body->generators];
        return digit == 1 || digit == 2 || digit == 5 ? plus(q, corner[digit == 2]) : q;
    }
    const struct generator *g = &body->generator[level];
    if (digit == WHOLE || g->endless_low || g->endless_high)
        return q;
    return plus(q, times(g->d, digit == HIGH_END ? g->high : g->low));
}

/* False if there is no feature of this number. */
static inline bool feature_take(struct features_walk *walk, unsigned number, struct feature *f)
{
    const struct body *body = walk->body;
    unsigned digit[MOST_LEVELS] = {0}, same = 0;
    f->stretches = f->steps = 0;
    f->half = false;
    for (unsigned i = walk->levels; i-- > 0; number /= choices_of(body, i))
        digit[i] = number % choices_of(body, i);
    for (unsigned i = 0; i < walk->levels; i++)
        if (!(i < body->generators ? feature_generator(f, &body->generator[i], (enum end)digit[i])
                                   : feature_triangle(f, body->corner[i - body->generators], digit[i])))
            return false;
    while (same < walk->known && walk->digit[same] == digit[same])
        same++;
    for (; same < walk->levels; same++) {
        walk->digit[same] = digit[same];
        walk->place[same + 1] = taken_from(body, same, walk->place[same], digit[same]);
    }
    walk->known = walk->levels;
    f->q = walk->place[walk->levels];
    return true;
}

/* Looks at the features that are left, and leaves out those that certainly are not near. *all: the answer is final. */
static inline enum answer near_features(const struct body *body, real r2, struct features *left, bool *all)
{
    struct features_walk walk = {.body = body, .levels = body->generators + body->triangles, .features = 1};
    walk.place[0] = body->base;
    for (unsigned i = 0; i < walk.levels; i++)
        walk.features *= choices_of(body, i);
    enum answer any = ANSWER_MISS;
    for (unsigned number = 0; number < walk.features && any != ANSWER_HIT; number++) {
        struct feature feature;
        enum answer answer = ANSWER_MISS;
        if (features_out(left, number))
            continue;
        if (feature_take(&walk, number, &feature))
            answer = near_feature(&feature, r2, all);
        if (*all)
            return answer;
        if (answer == ANSWER_MISS)
            features_leave_out(left, number);
        any = either(any, answer);
    }
    return any;
}

/*
 * D^2 <= R^2 for the distance D of the body from 0. zero: R is 0. left: what an arithmetic that did not decide has
 * found out.
 */
static inline enum answer body_within(const struct body *body, real r, bool zero, struct features *left)
{
    const enum answer meets = left->apart ? ANSWER_MISS : body_meets(body);
    if (zero)
        return meets == ANSWER_HIT ? ANSWER_TOUCH : meets;
    if (meets == ANSWER_HIT || meets == ANSWER_TOUCH)
        return ANSWER_HIT;
    left->apart = meets == ANSWER_MISS;
    bool all = false;
    const enum answer near = near_features(body, square(r), left, &all);
    return all ? near : either(meets, near);
}

#endif
