/* SPDX-License-Identifier: MIT */
/* Items for the self-test, drawn in several moods, and how they are told. */
#include "selftest_items.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static float coordinate(struct random *random, enum mood mood)
{
    if (mood == INTEGERS)
        return (float)random_below(random, 9) - 4;
    return random_between(random, -4, 4);
}

static float size(struct random *random, enum mood mood)
{
    if (mood == INTEGERS)
        return (float)random_below(random, 4);
    return random_between(random, 0, 4);
}

static void draw_point(struct random *random, enum mood mood, float *p)
{
    for (unsigned k = 0; k < 3; k++)
        p[k] = coordinate(random, mood);
}

static void draw_sphere(struct random *random, enum mood mood, float *p)
{
    draw_point(random, mood, p);
    p[3] = size(random, mood);
}

static void draw_aabb(struct random *random, enum mood mood, float *p)
{
    draw_point(random, mood, p);
    for (unsigned k = 0; k < 3; k++)
        p[3 + k] = p[k] + size(random, mood);
}

/* Through a point, so that spheres meet it. */
static void draw_plane(struct random *random, enum mood mood, float *p)
{
    float through[3];
    draw_point(random, mood, p);
    draw_point(random, mood, through);
    p[3] = -(p[0] * through[0] + p[1] * through[1] + p[2] * through[2]);
}

/* Axes of any length and direction: they are used as they stand. */
static void draw_obb(struct random *random, enum mood mood, float *p)
{
    draw_point(random, mood, p);
    for (unsigned k = 3; k < 6; k++)
        p[k] = size(random, mood);
    for (unsigned k = 6; k < 15; k++)
        p[k] = coordinate(random, mood) / 4;
}

static void draw_segment(struct random *random, enum mood mood, float *p)
{
    draw_point(random, mood, p);
    draw_point(random, mood, p + 3);
}

static void draw_capsule(struct random *random, enum mood mood, float *p)
{
    draw_segment(random, mood, p);
    p[6] = size(random, mood);
}

static void draw_triangle(struct random *random, enum mood mood, float *p)
{
    draw_segment(random, mood, p);
    draw_point(random, mood, p + 6);
}

#define F(member)
#define SHAPE(name, plural, fields) draw_##name,
static void (*const draws[shape_count])(struct random *random, enum mood mood, float *p) = {
#include "tables/shapes.def"
};

void item_draw(struct random *random, enum shape shape, enum mood mood, float *p)
{
    static const float invalid[] = {NAN, -NAN, INFINITY, -INFINITY, -1, -0.0f, 0x1p-149f, 3e38f, -3e38f};
    unsigned fields = kinds[shape].field_count;
    draws[shape](random, mood, p);
    if (mood == INVALID && random_below(random, 2))
        p[random_below(random, fields)] = invalid[random_below(random, sizeof invalid / sizeof *invalid)];
    for (unsigned k = 0; mood == ANY_BITS && k < fields; k++) {
        uint32_t bits = (uint32_t)random_next(random);
        memcpy(&p[k], &bits, sizeof bits);
    }
}

float *item_radius(enum shape shape, float *p)
{
    for (unsigned k = 0; k < kinds[shape].field_count; k++)
        if (strcmp(kinds[shape].fields[k], "r") == 0)
            return &p[k];
    return NULL;
}

void make_tangent(struct random *random, float *radius, bool (*hits)(const void *context), const void *context)
{
    static const float largest = 1024;
    float old = *radius;
    uint32_t low = 0, high, middle;
    memcpy(&high, &largest, sizeof high);
    *radius = 0;
    bool at_low = hits(context);
    *radius = largest;
    if (hits(context) == at_low) {
        *radius = old;
        return;
    }
    while (high - low > 1) {
        middle = low + (high - low) / 2;
        memcpy(radius, &middle, sizeof middle);
        if (hits(context) == at_low)
            low = middle;
        else
            high = middle;
    }
    memcpy(radius, random_below(random, 2) ? &low : &high, sizeof low);
}

void item_tell(const char *name, const struct kind *kind, const float *p)
{
    fprintf(stderr, "  %s:", name);
    for (unsigned k = 0; k < kind->field_count; k++)
        fprintf(stderr, " %s=%a", kind->fields[k], (double)p[k]);
    fputc('\n', stderr);
}
