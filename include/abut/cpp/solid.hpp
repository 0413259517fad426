/* SPDX-License-Identifier: MIT */
/* Watertight meshes for C++: which points are inside, and signed distances. */
#ifndef ABUT_CPP_SOLID_HPP
#define ABUT_CPP_SOLID_HPP

#include <abut/cpp/predicates.hpp>
#include <abut/solid.h>

namespace abut
{
inline namespace ABUT_HPP_MODE
{

/* One element a point, as in abut_solid_found. */
struct signed_distances {
    std::vector<float> distance, d2;
    std::vector<std::uint32_t> triangles;
    columns<3> closest;
};

/* A mesh, which frees itself. */
class solid
{
    detail::handle<abut_solid, abut_solid_free> object_;

  public:
    /* Fails with ABUT_ERROR_INVALID, and the first triangle with an open edge, where the mesh is not watertight. */
    static outcome<solid> of(const triangles &surface, const abut_options &options = {})
    {
        solid made;
        abut_solid *object = nullptr;
        failure why = {surface.status(), {}};
        if (why.status == ABUT_OK)
            why.status = abut_solid_new(&surface.c(), &options, &why.invalid, &object);
        made.object_.reset(object);
        return detail::finish(why, std::move(made));
    }
    abut_solid *get() const
    {
        return object_.get();
    }
    outcome<mask> contains(const points &of, const abut_options &options = {}) const
    {
        mask inside(of.size());
        const abut_status status =
            of.status() ? of.status() : abut_solid_contains(get(), &of.c(), &options, inside.data());
        return detail::finish(status, std::move(inside));
    }
    outcome<signed_distances> distance(const points &from, const abut_options &options = {}) const
    {
        signed_distances found;
        abut_status status = from.status() ? from.status() : found.closest.allocate(from.size());
        if (status == ABUT_OK) {
            found.distance.resize(from.size());
            found.d2.resize(from.size());
            found.triangles.resize(from.size());
            float *const *at = found.closest.get();
            const abut_solid_found to = {
                found.distance.data(), found.d2.data(), found.triangles.data(), {at[0], at[1], at[2]}};
            status = abut_solid_distance(get(), &from.c(), &options, &to);
        }
        return detail::finish(status, std::move(found));
    }
};

} // namespace ABUT_HPP_MODE
} // namespace abut

#endif
