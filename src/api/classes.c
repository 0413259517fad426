/* SPDX-License-Identifier: MIT */
/* Three-way classes, made of two predicates. */
#include "api/views.h"
#include "dispatch/dispatch.h"
#include "hull/hull.h"
#include "kernels/items.h"

/* Pairs that are asked at a time: a multiple of 64. */
enum { BLOCK = 4096 };

typedef struct abut_hulls abut_hulls_batch;
#define F(member) batch->member + at,
#define SHAPE(name, plural, fields)                                                                                    \
    typedef struct abut_##plural abut_##plural##_batch;                                                                \
    static inline abut_##plural##_batch plural##_part(const abut_##plural##_batch *batch, size_t first, size_t n)      \
    {                                                                                                                  \
        const size_t at = batch->n == 1 ? 0 : first;                                                                   \
        return (abut_##plural##_batch){batch->n == 1 ? 1 : n, fields};                                                 \
    }
#include "tables/shapes.def"

/*
 * Whether item i is bad; whether it is known at once that none is, which of many planes it is not, as their wide check does not see
 * those that leave no room; and whether the batch can be read.
 */
#define F(member) batch->member[i],
#define SHAPE(name, plural, fields)                                                                                    \
    static inline bool plural##_invalid_at(const abut_##plural##_batch *batch, size_t i)                               \
    {                                                                                                                  \
        return name##_invalid((struct name){fields});                                                                  \
    }                                                                                                                  \
    static inline bool plural##_all_good(const abut_##plural##_batch *batch)                                           \
    {                                                                                                                  \
        const struct columns columns = name##_columns(batch);                                                          \
        return batch->n == 1                                                                                           \
                   ? !plural##_invalid_at(batch, 0)                                                                    \
                   : shape_##name != shape_plane && abut_active_isa()->valid[shape_##name](columns.at, batch->n);      \
    }                                                                                                                  \
    static inline enum abut_status plural##_check(const abut_##plural##_batch *batch)                                  \
    {                                                                                                                  \
        const struct columns columns = name##_columns(batch);                                                          \
        return check_columns(&columns);                                                                                \
    }
#include "tables/shapes.def"

static abut_hulls_batch hulls_part(const abut_hulls_batch *hulls, size_t first, size_t n)
{
    abut_hulls_batch part = *hulls;
    part.n = hulls->n == 1 ? 1 : n;
    part.offsets += hulls->n == 1 ? 0 : first;
    return part;
}

static bool hulls_invalid_at(const abut_hulls_batch *hulls, size_t i)
{
    const struct abut_planes planes = {hulls->offsets[i + 1], hulls->nx, hulls->ny, hulls->nz, hulls->d};
    bool invalid = false;
    for (size_t k = hulls->offsets[i]; k < hulls->offsets[i + 1]; k++)
        invalid |= planes_invalid_at(&planes, k);
    return invalid;
}

static bool hulls_all_good(const abut_hulls_batch *hulls)
{
    return hulls->n == 1 && !hulls_invalid_at(hulls, 0);
}

static enum abut_status hulls_check(const abut_hulls_batch *hulls)
{
    return abut_hulls_readable(hulls);
}

_Static_assert(ABUT_CROSSING == ABUT_OUTSIDE + 1 && ABUT_INSIDE == ABUT_CROSSING + 1,
               "each bit leads to the next class");

/* Of n pairs that are not bad, what is inside touches. */
static void make_classes(const uint64_t *touching, const uint64_t *within, size_t n, uint8_t *classes)
{
    for (size_t i = 0; i < n; i++)
        classes[i] = (uint8_t)(ABUT_OUTSIDE + (touching[i / 64] >> i % 64 & 1) + (within[i / 64] >> i % 64 & 1));
}

/* How many pairs two lengths make, if they do. */
static enum abut_status broadcast(size_t a, size_t b, size_t *n)
{
    *n = a == 1 ? b : a;
    return a > ABUT_MAX_ITEMS || b > ABUT_MAX_ITEMS ? ABUT_ERROR_TOO_MANY
           : a != b && a != 1 && b != 1             ? ABUT_ERROR_LENGTHS
                                                    : ABUT_OK;
}

#define CLASSES(function, a_plural, b_plural, touches, inside)                                                         \
    static enum abut_status function##_block(const abut_##a_plural##_batch *a, const abut_##b_plural##_batch *b,       \
                                             size_t n, struct abut_stats *stats, uint8_t *classes)                     \
    {                                                                                                                  \
        uint64_t touching[BLOCK / 64], within[BLOCK / 64];                                                             \
        enum abut_status status = touches(a, b, ABUT_CLOSED, stats, touching);                                         \
        if (status == ABUT_OK)                                                                                         \
            status = inside(a, b, ABUT_OPEN, stats, within);                                                           \
        if (status != ABUT_OK)                                                                                         \
            return status;                                                                                             \
        make_classes(touching, within, n, classes);                                                                    \
        /* What is bad touches nothing. */                                                                             \
        const bool all_good = a_plural##_all_good(a) && b_plural##_all_good(b);                                        \
        for (size_t i = 0; i < n && !all_good; i++)                                                                    \
            if ((touching[i / 64] >> i % 64 & 1) == 0 &&                                                               \
                (a_plural##_invalid_at(a, a->n == 1 ? 0 : i) || b_plural##_invalid_at(b, b->n == 1 ? 0 : i)))          \
                classes[i] = ABUT_NO_CLASS;                                                                            \
        return ABUT_OK;                                                                                                \
    }                                                                                                                  \
    enum abut_status function(const abut_##a_plural##_batch *a, const abut_##b_plural##_batch *b,                      \
                              struct abut_stats *stats, uint8_t *restrict classes)                                     \
    {                                                                                                                  \
        if (a == NULL || b == NULL)                                                                                    \
            return ABUT_ERROR_NULL;                                                                                    \
        size_t n;                                                                                                      \
        enum abut_status status = broadcast(a->n, b->n, &n);                                                           \
        if (status == ABUT_OK)                                                                                         \
            status = n > 0 && classes == NULL ? ABUT_ERROR_NULL : a_plural##_check(a);                                 \
        if (status == ABUT_OK)                                                                                         \
            status = b_plural##_check(b);                                                                              \
        for (size_t i = 0; i < n && status == ABUT_OK; i += BLOCK) {                                                   \
            const size_t count = n - i < BLOCK ? n - i : BLOCK;                                                        \
            const abut_##a_plural##_batch some_a = a_plural##_part(a, i, count);                                       \
            const abut_##b_plural##_batch some_b = b_plural##_part(b, i, count);                                       \
            status = function##_block(&some_a, &some_b, count, stats, classes + i);                                    \
        }                                                                                                              \
        return status;                                                                                                 \
    }

CLASSES(abut_spheres_aabbs_classes, spheres, aabbs, abut_spheres_aabbs, abut_spheres_in_aabbs)
CLASSES(abut_spheres_obbs_classes, spheres, obbs, abut_spheres_obbs, abut_spheres_in_obbs)
CLASSES(abut_spheres_planes_classes, spheres, planes, abut_spheres_planes, abut_spheres_in_planes)
CLASSES(abut_spheres_hulls_classes, spheres, hulls, abut_spheres_hulls, abut_spheres_in_hulls)
CLASSES(abut_aabbs_hulls_classes, aabbs, hulls, abut_aabbs_hulls_planes, abut_aabbs_in_hulls)
