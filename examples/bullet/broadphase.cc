/* SPDX-License-Identifier: MIT */
/* The broad phase for Bullet: proxies are items, and the changes of each update go into Bullet's own cache of pairs. */
#include "broadphase.h"

#include <cfloat>
#include <cstddef>
#include <stdexcept>

namespace
{

void need(abut_status status)
{
    if (status != ABUT_OK)
        throw std::runtime_error(abut_status_text(status));
}

bool overlap(const btBroadphaseProxy &proxy, const btVector3 &low, const btVector3 &high)
{
    for (int k = 0; k < 3; k++)
        if (proxy.m_aabbMin[k] > high[k] || proxy.m_aabbMax[k] < low[k])
            return false;
    return true;
}

} // namespace

AbutBroadphase::AbutBroadphase(float padding)
{
    need(abut_world_new(padding, nullptr, &world_));
}

AbutBroadphase::~AbutBroadphase()
{
    for (Proxy *proxy : proxies_)
        delete proxy;
    abut_world_free(world_);
}

btBroadphaseProxy *AbutBroadphase::createProxy(const btVector3 &low, const btVector3 &high, int, void *user, int group,
                                               int mask, btDispatcher *)
{
    const float at[6] = {low.x(), low.y(), low.z(), high.x(), high.y(), high.z()};
    const abut_aabbs box = {1, at, at + 1, at + 2, at + 3, at + 4, at + 5};
    const uint32_t groups = static_cast<uint32_t>(group), masks = static_cast<uint32_t>(mask);
    const abut_world_labels labels = {&groups, &masks, nullptr};
    uint32_t id;
    need(abut_world_add(world_, abut_of_aabbs(&box), &labels, nullptr, &id));
    Proxy *proxy = new Proxy;
    proxy->m_clientObject = user;
    proxy->m_collisionFilterGroup = group;
    proxy->m_collisionFilterMask = mask;
    proxy->m_aabbMin = low;
    proxy->m_aabbMax = high;
    proxy->m_uniqueId = static_cast<int>(id) + 1;
    proxy->id = id;
    proxy->moved = false;
    if (id >= proxies_.size())
        proxies_.resize(id + size_t(1));
    proxies_[id] = proxy;
    return proxy;
}

/* Bullet wants the pairs gone at once. The world reports their end later, when the proxy is no more. */
void AbutBroadphase::destroyProxy(btBroadphaseProxy *proxy, btDispatcher *dispatcher)
{
    const uint32_t id = static_cast<Proxy *>(proxy)->id;
    pairs_.removeOverlappingPairsContainingProxy(proxy, dispatcher);
    need(abut_world_remove(world_, &id, 1));
    proxies_[id] = nullptr;
    delete static_cast<Proxy *>(proxy);
}

void AbutBroadphase::setAabb(btBroadphaseProxy *proxy, const btVector3 &low, const btVector3 &high, btDispatcher *)
{
    Proxy *mine = static_cast<Proxy *>(proxy);
    mine->m_aabbMin = low;
    mine->m_aabbMax = high;
    if (!mine->moved)
        moved_.push_back(mine->id);
    mine->moved = true;
}

void AbutBroadphase::getAabb(btBroadphaseProxy *proxy, btVector3 &low, btVector3 &high) const
{
    low = proxy->m_aabbMin;
    high = proxy->m_aabbMax;
}

/* Moves all collected boxes in one call. An id can be listed for a proxy that is gone and for one that has it now. */
void AbutBroadphase::hand_over()
{
    size_t n = 0;
    for (std::vector<float> &column : bounds_)
        column.clear();
    for (const uint32_t id : moved_) {
        Proxy *proxy = proxies_[id];
        if (proxy == nullptr || !proxy->moved)
            continue;
        proxy->moved = false;
        moved_[n++] = id;
        for (int k = 0; k < 3; k++) {
            bounds_[k].push_back(proxy->m_aabbMin[k]);
            bounds_[k + 3].push_back(proxy->m_aabbMax[k]);
        }
    }
    const abut_aabbs boxes = {n,
                              bounds_[0].data(),
                              bounds_[1].data(),
                              bounds_[2].data(),
                              bounds_[3].data(),
                              bounds_[4].data(),
                              bounds_[5].data()};
    if (n > 0)
        need(abut_world_move(world_, moved_.data(), abut_of_aabbs(&boxes), nullptr));
    moved_.clear();
}

void AbutBroadphase::calculateOverlappingPairs(btDispatcher *dispatcher)
{
    abut_world_changes changes;
    hand_over();
    need(abut_world_update(world_, false, nullptr, &changes));
    for (size_t i = 0; i < changes.n_ended; i++) {
        Proxy *a = proxies_[changes.ended[i].a], *b = proxies_[changes.ended[i].b];
        if (a != nullptr && b != nullptr)
            pairs_.removeOverlappingPair(a, b, dispatcher);
    }
    for (size_t i = 0; i < changes.n_began; i++)
        pairs_.addOverlappingPair(proxies_[changes.began[i].a], proxies_[changes.began[i].b]);
}

/* The slabs of a box around the ray, and the callback decides the rest. */
void AbutBroadphase::rayTest(const btVector3 &from, const btVector3 &to, btBroadphaseRayCallback &callback,
                             const btVector3 &low, const btVector3 &high)
{
    btVector3 least = from, most = from;
    least.setMin(to);
    most.setMax(to);
    aabbTest(least + low, most + high, callback);
}

void AbutBroadphase::aabbTest(const btVector3 &low, const btVector3 &high, btBroadphaseAabbCallback &callback)
{
    for (const Proxy *proxy : proxies_)
        if (proxy != nullptr && overlap(*proxy, low, high))
            callback.process(proxy);
}

void AbutBroadphase::getBroadphaseAabb(btVector3 &low, btVector3 &high) const
{
    low.setValue(FLT_MAX, FLT_MAX, FLT_MAX);
    high.setValue(-FLT_MAX, -FLT_MAX, -FLT_MAX);
    for (const Proxy *proxy : proxies_)
        if (proxy != nullptr) {
            low.setMin(proxy->m_aabbMin);
            high.setMax(proxy->m_aabbMax);
        }
}
