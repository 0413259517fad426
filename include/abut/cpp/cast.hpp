/* SPDX-License-Identifier: MIT */
/* Rays and moving spheres for C++: the first item of an index that each hits, any, or all in order. */
#ifndef ABUT_CPP_CAST_HPP
#define ABUT_CPP_CAST_HPP

#include <abut/cast.h>
#include <abut/cpp/index.hpp>

namespace abut
{
inline namespace ABUT_HPP_MODE
{

/* Of ray i: the item and the time of its first hit; UINT32_MAX and +inf where there is none. */
struct first_hits {
    std::vector<std::uint32_t> items;
    std::vector<float> t;
};

/* Of ray i: the elements from offsets[i] to offsets[i + 1] - 1, in the order of their times. */
struct rows_of_hits {
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> items;
    std::vector<float> t;
};

namespace detail
{

/* How many results to expect; 0 where there are too many rays, which the call then reports. */
inline std::size_t rays_of(const abut_rays &rays)
{
    return rays.n > ABUT_MAX_ITEMS ? 0 : rays.n;
}

template <class F> outcome<rows_of_hits> cast_twice(const abut_rays &rays, F &&cast)
{
    rows_of_hits found;
    found.offsets.resize(rays_of(rays) + 1);
    abut_status status = cast(found, 0);
    const std::size_t n = static_cast<std::size_t>(found.offsets.back());
    if (status == ABUT_OK && n > 0) {
        found.items.resize(n);
        found.t.resize(n);
        status = cast(found, n);
    }
    return finish(status, std::move(found));
}

} // namespace detail

/* Rays are those of the C header: pointers, which may be NULL for radii and ends. */
inline outcome<first_hits> cast_first(const index &items, const abut_rays &rays, const abut_options &options = {})
{
    first_hits found;
    found.items.resize(detail::rays_of(rays));
    found.t.resize(detail::rays_of(rays));
    const abut_status status = abut_cast_first(items.get(), &rays, &options, found.items.data(), found.t.data());
    return detail::finish(status, std::move(found));
}

inline outcome<mask> cast_any(const index &items, const abut_rays &rays, const abut_options &options = {})
{
    mask hits(detail::rays_of(rays));
    const abut_status status = abut_cast_any(items.get(), &rays, &options, hits.data());
    return detail::finish(status, std::move(hits));
}

/* It searches once more where there are hits: their number is not known before. */
inline outcome<rows_of_hits> cast_all(const index &items, const abut_rays &rays, const abut_options &options = {})
{
    return detail::cast_twice(rays, [&](rows_of_hits &found, std::size_t n) {
        return abut_cast_all(items.get(), &rays, &options, found.offsets.data(), found.items.data(), found.t.data(), n);
    });
}

/* The same among hulls, by an index of their AABBs. */
inline outcome<first_hits> cast_first(const index &boxes, const hulls &among, const abut_rays &rays,
                                      const abut_options &options = {})
{
    first_hits found;
    const abut_hulls view = among.c();
    found.items.resize(detail::rays_of(rays));
    found.t.resize(detail::rays_of(rays));
    const abut_status status =
        abut_cast_hulls_first(boxes.get(), &view, &rays, &options, found.items.data(), found.t.data());
    return detail::finish(status, std::move(found));
}

inline outcome<mask> cast_any(const index &boxes, const hulls &among, const abut_rays &rays,
                              const abut_options &options = {})
{
    mask hits(detail::rays_of(rays));
    const abut_hulls view = among.c();
    const abut_status status = abut_cast_hulls_any(boxes.get(), &view, &rays, &options, hits.data());
    return detail::finish(status, std::move(hits));
}

inline outcome<rows_of_hits> cast_all(const index &boxes, const hulls &among, const abut_rays &rays,
                                      const abut_options &options = {})
{
    const abut_hulls view = among.c();
    return detail::cast_twice(rays, [&](rows_of_hits &found, std::size_t n) {
        return abut_cast_hulls_all(boxes.get(), &view, &rays, &options, found.offsets.data(), found.items.data(),
                                   found.t.data(), n);
    });
}

} // namespace ABUT_HPP_MODE
} // namespace abut

#endif
