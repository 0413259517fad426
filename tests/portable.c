/* SPDX-License-Identifier: MIT */
/*
 * Tests every predicate on every instruction set that runs here against exact arithmetic, and a join against all pairs,
 * with public headers and standard C alone: for systems on which the other tests do not build.
 */
#include <abut/index.h>

#include <stdio.h>
#include <string.h>

enum { ITEMS = 70, COLUMNS = 15, PLANES = 4 };

/* Shapes of all kinds, which share columns of small whole numbers: many touch exactly. */
struct shapes {
    float at[COLUMNS][ITEMS * PLANES];
    uint32_t offsets[ITEMS + 1];
    struct abut_points points;
    struct abut_spheres spheres;
    struct abut_aabbs aabbs;
    struct abut_planes planes;
    struct abut_obbs obbs;
    struct abut_segments segments;
    struct abut_capsules capsules;
    struct abut_triangles triangles;
    struct abut_hulls hulls;
};

static uint32_t next_random(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return *state >> 16;
}

/* n: of all but hulls, which have always all items. */
static void make_shapes(struct shapes *s, size_t n, uint32_t seed)
{
    for (unsigned k = 0; k < COLUMNS; k++)
        for (unsigned i = 0; i < ITEMS * PLANES; i++)
            s->at[k][i] = (float)(next_random(&seed) % 9) - (k < 3 ? 4.0f : 1.0f);
    for (uint32_t i = 0; i <= ITEMS; i++)
        s->offsets[i] = i * PLANES;
    float(*c)[ITEMS * PLANES] = s->at;
    s->points = (struct abut_points){n, c[0], c[1], c[2]};
    s->spheres = (struct abut_spheres){n, c[0], c[1], c[2], c[3]};
    s->aabbs = (struct abut_aabbs){n, c[0], c[1], c[2], c[3], c[4], c[5]};
    s->planes = (struct abut_planes){n, c[0], c[1], c[2], c[3]};
    s->obbs = (struct abut_obbs){n,    c[0], c[1], c[2],  c[3],  c[4],  c[5],  c[6],
                                 c[7], c[8], c[9], c[10], c[11], c[12], c[13], c[14]};
    s->segments = (struct abut_segments){n, c[0], c[1], c[2], c[3], c[4], c[5]};
    s->capsules = (struct abut_capsules){n, c[0], c[1], c[2], c[3], c[4], c[5], c[6]};
    s->triangles = (struct abut_triangles){n, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7], c[8]};
    s->hulls = (struct abut_hulls){ITEMS, s->offsets, c[0], c[1], c[2], c[3]};
}

static struct abut_set set_of(const struct shapes *s, enum abut_set_kind kind)
{
    switch (kind) {
    case ABUT_SET_POINTS:
        return abut_of_points(&s->points);
    case ABUT_SET_SPHERES:
        return abut_of_spheres(&s->spheres);
    case ABUT_SET_AABBS:
        return abut_of_aabbs(&s->aabbs);
    case ABUT_SET_PLANES:
        return abut_of_planes(&s->planes);
    case ABUT_SET_OBBS:
        return abut_of_obbs(&s->obbs);
    case ABUT_SET_SEGMENTS:
        return abut_of_segments(&s->segments);
    case ABUT_SET_CAPSULES:
        return abut_of_capsules(&s->capsules);
    case ABUT_SET_TRIANGLES:
        return abut_of_triangles(&s->triangles);
    default:
        return abut_of_hulls(&s->hulls);
    }
}

static unsigned failures;

static void expect(bool ok, const char *what, const char *isa)
{
    if (!ok) {
        printf("%s on %s is wrong\n", what, isa);
        failures++;
    }
}

/* Item by item, and every item of the one with every item of the other. */
static void test_predicate(const struct abut_predicate *p, const struct shapes *a, const struct shapes *b)
{
    enum { ROW = (ITEMS + 63) / 64 };
    const struct abut_set first = set_of(a, p->a), second = set_of(b, p->b);
    for (int touch = ABUT_CLOSED; touch <= ABUT_OPEN; touch++) {
        const struct abut_options options = {.touch = touch ? ABUT_OPEN : ABUT_CLOSED};
        uint64_t right[ROW] = {0}, hits[ROW] = {0};
        static uint64_t rows[ITEMS * ROW];
        expect(!abut_test_exactly(p->relation, first, second, &options, right), p->name, "exact arithmetic");
        for (const char *const *isa = abut_isas(); *isa; isa++) {
            expect(!abut_use_isa(*isa) && !abut_test(p->relation, first, second, &options, hits), p->name, *isa);
            expect(memcmp(hits, right, sizeof hits) == 0, p->name, *isa);
            expect(!abut_test_all(p->relation, first, second, &options, rows), p->name, *isa);
            bool same = true;
            for (unsigned i = 0; i < ITEMS; i++)
                same &= (rows[i * ROW + i / 64] >> i % 64 & 1) == (right[i / 64] >> i % 64 & 1);
            expect(same, p->function, *isa);
        }
    }
}

static void test_join(const struct shapes *a, const struct shapes *b, const char *isa)
{
    static uint64_t rows[ITEMS * ITEMS / 64 + ITEMS];
    static struct abut_pair pairs[ITEMS * ITEMS];
    const size_t row = abut_mask_words(ITEMS);
    const struct abut_options skip = {.skip_invalid = true};
    struct abut_index *index;
    uint64_t count, want = 0;
    bool right = !abut_use_isa(isa) && !abut_index_new(abut_of_spheres(&b->spheres), &skip, NULL, &index) &&
                 !abut_spheres_touch_spheres_all(&a->spheres, &b->spheres, NULL, rows) &&
                 !abut_join(index, abut_of_spheres(&a->spheres), NULL, pairs, ITEMS * ITEMS, &count);
    for (size_t i = 0; right && i < ITEMS; i++)
        want += abut_mask_count(rows + i * row, ITEMS);
    right = right && want == count && count > 0;
    for (size_t i = 0; right && i < count; i++)
        right = rows[pairs[i].a * row + pairs[i].b / 64] >> pairs[i].b % 64 & 1;
    expect(right, "a join", isa);
    abut_index_free(index);
}

int main(void)
{
    static struct shapes a, b;
    size_t count;
    const struct abut_predicate *predicates = abut_predicates(&count);
    make_shapes(&a, ITEMS, 1);
    make_shapes(&b, ITEMS, 2);
    for (size_t i = 0; i < count; i++)
        test_predicate(&predicates[i], &a, &b);
    for (const char *const *isa = abut_isas(); *isa; isa++)
        test_join(&a, &b, *isa);
    for (const char *const *isa = abut_isas(); *isa; isa++)
        printf("%s ", *isa);
    printf("run here: %u predicates, %u failures\n", (unsigned)count, failures);
    return failures > 0;
}
