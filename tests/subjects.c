/* SPDX-License-Identifier: MIT */
/* Tables made from predicates.def and shapes.def, and the list of instruction sets that run here. */
#include "subjects.h"
#include "options.h"
#include <abut/distance.h>

#include "api/sets.h"
#include "batch/hull_items.h"
#include "batch/pairs.h"
#include "dispatch/dispatch.h"
#include "hull/hull.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL(name, a_shape, b_shape, function)                                                                         \
    static enum abut_status name(const struct columns *a, const struct columns *b, const struct abut_options *options, \
                                 uint64_t *hits)                                                                       \
    {                                                                                                                  \
        const a_shape##_batch view_a = a_shape##_view(a);                                                              \
        const b_shape##_batch view_b = b_shape##_view(b);                                                              \
        return function(&view_a, &view_b, options, hits);                                                              \
    }
#define PREDICATE(name, a, b, relation, function)                                                                      \
    CALL(call_##name, a, b, function)                                                                                  \
    CALL(call_all_##name, a, b, function##_all)
#include "tables/predicates.def"

#define PREDICATE(name, a, b, relation, function)                                                                      \
    {#name, #relation, predicate_##name, shape_##a, shape_##b, call_##name, call_all_##name},
const struct subject subjects[predicate_count] = {
#include "tables/predicates.def"
};

#define DISTANCE(name, a, b, function)                                                                                 \
    static enum abut_status call_distance_##name(const struct columns *columns_a, const struct columns *columns_b,     \
                                                 float *d2, const struct abut_closest *closest)                        \
    {                                                                                                                  \
        const a##_batch view_a = a##_view(columns_a);                                                                  \
        const b##_batch view_b = b##_view(columns_b);                                                                  \
        return function(&view_a, &view_b, d2, closest);                                                                \
    }                                                                                                                  \
    _Static_assert(shape_##a == shape_point, "distances are from points");
#include "tables/predicates.def"

#define DISTANCE(name, a, b, function)                                                                                 \
    {#name, distance_##name, shape_##b, &subjects[predicate_sphere_##b], call_distance_##name},
const struct distance_subject distance_subjects[distance_count] = {
#include "tables/predicates.def"
};

static void fill_roles(struct shape_info *info)
{
    for (unsigned k = 0; k < info->fields; k++) {
        const char *name = info->field_names[k];
        bool lower = strncmp(name, "min", 3) == 0, upper = strncmp(name, "max", 3) == 0;
        bool named = strlen(name) == 2 && strchr("abchnuvw", name[0]) != NULL; /* ax, hx, nx */
        const char *axis = lower || upper ? name + 3 : named ? name + 1 : name;
        info->partners[k] = k;
        if (strcmp(name, "r") == 0) {
            info->roles[k] = ROLE_RADIUS;
            info->axes[k] = 3;
        } else if (strcmp(name, "d") == 0 || name[0] == 'h') {
            info->roles[k] = name[0] == 'd' ? ROLE_OFFSET : ROLE_HALF;
            info->axes[k] = 3;
        } else if (strlen(axis) == 1 && strchr("xyz", axis[0]) != NULL) {
            bool direction = named && strchr("nuvw", name[0]) != NULL;
            info->roles[k] = lower ? ROLE_LOWER : upper ? ROLE_UPPER : direction ? ROLE_DIRECTION : ROLE_COORDINATE;
            info->axes[k] = (unsigned)(axis[0] - 'x');
            if (lower || upper)
                info->partners[k] = lower ? k + 3 : k - 3;
        } else {
            fprintf(stderr, "tests/subjects.c: member without a role: %s of %s\n", name, info->name);
            exit(2);
        }
    }
}

const struct shape_info *shape_info(enum shape shape)
{
#define F(member) #member,
#define SHAPE(shape_name, plural, members) {#shape_name, shape_name##_fields, {members}, {0}, {0}, {0}},
#define HULL_SHAPE SHAPE
    static struct shape_info shapes[shape_count] = {
#include "tables/shapes.def"
    };
    static bool filled;
    if (!filled)
        for (unsigned i = 0; i < shape_count; i++)
            fill_roles(&shapes[i]);
    filled = true;
    return &shapes[shape];
}

const struct subject *subject_of(const char *name)
{
    for (unsigned i = 0; i < predicate_count; i++)
        if (strcmp(subjects[i].name, name) == 0)
            return &subjects[i];
    return NULL;
}

/* Of an emulated instruction set, CMake defines ABUT_EMULATES_name as "~, EMULATE". */
#define EMULATE(entry) entry
#define LEAVE_OUT(entry)
#define SECOND_OF(first, second, ...) second
#define CHOICE(...) SECOND_OF(__VA_ARGS__)
#define IF_EMULATED(name, entry) CHOICE(ABUT_EMULATES_##name, LEAVE_OUT, ~)(entry)
#define INSTRUCTION_SET(name, processor, flags)                                                                        \
    IF_EMULATED(name, extern const struct isa abut_kernels_##name##_emulated;)
#include "tables/isas.def"

static bool listed(const struct tested *list, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return true;
    return false;
}

unsigned tested_isas(struct tested list[MAX_TESTED])
{
    unsigned n = 0;
    for (const struct isa *const *native = abut_native_isas(); *native != NULL; native++)
        list[n++] = (struct tested){*native, (*native)->name, false};
#define INSTRUCTION_SET(name, processor, flags)                                                                        \
    IF_EMULATED(                                                                                                       \
        name, list[n] = ((struct tested){&abut_kernels_##name##_emulated, #name " emulated", listed(list, n, #name)}); \
        n++;)
#include "tables/isas.def"
    return n;
}

void print_isas(void)
{
    struct tested list[MAX_TESTED];
    unsigned n = tested_isas(list);
    printf("instruction sets:");
    for (unsigned i = 0; i < n; i++)
        printf("%s %s", i > 0 ? "," : "", list[i].name);
    printf("; not native here:");
#define INSTRUCTION_SET(isa, processor, flags) printf("%s", listed(list, n, #isa) ? "" : " " #isa);
#include "tables/isas.def"
    printf("\n");
}

unsigned isas_apart(const struct subject *subject, const struct tested *tested, unsigned n)
{
    const struct kernel *first = &tested[0].isa->kernels[subject->predicate];
    for (unsigned v = 1; v < n; v++)
        if (memcmp(first, &tested[v].isa->kernels[subject->predicate], sizeof *first) != 0)
            return n;
    return 1;
}

const char *const entry_names[entry_count] = {"zip", "one_many", "many_one", "block"};

unsigned first_member(enum shape shape)
{
    return shape == shape_hull ? HULL_PLANES : 0;
}

unsigned end_of_members(enum shape shape, const float *item)
{
    return shape == shape_hull ? HULL_PLANES + 4 * planes_of(item) : shape_info(shape)->fields;
}

enum role role_of(enum shape shape, unsigned member)
{
    const struct shape_info *info = shape_info(shape);
    return info->roles[(member - first_member(shape)) % info->fields];
}

void prepare_hull(struct hull *hull, const float *item)
{
    const uint32_t offsets[2] = {0, planes_of(item)};
    float columns[4][ABUT_MAX_PLANES];
    for (unsigned i = 0; i < planes_of(item); i++)
        for (unsigned k = 0; k < 4; k++)
            memcpy(&columns[k][i], &plane_of(item, i)[k], sizeof(float));
    const struct abut_hulls hulls = {1, offsets, columns[0], columns[1], columns[2], columns[3]};
    abut_hull_prepare(hull, &hulls, 0, false);
}

/* An item of a predicate of hulls as the library takes it: a hull is prepared. */
static const float *ready_item(const struct subject *subject, const float *item, struct hull *ready)
{
    if (subject->shape_a != shape_hull)
        return item;
    prepare_hull(ready, item);
    return hull_item(ready);
}

enum answer exact_answer(const struct subject *subject, const float *a, const float *b)
{
    if (!of_hulls(subject))
        return abut_exact(subject->predicate, a, b);
    struct hull hull, other;
    prepare_hull(&hull, b);
    return abut_hull_exact(subject->predicate, &hull, ready_item(subject, a, &other));
}

bool resolved(const struct subject *subject, const float *a, const float *b, bool closed, struct abut_stats *stats)
{
    if (!of_hulls(subject))
        return abut_resolve(subject->predicate, a, b, closed, stats);
    struct hull hull, other;
    prepare_hull(&hull, b);
    return abut_hull_resolve(subject->predicate, &hull, ready_item(subject, a, &other), closed, stats);
}

bool has_entry(const struct subject *subject, enum entry entry)
{
    return !of_hulls(subject) || entry == ENTRY_MANY_ONE || entry == ENTRY_BLOCK;
}

static void run_hulls(const struct isa *isa, const struct subject *subject, const struct entry_args *args,
                      uint64_t *hits)
{
    struct hull hulls[ABUT_MAX_HULLS];
    for (size_t i = 0; i < args->rows; i++) {
        struct abut_hulls hull = hull_view(args->b);
        hull.offsets += i;
        abut_hull_prepare(&hulls[i], &hull, 0, args->expected >= SLABS_PAY);
    }
    const struct hull_args of_kernel = {hulls,      args->a->at,     args->n, args->closed,    args->stats,
                                        args->rows, args->row_words, false,   args->a->offsets};
    abut_run_hulls(isa, subject->predicate, &of_kernel, hits);
}

void run_entry(const struct isa *isa, const struct subject *subject, enum entry entry, const struct entry_args *args,
               uint64_t *hits)
{
    if (of_hulls(subject)) {
        run_hulls(isa, subject, args, hits);
        return;
    }
    const struct kernel_args of_kernel = {args->a->at, args->b->at, args->n,        args->closed,
                                          args->stats, args->rows,  args->row_words};
    abut_run_batch(isa, subject->predicate, (enum broadcast)entry, &of_kernel, hits);
}

distance_function *distance_entry_of(const struct isa *isa, enum distance_kind kind, enum entry entry)
{
    const struct distance_kernel *kernel = &isa->distances[kind];
    distance_function *const functions[entry_count] = {kernel->zip, kernel->one_many, kernel->many_one, NULL};
    return functions[entry];
}

bool item_valid(enum shape shape, const float *item)
{
    const struct shape_info *info = shape_info(shape);
    for (unsigned k = 0; k < info->fields; k++) {
        bool ok = !isnan(item[k]);
        if (info->roles[k] == ROLE_COORDINATE || info->roles[k] == ROLE_DIRECTION)
            ok = isfinite(item[k]);
        else if (info->roles[k] == ROLE_RADIUS || info->roles[k] == ROLE_HALF)
            ok = item[k] >= 0;
        else if (info->roles[k] == ROLE_LOWER)
            ok = item[k] <= item[info->partners[k]] && item[k] < INFINITY && item[info->partners[k]] > -INFINITY;
        if (!ok)
            return false;
    }
    return true;
}
