/* SPDX-License-Identifier: MIT */
/* demo: a generated scene, all its touching pairs, and how fast each instruction set found them. */
#include "cli.h"
#include "kinds.h"
#include "output.h"
#include "pool.h"
#include "progress.h"
#include "random.h"
#include "target.h"

#include <abut/index.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ITEMS = 20000, EXACT = 1000, NEAR_MISSES = 100, BLOCK = 64, MOST_ISAS = 8 };
static const uint64_t seed = 1;

/* Coordinates are multiples of this, so that sums and differences of them are exact. */
static const float grid = 0x1p-15f;

struct scene {
    struct table spheres, boxes;
};

struct result {
    uint64_t hits, exact_hits, plain_wrong;
    struct abut_stats stats;
    double plain_seconds, seconds[MOST_ISAS];
    double build_seconds, join_seconds; /* of the index */
    uint64_t joined;
    unsigned threads;
    bool agree;
};

static float on_grid(struct random *random, float low, float high)
{
    return rintf(random_between(random, low, high) / grid) * grid;
}

static void make_boxes(float *const *box, struct random *random)
{
    for (size_t i = 0; i < ITEMS; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            float centre = on_grid(random, -50, 50), half = on_grid(random, 0.5f, 2);
            box[axis][i] = centre - half;
            box[axis + 3][i] = centre + half;
        }
    }
}

/*
 * The first spheres touch an edge of their box exactly: offsets 3k and 4k, radius 5k. The next miss theirs by less than
 * float64 sees: the radius away on one axis and 2^-40 on another, from a box that ends at 0 there.
 */
static void make_spheres(float *const *sphere, float *const *box, struct random *random)
{
    for (size_t i = 0; i < ITEMS; i++) {
        for (unsigned axis = 0; axis < 3; axis++)
            sphere[axis][i] = on_grid(random, -50, 50);
        sphere[3][i] = on_grid(random, 0.25f, 1);
        if (i >= EXACT + NEAR_MISSES)
            continue;
        sphere[2][i] = box[2][i];
        if (i < EXACT) {
            float k = on_grid(random, 0.1f, 0.4f);
            sphere[0][i] = box[3][i] + 3 * k;
            sphere[1][i] = box[4][i] + 4 * k;
            sphere[3][i] = 5 * k;
        } else {
            box[1][i] -= box[4][i];
            box[4][i] = 0;
            sphere[0][i] = box[3][i] + sphere[3][i];
            sphere[1][i] = 0x1p-40f;
        }
    }
}

static bool make_scene(struct scene *scene)
{
    struct random random = {seed};
    *scene = (struct scene){0};
    if (table_new(&scene->spheres, &kinds[ABUT_SET_SPHERES], ITEMS) != ABUT_OK ||
        table_new(&scene->boxes, &kinds[ABUT_SET_AABBS], ITEMS) != ABUT_OK)
        return false;
    scene->spheres.rows.n = scene->boxes.rows.n = ITEMS;
    make_boxes(scene->boxes.memory, &random);
    make_spheres(scene->spheres.memory, scene->boxes.memory, &random);
    return true;
}

static void free_scene(struct scene *scene)
{
    table_free(&scene->spheres);
    table_free(&scene->boxes);
}

static void test(const struct rows *spheres, const struct rows *boxes, enum abut_touch touch, struct abut_stats *stats,
                 uint64_t *hits)
{
    union batch batch_a, batch_b;
    const struct abut_options options = {.touch = touch, .stats = stats};
    abut_test_all(ABUT_TOUCHES, rows_set(spheres, &batch_a), rows_set(boxes, &batch_b), &options, hits);
}

/* The square of how far c is from an interval. */
static inline float gap2(float c, float min, float max)
{
    const float clipped = c < max ? c : max, nearest = min > clipped ? min : clipped;
    return (c - nearest) * (c - nearest);
}

/* What a program does without the library: the formula in float32. */
static void test_plainly(const struct rows *spheres, size_t i, const struct rows *boxes, uint64_t *hits)
{
    const float *const *s = spheres->at, *const *b = boxes->at;
    const float x = s[0][i], y = s[1][i], z = s[2][i], r = s[3][i];
    for (size_t first = 0; first < boxes->n; first += 64) {
        uint64_t word = 0;
        for (size_t k = first; k < boxes->n && k < first + 64; k++) {
            const float d2 = gap2(x, b[0][k], b[3][k]) + gap2(y, b[1][k], b[4][k]) + gap2(z, b[2][k], b[5][k]);
            word |= (uint64_t)(d2 <= r * r) << (k - first);
        }
        hits[first / 64] = word;
    }
}

/* One block of spheres through everything in turn, so that the machine is in the same state for all. */
static void run_block(struct result *result, const struct rows *spheres, const struct rows *boxes, uint64_t *hits,
                      uint64_t *other)
{
    const char *const *isas = abut_isas();
    size_t words = abut_mask_words(boxes->n), bits = spheres->n * words * 64, bytes = bits / 8;
    test(spheres, boxes, ABUT_OPEN, NULL, hits);
    result->exact_hits -= abut_mask_count(hits, bits);
    for (size_t i = 0; i < MOST_ISAS && isas[i]; i++) {
        uint64_t *mine = i ? other : hits;
        abut_use_isa(isas[i]);
        double start = now();
        test(spheres, boxes, ABUT_CLOSED, i ? NULL : &result->stats, mine);
        result->seconds[i] += now() - start;
        result->agree = result->agree && memcmp(hits, mine, bytes) == 0;
    }
    uint64_t count = abut_mask_count(hits, bits);
    result->hits += count;
    result->exact_hits += count;

    double start = now();
    for (size_t i = 0; i < spheres->n; i++)
        test_plainly(spheres, i, boxes, other + i * words);
    result->plain_seconds += now() - start;
    for (size_t i = 0; i < spheres->n * words; i++)
        other[i] ^= hits[i];
    result->plain_wrong += abut_mask_count(other, bits);
}

static bool run_scene(struct result *result, const struct scene *scene)
{
    size_t words = BLOCK * abut_mask_words(ITEMS);
    uint64_t *hits = calloc(words, sizeof *hits), *other = calloc(words, sizeof *other);
    struct progress progress;
    progress_begin(&progress, "comparing", (double)ITEMS, "spheres", true);
    *result = (struct result){.agree = true};
    for (size_t i = 0; hits && other && i < ITEMS; i += BLOCK) {
        struct rows spheres = rows_slice(&scene->spheres.rows, i, ITEMS - i < BLOCK ? ITEMS - i : BLOCK);
        run_block(result, &spheres, &scene->boxes.rows, hits, other);
        progress_at(&progress, (double)i / ITEMS);
    }
    progress_end(&progress);
    bool done = hits && other;
    free(hits);
    free(other);
    return done;
}

/* The pairs again, through an index. */
static bool run_index(struct result *result, const struct scene *scene)
{
    union batch batch;
    struct pool *pool = pool_new(pool_cores());
    struct abut_index *index = NULL;
    if (!pool)
        return false;
    const struct abut_threads threads = pool_threads(pool);
    const struct abut_options options = {.threads = &threads};
    const double start = now();
    enum abut_status status = abut_index_new(rows_set(&scene->boxes.rows, &batch), &options, NULL, &index);
    const double built = now();
    if (status == ABUT_OK)
        status = abut_join(index, rows_set(&scene->spheres.rows, &batch), &options, NULL, 0, &result->joined);
    result->join_seconds = now() - built;
    result->build_seconds = built - start;
    result->threads = threads.count;
    abut_index_free(index);
    pool_free(pool);
    return status == ABUT_OK;
}

static const char *const file_names[2] = {"spheres.csv", "boxes.csv"};
enum { PATH = 4096 };

/* On false the name is too long, which is reported. */
static bool make_path(char path[PATH], const char *directory, unsigned file)
{
    if (snprintf(path, PATH, "%s/%s", directory, file_names[file]) < PATH)
        return true;
    complain("the name %.40s... is too long", directory);
    return false;
}

/* Makes the directory if it is not there. On false the reason is reported. */
static bool prepare_files(const struct options *options)
{
    const char *directory = options->files;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
        complain("cannot make the directory %s: %s", directory, strerror(errno));
        return false;
    }
    for (unsigned file = 0; file < 2; file++) {
        char path[PATH];
        if (!make_path(path, directory, file))
            return false;
        if (options->output && !target_is_other(path, options->output)) {
            complain("the scene and the report cannot both go to %s", path);
            return false;
        }
    }
    return true;
}

/* A table as a CSV file in the directory. On false the reason is reported. */
static bool write_table(const char *directory, unsigned file, const struct table *table)
{
    struct output output;
    char path[PATH];
    if (!make_path(path, directory, file) || !output_open(&output, path))
        return false;
    for (unsigned k = 0; k < table->kind->field_count; k++)
        output_text(&output, "%s%s", k > 0 ? "," : "", table->kind->fields[k]);
    output_text(&output, "\n");
    for (size_t i = 0; i < table->rows.n; i++)
        for (unsigned k = 0; k < table->kind->field_count; k++)
            output_text(&output, "%.9g%s", (double)table->rows.at[k][i], k + 1 < table->kind->field_count ? "," : "\n");
    return output_close(&output);
}

/* Digits in groups of three. text holds 27 bytes. */
static const char *grouped(char *text, uint64_t value)
{
    char digits[20], *p = text;
    size_t n = output_digits(digits, value);
    for (size_t i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            *p++ = ',';
        *p++ = digits[i];
    }
    *p = '\0';
    return text;
}

static void write_result(struct output *output, const struct result *result)
{
    char a[32], b[32];
    const double pairs = (double)result->stats.pairs;
    const char *const *isas = abut_isas();
    output_text(output, "wrong       plain floats, which round, get %s pairs wrong; abut none\n",
                grouped(a, result->plain_wrong));
    output_text(output, "scene       %s spheres and as many boxes: %s pairs\n", grouped(a, ITEMS),
                grouped(b, result->stats.pairs));
    output_text(output, "touching    %s pairs, of which %s touch exactly\n", grouped(a, result->hits),
                grouped(b, result->exact_hits));
    output_text(output, "decided     %s by the float32 filter\n",
                grouped(a, result->stats.pairs - result->stats.undecided));
    output_text(output, "            %s by the float64 filter\n",
                grouped(a, result->stats.undecided - result->stats.exact));
    output_text(output, "            %s by exact arithmetic\n", grouped(a, result->stats.exact));
    output_text(output, "speed       plain loop  %6.3f ns a pair\n", result->plain_seconds / pairs * 1e9);
    for (size_t i = 0; i < MOST_ISAS && isas[i]; i++)
        output_text(output, "            %-10s  %6.3f ns a pair, %4.1f times the plain loop's speed\n", isas[i],
                    result->seconds[i] / pairs * 1e9, result->plain_seconds / result->seconds[i]);
    output_text(
        output,
        "            index       %6.3f s for all, %.3f s to build it and %.3f s to find the pairs, by %u thread%s\n",
        result->build_seconds + result->join_seconds, result->build_seconds, result->join_seconds, result->threads,
        result->threads == 1 ? "" : "s");
    output_text(output, "agreement   %s\n",
                result->agree ? "all instruction sets and the index give the same pairs" : "INSTRUCTION SETS DIFFER");
}

/* " DIR/spheres.csv DIR/boxes.csv": the name may be longer than a line of output_text. */
static void write_names(struct output *output, const char *directory)
{
    for (unsigned file = 0; file < 2; file++) {
        output_bytes(output, " ", 1);
        output_bytes(output, directory, strlen(directory));
        output_text(output, "/%s", file_names[file]);
    }
}

/* Commands for the scene, or for the files of the user. */
static void write_next(struct output *output, const char *directory)
{
    const char *in = directory ? directory : ".";
    if (!directory)
        output_text(output, "next        abut demo --files .                           # this scene as files\n");
    output_text(output, "%s  abut join", directory ? "next      " : "          ");
    write_names(output, in);
    output_text(output, " -o pairs.csv  # its pairs\n            abut nearest");
    write_names(output, in);
    output_text(output, " --kind-a points -k 3 --distance\n"
                        "            abut help                                     # all commands\n");
}

enum exit_code command_demo(const struct options *options)
{
    struct scene scene;
    struct result result;
    if (options->files && !prepare_files(options))
        return EXIT_FAILED;
    bool done = make_scene(&scene) && run_scene(&result, &scene) && run_index(&result, &scene);
    if (!done)
        complain("%s", abut_status_text(ABUT_ERROR_MEMORY));
    else if (options->files)
        done = write_table(options->files, 0, &scene.spheres) && write_table(options->files, 1, &scene.boxes);
    free_scene(&scene);
    if (!done)
        return EXIT_FAILED;
    result.agree = result.agree && result.joined == result.hits;
    struct output output;
    if (!output_open(&output, options->output))
        return EXIT_FAILED;
    write_result(&output, &result);
    write_next(&output, options->files);
    if (!output_close(&output))
        return EXIT_FAILED;
    return result.agree ? EXIT_DONE : EXIT_FAILED;
}
