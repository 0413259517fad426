/* SPDX-License-Identifier: MIT */
/* Generators of items, layout by layout. */
#include "index_scenes.h"
#include <abut/shapes.h>

#include <math.h>
#include <string.h>

#define LAYOUT(name) #name,
const char *const layout_names[layout_count] = {LAYOUTS(LAYOUT)};
#undef LAYOUT

struct ball {
    float at[3], size;
};

static float small_power(struct random *random, int lowest, int range)
{
    return ldexpf(random_between(random, 1, 2), lowest + (int)random_below(random, (unsigned)range));
}

static struct ball make_ball(enum layout layout, struct random *random)
{
    struct ball ball;
    for (unsigned k = 0; k < 3; k++)
        ball.at[k] = random_between(random, -50, 50);
    ball.size = random_between(random, 0, 6);
    if (layout == layout_grid || layout == layout_line || layout == layout_one_point) {
        for (unsigned k = 0; k < 3; k++)
            ball.at[k] = layout == layout_one_point ? 7 : layout == layout_line && k > 0 ? 1 : floorf(ball.at[k]);
        ball.size = layout == layout_one_point ? 0 : floorf(ball.size);
    }
    if (layout == layout_one_centre)
        memset(ball.at, 0, sizeof ball.at);
    if (layout == layout_outliers && random_below(random, 50) == 0)
        ball.at[random_below(random, 3)] = random_below(random, 2) ? 1e30f : -3e38f;
    if (layout == layout_powers) {
        for (unsigned k = 0; k < 3; k++)
            ball.at[k] = small_power(random, -140, 260) * (random_below(random, 2) ? 1.0f : -1.0f);
        ball.size = small_power(random, -140, 260);
    }
    if (layout == layout_clusters)
        for (unsigned k = 0; k < 3; k++)
            ball.at[k] = (ball.at[k] < 0 ? -1000.0f : 1000.0f) + ball.at[k] * 0.001f;
    if (layout == layout_clusters)
        ball.size *= 0.001f;
    if (layout == layout_huge && random_below(random, 20) == 0)
        ball.size = 500;
    if (layout == layout_infinities && random_below(random, 10) == 0)
        ball.size = INFINITY;
    return ball;
}

/* Orthogonal axes, the world axes on a grid or line; some of lengths that an index accepts, or, for queries, of any. */
static void make_axes(enum layout layout, bool strict, struct random *random, float *axes)
{
    static const float straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    float memory[4];
    float *quaternion[4];
    float *columns[9];
    for (unsigned k = 0; k < 4; k++) {
        memory[k] = random_between(random, -1, 1);
        quaternion[k] = &memory[k];
    }
    for (unsigned k = 0; k < 9; k++)
        columns[k] = &axes[k];
    abut_obbs_axes_from_quaternions(1, quaternion, columns);
    if (layout == layout_grid || layout == layout_line)
        memcpy(axes, straight, sizeof straight);
    const unsigned odd = random_below(random, strict ? 4 : 8);
    for (unsigned axis = 0; axis < 3 && odd > 1; axis++) {
        const float scale = odd < 6 ? random_between(random, 0.9991f, 1.0009f) : random_between(random, 0, 2.5f);
        for (unsigned k = 0; k < 3; k++)
            axes[3 * axis + k] = odd == 7 && axis == 1 ? axes[k] : axes[3 * axis + k] * scale;
    }
}

static void make_vertices(unsigned n, const struct ball *ball, struct random *random, float *item)
{
    for (unsigned k = 0; k < 3 * n; k++) {
        const float x = ball->at[k % 3] + ball->size * random_between(random, -1, 1);
        item[k] = isfinite(x) ? x : ball->at[k % 3];
    }
}

void make_item(enum shape shape, enum layout layout, bool strict, struct random *random, float *item)
{
    struct ball ball = make_ball(layout, random);
    for (unsigned k = 0; k < 3; k++) {
        if (shape == shape_aabb) {
            item[k] = ball.at[k] - ball.size;
            item[k + 3] = ball.at[k] + ball.size * random_between(random, 0, 1);
            if (isnan(item[k + 3]) || item[k + 3] < item[k])
                item[k + 3] = item[k];
        } else {
            item[k] = ball.at[k];
        }
    }
    if (shape == shape_sphere)
        item[3] = ball.size;
    if (shape == shape_obb) {
        for (unsigned k = 3; k < 6; k++)
            item[k] = random_below(random, 4) ? ball.size : 1;
        make_axes(layout, strict, random, item + 6);
    }
    if (shape == shape_segment || shape == shape_capsule || shape == shape_triangle)
        make_vertices(shape == shape_triangle ? 3 : 2, &ball, random, item);
    if (shape == shape_capsule)
        item[6] = random_below(random, 4) ? ball.size : 0;
}

struct batch make_batch(enum shape shape, enum layout layout, bool strict, struct random *random, size_t n)
{
    struct batch batch = batch_new(shape, n);
    float item[ABUT_MAX_FIELDS] = {0};
    for (size_t i = 0; i < n; i++) {
        make_item(shape, layout, strict, random, item);
        batch_set(&batch, i, item);
    }
    return batch;
}

static bool item_good(enum shape shape, const float *at)
{
    const struct abut_obbs one = {1,      at,     at + 1, at + 2,  at + 3,  at + 4,  at + 5,  at + 6,
                                  at + 7, at + 8, at + 9, at + 10, at + 11, at + 12, at + 13, at + 14};
    return shape == shape_obb ? abut_check_obbs(&one, NULL) == ABUT_OK : item_valid(shape, at);
}

struct batch invalid_as_nan(const struct batch *batch)
{
    struct batch good = batch_new(batch->shape, batch->n);
    float item[ABUT_MAX_FIELDS];
    for (size_t i = 0; i < batch->n; i++) {
        batch_get(batch, i, item);
        for (unsigned k = 0; k < ABUT_MAX_FIELDS && !item_good(batch->shape, item); k++)
            item[k] = NAN;
        batch_set(&good, i, item);
    }
    return good;
}

size_t some_size(struct random *random)
{
    static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 127, 128, 129, 200};
    return random_below(random, 40) == 0 ? 2100 + random_below(random, 300)
                                         : sizes[random_below(random, sizeof sizes / sizeof *sizes)];
}

struct abut_set set_of(const struct batch *batch, union any_batch *any)
{
    const struct columns columns = batch_columns(batch);
    return set_of_columns(&columns, any);
}
