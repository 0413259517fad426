/* SPDX-License-Identifier: MIT */
/* Groups, masks of many hulls, and penetration for C++; engine.h has the rest. */
#ifndef ABUT_CPP_ENGINE_HPP
#define ABUT_CPP_ENGINE_HPP

#include <abut/cpp/index.hpp>
#include <abut/engine.h>

namespace abut
{
inline namespace ABUT_HPP_MODE
{

/* Of groups of items, group g from offsets[g] on, one more offset than groups: whether any of its items hits. */
inline outcome<mask> join_groups(const index &items, const set &queries, span<const std::uint32_t> offsets,
                                 const abut_options &options = {})
{
    abut_status status = offsets.empty() ? ABUT_ERROR_LENGTHS : queries.status();
    mask hits(status ? 0 : offsets.size() - 1);
    if (status == ABUT_OK) {
        const abut_groups groups = {offsets.size() - 1, offsets.data()};
        status = abut_join_groups(items.get(), queries.c(), &groups, &options, hits.data());
    }
    return detail::finish(status, std::move(hits));
}

/* The same for every item of a with every item of b. */
inline outcome<mask> test_all_groups(abut_relation relation, const set &a, const set &b,
                                     span<const std::uint32_t> offsets, const abut_options &options = {})
{
    abut_status status = offsets.empty() ? ABUT_ERROR_LENGTHS : detail::first_failure(a, b);
    mask hits(status ? 0 : offsets.size() - 1);
    if (status == ABUT_OK) {
        const abut_groups groups = {offsets.size() - 1, offsets.data()};
        status = abut_test_all_groups(relation, a.c(), b.c(), &groups, &options, hits.data());
    }
    return detail::finish(status, std::move(hits));
}

/* One number an item, whose bit j tells of hull j. */
inline outcome<std::vector<std::uint32_t>> test_masks(abut_relation relation, const set &items, const hulls &views,
                                                      const abut_options &options = {})
{
    std::vector<std::uint32_t> masks(items.status() ? 0 : items.size());
    const abut_hulls of = views.c();
    const abut_status status =
        items.status() ? items.status() : abut_test_masks(relation, items.c(), &of, &options, masks.data());
    return detail::finish(status, std::move(masks));
}

/* Depths, and the directions of the shortest ways out. */
struct penetrations {
    std::vector<float> depth;
    columns<3> directions;
};

inline outcome<penetrations> penetration(const spheres &of, const set &shapes)
{
    abut_status status = detail::first_failure(of, shapes);
    const std::size_t n = status ? 0 : detail::pairs_of(of.size(), shapes.size());
    penetrations found;
    found.depth.resize(n);
    if (status == ABUT_OK)
        status = found.directions.allocate(n);
    if (status == ABUT_OK) {
        float *const *at = found.directions.get();
        const abut_directions to = {at[0], at[1], at[2]};
        status = abut_penetration(&of.c(), shapes.c(), found.depth.data(), &to);
    }
    return detail::finish(status, std::move(found));
}

} // namespace ABUT_HPP_MODE
} // namespace abut

#endif
