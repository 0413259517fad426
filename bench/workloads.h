/* SPDX-License-Identifier: MIT */
/* The workloads: inputs on which the implementations of a predicate are compared. */
#ifndef ABUT_BENCH_WORKLOADS_H
#define ABUT_BENCH_WORKLOADS_H

#include "internals.h"

#include <array>
#include <string>
#include <vector>

/* The members of one shape, in the order of shapes.def. */
using Item = std::array<float, ABUT_MAX_FIELDS>;

/* One column for each member of a shape, from abut_columns_new. */
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
    /* The columns of the batch that begins at item i. */
    std::vector<const float *> from(size_t i) const;
    Item item(size_t i) const;
    void store(size_t i, const Item &item);

  private:
    unsigned fields_;
    float *columns_[ABUT_MAX_FIELDS];
};

/* low = high is a constant: no random number is drawn for it. */
struct Range {
    float low, high;
};

/* How pairs are drawn. In ties and at_rest every pair touches exactly, and the ranges have no meaning. */
enum class Draw {
    unbounded,
    ties,   /* sphere and AABB in integers, at a distance of exactly the radius */
    at_rest /* a sphere, capsule, box or triangle on a shape with a level top */
};

struct Workload {
    std::string name; /* "sphere_vs_aabbs/50%" */
    enum predicate predicate;
    size_t most_items; /* the most items of a that one call may take */
    bool rotates;      /* a call takes one of 64 items of a, in turn, against all of b; else item by item */
    float spread; /* on each axis, the largest offset of a centre in a from the origin or, item by item, from its b */
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

/* The named workloads of spheres and boxes; NAME/one and NAME/zip for every other predicate; rest/NAME. */
const std::vector<Workload> &workloads();

/* Draws shapes as in the workloads, and points near them: one a shape, or only one, near the first shape. */
void fill_distances(enum shape shape, bool one, Columns &points, Columns &shapes, size_t n);

struct PredicateFacts {
    const char *name, *question;
    enum shape shape_a, shape_b;
    unsigned fields_a, fields_b;
};

extern const PredicateFacts predicate_facts[predicate_count];

#endif
