/* SPDX-License-Identifier: MIT */
/* Joins within a distance and in periodic boxes, with all pairs of points, spheres and boxes in rational arithmetic. */
#include "index_scenes.h"
#include "rational.h"
#include "report.h"

#include <abut/index.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, IMAGES = 5 };

struct ball {
    float box[6], r;
    bool round;
};

static struct ball ball_at(const struct batch *batch, size_t i)
{
    float item[ABUT_MAX_FIELDS];
    struct ball ball = {.round = batch->shape == shape_sphere};
    batch_get(batch, i, item);
    memcpy(ball.box, item, 3 * sizeof *item);
    memcpy(ball.box + 3, batch->shape == shape_aabb ? item + 3 : item, 3 * sizeof *item);
    ball.r = ball.round ? item[3] : 0;
    return ball;
}

static bool is_periodic(const struct abut_reach *reach)
{
    return reach->period[0] > 0 || reach->period[1] > 0 || reach->period[2] > 0;
}

/* The least excess on an axis over images -IMAGES to IMAGES, straight from the formula in index.h. */
static mpq_srcptr excess(const float *a, const float *b, float period)
{
    mpq_srcptr least = NULL;
    for (int n = -IMAGES; n <= IMAGES; n++) {
        mpq_srcptr shift = times(of((float)n), of(period));
        mpq_srcptr here = greater(minus(plus(of(b[0]), shift), of(a[3])), minus(minus(of(a[0]), of(b[3])), shift));
        least = !least || mpq_cmp(here, least) < 0 ? here : least;
    }
    return least;
}

static int answer(const struct ball *a, const struct ball *b, const struct abut_reach *reach)
{
    used = 0;
    mpq_srcptr sum = of(0), radius = plus(plus(of(a->r), of(b->r)), of(reach->within));
    int overlap = HIT;
    for (unsigned k = 0; k < 3; k++) {
        mpq_srcptr gap = excess(a->box + k, b->box + k, reach->period[k]);
        overlap = least(overlap, at_most(gap, of(0)));
        sum = plus(sum, square(greater(gap, of(0))));
    }
    return mpq_sgn(radius) == 0 && !a->round && !b->round ? overlap : at_most(sum, square(radius));
}

/* Grid points near the ends of the box, and touching pairs among them; or uniform ones outside of it, too. */
static struct batch make_items(struct random *random, enum shape shape, const float period[3], unsigned kind, size_t n)
{
    struct batch batch = batch_new(shape, n);
    for (size_t i = 0; i < n; i++) {
        float item[ABUT_MAX_FIELDS] = {0};
        for (unsigned k = 0; k < 3; k++) {
            const float length = period[k] > 0 ? period[k] : period[0] > 0 ? 4 * period[0] : 4;
            item[k] = kind == 0   ? (float)random_below(random, 9) * 0.25f * length - length / 2
                      : kind == 1 ? ((float)random_below(random, 1 << 24) * 0x1p-23f - 0.5f) * length
                                  : (float)random_below(random, 3) * length + (float)random_below(random, 5) * 0x1p-26f;
            item[k + 3] = item[k] + (float)random_below(random, 3) * 0.25f * (kind == 1 ? 0.7f : 1);
        }
        if (shape == shape_sphere)
            item[3] = (float)random_below(random, 4) * 0.25f;
        batch_set(&batch, i, item);
    }
    return batch;
}

static void check_scene(struct random *random, enum shape query, enum shape item, const struct abut_reach *reach,
                        unsigned kind)
{
    static struct abut_pair pairs[MOST * MOST];
    static unsigned char times_found[MOST][MOST];
    const uint64_t seed = random->state;
    const size_t n = 1 + random_below(random, MOST), m = 1 + random_below(random, MOST);
    struct batch a = make_items(random, query, reach->period, kind, n);
    struct batch b = make_items(random, item, reach->period, kind, m);
    union any_batch any_a, any_b;
    struct abut_index *index = NULL;
    const bool view = random_below(random, 3) == 0;
    CHECK((view ? abut_index_view(set_of(&b, &any_b), n % 2 ? 0.25f : 30, NULL, NULL, &index)
                : abut_index_new(set_of(&b, &any_b), NULL, NULL, &index)) == ABUT_OK);
    for (unsigned open = 0; open < 2; open++) {
        const struct abut_options options = {.touch = open ? ABUT_OPEN : ABUT_CLOSED};
        uint64_t count = 0, right = 0;
        bool ok = abut_join_within(index, set_of(&a, &any_a), reach, &options, pairs, MOST * MOST, &count) == ABUT_OK;
        memset(times_found, 0, sizeof times_found);
        for (size_t i = 0; i < count && ok; i++)
            times_found[pairs[i].a][pairs[i].b]++;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < m; j++) {
                const struct ball p = ball_at(&a, i), q = ball_at(&b, j);
                const int is = answer(&p, &q, reach), hit = open ? is == HIT : is != MISS;
                ok &= times_found[i][j] == hit;
                right += (uint64_t)hit;
            }
        check_that(ok && count == right, "%ss and %ss within %g, periods %g %g %g, %s; seed %llu",
                   shape_info(query)->name, shape_info(item)->name, (double)reach->within, (double)reach->period[0],
                   (double)reach->period[1], (double)reach->period[2], open ? "open" : "closed",
                   (unsigned long long)seed);
    }
    abut_index_free(index);
    batch_free(&a);
    batch_free(&b);
}

/* An item near to an image of the query, or before the end of all floats where the image is beyond. */
static float near_image(struct random *random, float query, float period)
{
    const double offset = (double)random_between(random, -1, 1) * ldexp((double)period, -(int)random_below(random, 26));
    const double at = (double)query + ((double)random_below(random, 3) - 1) * (double)period + offset;
    return (float)fmax(fmin(at, 0x1.ffp127), -0x1.ffp127);
}

static float float_of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The least distance within which two items are. */
static float least_within(const struct ball *a, const struct ball *b, struct abut_reach reach)
{
    uint32_t low = 0, high = 0x7f7fffff; /* FLT_MAX */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        reach.within = float_of_bits(middle);
        if (answer(a, b, &reach) != MISS)
            high = middle;
        else
            low = middle + 1;
    }
    return float_of_bits(low);
}

/* One pair at the edge of an image: at the least distance at which it is one, and at the float before. */
static void check_edge(struct random *random, enum shape query, enum shape item, float scale)
{
    const uint64_t seed = random->state;
    struct batch a = batch_new(query, 1), b = batch_new(item, 1);
    struct abut_reach reach = {.within = 0};
    float p[ABUT_MAX_FIELDS], q[ABUT_MAX_FIELDS];
    union any_batch any_a, any_b;
    struct abut_index *index = NULL;
    for (unsigned k = 0; k < 3; k++) {
        reach.period[k] = random_between(random, 1, 5) * scale;
        p[k] = random_between(random, -1, 1) * reach.period[k];
        if (scale > 1 && k == 0) { /* one of the nearest images is beyond all floats */
            reach.period[k] = 0x1.8p127f;
            p[k] = random_between(random, 0.5f, 0.6f) * 0x1p127f;
        }
        q[k] = k > 0 && seed % 2 == 0 ? p[k] : near_image(random, p[k], reach.period[k]);
        p[k + 3] = p[k];
        q[k + 3] = q[k];
    }
    if (query == shape_sphere)
        p[3] = random_between(random, 0, 1) * scale * 0x1p-24f;
    if (item == shape_sphere)
        q[3] = random_between(random, 0, 1) * scale * 0x1p-24f;
    batch_set(&a, 0, p);
    batch_set(&b, 0, q);
    const struct ball from = ball_at(&a, 0), to = ball_at(&b, 0);
    const float edge = least_within(&from, &to, reach);
    CHECK(abut_index_new(set_of(&b, &any_b), NULL, NULL, &index) == ABUT_OK);
    for (unsigned i = 0; i < 4; i++) {
        const struct abut_options options = {.touch = i % 2 ? ABUT_OPEN : ABUT_CLOSED};
        uint64_t count = 0;
        reach.within = i < 2 || edge == 0 ? edge : nextafterf(edge, 0);
        const int is = answer(&from, &to, &reach);
        CHECK(abut_join_within(index, set_of(&a, &any_a), &reach, &options, NULL, 0, &count) == ABUT_OK);
        check_that(count == (i % 2 ? is == HIT : is != MISS), "%s and %s at the edge of an image, %g apart; seed %llu",
                   shape_info(query)->name, shape_info(item)->name, (double)edge, (unsigned long long)seed);
    }
    abut_index_free(index);
    batch_free(&a);
    batch_free(&b);
}

/* Of ordinary numbers, of such that images are beyond all floats, and of denormal ones. */
static void check_edges(struct random *random)
{
    static const enum shape shapes[] = {shape_point, shape_sphere, shape_aabb};
    static const float scales[] = {1, 0x1p125f, 0x1p-140f};
    for (unsigned i = 0; i < 27 * 12; i++)
        check_edge(random, shapes[i % 3], shapes[i / 3 % 3], scales[i / 9 % 3]);
}

/* The square of the least distance to any image, where the item has no radius. */
static mpq_srcptr square_between(const struct ball *a, const struct ball *b, const float *period)
{
    mpq_srcptr sum = of(0);
    for (unsigned k = 0; k < 3; k++)
        sum = plus(sum, square(greater(excess(a->box + k, b->box + k, period[k]), of(0))));
    return sum;
}

/* The sign of max(sqrt(s) - r, 0) - max(sqrt(t) - q, 0), at two thousand bits. */
static int compare_rounded(mpq_srcptr s, float r, mpq_srcptr t, float q)
{
    mpf_t a, b, radius;
    mpf_init2(a, 2000);
    mpf_init2(b, 2000);
    mpf_init2(radius, 2000);
    mpf_set_q(a, s);
    mpf_sqrt(a, a);
    mpf_set_d(radius, (double)r);
    mpf_sub(a, a, radius);
    mpf_set_q(b, t);
    mpf_sqrt(b, b);
    mpf_set_d(radius, (double)q);
    mpf_sub(b, b, radius);
    if (mpf_sgn(a) < 0)
        mpf_set_ui(a, 0);
    if (mpf_sgn(b) < 0)
        mpf_set_ui(b, 0);
    mpf_sub(a, a, b);
    mpf_set_ui(radius, 1);
    mpf_div_2exp(radius, radius, 900);
    mpf_abs(b, a);
    const int sign = mpf_cmp(b, radius) < 0 ? 0 : mpf_sgn(a);
    mpf_clear(a);
    mpf_clear(b);
    mpf_clear(radius);
    return sign;
}

/* Each neighbour is no farther than the next one, of equally near ones by number; none that is left out is nearer. */
static void check_neighbours(struct random *random, enum shape item, const float *period, unsigned kind)
{
    const uint64_t seed = random->state;
    const size_t n = 4, m = 1 + random_below(random, MOST), k = 1 + random_below(random, 6);
    struct batch a = make_items(random, shape_point, period, kind, n), b = make_items(random, item, period, kind, m);
    union any_batch any;
    struct abut_index *index = NULL;
    uint32_t found[4 * 6], ranks[4 * 6];
    float d2[4 * 6];
    struct abut_neighbours question = {.k = k, .exclude_self = random_below(random, 3) == 0};
    memcpy(question.period, period, sizeof question.period);
    const struct abut_points points = {n, a.at[0], a.at[1], a.at[2]};
    const struct abut_neighbours_found out = {.indices = found, .d2 = d2, .ranks = ranks};
    CHECK(abut_index_new(set_of(&b, &any), NULL, NULL, &index) == ABUT_OK);
    bool ok = abut_find_neighbours(index, &points, &question, NULL, &out) == ABUT_OK;
    for (size_t p = 0; p < n && ok; p++) {
        const struct ball point = ball_at(&a, p);
        bool seen[MOST] = {false};
        size_t there = 0;
        while (there < k && found[p * k + there] != UINT32_MAX)
            seen[found[p * k + there++]] = true;
        ok &= there == (k < m - (question.exclude_self && p < m) ? k : m - (question.exclude_self && p < m));
        ok &= !(question.exclude_self && p < m && seen[p]);
        for (size_t j = 0; j < there && ok; j++) {
            used = 0;
            const uint32_t id = found[p * k + j];
            const struct ball here = ball_at(&b, id);
            mpq_srcptr square_here = square_between(&point, &here, period);
            for (uint32_t other = 0; other < m && ok; other++) {
                if (seen[other] ? j + 1 == there || other != found[p * k + j + 1]
                                : j + 1 < there || (question.exclude_self && other == p))
                    continue;
                const struct ball next = ball_at(&b, other);
                const int order = compare_rounded(square_here, here.r, square_between(&point, &next, period), next.r);
                ok &= order < 0 || (order == 0 && id < other);
                if (seen[other])
                    ok &= (order == 0) == (ranks[p * k + j + 1] == ranks[p * k + j]);
            }
            const double right = fmax(sqrt(mpq_get_d(square_here)) - (double)here.r, 0);
            ok &= fabs(sqrt((double)d2[p * k + j]) - right) <= 1e-6 * (right + (double)here.r) + 0x1p-74;
        }
    }
    check_that(ok, "%zu neighbours of %zu %ss, periods %g %g %g; seed %llu", k, m, shape_info(item)->name,
               (double)period[0], (double)period[1], (double)period[2], (unsigned long long)seed);
    abut_index_free(index);
    batch_free(&a);
    batch_free(&b);
}

/* A ghost that is rounded touches from one side only: the distance is 1 - 2^-?, or more, by the float. */
static void check_symmetric(void)
{
    const float x[2] = {0.0689187199f, 99.0689163f}, zero[2] = {0, 0}, r[2] = {0.5f, 0.5f};
    const struct abut_reach reach = {.period = {100, 100, 100}};
    bool found[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct abut_spheres item = {1, x + i, zero, zero, r}, query = {1, x + 1 - i, zero, zero, r};
        struct abut_index *index = NULL;
        uint64_t count = 0;
        CHECK(abut_index_new(abut_of_spheres(&item), NULL, NULL, &index) == ABUT_OK);
        CHECK(abut_join_within(index, abut_of_spheres(&query), &reach, NULL, NULL, 0, &count) == ABUT_OK);
        found[i] = count == 1;
        abut_index_free(index);
    }
    CHECK(found[0] == found[1]);
    /* In real numbers: x0 + 100 - x1 <= 1, whose terms float64 holds exactly. */
    CHECK(found[0] == (100 + (double)x[0] - (double)x[1] <= 1));
}

static void check_errors(void)
{
    const float x[1] = {1}, infinite[1] = {INFINITY};
    const struct abut_spheres sphere = {1, x, x, x, x}, all = {1, x, x, x, infinite};
    const struct abut_triangles triangle = {1, x, x, x, x, x, x, x, x, x};
    const struct abut_planes plane = {1, x, x, x, x};
    struct abut_index *index = NULL, *of_all = NULL, *of_triangle = NULL;
    uint64_t count = 7;
    const struct abut_set query = abut_of_spheres(&sphere);
    CHECK(abut_index_new(query, NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_index_new(abut_of_spheres(&all), NULL, NULL, &of_all) == ABUT_OK);
    CHECK(abut_index_new(abut_of_triangles(&triangle), NULL, NULL, &of_triangle) == ABUT_OK);
    const struct abut_reach wrong[] = {{.within = -1},
                                       {.within = NAN},
                                       {.within = INFINITY},
                                       {.period = {-1, 0, 0}},
                                       {.period = {0, INFINITY, 0}},
                                       {.period = {0, 0, NAN}},
                                       {.period = {1e-7f, 0, 0}}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(abut_join_within(index, query, &wrong[i], NULL, NULL, 0, &count) == ABUT_ERROR_ARGUMENT);
    const struct abut_reach one = {.within = 1}, box = {.period = {9, 9, 9}};
    const struct abut_own half_space = {{0, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    const struct abut_own no_box = {{0, 0, NAN}, {1, 1, 1}};
    const struct abut_options owned = {.own = &half_space}, wrong_box = {.own = &no_box};
    CHECK(abut_join_within(index, query, &box, &owned, NULL, 0, &count) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_join_within(index, query, &one, &wrong_box, NULL, 0, &count) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_join_within(of_all, query, &box, NULL, NULL, 0, &count) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_join_within(of_triangle, query, &box, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_within(index, abut_of_triangles(&triangle), &box, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_within(index, abut_of_planes(&plane), &one, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_within(index, abut_of_index(NULL), &one, NULL, NULL, 0, &count) == ABUT_ERROR_NULL);
    CHECK(abut_join_within(index, abut_of_index(of_triangle), &box, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_within(NULL, query, &one, NULL, NULL, 0, &count) == ABUT_ERROR_NULL);
    CHECK(abut_join_within(index, query, NULL, NULL, NULL, 0, &count) == ABUT_ERROR_NULL && count == 7);
    CHECK(abut_join_within(index, abut_of_spheres(&all), &box, NULL, NULL, 0, &count) == ABUT_OK && count == 1);
    CHECK(abut_join_within(of_all, query, &one, NULL, NULL, 0, &count) == ABUT_OK && count == 1);
    const float low[1] = {-INFINITY}, high[1] = {INFINITY};
    const struct abut_aabbs half = {1, low, low, low, x, high, high}, empty = {1, high, low, low, x, x, x};
    CHECK(abut_join_within(index, abut_of_aabbs(&half), &one, NULL, NULL, 0, &count) == ABUT_OK && count == 1);
    CHECK(abut_join_within(index, abut_of_aabbs(&half), &box, NULL, NULL, 0, &count) == ABUT_OK && count == 1);
    CHECK(abut_join_within(index, abut_of_aabbs(&empty), &one, NULL, NULL, 0, &count) == ABUT_OK && count == 0);
    abut_index_free(index);
    abut_index_free(of_all);
    abut_index_free(of_triangle);
}

/* ---- Images: how many there may be, and where */

static uint64_t found_in(const struct abut_index *index, struct abut_set queries, struct abut_reach reach,
                         struct abut_options *options, enum abut_status right)
{
    uint64_t count = 0;
    const enum abut_status status = abut_join_within(index, queries, &reach, options, NULL, 0, &count);
    check_that(status == right, "within %g, period %g: %s", (double)reach.within, (double)reach.period[0],
               abut_status_text(status));
    return count;
}

/* A box of many periods, a great sphere and a padding of many periods have no more images than others. */
static void check_large(void)
{
    const float zero[1] = {0}, one[1] = {1}, large[1] = {4096}, back[1] = {-4096};
    const struct abut_aabbs box = {1, zero, zero, zero, large, large, one}, cube = {1, zero, zero, zero, one, one, one};
    const struct abut_spheres sphere = {1, zero, zero, zero, large}, small = {1, one, one, one, one};
    const struct abut_aabbs both = {1, back, back, back, large, large, large};
    const struct abut_set sets[] = {abut_of_aabbs(&box), abut_of_aabbs(&cube), abut_of_spheres(&sphere),
                                    abut_of_spheres(&small), abut_of_aabbs(&both)};
    enum { SETS = sizeof sets / sizeof *sets };
    for (unsigned i = 0; i < SETS * SETS * 2; i++) {
        struct abut_stats stats = {0};
        struct abut_options options = {.stats = &stats};
        struct abut_index *index = NULL;
        const struct abut_set items = sets[i % SETS], queries = sets[i / SETS % SETS];
        CHECK((i / SETS / SETS ? abut_index_view(items, 3000, NULL, NULL, &index)
                               : abut_index_new(items, NULL, NULL, &index)) == ABUT_OK);
        CHECK(found_in(index, queries, (struct abut_reach){.period = {1, 1, 0}}, &options, ABUT_OK) == 1);
        CHECK(found_in(index, queries, (struct abut_reach){.within = 1e6f, .period = {1, 1, 1}}, &options, ABUT_OK) ==
              1);
        check_that(stats.leaf_tests <= 128, "%u leaves are looked at for one pair", (unsigned)stats.leaf_tests);
        abut_index_free(index);
    }
}

/* Wide and narrow boxes together, of which some are outside of all others. */
static void check_wide(void)
{
    enum { BOXES = 7 };
    static const float low[BOXES] = {0, 0, -40, 20, 0.25f, -0.5f, 15},
                       high[BOXES] = {1024, 1, -10, 21, 0.5f, 0.75f, 3000}, thick[BOXES] = {1, 1, 1, 1, 1, 1, 1};
    static const float none[BOXES] = {0};
    const struct abut_aabbs boxes = {BOXES, low, low, none, high, high, thick};
    const float period[3] = {1, 1, 0};
    static struct abut_pair pairs[BOXES * BOXES + 1];
    for (unsigned is_view = 0; is_view < 2; is_view++)
        for (unsigned i = 0; i < 4; i++) {
            struct abut_reach reach = {.within = i % 2 ? 0.125f : 0, .period = {1, 1, 0}, .images = i / 2 ? 4096 : 0};
            const struct abut_set set = abut_of_aabbs(&boxes);
            struct abut_index *index = NULL;
            uint64_t count = 0;
            CHECK((is_view ? abut_index_view(set, 2, NULL, NULL, &index) : abut_index_new(set, NULL, NULL, &index)) ==
                  ABUT_OK);
            const enum abut_status status =
                abut_join_within(index, set, &reach, NULL, pairs, BOXES * BOXES + 1, &count);
            /* Boxes that end before all others or begin after them make images. */
            CHECK(status == (i / 2 ? ABUT_OK : ABUT_ERROR_TOO_MANY));
            bool found[BOXES][BOXES] = {{false}}, right = count <= BOXES * BOXES;
            for (uint64_t p = 0; p < count && right; p++) {
                right &= !found[pairs[p].a][pairs[p].b];
                found[pairs[p].a][pairs[p].b] = true;
            }
            for (unsigned a = 0; a < BOXES; a++)
                for (unsigned b = 0; b < BOXES && status == ABUT_OK; b++) {
                    double gap = INFINITY;
                    for (int n = -4200; n <= 4200; n++)
                        gap =
                            fmin(gap, fmax((double)low[b] + n - (double)high[a], (double)low[a] - (double)high[b] - n));
                    right &= found[a][b] == (gap <= 0 || sqrt(2) * gap <= (double)reach.within);
                }
            check_that(right, "wide and narrow boxes of %g periods", (double)period[0]);
            abut_index_free(index);
        }
}

/* Points that are many periods apart: so many images are refused, unless that is allowed. */
static void check_spread(void)
{
    static float x[40];
    struct abut_workspace *workspace = NULL;
    CHECK(abut_workspace_new(NULL, &workspace) == ABUT_OK);
    for (unsigned i = 0; i < 40; i++)
        x[i] = i == 0 ? -32 : i == 1 ? 32 : 0.25f;
    for (unsigned is_view = 0; is_view < 2; is_view++) {
        const struct abut_points points = {40, x, x, x}, one = {1, x, x, x};
        const struct abut_set set = abut_of_points(&points);
        struct abut_options options = {.workspace = workspace};
        struct abut_index *index = NULL;
        struct abut_reach reach = {.within = 0.25f, .period = {1, 1, 1}};
        CHECK((is_view ? abut_index_view(set, 1, NULL, NULL, &index) : abut_index_new(set, NULL, NULL, &index)) ==
              ABUT_OK);
        CHECK(found_in(index, set, reach, &options, ABUT_ERROR_TOO_MANY) == 0);
        CHECK(found_in(index, abut_of_points(&one), reach, &options, ABUT_ERROR_TOO_MANY) == 0);
        /* 65 along each axis: more than a round. */
        reach.images = 6900;
        reach.within = is_view ? 0.25f : 0.5f;
        if (!is_view)
            CHECK(found_in(index, abut_of_points(&one), reach, &options, ABUT_OK) == 40);
        reach.images = 6500;
        CHECK(found_in(index, abut_of_points(&one), reach, &options, ABUT_ERROR_TOO_MANY) == 0);
        uint32_t found[40];
        struct abut_neighbours wanted = {.k = 40, .period = {1, 1, 0}};
        const struct abut_neighbours_found out = {.indices = found};
        CHECK(abut_find_neighbours(index, &one, &wanted, &options, &out) == ABUT_ERROR_TOO_MANY);
        wanted.images = 110;
        CHECK(abut_find_neighbours(index, &one, &wanted, &options, &out) == ABUT_OK && found[0] == 0 && found[39] == 1);
        abut_index_free(index);
    }
    CHECK(abut_workspace_bytes(workspace) < 64 << 20);
    abut_workspace_free(workspace);
}

/* Memory with a margin that nothing writes to; one of the allocations moves the queries. */
enum { MARGIN = 1 << 16, MOVED = 500 };
struct moving {
    float *x;
    float to;
    unsigned left; /* allocations before that one */
    bool spoilt;
};

static void *take_and_move(void *context, size_t size)
{
    struct moving *moving = context;
    unsigned char *block = malloc(size + 2 * MARGIN);
    for (size_t i = 0; i < MOVED && moving->left == 0; i++)
        moving->x[i] = moving->to;
    moving->left--;
    memcpy(block, &size, sizeof size);
    memset(block + MARGIN + size, 0xa5, MARGIN);
    return block + MARGIN;
}

static void give_and_look(void *context, void *memory)
{
    struct moving *moving = context;
    unsigned char *block = (unsigned char *)memory - MARGIN;
    size_t size;
    memcpy(&size, block, sizeof size);
    for (size_t i = 0; i < MARGIN; i++)
        moving->spoilt |= block[MARGIN + size + i] != 0xa5;
    free(block);
}

/* Queries that move between the count of their images and the making of these: no more are made than were counted. */
static void check_moving(void)
{
    static float x[MOVED];
    const float ends[2] = {0, 10};
    const struct abut_points items = {2, ends, ends, ends};
    struct abut_index *index = NULL;
    CHECK(abut_index_new(abut_of_points(&items), NULL, NULL, &index) == ABUT_OK);
    for (unsigned i = 0; i < 5 * 6; i++) {
        static const float to[5] = {5.0001f, 0, 10, NAN, 3e38f};
        struct moving moving = {x, to[i % 5], i / 5, false};
        const struct abut_allocator allocator = {take_and_move, give_and_look, &moving};
        const struct abut_options options = {.allocator = &allocator};
        const struct abut_points queries = {MOVED, x, x, x};
        const struct abut_reach reach = {.within = 1, .period = {10, 10, 10}};
        uint64_t count = 0;
        for (unsigned k = 0; k < MOVED; k++)
            x[k] = i % 5 == 0 ? 0 : 5;
        const enum abut_status status =
            abut_join_within(index, abut_of_points(&queries), &reach, &options, NULL, 0, &count);
        CHECK(status == ABUT_OK || (status == ABUT_ERROR_ARGUMENT && i % 5 == 4)); /* moved before it was looked at */
        check_that(!moving.spoilt, "images of queries that move to %g are written beyond their memory",
                   (double)to[i % 5]);
    }
    abut_index_free(index);
}

/* ---- Options mean what they mean at a distance of 0 */

static size_t keep_some(void *context, uint32_t query, uint32_t *items, size_t n)
{
    size_t kept = 0;
    (void)context;
    for (size_t i = 0; i < n; i++)
        if ((query + items[i]) % 3 != 0)
            items[kept++] = items[i];
    return kept;
}

/* The pairs as a matrix of bytes; each comes once. */
static void join_to_matrix(const struct abut_index *index, struct abut_set queries, float within,
                           const struct abut_options *options, unsigned char times_found[MOST][MOST])
{
    static struct abut_pair pairs[MOST * MOST];
    const struct abut_reach reach = {.within = within};
    uint64_t count = 0;
    const enum abut_status status = abut_join_within(index, queries, &reach, options, pairs, MOST * MOST, &count);
    check_that(status == ABUT_OK, "within %g: %s", (double)within, abut_status_text(status));
    for (uint64_t i = 0; i < count; i++)
        times_found[pairs[i].a][pairs[i].b]++;
}

static void check_options(struct random *random)
{
    static const enum shape shapes[] = {shape_point, shape_sphere, shape_aabb};
    static const float distances[] = {0, 1e-30f, 0.25f}, no_periods[3] = {0};
    uint32_t labels[4][MOST];
    for (unsigned i = 0; i < 4 * MOST; i++)
        labels[i / MOST][i % MOST] = random_below(random, 8);
    for (unsigned i = 0; i < 3 * 3 * 3 * 4; i++) {
        static unsigned char all[MOST][MOST], some[MOST][MOST], of_index[MOST][MOST], tiles[MOST][MOST];
        const float within = distances[i % 3];
        struct batch a = make_items(random, shapes[i / 3 % 3], no_periods, i / 27 % 2, MOST);
        struct batch b = make_items(random, shapes[i / 9 % 3], no_periods, i / 27 % 2, MOST);
        union any_batch any_a, any_b;
        struct abut_index *index = NULL, *queries = NULL;
        const struct abut_filter filter = {labels[0], labels[1], labels[2], labels[3], i % 2 ? keep_some : NULL, NULL};
        const struct abut_options skip = {.skip_invalid = true}, filtered = {.filter = &filter};
        a.at[0][3] = NAN;
        CHECK(abut_index_new(set_of(&b, &any_b), NULL, NULL, &index) == ABUT_OK);
        CHECK((i / 54 ? abut_index_view(set_of(&a, &any_a), 1, &skip, NULL, &queries)
                      : abut_index_new(set_of(&a, &any_a), &skip, NULL, &queries)) == ABUT_OK);
        memset(all, 0, sizeof all);
        memset(some, 0, sizeof some);
        memset(of_index, 0, sizeof of_index);
        memset(tiles, 0, sizeof tiles);
        join_to_matrix(index, set_of(&a, &any_a), within, NULL, all);
        join_to_matrix(index, set_of(&a, &any_a), within, &filtered, some);
        join_to_matrix(index, abut_of_index(queries), within, NULL, of_index);
        for (unsigned t = 0; t < 8; t++) {
            struct abut_own own;
            for (unsigned k = 0; k < 3; k++) {
                own.min[k] = t >> k & 1 ? 0.25f : -INFINITY;
                own.max[k] = t >> k & 1 ? INFINITY : 0.25f;
            }
            const struct abut_options owned = {.own = &own};
            join_to_matrix(index, set_of(&a, &any_a), within, &owned, tiles);
        }
        bool right = true;
        for (uint32_t p = 0; p < MOST; p++)
            for (uint32_t q = 0; q < MOST; q++) {
                uint32_t item = q;
                const bool counts = (labels[0][p] & labels[3][q]) != 0 && (labels[2][q] & labels[1][p]) != 0 &&
                                    (!filter.keep || keep_some(NULL, p, &item, 1) == 1);
                right &= some[p][q] == (all[p][q] && counts);
            }
        check_that(right, "a filter, within %g", (double)within);
        check_that(memcmp(all, of_index, sizeof all) == 0, "an index that is searched for, within %g", (double)within);
        check_that(memcmp(all, tiles, sizeof all) == 0, "eight tiles own each pair once, within %g", (double)within);
        abut_index_free(index);
        abut_index_free(queries);
        batch_free(&a);
        batch_free(&b);
    }
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    static const enum shape shapes[] = {shape_point, shape_sphere, shape_aabb};
    static const float distances[] = {0, 0.25f, 1, 0.1f};
    static const float periods[][3] = {{0, 0, 0}, {4, 4, 4}, {1, 3, 0}, {0.3f, 7, 10}};
    struct random random = {options.seed};
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned i = 0; i < 3 * 3 * 4 * 4 * 3; i++) {
            const enum shape query = shapes[i % 3], item = shapes[i / 3 % 3];
            struct abut_reach reach = {.within = distances[i / 9 % 4]};
            memcpy(reach.period, periods[i / 36 % 4], sizeof reach.period);
            check_scene(&random, query, item, &reach, i / 144);
            if (i % 4 == 0 && is_periodic(&reach))
                check_neighbours(&random, item, reach.period, i / 144);
        }
    /* Squares of these distances underflow, all or some. */
    for (int exponent = -145; exponent < -40; exponent += 7) {
        const float period = ldexpf(1, exponent);
        for (unsigned kind = 0; kind < 2; kind++)
            check_neighbours(&random, shape_point, (const float[3]){period, 3 * period, kind ? 2 * period : 0}, kind);
    }
    check_edges(&random);
    check_symmetric();
    check_errors();
    check_large();
    check_wide();
    check_spread();
    check_moving();
    check_options(&random);
    return finish("within");
}
