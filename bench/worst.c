/* SPDX-License-Identifier: MIT */
/*
 * Searches for the pairs that take longest, predicate by predicate, and prints a table of their times. What is found is
 * no proof of a bound: a longer search, or a better one, may find slower pairs.
 *
 * A search begins with pairs of few different numbers, whose exponents may be far apart, as exact ties among such
 * numbers take most limbs. One member is moved to where the answer changes. Then it climbs: a pair that is changed in a
 * few members takes the place of the last one if it takes longer.
 *
 * usage: abut_bench_worst [--seconds=S] [--seed=N] [--only=TEXT] [--show]
 *   --seconds  of each search (20); --only: names with this text; --show: print the slowest pair, too
 */
#include "api/predicate_of.h"
#include "api/sets.h"
#include "util/float32.h"

#include <abut/index.h>
#include <abut/shapes.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POOL = 5, KINDS = ABUT_SET_HULLS + 1, MOST_MEMBERS = 4 * ABUT_MAX_PLANES };

/* Members of one item; of a hull, plane after plane. */
struct item {
    enum abut_set_kind kind;
    unsigned n;
    float at[MOST_MEMBERS];
};

struct question {
    const struct abut_predicate *predicate; /* NULL: within a distance */
    struct item a, b;
    float within;
};

static uint64_t state = 1;

static uint32_t any(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % below);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Pairs ---- */

static float pool[POOL];

static float any_number(unsigned exponents)
{
    const float mantissa = any(3) == 0 ? (float)(1 + any(8)) : 1 + (float)any(1 << 23) * 0x1p-23f;
    const float number = ldexpf(mantissa, (int)any(2 * exponents + 1) - (int)exponents);
    return isfinite(number) ? number : 1;
}

static void fill_pool(void)
{
    static const unsigned spreads[] = {0, 1, 12, 40, 60, 120};
    const unsigned spread = spreads[any(sizeof spreads / sizeof *spreads)];
    for (unsigned i = 0; i < POOL; i++)
        pool[i] = any_number(spread);
}

static float from_pool(void)
{
    const float number = pool[any(POOL)];
    return any(8) == 0 ? 0 : any(2) == 0 ? number : -number;
}

/* Members that are not negative. */
static bool is_size(enum abut_set_kind kind, unsigned k)
{
    return (kind == ABUT_SET_SPHERES && k == 3) || (kind == ABUT_SET_CAPSULES && k == 6) ||
           (kind == ABUT_SET_OBBS && k / 3 == 1);
}

static void rotate(float *axes)
{
    float q[4] = {0}, *from[4], *to[9];
    for (unsigned k = 0; k < 9; k++)
        to[k] = &axes[k];
    for (unsigned k = 0; k < 4; k++) {
        q[k] = k % 2 == 0 && any(2) == 0 ? 0 : (float)any(2001) / 1000 - 1;
        from[k] = &q[k];
    }
    q[3] += q[3] == 0;
    abut_obbs_axes_from_quaternions(1, from, to);
}

/* Planes around a middle, or any. */
static void make_planes(struct item *item)
{
    const unsigned planes = any(4) == 0 ? 4 + any(28) : ABUT_MAX_PLANES;
    const bool body = any(4) > 0;
    const float size = fabsf(from_pool());
    float middle[3] = {from_pool(), from_pool(), from_pool()}, axes[9];
    item->n = 4 * planes;
    for (unsigned i = 0; i < planes; i++) {
        float *plane = item->at + 4 * i;
        rotate(axes);
        for (unsigned k = 0; k < 3; k++)
            plane[k] = body ? axes[k] : from_pool();
        plane[3] = from_pool();
        if (body)
            plane[3] = -(plane[0] * middle[0] + plane[1] * middle[1] + plane[2] * middle[2]) - size;
        for (unsigned k = 0; k < 4; k++)
            plane[k] = isfinite(plane[k]) ? plane[k] : 1;
    }
}

static void repair(struct item *item)
{
    for (unsigned k = 0; k < item->n; k++)
        if (is_size(item->kind, k))
            item->at[k] = fabsf(item->at[k]);
    for (unsigned k = 0; item->kind == ABUT_SET_AABBS && k < 3; k++)
        if (item->at[k] > item->at[k + 3]) {
            const float lower = item->at[k + 3];
            item->at[k + 3] = item->at[k];
            item->at[k] = lower;
        }
}

static void make_item(struct item *item)
{
    item->n = abut_set_fields[item->kind];
    for (unsigned k = 0; k < item->n; k++)
        item->at[k] = from_pool();
    if (item->kind == ABUT_SET_OBBS && any(4) > 0)
        rotate(item->at + 6);
    if (item->kind == ABUT_SET_HULLS)
        make_planes(item);
    repair(item);
}

/* ---- Asking ---- */

static struct abut_set set_of_item(const struct item *item, union any_batch *batch)
{
    static uint32_t offsets[2][2];
    static float planes[2][4][ABUT_MAX_PLANES];
    static unsigned turn;
    struct columns columns = {.shape = (enum shape)item->kind, .n = 1};
    for (unsigned k = 0; k < item->n && item->kind != ABUT_SET_HULLS; k++)
        columns.at[k] = &item->at[k];
    if (item->kind == ABUT_SET_HULLS) {
        turn ^= 1;
        offsets[turn][1] = item->n / 4;
        columns.offsets = offsets[turn];
        for (unsigned k = 0; k < 4; k++) {
            columns.at[k] = planes[turn][k];
            for (unsigned i = 0; i < item->n / 4; i++)
                planes[turn][k][i] = item->at[4 * i + k];
        }
    }
    return set_of_columns(&columns, batch);
}

/* The answer, and how long it takes: the least of so many times. -1: an index does not take the item. */
static int ask(const struct question *question, unsigned times, double *least)
{
    union any_batch any_a, any_b;
    const struct abut_set a = set_of_item(&question->a, &any_a), b = set_of_item(&question->b, &any_b);
    const struct abut_reach reach = {.within = question->within};
    struct abut_index *index = NULL;
    uint64_t hits = 0;
    if (!question->predicate && abut_index_new(b, NULL, NULL, &index) != ABUT_OK)
        return -1;
    *least = INFINITY;
    for (unsigned i = 0; i < times; i++) {
        const double before = seconds();
        const enum abut_status status = question->predicate
                                            ? abut_test(question->predicate->relation, a, b, NULL, &hits)
                                            : abut_join_within(index, a, &reach, NULL, NULL, 0, &hits);
        const double took = seconds() - before;
        *least = took < *least ? took : *least;
        if (status != ABUT_OK)
            exit(1);
    }
    abut_index_free(index);
    return (int)(hits & 1);
}

/* ---- Searching ---- */

static struct item *any_side(struct question *question)
{
    return any(2) == 0 ? &question->a : &question->b;
}

/* Floats by order. */
static int32_t order_of(float x)
{
    const uint32_t bits = float32_bits(x);
    return bits >> 31 ? -(int32_t)(bits & 0x7fffffff) : (int32_t)bits;
}

static float of_order(int32_t order)
{
    return order < 0 ? -float32_of_bits((uint32_t)-order) : float32_of_bits((uint32_t)order);
}

/* Moves one member to where the answer changes, if it does on the way to another value. */
static void to_the_edge(struct question *question)
{
    struct item *item = any_side(question);
    const unsigned k = any(item->n);
    float *member = question->predicate || any(2) == 0 ? &item->at[k] : &question->within;
    const bool size = member == &question->within || is_size(item->kind, k);
    double unused;
    const float first = *member, other = any(2) == 0 ? from_pool() : first * (float)(1 + any(4));
    int32_t low = order_of(size ? fabsf(first) : first), high = order_of(size ? fabsf(other) : other);
    *member = of_order(high);
    const int there = ask(question, 1, &unused);
    *member = of_order(low);
    if (item->kind == ABUT_SET_AABBS || there < 0 || ask(question, 1, &unused) == there) {
        *member = first;
        return;
    }
    while (low != high && labs((long)high - (long)low) > 1) {
        const int32_t middle = (int32_t)(((int64_t)low + high) / 2);
        *member = of_order(middle);
        *(ask(question, 1, &unused) == there ? &high : &low) = middle;
    }
    *member = of_order(any(2) == 0 ? low : high);
}

static void change(struct question *question)
{
    struct item *item = any_side(question), *other = any_side(question);
    const unsigned k = any(item->n);
    switch (any(7)) {
    case 0:
        item->at[k] = from_pool();
        break;
    case 1:
        item->at[k] = of_order(order_of(item->at[k]) + (int32_t)any(3) - 1);
        break;
    case 2:
        item->at[k] = other->at[any(other->n)];
        break;
    case 3:
        item->at[k] = ldexpf(item->at[k], (int)any(61) - 30);
        break;
    case 4: /* as another triple of members: corners meet, axes are parallel, planes are the same */
        if (item->n >= 3 && other->n >= 3)
            memmove(item->at + any(item->n - 2), other->at + any(other->n - 2), 3 * sizeof(float));
        break;
    case 5:
        question->within = fabsf(from_pool()) + 0x1p-140f;
        break;
    default:
        to_the_edge(question);
    }
    if (!isfinite(item->at[k]))
        item->at[k] = 1;
    repair(&question->a);
    repair(&question->b);
}

static void show(const struct question *question)
{
    for (unsigned side = 0; side < 2; side++) {
        const struct item *item = side == 0 ? &question->a : &question->b;
        for (unsigned k = 0; k < item->n; k++)
            fprintf(stderr, "%a%s", (double)item->at[k], k + 1 < item->n ? ", " : "\n");
    }
    fprintf(stderr, "within %a\n", (double)question->within);
}

/* The longest time that a search of so many seconds finds. */
static double search(struct question question, double budget, bool showing)
{
    struct question slowest = question;
    const double end = seconds() + budget;
    double worst = 0, took;
    while (seconds() < end) {
        enum { STARTS = 24, STEPS = 400 };
        struct question best = question;
        double most = 0;
        for (unsigned i = 0; i < STARTS && seconds() < end; i++) {
            fill_pool();
            make_item(&question.a);
            make_item(&question.b);
            question.within = fabsf(from_pool()) + 0x1p-140f;
            to_the_edge(&question);
            to_the_edge(&question);
            if (ask(&question, 3, &took) >= 0 && took > most) {
                most = took;
                best = question;
            }
        }
        for (unsigned i = 0; i < STEPS && seconds() < end; i++) {
            question = best;
            for (unsigned changes = 1 + any(3); changes > 0; changes--)
                change(&question);
            if (ask(&question, 1, &took) >= 0 && took > most && ask(&question, 3, &took) >= 0 && took > most) {
                most = took;
                best = question;
            }
        }
        if (ask(&best, 9, &took) >= 0 && took > worst) {
            worst = took;
            slowest = best;
        }
    }
    if (showing)
        show(&slowest);
    return worst;
}

static void print_row(const char *name, double took)
{
    printf("| %s | %.*f |\n", name, took < 1e-5 ? 1 : 0, 1e6 * took);
    fflush(stdout);
}

static bool has_option(int argc, char **argv, const char *name, const char **value)
{
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, strlen(name)) == 0) {
            *value = argv[i] + strlen(name);
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    const char *text, *only = "";
    double budget = 20;
    size_t count;
    if (has_option(argc, argv, "--seconds=", &text))
        budget = atof(text);
    if (has_option(argc, argv, "--seed=", &text))
        state = (uint64_t)atol(text);
    has_option(argc, argv, "--only=", &only);
    const bool showing = has_option(argc, argv, "--show", &text);
    const struct abut_predicate *predicates = abut_predicates(&count);
    printf("| pair | us |\n|---|---|\n");
    for (size_t i = 0; i < count; i++)
        if (strstr(predicates[i].function, only))
            print_row(predicates[i].function, search((struct question){.predicate = &predicates[i],
                                                                       .a = {.kind = predicates[i].a},
                                                                       .b = {.kind = predicates[i].b}},
                                                     budget, showing));
    static const char *const names[KINDS] = {
        [ABUT_SET_AABBS] = "AABBs",       [ABUT_SET_OBBS] = "OBBs",           [ABUT_SET_SEGMENTS] = "segments",
        [ABUT_SET_CAPSULES] = "capsules", [ABUT_SET_TRIANGLES] = "triangles",
    };
    for (unsigned a = 0; a < KINDS; a++)
        for (unsigned b = a; b < KINDS; b++) {
            char name[80];
            if (!names[a] || !names[b])
                continue;
            snprintf(name, sizeof name, "abut_join_within, %s and %s", names[a], names[b]);
            if (strstr(name, only))
                print_row(name, search((struct question){.a = {.kind = (enum abut_set_kind)a},
                                                         .b = {.kind = (enum abut_set_kind)b}},
                                       budget, showing));
        }
    return 0;
}
