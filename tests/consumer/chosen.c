/* SPDX-License-Identifier: MIT */
/* Uses a library with the predicates sphere_aabb, capsule_hull and aabb_in_hull alone: others are an error. */
#include <abut/index.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("line %d: %s\n", __LINE__, #condition);                                                             \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

/* Boxes from 0 to 1 and from 3 to 4, and a sphere that touches the second. */
static const float low[] = {0, 3}, high[] = {1, 4}, at[] = {5}, radius[] = {1.75f}, zero[] = {0}, one[] = {1};
static const struct abut_aabbs boxes = {2, low, low, low, high, high, high};
static const struct abut_spheres sphere = {1, at, at, at, radius};
static const struct abut_capsules capsule = {1, at, zero, zero, zero, zero, zero, one};

static void check_list(void)
{
    size_t count;
    const struct abut_predicate *predicates = abut_predicates(&count);
    bool seen = false;
    for (size_t i = 0; i < count; i++) {
        seen |= strcmp(predicates[i].name, "sphere_aabb") == 0;
        CHECK(strcmp(predicates[i].name, "aabb_aabb") != 0);
    }
    CHECK(seen && count == 5);
}

static void check_pairs(void)
{
    uint64_t hits = 8;
    CHECK(abut_spheres_touch_aabbs(&sphere, &boxes, NULL, &hits) == ABUT_OK && hits == 2);
    CHECK(abut_spheres_touch_aabbs_all(&sphere, &boxes, NULL, &hits) == ABUT_OK && hits == 2);
    CHECK(abut_test_exactly(ABUT_TOUCHES, abut_of_spheres(&sphere), abut_of_aabbs(&boxes), NULL, &hits) == ABUT_OK);
    CHECK(hits == 2);
    hits = 8;
    CHECK(abut_aabbs_touch_aabbs(&boxes, &boxes, NULL, &hits) == ABUT_ERROR_PREDICATE && hits == 8);
    CHECK(strstr(abut_status_text(ABUT_ERROR_PREDICATE), "ABUT_PREDICATES left some out") != NULL);
    CHECK(abut_spheres_inside_aabbs(&sphere, &boxes, NULL, &hits) == ABUT_ERROR_PREDICATE && hits == 8);
    uint8_t class;
    CHECK(abut_spheres_classify_aabbs(&sphere, &boxes, NULL, &class) == ABUT_ERROR_PREDICATE);
}

static void check_hulls(void)
{
    static const float normal[] = {1, -1, 0, 0, 0, 0}, y[] = {0, 0, 1, -1, 0, 0}, z[] = {0, 0, 0, 0, 1, -1};
    static const float d[] = {-7, 6, -1, 0, -1, 0};
    static const uint32_t offsets[] = {0, 6};
    const struct abut_hulls box = {1, offsets, normal, y, z, d};
    uint64_t hits = 0;
    CHECK(abut_capsules_touch_hulls(&capsule, &box, NULL, &hits) == ABUT_OK && hits == 1);
    const struct abut_options open = {.touch = ABUT_OPEN};
    CHECK(abut_capsules_touch_hulls(&capsule, &box, &open, &hits) == ABUT_OK && hits == 0);
    struct abut_index *index;
    uint64_t count;
    CHECK(abut_index_new(abut_of_capsules(&capsule), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join(index, abut_of_hulls(&box), NULL, NULL, 0, &count) == ABUT_OK && count == 1);
    abut_index_free(index);
    /* Classes need to know what touches: what no plane culls does not answer in its place. */
    uint8_t classes[2] = {7, 7};
    CHECK(abut_aabbs_cull_hulls(&boxes, &box, NULL, &hits) == ABUT_OK && hits == 0);
    CHECK(abut_aabbs_classify_hulls(&boxes, &box, NULL, classes) == ABUT_ERROR_PREDICATE && classes[0] == 7);
    CHECK(abut_segments_touch_hulls(&(const struct abut_segments){0}, &box, NULL, &hits) == ABUT_ERROR_PREDICATE);
}

static void check_index(void)
{
    struct abut_index *index;
    struct abut_pair pair;
    uint64_t count;
    CHECK(abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) == ABUT_OK);
    CHECK(abut_join(index, abut_of_spheres(&sphere), NULL, &pair, 1, &count) == ABUT_OK);
    CHECK(count == 1 && pair.a == 0 && pair.b == 1);
    CHECK(abut_join(index, abut_of_aabbs(&boxes), NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_self_join(index, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    /* Within a distance, AABBs search as larger AABBs. */
    const struct abut_reach reach = {.within = 1, .period = {100, 100, 100}};
    CHECK(abut_join_within(index, abut_of_aabbs(&boxes), &reach, NULL, NULL, 0, &count) == ABUT_ERROR_PREDICATE);
    CHECK(abut_join_within(index, abut_of_spheres(&sphere), &reach, NULL, NULL, 0, &count) == ABUT_OK && count == 1);
    const struct abut_points point = {1, at, at, at};
    uint32_t nearest;
    CHECK(abut_nearest(index, &point, 1, NULL, &nearest, NULL) == ABUT_OK && nearest == 1);
    abut_index_free(index);
}

int main(void)
{
    check_list();
    check_pairs();
    check_hulls();
    check_index();
    return failures > 0;
}
