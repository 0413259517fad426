/* SPDX-License-Identifier: MIT */
/* Tests the public headers' promises beside answers: errors, masks, instruction sets, checks, textbook cases. */
#include "api/sets.h"
#include "batches.h"
#include "dispatch/dispatch.h"
#include "options.h"
#include "report.h"
#include <abut/shapes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 8 };

/* Calls both forms with invalid arguments. Fails unless both return the expected error and write nothing. */
static void expect(const struct subject *subject, const struct columns *a, const struct columns *b, int touch,
                   enum abut_status pairs, enum abut_status all, const char *what)
{
    for (int form = 0; form < 2; form++) {
        uint64_t hits[WORDS], untouched[WORDS];
        struct abut_stats stats = {.pairs = 1, .undecided = 2, .exact = 3};
        memset(hits, 0xa5, sizeof hits);
        memset(untouched, 0xa5, sizeof untouched);
        enum abut_status status =
            (form == 0 ? subject->call : subject->call_all)(a, b, OPTIONS((enum abut_touch)touch, &stats), hits);
        check_that(status == (form == 0 ? pairs : all), "%s%s, %s: %s", subject->name, form == 0 ? "" : " of all", what,
                   abut_status_text(status));
        bool writes = status == ABUT_OK && a->n > 0 && b->n > 0;
        check_that(writes || (memcmp(hits, untouched, sizeof hits) == 0 && stats.pairs == 1 && stats.undecided == 2 &&
                              stats.exact == 3),
                   "%s%s, %s: something was written", subject->name, form == 0 ? "" : " of all", what);
    }
}

static void check_lengths(const struct subject *subject, const struct columns *a, const struct columns *b)
{
    static const struct {
        size_t a, b;
        enum abut_status pairs, all;
    } cases[] = {
        {3, 3, ABUT_OK, ABUT_OK},
        {1, 3, ABUT_OK, ABUT_OK},
        {3, 1, ABUT_OK, ABUT_OK},
        {0, 0, ABUT_OK, ABUT_OK},
        {0, 1, ABUT_OK, ABUT_OK},
        {1, 0, ABUT_OK, ABUT_OK},
        {2, 3, ABUT_ERROR_LENGTHS, ABUT_OK},
        {3, 2, ABUT_ERROR_LENGTHS, ABUT_OK},
        {0, 2, ABUT_ERROR_LENGTHS, ABUT_OK},
        {2, 0, ABUT_ERROR_LENGTHS, ABUT_OK},
        {ABUT_MAX_ITEMS + 1, 1, ABUT_ERROR_TOO_MANY, ABUT_ERROR_TOO_MANY},
        {1, ABUT_MAX_ITEMS + 1, ABUT_ERROR_TOO_MANY, ABUT_ERROR_TOO_MANY},
        {SIZE_MAX, SIZE_MAX, ABUT_ERROR_TOO_MANY, ABUT_ERROR_TOO_MANY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct columns of_a = *a, of_b = *b;
        of_a.n = cases[i].a;
        of_b.n = cases[i].b;
        expect(subject, &of_a, &of_b, ABUT_CLOSED, cases[i].pairs, cases[i].all, "lengths");
    }
}

/* An error in the last hull alone is found before anything is written. */
static void check_offsets(const struct subject *subject, struct columns a, struct columns b)
{
    static const uint32_t empty[] = {0, 1, 2, 2}, turned[] = {0, 2, 1, 2}, large[] = {0, 1, 2, 3 + ABUT_MAX_PLANES};
    const uint32_t *const wrong[] = {empty, turned, large};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        b.offsets = wrong[i];
        expect(subject, &a, &b, ABUT_CLOSED, ABUT_ERROR_ARGUMENT, ABUT_ERROR_ARGUMENT, "offsets");
    }
}

static void check_arguments(const struct subject *subject)
{
    struct random random = {8};
    struct batch batch_a, batch_b;
    batches_of_pairs(subject, of_hulls(subject) ? kind_cut : kind_uniform, &random, 3, &batch_a, &batch_b);
    const struct columns a = batch_columns(&batch_a), b = batch_columns(&batch_b), none = {0};
    check_lengths(subject, &a, &b);
    expect(subject, &a, &b, 2, ABUT_ERROR_ARGUMENT, ABUT_ERROR_ARGUMENT, "touch rule 2");
    expect(subject, &a, &b, -1, ABUT_ERROR_ARGUMENT, ABUT_ERROR_ARGUMENT, "touch rule -1");
    expect(subject, &none, &none, ABUT_OPEN, ABUT_OK, ABUT_OK, "no items and no arrays");
    for (int side = 0; side < 2; side++)
        for (unsigned k = 0; k < (side == 0 ? batch_a : batch_b).fields; k++) {
            struct columns null_a = a, null_b = b;
            (side == 0 ? &null_a : &null_b)->at[k] = NULL;
            expect(subject, &null_a, &null_b, ABUT_CLOSED, ABUT_ERROR_NULL, ABUT_ERROR_NULL, "a null array");
        }
    if (of_hulls(subject))
        check_offsets(subject, a, b);
    CHECK(subject->call(&a, &b, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(subject->call_all(&a, &b, NULL, NULL) == ABUT_ERROR_NULL);
    CHECK(subject->call(&none, &none, NULL, NULL) == ABUT_OK);
    CHECK(subject->call_all(&none, &none, NULL, NULL) == ABUT_OK);
    batch_free(&batch_a);
    batch_free(&batch_b);
}

static void check_null_batches(void)
{
    uint64_t hits = 0;
#define PREDICATE(name, shape_a, shape_b, relation, function)                                                          \
    {                                                                                                                  \
        const shape_a##_batch a = {0};                                                                                 \
        const shape_b##_batch b = {0};                                                                                 \
        CHECK(function(NULL, &b, NULL, &hits) == ABUT_ERROR_NULL);                                                     \
        CHECK(function(&a, NULL, NULL, &hits) == ABUT_ERROR_NULL);                                                     \
        CHECK(function##_all(NULL, &b, NULL, &hits) == ABUT_ERROR_NULL);                                               \
        CHECK(function##_all(&a, NULL, NULL, &hits) == ABUT_ERROR_NULL);                                               \
    }
#include "tables/predicates.def"
}

static void check_mask(const uint64_t *mask, size_t n, struct random *random)
{
    uint32_t expected[256], listed[256];
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (hit_at(mask, i))
            expected[count++] = (uint32_t)i;
    check_that(abut_mask_words(n) == (n + 63) / 64, "words of %zu bits", n);
    check_that(abut_mask_count(mask, n) == count, "count of %zu bits", n);
    check_that(abut_mask_any(mask, n) == (count > 0), "any of %zu bits", n);
    check_that(abut_mask_all(mask, n) == (count == n), "all of %zu bits", n);
    const size_t capacities[] = {0, count, count + 1, random_below(random, (unsigned)count + 1)};
    for (unsigned c = 0; c < 4; c++) {
        size_t filled = capacities[c] < count ? capacities[c] : count;
        memset(listed, 0xee, sizeof listed);
        check_that(abut_mask_list(mask, n, listed, capacities[c]) == count, "length of the list of %zu bits", n);
        check_that(memcmp(listed, expected, filled * sizeof *listed) == 0, "list of %zu bits", n);
        check_that(listed[filled] == 0xeeeeeeee, "list of %zu bits: written beyond %zu", n, filled);
    }
}

static void check_masks(void)
{
    struct random random = {9};
    for (size_t n = 0; n <= 200; n++)
        for (unsigned density = 0; density < 4; density++) {
            uint64_t mask[4] = {0};
            for (size_t i = 0; i < n; i++) {
                bool set = density == 3 || random_below(&random, 8) < 3 * density;
                mask[i / 64] |= (uint64_t)set << i % 64;
            }
            check_mask(mask, n, &random);
            if (n > 0) { /* all bits but one, at a random place */
                memset(mask, 0xff, sizeof mask);
                mask[n / 64] = n % 64 == 0 ? 0 : (UINT64_C(1) << n % 64) - 1;
                size_t gap = random_below(&random, (unsigned)n);
                mask[gap / 64] ^= UINT64_C(1) << gap % 64;
                check_mask(mask, n, &random);
            }
        }
    CHECK(!abut_mask_any(NULL, 0) && abut_mask_all(NULL, 0) && abut_mask_count(NULL, 0) == 0);
    CHECK(abut_mask_list(NULL, 0, NULL, 0) == 0);
    const uint64_t two[] = {3, 0};
    uint32_t listed[] = {8, 8};
    CHECK(!abut_mask_any(NULL, 65) && !abut_mask_all(NULL, 65) && !abut_mask_all(NULL, 1));
    CHECK(abut_mask_count(NULL, 65) == 0 && abut_mask_list(NULL, 65, listed, 2) == 0 && listed[0] == 8);
    CHECK(abut_mask_list(two, 65, NULL, 2) == 2);
    CHECK(abut_mask_words(SIZE_MAX) == SIZE_MAX / 64 + 1);
}

static void check_isas(void)
{
    static const char *const known[] = {
#define INSTRUCTION_SET(name, processor, flags) #name,
#include "tables/isas.def"
    };
    const char *const *isas = abut_isas();
    size_t n = 0, here = 0;
    check_that(strcmp(abut_isa(), isas[0]) == 0, "%s is active from the start, %s is the best", abut_isa(), isas[0]);
    while (isas[n] != NULL)
        n++;
    check_that(strcmp(isas[n - 1], "scalar") == 0, "the last of the list is %s", isas[n - 1]);
    for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
        bool listed = false;
        for (size_t i = 0; i < n; i++)
            listed |= strcmp(isas[i], known[k]) == 0;
        here += listed;
        const char *before = abut_isa();
        check_that(abut_use_isa(known[k]) == (listed ? ABUT_OK : ABUT_ERROR_ISA), "use of %s", known[k]);
        check_that(strcmp(abut_isa(), listed ? known[k] : before) == 0, "%s is active after use of %s", abut_isa(),
                   known[k]);
    }
    CHECK(here == n);
    const char *before = abut_isa();
    CHECK(abut_use_isa(NULL) == ABUT_ERROR_NULL);
    CHECK(abut_use_isa("") == ABUT_ERROR_ARGUMENT);
    CHECK(abut_use_isa("AVX2") == ABUT_ERROR_ARGUMENT);
    CHECK(abut_use_isa("scala") == ABUT_ERROR_ARGUMENT);
    CHECK(abut_use_isa("scalar ") == ABUT_ERROR_ARGUMENT);
    CHECK(strcmp(abut_isa(), before) == 0);
    CHECK(abut_use_isa(isas[0]) == ABUT_OK);
}

/* A batch goes to the widest native kernels that are no wider than the active ones and whose vectors it fills. */
static void check_short_batches(void)
{
    const struct isa *const *natives = abut_native_isas();
    for (size_t active = 0; natives[active] != NULL; active++) {
        CHECK(abut_use_isa(natives[active]->name) == ABUT_OK);
        CHECK(abut_isa_for(0) == natives[active]);
        for (size_t n = 1; n < 70; n++) {
            size_t best = active;
            while (natives[best]->width > n)
                best++;
            check_that(abut_isa_for(n) == natives[best], "%s is active, and %zu pairs go to %s", natives[active]->name,
                       n, abut_isa_for(n)->name);
        }
    }
    CHECK(abut_use_isa(natives[0]->name) == ABUT_OK);
}

static void check_texts(void)
{
    CHECK(strcmp(abut_version(), ABUT_VERSION) == 0);
    const char *texts[ABUT_ERROR_STOPPED + 2];
    for (int status = 0; status <= ABUT_ERROR_STOPPED + 1; status++) {
        texts[status] = abut_status_text((enum abut_status)status);
        CHECK(texts[status] != NULL && texts[status][0] != '\0' && strchr(texts[status], '.') == NULL);
        for (int other = 0; other < status; other++)
            check_that(strcmp(texts[status], texts[other]) != 0, "statuses %d and %d have one text", status, other);
    }
    CHECK(abut_status_text((enum abut_status) - 1) != NULL);
}

/* Functions without a status make nothing of a null argument. */
static void check_null_makers(void)
{
    static const float zeros[3], ones[3] = {1, 1, 1}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, edges[3][3], matrix[16];
    static const float at[] = {0, 1, 0, 0};
    static const struct abut_camera camera;
    float planes[ABUT_MAX_PLANES][4] = {{8}}, box[15] = {8};
    CHECK(!abut_plane_normal(NULL, x, planes[0]) && !abut_plane_normal(zeros, NULL, planes[0]));
    CHECK(!abut_plane_normal(zeros, x, NULL));
    CHECK(!abut_plane_points(NULL, x, y, planes[0]) && !abut_plane_points(zeros, NULL, y, planes[0]));
    CHECK(!abut_plane_points(zeros, x, NULL, planes[0]) && !abut_plane_points(zeros, x, y, NULL));
    CHECK(abut_hull_aabb(NULL, ones, planes) == 0 && abut_hull_aabb(zeros, NULL, planes) == 0);
    CHECK(abut_hull_aabb(zeros, ones, NULL) == 0);
    CHECK(abut_hull_box(NULL, edges, planes) == 0 && abut_hull_box(zeros, NULL, planes) == 0);
    CHECK(abut_hull_box(zeros, edges, NULL) == 0);
    CHECK(abut_hull_of_points(NULL, planes) == 0);
    CHECK(abut_hull_of_points(&(struct abut_points){4, at, at, NULL}, planes) == 0);
    CHECK(abut_hull_of_points(&(struct abut_points){4, at, at, at}, NULL) == 0);
    CHECK(abut_frustum_from_matrix(NULL, ABUT_ROW_VECTORS, ABUT_DEPTH_0_1, planes) == 0);
    CHECK(abut_frustum_from_matrix(matrix, ABUT_ROW_VECTORS, ABUT_DEPTH_0_1, NULL) == 0);
    CHECK(abut_frustum_from_camera(NULL, planes) == 0 && abut_frustum_from_camera(&camera, NULL) == 0);
    CHECK(!abut_obb_from_affine(NULL, ABUT_ROW_VECTORS, zeros, ones, box));
    CHECK(!abut_obb_from_affine(matrix, ABUT_ROW_VECTORS, NULL, ones, box));
    CHECK(!abut_obb_from_affine(matrix, ABUT_ROW_VECTORS, zeros, NULL, box));
    CHECK(!abut_obb_from_affine(matrix, ABUT_ROW_VECTORS, zeros, ones, NULL));
    CHECK(planes[0][0] == 8 && box[0] == 8);
}

static void check_corners(void)
{
    struct random random = {11};
    struct batch sphere, boxes;
    batches_of_pairs(&subjects[predicate_sphere_aabb], kind_invalid, &random, 500, &sphere, &boxes);
    struct batch sorted = batch_copy(&boxes, 0, boxes.n);
    CHECK(abut_aabbs_sort_corners(boxes.n, sorted.at) == ABUT_OK);
    for (size_t i = 0; i < boxes.n; i++)
        for (unsigned k = 0; k < 3; k++) {
            bool swapped = boxes.at[k][i] > boxes.at[3 + k][i];
            check_that(memcmp(&sorted.at[k][i], &boxes.at[swapped ? 3 + k : k][i], sizeof(float)) == 0 &&
                           memcmp(&sorted.at[3 + k][i], &boxes.at[swapped ? k : 3 + k][i], sizeof(float)) == 0,
                       "sorted corners of box %zu, axis %u", i, k);
        }
    CHECK(abut_aabbs_sort_corners(0, (float *const[6]){0}) == ABUT_OK);
    CHECK(abut_aabbs_sort_corners(1, (float *const[6]){0}) == ABUT_ERROR_NULL);
    CHECK(abut_aabbs_sort_corners(0, NULL) == ABUT_ERROR_NULL);
    CHECK(abut_aabbs_sort_corners(ABUT_MAX_ITEMS + 1, sorted.at) == ABUT_ERROR_TOO_MANY);
    batch_free(&sphere);
    batch_free(&boxes);
    batch_free(&sorted);
}

/* Cases from textbooks and from their readers' questions. */
static void check_textbook(void)
{
    float minx[] = {-2, 2, 1, 5}, miny[] = {-2, 1, 0, 5}, minz[] = {-2, 2, 1, 5};
    float maxx[] = {-1, 4, 0, -5}, maxy[] = {-1, 3, -1, -5}, maxz[] = {-1, 4, 0, -5};
    const float x = 1, y = 0, z = 1, r = 2;
    const struct abut_spheres sphere = {1, &x, &y, &z, &r};
    const struct abut_aabbs boxes = {4, minx, miny, minz, maxx, maxy, maxz};
    uint64_t hits;
    CHECK(abut_spheres_touch_aabbs(&sphere, &boxes, NULL, &hits) == ABUT_OK && hits == 2);
    CHECK(abut_aabbs_sort_corners(4, (float *const[]){minx, miny, minz, maxx, maxy, maxz}) == ABUT_OK);
    CHECK(abut_spheres_touch_aabbs(&sphere, &boxes, NULL, &hits) == ABUT_OK && hits == 14);

    const float centre_x[] = {3, 4}, centre[] = {1, 1}, radius[] = {1.1f, 1.1f}, zero = 0, two = 2;
    const struct abut_aabbs box = {1, &zero, &zero, &zero, &two, &two, &two};
    const struct abut_spheres spheres = {2, centre_x, centre, centre, radius};
    CHECK(abut_spheres_touch_aabbs(&spheres, &box, NULL, &hits) == ABUT_OK && hits == 1);

    /* Flat boxes: one cuts the box, one lies in its face; the first touches itself under the closed rule alone. */
    const float low_z[] = {1, 2}, zeros[] = {0, 0}, twos[] = {2, 2};
    const struct abut_aabbs flat = {2, zeros, zeros, low_z, twos, twos, low_z},
                            first = {1, zeros, zeros, low_z, twos, twos, low_z};
    CHECK(abut_aabbs_touch_aabbs(&box, &flat, NULL, &hits) == ABUT_OK && hits == 3);
    CHECK(abut_aabbs_touch_aabbs(&box, &flat, OPTIONS(ABUT_OPEN, NULL), &hits) == ABUT_OK && hits == 1);
    CHECK(abut_aabbs_touch_aabbs(&first, &first, NULL, &hits) == ABUT_OK && hits == 1);
    CHECK(abut_aabbs_touch_aabbs(&first, &first, OPTIONS(ABUT_OPEN, NULL), &hits) == ABUT_OK && hits == 0);
}

/* The squared distance is less than the squared radius by so little that a fused sum underflows to -0. */
static void check_underflow(void)
{
    const float x = -0x1.759854p-76f, y = 0x1.0631eap-82f, z = -0x1.59a1dp-72f, r = 0x1.f413d8p-72f;
    const float minx[] = {0x1.995eb2p-74f, 0x1.995eb2p-74f}, maxx[] = {0x1.8eeeb4p-73f, 0x1.8eeeb4p-73f};
    const float miny[] = {-0x1.521a46p-75f, -0x1.521a46p-75f}, maxy[] = {0x1.98c46p-73f, 0x1.98c46p-73f};
    const float minz[] = {0x1.e0d4bap-74f, 0x1.e0d4bap-74f}, maxz[] = {0x1.66e6e8p-73f, 0x1.66e6e8p-73f};
    const struct abut_spheres sphere = {1, &x, &y, &z, &r};
    const struct abut_aabbs boxes = {2, minx, miny, minz, maxx, maxy, maxz};
    uint64_t hits;
    CHECK(abut_spheres_touch_aabbs(&sphere, &boxes, OPTIONS(ABUT_OPEN, NULL), &hits) == ABUT_OK && hits == 3);
}

/*
 * Points whose distance from the centre is close to the radius. A float32 sum that starts at -radius^2 is off by more
 * than 4 * 2^-24 of radius^2: in the last two rows the fused sum. Rational arithmetic gave the answers.
 */
static void check_cancellation(void)
{
    static const struct {
        float sphere[4], point[3];
        bool inside;
    } cases[] = {
        {{-0x1.705feep-4f, -0x1.2321cp-6f, -0x1.044776p-4f, 0x1.1b61aap+0f},
         {-0x1.29ca4cp-2f, -0x1.1b081p+0f, -0x1.aaa1c2p-4f},
         false},
        {{-0x1.59b666p-3f, 0x1.1076e8p-3f, -0x1.c8df58p-2f, 0x1.27c18cp+0f},
         {-0x1.b6f4ep-8f, -0x1.01330ep+0f, -0x1.4fa50ap-2f},
         true},
        {{-0x1.c5119ep-4f, -0x1.16016p-5f, -0x1.8a9c1p-6f, 0x1.17e25ep+0f},
         {-0x1.b49b96p-4f, -0x1.181e3cp+0f, -0x1.29b5aep-2f},
         false},
        {{-0x1.5b947ep-2f, -0x1.f02f4ap-4f, 0x1.af51b4p-2f, 0x1.21a7c6p+0f},
         {-0x1.bbff58p-2f, -0x1.565ed8p-7f, 0x1.8b161p+0f},
         true},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const float *s = cases[i].sphere, *p = cases[i].point;
        const float x[] = {p[0], p[0]}, y[] = {p[1], p[1]}, z[] = {p[2], p[2]};
        const struct abut_points points = {2, x, y, z};
        const struct abut_spheres sphere = {1, &s[0], &s[1], &s[2], &s[3]};
        uint64_t hits;
        CHECK(abut_points_inside_spheres(&points, &sphere, NULL, &hits) == ABUT_OK);
        check_that(hits == (cases[i].inside ? 3u : 0u), "cancellation %u", i);
    }
}

int main(int argc, char **argv)
{
    read_options(argc, argv, (struct options){.rounds = 1});
    check_isas();
    check_short_batches();
    for (const char *const *isa = abut_isas(); *isa != NULL; isa++) {
        CHECK(abut_use_isa(*isa) == ABUT_OK);
        for (unsigned p = 0; p < predicate_count; p++)
            check_arguments(&subjects[p]);
        check_textbook();
        check_underflow();
        check_cancellation();
    }
    check_null_batches();
    check_masks();
    check_null_makers();
    check_texts();
    check_corners();
    return finish("api");
}
