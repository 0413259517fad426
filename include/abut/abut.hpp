/* SPDX-License-Identifier: MIT */
/*
 * abut for C++17: everything of the C headers with spans, owned memory, and exceptions or status.
 *
 *     #include <abut/abut.hpp>
 *     #include <cstdio>
 *     #include <vector>
 *
 *     int main()
 *     {
 *         const std::vector<float> x{1, 9}, y{0, 9}, z{1, 9}, r{2, 1};
 *         const std::vector<float> minx{-2, 2}, miny{-2, 1}, minz{-2, 2}, maxx{-1, 4}, maxy{-1, 3}, maxz{-1, 4};
 *         const abut::spheres spheres(x, y, z, r);
 *         const abut::index boxes = abut::index::of(abut::aabbs(minx, miny, minz, maxx, maxy, maxz));
 *         for (const abut_pair &pair : boxes.join(spheres))
 *             std::printf("sphere %u touches box %u\n", pair.a, pair.b);
 *     }
 *
 * It prints "sphere 0 touches box 1". The header needs the same library as the C headers, and adds nothing to it.
 *
 * Conventions
 *   Names        A function has the name of the C function that it calls, without abut_; that function's comment says
 *                what it answers. The C functions remain for whatever is wanted at a lower level: every class has get()
 *                or c(), which give what C takes.
 *   Shapes       abut::spheres and so on are views of the caller's arrays: anything with data() and size(). Columns
 *                that differ in length are ABUT_ERROR_LENGTHS in every call that gets them. Functions take abut::set,
 *                which every shape, C struct, abut::hulls and abut::index converts to, within the call.
 *   Errors       By default a status other than ABUT_OK is thrown as abut::error. With ABUT_HPP_THROWS defined as 0
 *                before the header, and with -fno-exceptions, the same functions return abut::result<T>, which holds a
 *                value or a status; the compiler warns where it is ignored. Either way the row and field of invalid
 *                items are in it. Memory of standard containers that fails is std::bad_alloc in both.
 *   engine.h     Groups, masks of hulls and penetration have functions here. The others are called as in C, with what
 *                c() and get() return: abut_test_groups, abut_join_masks, abut_join_bits, abut_join_classes,
 *                abut_test_cull_box, abut_aabbs_of_hulls, abut_corners_of_hulls, abut_self_rows,
 *                abut_self_rows_unsorted, abut_cutoff_rows, abut_cutoff_rows_unsorted, abut_any_moved.
 *   Options      abut_options, as in C: `abut_options open = {}; open.touch = ABUT_OPEN;`. They come last and default
 *                to all zeros.
 *   Callbacks    Functions that take blocks of pairs may throw: the join ends, and the exception goes on from the call.
 *                Function pointers in abut_options may not throw.
 *   Constness    Const functions may be called from several threads at once, as in C.
 */
#ifndef ABUT_ABUT_HPP
#define ABUT_ABUT_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "abut.hpp needs C++17 or later: compile with -std=c++17 (/std:c++17 for MSVC), or use the C headers"
#else
#include <abut/cpp/cast.hpp>
#include <abut/cpp/engine.hpp>
#include <abut/cpp/index.hpp>
#include <abut/cpp/predicates.hpp>
#include <abut/cpp/shapes.hpp>
#include <abut/cpp/solid.hpp>
#include <abut/cpp/world.hpp>
#endif

#endif
