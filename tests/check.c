/* SPDX-License-Identifier: MIT */
/*
 * Compares every ISA, native and emulated, with the exact stage, bit for bit: every predicate, entry, kind of input,
 * touch rule and length from 0 to 200, in buffers that begin or end at an unmapped page. Nothing but the hits may be
 * written. Emulated builds of an ISA that also runs natively take a share of the lengths.
 */
#include "batches.h"
#include "contact.h"
#include "guard.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LENGTH = 200, MAX_WORDS = (MAX_LENGTH + 63) / 64, PAD_WORDS = 2 };

/* Rows of hits of the block entry. */
enum { ROWS = 3, MAX_ROWS = ABUT_MAX_HULLS };

/*
 * Scenes of one kind. Each member can be invalid in many ways, and few of them change an answer. The kinds of hulls
 * after kind_many are about rare roundings, of filters, or from kind_sliver on of later stages; they take few lengths.
 */
enum { INVALID_SCENES = 4, HULL_SCENES = 2, RARE_SCENES = 20, SMALL_SHARE = 100 };

static const uint64_t pattern = UINT64_C(0xA5C3F00D5EEDBEEF);

/* One operand of a scene: its items, as they are and twice as columns, after an unmapped page and before one. */
struct operand {
    enum shape shape;
    size_t n;
    bool many; /* has an item for each pair, or one for each row */
    float items[MAX_LENGTH][MAX_MEMBERS];
    struct guarded memory[2][ABUT_MAX_FIELDS];
    struct batch hulls; /* these are prepared before a kernel runs */
};

/* Inputs for one entry, and the exact result for each pair of each row that a call has taken, else ANSWER_UNKNOWN. */
struct scene {
    const struct subject *subject;
    enum entry entry;
    enum kind kind;
    uint64_t seed;
    size_t rows, length;
    struct operand a, b;
    enum answer answers[MAX_ROWS][MAX_LENGTH];
};

static void side_columns(struct operand *side)
{
    if (side->shape == shape_hull) {
        side->hulls = batch_new(side->shape, side->n);
        for (size_t i = 0; i < side->n; i++)
            batch_set(&side->hulls, i, side->items[i]);
        return;
    }
    for (int at_end = 0; at_end < 2; at_end++)
        for (unsigned k = 0; k < shape_info(side->shape)->fields; k++) {
            struct guarded *memory = &side->memory[at_end][k];
            *memory = guarded_new(side->n * sizeof(float), at_end);
            for (size_t i = 0; i < side->n; i++)
                memcpy((float *)memory->at + i, &side->items[i][k], sizeof(float));
        }
}

static void side_free(struct operand *side)
{
    for (int at_end = 0; at_end < 2 && side->shape != shape_hull; at_end++)
        for (unsigned k = 0; k < shape_info(side->shape)->fields; k++)
            guarded_free(&side->memory[at_end][k]);
    if (side->shape == shape_hull)
        batch_free(&side->hulls);
}

/* The items of a side for pair i of a row. */
static float *item_of(struct operand *side, size_t row, size_t i)
{
    return side->items[side->many ? i : row];
}

/* Items for the many side, near the first one of the other side; then those of the other rows. */
static void make_rows(struct scene *scene, struct theme theme, bool alone, struct random *random)
{
    struct operand *rows = scene->a.many ? &scene->b : &scene->a, *many = scene->a.many ? &scene->a : &scene->b;
    const enum free_sides free_many = scene->a.many ? FREE_A : FREE_B, free_rows = scene->a.many ? FREE_B : FREE_A;
    static float a[MAX_MEMBERS], b[MAX_MEMBERS];
    float *row = scene->a.many ? b : a, *one = scene->a.many ? a : b;
    for (size_t i = 0; i < scene->length; i++) {
        if (i == 0 || !alone)
            make_pair(scene->subject, theme, i == 0 ? FREE_BOTH : free_many, random, a, b);
        memcpy(many->items[i], one, sizeof a);
    }
    for (size_t i = 0; i < scene->rows; i++) {
        memcpy(one, many->items[random_below(random, (unsigned)scene->length)], sizeof a);
        if (i > 0)
            make_pair(scene->subject, theme, free_rows, random, a, b);
        memcpy(rows->items[i], row, sizeof a);
    }
}

/* alone: all pairs of a row are the same, so that no other lane of a word is uncertain. */
static void scene_new(struct scene *scene, bool alone, struct random *random)
{
    const struct subject *subject = scene->subject;
    const bool zip = scene->entry == ENTRY_ZIP, block = scene->entry == ENTRY_BLOCK, hulls = of_hulls(subject);
    scene->rows = !block ? 1 : hulls ? MAX_ROWS : ROWS;
    scene->a.shape = subject->shape_a;
    scene->b.shape = subject->shape_b;
    scene->a.many = zip || scene->entry == ENTRY_MANY_ONE || hulls;
    scene->b.many = zip || !scene->a.many;
    scene->a.n = scene->a.many ? scene->length : scene->rows;
    scene->b.n = scene->b.many ? scene->length : scene->rows;
    for (size_t i = 0; i < scene->length && zip; i++)
        make_any_pair(subject, scene->kind, random, scene->a.items[i], scene->b.items[i]);
    if (!zip)
        make_rows(scene, theme_of(scene->kind, random), alone, random);
    for (size_t row = 0; row < scene->rows; row++)
        for (size_t i = 0; i < scene->length; i++)
            scene->answers[row][i] = ANSWER_UNKNOWN;
    side_columns(&scene->a);
    side_columns(&scene->b);
}

static void scene_free(struct scene *scene)
{
    side_free(&scene->a);
    side_free(&scene->b);
}

/* The columns of a side from pair first on, in the copy at that edge of memory. */
static struct columns place(const struct operand *side, size_t first, int at_end)
{
    if (side->shape == shape_hull) {
        struct columns hulls = batch_columns(&side->hulls);
        hulls.offsets += side->many ? first : 0;
        return hulls;
    }
    struct columns columns = {.shape = side->shape, .fields = shape_info(side->shape)->fields, .n = side->n};
    for (unsigned k = 0; k < columns.fields; k++)
        columns.at[k] = (const float *)side->memory[at_end][k].at + (side->many ? first : 0);
    return columns;
}

static void report_pair(struct scene *scene, const char *isa, bool closed, size_t n, size_t row, size_t first, size_t i,
                        bool got)
{
    size_t pair = first + i;
    bool said = check_that(
        false, "%s, %s, %s, %s, %s input: n = %zu, row %zu, pair %zu is a %s, and %s is right; seed %llu",
        scene->subject->name, isa, entry_names[scene->entry], closed ? "closed" : "open", kind_names[scene->kind], n,
        row, i, got ? "hit" : "miss", got ? "a miss" : "a hit", (unsigned long long)scene->seed);
    if (!said)
        print_pair(scene->subject, item_of(&scene->a, row, pair), item_of(&scene->b, row, pair));
}

static bool is_hit(struct scene *scene, bool closed, size_t row, size_t i)
{
    enum answer *answer = &scene->answers[row][i];
    if (*answer == ANSWER_UNKNOWN)
        *answer = exact_answer(scene->subject, item_of(&scene->a, row, i), item_of(&scene->b, row, i));
    return *answer >= (closed ? ANSWER_TOUCH : ANSWER_HIT);
}

static void check_row(struct scene *scene, const char *isa, bool closed, size_t row, size_t first, size_t n,
                      const uint64_t *hits)
{
    const size_t words = (n + 63) / 64;
    uint64_t expected[MAX_WORDS] = {0};
    for (size_t i = 0; i < n; i++)
        expected[i / 64] |= (uint64_t)is_hit(scene, closed, row, first + i) << i % 64;
    if (memcmp(hits, expected, words * sizeof *hits) != 0) {
        for (size_t i = 0; i < n; i++)
            if (hit_at(hits, i) != hit_at(expected, i)) {
                report_pair(scene, isa, closed, n, row, first, i, hit_at(hits, i));
                break;
            }
        check_that(n % 64 == 0 || hits[words - 1] >> n % 64 == 0, "%s, %s, %s: n = %zu: unused bits are set",
                   scene->subject->name, isa, entry_names[scene->entry], n);
    }
    checks_passed(n);
}

/*
 * One call for the n pairs from first on. out has PAD_WORDS words, then the rows of hits with PAD_WORDS words between
 * them, then PAD_WORDS more words unless it ends at an unmapped page.
 */
static void check_call(struct scene *scene, const struct tested *tested, bool closed, size_t first, size_t n,
                       int at_end, uint64_t *out, size_t out_words)
{
    const size_t words = (n + 63) / 64, row_words = words + PAD_WORDS, rows = scene->rows, pairs = rows * n;
    const struct columns a = place(&scene->a, first, at_end), b = place(&scene->b, first, at_end);
    static const size_t expected[3] = {1, 300, SIZE_MAX};
    static unsigned turn;
    struct abut_stats stats = {.pairs = 1000, .undecided = 100, .exact = 10};
    const struct entry_args args = {&a, &b, n, rows, row_words, closed, &stats, expected[turn++ % 3]};
    for (size_t i = 0; i < out_words; i++)
        out[i] = pattern;
    now_testing(scene->subject, tested->name, entry_names[scene->entry], kind_names[scene->kind], n, scene->seed);
    uint64_t *hits = at_end ? out + out_words - (rows - 1) * row_words - words : out + PAD_WORDS;
    run_entry(tested->isa, scene->subject, scene->entry, &args, hits);
    for (size_t row = 0; row < rows; row++)
        check_row(scene, tested->name, closed, row, first, n, hits + row * row_words);
    bool intact = true;
    for (uint64_t *word = out; word < out + out_words; word++) {
        const size_t at = (size_t)(word - hits);
        intact &= (word >= hits && at < rows * row_words && at % row_words < words) || *word == pattern;
    }
    check_that(intact, "%s, %s, %s: n = %zu: words beside the hits were written", scene->subject->name, tested->name,
               entry_names[scene->entry], n);
    check_that(stats.pairs == 1000 + pairs && stats.undecided - 100 <= pairs &&
                   stats.exact - 10 <= stats.undecided - 100,
               "%s, %s, %s: n = %zu: statistics %llu %llu %llu do not add up", scene->subject->name, tested->name,
               entry_names[scene->entry], n, (unsigned long long)stats.pairs, (unsigned long long)stats.undecided,
               (unsigned long long)stats.exact);
}

/* valid() accepts a batch exactly when every shape in it is valid. */
static void check_valid(struct scene *scene, const struct tested *tested, size_t first, size_t n, int at_end)
{
    struct operand *sides[] = {&scene->a, &scene->b};
    for (int s = 0; s < 2; s++) {
        if (n > sides[s]->n || sides[s]->shape == shape_hull)
            continue;
        const struct columns columns = place(sides[s], first, at_end);
        bool all = true;
        for (size_t i = 0; i < n; i++)
            all &= item_valid(columns.shape, sides[s]->items[sides[s]->many ? first + i : i]);
        bool valid = tested->isa->valid[columns.shape](columns.at, n);
        check_that(valid == all, "%s, %s: %zu shapes of %s, %s input: valid says %d; seed %llu", scene->subject->name,
                   tested->name, n, shape_info(columns.shape)->name, kind_names[scene->kind], valid,
                   (unsigned long long)scene->seed);
    }
}

/*
 * Takes one length in share, each at one edge of memory and under one touch rule, and as many single pairs, whose words
 * hold no other uncertain lane. turn changes all of these. few: a word, and the greatest length. Kernels of hulls take
 * at least one item.
 */
static void check_scene(struct scene *scene, unsigned turn, bool few, unsigned step, const struct tested *tested,
                        unsigned n_tested)
{
    const size_t size = PAD_WORDS + scene->rows * (MAX_WORDS + PAD_WORDS);
    struct guarded out[2] = {guarded_new(size * sizeof(uint64_t), 0),
                             guarded_new((size - PAD_WORDS) * sizeof(uint64_t), 1)};
    for (unsigned v = 0; v < n_tested; v++) {
        const size_t share = few ? MAX_LENGTH - 64 : tested[v].build ? step * BUILD_SHARE : step;
        for (size_t n = few ? 64 : turn % share; n <= scene->length; n += share) {
            const int at_end = (n / (few ? 64 : 1) + turn) & 1, closed = (n / (few ? 64 : 1) + turn) >> 1 & 1;
            const size_t first = at_end ? scene->length - n : 0, words = size - (at_end ? PAD_WORDS : 0);
            if (n == 0 && of_hulls(scene->subject))
                continue;
            check_call(scene, &tested[v], closed, first, n, at_end, out[at_end].at, words);
            check_valid(scene, &tested[v], first, n, at_end);
            if (n < scene->length)
                check_call(scene, &tested[v], closed, n, 1, at_end, out[at_end].at, words);
        }
    }
    guarded_free(&out[0]);
    guarded_free(&out[1]);
}

/*
 * With a small share of the lengths come fewer rare scenes, whose exact answers take long under an emulator, and a
 * third of the others.
 */
static unsigned scenes_of(const struct subject *subject, enum kind kind, unsigned step)
{
    if (kind > kind_many && kind < kind_sliver)
        return step < SMALL_SHARE ? RARE_SCENES : RARE_SCENES / 4;
    return kind == kind_invalid ? INVALID_SCENES : of_hulls(subject) ? HULL_SCENES : 1;
}

int main(int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1});
    struct tested tested[MAX_TESTED];
    unsigned n_tested = tested_isas(tested);
    print_isas();
    check_expected(&options);
    for (unsigned round = 0; round < options.rounds; round++) {
        struct random random = {options.seed + round};
        for (unsigned p = 0; p < predicate_count; p++)
            for (enum entry entry = 0; entry < entry_count; entry++)
                for (enum kind kind = 0; kind < kind_count; kind++)
                    for (unsigned i = 0; i < scenes_of(&subjects[p], kind, options.step); i++) {
                        static struct scene scene;
                        struct random of_scene = {random_next(&random)};
                        /* The exact answers of shapes with corners take long: a third of their scenes. */
                        if (takes_long(&subjects[p]) && (kind + entry + p + round) % 3 != 0)
                            continue;
                        if (!takes_long(&subjects[p]) && options.step >= SMALL_SHARE &&
                            (kind + entry + p + round + i) % 3 != 0)
                            continue;
                        if ((options.only != NULL && options.only != &subjects[p]) || !has_kind(&subjects[p], kind) ||
                            !has_entry(&subjects[p], entry))
                            continue;
                        scene = (struct scene){&subjects[p], entry, kind, options.seed + round, .rows = 1};
                        const unsigned turn = kind + i + round;
                        /* With a small share the first length is the only one, and one item more serves alone. */
                        scene.length = kind > kind_many || options.step <= MAX_LENGTH ? MAX_LENGTH : turn + 1;
                        scene_new(&scene, of_hulls(&subjects[p]) && i % 2 == 1, &of_scene);
                        const unsigned isas = isas_apart(&subjects[p], tested, n_tested);
                        const unsigned step = takes_long(&subjects[p]) ? 8 * options.step : options.step;
                        check_scene(&scene, turn, kind > kind_many, step, tested, isas);
                        scene_free(&scene);
                    }
    }
    return finish("check");
}
