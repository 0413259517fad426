/* SPDX-License-Identifier: MIT */
/* Files into memory. */
#define _DEFAULT_SOURCE /* madvise */
#include "source.h"

#include "cli.h"
#include "gzip.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* All formats; the first reader that recognises a file reads it. CSV has no mark of its own and comes last. */
static const struct reader *const readers[] = {&npy_reader,      &ply_reader, &obj_reader,
                                               &stl_text_reader, &stl_reader, &csv_reader};
enum { READERS = sizeof readers / sizeof *readers };

static const struct reader *reader_of(const char *path, const char *text, size_t size)
{
    for (size_t i = 0; i + 1 < READERS; i++)
        if (readers[i]->recognise(path, text, size))
            return readers[i];
    return readers[READERS - 1];
}

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
            char *smaller = realloc(buffer, used + SLACK);
            *text = smaller ? smaller : buffer;
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

/* A regular file that is read by rows, unless its beginning has been read already. */
static bool map(struct source *source, int fd)
{
    struct stat status;
    char start[17] = "";
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || lseek(fd, 0, SEEK_CUR) != 0 ||
        pread(fd, start, sizeof start - 1, 0) != sizeof start - 1 ||
        !reader_of(source->path, start, sizeof start - 1)->by_rows)
        return false;
    source->size = (size_t)status.st_size;
    void *memory = mmap(NULL, source->size, PROT_READ, MAP_PRIVATE, fd, 0);
    source->mapped = memory != MAP_FAILED;
    source->text = source->mapped ? memory : NULL;
    return source->mapped;
}

bool source_can_be_read_again(const struct source *source)
{
    struct stat status;
    return strcmp(source->path, "-") != 0 && (stat(source->path, &status) != 0 || S_ISREG(status.st_mode));
}

/* A file that is compressed by gzip becomes the one in it. On false the reason is reported, and the text is freed. */
static bool inflate_source(struct source *source)
{
    char *text = NULL;
    size_t size = 0;
    if (source->mapped || !gzip_begins(source->text, source->size))
        return true;
    const bool done = gzip_inflate(source->path, source->text, source->size, SLACK, &text, &size);
    free(source->text);
    char *smaller = done ? realloc(text, size + SLACK) : NULL;
    source->text = smaller ? smaller : text;
    source->size = size;
    return done;
}

bool source_load(struct source *source)
{
    bool standard = strcmp(source->path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(source->path, O_RDONLY);
    bool done = fd >= 0 && (map(source, fd) || read_all(fd, &source->text, &source->size));
    if (!done)
        complain("cannot read %s: %s", source->path, strerror(errno));
    if (fd >= 0 && !standard)
        close(fd);
    if (!done || !inflate_source(source))
        return false;
    if (!source->mapped)
        source->text[source->size] = '\0';
    source->reader = reader_of(source->path, source->text, source->size);
    return true;
}

/*
 * What a row takes in bytes until all are read: its members, two numbers for labels and names, and what finds points
 * that become one, or gathers hulls, of whose vertices each may bring two planes.
 */
static double bytes_a_row(const struct kind *kind)
{
    enum { NUMBER = 4, LABELS = 2, DIGESTS = 3, GATHERING = 3, PLANES = 4 };
    const unsigned members = kinds[kind->set].field_count + LABELS;
    const unsigned more = kind->set == ABUT_SET_POINTS  ? DIGESTS
                          : kind == &vertex_hulls       ? GATHERING + 1 + 2 * PLANES
                          : kind->set == ABUT_SET_HULLS ? GATHERING + PLANES
                                                        : 0;
    return NUMBER * (double)(members + more);
}

/*
 * A number has at least two bytes of a text, so that no row takes more than 10 times as much; but a blank line, which
 * is an invalid row, has one in all. Rows of an array are all there.
 */
bool source_is_in_proportion(const struct source *source, bool report)
{
    enum { MOST_TIMES = 12 };
    static const double always_fine = 64e6;
    const double bytes = (double)source->capacity * bytes_a_row(source->kind);
    if (source->reader->by_rows || bytes <= always_fine || bytes <= MOST_TIMES * (double)source->size)
        return true;
    if (report)
        complain("%s: %zu rows of %u numbers are too many for %.1f MB: most of its lines are blank or too short",
                 source->path, source->capacity, source->kind->field_count, (double)source->size * 1e-6);
    return false;
}

void source_unload(struct source *source)
{
    source->reader->close(source);
    if (source->mapped)
        munmap(source->text, source->size);
    else
        free(source->text);
}

void source_report(const struct source *source, const struct problem *problem, size_t more)
{
    write_shown(stderr, source->path);
    if (problem->place == PLACE_HEADER)
        fputs(":header: ", stderr);
    else if (problem->place == PLACE_LINE && problem->line == 0)
        fputs(": ", stderr);
    else
        fprintf(stderr, ":%s%zu: ", problem->place == PLACE_ROW ? "row " : "", problem->line);
    if (problem->place == PLACE_ROW && problem->in_hull)
        fprintf(stderr, "plane %zu: ", problem->plane);
    if (problem->column) {
        write_shown(stderr, problem->column);
        fputs(": ", stderr);
    }
    write_shown(stderr, problem->what);
    if (more)
        fprintf(stderr, " (and %zu more invalid row%s)", more, more == 1 ? "" : "s");
    fputc('\n', stderr);
}

/* If this fails, the system takes the pages when it must. */
void source_let_go(const struct source *source)
{
    madvise(source->text, source->size, MADV_DONTNEED);
}
