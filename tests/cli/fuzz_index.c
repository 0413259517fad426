/* SPDX-License-Identifier: MIT */
/*
 * Takes any bytes as two sets of shapes: the first six choose the predicate, instruction set, rule, form of index and
 * sizes, and the others are members. Through the public interface alone, every form of search finds the pairs that a
 * test of all with all finds, each once, and lists of pairs have the same answers.
 * With libFuzzer it searches for bytes that reach new code; without, its own main makes random bytes.
 */
#include "random.h"
#include "relation.h"

#include <abut/index.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stdout, "FAILED: %s:%d: %s\n", __FILE__, __LINE__, #condition);                                    \
            fflush(stdout);                                                                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum { CHOICES = 6, MOST_QUERIES = 24, MOST_ITEMS = 160, MOST_PLANES = 6 };
enum { ORDERED = 1, UPRIGHT = 2, OPEN = 4, VIEW = 8, REFIT = 16 };

/* When the bytes run out they start over, one further. */
struct bytes {
    const uint8_t *at;
    size_t size, used;
    unsigned flags;
};

static unsigned next_byte(struct bytes *bytes)
{
    const size_t used = bytes->used++;
    return (bytes->at[used % bytes->size] + (unsigned)(used / bytes->size)) & 255;
}

/* Mostly one of few numbers, so that shapes touch, or lie in one another; some at the ends of what a float can be. */
static float next_number(struct bytes *bytes)
{
    static const float odd[] = {0x1p-149f, -0.0f, 0x1.000002p0f, 0x1.fffffep-1f, 1e30f, -3e38f, INFINITY, NAN};
    const unsigned first = next_byte(bytes);
    if (first < 224)
        return (float)((int)(first % 64) - 32) / 4;
    if (first < 248)
        return odd[first % 8];
    uint32_t word = 0;
    float number;
    for (unsigned i = 0; i < 4; i++)
        word = word << 8 | next_byte(bytes);
    memcpy(&number, &word, sizeof number);
    return number;
}

static bool is_radius(const char *field)
{
    return strcmp(field, "r") == 0 || field[0] == 'h';
}

/* What most bytes would miss: bounds in order, sizes that are not negative, axes that are a rotation. */
static void make_valid(const struct kind *kind, unsigned flags, float member[MOST_FIELDS])
{
    static const float turned[9] = {0.6f, 0.8f, 0, -0.8f, 0.6f, 0, 0, 0, 1};
    static const float straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (unsigned k = 0; k < 3 && kind->set == ABUT_SET_AABBS; k++)
        if (member[k] > member[k + 3]) {
            const float low = member[k + 3];
            member[k + 3] = member[k];
            member[k] = low;
        }
    for (unsigned k = 0; k < kind->field_count; k++)
        if (is_radius(kind->fields[k]))
            member[k] = fabsf(member[k]) / 4;
    if (kind->set == ABUT_SET_OBBS)
        memcpy(member + 6, flags & UPRIGHT ? straight : turned, sizeof turned);
}

/* Rows of n members, or n hulls of up to six planes each. */
static void make_rows(struct bytes *bytes, const struct kind *kind, size_t n, struct table *table)
{
    const bool hulls = kind->set == ABUT_SET_HULLS;
    const size_t planes = hulls ? 1 + next_byte(bytes) % MOST_PLANES : 1;
    REQUIRE(table_new(table, kind, n * planes) == ABUT_OK);
    for (size_t i = 0; i < n * planes; i++) {
        float member[MOST_FIELDS] = {0};
        for (unsigned k = 0; k < kind->field_count; k++)
            member[k] = next_number(bytes);
        if (bytes->flags & ORDERED)
            make_valid(kind, bytes->flags, member);
        for (unsigned k = 0; k < kind->field_count; k++)
            table->memory[k][i] = member[k];
    }
    table->rows.n = n;
    if (!hulls)
        return;
    table->offsets = malloc((n + 1) * sizeof *table->offsets);
    REQUIRE(table->offsets);
    for (size_t i = 0; i <= n; i++)
        table->offsets[i] = (uint32_t)(i * planes);
    table->rows.offsets = table->offsets;
}

/* An index skips items that the strict check refuses; predicates take some of them as they are. */
static void clear_invalid(struct table *table)
{
    for (size_t i = 0; i < table->rows.n; i++) {
        const struct rows row = rows_slice(&table->rows, i, 1);
        struct abut_invalid invalid;
        if (rows_check(&row, &invalid) == ABUT_ERROR_INVALID)
            for (unsigned k = 0; k < table->kind->field_count; k++)
                table->memory[k][i] = NAN;
    }
}

struct scene {
    struct relation relation; /* of queries and items */
    struct table queries, items;
    union batch query_batch, item_batch;
    struct abut_set query_set, item_set;
    struct abut_options options;
    size_t words; /* of a query's row */
    uint64_t *right;
};

static bool is_hit(const struct scene *scene, const uint64_t *hits, size_t query, size_t item)
{
    return hits[query * scene->words + item / 64] >> item % 64 & 1;
}

/* Every pair is right, and none is there twice; there are as many as there should be. */
static void check_pairs(const struct scene *scene, const struct abut_pair *pairs, uint64_t count, uint64_t right)
{
    static uint64_t found[MOST_ITEMS * (MOST_ITEMS / 64 + 1)];
    memset(found, 0, sizeof found);
    REQUIRE(count == right);
    for (uint64_t i = 0; i < count; i++) {
        const size_t query = pairs[i].a, item = pairs[i].b;
        REQUIRE(query < scene->queries.rows.n && item < scene->items.rows.n);
        REQUIRE(is_hit(scene, scene->right, query, item) && !is_hit(scene, found, query, item));
        found[query * scene->words + item / 64] |= UINT64_C(1) << item % 64;
    }
}

static void check_rows(const struct scene *scene, const struct abut_index *index, uint64_t count)
{
    uint64_t offsets[MOST_ITEMS + 1], any[MOST_ITEMS / 64 + 1] = {0};
    uint32_t counts[MOST_ITEMS], *indices = malloc((count + 1) * sizeof *indices);
    REQUIRE(indices);
    REQUIRE(abut_join_rows(index, scene->query_set, &scene->options, offsets, indices, count) == ABUT_OK);
    REQUIRE(abut_join_counts(index, scene->query_set, &scene->options, counts) == ABUT_OK);
    REQUIRE(abut_join_any(index, scene->query_set, &scene->options, any) == ABUT_OK);
    REQUIRE(offsets[scene->queries.rows.n] == count);
    for (size_t query = 0; query < scene->queries.rows.n; query++) {
        uint64_t at = offsets[query];
        for (uint32_t item = 0; item < scene->items.rows.n; item++)
            if (is_hit(scene, scene->right, query, item))
                REQUIRE(at < offsets[query + 1] && indices[at++] == item);
        REQUIRE(at == offsets[query + 1] && counts[query] == at - offsets[query]);
        REQUIRE((any[query / 64] >> query % 64 & 1) == (counts[query] > 0));
    }
    free(indices);
}

/* The pairs of items with themselves, if the scene has the same items as queries. */
static void check_self(const struct scene *scene, const struct abut_index *index)
{
    static struct abut_pair pairs[MOST_ITEMS * MOST_ITEMS];
    uint32_t all[MOST_ITEMS];
    uint64_t right = 0, count = 0;
    for (size_t a = 0; a < scene->items.rows.n; a++) {
        all[a] = (uint32_t)a;
        for (size_t b = a + 1; b < scene->items.rows.n; b++)
            right += is_hit(scene, scene->right, a, b);
    }
    REQUIRE(abut_self_join(index, &scene->options, pairs, MOST_ITEMS * MOST_ITEMS, &count) == ABUT_OK);
    check_pairs(scene, pairs, count, right);
    for (uint64_t i = 0; i < count; i++)
        REQUIRE(pairs[i].a < pairs[i].b);
    REQUIRE(abut_join_some(index, all, scene->items.rows.n, &scene->options, pairs, MOST_ITEMS * MOST_ITEMS, &count) ==
            ABUT_OK);
    check_pairs(scene, pairs, count, right);
}

/* A list of pairs, in the order that the predicate has. */
static void check_list(const struct scene *scene, struct bytes *bytes)
{
    enum { PAIRS = 70 };
    struct abut_pair pairs[PAIRS];
    uint64_t hits[PAIRS / 64 + 1] = {0};
    const bool swapped = scene->relation.swapped;
    const size_t queries = scene->queries.rows.n, items = scene->items.rows.n;
    for (size_t i = 0; i < PAIRS; i++) {
        const uint32_t query = (uint32_t)(next_byte(bytes) % queries), item = (uint32_t)(next_byte(bytes) % items);
        pairs[i] = (struct abut_pair){swapped ? item : query, swapped ? query : item};
    }
    const struct abut_options rule = {.touch = scene->options.touch};
    REQUIRE(abut_test_pairs(scene->relation.predicate->relation, swapped ? scene->item_set : scene->query_set,
                            swapped ? scene->query_set : scene->item_set, pairs, PAIRS, &rule, hits) == ABUT_OK);
    for (size_t i = 0; i < PAIRS; i++)
        REQUIRE((hits[i / 64] >> i % 64 & 1) ==
                is_hit(scene, scene->right, swapped ? pairs[i].b : pairs[i].a, swapped ? pairs[i].a : pairs[i].b));
}

/* An index of the items, new or a view, perhaps built of others and refit. */
static struct abut_index *make_index(const struct scene *scene, struct bytes *bytes)
{
    static const float paddings[] = {0, 0.01f, 1, 3e38f};
    const float padding = paddings[next_byte(bytes) % 4];
    struct abut_index *index = NULL;
    struct table before;
    union batch batch;
    make_rows(bytes, scene->items.kind, scene->items.rows.n, &before);
    const struct abut_options skip = {.skip_invalid = true};
    const bool refit = bytes->flags & REFIT;
    const struct abut_set first = refit ? rows_set(&before.rows, &batch) : scene->item_set;
    REQUIRE((bytes->flags & VIEW ? abut_index_view(first, padding, &skip, NULL, &index)
                                 : abut_index_new(first, &skip, NULL, &index)) == ABUT_OK);
    if (refit)
        REQUIRE(abut_index_refit(index, scene->item_set, &skip, NULL, NULL) == ABUT_OK);
    table_free(&before);
    return index;
}

static void check_scene(struct scene *scene, struct bytes *bytes, bool self)
{
    const size_t queries = scene->queries.rows.n, items = scene->items.rows.n;
    uint64_t right = 0, count = 0;
    scene->words = abut_mask_words(items);
    scene->right = calloc(queries * scene->words + 1, sizeof *scene->right);
    REQUIRE(scene->right);
    REQUIRE(relation_all(&scene->relation, &scene->queries.rows, &scene->items.rows, scene->options.touch, NULL,
                         scene->right) == ABUT_OK);
    for (size_t query = 0; query < queries; query++)
        right += abut_mask_count(scene->right + query * scene->words, items);
    struct abut_pair *pairs = malloc((right + 1) * sizeof *pairs);
    struct abut_index *index = make_index(scene, bytes);
    REQUIRE(pairs);
    REQUIRE(abut_join(index, scene->query_set, &scene->options, pairs, right, &count) == ABUT_OK);
    check_pairs(scene, pairs, count, right);
    check_rows(scene, index, right);
    if (queries > 0 && items > 0)
        check_list(scene, bytes);
    if (self)
        check_self(scene, index);
    abut_index_free(index);
    free(pairs);
    free(scene->right);
}

/* The predicate of that number among those that can be searched for. Sets whether its a is the index. */
static const struct abut_predicate *choose(unsigned number, bool *swapped)
{
    size_t n, found = 0;
    const struct abut_predicate *predicates = abut_predicates(&n), *chosen = NULL;
    for (unsigned round = 0; round < 2 && !chosen; round++, number %= found ? (unsigned)found : 1, found = 0)
        for (size_t i = 0; i < 2 * n; i++) {
            const struct abut_predicate *predicate = &predicates[i / 2];
            if (!(i % 2 ? predicate->search_swapped : predicate->search))
                continue;
            if (found++ == number && !chosen) {
                chosen = predicate;
                *swapped = i % 2;
            }
        }
    return chosen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= CHOICES)
        return 0;
    struct bytes bytes = {data + CHOICES, size - CHOICES, 0, data[1]};
    struct scene scene = {.options = {.touch = data[1] & OPEN ? ABUT_OPEN : ABUT_CLOSED}};
    unsigned isas = 0;
    while (abut_isas()[isas])
        isas++;
    REQUIRE(abut_use_isa(abut_isas()[data[2] % isas]) == ABUT_OK);
    const struct abut_predicate *predicate = choose(data[0], &scene.relation.swapped);
    REQUIRE(predicate);
    scene.relation.predicate = predicate;
    const bool self = predicate->self && data[3] & 1;
    const enum abut_set_kind query = scene.relation.swapped ? predicate->b : predicate->a;
    /* A search for points in shapes, too, is one for what touches. */
    scene.options.relation = query == ABUT_SET_HULLS ? predicate->relation : ABUT_TOUCHES;
    make_rows(&bytes, &kinds[scene.relation.swapped ? predicate->a : predicate->b], data[4] % (MOST_ITEMS + 1),
              &scene.items);
    clear_invalid(&scene.items);
    if (self)
        scene.queries = scene.items;
    else
        make_rows(&bytes, &kinds[query], data[5] % (MOST_QUERIES + 1), &scene.queries);
    scene.query_set = rows_set(&scene.queries.rows, &scene.query_batch);
    scene.item_set = rows_set(&scene.items.rows, &scene.item_batch);
    check_scene(&scene, &bytes, self);
    if (!self)
        table_free(&scene.queries);
    table_free(&scene.items);
    return 0;
}

/* Random bytes. Returns how many. */
static size_t make_input(struct random *random, uint8_t *data, size_t most)
{
    const size_t size = CHOICES + 1 + random_below(random, (unsigned)most - CHOICES);
    for (size_t k = 0; k < size; k++)
        data[k] = (uint8_t)random_below(random, 256);
    return size;
}

#ifdef ABUT_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Now and then another scene: from nothing, libFuzzer takes long to one that is large enough. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    struct random random = {seed};
    if (most > CHOICES && random_below(&random, 8) == 0)
        return make_input(&random, data, most);
    return LLVMFuzzerMutate(data, size, most);
}
#else
#include "fuzz_limits.h"

int main(int argc, char **argv)
{
    uint8_t data[1024];
    const size_t before = peak_memory();
    const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    struct random random = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    unsigned long i = 0;
    for (; i < rounds; i++) {
        start_clock();
        LLVMFuzzerTestOneInput(data, make_input(&random, data, sizeof data));
    }
    printf("fuzz_index: %lu scenes\n", i);
    return i > 0 && memory_was_enough("fuzz_index", before, sizeof data) ? 0 : 1;
}
#endif
