/* SPDX-License-Identifier: MIT */
/* Shapes for C++: views of arrays, columns that are owned, sets of any shape, hulls, checks, and making shapes. */
#ifndef ABUT_CPP_SHAPES_HPP
#define ABUT_CPP_SHAPES_HPP

#include <abut/cpp/base.hpp>
#include <abut/index.h>

#include <array>
#include <initializer_list>
#include <vector>

namespace abut
{
inline namespace ABUT_HPP_MODE
{

/* ---- Columns -------------------------------------------------------------------------------------- */

/*
 * N arrays of size() floats in one block, as abut_columns_new makes them, which abut_columns_free frees. A shape can be
 * made of them: `columns<4> c = *...; spheres(c)`. The floats are uninitialised.
 */
template <std::size_t N> class columns
{
    std::array<float *, N> at_{};
    std::size_t size_ = 0;

  public:
    columns() = default;
    columns(columns &&other) noexcept : at_(std::exchange(other.at_, {})), size_(std::exchange(other.size_, 0))
    {
    }
    columns &operator=(columns &&other) noexcept
    {
        std::swap(at_, other.at_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~columns()
    {
        abut_columns_free(at_.data(), nullptr);
    }
    /* Errors: ABUT_ERROR_TOO_MANY, ABUT_ERROR_MEMORY. */
    static outcome<columns> make(std::size_t n)
    {
        columns made;
        const abut_status status = made.allocate(n);
        return detail::finish(status, std::move(made));
    }
    /* Exchanges what there is for new arrays of n floats; on an error there are none. */
    abut_status allocate(std::size_t n)
    {
        abut_columns_free(at_.data(), nullptr);
        at_ = {};
        const abut_status status = abut_columns_new(n, N, at_.data(), nullptr);
        size_ = status == ABUT_OK ? n : 0;
        return status;
    }
    std::size_t size() const
    {
        return size_;
    }
    /* Array k. */
    span<float> operator[](std::size_t k)
    {
        return {at_[k], size_};
    }
    span<const float> operator[](std::size_t k) const
    {
        return {at_[k], size_};
    }
    /* As C functions take them. */
    float *const *get()
    {
        return at_.data();
    }
};

/* ---- Shapes --------------------------------------------------------------------------------------- */

/* A view of a batch: one array a member, in the order of the C struct Items. */
template <class Items, abut_set_kind Kind, std::size_t N> class batch
{
    Items items_ = {};
    bool unequal_ = false;

    template <std::size_t... K> void assign(const std::array<span<const float>, N> &from, std::index_sequence<K...>)
    {
        items_ = Items{from[0].size(), from[K].data()...};
        unequal_ = ((from[K].size() != from[0].size()) || ...);
    }

  public:
    batch() = default;
    batch(const Items &items) : items_(items)
    {
    }
    template <class... Column,
              class = std::enable_if_t<sizeof...(Column) == N &&
                                       (std::is_convertible_v<const Column &, span<const float>> && ...)>>
    explicit batch(const Column &...column)
    {
        assign({span<const float>(column)...}, std::make_index_sequence<N>());
    }
    explicit batch(const columns<N> &owned)
    {
        std::array<span<const float>, N> from;
        for (std::size_t k = 0; k < N; k++)
            from[k] = owned[k];
        assign(from, std::make_index_sequence<N>());
    }
    std::size_t size() const
    {
        return items_.n;
    }
    const Items &c() const
    {
        return items_;
    }
    /* ABUT_OK, or ABUT_ERROR_LENGTHS if the arrays differ in length. */
    abut_status status() const
    {
        return unequal_ ? ABUT_ERROR_LENGTHS : ABUT_OK;
    }
};

using points = batch<abut_points, ABUT_SET_POINTS, 3>;          /* x y z */
using spheres = batch<abut_spheres, ABUT_SET_SPHERES, 4>;       /* x y z r */
using aabbs = batch<abut_aabbs, ABUT_SET_AABBS, 6>;             /* minx miny minz maxx maxy maxz */
using planes = batch<abut_planes, ABUT_SET_PLANES, 4>;          /* nx ny nz d */
using obbs = batch<abut_obbs, ABUT_SET_OBBS, 15>;               /* cx cy cz hx hy hz ux uy uz vx vy vz wx wy wz */
using segments = batch<abut_segments, ABUT_SET_SEGMENTS, 6>;    /* ax ay az bx by bz */
using capsules = batch<abut_capsules, ABUT_SET_CAPSULES, 7>;    /* ax ay az bx by bz r */
using triangles = batch<abut_triangles, ABUT_SET_TRIANGLES, 9>; /* ax ay az bx by bz cx cy cz */

/* nx ny nz d, with an outward normal. */
using plane = std::array<float, 4>;

/* The planes that a function made: none if the input makes no volume. */
struct hull_planes {
    std::array<plane, 6> planes = {};
    unsigned count = 0;

    const plane *data() const
    {
        return planes.data();
    }
    std::size_t size() const
    {
        return count;
    }
};

/* Hulls that own their planes. */
class hulls
{
    std::vector<std::uint32_t> offsets_{0};
    std::array<std::vector<float>, 4> columns_;

  public:
    /* Adds a hull of 1 to 32 planes: other numbers are ABUT_ERROR_ARGUMENT in calls that get the hulls. */
    void add(span<const plane> of)
    {
        for (const plane &one : of)
            for (std::size_t k = 0; k < 4; k++)
                columns_[k].push_back(one[k]);
        offsets_.push_back(static_cast<std::uint32_t>(columns_[0].size()));
    }
    void add(std::initializer_list<plane> of)
    {
        add(span<const plane>(of.begin(), of.size()));
    }
    void clear()
    {
        *this = hulls();
    }
    std::size_t size() const
    {
        return offsets_.size() - 1;
    }
    /* A view, until hulls are added. */
    abut_hulls c() const
    {
        return {
            size(), offsets_.data(), columns_[0].data(), columns_[1].data(), columns_[2].data(), columns_[3].data()};
    }
};

/* A view of a batch of any shape, or of the items of an index, for the length of a call. */
class set
{
    abut_set items_;
    abut_hulls hulls_ = {};
    abut_status status_ = ABUT_OK;

    set(abut_set_kind kind, const void *items) : items_{kind, items}
    {
    }

  public:
    template <class Items, abut_set_kind Kind, std::size_t N>
    set(const batch<Items, Kind, N> &items) : items_{Kind, &items.c()}, status_(items.status())
    {
    }
    set(const hulls &items) : items_{ABUT_SET_HULLS, nullptr}, hulls_(items.c())
    {
    }
    set(const abut_set &items) : items_(items)
    {
    }
    set(const abut_points &items) : set(ABUT_SET_POINTS, &items)
    {
    }
    set(const abut_spheres &items) : set(ABUT_SET_SPHERES, &items)
    {
    }
    set(const abut_aabbs &items) : set(ABUT_SET_AABBS, &items)
    {
    }
    set(const abut_planes &items) : set(ABUT_SET_PLANES, &items)
    {
    }
    set(const abut_obbs &items) : set(ABUT_SET_OBBS, &items)
    {
    }
    set(const abut_segments &items) : set(ABUT_SET_SEGMENTS, &items)
    {
    }
    set(const abut_capsules &items) : set(ABUT_SET_CAPSULES, &items)
    {
    }
    set(const abut_triangles &items) : set(ABUT_SET_TRIANGLES, &items)
    {
    }
    set(const abut_hulls &items) : set(ABUT_SET_HULLS, &items)
    {
    }
    abut_set c() const
    {
        return hulls_.offsets ? abut_set{ABUT_SET_HULLS, &hulls_} : items_;
    }
    abut_status status() const
    {
        return status_;
    }
    /* How many items there are: every batch begins with its count. */
    std::size_t size() const
    {
        const abut_set of = c();
        if (of.kind == ABUT_SET_INDEX)
            return abut_index_count(static_cast<const abut_index *>(of.items));
        return of.items ? *static_cast<const std::size_t *>(of.items) : 0;
    }
};

/* ---- Checks --------------------------------------------------------------------------------------- */

/* Fails, with the first invalid row, where abut_check finds one. */
inline outcome<void> check(const set &items)
{
    failure why = {items.status(), {}};
    if (why.status == ABUT_OK)
        why.status = abut_check(items.c(), &why.invalid);
    return detail::finish(why);
}

/* ---- Making shapes -------------------------------------------------------------------------------- */

using vec3 = std::array<float, 3>;

struct box {
    vec3 min = {}, max = {};
};

/* abut_gather_floats and abut_gather_doubles: returns the greatest change. origin has as many numbers, or is null. */
inline outcome<double> gather(std::size_t n, const float *first, std::size_t stride, span<float *const> to,
                              const double *origin = nullptr, abut_round round = ABUT_ROUND_NEAREST)
{
    double greatest = 0;
    const abut_status status =
        abut_gather_floats(n, first, stride, static_cast<unsigned>(to.size()), origin, round, to.data(), &greatest);
    return detail::finish(status, std::move(greatest));
}
inline outcome<double> gather(std::size_t n, const double *first, std::size_t stride, span<float *const> to,
                              const double *origin = nullptr, abut_round round = ABUT_ROUND_NEAREST)
{
    double greatest = 0;
    const abut_status status =
        abut_gather_doubles(n, first, stride, static_cast<unsigned>(to.size()), origin, round, to.data(), &greatest);
    return detail::finish(status, std::move(greatest));
}

inline outcome<void> aabbs_sort_corners(columns<6> &boxes)
{
    return detail::finish(abut_aabbs_sort_corners(boxes.size(), boxes.get()));
}

/* Axes of quaternions x y z w. */
inline outcome<columns<9>> obbs_axes_from_quaternions(columns<4> &quaternions)
{
    columns<9> axes;
    abut_status status = axes.allocate(quaternions.size());
    if (status == ABUT_OK)
        status = abut_obbs_axes_from_quaternions(quaternions.size(), quaternions.get(), axes.get());
    return detail::finish(status, std::move(axes));
}

/* Also stands for abut_aabbs_of_spheres, abut_aabbs_of_obbs, abut_aabbs_of_capsules and abut_aabbs_of_triangles. */
inline outcome<columns<6>> aabbs_of(const set &shapes)
{
    columns<6> boxes;
    abut_status status = shapes.status();
    if (status == ABUT_OK)
        status = boxes.allocate(shapes.size());
    if (status == ABUT_OK)
        status = abut_aabbs_of(shapes.c(), boxes.get());
    return detail::finish(status, std::move(boxes));
}

inline outcome<box> aabb_of_points(const points &of)
{
    box made;
    const abut_status status =
        of.status() ? of.status() : abut_aabb_of_points(&of.c(), made.min.data(), made.max.data());
    return detail::finish(status, std::move(made));
}

/* The fifteen members of abut_obbs, or nothing. The matrix has 16 floats. */
inline std::optional<std::array<float, 15>> obb_from_affine(const std::array<float, 16> &matrix, abut_vectors vectors,
                                                            const box &of)
{
    std::array<float, 15> made;
    if (!abut_obb_from_affine(matrix.data(), vectors, of.min.data(), of.max.data(), made.data()))
        return std::nullopt;
    return made;
}

inline std::optional<plane> plane_normal(const vec3 &point, const vec3 &normal)
{
    plane made;
    if (!abut_plane_normal(point.data(), normal.data(), made.data()))
        return std::nullopt;
    return made;
}

inline std::optional<plane> plane_points(const vec3 &a, const vec3 &b, const vec3 &c)
{
    plane made;
    if (!abut_plane_points(a.data(), b.data(), c.data(), made.data()))
        return std::nullopt;
    return made;
}

inline outcome<void> planes_flip(columns<4> &of)
{
    return detail::finish(abut_planes_flip(of.size(), of.get()));
}

namespace detail
{
/* C functions take float[6][4]. */
template <class F> hull_planes make_planes(F &&make)
{
    float rows[6][4] = {};
    hull_planes made;
    made.count = make(rows);
    for (unsigned i = 0; i < made.count; i++)
        for (unsigned k = 0; k < 4; k++)
            made.planes[i][k] = rows[i][k];
    return made;
}
} // namespace detail

inline hull_planes hull_aabb(const box &of)
{
    return detail::make_planes([&](float(*rows)[4]) { return abut_hull_aabb(of.min.data(), of.max.data(), rows); });
}

inline hull_planes hull_box(const vec3 &centre, const float edges[3][3])
{
    return detail::make_planes([&](float(*rows)[4]) { return abut_hull_box(centre.data(), edges, rows); });
}

/* No planes for points that make no hull, and where their columns differ in length. */
inline std::vector<plane> hull_of_points(const points &of)
{
    float rows[ABUT_MAX_PLANES][4] = {};
    const unsigned count = of.status() ? 0 : abut_hull_of_points(&of.c(), rows);
    std::vector<plane> made(count);
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            made[i][k] = rows[i][k];
    return made;
}

inline hull_planes frustum_from_matrix(const std::array<float, 16> &matrix, abut_vectors vectors, abut_depth depth)
{
    return detail::make_planes(
        [&](float(*rows)[4]) { return abut_frustum_from_matrix(matrix.data(), vectors, depth, rows); });
}

inline hull_planes frustum_from_camera(const abut_camera &camera)
{
    return detail::make_planes([&](float(*rows)[4]) { return abut_frustum_from_camera(&camera, rows); });
}

} // namespace ABUT_HPP_MODE
} // namespace abut

#endif
