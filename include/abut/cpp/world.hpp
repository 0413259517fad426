/* SPDX-License-Identifier: MIT */
/* A world that moves, for C++: it frees itself, and its changes are spans. */
#ifndef ABUT_CPP_WORLD_HPP
#define ABUT_CPP_WORLD_HPP

#include <abut/cpp/index.hpp>
#include <abut/world.h>

namespace abut
{
inline namespace ABUT_HPP_MODE
{

/* The pairs of an update. They hold until the next call that adds, moves, labels, removes or updates. */
struct world_changes {
    span<const abut_pair> began, ended, kept;
};

/* Labels of items: an empty span stands for a group of 1, a mask of all bits, and data of 0. */
struct world_labels {
    span<const std::uint32_t> groups, masks;
    span<const std::uint64_t> data;
};

class world
{
    detail::handle<abut_world, abut_world_free> object_;

    static bool fits(std::size_t labels, std::size_t items)
    {
        return labels == 0 || labels == items;
    }
    static abut_status lengths(const world_labels &labels, std::size_t n)
    {
        const bool fit = fits(labels.groups.size(), n) && fits(labels.masks.size(), n) && fits(labels.data.size(), n);
        return fit ? ABUT_OK : ABUT_ERROR_LENGTHS;
    }
    static abut_world_labels c(const world_labels &labels)
    {
        return {labels.groups.empty() ? nullptr : labels.groups.data(),
                labels.masks.empty() ? nullptr : labels.masks.data(),
                labels.data.empty() ? nullptr : labels.data.data()};
    }

  public:
    static outcome<world> make(float padding, const abut_options &options = {})
    {
        world made;
        abut_world *object = nullptr;
        const abut_status status = abut_world_new(padding, &options, &object);
        made.object_.reset(object);
        return detail::finish(status, std::move(made));
    }
    static outcome<world> restore(span<const unsigned char> saved, const abut_options &options = {})
    {
        world made;
        abut_world *object = nullptr;
        const abut_status status = abut_world_restore(saved.data(), saved.size(), &options, &object);
        made.object_.reset(object);
        return detail::finish(status, std::move(made));
    }
    abut_world *get() const
    {
        return object_.get();
    }

    /* Returns the ids of the items. */
    outcome<std::vector<std::uint32_t>> add(const set &items, const world_labels &labels = {})
    {
        failure why = {items.status(), {}};
        if (why.status == ABUT_OK)
            why.status = lengths(labels, items.size());
        std::vector<std::uint32_t> ids(why.status ? 0 : items.size());
        const abut_world_labels with = c(labels);
        if (why.status == ABUT_OK)
            why.status = abut_world_add(get(), items.c(), &with, &why.invalid, ids.data());
        return detail::finish(why, std::move(ids));
    }
    outcome<void> move(span<const std::uint32_t> ids, const set &items)
    {
        failure why = {items.status(), {}};
        if (why.status == ABUT_OK && ids.size() != items.size())
            why.status = ABUT_ERROR_LENGTHS;
        if (why.status == ABUT_OK)
            why.status = abut_world_move(get(), ids.data(), items.c(), &why.invalid);
        return detail::finish(why);
    }
    outcome<void> label(span<const std::uint32_t> ids, const world_labels &labels)
    {
        const abut_world_labels with = c(labels);
        const abut_status status = lengths(labels, ids.size());
        return detail::finish(status ? status : abut_world_label(get(), ids.data(), ids.size(), &with));
    }
    outcome<void> remove(span<const std::uint32_t> ids)
    {
        return detail::finish(abut_world_remove(get(), ids.data(), ids.size()));
    }

    /* With kept, also the pairs that touched before and still do. */
    outcome<world_changes> update(bool kept = false, const abut_options &options = {})
    {
        abut_world_changes c = {};
        const abut_status status = abut_world_update(get(), kept, &options, &c);
        world_changes changes;
        if (status == ABUT_OK)
            changes = {{c.began, c.n_began}, {c.ended, c.n_ended}, {c.kept, c.n_kept}};
        return detail::finish(status, std::move(changes));
    }

    /* The pairs of queries with the items, by their ids, sorted. */
    outcome<std::vector<abut_pair>> join(const set &queries, const abut_options &options = {})
    {
        std::vector<abut_pair> pairs;
        std::uint64_t count = 0;
        abut_status status = queries.status();
        if (status == ABUT_OK)
            status = abut_world_join(get(), queries.c(), &options, nullptr, 0, &count);
        pairs.resize(status ? 0 : count);
        if (status == ABUT_OK && count > 0)
            status = abut_world_join(get(), queries.c(), &options, pairs.data(), pairs.size(), &count);
        return detail::finish(status, std::move(pairs));
    }

    /* The ids and squared distances of the nearest items, wanted.k for each point. */
    outcome<neighbours> nearest(const points &from, const abut_neighbours &wanted, const abut_options &options = {})
    {
        neighbours found;
        abut_status status = detail::found_size(from, wanted.k);
        if (status == ABUT_OK) {
            found.indices.resize(from.size() * wanted.k);
            found.d2.resize(from.size() * wanted.k);
            status = abut_world_nearest(get(), &from.c(), &wanted, &options, found.indices.data(), found.d2.data());
        }
        return detail::finish(status, std::move(found));
    }

    std::size_t size() const
    {
        return abut_world_count(get());
    }
    bool has(std::uint32_t id) const
    {
        return abut_world_has(get(), id);
    }
    std::uint64_t data(std::uint32_t id) const
    {
        return abut_world_data(get(), id);
    }
    std::size_t pair_count() const
    {
        return abut_world_pair_count(get());
    }
    std::size_t bytes() const
    {
        return abut_world_bytes(get());
    }
    /* The items that touch this one, ascending. */
    outcome<std::vector<std::uint32_t>> touching(std::uint32_t id) const
    {
        std::vector<std::uint32_t> others;
        std::size_t count = 0;
        abut_status status = abut_world_touching(get(), id, nullptr, 0, &count);
        others.resize(status ? 0 : count);
        if (status == ABUT_OK && count > 0)
            status = abut_world_touching(get(), id, others.data(), count, &count);
        return detail::finish(status, std::move(others));
    }
    outcome<std::vector<unsigned char>> save() const
    {
        std::vector<unsigned char> saved;
        std::size_t size = 0;
        abut_status status = abut_world_save(get(), nullptr, 0, &size);
        saved.resize(status ? 0 : size);
        if (status == ABUT_OK)
            status = abut_world_save(get(), saved.data(), size, &size);
        return detail::finish(status, std::move(saved));
    }
};

} // namespace ABUT_HPP_MODE
} // namespace abut

#endif
