/* SPDX-License-Identifier: MIT */
/* The inputs on which speed is compared. */
#ifndef ABUT_BENCH_WORKLOADS_H
#define ABUT_BENCH_WORKLOADS_H

#include "internals.h"

#include <array>
#include <string>
#include <vector>

/* The members of one shape, and nothing after them. */
using Item = std::array<float, ABUT_MAX_FIELDS>;

/* Columns that are fast to read together, one for each member of a shape. */
class Columns
{
  public:
    Columns(size_t n, unsigned fields);
    ~Columns();
    Columns(const Columns &) = delete;
    Columns &operator=(const Columns &) = delete;

    const float *const *at() const
    {
        return columns_;
    }
    float *const *mutable_at()
    {
        return columns_;
    }
    /* The columns as they are for a batch that begins at item i. */
    std::vector<const float *> from(size_t i) const;
    Item item(size_t i) const;
    void store(size_t i, const Item &item);

  private:
    unsigned fields_;
    float *columns_[ABUT_MAX_FIELDS];
};

/* A constant is not drawn. */
struct Range {
    float low, high;
};

/* How pairs are drawn; where every pair touches exactly, ranges mean nothing. */
enum class Draw {
    unbounded,
    ties,   /* spheres and AABBs off each other, in integers */
    at_rest /* balls on what has a level top, so far up as their radius is */
};

struct Workload {
    std::string name; /* "sphere_vs_aabbs/50%" */
    enum predicate predicate;
    size_t most_items; /* of a that a pass may take */
    bool rotates;      /* one of 64 items of a against all of b, each in turn; else item by item */
    float spread; /* how far from the origin, or from its item of b, the centre of an item of a may be on each axis */
    Range size_a, size_b;
    Draw draw;

    size_t rows() const
    {
        return rotates ? 64 : 1;
    }
    size_t items_a(size_t n) const
    {
        return rotates ? rows() : n;
    }
    void fill(Columns &a, Columns &b, size_t n) const;
    /* From the second-level cache down to main memory. */
    std::vector<size_t> usual_sizes() const;
};

/* Spheres against boxes as everyone quotes them, and two workloads of the same kind for every other predicate. */
const std::vector<Workload> &workloads();

/* Points, item by item near their shapes, or one for all; as in the workloads of pairs. */
void fill_distances(enum shape shape, bool one, Columns &points, Columns &shapes, size_t n);

struct PredicateFacts {
    const char *name, *question;
    enum shape shape_a, shape_b;
    unsigned fields_a, fields_b;
};

extern const PredicateFacts predicate_facts[predicate_count];

#endif
