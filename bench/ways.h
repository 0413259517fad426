/* SPDX-License-Identifier: MIT */
/*
 * Ways to find the pairs of a world that moves, frame by frame: a world of abut, an index that is refit and joined with
 * itself, and Bullet's broad phases where Bullet is found. Each takes the CPU time of a frame.
 */
#ifndef ABUT_BENCH_WAYS_H
#define ABUT_BENCH_WAYS_H

#include <abut/world.h>

#include "generator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <set>
#include <vector>

#ifdef ABUT_BENCH_BULLET
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#endif

inline double cpu_time()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

inline void need(bool ok, const char *what)
{
    if (!ok) {
        std::fprintf(stderr, "bench: %s\n", what);
        std::exit(1);
    }
}

using Key = uint64_t;

inline Key key_of(uint32_t a, uint32_t b)
{
    return a < b ? Key(a) << 32 | b : Key(b) << 32 | a;
}

/* Boxes, and those that moved in this frame. */
struct Frame {
    size_t n;
    std::vector<float> bounds[6], moved_bounds[6];
    std::vector<uint32_t> moved;
    Random random{1};

    explicit Frame(size_t count) : n(count)
    {
    }
    /* Of edges from 1 to 1.7, which fill a tenth of a cube. */
    void scatter()
    {
        const float side = std::cbrt(float(n) / 0.1f);
        for (size_t i = 0; i < n; i++)
            for (int k = 0; k < 3; k++) {
                const float at = random.uniform(0, side), half = random.uniform(0.5f, 0.85f);
                bounds[k].push_back(at - half);
                bounds[k + 3].push_back(at + half);
            }
    }
    /* Moves so many boxes by up to step along each axis. given: how many the caller hands over. */
    void next(size_t moving, float step, size_t given)
    {
        moved.clear();
        for (size_t j = 0; j < given; j++)
            moved.push_back(uint32_t(given == n ? j : random.whole(0, int(n) - 1)));
        for (size_t j = 0; j < moving; j++)
            for (int k = 0; k < 3; k++) {
                const float by = random.uniform(-step, step);
                bounds[k][moved[j]] += by;
                bounds[k + 3][moved[j]] += by;
            }
        for (int k = 0; k < 6; k++) {
            moved_bounds[k].clear();
            for (const uint32_t i : moved)
                moved_bounds[k].push_back(bounds[k][i]);
        }
    }
    static abut_aabbs view(const std::vector<float> *at)
    {
        return {at[0].size(), at[0].data(), at[1].data(), at[2].data(), at[3].data(), at[4].data(), at[5].data()};
    }
    bool touch(uint32_t a, uint32_t b) const
    {
        for (int k = 0; k < 3; k++)
            if (bounds[k][a] > bounds[k + 3][b] || bounds[k][b] > bounds[k + 3][a])
                return false;
        return true;
    }
};

/* One way to find the pairs. */
struct Way {
    const char *name;
    std::vector<double> took;

    explicit Way(const char *as) : name(as)
    {
    }
    virtual ~Way() = default;
    virtual void frame(const Frame &frame) = 0;
    virtual std::vector<Key> pairs(const Frame &frame) const = 0; /* that touch now, sorted */
};

struct World : Way {
    abut_world *world = nullptr;
    std::vector<uint32_t> ids;
    std::set<Key> now;

    explicit World(const Frame &frame) : Way("abut_world")
    {
        abut_world_changes changes;
        const abut_aabbs boxes = Frame::view(frame.bounds);
        ids.resize(frame.n);
        need(abut_world_new(0.1f, nullptr, &world) == ABUT_OK, "world");
        need(abut_world_add(world, abut_of_aabbs(&boxes), nullptr, nullptr, ids.data()) == ABUT_OK, "add");
        need(abut_world_update(world, false, nullptr, &changes) == ABUT_OK, "update");
        keep(changes);
    }
    ~World() override
    {
        abut_world_free(world);
    }
    /* The ids are 0, 1, 2 ... */
    void frame(const Frame &frame) override
    {
        abut_world_changes changes;
        const abut_aabbs boxes = Frame::view(frame.moved_bounds);
        const double start = cpu_time();
        need(abut_world_move(world, frame.moved.data(), abut_of_aabbs(&boxes), nullptr) == ABUT_OK, "move");
        need(abut_world_update(world, false, nullptr, &changes) == ABUT_OK, "update");
        took.push_back(cpu_time() - start);
        keep(changes);
    }
    void keep(const abut_world_changes &changes)
    {
        for (size_t i = 0; i < changes.n_ended; i++)
            need(now.erase(key_of(changes.ended[i].a, changes.ended[i].b)) == 1, "a pair ended that was not there");
        for (size_t i = 0; i < changes.n_began; i++)
            need(now.insert(key_of(changes.began[i].a, changes.began[i].b)).second, "a pair began twice");
    }
    std::vector<Key> pairs(const Frame &) const override
    {
        return {now.begin(), now.end()};
    }
};

/* As the manual of index.h has it. */
struct Refit : Way {
    abut_index *index = nullptr;
    abut_options options = {};
    std::vector<abut_pair> before, after, began, ended;

    explicit Refit(const Frame &frame) : Way("refit and join")
    {
        const abut_aabbs boxes = Frame::view(frame.bounds);
        need(abut_workspace_new(nullptr, &options.workspace) == ABUT_OK, "workspace");
        need(abut_index_new(abut_of_aabbs(&boxes), &options, nullptr, &index) == ABUT_OK, "index");
        after.resize(4 * frame.n);
        began.resize(4 * frame.n);
        ended.resize(4 * frame.n);
        join();
    }
    ~Refit() override
    {
        abut_index_free(index);
        abut_workspace_free(options.workspace);
    }
    void join()
    {
        uint64_t count = 0;
        after.resize(began.size());
        need(abut_self_join(index, &options, after.data(), after.size(), &count) == ABUT_OK, "join");
        if (count > after.size()) {
            after.resize(size_t(count));
            need(abut_self_join(index, &options, after.data(), after.size(), &count) == ABUT_OK, "join");
        }
        after.resize(size_t(count));
        began.resize(std::max(began.size(), after.size()));
        ended.resize(began.size());
        need(abut_sort_pairs(after.data(), after.size(), &options) == ABUT_OK, "sort");
    }
    void frame(const Frame &frame) override
    {
        const abut_aabbs boxes = Frame::view(frame.bounds);
        const double start = cpu_time();
        double growth;
        before.swap(after);
        need(abut_index_refit(index, abut_of_aabbs(&boxes), &options, &growth, nullptr) == ABUT_OK, "refit");
        if (growth > 1.5) {
            abut_index_free(index);
            need(abut_index_new(abut_of_aabbs(&boxes), &options, nullptr, &index) == ABUT_OK, "index");
        }
        join();
        abut_contacts contacts = {began.data(), nullptr, ended.data(), began.size(), 0, 0, 0};
        need(abut_find_contacts(before.data(), before.size(), after.data(), after.size(), &contacts) == ABUT_OK,
             "contacts");
        took.push_back(cpu_time() - start);
    }
    std::vector<Key> pairs(const Frame &) const override
    {
        std::vector<Key> keys;
        for (const abut_pair &pair : after)
            keys.push_back(key_of(pair.a, pair.b));
        return keys;
    }
};

#ifdef ABUT_BENCH_BULLET
/* Bullet's pairs are those of boxes that it pads or rounds itself; only those that touch are compared. */
struct Bullet : Way {
    std::unique_ptr<btBroadphaseInterface> broadphase;
    std::vector<btBroadphaseProxy *> proxies;

    Bullet(const char *as, const Frame &frame, std::unique_ptr<btBroadphaseInterface> by)
        : Way(as), broadphase(std::move(by))
    {
        for (uint32_t i = 0; i < frame.n; i++)
            proxies.push_back(broadphase->createProxy(low(frame, i), high(frame, i), 0,
                                                      reinterpret_cast<void *>(size_t(i)), 1, -1, nullptr));
        broadphase->calculateOverlappingPairs(nullptr);
    }
    ~Bullet() override
    {
        for (btBroadphaseProxy *proxy : proxies)
            broadphase->destroyProxy(proxy, nullptr);
    }
    static std::unique_ptr<Bullet> tree(const Frame &frame)
    {
        auto by = std::make_unique<btDbvtBroadphase>();
        btDbvtBroadphase *const trees = by.get();
        auto made = std::make_unique<Bullet>("Bullet's btDbvt", frame, std::move(by));
        trees->optimize();
        return made;
    }
    /* All boxes must stay in the world. */
    static std::unique_ptr<Bullet> axis_sweep(const Frame &frame, const btVector3 &from, const btVector3 &to)
    {
        return std::make_unique<Bullet>("Bullet's axis sweep", frame,
                                        std::make_unique<bt32BitAxisSweep3>(from, to, unsigned(frame.n + 1)));
    }
    static btVector3 low(const Frame &frame, uint32_t i)
    {
        return btVector3(frame.bounds[0][i], frame.bounds[1][i], frame.bounds[2][i]);
    }
    static btVector3 high(const Frame &frame, uint32_t i)
    {
        return btVector3(frame.bounds[3][i], frame.bounds[4][i], frame.bounds[5][i]);
    }
    void frame(const Frame &frame) override
    {
        const double start = cpu_time();
        for (const uint32_t i : frame.moved)
            broadphase->setAabb(proxies[i], low(frame, i), high(frame, i), nullptr);
        broadphase->calculateOverlappingPairs(nullptr);
        took.push_back(cpu_time() - start);
    }
    std::vector<Key> pairs(const Frame &frame) const override
    {
        std::vector<Key> keys;
        const btBroadphasePairArray &all = broadphase->getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < all.size(); i++) {
            const uint32_t a = uint32_t(reinterpret_cast<size_t>(all[i].m_pProxy0->m_clientObject)),
                           b = uint32_t(reinterpret_cast<size_t>(all[i].m_pProxy1->m_clientObject));
            if (frame.touch(a, b))
                keys.push_back(key_of(a, b));
        }
        std::sort(keys.begin(), keys.end());
        return keys;
    }
};
#endif

#endif
