/* SPDX-License-Identifier: MIT */
/*
 * Steps scenes of Bullet with abut's broad phase beside btDbvtBroadphase. One simulation with Bullet's own broad phase
 * hands all its boxes to abut's as well: both must have the same pairs of boxes that touch after every step, and the
 * time that each takes is printed. Then each runs a simulation of its own, for steps a second.
 */
#include "broadphase.h"

#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace
{

double cpu_time()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
}

std::pair<void *, void *> in_order(void *a, void *b)
{
    return std::less<void *>()(a, b) ? std::make_pair(a, b) : std::make_pair(b, a);
}

struct Scene {
    const char *name;
    int bodies;    /* that move */
    int statics;   /* that do not */
    float spacing; /* 1: they lie on each other */
    int churned;   /* bodies that are replaced in each step */
    bool filtered; /* ten groups that do not see each other */
};

const Scene scenes[] = {
    {"piles", 1500, 0, 1.02f, 0, false},        {"spread", 1500, 0, 6, 0, false},
    {"mostly static", 100, 10000, 3, 0, false}, {"churn", 1000, 0, 1.5f, 50, false},
    {"90 % filtered", 1500, 0, 1.02f, 0, true},
};

/* A floor, boxes in layers above it, and boxes that stay. */
class Simulation
{
  public:
    Simulation(const Scene &scene, btBroadphaseInterface &broadphase)
        : scene_(scene), dispatcher_(&configuration_), world_(&dispatcher_, &broadphase, &solver_, &configuration_),
          box_(btVector3(0.5f, 0.5f, 0.5f)), floor_(btVector3(500, 1, 500))
    {
        add(floor_, btVector3(0, -1, 0), 0, btBroadphaseProxy::StaticFilter, btBroadphaseProxy::AllFilter);
        for (int i = 0; i < scene.statics; i++)
            add(box_, btVector3(float(i % 100) * 1.5f - 75, 0.5f, float(i / 100) * 1.5f - 75), 0,
                btBroadphaseProxy::StaticFilter, btBroadphaseProxy::AllFilter ^ btBroadphaseProxy::StaticFilter);
        for (int i = 0; i < scene.bodies; i++)
            add_body(i);
    }
    ~Simulation()
    {
        for (auto &body : bodies_)
            world_.removeRigidBody(body.get());
    }
    void step()
    {
        for (int i = 0; i < scene_.churned; i++, next_ = (next_ + 1) % scene_.bodies) {
            auto &body = bodies_[size_t(1 + scene_.statics + next_)];
            world_.removeRigidBody(body.get());
            body = make(box_, place(next_) + btVector3(0, 5, 0), 1);
            world_.addRigidBody(body.get());
        }
        world_.stepSimulation(1 / 60.0f, 0);
    }
    const btCollisionObjectArray &objects() const
    {
        return world_.getCollisionObjectArray();
    }

  private:
    btVector3 place(int i) const
    {
        const int row = 10;
        return btVector3(float(i % row) * scene_.spacing, 0.6f + float(i / (row * row)) * 1.02f,
                         float(i / row % row) * scene_.spacing);
    }
    void add_body(int i)
    {
        /* In ten groups of which each sees itself and the floor, nine tenths of all pairs do not count. */
        const int group = 64 << i % 10;
        if (scene_.filtered)
            add(box_, place(i), 1, group, group | btBroadphaseProxy::StaticFilter);
        else
            add(box_, place(i), 1, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    }
    std::unique_ptr<btRigidBody> make(btCollisionShape &shape, const btVector3 &at, float mass)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            shape.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        info.m_startWorldTransform.setOrigin(at);
        return std::make_unique<btRigidBody>(info);
    }
    void add(btCollisionShape &shape, const btVector3 &at, float mass, int group, int mask)
    {
        bodies_.push_back(make(shape, at, mass));
        world_.addRigidBody(bodies_.back().get(), group, mask);
    }

    const Scene &scene_;
    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    btBoxShape box_, floor_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    int next_ = 0;
};

/* Bullet's broad phase, which hands all that it is given to another one as well. Both are timed. */
class Both : public btDbvtBroadphase
{
  public:
    AbutBroadphase other;
    double own_time = 0, other_time = 0;
    bool same = true;

    btBroadphaseProxy *createProxy(const btVector3 &low, const btVector3 &high, int shape, void *user, int group,
                                   int mask, btDispatcher *dispatcher) override
    {
        btBroadphaseProxy *proxy = btDbvtBroadphase::createProxy(low, high, shape, user, group, mask, dispatcher);
        /* The user of the other proxy is the own one. */
        copies_.emplace_back(proxy, other.createProxy(low, high, shape, proxy, group, mask, nullptr));
        return proxy;
    }
    void destroyProxy(btBroadphaseProxy *proxy, btDispatcher *dispatcher) override
    {
        for (size_t i = 0; i < copies_.size(); i++)
            if (copies_[i].first == proxy) {
                other.destroyProxy(copies_[i].second, nullptr);
                copies_[i] = copies_.back();
                copies_.pop_back();
                break;
            }
        btDbvtBroadphase::destroyProxy(proxy, dispatcher);
    }
    void setAabb(btBroadphaseProxy *proxy, const btVector3 &low, const btVector3 &high,
                 btDispatcher *dispatcher) override
    {
        (void)dispatcher;
        moved_.push_back({proxy, low, high});
    }
    void calculateOverlappingPairs(btDispatcher *dispatcher) override
    {
        double start = cpu_time();
        for (const Moved &moved : moved_)
            btDbvtBroadphase::setAabb(moved.proxy, moved.low, moved.high, dispatcher);
        btDbvtBroadphase::calculateOverlappingPairs(dispatcher);
        own_time += cpu_time() - start;
        std::map<btBroadphaseProxy *, btBroadphaseProxy *> copies(copies_.begin(), copies_.end());
        std::vector<Moved> of_copies;
        for (const Moved &moved : moved_)
            of_copies.push_back({copies.at(moved.proxy), moved.low, moved.high});
        moved_.clear();
        start = cpu_time();
        for (const Moved &moved : of_copies)
            other.setAabb(moved.proxy, moved.low, moved.high, nullptr);
        other.calculateOverlappingPairs(nullptr);
        other_time += cpu_time() - start;
        compare();
    }

  private:
    struct Moved {
        btBroadphaseProxy *proxy;
        btVector3 low, high;
    };
    using PairSet = std::set<std::pair<void *, void *>>;

    /* Bullet's pairs are those of padded boxes: of these only the ones that touch count. */
    void compare()
    {
        PairSet own, others;
        const btBroadphasePairArray &pairs = getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < pairs.size(); i++) {
            const btBroadphaseProxy &a = *pairs[i].m_pProxy0, &b = *pairs[i].m_pProxy1;
            bool touch = true;
            for (int k = 0; k < 3; k++)
                touch = touch && a.m_aabbMin[k] <= b.m_aabbMax[k] && b.m_aabbMin[k] <= a.m_aabbMax[k];
            if (touch)
                own.insert(in_order(pairs[i].m_pProxy0, pairs[i].m_pProxy1));
        }
        const btBroadphasePairArray &found = other.getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < found.size(); i++)
            others.insert(in_order(found[i].m_pProxy0->m_clientObject, found[i].m_pProxy1->m_clientObject));
        same = same && own == others;
    }

    std::vector<std::pair<btBroadphaseProxy *, btBroadphaseProxy *>> copies_;
    std::vector<Moved> moved_; /* in this step, which asks for the pairs at once */
};

double steps_a_second(const Scene &scene, btBroadphaseInterface &broadphase, int steps)
{
    Simulation simulation(scene, broadphase);
    const double start = cpu_time();
    for (int i = 0; i < steps; i++)
        simulation.step();
    return 1e3 * steps / (cpu_time() - start);
}

bool run(const Scene &scene, int steps)
{
    Both both;
    {
        Simulation simulation(scene, both);
        for (int i = 0; i < steps; i++)
            simulation.step();
    }
    btDbvtBroadphase tree;
    AbutBroadphase abut;
    const double of_tree = steps_a_second(scene, tree, steps), of_abut = steps_a_second(scene, abut, steps);
    std::printf("%-14s %9s %9.3f %9.3f %9.0f %9.0f\n", scene.name, both.same ? "same" : "OTHERS", both.own_time / steps,
                both.other_time / steps, of_tree, of_abut);
    return both.same;
}

} // namespace

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? std::atoi(argv[1]) : 200;
    bool same = true;
    std::printf("%-14s %9s %19s %19s\n%-14s %9s %9s %9s %9s %9s\n", "", "", "broad phase, ms", "steps a second",
                "scene", "pairs", "btDbvt", "abut", "btDbvt", "abut");
    for (const Scene &scene : scenes)
        same = run(scene, steps) && same;
    return same ? 0 : 1;
}
