/* SPDX-License-Identifier: MIT */
/*
 * A line sweeps over the polygon from left to right, and keeps the edges that it meets in the order from below
 * (Shamos and Hoey 1976). Before the first crossing this order is right, and the edges that cross there are neighbours
 * in it, once the edges that end in the same point are gone: two edges are tested when they become neighbours.
 */
#include "crossing.h"

#include <search.h>
#include <stdlib.h>

/* From its left end to its right one, of which the lower is left if neither is. */
struct edge {
    struct spot left, right;
    struct sweep *sweep;
};

/* An end of an edge, where the sweep begins or ceases to meet it. */
struct event {
    struct spot at;
    struct edge *edge;
    bool ends;
};

struct sweep {
    struct edge *edges;
    struct event *events;
    void *tree;
    const struct edge *asked;         /* the edge that is searched for */
    const struct edge *below, *above; /* its neighbours */
};

static bool before(struct spot p, struct spot q)
{
    return p.x < q.x || (!(q.x < p.x) && p.y < q.y);
}

/* Edges end before others begin in the same point. */
static int compare_events(const void *a, const void *b)
{
    const struct event *p = a, *q = b;
    if (before(p->at, q->at) || before(q->at, p->at))
        return before(p->at, q->at) ? -1 : 1;
    return (int)q->ends - (int)p->ends;
}

/* Of the edge b, which does not begin before a: 1 if it is above a, -1 if it is below, 0 if both are on one line. */
static int side_of(const struct edge *a, const struct edge *b)
{
    const int left = area_sign(a->left, a->right, b->left);
    return left != 0 ? left : area_sign(a->left, a->right, b->right);
}

/* The order from below of two edges that the sweep meets. Those on one line have that of their numbers. */
static int compare_edges(const struct edge *a, const struct edge *b)
{
    const int side = before(b->left, a->left) ? side_of(b, a) : -side_of(a, b);
    return side != 0 ? side : (a > b) - (a < b);
}

/* For the tree. The last edges below and above that a search passes are the neighbours of what it searches for. */
static int compare(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;
    struct sweep *sweep = p->sweep;
    const int order = compare_edges(p, q);
    const struct edge *other = p == sweep->asked ? q : p;
    const int place = p == sweep->asked ? order : -order;
    if (place > 0)
        sweep->below = other;
    else if (place < 0)
        sweep->above = other;
    return order;
}

static void ask(struct sweep *sweep, const struct edge *edge)
{
    sweep->asked = edge;
    sweep->below = sweep->above = NULL;
}

static bool cross(const struct edge *a, const struct edge *b)
{
    return a && b && area_sign(a->left, a->right, b->left) * area_sign(a->left, a->right, b->right) < 0 &&
           area_sign(b->left, b->right, a->left) * area_sign(b->left, b->right, a->right) < 0;
}

static enum crossing take_event(struct sweep *sweep, const struct event *event)
{
    const struct edge *edge = event->edge;
    ask(sweep, edge);
    if (!event->ends) {
        if (!tsearch(edge, &sweep->tree, compare))
            return CROSSING_NO_MEMORY;
        return cross(sweep->below, edge) || cross(edge, sweep->above) ? CROSSING_FOUND : CROSSING_NONE;
    }
    tdelete(edge, &sweep->tree, compare);
    ask(sweep, edge);
    tfind(edge, &sweep->tree, compare);
    return cross(sweep->below, sweep->above) ? CROSSING_FOUND : CROSSING_NONE;
}

/* Edges without length meet nothing. Returns the number of events. */
static size_t make_events(struct sweep *sweep, const struct spot *corners, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const struct spot p = corners[i], q = corners[i + 1 < n ? i + 1 : 0];
        struct edge *edge = &sweep->edges[i];
        *edge = before(p, q) ? (struct edge){p, q, sweep} : (struct edge){q, p, sweep};
        if (!before(edge->left, edge->right))
            continue;
        sweep->events[count++] = (struct event){edge->left, edge, false};
        sweep->events[count++] = (struct event){edge->right, edge, true};
    }
    qsort(sweep->events, count, sizeof *sweep->events, compare_events);
    return count;
}

enum crossing find_crossing(const struct spot *corners, size_t n)
{
    struct sweep sweep = {.edges = malloc(n * sizeof *sweep.edges), .events = malloc(2 * n * sizeof *sweep.events)};
    enum crossing found = sweep.edges && sweep.events ? CROSSING_NONE : CROSSING_NO_MEMORY;
    const size_t count = found == CROSSING_NONE ? make_events(&sweep, corners, n) : 0;
    for (size_t i = 0; i < count && found == CROSSING_NONE; i++)
        found = take_event(&sweep, &sweep.events[i]);
    while (sweep.tree) {
        const struct edge *edge = *(const struct edge **)sweep.tree;
        ask(&sweep, edge);
        tdelete(edge, &sweep.tree, compare);
    }
    free(sweep.edges);
    free(sweep.events);
    return found;
}
