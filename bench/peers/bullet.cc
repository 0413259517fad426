/* SPDX-License-Identifier: MIT */
/*
 * Bullet: its dynamic tree, by one query a sphere and by tree against tree. Rebuilding it from the top
 * (optimizeTopDown) took longer than it saved in the search. Bullet's own broad phases keep a hash table of pairs or
 * insert into sorted axes one by one; at a million boxes they are slower still.
 */
#include "peers.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace
{

void *data_of(size_t i)
{
    return reinterpret_cast<void *>(i);
}

uint32_t index_of(const btDbvtNode *leaf)
{
    return static_cast<uint32_t>(reinterpret_cast<size_t>(leaf->data));
}

btDbvtVolume volume_of(const Box &box)
{
    return btDbvtVolume::FromMM(btVector3(box.min[0], box.min[1], box.min[2]),
                                btVector3(box.max[0], box.max[1], box.max[2]));
}

void insert(btDbvt &tree, const std::vector<Box> &boxes, size_t i)
{
    tree.insert(volume_of(boxes[i]), data_of(i));
}

/* In Morton order, the faster one for tree against tree. Queries are twice as fast with items inserted as drawn. */
void build(btDbvt &tree, const std::vector<Box> &boxes)
{
    for (size_t i = 0; i < boxes.size(); i++)
        insert(tree, boxes, i);
}

/* The inverse of order: the place in the sorted set of each item as drawn. */
std::vector<uint32_t> as_drawn(const std::vector<uint32_t> &order)
{
    std::vector<uint32_t> places(order.size());
    for (uint32_t i = 0; i < order.size(); i++)
        places[order[i]] = i;
    return places;
}

struct OneQuery : btDbvt::ICollide {
    const Scene &scene;
    Pairs &pairs;
    uint32_t sphere = 0;

    OneQuery(const Scene &of, Pairs &into) : scene(of), pairs(into)
    {
    }
    void Process(const btDbvtNode *leaf) override
    {
        if (touches(scene.queries[sphere], scene.items[index_of(leaf)]))
            pairs.add(sphere, index_of(leaf));
    }
};

Took join_by_queries(const Scene &scene, Pairs &pairs)
{
    const std::vector<uint32_t> places = as_drawn(scene.box_order);
    const double start = now();
    btDbvt tree;
    for (const uint32_t i : places)
        insert(tree, scene.items, i);
    const double built = now();
    OneQuery query(scene, pairs);
    btNodeStack stack;
    for (; query.sphere < scene.queries.size(); query.sphere++)
        tree.collideTVNoStackAlloc(tree.m_root, volume_of(scene.query_bounds[query.sphere]), stack, query);
    return {built - start, now() - built};
}

struct TwoTrees : btDbvt::ICollide {
    const Scene &scene;
    Pairs &pairs;

    TwoTrees(const Scene &of, Pairs &into) : scene(of), pairs(into)
    {
    }
    void Process(const btDbvtNode *sphere, const btDbvtNode *box) override
    {
        if (touches(scene.queries[index_of(sphere)], scene.items[index_of(box)]))
            pairs.add(index_of(sphere), index_of(box));
    }
};

Took join_by_trees(const Scene &scene, Pairs &pairs)
{
    const double start = now();
    btDbvt spheres, boxes;
    build(spheres, scene.query_bounds);
    build(boxes, scene.items);
    const double built = now();
    TwoTrees trees(scene, pairs);
    boxes.collideTTpersistentStack(spheres.m_root, boxes.m_root, trees);
    return {built - start, now() - built};
}

struct OneTree : btDbvt::ICollide {
    Pairs &pairs;

    explicit OneTree(Pairs &into) : pairs(into)
    {
    }
    void Process(const btDbvtNode *a, const btDbvtNode *b) override
    {
        pairs.add(index_of(a), index_of(b));
    }
};

Took self_by_tree(const Scene &scene, Pairs &pairs)
{
    const double start = now();
    btDbvt tree;
    build(tree, scene.items);
    const double built = now();
    OneTree both(pairs);
    tree.collideTTpersistentStack(tree.m_root, tree.m_root, both);
    return {built - start, now() - built};
}

} // namespace

std::vector<Implementation> bullet_implementations()
{
    return {{"bullet, queries", join_by_queries, nullptr, true},
            {"bullet, two trees", join_by_trees, self_by_tree, true}};
}
