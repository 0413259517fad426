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
    CHECK((view ? abut_index_view(set_of(&b, &any_b), 0.25f, NULL, NULL, &index)
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
    const struct abut_reach reach = {0, {100, 100, 100}};
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
    const struct abut_reach wrong[] = {
        {-1, {0}},        {NAN, {0}},        {INFINITY, {0}}, {1, {-1, 0, 0}}, {1, {0, INFINITY, 0}},
        {0, {0, 0, NAN}}, {0, {1e-7f, 0, 0}}};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(abut_join_within(index, query, &wrong[i], NULL, NULL, 0, &count) == ABUT_ERROR_ARGUMENT);
    const struct abut_reach one = {1, {0}}, box = {0, {9, 9, 9}};
    const struct abut_filter filter = {0};
    const struct abut_options filtered = {.filter = &filter};
    CHECK(abut_join_within(index, query, &one, &filtered, NULL, 0, &count) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_join_within(of_all, query, &box, NULL, NULL, 0, &count) == ABUT_ERROR_ARGUMENT);
    CHECK(abut_join_within(of_triangle, query, &box, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_within(index, abut_of_triangles(&triangle), &box, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_within(index, abut_of_planes(&plane), &one, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_within(index, abut_of_index(index), &one, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
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
    return finish("within");
}
