/* SPDX-License-Identifier: MIT */
/*
 * The definition of a cast of a moving sphere among hulls, in rational arithmetic.
 *
 * A hull H is the set of points q with n_k.q + d_k <= 0 for all k. The centre at time t is c = p + t v. For a set A of
 * at most three planes with independent normals, the foot of c is the point of their common flat nearest to c; for no
 * plane it is c. The sphere touches H at time t if and only if for some A the foot of c is in H and at most r from c:
 *
 *   If:       the foot is a common point.
 *   Only if:  H is not empty then, so it has a point q nearest to c, at most r away. The planes through q have
 *             multipliers >= 0 with which the normals add up to c - q, and three independent ones suffice
 *             (Caratheodory). So c - q is at a right angle to the flat of these planes, which q is on: q is its foot.
 *
 * For each A the times at which this holds are an interval. The foot is a linear function of t. So it is in H from one
 * rational time to another, or always, or never. The squared distance of c from the flat is a quadratic polynomial in
 * t. So it is at most r^2 between two roots P - sqrt(D) and P + sqrt(D), or always, or never. The first touch is the
 * least of the beginnings of these intervals within [0, end]: 0, a rational time, or some P - sqrt(D). Nothing here
 * depends on the hull having points, volume or vertices, nor on r > 0. An infinite r is at least any distance, so it
 * takes the foot alone, at time 0.
 *
 * Some A need no look, as their flat misses H. A line of two planes is cut by all others to an interval of H. The point
 * of three planes in H is on the line of two of them, and the third one cuts that line there: it is an end of such an
 * interval.
 */
#include "moving_oracle.h"

#include "rational.h"

enum { MOST_EDGES = ABUT_MAX_PLANES * (ABUT_MAX_PLANES - 1) / 2 };

struct vector {
    mpq_srcptr at[3];
};

/* From low to high; a bound may be NULL: none. */
struct interval {
    bool empty;
    mpq_srcptr low, high;
};

/* The points start + u along with u in the part. */
struct edge {
    struct vector start, along;
    mpq_srcptr length2;
    struct interval part;
};

struct parts {
    unsigned planes, edges, vertices;
    struct vector normal[ABUT_MAX_PLANES];
    mpq_srcptr offset[ABUT_MAX_PLANES];
    struct edge edge[MOST_EDGES];
    struct vector vertex[2 * MOST_EDGES];
};

static struct parts all_parts[HULLS];
static unsigned hulls;

void moving_oracle_begin(void)
{
    used = hulls = 0;
}

/* ---- Vectors */

static struct vector vector_of(const float *members)
{
    return (struct vector){{of(members[0]), of(members[1]), of(members[2])}};
}

static mpq_ptr dot(const struct vector *a, const struct vector *b)
{
    return plus(plus(times(a->at[0], b->at[0]), times(a->at[1], b->at[1])), times(a->at[2], b->at[2]));
}

static struct vector cross(const struct vector *a, const struct vector *b)
{
    struct vector c;
    for (unsigned k = 0; k < 3; k++)
        c.at[k] = minus(times(a->at[(k + 1) % 3], b->at[(k + 2) % 3]), times(a->at[(k + 2) % 3], b->at[(k + 1) % 3]));
    return c;
}

/* a + by b */
static struct vector moved(const struct vector *a, mpq_srcptr by, const struct vector *b)
{
    return (struct vector){{plus(a->at[0], times(by, b->at[0])), plus(a->at[1], times(by, b->at[1])),
                            plus(a->at[2], times(by, b->at[2]))}};
}

static struct vector difference(const struct vector *a, const struct vector *b)
{
    return (struct vector){{minus(a->at[0], b->at[0]), minus(a->at[1], b->at[1]), minus(a->at[2], b->at[2])}};
}

static bool equal(const struct vector *a, const struct vector *b)
{
    return mpq_equal(a->at[0], b->at[0]) && mpq_equal(a->at[1], b->at[1]) && mpq_equal(a->at[2], b->at[2]);
}

/* ---- Intervals */

/* Keeps the u with s + u w <= 0. */
static void keep_below(struct interval *interval, mpq_srcptr s, mpq_srcptr w)
{
    if (mpq_sgn(w) == 0) {
        interval->empty |= mpq_sgn(s) > 0;
        return;
    }
    mpq_srcptr bound = over(minus(of(0), s), w);
    if (mpq_sgn(w) > 0)
        interval->high = interval->high && mpq_cmp(interval->high, bound) <= 0 ? interval->high : bound;
    else
        interval->low = interval->low ? greater(interval->low, bound) : bound;
    interval->empty |= interval->low && interval->high && mpq_cmp(interval->low, interval->high) > 0;
}

/* The first t of the interval with a t^2 + 2 b t + c <= 0, where b is 0 if a is. */
static struct moment first_below(const struct interval *interval, mpq_srcptr a, mpq_srcptr b, mpq_srcptr c)
{
    const struct moment none = {0}, begin = {true, interval->low, NULL};
    if (interval->empty || (mpq_sgn(a) == 0 && mpq_sgn(c) > 0))
        return none;
    if (mpq_sgn(a) == 0)
        return begin;
    mpq_srcptr d = minus(square(b), times(a, c));
    if (mpq_sgn(d) < 0)
        return none;
    const struct moment root = {true, over(minus(of(0), b), a), over(d, square(a))};
    mpq_srcptr late = minus(interval->low, root.p);
    if (mpq_sgn(late) > 0 && mpq_cmp(square(late), root.d) > 0)
        return none; /* the second root is before */
    if (compare_moments(&root, &begin) <= 0)
        return begin;
    return interval->high && compare_moments(&root, &(struct moment){true, interval->high, NULL}) > 0 ? none : root;
}

/* ---- Parts of a hull: their numbers stay, what led to them does not */

static mpq_srcptr stored(mpq_srcptr x, mpq_ptr *slot)
{
    mpq_set(*slot, x);
    return *slot;
}

static void store(struct vector *v, mpq_ptr slots[3])
{
    for (unsigned k = 0; k < 3; k++)
        v->at[k] = stored(v->at[k], &slots[k]);
}

static void new_numbers(mpq_ptr *slots, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        slots[k] = new_number();
}

static void add_vertex(struct parts *parts, const struct edge *edge, mpq_srcptr u)
{
    const unsigned before = used;
    mpq_ptr slots[3];
    new_numbers(slots, 3);
    const unsigned kept = used;
    struct vector v = moved(&edge->start, u, &edge->along);
    bool is_new = true;
    for (unsigned i = 0; i < parts->vertices; i++)
        is_new &= !equal(&parts->vertex[i], &v);
    store(&v, slots);
    if (is_new)
        parts->vertex[parts->vertices++] = v;
    used = is_new ? kept : before;
}

/* The line of two planes n.q = -d, as far as it is in the hull. False if it is not, or if they are parallel. */
static bool find_edge(const struct parts *parts, unsigned i, unsigned j, struct edge *edge)
{
    const struct vector along = cross(&parts->normal[i], &parts->normal[j]), by_i = cross(&parts->normal[j], &along),
                        by_j = cross(&along, &parts->normal[i]);
    *edge = (struct edge){.along = along, .length2 = dot(&along, &along)};
    if (mpq_sgn(edge->length2) == 0)
        return false;
    for (unsigned k = 0; k < 3; k++) {
        mpq_srcptr sum = plus(times(parts->offset[i], by_i.at[k]), times(parts->offset[j], by_j.at[k]));
        edge->start.at[k] = over(minus(of(0), sum), edge->length2);
    }
    for (unsigned k = 0; k < parts->planes && !edge->part.empty; k++)
        if (k != i && k != j)
            keep_below(&edge->part, plus(dot(&parts->normal[k], &edge->start), parts->offset[k]),
                       dot(&parts->normal[k], &edge->along));
    return !edge->part.empty;
}

static void add_edge(struct parts *parts, unsigned i, unsigned j)
{
    const unsigned before = used;
    mpq_ptr slots[9];
    new_numbers(slots, 9);
    const unsigned kept = used;
    struct edge *edge = &parts->edge[parts->edges];
    if (!find_edge(parts, i, j, edge)) {
        used = before;
        return;
    }
    store(&edge->start, slots);
    store(&edge->along, slots + 3);
    edge->length2 = stored(edge->length2, &slots[6]);
    edge->part.low = edge->part.low ? stored(edge->part.low, &slots[7]) : NULL;
    edge->part.high = edge->part.high ? stored(edge->part.high, &slots[8]) : NULL;
    parts->edges++;
    used = kept;
    if (edge->part.low)
        add_vertex(parts, edge, edge->part.low);
    if (edge->part.high)
        add_vertex(parts, edge, edge->part.high);
}

const struct parts *parts_of(float (*planes)[4], unsigned n)
{
    if (hulls == HULLS)
        abort();
    struct parts *parts = &all_parts[hulls++];
    parts->planes = n;
    parts->edges = parts->vertices = 0;
    for (unsigned i = 0; i < n; i++) {
        parts->normal[i] = vector_of(planes[i]);
        parts->offset[i] = of(planes[i][3]);
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i + 1; j < n; j++)
            add_edge(parts, i, j);
    return parts;
}

/* ---- The touch */

struct course {
    struct vector from, motion;
    mpq_srcptr r2; /* or NULL: infinite */
    struct interval when;
    mpq_srcptr s[ABUT_MAX_PLANES], w[ABUT_MAX_PLANES]; /* n.c + d of each plane is s + t w */
};

/* scale times the squared distance from a flat less r^2 is a t^2 + 2 b t + c. */
struct distance {
    mpq_srcptr a, b, c;
};

static struct distance distance_of(const struct course *course, mpq_srcptr a, mpq_srcptr b, mpq_srcptr at_start,
                                   mpq_srcptr scale)
{
    return (struct distance){a, b, course->r2 ? minus(at_start, times(course->r2, scale)) : of(-1)};
}

static struct moment first_near(const struct distance *distance, const struct interval *when)
{
    return first_below(when, distance->a, distance->b, distance->c);
}

static struct moment first_in_hull(const struct parts *parts, const struct course *course)
{
    struct interval when = course->when;
    for (unsigned k = 0; k < parts->planes && !when.empty; k++)
        keep_below(&when, course->s[k], course->w[k]);
    return (struct moment){!when.empty, when.low, NULL};
}

static struct moment first_by_face(const struct parts *parts, const struct course *course, unsigned i)
{
    mpq_srcptr n2 = dot(&parts->normal[i], &parts->normal[i]), s = course->s[i], w = course->w[i];
    const struct distance distance = distance_of(course, square(w), times(s, w), square(s), n2);
    struct interval when = course->when;
    when.empty = !first_near(&distance, &when).is;                /* saves the others */
    for (unsigned k = 0; k < parts->planes && !when.empty; k++) { /* n2 times the height of the foot above plane k */
        mpq_srcptr g = dot(&parts->normal[k], &parts->normal[i]);
        if (k != i)
            keep_below(&when, minus(times(n2, course->s[k]), times(g, s)), minus(times(n2, course->w[k]), times(g, w)));
    }
    return first_near(&distance, &when);
}

static struct moment first_by_edge(const struct edge *edge, const struct course *course)
{
    const struct vector m = difference(&course->from, &edge->start), across = cross(&m, &edge->along),
                        moving = cross(&course->motion, &edge->along);
    const struct distance distance =
        distance_of(course, dot(&moving, &moving), dot(&across, &moving), dot(&across, &across), edge->length2);
    struct interval when = course->when;
    if (!first_near(&distance, &when).is)
        return (struct moment){0};
    mpq_srcptr u = over(dot(&m, &edge->along), edge->length2),
               w = over(dot(&course->motion, &edge->along), edge->length2);
    if (edge->part.low)
        keep_below(&when, minus(edge->part.low, u), minus(of(0), w));
    if (edge->part.high)
        keep_below(&when, minus(u, edge->part.high), w);
    return first_near(&distance, &when);
}

static struct moment first_by_vertex(const struct vector *vertex, const struct course *course)
{
    const struct vector m = difference(&course->from, vertex);
    const struct distance distance =
        distance_of(course, dot(&course->motion, &course->motion), dot(&m, &course->motion), dot(&m, &m), of(1));
    return first_near(&distance, &course->when);
}

static void take(struct moment *first, struct moment other)
{
    if (other.is && (!first->is || compare_moments(&other, first) < 0))
        *first = other;
}

static bool is_valid(const float ray[8])
{
    for (unsigned k = 0; k < 6; k++)
        if (!isfinite(ray[k]))
            return false;
    return ray[6] >= 0 && ray[7] >= 0;
}

static struct moment find_first(const struct parts *parts, const float ray[8])
{
    static const float rest[3] = {0};
    const bool everywhere = isinf(ray[6]);
    struct course course = {.from = vector_of(ray),
                            .motion = vector_of(everywhere ? rest : ray + 3),
                            .r2 = everywhere ? NULL : square(of(ray[6])),
                            .when = {false, of(0), isinf(ray[7]) ? NULL : of(ray[7])}};
    struct moment first = {0};
    for (unsigned k = 0; k < parts->planes; k++) {
        course.s[k] = plus(dot(&parts->normal[k], &course.from), parts->offset[k]);
        course.w[k] = dot(&parts->normal[k], &course.motion);
    }
    take(&first, first_in_hull(parts, &course));
    for (unsigned i = 0; i < parts->planes; i++)
        take(&first, first_by_face(parts, &course, i));
    for (unsigned i = 0; i < parts->edges; i++)
        take(&first, first_by_edge(&parts->edge[i], &course));
    for (unsigned i = 0; i < parts->vertices; i++)
        take(&first, first_by_vertex(&parts->vertex[i], &course));
    return first;
}

struct moment first_touch(const struct parts *parts, const float ray[8])
{
    struct moment first = {0};
    if (!is_valid(ray))
        return first;
    mpq_ptr p = new_number(), d = new_number();
    const unsigned kept = used;
    first = find_first(parts, ray);
    if (first.is) {
        mpq_set(p, first.p);
        mpq_set(d, first.d ? first.d : of(0));
        first.p = p;
        first.d = d;
    }
    used = kept;
    return first;
}
