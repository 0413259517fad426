/* SPDX-License-Identifier: MIT */
/*
 * Takes any bytes as a file of shapes: the first two choose its name, the kind and other options. Whatever the bytes
 * are, a reader refuses them with a reason, or its rows are valid but for those that it names. Rows that are read in
 * blocks are those that are read at once.
 * With libFuzzer it searches for bytes that reach new code; without, its own main makes files and damages them.
 */
#include "fuzz_files.h"
#include "gzip.h"
#include "input.h"
#include "source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stdout, "FAILED: %s:%d: %s\n", __FILE__, __LINE__, #condition);                                    \
            fflush(stdout);                                                                                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static char folder[4096], plain_name[sizeof folder + 16], obj_name[sizeof folder + 16];

static void remove_files(void)
{
    unlink(plain_name);
    unlink(obj_name);
    rmdir(folder);
}

/* Messages go nowhere; those of sanitizers do not take this way. */
static void prepare(void)
{
    if (*plain_name)
        return;
    const char *temporary = getenv("TMPDIR");
    const int length = snprintf(folder, sizeof folder, "%s/abut-fuzz-XXXXXX", temporary ? temporary : "/tmp");
    REQUIRE(length < (int)sizeof folder && mkdtemp(folder));
    snprintf(plain_name, sizeof plain_name, "%s/file", folder);
    snprintf(obj_name, sizeof obj_name, "%s/file.obj", folder);
    atexit(remove_files);
    stderr = fopen("/dev/null", "w");
    REQUIRE(stderr);
}

/* A new file each time: some file systems wait for the disk when one is cut and written again. */
static void write_file(const char *name, const uint8_t *bytes, size_t size)
{
    unlink(name);
    FILE *file = fopen(name, "w");
    REQUIRE(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static bool same_numbers(const struct table *a, size_t first, const struct table *b)
{
    bool same = true;
    for (unsigned k = 0; k < a->kind->field_count; k++)
        for (size_t i = 0; i < b->rows.n; i++)
            same = same && memcmp(&a->memory[k][first + i], &b->memory[k][i], sizeof(float)) == 0;
    return same;
}

/* Rows in blocks of a few. The first that is unreadable is the same. */
static void check_blocks(const struct source *source, const struct table *whole, size_t unreadable, size_t block)
{
    struct table part;
    size_t first_unreadable = whole->rows.n;
    REQUIRE(table_new(&part, source->kind, block) == ABUT_OK);
    for (size_t i = 0; i < whole->rows.n; i += block) {
        struct problem problem = {0};
        const size_t left = whole->rows.n - i, count = left < block ? left : block;
        size_t at;
        REQUIRE(source->reader->read(source, i, count, &part, &at, &problem, NULL) && part.rows.n == count);
        REQUIRE(same_numbers(whole, i, &part));
        if (at < count && first_unreadable == whole->rows.n)
            first_unreadable = i + at;
    }
    REQUIRE(first_unreadable == unreadable);
    table_free(&part);
}

static bool has_nan(const struct table *table, size_t row)
{
    bool found = false;
    for (unsigned k = 0; k < table->kind->field_count; k++)
        found = found || isnan(table->memory[k][row]);
    return found;
}

static void check_rows(const struct source *source, size_t block)
{
    struct table table;
    struct problem problem = {0};
    struct progress progress = {0};
    size_t unreadable = SIZE_MAX;
    REQUIRE(table_new(&table, source->kind, source->capacity) == ABUT_OK);
    if (source->reader->read(source, 0, source->capacity, &table, &unreadable, &problem, &progress)) {
        REQUIRE(table.rows.n <= source->capacity && unreadable <= table.rows.n);
        REQUIRE(unreadable == table.rows.n || (has_nan(&table, unreadable) && *problem.what));
        for (size_t i = 0; i < table.rows.n; i += 1 + table.rows.n / 4)
            source->reader->locate(source, i, &problem);
        if (source->reader->by_rows)
            check_blocks(source, &table, unreadable, block);
    } else {
        REQUIRE(*problem.what);
    }
    table_free(&table);
}

/* The reader alone. Only a file that is compressed may be refused before it has one. */
static void check_reader(const char *name, bool compressed, const struct kind *kind, size_t block)
{
    struct rounding rounding = {.has_origin = block % 2, .origin = {1, 2, 3}};
    struct source source = {.path = name, .rounding = &rounding};
    struct problem problem = {0};
    rounding_begin(&rounding);
    if (!source_load(&source)) {
        REQUIRE(compressed);
        return;
    }
    if (!source.reader->open(&source, kind, "--kind-a", &problem))
        REQUIRE(*problem.what);
    else if (source.capacity < MOST_BYTES)
        check_rows(&source, block);
    source_unload(&source);
    rounding_free(&rounding);
}

/* All that a command does to read its input: what it accepts is valid, and nothing but NaN is skipped. */
static void check_input(const struct options *options)
{
    struct table table;
    if (input_read(&table, options, 0) != EXIT_DONE)
        return;
    struct abut_invalid invalid;
    const enum abut_status status = rows_check(&table.rows, &invalid);
    REQUIRE(status == ABUT_OK || (status == ABUT_ERROR_INVALID && options->skip_invalid));
    table_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    prepare();
    const char *name = data[0] & 1 ? obj_name : plain_name;
    const unsigned kind = data[1] % (2 * KINDS);
    struct options options = {.input = {name}, .inward = data[0] & 2, .skip_invalid = data[0] & 4};
    options.kind[0] = kind < KINDS ? &kinds[kind] : NULL;
    options.by = (data[0] & 8) ? "g" : NULL;
    write_file(name, data + 2, size - 2);
    check_reader(name, gzip_begins((const char *)data + 2, size - 2), options.kind[0], 1 + (data[0] >> 4));
    check_input(&options);
    return 0;
}

/* Two bytes of options, and a file that suits them as often as not. */
static size_t make_input(struct random *random, uint8_t *data)
{
    const size_t size = fuzz_make(random, (char *)data + 2);
    const bool obj = size > 1 && data[2] == '#';
    data[0] = (uint8_t)((random_below(random, 256) & ~1u) | (random_below(random, 9) ? obj : !obj));
    data[1] = (uint8_t)(random_below(random, 3) ? KINDS : random_below(random, 256));
    return size + 2;
}

#ifdef ABUT_LIBFUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Mutations of the body alone leave its size, so that the lengths and counts of the header hold. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static uint8_t made[MOST_BYTES + 2];
    struct random random = {seed};
    const unsigned way = random_below(&random, 8);
    if (way == 0) {
        size = make_input(&random, made);
        memcpy(data, made, size < most ? size : most);
        return size < most ? size : most;
    }
    if (way < 4 && size > 2) {
        const size_t body = 2 + fuzz_body((const char *)data + 2, size - 2);
        if (body < size)
            LLVMFuzzerMutate(data + body, size - body, size - body);
        return size;
    }
    return LLVMFuzzerMutate(data, size, most);
}
#else
#include "fuzz_limits.h"

int main(int argc, char **argv)
{
    static uint8_t data[MOST_BYTES + 2];
    const size_t before = peak_memory();
    const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    struct random random = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    unsigned long i = 0;
    for (; i < rounds; i++) {
        size_t size = make_input(&random, data);
        if (random_below(&random, 2))
            size = 2 + fuzz_damage(&random, (char *)data + 2, size - 2);
        start_clock();
        LLVMFuzzerTestOneInput(data, size);
    }
    printf("fuzz_readers: %lu files\n", i);
    return i > 0 && memory_was_enough("fuzz_readers", before, MOST_BYTES) ? 0 : 1;
}
#endif
