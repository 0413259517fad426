/* SPDX-License-Identifier: MIT */
/* Tests the strict checks of batches: the first invalid item, its member, and how many there are. */
#include "api/sets.h"
#include "batches.h"
#include "report.h"
#include <abut/shapes.h>

#include <math.h>
#include <string.h>

typedef enum abut_status check_function(const struct columns *columns, struct abut_invalid *invalid);

#define F(member)
#define HULL_SHAPE SHAPE
#define SHAPE(name, plural, fields)                                                                                    \
    static enum abut_status check_##name(const struct columns *columns, struct abut_invalid *invalid)                  \
    {                                                                                                                  \
        const name##_batch view = name##_view(columns);                                                                \
        return abut_check_##plural(&view, invalid);                                                                    \
    }
#include "tables/shapes.def"

static bool is_member(const struct shape_info *info, const char *name)
{
    for (unsigned k = 0; k < info->fields; k++)
        if (name != NULL && strcmp(name, info->field_names[k]) == 0)
            return true;
    return false;
}

static bool strictly_valid(enum shape shape, const float *item);

/* The first plane of a hull that a strict check rejects; the number of planes if there is none. */
static unsigned first_invalid_plane(const float *hull)
{
    unsigned i = 0;
    while (i < planes_of(hull) && strictly_valid(shape_plane, plane_of(hull, i)))
        i++;
    return i;
}

/* A strict check also rejects planes that bound nothing or everything, and axes that are no rotation. */
static bool strictly_valid(enum shape shape, const float *item)
{
    if (shape == shape_hull)
        return first_invalid_plane(item) == planes_of(item);
    if (!item_valid(shape, item))
        return false;
    if (shape == shape_plane)
        return isfinite(item[3]) && (item[0] != 0 || item[1] != 0 || item[2] != 0);
    for (unsigned i = 6; shape == shape_obb && i < 15; i += 3)
        for (unsigned j = i; j < 15; j += 3) {
            double dot = 0;
            for (unsigned k = 0; k < 3; k++)
                dot += (double)item[i + k] * (double)item[j + k];
            if (fabs(i == j ? sqrt(dot) - 1 : dot) > 1e-3)
                return false;
        }
    return true;
}

static void check_checks(enum shape shape, check_function *check)
{
    enum { ITEMS = 12 };
    const struct shape_info *info = shape_info(shape);
    struct random random = {10};
    const struct subject *subject = subjects;
    while (subject->shape_a != shape && subject->shape_b != shape)
        subject++;
    for (unsigned round = 0; round < 3000; round++) {
        struct batch a, b;
        struct abut_invalid invalid = {77, 77, "x", "x", 77};
        size_t count = 0, first = 0, plane = 0;
        const enum kind kind = any_kind(subject, &random);
        const size_t n = random_below(&random, ITEMS);
        batches_of_pairs(subject, kind, &random, n, &a, &b);
        const struct batch *batch = subject->shape_a == shape ? &a : &b;
        for (size_t i = batch->n; i-- > 0;) {
            float item[MAX_MEMBERS];
            batch_get(batch, i, item);
            if (!strictly_valid(shape, item)) {
                count++;
                first = i;
                plane = shape == shape_hull ? batch->offsets[i] + first_invalid_plane(item) : 0;
            }
        }
        struct columns columns = batch_columns(batch);
        enum abut_status status = check(&columns, &invalid);
        check_that(status == (count > 0 ? ABUT_ERROR_INVALID : ABUT_OK) && check(&columns, NULL) == status,
                   "check of %s: %s, but %zu are invalid", info->name, abut_status_text(status), count);
        check_that(invalid.count == count && (count == 0 || (invalid.row == first && invalid.plane == plane &&
                                                             is_member(info, invalid.field) && invalid.what)),
                   "check of %s: %zu invalid, first %zu, not %zu, first %zu", info->name, invalid.count, invalid.row,
                   count, first);
        columns.at[random_below(&random, info->fields)] = NULL;
        CHECK(check(&columns, &invalid) == (batch->n > 0 ? ABUT_ERROR_NULL : ABUT_OK));
        columns.n = ABUT_MAX_ITEMS + 1;
        CHECK(check(&columns, &invalid) == ABUT_ERROR_NULL || check(&columns, &invalid) == ABUT_ERROR_TOO_MANY);
        batch_free(&a);
        batch_free(&b);
    }
}

/* A hull without planes, or with too many, is invalid. */
static void check_counts(struct random *random)
{
    struct batch items, hulls;
    struct abut_invalid invalid;
    batches_of_pairs(&subjects[predicate_point_in_hull], any_kind(&subjects[predicate_point_in_hull], random), random,
                     1 + random_below(random, 12), &items, &hulls);
    const size_t last = hulls.n - 1;
    struct columns columns = batch_columns(&hulls);
    struct abut_hulls view = hull_view(&columns);
    size_t count = 1, first = last;
    for (size_t i = last; i-- > 0;) {
        float item[MAX_MEMBERS];
        batch_get(&hulls, i, item);
        if (!strictly_valid(shape_hull, item)) {
            count++;
            first = i;
        }
    }
    hulls.offsets[hulls.n] = hulls.offsets[last] + (ABUT_MAX_PLANES + 1) * random_below(random, 2);
    CHECK(abut_check_hulls(&view, &invalid) == ABUT_ERROR_INVALID && invalid.count == count && invalid.row == first);
    CHECK(first < last || (strcmp(invalid.field, "offsets") == 0 && invalid.plane == hulls.offsets[last]));
    batch_free(&items);
    batch_free(&hulls);
}

static void check_invalid_messages(void)
{
    const float zero = 0, inf = INFINITY, nan = NAN, minus = -1;
    struct abut_invalid invalid;
    CHECK(abut_check_spheres(&(struct abut_spheres){1, &zero, &zero, &zero, &minus}, &invalid) == ABUT_ERROR_INVALID &&
          strcmp(invalid.field, "r") == 0 && strcmp(invalid.what, "is negative") == 0);
    CHECK(abut_check_spheres(&(struct abut_spheres){1, &zero, &inf, &nan, &minus}, &invalid) == ABUT_ERROR_INVALID &&
          strcmp(invalid.field, "y") == 0 && invalid.count == 1);
    CHECK(abut_check_points(&(struct abut_points){1, &zero, &zero, &nan}, &invalid) == ABUT_ERROR_INVALID &&
          strcmp(invalid.field, "z") == 0);
    CHECK(abut_check_aabbs(&(struct abut_aabbs){1, &zero, &zero, &zero, &zero, &minus, &inf}, &invalid) ==
              ABUT_ERROR_INVALID &&
          strcmp(invalid.field, "miny") == 0);
    CHECK(abut_check_points(NULL, &invalid) == ABUT_ERROR_NULL);
    CHECK(abut_check_spheres(NULL, &invalid) == ABUT_ERROR_NULL);
    CHECK(abut_check_aabbs(NULL, &invalid) == ABUT_ERROR_NULL);
    CHECK(abut_check_hulls(NULL, NULL) == ABUT_ERROR_NULL);
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 10, .rounds = 300});
    struct random random = {options.seed};
#define F(member)
#define HULL_SHAPE SHAPE
#define SHAPE(name, plural, fields) check_checks(shape_##name, check_##name);
#include "tables/shapes.def"
    for (unsigned round = 0; round < options.rounds; round++)
        check_counts(&random);
    check_invalid_messages();
    return finish("strict_checks");
}
