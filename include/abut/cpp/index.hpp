/* SPDX-License-Identifier: MIT */
/* The broad phase for C++: an index that frees itself, joins as vectors or by blocks, neighbours, contacts. */
#ifndef ABUT_CPP_INDEX_HPP
#define ABUT_CPP_INDEX_HPP

#include <abut/cpp/predicates.hpp>

namespace abut
{
inline namespace ABUT_HPP_MODE
{

/* Scratch memory that is kept between calls: `options.workspace = memory.get()`. */
class workspace
{
    detail::handle<abut_workspace, abut_workspace_free> object_;

  public:
    static outcome<workspace> make(const abut_allocator *allocator = nullptr)
    {
        workspace made;
        abut_workspace *object = nullptr;
        const abut_status status = abut_workspace_new(allocator, &object);
        made.object_.reset(object);
        return detail::finish(status, std::move(made));
    }
    std::size_t bytes() const
    {
        return abut_workspace_bytes(object_.get());
    }
    abut_workspace *get() const
    {
        return object_.get();
    }
};

/* Compressed rows: query i (queries[i] if rows are unsorted) touches indices[offsets[i] .. offsets[i + 1]). */
struct rows {
    std::vector<std::uint32_t> queries;
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> indices;
};

/* Of point i: k elements from i * k on, nearest first. Only those that were asked for are filled. */
struct neighbours {
    std::vector<std::uint32_t> indices, ranks;
    std::vector<float> d2;
    columns<3> closest;
};

namespace detail
{

inline abut_status found_size(const points &from, std::size_t k)
{
    return k > 0 && from.size() > SIZE_MAX / 16 / k ? ABUT_ERROR_TOO_MANY : from.status();
}

/* Grows a vector for C code that asks once for memory. */
struct pair_vector {
    std::vector<abut_pair> pairs;
    std::exception_ptr thrown;

    static abut_pair *grow(void *self, std::size_t count)
    {
        pair_vector *to = static_cast<pair_vector *>(self);
        const auto resize = [&] {
            to->pairs.resize(count);
            return to->pairs.data();
        };
        return guarded(to->thrown, resize, static_cast<abut_pair *>(nullptr));
    }
};

/* Hands blocks of pairs to a function of the caller, which returns nothing, or false to end the join. */
template <class F> struct block_taker {
    F &take;
    std::exception_ptr thrown;

    static bool call(void *self, const abut_pair *pairs, std::size_t n)
    {
        block_taker *to = static_cast<block_taker *>(self);
        const auto hand_over = [&]() -> bool {
            if constexpr (std::is_void_v<decltype(to->take(span<const abut_pair>()))>) {
                to->take(span<const abut_pair>(pairs, n));
                return true;
            } else {
                return to->take(span<const abut_pair>(pairs, n));
            }
        };
        return guarded(to->thrown, hand_over, false);
    }
};

/* Calls search(get, context), which is one of the C functions that ask once for memory. */
template <class F> outcome<std::vector<abut_pair>> collect(abut_status status, F &&search)
{
    pair_vector to;
    if (status == ABUT_OK)
        status = search(pair_vector::grow, static_cast<void *>(&to));
    rethrow(to.thrown);
    return finish(status, std::move(to.pairs));
}

template <class Take, class F> abut_status by_blocks(abut_status status, Take &take, F &&search)
{
    block_taker<Take> to{take, nullptr};
    if (status == ABUT_OK)
        status = search(block_taker<Take>::call, static_cast<void *>(&to));
    rethrow(to.thrown);
    return status;
}

} // namespace detail

/* An index, which frees itself. Searches are const. */
class index
{
    detail::handle<abut_index, abut_index_free> object_;

    template <class F> static outcome<index> make(abut_status status, F &&build)
    {
        index made;
        abut_index *object = nullptr;
        failure why = {status, {}};
        if (status == ABUT_OK)
            why.status = build(&why.invalid, &object);
        made.object_.reset(object);
        return detail::finish(why, std::move(made));
    }

  public:
    /* ---- Building ---- */

    /* abut_index_new: the index owns a copy of the items. */
    static outcome<index> of(const set &items, const abut_options &options = {})
    {
        return make(items.status(), [&](abut_invalid *invalid, abut_index **object) {
            return abut_index_new(items.c(), &options, invalid, object);
        });
    }
    /* abut_index_view: the items stay in the caller's arrays. */
    static outcome<index> view(const set &items, float padding, const abut_options &options = {})
    {
        return make(items.status(), [&](abut_invalid *invalid, abut_index **object) {
            return abut_index_view(items.c(), padding, &options, invalid, object);
        });
    }
    /* abut_index_of_mesh: corners names three vertices a triangle. */
    static outcome<index> of_mesh(const points &vertices, span<const std::uint32_t> corners,
                                  const abut_options &options = {})
    {
        const abut_status status = corners.size() % 3 == 0 ? vertices.status() : ABUT_ERROR_LENGTHS;
        const abut_points &at = vertices.c();
        const abut_mesh mesh = {at.n, at.x, at.y, at.z, corners.size() / 3, corners.data()};
        return make(status, [&](abut_invalid *invalid, abut_index **object) {
            return abut_index_of_mesh(&mesh, &options, invalid, object);
        });
    }
    /* Returns how much the leaves have grown: from 1.5 on build anew. */
    outcome<double> refit(const set &items, const abut_options &options = {})
    {
        double growth = 0;
        failure why = {items.status(), {}};
        if (why.status == ABUT_OK)
            why.status = abut_index_refit(get(), items.c(), &options, &growth, &why.invalid);
        return detail::finish(why, std::move(growth));
    }
    /* Takes the items whose numbers are listed from the whole set; the others are where they were. */
    outcome<void> refit_some(const set &items, span<const std::uint32_t> moved, const abut_options &options = {})
    {
        failure why = {items.status(), {}};
        if (why.status == ABUT_OK)
            why.status =
                abut_index_refit_some(get(), items.c(), moved.data(), moved.size(), &options, nullptr, &why.invalid);
        return detail::finish(why);
    }
    std::size_t size() const
    {
        return abut_index_count(get());
    }
    std::size_t bytes() const
    {
        return abut_index_bytes(get());
    }
    outcome<box> bounds() const
    {
        box around;
        const abut_status status = abut_index_bounds(get(), around.min.data(), around.max.data());
        return detail::finish(status, std::move(around));
    }
    abut_index *get() const
    {
        return object_.get();
    }
    /* The items as queries. */
    operator set() const
    {
        return abut_of_index(get());
    }

    /* ---- Searches ---- */

    /* abut_join_to: all pairs, unsorted. */
    outcome<std::vector<abut_pair>> join(const set &queries, const abut_options &options = {}) const
    {
        return detail::collect(queries.status(), [&](abut_pairs_function *grow, void *context) {
            return abut_join_to(get(), queries.c(), &options, grow, context);
        });
    }
    outcome<std::vector<abut_pair>> self_join(const abut_options &options = {}) const
    {
        return detail::collect(ABUT_OK, [&](abut_pairs_function *grow, void *context) {
            return abut_self_join_to(get(), &options, grow, context);
        });
    }
    outcome<std::vector<abut_pair>> join_some(span<const std::uint32_t> items, const abut_options &options = {}) const
    {
        return detail::collect(ABUT_OK, [&](abut_pairs_function *grow, void *context) {
            return abut_join_some_to(get(), items.data(), items.size(), &options, grow, context);
        });
    }

    /* abut_join and so on: fills a buffer of the caller, and returns how many pairs there are. */
    outcome<std::uint64_t> join_into(span<abut_pair> to, const set &queries, const abut_options &options = {}) const
    {
        std::uint64_t count = 0;
        const abut_status status =
            queries.status() ? queries.status() : abut_join(get(), queries.c(), &options, to.data(), to.size(), &count);
        return detail::finish(status, std::move(count));
    }
    outcome<std::uint64_t> self_join_into(span<abut_pair> to, const abut_options &options = {}) const
    {
        std::uint64_t count = 0;
        const abut_status status = abut_self_join(get(), &options, to.data(), to.size(), &count);
        return detail::finish(status, std::move(count));
    }
    outcome<std::uint64_t> join_some_into(span<abut_pair> to, span<const std::uint32_t> items,
                                          const abut_options &options = {}) const
    {
        std::uint64_t count = 0;
        const abut_status status =
            abut_join_some(get(), items.data(), items.size(), &options, to.data(), to.size(), &count);
        return detail::finish(status, std::move(count));
    }

    /* take(span<const abut_pair>) gets the pairs in blocks; it returns nothing, or false to end the join. */
    template <class F> outcome<void> join_blocks(const set &queries, F &&take, const abut_options &options = {}) const
    {
        return detail::finish(detail::by_blocks(queries.status(), take, [&](abut_block_function *call, void *context) {
            return abut_join_blocks(get(), queries.c(), &options, call, context);
        }));
    }
    template <class F> outcome<void> self_join_blocks(F &&take, const abut_options &options = {}) const
    {
        return detail::finish(detail::by_blocks(ABUT_OK, take, [&](abut_block_function *call, void *context) {
            return abut_self_join_blocks(get(), &options, call, context);
        }));
    }

    outcome<std::vector<std::uint32_t>> join_counts(const set &queries, const abut_options &options = {}) const
    {
        std::vector<std::uint32_t> counts(queries.status() ? 0 : queries.size());
        const abut_status status =
            queries.status() ? queries.status() : abut_join_counts(get(), queries.c(), &options, counts.data());
        return detail::finish(status, std::move(counts));
    }
    outcome<mask> join_any(const set &queries, const abut_options &options = {}) const
    {
        mask any(queries.status() ? 0 : queries.size());
        const abut_status status =
            queries.status() ? queries.status() : abut_join_any(get(), queries.c(), &options, any.data());
        return detail::finish(status, std::move(any));
    }
    outcome<rows> join_rows(const set &queries, const abut_options &options = {}) const
    {
        return some_rows(queries, [&](rows &found) {
            return abut_join_rows(get(), queries.c(), &options, found.offsets.data(), found.indices.data(),
                                  found.indices.size());
        });
    }
    outcome<rows> join_rows_unsorted(const set &queries, const abut_options &options = {}) const
    {
        return some_rows(queries, [&](rows &found) {
            found.queries.resize(queries.size());
            return abut_join_rows_unsorted(get(), queries.c(), &options, found.queries.data(), found.offsets.data(),
                                           found.indices.data(), found.indices.size());
        });
    }

    /* ---- Pairs within a distance ---- */

    /* abut_join_within_blocks, gathered. */
    outcome<std::vector<abut_pair>> join_within(const set &queries, const abut_reach &reach,
                                                const abut_options &options = {}) const
    {
        std::vector<abut_pair> pairs;
        const auto take = [&](span<const abut_pair> block) { pairs.insert(pairs.end(), block.begin(), block.end()); };
        const abut_status status = within(queries, reach, take, options);
        return detail::finish(status, std::move(pairs));
    }
    /* abut_join_within: fills a buffer of the caller, and returns how many pairs there are. */
    outcome<std::uint64_t> join_within_into(span<abut_pair> to, const set &queries, const abut_reach &reach,
                                            const abut_options &options = {}) const
    {
        std::uint64_t count = 0;
        const abut_status status =
            queries.status() ? queries.status()
                             : abut_join_within(get(), queries.c(), &reach, &options, to.data(), to.size(), &count);
        return detail::finish(status, std::move(count));
    }
    template <class F>
    outcome<void> join_within_blocks(const set &queries, const abut_reach &reach, F &&take,
                                     const abut_options &options = {}) const
    {
        return detail::finish(within(queries, reach, take, options));
    }

    /* ---- Neighbours ---- */

    outcome<neighbours> nearest(const points &from, std::size_t k, const abut_options &options = {}) const
    {
        neighbours found;
        abut_status status = detail::found_size(from, k);
        if (status == ABUT_OK) {
            found.indices.resize(from.size() * k);
            found.d2.resize(from.size() * k);
            status = abut_nearest(get(), &from.c(), k, &options, found.indices.data(), found.d2.data());
        }
        return detail::finish(status, std::move(found));
    }
    outcome<neighbours> find_neighbours(const points &from, const abut_neighbours &question,
                                        const abut_options &options = {}) const
    {
        neighbours found;
        abut_status status = detail::found_size(from, question.k);
        const std::size_t n = status ? 0 : from.size() * question.k;
        if (status == ABUT_OK)
            status = found.closest.allocate(n);
        if (status == ABUT_OK) {
            found.indices.resize(n);
            found.ranks.resize(n);
            found.d2.resize(n);
            float *const *at = found.closest.get();
            const abut_neighbours_found to = {
                found.indices.data(), found.d2.data(), found.ranks.data(), {at[0], at[1], at[2]}};
            status = abut_find_neighbours(get(), &from.c(), &question, &options, &to);
        }
        return detail::finish(status, std::move(found));
    }

  private:
    template <class F>
    abut_status within(const set &queries, const abut_reach &reach, F &&take, const abut_options &options) const
    {
        return detail::by_blocks(queries.status(), take, [&](abut_block_function *call, void *context) {
            return abut_join_within_blocks(get(), queries.c(), &reach, &options, call, context);
        });
    }
    /* Searches once more if the first guess of the number of pairs was too small. */
    template <class F> static outcome<rows> some_rows(const set &queries, F &&search)
    {
        rows found;
        abut_status status = queries.status();
        if (status == ABUT_OK) {
            found.offsets.resize(queries.size() + 1);
            found.indices.resize(4 * queries.size());
            status = search(found);
        }
        if (status == ABUT_OK && found.offsets.back() > found.indices.size()) {
            found.indices.resize(static_cast<std::size_t>(found.offsets.back()));
            status = search(found);
        }
        if (status == ABUT_OK)
            found.indices.resize(static_cast<std::size_t>(found.offsets.back()));
        return detail::finish(status, std::move(found));
    }
};

/* Sorts pairs by a, then b. */
inline outcome<void> sort_pairs(span<abut_pair> pairs, const abut_options &options = {})
{
    return detail::finish(abut_sort_pairs(pairs.data(), pairs.size(), &options));
}

/* Which pairs began, were kept and ended. */
struct contacts {
    std::vector<abut_pair> began, kept, ended;
};

/* Both lists are sorted by a, then b. */
inline outcome<contacts> find_contacts(span<const abut_pair> before, span<const abut_pair> now)
{
    contacts found;
    const std::size_t capacity = before.size() > now.size() ? before.size() : now.size();
    found.began.resize(capacity);
    found.kept.resize(capacity);
    found.ended.resize(capacity);
    abut_contacts to = {found.began.data(), found.kept.data(), found.ended.data(), capacity, 0, 0, 0};
    const abut_status status = abut_find_contacts(before.data(), before.size(), now.data(), now.size(), &to);
    found.began.resize(to.n_began);
    found.kept.resize(to.n_kept);
    found.ended.resize(to.n_ended);
    return detail::finish(status, std::move(found));
}

} // namespace ABUT_HPP_MODE
} // namespace abut

#endif
