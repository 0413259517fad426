/* SPDX-License-Identifier: MIT */
/* Tests memory and the floating-point environment: column buffers with failing allocators, and calls in other modes. */
#include "batches.h"
#include "contact.h"
#include "options.h"
#include "report.h"
#include <abut/shapes.h>

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 66 /* more than a word */ };

struct tally {
    unsigned allocations, releases;
    void *memory;
    bool fail;
};

static void *tally_allocate(void *context, size_t size)
{
    struct tally *tally = context;
    tally->allocations++;
    return tally->memory = tally->fail ? NULL : malloc(size);
}

static void tally_release(void *context, void *memory)
{
    struct tally *tally = context;
    tally->releases++;
    check_that(memory == tally->memory, "a released block was not allocated");
    free(memory);
}

/* Aligned, disjoint, and no two in the same set of a first-level cache of 64 sets of 64 bytes. */
static void check_columns(size_t n, unsigned count, const struct abut_allocator *allocator)
{
    float *columns[32] = {0};
    bool sets[64] = {0};
    enum abut_status status = abut_columns_new(n, count, columns, allocator);
    if (!check_that(status == ABUT_OK, "%u columns of %zu: %s", count, n, abut_status_text(status)))
        return;
    for (unsigned k = 0; k < count; k++) {
        uintptr_t address = (uintptr_t)columns[k];
        check_that(address % 64 == 0, "column %u of %u of %zu is not aligned to a cache line", k, count, n);
        check_that(!sets[address / 64 % 64], "column %u of %u of %zu starts in the cache set of another", k, count, n);
        sets[address / 64 % 64] = true;
        for (size_t i = 0; i < n; i++)
            columns[k][i] = (float)(k + 1);
    }
    bool intact = true;
    for (unsigned k = 0; k < count; k++)
        for (size_t i = 0; i < n; i++)
            intact &= columns[k][i] == (float)(k + 1);
    check_that(intact, "%u columns of %zu overlap", count, n);
    abut_columns_free(columns, allocator);
    check_that(columns[0] == NULL, "freed columns are not marked");
    abut_columns_free(columns, allocator);
}

static void check_allocation(void)
{
    static const size_t lengths[] = {0, 1, 15, 16, 17, 1023, 1024, 4096, 100003};
    const size_t large = 1 << 20; /* four megabytes, where pages may be huge */
    struct tally tally = {0};
    const struct abut_allocator allocator = {tally_allocate, tally_release, &tally};
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (unsigned count = 1; count <= 32; count += i < 6 ? 1 : 5) {
            unsigned before = tally.allocations;
            check_columns(lengths[i], count, NULL);
            check_columns(lengths[i], count, &allocator);
            check_that(tally.allocations == before + 1 && tally.releases == tally.allocations,
                       "%u columns of %zu: not one allocation and one release", count, lengths[i]);
        }
    for (size_t n = large - 32; n <= large + 32; n += 16)
        check_columns(n, 1, NULL);
    float *columns[33] = {0};
    float anything;
    columns[0] = &anything;
    tally = (struct tally){.fail = true};
    CHECK(abut_columns_new(10, 4, columns, &allocator) == ABUT_ERROR_MEMORY && columns[0] == NULL);
    CHECK(tally.allocations == 1 && tally.releases == 0);
    abut_columns_free(columns, &allocator);
    CHECK(tally.releases == 0);
    tally = (struct tally){.fail = true};
    CHECK(abut_columns_new(10, 0, columns, &allocator) == ABUT_ERROR_ARGUMENT);
    columns[0] = &anything;
    CHECK(abut_columns_new(10, 33, columns, &allocator) == ABUT_ERROR_ARGUMENT && columns[0] == NULL);
    CHECK(abut_columns_new(10, 1, NULL, &allocator) == ABUT_ERROR_NULL);
    CHECK(abut_columns_new(ABUT_MAX_ITEMS + 1, 1, columns, &allocator) == ABUT_ERROR_TOO_MANY);
    CHECK(abut_columns_new(SIZE_MAX, 32, columns, &allocator) == ABUT_ERROR_TOO_MANY);
    CHECK(abut_columns_new(SIZE_MAX / sizeof(float) + 2, 1, columns, &allocator) == ABUT_ERROR_TOO_MANY);
    CHECK(tally.allocations == 0);
    abut_columns_free(NULL, NULL);
}

/* A past error in flushing modes: coordinates on a grid, whose differences are 0 or at least 1. */
static void check_grid(void)
{
    static const float one[] = {1}, zero[] = {0}, two[] = {2}, three[] = {3}, four[] = {4}, minus_one[] = {-1};
    const struct abut_spheres sphere = {.n = 1, .x = one, .y = zero, .z = zero, .r = two};
    const struct abut_aabbs box = {
        .n = 1, .minx = three, .miny = minus_one, .minz = minus_one, .maxx = four, .maxy = one, .maxz = one};
    uint64_t hits = 0;
    CHECK(abut_spheres_touch_aabbs(&sphere, &box, NULL, &hits) == ABUT_OK && hits == 1);
    CHECK(abut_spheres_touch_aabbs(&sphere, &box, OPTIONS(ABUT_OPEN, NULL), &hits) == ABUT_OK && hits == 0);
    static const float x[] = {0, 1, 2, 0, 1, 2}, y[] = {0, 0, 0, 1, 1, 1}, z[] = {2, 2, 2, 2, 2, 2};
    const struct abut_points corners = {.n = 6, .x = x, .y = y, .z = z};
    const struct abut_aabbs grid = {
        .n = 1, .minx = zero, .miny = zero, .minz = zero, .maxx = two, .maxy = one, .maxz = two};
    CHECK(abut_points_inside_aabbs(&corners, &grid, NULL, &hits) == ABUT_OK && hits == 0x3f);
    static const float tiny[] = {-1e-40f};
    const struct abut_spheres negative = {.n = 1, .x = one, .y = zero, .z = zero, .r = tiny};
    CHECK(abut_check_spheres(&negative, NULL) == ABUT_ERROR_INVALID);
}

#if defined(__SSE2_MATH__)
#include <xmmintrin.h>
/* Flush to zero, denormals are zero. */
static const unsigned flushing[] = {0x8000, 0x0040, 0x8040};
static unsigned get_modes(void)
{
    return _mm_getcsr() & ~0x3fu; /* without the sticky exception flags */
}
static void set_modes(unsigned modes)
{
    _mm_setcsr(modes);
}
#elif defined(__aarch64__)
static const unsigned flushing[] = {1u << 24};
static unsigned get_modes(void)
{
    unsigned long modes;
    __asm__ volatile("mrs %0, fpcr" : "=r"(modes));
    return (unsigned)modes;
}
static void set_modes(unsigned modes)
{
    __asm__ volatile("msr fpcr, %0" : : "r"((unsigned long)modes));
}
#endif

#if defined(__SSE2_MATH__) || defined(__aarch64__)
static void ask_in(unsigned modes, const struct subject *subject, const struct batch *a, const struct batch *b)
{
    const unsigned usual = get_modes();
    set_modes(modes);
    free(ask(subject, a, b, ABUT_CLOSED, NULL));
    free(ask_all(subject, a, b, ABUT_CLOSED, NULL));
    const bool kept = get_modes() == modes;
    set_modes(usual);
    check_that(kept, "%s changes the floating-point mode %x", subject->name, modes);
}

/* In every mode, as making the inputs takes longer than asking. */
static void ask_everything(void)
{
    struct random random = {12};
    const unsigned usual = get_modes();
    for (unsigned p = 0; p < predicate_count; p++)
        for (enum kind kind = 0; kind < kind_count; kind++) {
            struct batch a, b;
            /* The exact answers of shapes with corners take long. */
            if (!has_kind(&subjects[p], kind) || (takes_long(&subjects[p]) && (p + kind) % 16 != 0))
                continue;
            batches_of_pairs(&subjects[p], kind, &random, PAIRS, &a, &b);
            for (unsigned i = 0; i < sizeof flushing / sizeof *flushing; i++)
                ask_in(usual | flushing[i], &subjects[p], &a, &b);
            ask_in(usual, &subjects[p], &a, &b);
            batch_free(&a);
            batch_free(&b);
        }
}

static void check_modes(void)
{
    const unsigned usual = get_modes();
    for (unsigned i = 0; i < sizeof flushing / sizeof *flushing; i++) {
        set_modes(usual | flushing[i]);
        check_grid();
        const bool kept = get_modes() == (usual | flushing[i]);
        set_modes(usual);
        check_that(kept, "the mode %x is not restored", flushing[i]);
    }
    ask_everything();
}
#else
static void check_modes(void)
{
}
#endif

int main(int argc, char **argv)
{
    read_options(argc, argv, (struct options){.rounds = 1});
    check_allocation();
    check_grid();
    check_modes();
    return finish("surroundings");
}
