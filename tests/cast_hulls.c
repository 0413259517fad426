/* SPDX-License-Identifier: MIT */
/*
 * Compares casts of rays among hulls, and their order, with the definition in rational arithmetic: the times at which a
 * point is outside of no plane are an interval, and its least is the start or a time at which the point is on a plane.
 */
#include "cast_rows.h"
#include "rational.h"
#include "report.h"

/* ---- The right answers */

/* The planes of a hull at time t: n.p + d of each is s + t w. */
struct heights {
    unsigned n;
    mpq_ptr s[ABUT_MAX_PLANES], w[ABUT_MAX_PLANES];
};

static bool is_in_all(const struct heights *heights, mpq_srcptr t)
{
    for (unsigned k = 0; k < heights->n; k++)
        if (mpq_sgn(plus(heights->s[k], times(t, heights->w[k]))) > 0)
            return false;
    return true;
}

static void take(struct moment *hit, const struct heights *heights, mpq_srcptr t, float end)
{
    if (mpq_sgn(t) < 0 || (!isinf(end) && mpq_cmp(t, of(end)) > 0) || (hit->is && mpq_cmp(t, hit->p) >= 0) ||
        !is_in_all(heights, t))
        return;
    hit->is = true;
    hit->p = t;
}

static struct moment right_hit(const struct cast_scene *scene, size_t ray, size_t hull)
{
    struct heights heights = {0};
    struct moment hit = {0};
    float planes[ABUT_MAX_PLANES][4], members[8];
    if (!bounding_planes(scene, hull, planes, &heights.n))
        return hit;
    get_ray(scene, ray, members);
    for (unsigned j = 0; j < heights.n; j++) {
        heights.s[j] = of(planes[j][3]);
        heights.w[j] = of(0);
        for (unsigned k = 0; k < 3; k++) {
            heights.s[j] = plus(heights.s[j], times(of(planes[j][k]), of(members[k])));
            heights.w[j] = plus(heights.w[j], times(of(planes[j][k]), of(members[k + 3])));
        }
    }
    take(&hit, &heights, of(0), members[7]);
    for (unsigned k = 0; k < heights.n; k++)
        if (mpq_sgn(heights.w[k]) != 0)
            take(&hit, &heights, over(minus(of(0), heights.s[k]), heights.w[k]), members[7]);
    return hit;
}

static void right_row(const struct cast_scene *scene, size_t ray, struct moment right[HULLS])
{
    used = 0;
    for (size_t i = 0; i < HULLS; i++)
        right[i] = right_hit(scene, ray, i);
}

static struct abut_stats stats;

static void check_scene(struct random *random, enum kind kind)
{
    static struct cast_scene scene;
    static struct found found;
    char what[100];
    snprintf(what, sizeof what, "%s; seed %llu", kind_names[kind], (unsigned long long)random->state);
    make_hulls(&scene, random, kind);
    for (size_t i = 0; i < RAYS; i++) {
        float ray[8];
        make_ray(&scene, random, is_grid(kind), ray);
        set_ray(&scene, i, ray);
    }
    check_casts(&scene, right_row, &stats, &found, what);
}

/* A ray outside of one plane that approaches it, or leaves it, by less than float64 sees. */
static void check_slow_approach(void)
{
    static const uint32_t offset[] = {0, 1};
    const float one = 1, none = 0, back = -1, end = INFINITY, low = -INFINITY, high = INFINITY;
    const struct abut_aabbs space = {1, &low, &low, &low, &high, &high, &high};
    const struct abut_rays ray = {1, &one, &none, &none, &one, &one, &back, NULL, &end};
    for (int sign = -1; sign <= 1; sign += 2) {
        const float ny = (float)sign * 0x1p-60f;
        const struct abut_hulls hull = {1, offset, &one, &ny, &one, &none};
        struct abut_index *index = NULL;
        uint32_t item;
        float t;
        CHECK(abut_index_new(abut_of_aabbs(&space), NULL, NULL, &index) == ABUT_OK);
        CHECK(abut_cast_hulls_first(index, &hull, &ray, NULL, &item, &t) == ABUT_OK);
        CHECK(item == (sign < 0 ? 0 : UINT32_MAX) && t == (sign < 0 ? 0x1p60f : INFINITY));
        abut_index_free(index);
    }
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 12, .step = 1});
    struct random random = {options.seed};
    unsigned turn = 0;
    check_slow_approach();
    for (unsigned round = 0; round < options.rounds; round++)
        for (enum kind kind = kind_box; kind < kind_count; kind++, turn++)
            for (unsigned i = 0; i < (is_grid(kind) ? 40 : 1) && turn % options.step == 0; i++)
                check_scene(&random, kind);
    CHECK(stats.exact > 0 && stats.undecided >= stats.exact && stats.pairs > stats.undecided);
    return finish("casts among hulls");
}
