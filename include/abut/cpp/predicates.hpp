/* SPDX-License-Identifier: MIT */
/* Predicates, classes and distances for C++, masks that they return, and instruction sets. */
#ifndef ABUT_CPP_PREDICATES_HPP
#define ABUT_CPP_PREDICATES_HPP

#include <abut/cpp/shapes.hpp>
#include <abut/distance.h>

namespace abut
{
inline namespace ABUT_HPP_MODE
{

/* ---- Masks ---------------------------------------------------------------------------------------- */

/* A view of size() bits. */
class bits
{
    const std::uint64_t *words_ = nullptr;
    std::size_t size_ = 0;

  public:
    bits() = default;
    bits(const std::uint64_t *words, std::size_t size) : words_(words), size_(size)
    {
    }
    std::size_t size() const
    {
        return size_;
    }
    const std::uint64_t *data() const
    {
        return words_;
    }
    bool operator[](std::size_t i) const
    {
        return words_[i / 64] >> i % 64 & 1;
    }
    std::uint64_t count() const
    {
        return abut_mask_count(words_, size_);
    }
    bool any() const
    {
        return abut_mask_any(words_, size_);
    }
    bool all() const
    {
        return abut_mask_all(words_, size_);
    }
    /* The indices of the set bits, ascending. */
    std::vector<std::uint32_t> list() const
    {
        std::vector<std::uint32_t> indices(static_cast<std::size_t>(count()));
        abut_mask_list(words_, size_, indices.data(), indices.size());
        return indices;
    }
};

/* rows() rows of size() bits each; the row of a call without rows is 0. Each row starts a new word. */
class mask
{
    std::size_t rows_ = 0, size_ = 0;
    std::vector<std::uint64_t> words_;

  public:
    mask() = default;
    explicit mask(std::size_t size, std::size_t rows = 1)
        : rows_(rows), size_(size), words_(rows * abut_mask_words(size))
    {
    }
    std::size_t rows() const
    {
        return rows_;
    }
    std::size_t size() const
    {
        return size_;
    }
    bits row(std::size_t i) const
    {
        return {words_.data() + i * abut_mask_words(size_), size_};
    }
    operator bits() const
    {
        return row(0);
    }
    bool operator[](std::size_t i) const
    {
        return row(0)[i];
    }
    /* Of all rows: unused bits are zero. */
    std::uint64_t count() const
    {
        return abut_mask_count(words_.data(), words_.size() * 64);
    }
    bool any() const
    {
        return abut_mask_any(words_.data(), words_.size() * 64);
    }
    /* Of the first row. */
    bool all() const
    {
        return row(0).all();
    }
    std::vector<std::uint32_t> list() const
    {
        return row(0).list();
    }
    std::uint64_t *data()
    {
        return words_.data();
    }
};

/* ---- Predicates ----------------------------------------------------------------------------------- */

namespace detail
{

inline abut_status first_failure(const set &a, const set &b)
{
    return a.status() != ABUT_OK ? a.status() : b.status();
}

/* How many pairs two batches make; 0 where they do not broadcast, which the call then reports. */
inline std::size_t pairs_of(std::size_t a, std::size_t b)
{
    return a == b ? a : a == 1 ? b : b == 1 ? a : 0;
}

} // namespace detail

/* Item by item, as batches broadcast: the generic call, which serves every predicate. */
inline outcome<mask> test(abut_relation relation, const set &a, const set &b, const abut_options &options = {})
{
    abut_status status = detail::first_failure(a, b);
    mask hits(status ? 0 : detail::pairs_of(a.size(), b.size()));
    if (status == ABUT_OK)
        status = abut_test(relation, a.c(), b.c(), &options, hits.data());
    return detail::finish(status, std::move(hits));
}

/* Every item of a against every item of b: row i is item i of a, or hull i where b is hulls. */
inline outcome<mask> test_all(abut_relation relation, const set &a, const set &b, const abut_options &options = {})
{
    abut_status status = detail::first_failure(a, b);
    const bool by_hulls = b.c().kind == ABUT_SET_HULLS;
    mask hits;
    if (status == ABUT_OK) {
        hits = by_hulls ? mask(a.size(), b.size()) : mask(b.size(), a.size());
        status = abut_test_all(relation, a.c(), b.c(), &options, hits.data());
    }
    return detail::finish(status, std::move(hits));
}

/* By exact arithmetic alone, for tests. */
inline outcome<mask> test_exactly(abut_relation relation, const set &a, const set &b, const abut_options &options = {})
{
    abut_status status = detail::first_failure(a, b);
    mask hits(status ? 0 : detail::pairs_of(a.size(), b.size()));
    if (status == ABUT_OK)
        status = abut_test_exactly(relation, a.c(), b.c(), &options, hits.data());
    return detail::finish(status, std::move(hits));
}

/*
 * The predicates of the matrix in abut.h, by relation: touches(spheres, boxes) is abut_spheres_touch_aabbs, and
 * touches_all the same for every item with every item. Shapes without such a predicate are ABUT_ERROR_PREDICATE.
 */
inline outcome<mask> touches(const set &a, const set &b, const abut_options &options = {})
{
    return test(ABUT_TOUCHES, a, b, options);
}
inline outcome<mask> inside(const set &a, const set &b, const abut_options &options = {})
{
    return test(ABUT_INSIDE, a, b, options);
}
inline outcome<mask> cull(const set &a, const set &b, const abut_options &options = {})
{
    return test(ABUT_CULL, a, b, options);
}
inline outcome<mask> touches_all(const set &a, const set &b, const abut_options &options = {})
{
    return test_all(ABUT_TOUCHES, a, b, options);
}
inline outcome<mask> inside_all(const set &a, const set &b, const abut_options &options = {})
{
    return test_all(ABUT_INSIDE, a, b, options);
}
inline outcome<mask> cull_all(const set &a, const set &b, const abut_options &options = {})
{
    return test_all(ABUT_CULL, a, b, options);
}

/* Tests item pairs[i].a of a with item pairs[i].b of b: one bit a pair. */
inline outcome<mask> test_pairs(abut_relation relation, const set &a, const set &b, span<const abut_pair> pairs,
                                const abut_options &options = {})
{
    abut_status status = detail::first_failure(a, b);
    mask hits(pairs.size());
    if (status == ABUT_OK)
        status = abut_test_pairs(relation, a.c(), b.c(), pairs.data(), pairs.size(), &options, hits.data());
    return detail::finish(status, std::move(hits));
}

/* One abut_class a pair. */
inline outcome<std::vector<std::uint8_t>> classify(const set &a, const set &b, const abut_options &options = {})
{
    abut_status status = detail::first_failure(a, b);
    std::vector<std::uint8_t> classes(status ? 0 : detail::pairs_of(a.size(), b.size()));
    if (status == ABUT_OK)
        status = abut_classify(a.c(), b.c(), &options, classes.data());
    return detail::finish(status, std::move(classes));
}

/* ---- Distances ------------------------------------------------------------------------------------ */

/* Squared distances, and the closest points of the shapes. */
struct distances {
    std::vector<float> d2;
    columns<3> closest;
};

/* Squared distances of points from shapes, item by item. */
inline outcome<std::vector<float>> distance(const points &from, const set &to)
{
    abut_status status = detail::first_failure(from, to);
    std::vector<float> d2(status ? 0 : detail::pairs_of(from.size(), to.size()));
    if (status == ABUT_OK)
        status = abut_distance(&from.c(), to.c(), d2.data(), nullptr);
    return detail::finish(status, std::move(d2));
}

/* The same, and the closest points. */
inline outcome<distances> closest(const points &from, const set &to)
{
    abut_status status = detail::first_failure(from, to);
    const std::size_t n = status ? 0 : detail::pairs_of(from.size(), to.size());
    distances found;
    found.d2.resize(n);
    if (status == ABUT_OK)
        status = found.closest.allocate(n);
    if (status == ABUT_OK) {
        float *const *at = found.closest.get();
        const abut_closest to_arrays = {at[0], at[1], at[2]};
        status = abut_distance(&from.c(), to.c(), found.d2.data(), &to_arrays);
    }
    return detail::finish(status, std::move(found));
}

/* ---- The library ---------------------------------------------------------------------------------- */

/* All predicates of the library. */
inline span<const abut_predicate> predicates()
{
    std::size_t count = 0;
    const abut_predicate *all = abut_predicates(&count);
    return {all, count};
}

/* The version of the library. */
inline const char *version()
{
    return abut_version();
}

/* The active instruction set. */
inline const char *isa()
{
    return abut_isa();
}

/* The instruction sets that run here, fastest first. */
inline std::vector<const char *> isas()
{
    std::vector<const char *> names;
    for (const char *const *name = abut_isas(); *name; name++)
        names.push_back(*name);
    return names;
}

inline outcome<void> use_isa(const char *name)
{
    return detail::finish(abut_use_isa(name));
}

} // namespace ABUT_HPP_MODE
} // namespace abut

#endif
