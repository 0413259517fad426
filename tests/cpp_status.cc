// SPDX-License-Identifier: MIT
// Tests abut.hpp with statuses for exceptions, in one program with files that throw.
#ifdef __cpp_exceptions
#define ABUT_HPP_THROWS 0
#endif
#include <abut/abut.hpp>

#include <cstdio>
#include <cstring>

bool status_mode_works()
{
    const float x[] = {0, 5}, zero[] = {0, 0}, r[] = {1, 1}, negative[] = {1, -1};
    const abut::spheres spheres(x, zero, zero, r);

    const abut::result<abut::mask> hits = abut::touches(spheres, spheres);
    bool works = hits && hits.status() == ABUT_OK && hits->count() == 2 && (*hits)[1];

    const abut::result<abut::mask> none = abut::touches(spheres, abut::spheres(x, zero, zero, zero), {});
    works = works && none && none->count() == 2;
    works = works && abut::cull(spheres, spheres).status() == ABUT_ERROR_PREDICATE;

    // A result of an object that frees itself is moved out of.
    abut::result<abut::index> built = abut::index::of(spheres);
    works = works && built;
    const abut::index index = *std::move(built);
    const auto pairs = index.join(spheres);
    works = works && pairs && pairs->size() == 2;

    const abut::result<abut::index> refused = abut::index::of(abut::spheres(x, zero, zero, negative));
    works = works && !refused && refused.status() == ABUT_ERROR_INVALID && refused.why().invalid.row == 1 &&
            refused.why().text() == "row 1: r is negative";
    const abut::result<void> checked = abut::check(abut::spheres(x, zero, zero, abut::span<const float>(r, 1)));
    works = works && !checked && checked.status() == ABUT_ERROR_LENGTHS;

    unsigned blocks = 0;
    works = works && index.join_blocks(spheres, [&](abut::span<const abut_pair>) { blocks++; }) && blocks == 1;
    abut::result<abut::world> world = abut::world::make(0.1f);
    works = works && world && world->add(spheres) && world->update()->began.empty();
    works = works && abut::world::restore({}).status() == ABUT_ERROR_INVALID;
    return works;
}
