/* SPDX-License-Identifier: MIT */
/* Files into memory, through the reader of their format and the strict checks. */
#include "input.h"

#include "csv.h"
#include "hulls.h"
#include "mesh.h"
#include "npy.h"
#include "progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

enum format { FORMAT_CSV, FORMAT_NPY, FORMAT_MESH };

/* The bytes of a file, read or mapped, and the reader that goes with them. */
struct source {
    const char *path;
    char *text;
    size_t size;
    enum format format;
    bool mapped;
    struct csv csv;
    struct npy npy;
};

/* An array in a regular file need not be read before it is looked at. */
static bool map(struct source *source, int fd)
{
    struct stat status;
    char start[6];
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || pread(fd, start, sizeof start, 0) != sizeof start ||
        !npy_is(start, sizeof start))
        return false;
    source->size = (size_t)status.st_size;
    void *memory = mmap(NULL, source->size, PROT_READ, MAP_PRIVATE, fd, 0);
    source->mapped = memory != MAP_FAILED;
    source->text = source->mapped ? memory : NULL;
    return source->mapped;
}

/* CSV ends in a line feed unless it is empty. */
static void end_last_line(char *text, size_t *size)
{
    if (*size > 0 && text[*size - 1] != '\n')
        text[(*size)++] = '\n';
    text[*size] = '\0';
}

/* The whole file, and unless it is mapped a zero byte behind it. */
static bool load(struct source *source)
{
    bool standard = strcmp(source->path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(source->path, O_RDONLY);
    bool done = fd >= 0 && (map(source, fd) || read_all(fd, &source->text, &source->size));
    if (!done)
        complain("cannot read %s: %s", source->path, strerror(errno));
    if (fd >= 0 && !standard)
        close(fd);
    if (!done)
        return false;
    source->format = npy_is(source->text, source->size)                         ? FORMAT_NPY
                     : mesh_recognise(source->path, source->text, source->size) ? FORMAT_MESH
                                                                                : FORMAT_CSV;
    if (source->format == FORMAT_CSV)
        end_last_line(source->text, &source->size);
    else if (!source->mapped)
        source->text[source->size] = '\0';
    return true;
}

static void unload(struct source *source)
{
    if (source->format == FORMAT_CSV)
        csv_close(&source->csv);
    if (source->mapped)
        munmap(source->text, source->size);
    else
        free(source->text);
}

/* Binary meshes have no lines. */
static void report(const char *path, const struct problem *problem, size_t more)
{
    if (problem->place == PLACE_HEADER)
        fprintf(stderr, "%s:header: ", path);
    else if (problem->place == PLACE_LINE && problem->line == 0)
        fprintf(stderr, "%s: ", path);
    else
        fprintf(stderr, "%s:%s%zu: ", path, problem->place == PLACE_ROW ? "row " : "", problem->line);
    if (problem->column)
        fprintf(stderr, "%s: ", problem->column);
    fputs(problem->what, stderr);
    if (more)
        fprintf(stderr, " (and %zu more bad row%s)", more, more == 1 ? "" : "s");
    fputc('\n', stderr);
}

/* Where a row of the table is in the file. */
static void locate(const struct source *source, size_t row, struct problem *problem)
{
    problem->place = source->format == FORMAT_NPY ? PLACE_ROW : PLACE_LINE;
    problem->line = source->format == FORMAT_NPY ? row / source->npy.planes : csv_line_of(&source->csv, row);
}

/* The reader's first bad row, or an earlier one that only the shape's own rules refuse. */
static enum exit_code judge_rows(const struct source *source, struct table *table, size_t unreadable,
                                 struct problem *problem, const struct options *options)
{
    const char *path = source->path;
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
        locate(source, bad.row, problem);
        problem->column = bad.field;
        snprintf(problem->what, sizeof problem->what, "%s", bad.what);
    }
    report(path, problem, bad.count - 1);
    return EXIT_FAILED;
}

/* After the check of its planes. A hull of too many planes is one more bad row. */
static enum exit_code gather_hulls(const struct source *source, struct table *table, const struct options *options)
{
    size_t rows = table->rows.n, excess = rows;
    if (options->by) {
        complain("--by does not go with hulls, whose rows are planes");
        return EXIT_USAGE;
    }
    enum abut_status status = hulls_from_planes(table, options->inward, &excess);
    if (status != ABUT_OK) {
        complain("%s: %s", source->path, abut_status_text(status));
        return EXIT_FAILED;
    }
    if (excess == rows || options->skip_bad)
        return EXIT_DONE;
    struct problem problem = {.column = "volume", .what = "has more than 32 planes"};
    locate(source, excess, &problem);
    report(source->path, &problem, 0);
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

static bool label_rows(struct table *table, const struct source *source, struct labels *labels, const char *column)
{
    struct problem problem = {.place = PLACE_HEADER, .column = column, .what = "the columns of arrays have no names"};
    table->labels = malloc((table->rows.n + 1) * sizeof *table->labels);
    if (!table->labels) {
        complain("%s: %s", source->path, abut_status_text(ABUT_ERROR_MEMORY));
        return false;
    }
    if (source->format != FORMAT_NPY && csv_label(&source->csv, column, labels, table->labels, &problem))
        return true;
    report(source->path, &problem, 0);
    return false;
}

static void read_rows(const struct source *source, struct table *table, size_t *unreadable, struct problem *problem,
                      const struct options *options)
{
    struct progress progress;
    if (source->format == FORMAT_NPY) {
        npy_read(&source->npy, table, unreadable, problem);
        return;
    }
    progress_begin(&progress, source->path, !options->quiet);
    const struct csv_observer observer = {progress_at, &progress};
    csv_read(&source->csv, table, unreadable, problem, &observer);
    progress_end(&progress);
}

static enum exit_code read_table(struct table *table, const struct source *source, const struct kind *kind,
                                 const struct options *options, struct labels *labels)
{
    const struct kind *stored = kind == &quaternion_obbs ? &kinds[shape_obb] : kind;
    enum abut_status status = table_new(
        table, stored, source->format == FORMAT_NPY ? npy_capacity(&source->npy) : csv_capacity(&source->csv));
    if (status != ABUT_OK) {
        complain("%s: %s", source->path, abut_status_text(status));
        return EXIT_FAILED;
    }
    table->kind = kind;
    struct problem problem = {0};
    size_t unreadable;
    read_rows(source, table, &unreadable, &problem, options);
    table->kind = stored;
    convert(table, kind, options);
    enum exit_code code = judge_rows(source, table, unreadable, &problem, options);
    if (code == EXIT_DONE && options->by && !label_rows(table, source, labels, options->by))
        code = EXIT_FAILED;
    if (code == EXIT_DONE && kind == &kinds[KIND_HULLS])
        code = gather_hulls(source, table, options);
    if (code != EXIT_DONE)
        table_free(table);
    return code;
}

/* Reads what is before the rows. */
static const struct kind *find_kind(struct source *source, const struct kind *kind, const char *kind_option,
                                    struct problem *problem)
{
    if (source->format == FORMAT_NPY)
        return npy_open(&source->npy, source->text, source->size, problem) ? npy_find_kind(&source->npy, kind, problem)
                                                                           : NULL;
    return csv_open(&source->csv, source->text, source->size, problem)
               ? csv_find_kind(&source->csv, kind, kind_option, problem)
               : NULL;
}

/* Meshes are triangles; what is wrong with one is never skipped. */
static enum exit_code read_mesh(struct table *table, const struct source *source, const struct options *options,
                                unsigned index)
{
    const struct kind *kind = options->kind[index];
    struct problem problem = {0};
    if (options->by || (kind && kind != &kinds[shape_triangle])) {
        complain(options->by ? "--by does not go with %s, a mesh" : "%s is a mesh: its kind is triangles",
                 source->path);
        return EXIT_USAGE;
    }
    if (mesh_read_table(table, source->text, source->size, &problem))
        return EXIT_DONE;
    report(source->path, &problem, 0);
    return EXIT_FAILED;
}

static enum exit_code read_rows_of_kind(struct table *table, struct source *source, const struct options *options,
                                        unsigned index, struct labels *labels)
{
    struct problem problem = {0};
    const struct kind *kind = find_kind(source, options->kind[index], index ? "--kind-b" : "--kind-a", &problem);
    if (kind)
        return read_table(table, source, kind, options, labels);
    report(source->path, &problem, 0);
    return EXIT_FAILED;
}

static enum exit_code read_input(struct table *table, const struct options *options, unsigned index,
                                 struct labels *labels)
{
    struct source source = {.path = options->input[index]};
    if (!load(&source))
        return EXIT_FAILED;
    enum exit_code code = source.format == FORMAT_MESH ? read_mesh(table, &source, options, index)
                                                       : read_rows_of_kind(table, &source, options, index, labels);
    unload(&source);
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
