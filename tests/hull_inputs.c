/* SPDX-License-Identifier: MIT */
/* Generators of hulls and of items near them. */
#include "hull_inputs.h"
#include "options.h"

#include "api/sets.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define KIND(name, what) #name,
const char *const hull_kind_names[hull_kind_count] = {HULL_KINDS(KIND)};
#undef KIND

#define CALL(call, shape, function)                                                                                    \
    static enum abut_status call(const struct columns *items, const struct abut_hulls *hulls, enum abut_touch touch,   \
                                 struct abut_stats *stats, uint64_t *hits)                                             \
    {                                                                                                                  \
        const shape##_batch batch = shape##_view(items);                                                               \
        return function(&batch, hulls, OPTIONS(touch, stats), hits);                                                   \
    }
#define HULL_PREDICATE(name, shape, relation, function)                                                                \
    CALL(call_##name, shape, function)                                                                                 \
    CALL(call_all_##name, shape, function##_all)
#include "tables/predicates.def"

const struct hull_call hull_calls[hull_predicate_count] = {
#define HULL_PREDICATE(name, shape, relation, function) {#name, shape_##shape, call_##name, call_all_##name},
#include "tables/predicates.def"
};

static float integer(struct random *random, int limit)
{
    return (float)random_below(random, (unsigned)(2 * limit + 1)) - (float)limit;
}

static void add(struct planes *planes, float nx, float ny, float nz, float d)
{
    if (planes->count < ABUT_MAX_PLANES) {
        const float plane[4] = {nx, ny, nz, d};
        memcpy(planes->at[planes->count++], plane, sizeof plane);
    }
}

/* Adds a plane of random normal at about this distance from the centre. */
static void add_random(struct planes *planes, struct random *random, const float *centre, float distance)
{
    float n[3];
    for (int k = 0; k < 3; k++)
        n[k] = random_between(random, -1, 1);
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    float scale = random_below(random, 2) == 0 ? 1 / length : ldexpf(1, (int)random_below(random, 9) - 4);
    for (int k = 0; k < 3; k++)
        n[k] *= scale;
    length *= scale;
    add(planes, n[0], n[1], n[2], -(n[0] * centre[0] + n[1] * centre[1] + n[2] * centre[2]) - distance * length);
}

static void add_box(struct planes *planes, struct random *random, bool may_cross)
{
    for (int k = 0; k < 3; k++) {
        float low = integer(random, 3), high = low + (float)random_below(random, 5) - (may_cross ? 2.0f : 0.0f);
        float scale = (float)(1 + random_below(random, 3)), n[3] = {0, 0, 0};
        n[k] = scale;
        add(planes, n[0], n[1], n[2], -high * scale);
        n[k] = -1;
        add(planes, n[0], n[1], n[2], low);
    }
}

static void add_frustum(struct planes *planes, struct random *random)
{
    float x = random_between(random, 0.2f, 2), y = random_between(random, 0.2f, 2),
          near = random_between(random, 0.01f, 0.5f);
    add(planes, 1, 0, x, 0);
    add(planes, -1, 0, x, 0);
    add(planes, 0, 1, y, 0);
    add(planes, 0, -1, y, 0);
    add(planes, 0, 0, 1, near);
    if (random_below(random, 4) > 0)
        add(planes, 0, 0, -1, -random_between(random, 1, 5));
}

/* Adds a plane with the opposite normal: both bound a slab. */
static void add_opposite(struct planes *planes, struct random *random, const float *p)
{
    const float length = sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    add(planes, -p[0], -p[1], -p[2], -p[3] - length * random_between(random, 0.5f, 3));
}

static void add_slabs(struct planes *planes, struct random *random, const float *centre, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const float *plane = planes->at[planes->count];
        add_random(planes, random, centre, random_between(random, 0.5f, 1));
        for (unsigned left = (random_below(random, 8) + 3) / 4; left > 0; left--)
            add_opposite(planes, random, plane);
    }
    for (unsigned i = planes->count; i > 1; i--) {
        float *last = planes->at[i - 1], *other = planes->at[random_below(random, i)], kept[4];
        memcpy(kept, last, sizeof kept);
        memmove(last, other, sizeof kept);
        memcpy(other, kept, sizeof kept);
    }
    if (random_below(random, 4) == 0)
        planes->at[0][3] = -INFINITY;
}

static void spoil(struct planes *planes, struct random *random)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, 0, -0.0f, FLT_MAX, 0x1p-149f};
    float *plane = planes->at[random_below(random, planes->count)];
    if (random_below(random, 2) == 0)
        plane[0] = plane[1] = plane[2] = 0;
    if (random_below(random, 3) > 0)
        plane[random_below(random, 4)] = values[random_below(random, sizeof values / sizeof *values)];
}

static void scale_all(struct planes *planes, struct random *random, struct hull_theme *theme)
{
    int normals = (int)random_below(random, 240) - 140;
    theme->exponent = (int)random_below(random, 270) - 146;
    for (unsigned i = 0; i < planes->count; i++)
        for (int k = 0; k < 4; k++) {
            float x = ldexpf(planes->at[i][k], normals);
            planes->at[i][k] = k == 3 ? ldexpf(planes->at[i][k], normals + theme->exponent) : isinf(x) ? 1 : x;
        }
}

void make_hull(enum hull_kind kind, struct random *random, struct planes *planes, struct hull_theme *theme)
{
    *theme = (struct hull_theme){.kind = kind};
    planes->count = 0;
    if (kind == hull_kind_far || (kind == hull_kind_slabs && random_below(random, 2) == 0)) {
        float distance = ldexpf(1e6f, -4 * (int)random_below(random, 4));
        for (int k = 0; k < 3; k++)
            theme->centre[k] = distance * integer(random, 2);
    }
    const float *centre = theme->centre;
    unsigned n = 1 + random_below(random, 8);
    switch (kind) {
    case hull_kind_box:
    case hull_kind_flat:
        add_box(planes, random, kind == hull_kind_flat);
        break;
    case hull_kind_frustum:
        add_frustum(planes, random);
        break;
    case hull_kind_slabs:
        add_slabs(planes, random, centre, n);
        break;
    case hull_kind_integers:
        for (unsigned i = 0; i < n; i++) {
            float x = integer(random, 2), y = integer(random, 2), z = integer(random, 2);
            add(planes, x, y, z, integer(random, 4));
        }
        break;
    case hull_kind_wedge:
        add_random(planes, random, centre, 0.5f);
        for (unsigned i = 0; i < n; i++) {
            const float *p = planes->at[0];
            float sign = random_below(random, 2) == 0 ? 1 : -1, off = ldexpf(1, -(int)random_below(random, 24));
            float x = sign * p[0] + off * integer(random, 3);
            add(planes, x, sign * p[1] + off, sign * p[2], sign * p[3] + off * integer(random, 2));
        }
        break;
    case hull_kind_unbounded:
        for (unsigned i = 0; i < 1 + n % 3; i++)
            add_random(planes, random, centre, 1);
        break;
    default:
        n = kind == hull_kind_many ? ABUT_MAX_PLANES : 3 + n;
        for (unsigned i = 0; i < n; i++)
            add_random(planes, random, centre, random_between(random, 0.5f, 1));
    }
    if (kind == hull_kind_doubled)
        for (unsigned i = 0, old = planes->count; i < old && i < 5; i++) {
            const float *p = planes->at[i], by = (float)(1 + random_below(random, 3));
            add(planes, p[0] * by, p[1] * by, p[2] * by, p[3] * by + (random_below(random, 2) == 0 ? 0 : 0.125f));
        }
    if (kind == hull_kind_scaled)
        scale_all(planes, random, theme);
    if (kind == hull_kind_invalid)
        spoil(planes, random);
}

void prepare_planes(struct hull *hull, const struct planes *planes, size_t n)
{
    const uint32_t offsets[2] = {0, planes->count};
    float columns[4][ABUT_MAX_PLANES];
    for (unsigned i = 0; i < planes->count; i++)
        for (int k = 0; k < 4; k++)
            columns[k][i] = planes->at[i][k];
    const struct abut_hulls hulls = {1, offsets, columns[0], columns[1], columns[2], columns[3]};
    abut_hull_prepare_for(hull, &hulls, hull_predicate_sphere_hull, 16, n);
}

static float coordinate(const struct hull_theme *theme, struct random *random, int axis)
{
    bool whole = theme->kind == hull_kind_box || theme->kind == hull_kind_integers || theme->kind == hull_kind_flat;
    float x = whole ? integer(random, 5) : random_between(random, -2, 2);
    return ldexpf(theme->centre[axis] + x, theme->exponent);
}

/* Bisects the bits of a member on the way to far, to one of the two neighbours between which the answer changes. */
static void bisect(enum hull_predicate predicate, struct hull *hull, struct random *random, const float *item,
                   float *member, float near, float far)
{
    int wanted = random_below(random, 2) == 0 ? ANSWER_TOUCH : ANSWER_HIT;
    const float before = *member;
    int64_t low = rank_of(near), high = rank_of(far);
    *member = near;
    bool at_low = (int)abut_hull_exact(predicate, hull, item) >= wanted;
    *member = far;
    if (((int)abut_hull_exact(predicate, hull, item) >= wanted) == at_low) {
        *member = before;
        return;
    }
    while (high - low > 1 || low - high > 1) {
        int64_t middle = (low + high) / 2;
        *member = from_rank((int32_t)middle);
        if (((int)abut_hull_exact(predicate, hull, item) >= wanted) == at_low)
            low = middle;
        else
            high = middle;
    }
    *member = from_rank((int32_t)(random_below(random, 2) == 0 ? low : high));
}

/* World axes in any order, a rotation, or arbitrary axes. */
static void make_axes(struct random *random, float *axes)
{
    unsigned form = random_below(random, 4), turn = random_below(random, 3);
    float cosine = random_between(random, -1, 1), sine = sqrtf(1 - cosine * cosine);
    for (unsigned k = 0; k < 9; k++)
        axes[k] = form == 0 ? (k / 3 + turn) % 3 == k % 3 : form == 1 ? random_between(random, -1, 1) : k == 8;
    if (form >= 2) {
        axes[0] = axes[4] = cosine;
        axes[1] = sine;
        axes[3] = -sine;
    }
}

/* Makes the first axis of an OBB long and, but for rounding, parallel to the plane: the terms of n.u cancel. */
static void lay_along(const float *plane, struct random *random, const struct hull_theme *theme, float *item)
{
    unsigned zero = random_below(random, 3), i = (zero + 1) % 3, j = (zero + 2) % 3;
    float length = sqrtf(plane[i] * plane[i] + plane[j] * plane[j]);
    item[3] = ldexpf(1, theme->exponent + (int)random_below(random, 24));
    item[6 + zero] = 0;
    item[6 + i] = plane[j] / length;
    item[6 + j] = -plane[i] / length;
}

/* Makes an OBB flat along an axis whose product with a normal overflows: the term 0 * infinity must count as 0. */
static void make_flat(const float *plane, struct random *random, float *item)
{
    unsigned axis = random_below(random, 3);
    item[3 + axis] = 0;
    for (unsigned k = 0; k < 3; k++)
        item[6 + 3 * axis + k] = copysignf(FLT_MAX, plane[k]);
}

void make_hull_item(enum hull_predicate predicate, enum shape shape, const struct hull_theme *theme,
                    const struct planes *planes, struct random *random, float *item)
{
    const struct shape_info *info = shape_info(shape);
    for (unsigned k = 0; k < info->fields; k++) {
        if (info->roles[k] == ROLE_COORDINATE || info->roles[k] == ROLE_LOWER)
            item[k] = coordinate(theme, random, (int)info->axes[k]);
        else if (info->roles[k] == ROLE_RADIUS)
            item[k] = random_below(random, 8) == 0
                          ? 0
                          : fabsf(coordinate(theme, random, 0) - ldexpf(theme->centre[0], theme->exponent));
        else if (info->roles[k] == ROLE_HALF)
            item[k] =
                random_below(random, 16) == 0 ? INFINITY : ldexpf((float)random_below(random, 5) / 2, theme->exponent);
        else if (info->roles[k] == ROLE_UPPER)
            item[k] = item[info->partners[k]] + ldexpf((float)random_below(random, 4), theme->exponent);
    }
    if (shape == shape_obb)
        make_axes(random, item + 6);
    if (shape == shape_obb && random_below(random, 4) == 0)
        lay_along(planes->at[0], random, theme, item);
    if (shape == shape_obb && random_below(random, 8) == 0)
        make_flat(planes->at[0], random, item);
    unsigned chance = random_below(random, 16), member = random_below(random, info->fields);
    if (chance == 0) {
        static const float values[] = {NAN, INFINITY, -INFINITY, -1, -0.0f, FLT_MAX, 0x1p-149f};
        item[member] = values[random_below(random, sizeof values / sizeof *values)];
    } else if (chance < 6) {
        struct hull hull;
        prepare_planes(&hull, planes, 1);
        bool radius = info->roles[info->fields - 1] == ROLE_RADIUS && random_below(random, 2) == 0;
        float *at = &item[radius ? info->fields - 1 : member];
        float far = radius || random_below(random, 2) == 0 ? FLT_MAX : -FLT_MAX;
        bisect(predicate, &hull, random, item, at, *at, far);
        if (radius && hull.planes > 0)
            bisect(predicate, &hull, random, item, at, 0, FLT_MAX);
    }
}

void print_hull_pair(enum shape shape, const struct planes *planes, const float *item)
{
    const struct shape_info *info = shape_info(shape);
    printf("    %s", info->name);
    for (unsigned k = 0; k < info->fields; k++)
        printf(" %s=%a", info->field_names[k], (double)item[k]);
    printf("\n");
    for (unsigned i = 0; i < planes->count; i++)
        printf("    plane %a %a %a %a\n", (double)planes->at[i][0], (double)planes->at[i][1], (double)planes->at[i][2],
               (double)planes->at[i][3]);
}
