/* SPDX-License-Identifier: MIT */
/* Drawing items of any kind from the names of their members. */
#include "selftest_items.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static float draw_coordinate(struct random *random, enum input input, unsigned reach)
{
    const float most = (float)reach;
    return input == INTEGERS ? (float)random_below(random, 2 * reach + 1) - most : random_between(random, -most, most);
}

static float draw_size(struct random *random, enum input input, unsigned reach)
{
    return input == INTEGERS ? (float)random_below(random, reach) : random_between(random, 0, (float)reach);
}

/* An index takes OBBs only if their axes are orthonormal, as most are here. Predicates take any. */
static void draw_axes(struct random *random, enum input input, float *axes)
{
    static const float quarter_turns[4][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 1, 1, 1}};
    const unsigned turn = random_below(random, 4);
    float quaternion[4], *from[4], *to[9];
    for (unsigned k = 0; k < 4; k++) {
        quaternion[k] = input == INTEGERS ? quarter_turns[turn][k] : random_between(random, -1, 1);
        from[k] = &quaternion[k];
    }
    for (unsigned k = 0; k < 9; k++)
        to[k] = &axes[k];
    if (random_below(random, 4) > 0)
        abut_obbs_axes_from_quaternions(1, from, to);
}

static void spoil(struct random *random, enum input input, unsigned fields, float *p)
{
    static const float invalid[] = {NAN, -NAN, INFINITY, -INFINITY, -1, -0.0f, 0x1p-149f, 3e38f, -3e38f};
    if (input == INVALID && random_below(random, 2))
        p[random_below(random, fields)] = invalid[random_below(random, sizeof invalid / sizeof *invalid)];
    for (unsigned k = 0; input == ANY_BITS && k < fields; k++) {
        const uint32_t bits = (uint32_t)random_next(random);
        memcpy(&p[k], &bits, sizeof bits);
    }
}

static void draw(struct random *random, const struct kind *kind, enum input input, unsigned reach, float *p)
{
    for (unsigned k = 0; k < kind->field_count; k++) {
        const bool size = *kind->fields[k] == 'r' || *kind->fields[k] == 'h';
        p[k] = size ? draw_size(random, input, reach) : draw_coordinate(random, input, reach);
    }
    for (unsigned k = 0; kind->set == ABUT_SET_AABBS && k < 3; k++)
        p[3 + k] = p[k] + draw_size(random, input, reach);
    if (kind->set == ABUT_SET_OBBS)
        draw_axes(random, input, p + 6);
    /* Through a point near the others. */
    for (unsigned k = 0; kind->set == ABUT_SET_PLANES && k < 3; k++)
        p[3] = (k == 0 ? 0 : p[3]) - p[k] * draw_coordinate(random, input, reach);
    spoil(random, input, kind->field_count, p);
}

/*
 * The planes of a hull, of which most face away from the middle, so that points are left. Half of the hulls are three
 * pairs of opposite planes, which mostly bound them.
 */
static unsigned draw_hull(struct random *random, enum input input, float planes[MOST_PLANES][MOST_FIELDS])
{
    const bool pairs = random_below(random, 2) == 0;
    const unsigned count = pairs ? MOST_PLANES : 1 + random_below(random, MOST_PLANES);
    for (unsigned i = 0; i < count; i++) {
        draw(random, &kinds[ABUT_SET_PLANES], input, REACH, planes[i]);
        for (unsigned k = 0; pairs && i % 2 != 0 && k < 3; k++)
            planes[i][k] = -planes[i - 1][k];
        if (random_below(random, 4) > 0)
            planes[i][3] = -fabsf(planes[i][3]);
    }
    return count;
}

void items_draw(struct items *items, struct random *random, enum abut_set_kind kind, enum input input, unsigned reach,
                size_t n)
{
    const bool hulls = kind == ABUT_SET_HULLS;
    const unsigned fields = hulls ? 4 : kinds[kind].field_count;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        float drawn[MOST_PLANES][MOST_FIELDS];
        unsigned count = 1;
        if (hulls)
            count = draw_hull(random, input, drawn);
        else
            draw(random, &kinds[kind], input, reach, drawn[0]);
        items->offsets[i] = (uint32_t)at;
        for (unsigned j = 0; j < count; j++, at++)
            for (unsigned k = 0; k < fields; k++)
                items->memory[k][at] = drawn[j][k];
    }
    items->offsets[n] = (uint32_t)at;
    items->rows = (struct rows){.kind = kind, .n = n, .offsets = hulls ? items->offsets : NULL};
    for (unsigned k = 0; k < fields; k++)
        items->rows.at[k] = items->memory[k];
}

float *items_radius(struct items *items, size_t i)
{
    const struct kind *kind = &kinds[items->rows.kind];
    const unsigned last = kind->field_count - 1;
    return strcmp(kind->fields[last], "r") == 0 ? &items->memory[last][i] : NULL;
}

void items_print(const char *name, const struct items *items, size_t i)
{
    const struct rows *rows = &items->rows;
    const size_t end = rows->offsets ? rows->offsets[i + 1] : i + 1;
    for (size_t at = rows->offsets ? rows->offsets[i] : i; at < end; at++) {
        fprintf(stderr, "  %s:", name);
        for (unsigned k = 0; k < MOST_FIELDS && rows->at[k]; k++)
            fprintf(stderr, " %s=%a", kinds[rows->kind].fields[k], (double)rows->at[k][at]);
        fputc('\n', stderr);
    }
}
