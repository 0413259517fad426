/* SPDX-License-Identifier: MIT */
/* Files into memory, through the readers of CSV and meshes and the strict checks. */
#include "input.h"

#include "csv.h"
#include "hulls.h"
#include "mesh.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for a line feed and a zero byte behind the text. */
enum { SLACK = 2, FIRST_SIZE = 1 << 16 };

static bool read_all(int fd, char **text, size_t *size)
{
    struct stat status;
    size_t capacity = FIRST_SIZE;
    if (fstat(fd, &status) == 0 && status.st_size >= FIRST_SIZE)
        capacity = (size_t)status.st_size + 1 + SLACK;
    char *buffer = malloc(capacity);
    size_t used = 0;
    while (buffer) {
        ssize_t got = read(fd, buffer + used, capacity - SLACK - used);
        if (got == 0) {
            *text = buffer;
            *size = used;
            return true;
        }
        if (got < 0 && errno != EINTR)
            break;
        used += got > 0 ? (size_t)got : 0;
        if (used == capacity - SLACK) {
            char *larger = capacity <= SIZE_MAX / 2 ? realloc(buffer, capacity * 2) : NULL;
            if (!larger)
                break;
            buffer = larger;
            capacity *= 2;
        }
    }
    int error = errno;
    free(buffer);
    errno = error;
    return false;
}

/* The whole file, and behind it a zero byte and room for another. */
static char *load(const char *path, size_t *size)
{
    char *text = NULL;
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY);
    bool done = fd >= 0 && read_all(fd, &text, size);
    if (!done)
        complain("cannot read %s: %s", path, strerror(errno));
    if (fd >= 0 && !standard)
        close(fd);
    if (!done)
        return NULL;
    text[*size] = '\0';
    return text;
}

/* CSV ends in a line feed unless it is empty. */
static void end_last_line(char *text, size_t *size)
{
    if (*size > 0 && text[*size - 1] != '\n')
        text[(*size)++] = '\n';
    text[*size] = '\0';
}

/* Binary files have no lines. */
static void report(const char *path, const struct problem *problem, size_t more)
{
    fprintf(stderr, problem->line ? "%s:%zu: " : "%s: ", path, problem->line);
    if (problem->column)
        fprintf(stderr, "%s: ", problem->column);
    fputs(problem->what, stderr);
    if (more)
        fprintf(stderr, " (and %zu more bad row%s)", more, more == 1 ? "" : "s");
    fputc('\n', stderr);
}

/* The reader's first bad row, or an earlier one that only the shape's own rules refuse. */
static enum exit_code judge_rows(const struct csv *csv, struct table *table, size_t unreadable, struct problem *problem,
                                 const char *path, const struct options *options)
{
    struct abut_bad bad;
    enum abut_status status = table->kind->check(&table->rows, &bad);
    if (status == ABUT_OK)
        return EXIT_DONE;
    if (status != ABUT_ERROR_BAD_INPUT) {
        complain("%s: %s", path, abut_status_text(status));
        return EXIT_FAILED;
    }
    if (options->skip_bad) { /* unreadable rows are NaN, and what the check refuses is a miss to every kernel */
        if (!options->quiet)
            complain("%s: skipped %zu bad row%s", path, bad.count, bad.count == 1 ? "" : "s");
        return EXIT_DONE;
    }
    if (bad.row < unreadable) {
        problem->line = csv_line_of(csv, bad.row);
        problem->column = bad.field;
        snprintf(problem->what, sizeof problem->what, "%s", bad.what);
    }
    report(path, problem, bad.count - 1);
    return EXIT_FAILED;
}

/* After the check of its planes. A hull of too many planes is one more bad row. */
static enum exit_code gather_hulls(const struct csv *csv, struct table *table, const char *path,
                                   const struct options *options)
{
    size_t rows = table->rows.n, excess = rows;
    if (options->by) {
        complain("--by does not go with hulls, whose rows are planes");
        return EXIT_USAGE;
    }
    enum abut_status status = hulls_from_planes(table, options->inward, &excess);
    if (status != ABUT_OK) {
        complain("%s: %s", path, abut_status_text(status));
        return EXIT_FAILED;
    }
    if (excess == rows || options->skip_bad)
        return EXIT_DONE;
    struct problem problem = {csv_line_of(csv, excess), "volume", "has more than 32 planes"};
    report(path, &problem, 0);
    return EXIT_FAILED;
}

/* What the kernels take, from what the file has. */
static void convert(struct table *table, const struct kind *kind, const struct options *options)
{
    if (kind == &quaternion_obbs) {
        const float *const quaternions[] = {table->memory[6], table->memory[7], table->memory[8], table->memory[9]};
        abut_obbs_axes_from_quaternions(table->rows.n, quaternions, table->memory + 6);
    }
    if (kind == &kinds[shape_plane] && options->inward)
        for (unsigned k = 0; k < kind->field_count; k++)
            for (size_t i = 0; i < table->rows.n; i++)
                table->memory[k][i] = -table->memory[k][i];
}

static bool label_rows(struct table *table, const struct csv *csv, struct labels *labels, const char *column,
                       const char *path)
{
    struct problem problem;
    table->labels = malloc((table->rows.n + 1) * sizeof *table->labels);
    if (!table->labels) {
        complain("%s: %s", path, abut_status_text(ABUT_ERROR_MEMORY));
        return false;
    }
    if (csv_label(csv, column, labels, table->labels, &problem))
        return true;
    report(path, &problem, 0);
    return false;
}

static enum exit_code read_table(struct table *table, const struct csv *csv, const struct kind *kind, const char *path,
                                 const struct options *options, struct labels *labels)
{
    const struct kind *stored = kind == &quaternion_obbs ? &kinds[shape_obb] : kind;
    enum abut_status status = table_new(table, stored, csv_capacity(csv));
    if (status != ABUT_OK) {
        complain("%s: %s", path, abut_status_text(status));
        return EXIT_FAILED;
    }
    table->kind = kind;
    struct progress progress;
    progress_begin(&progress, path, !options->quiet);
    const struct csv_observer observer = {progress_at, &progress};
    struct problem problem;
    size_t unreadable;
    csv_read(csv, table, &unreadable, &problem, &observer);
    progress_end(&progress);
    table->kind = stored;
    convert(table, kind, options);
    enum exit_code code = judge_rows(csv, table, unreadable, &problem, path, options);
    if (code == EXIT_DONE && options->by && !label_rows(table, csv, labels, options->by, path))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && kind == &kinds[KIND_HULLS])
        code = gather_hulls(csv, table, path, options);
    if (code != EXIT_DONE)
        table_free(table);
    return code;
}

/* Meshes are triangles; what is wrong with one is never skipped. */
static enum exit_code read_mesh(struct table *table, const char *text, size_t size, const struct options *options,
                                unsigned index)
{
    const char *path = options->input[index];
    const struct kind *kind = options->kind[index];
    struct problem problem;
    if (options->by || (kind && kind != &kinds[shape_triangle])) {
        complain(options->by ? "--by does not go with %s, a mesh" : "%s is a mesh: its kind is triangles", path);
        return EXIT_USAGE;
    }
    if (mesh_read_table(table, text, size, &problem))
        return EXIT_DONE;
    report(path, &problem, 0);
    return EXIT_FAILED;
}

static enum exit_code read_csv(struct table *table, char *text, size_t size, const struct options *options,
                               unsigned index, struct labels *labels)
{
    const char *path = options->input[index];
    struct csv csv;
    struct problem problem;
    const struct kind *kind = NULL;
    end_last_line(text, &size);
    if (csv_open(&csv, text, size, &problem))
        kind = csv_find_kind(&csv, options->kind[index], index ? "--kind-b" : "--kind-a", &problem);
    enum exit_code code = EXIT_FAILED;
    if (kind)
        code = read_table(table, &csv, kind, path, options, labels);
    else
        report(path, &problem, 0);
    csv_close(&csv);
    return code;
}

static enum exit_code read_input(struct table *table, const struct options *options, unsigned index,
                                 struct labels *labels)
{
    const char *path = options->input[index];
    size_t size;
    char *text = load(path, &size);
    if (!text)
        return EXIT_FAILED;
    enum exit_code code = mesh_recognise(path, text, size) ? read_mesh(table, text, size, options, index)
                                                           : read_csv(table, text, size, options, index, labels);
    free(text);
    return code;
}

enum exit_code input_read(struct table *table, const struct options *options, unsigned index)
{
    struct labels labels = {0};
    enum exit_code code = read_input(table, options, index, &labels);
    labels_free(&labels);
    return code;
}

enum exit_code input_read_both(struct table tables[2], const struct options *options)
{
    struct labels labels = {0};
    enum exit_code code = read_input(&tables[0], options, 0, &labels);
    if (code == EXIT_DONE) {
        code = read_input(&tables[1], options, 1, &labels);
        if (code != EXIT_DONE)
            table_free(&tables[0]);
    }
    labels_free(&labels);
    return code;
}
