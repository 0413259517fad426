/* SPDX-License-Identifier: MIT */
/* Generators of pairs for every kind of input; members are made by role, so a new shape needs no code here. */
#include "inputs.h"

#include "contact.h"
#include "hull_inputs.h"
#include "worst.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define KIND(name, what) #name,
const char *const kind_names[kind_count] = {KINDS(KIND) HULL_KINDS(KIND)};
#undef KIND

bool has_kind(const struct subject *subject, enum kind kind)
{
    return (kind >= kind_box) == of_hulls(subject);
}

enum kind any_kind(const struct subject *subject, struct random *random)
{
    return of_hulls(subject) ? kind_box + random_below(random, kind_many - kind_box)
                             : (enum kind)random_below(random, kind_tangent_worst);
}

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

int32_t rank_of(float x)
{
    uint32_t bits = bits_of(x);
    return bits >> 31 ? -(int32_t)(bits & 0x7fffffff) : (int32_t)bits;
}

float from_rank(int32_t rank)
{
    return rank < 0 ? from_bits((uint32_t)-rank | 0x80000000) : from_bits((uint32_t)rank);
}

static const enum kind bases[] = {kind_uniform,  kind_integers, kind_far_1e6, kind_far_1e9, kind_tiny,
                                  kind_denormal, kind_huge,     kind_mixed,   kind_flat,    kind_uniform};

struct theme theme_of(enum kind kind, struct random *random)
{
    struct theme theme = {kind, kind, 0};
    if (kind >= kind_box)
        return theme;
    if (kind == kind_invalid || kind == kind_tangent_radius || kind == kind_tangent_member)
        theme.base = bases[random_below(random, sizeof bases / sizeof *bases)];
    unsigned r = random_below(random, 1024);
    if (kind == kind_tangent_worst) { /* squares of ordinary size, or about to underflow */
        theme.base = kind_uniform;
        theme.exponent = r % 2 == 0 ? 0 : -60 - (int)(r % 16);
    }
    if (theme.base == kind_tiny)
        theme.exponent = -50 - (int)(r % 76);
    else if (theme.base == kind_denormal)
        theme.exponent = -127 - (int)(r % 23);
    else if (theme.base == kind_huge)
        theme.exponent = 55 + (int)(r % 72);
    else if (theme.base == kind_mixed)
        theme.exponent = (int)(r % 277) - 149;
    else if (theme.base == kind_flat)
        theme.exponent = r % 2 == 0 ? 0 : -126;
    return theme;
}

/* Any exponent, half of the time one near the theme's. */
static float mixed_distance(struct theme theme, struct random *random)
{
    int exponent = random_below(random, 2) == 0 ? theme.exponent + (int)random_below(random, 49) - 24
                                                : (int)random_below(random, 277) - 149;
    float x = ldexpf(random_between(random, 1, 2), exponent > 127 ? 127 : exponent);
    return isinf(x) ? FLT_MAX : random_below(random, 2) == 0 ? x : -x;
}

static float zero_or_so(struct random *random)
{
    static const float distances[] = {-0.0f, 0.0f, -0.0f, 0.0f, 0x1p-149f, -0x1p-149f, 1, -1};
    return distances[random_below(random, 8)];
}

static float coordinate(struct theme theme, struct random *random)
{
    switch (theme.base) {
    case kind_integers:
    case kind_infinite:
        return (float)random_below(random, 9) - 4;
    case kind_flat:
        return ldexpf((float)random_below(random, 9) - 4, theme.exponent);
    case kind_far_1e6:
        return 1e6f + random_between(random, -10, 10);
    case kind_far_1e9:
        return 1e9f + random_between(random, -1000, 1000);
    case kind_zeros:
        return zero_or_so(random);
    case kind_mixed:
        return mixed_distance(theme, random);
    default:
        return ldexpf(random_between(random, -1, 1), theme.exponent);
    }
}

/* A radius or a half extent, at times large enough to contain other shapes. */
static float size(struct theme theme, struct random *random)
{
    const float factor = random_below(random, 4) == 0 ? 3 : 1;
    switch (theme.base) {
    case kind_integers:
        return factor * (float)random_below(random, 5);
    case kind_infinite:
        return random_below(random, 3) == 0 ? INFINITY : factor * (float)random_below(random, 5);
    case kind_flat:
        return random_below(random, 2) == 0 ? 0 : ldexpf(factor * (float)random_below(random, 4), theme.exponent);
    case kind_far_1e6:
        return random_between(random, 0, 8 * factor);
    case kind_far_1e9:
        return random_between(random, 0, 800 * factor);
    case kind_zeros:
    case kind_mixed: {
        float x = theme.base == kind_zeros ? zero_or_so(random) : mixed_distance(theme, random);
        return x < 0 ? -x : x;
    }
    default:
        return ldexpf(random_between(random, 0, 0.8f * factor), theme.exponent);
    }
}

static void make_bounds(struct theme theme, struct random *random, float *lower, float *upper)
{
    if (theme.base == kind_zeros || theme.base == kind_mixed) {
        float x = coordinate(theme, random), y = coordinate(theme, random);
        *lower = x < y ? x : y;
        *upper = x < y ? y : x;
        return;
    }
    float centre = coordinate(theme, random);
    float half = theme.base == kind_infinite ? (float)random_below(random, 4) : size(theme, random);
    *lower = centre - half;
    *upper = centre + half;
    if (theme.base == kind_infinite) {
        unsigned which = random_below(random, 5);
        if (which == 0 || which == 2)
            *lower = -INFINITY;
        if (which == 1 || which == 2)
            *upper = INFINITY;
    }
}

static bool is_size(enum role role)
{
    return role == ROLE_RADIUS || role == ROLE_HALF;
}

/* A member of a normal or an axis: small for every kind, but of any exponent in kind_mixed. */
static float direction(struct theme theme, struct random *random)
{
    switch (theme.base) {
    case kind_integers:
    case kind_infinite:
    case kind_flat:
        return (float)random_below(random, 5) - 2;
    case kind_zeros:
    case kind_mixed:
        return coordinate(theme, random);
    default:
        return random_between(random, -1, 1);
    }
}

/* A rotation, rounded to float; in integer kinds by a multiple of 90 degrees. */
static void make_axes(struct theme theme, struct random *random, float *axes)
{
    double q[4], length = 0;
    if (theme.base == kind_integers || theme.base == kind_infinite || theme.base == kind_flat) {
        unsigned first = random_below(random, 3);
        for (unsigned k = 0; k < 9; k++)
            axes[k] = k % 3 == (k / 3 + first) % 3 ? (random_below(random, 2) == 0 ? -1.0f : 1.0f) : 0;
        return;
    }
    for (unsigned k = 0; k < 4; k++) {
        q[k] = random_between(random, -1, 1);
        length += q[k] * q[k];
    }
    for (unsigned k = 0; k < 4; k++)
        q[k] /= length > 0 ? sqrt(length) : 1;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rotation[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z),     2 * (x * z - w * y),
                                2 * (x * y - w * z),     1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
                                2 * (x * z + w * y),     2 * (y * z - w * x),     1 - 2 * (x * x + y * y)};
    for (unsigned k = 0; k < 9; k++)
        axes[k] = (float)rotation[k];
}

/* Makes the plane of normal n come near other shapes. */
static float offset(struct theme theme, struct random *random, const float *n)
{
    if (theme.base == kind_infinite && random_below(random, 8) == 0)
        return random_below(random, 2) == 0 ? INFINITY : -INFINITY;
    double d = 0;
    for (unsigned k = 0; k < 3; k++)
        d -= (double)n[k] * (double)coordinate(theme, random);
    return (float)d;
}

static void make_item(enum shape shape, struct theme theme, struct random *random, float *item)
{
    const struct shape_info *info = shape_info(shape);
    for (unsigned k = 0; k < info->fields; k++) {
        if (info->roles[k] == ROLE_LOWER)
            make_bounds(theme, random, &item[k], &item[info->partners[k]]);
        else if (info->roles[k] == ROLE_COORDINATE)
            item[k] = coordinate(theme, random);
        else if (is_size(info->roles[k])) /* boxes of any direction should contain something at times */
            item[k] = (info->roles[k] == ROLE_HALF ? 2 : 1) * size(theme, random);
        else if (info->roles[k] == ROLE_DIRECTION)
            item[k] = direction(theme, random);
        else if (info->roles[k] == ROLE_OFFSET)
            item[k] = offset(theme, random, item);
    }
    if (shape == shape_obb && theme.base != kind_zeros && theme.base != kind_mixed && random_below(random, 4) > 0)
        make_axes(theme, random, item + info->fields - 9);
}

static void spoil(enum shape shape, struct random *random, float *item)
{
    const struct shape_info *info = shape_info(shape);
    unsigned k = random_below(random, info->fields), partner = info->partners[k];
    uint32_t sign = random_below(random, 2) == 0 ? 0 : 0x80000000, payload = (uint32_t)random_next(random) & 0x3fffff;
    switch (random_below(random, 6)) {
    case 0:
        item[k] = from_bits(sign | 0x7fc00000 | payload);
        break;
    case 1: /* signalling */
        item[k] = from_bits(sign | 0x7f800000 | (payload == 0 ? 1 : payload));
        break;
    case 2:
        item[k] = from_bits(sign | 0x7f800000);
        break;
    case 3: /* both bounds, or a coordinate, at the same infinity */
        item[k] = item[partner] = from_bits(sign | 0x7f800000);
        break;
    case 4: /* inverted, by much or by one float */
        if (partner != k) {
            float swap = item[k];
            item[k] = item[partner];
            item[partner] = swap;
            break;
        }
        item[k] = is_size(info->roles[k]) ? -item[k] : INFINITY;
        break;
    default:
        if (info->roles[k] == ROLE_LOWER)
            item[k] = from_rank(rank_of(item[partner]) + 1);
        else if (is_size(info->roles[k]))
            item[k] = -0x1p-149f;
        else
            item[k] = -item[k];
    }
}

/*
 * Whether the answer is at least as wanted. A filter decides all but the last steps of a bisection; were it wrong, the
 * change would be found where it is wrong, and exact answers of that pair would show it.
 */
static bool reaches(const struct subject *subject, enum answer wanted, const float *a, const float *b)
{
    struct abut_stats stats = {0};
    return resolved(subject, a, b, wanted == ANSWER_TOUCH, &stats);
}

bool find_change(const struct subject *subject, enum answer wanted, const float *a, const float *b, float *member,
                 float near, float far, int64_t *low, int64_t *high)
{
    const float before = *member;
    *low = rank_of(near);
    *high = rank_of(far);
    *member = near;
    const bool at_low = reaches(subject, wanted, a, b);
    *member = far;
    const bool at_high = reaches(subject, wanted, a, b);
    while (at_low != at_high && (*high - *low > 1 || *low - *high > 1)) {
        const int64_t middle = (*low + *high) / 2;
        *member = from_rank((int32_t)middle);
        *(reaches(subject, wanted, a, b) == at_low ? low : high) = middle;
    }
    *member = before;
    return at_low != at_high;
}

/* Moves *member on the way to far, to a neighbour of where the answer changes, or at times a few floats on. */
static void bisect(const struct subject *subject, struct random *random, const float *a, const float *b, float *member,
                   float near, float far)
{
    const enum answer wanted = random_below(random, 2) == 0 ? ANSWER_TOUCH : ANSWER_HIT;
    int64_t low, high;
    if (!find_change(subject, wanted, a, b, member, near, far, &low, &high))
        return;
    int32_t step = random_below(random, 4) == 0 ? (int32_t)random_below(random, 25) - 12 : 0;
    int64_t rank = (random_below(random, 2) == 0 ? low : high) + step;
    *member = from_rank(rank < 0 && near == 0 && far > 0 ? 0 : (int32_t)rank);
}

static bool has_radius(enum shape shape, unsigned *field)
{
    const struct shape_info *info = shape_info(shape);
    for (*field = 0; *field < info->fields; ++*field)
        if (info->roles[*field] == ROLE_RADIUS)
            return true;
    return false;
}

static void make_tangent(const struct subject *subject, struct theme theme, enum free_sides sides,
                         struct random *random, float *a, float *b)
{
    unsigned field_a, field_b;
    bool radius_a = has_radius(subject->shape_a, &field_a) && sides != FREE_B;
    bool radius_b = has_radius(subject->shape_b, &field_b) && sides != FREE_A;
    if (theme.kind != kind_tangent_member && (radius_a || radius_b)) {
        bool use_b = radius_b && (!radius_a || random_below(random, 2) == 0);
        float *radius = use_b ? b + field_b : a + field_a;
        bisect(subject, random, a, b, radius, 0, FLT_MAX);
        return;
    }
    bool use_b = sides == FREE_B || (sides == FREE_BOTH && random_below(random, 2) == 0);
    const struct shape_info *info = shape_info(use_b ? subject->shape_b : subject->shape_a);
    unsigned k = random_below(random, info->fields);
    float *member = (use_b ? b : a) + k;
    if (is_size(info->roles[k]))
        bisect(subject, random, a, b, member, 0, FLT_MAX);
    else
        bisect(subject, random, a, b, member, *member, random_below(random, 2) == 0 ? FLT_MAX : -FLT_MAX);
}

static void make_items(const struct subject *subject, struct theme theme, enum free_sides sides, struct random *random,
                       float *a, float *b)
{
    if (sides != FREE_B)
        make_item(subject->shape_a, theme, random, a);
    if (sides != FREE_A)
        make_item(subject->shape_b, theme, random, b);
}

void make_pair(const struct subject *subject, struct theme theme, enum free_sides sides, struct random *random,
               float *a, float *b)
{
    if (of_hulls(subject)) {
        make_hull_pair(subject, theme.kind, sides, random, a, b);
        return;
    }
    make_items(subject, theme, sides, random, a, b);
    /* An invalid member in a miss proves little. */
    for (int tries = 0; theme.kind == kind_invalid && tries < 8; tries++) {
        if (exact_answer(subject, a, b) == ANSWER_HIT)
            break;
        make_items(subject, theme, sides, random, a, b);
    }
    if (has_corners(subject))
        make_contact(subject, sides, random, a, b);
    if (theme.kind == kind_tangent_worst)
        worsen(subject, sides, random, a, b);
    if (theme.kind == kind_tangent_radius || theme.kind == kind_tangent_member || theme.kind == kind_tangent_worst)
        make_tangent(subject, theme, sides, random, a, b);
    if (theme.kind == kind_invalid)
        for (unsigned times = random_below(random, 3); times > 0; times--) {
            bool use_b = sides == FREE_B || (sides == FREE_BOTH && random_below(random, 2) == 0);
            spoil(use_b ? subject->shape_b : subject->shape_a, random, use_b ? b : a);
        }
}

void make_any_pair(const struct subject *subject, enum kind kind, struct random *random, float *a, float *b)
{
    make_pair(subject, theme_of(kind, random), FREE_BOTH, random, a, b);
}

static void print_item(enum shape shape, const float *item)
{
    const struct shape_info *info = shape_info(shape);
    const unsigned first = first_member(shape), end = end_of_members(shape, item);
    printf("    %s", info->name);
    for (unsigned k = first; k < end; k++) {
        const char *name = info->field_names[(k - first) % info->fields];
        if (isnan(item[k]))
            printf(" %s=NaN:%08x", name, (unsigned)bits_of(item[k]));
        else
            printf(" %s=%a", name, (double)item[k]);
    }
    printf("\n");
}

void print_pair(const struct subject *subject, const float *a, const float *b)
{
    print_item(subject->shape_a, a);
    print_item(subject->shape_b, b);
}
