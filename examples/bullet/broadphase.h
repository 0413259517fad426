/* SPDX-License-Identifier: MIT */
/* A broad phase for Bullet over a world of abut: give one to btDiscreteDynamicsWorld in place of btDbvtBroadphase. */
#ifndef ABUT_EXAMPLES_BULLET_BROADPHASE_H
#define ABUT_EXAMPLES_BULLET_BROADPHASE_H

#include <BulletCollision/BroadphaseCollision/btBroadphaseInterface.h>
#include <BulletCollision/BroadphaseCollision/btOverlappingPairCache.h>

#include <abut/world.h>

#include <cstdint>
#include <vector>

/*
 * Pairs are those of boxes that touch, exactly, and that groups and masks admit. Boxes that move are collected and
 * handed over together when pairs are asked for.
 */
class AbutBroadphase : public btBroadphaseInterface
{
  public:
    explicit AbutBroadphase(float padding = 0.1f);
    ~AbutBroadphase() override;
    AbutBroadphase(const AbutBroadphase &) = delete;
    AbutBroadphase &operator=(const AbutBroadphase &) = delete;

    btBroadphaseProxy *createProxy(const btVector3 &low, const btVector3 &high, int shape, void *user, int group,
                                   int mask, btDispatcher *dispatcher) override;
    void destroyProxy(btBroadphaseProxy *proxy, btDispatcher *dispatcher) override;
    void setAabb(btBroadphaseProxy *proxy, const btVector3 &low, const btVector3 &high,
                 btDispatcher *dispatcher) override;
    void getAabb(btBroadphaseProxy *proxy, btVector3 &low, btVector3 &high) const override;
    void calculateOverlappingPairs(btDispatcher *dispatcher) override;

    /* These go through all proxies. */
    void rayTest(const btVector3 &from, const btVector3 &to, btBroadphaseRayCallback &callback, const btVector3 &low,
                 const btVector3 &high) override;
    void aabbTest(const btVector3 &low, const btVector3 &high, btBroadphaseAabbCallback &callback) override;

    btOverlappingPairCache *getOverlappingPairCache() override
    {
        return &pairs_;
    }
    const btOverlappingPairCache *getOverlappingPairCache() const override
    {
        return &pairs_;
    }
    void getBroadphaseAabb(btVector3 &low, btVector3 &high) const override;
    void printStats() override
    {
    }

  private:
    struct Proxy : btBroadphaseProxy {
        uint32_t id;
        bool moved;
    };
    void hand_over();

    abut_world *world_ = nullptr;
    btHashedOverlappingPairCache pairs_;
    std::vector<Proxy *> proxies_; /* by id; null where there is none */
    std::vector<uint32_t> moved_;  /* ids, some of which may be gone */
    std::vector<float> bounds_[6];
};

#endif
