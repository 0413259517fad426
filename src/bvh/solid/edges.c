/* SPDX-License-Identifier: MIT */
/* Edges of a mesh without numbered vertices: corners with equal coordinates are one vertex. */
#include "bvh/solid/solid.h"
#include "util/allocator.h"
#include "util/float32.h"

#include <string.h>

/* Corner c of triangle t has number 3 t + c. */
struct welding {
    const struct abut_solid *solid;
    const struct abut_options *options;
    size_t n;                /* corners */
    uint32_t *order, *spare; /* of the corners, by their coordinates */
    uint32_t *vertices;      /* the least corner in the same place */
    struct abut_pair *pairs; /* keys to sort, and then edges */
    size_t edges;
};

static float coordinate(const struct abut_solid *solid, uint32_t corner, unsigned k)
{
    return solid->at[corner % 3 * 3 + k][corner / 3];
}

static bool same_place(const struct abut_solid *solid, uint32_t a, uint32_t b)
{
    bool same = true;
    for (unsigned k = 0; k < 3; k++)
        same &= coordinate(solid, a, k) == coordinate(solid, b, k);
    return same;
}

/* Sorts the corners by one coordinate after the other; the sort by key and then place is stable. */
static enum abut_status find_vertices(struct welding *welding)
{
    enum abut_status status = ABUT_OK;
    for (size_t i = 0; i < welding->n; i++)
        welding->order[i] = (uint32_t)i;
    for (unsigned k = 0; k < 3 && status == ABUT_OK; k++) {
        for (size_t i = 0; i < welding->n; i++) {
            const float x = coordinate(welding->solid, welding->order[i], k) + 0.0f; /* -0 is 0 */
            welding->pairs[i] = (struct abut_pair){float32_bits(x), (uint32_t)i};
        }
        status = abut_sort_pairs(welding->pairs, welding->n, welding->options);
        for (size_t i = 0; i < welding->n; i++)
            welding->spare[i] = welding->order[welding->pairs[i].b];
        memcpy(welding->order, welding->spare, welding->n * sizeof *welding->order);
    }
    for (size_t i = 0; i < welding->n && status == ABUT_OK; i++) {
        const uint32_t corner = welding->order[i], before = i > 0 ? welding->order[i - 1] : corner;
        welding->vertices[corner] =
            i > 0 && same_place(welding->solid, corner, before) ? welding->vertices[before] : corner;
    }
    return status;
}

/* The edge from a corner to the next one of its triangle. */
static struct abut_pair edge_from(const struct welding *welding, size_t corner)
{
    const uint32_t a = welding->vertices[corner];
    const uint32_t b = welding->vertices[corner % 3 == 2 ? corner - 2 : corner + 1];
    return a < b ? (struct abut_pair){a, b} : (struct abut_pair){b, a};
}

static bool same_edge(struct abut_pair a, struct abut_pair b)
{
    return a.a == b.a && a.b == b.b;
}

/* The first place of the sorted edges that is not before the edge. */
static size_t place_of(const struct welding *welding, struct abut_pair edge)
{
    size_t first = 0, end = welding->edges;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const struct abut_pair other = welding->pairs[middle];
        if (other.a < edge.a || (other.a == edge.a && other.b < edge.b))
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* How many equal edges follow a place. */
static size_t run_at(const struct welding *welding, size_t place)
{
    size_t n = 0;
    while (place + n < welding->edges && same_edge(welding->pairs[place], welding->pairs[place + n]))
        n++;
    return n;
}

static enum abut_status report(const struct welding *welding, size_t open, struct abut_invalid *invalid)
{
    static const char *const names[3] = {"ab", "bc", "ca"};
    for (size_t i = 0; i < welding->n && invalid; i++) {
        const struct abut_pair edge = edge_from(welding, i);
        if (edge.a == edge.b || run_at(welding, place_of(welding, edge)) % 2 == 0)
            continue;
        *invalid = (struct abut_invalid){.count = open,
                                         .row = i / 3,
                                         .field = names[i % 3],
                                         .what = "is an open edge: an odd number of triangles have it"};
        break;
    }
    return ABUT_ERROR_INVALID;
}

static enum abut_status check_edges(struct welding *welding, struct abut_invalid *invalid)
{
    enum abut_status status = find_vertices(welding);
    size_t open = 0;
    for (size_t i = 0; i < welding->n && status == ABUT_OK; i++) {
        const struct abut_pair edge = edge_from(welding, i);
        if (edge.a != edge.b)
            welding->pairs[welding->edges++] = edge;
    }
    if (status == ABUT_OK)
        status = abut_sort_pairs(welding->pairs, welding->edges, welding->options);
    for (size_t i = 0, run; i < welding->edges && status == ABUT_OK; i += run) {
        run = run_at(welding, i);
        open += run % 2;
    }
    return status == ABUT_OK && open > 0 ? report(welding, open, invalid) : status;
}

enum abut_status abut_solid_check(const struct abut_solid *solid, const struct abut_options *options,
                                  struct abut_invalid *invalid)
{
    const struct abut_allocator *allocator = &solid->allocator;
    struct welding welding = {.solid = solid, .options = options, .n = 3 * solid->n};
    if (welding.n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    if (welding.n == 0)
        return ABUT_OK;
    const size_t corner_bytes = sizeof *welding.pairs + 3 * sizeof(uint32_t);
    void *memory =
        welding.n <= SIZE_MAX / corner_bytes ? allocator->allocate(allocator->context, welding.n * corner_bytes) : NULL;
    if (!memory)
        return ABUT_ERROR_MEMORY;
    welding.pairs = memory;
    welding.order = (uint32_t *)(welding.pairs + welding.n);
    welding.spare = welding.order + welding.n;
    welding.vertices = welding.spare + welding.n;
    const enum abut_status status = check_edges(&welding, invalid);
    allocator->release(allocator->context, memory);
    return status;
}
