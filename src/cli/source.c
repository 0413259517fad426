/* SPDX-License-Identifier: MIT */
/* Files into memory. */
#define _DEFAULT_SOURCE /* madvise */
#include "source.h"

#include "cli.h"
#include "mesh.h"

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

/*
 * An array in a regular file need not be read before it is looked at, unless something before it has been read already.
 */
static bool map(struct source *source, int fd)
{
    struct stat status;
    char start[6];
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || lseek(fd, 0, SEEK_CUR) != 0 ||
        pread(fd, start, sizeof start, 0) != sizeof start || !npy_is(start, sizeof start))
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

bool source_load(struct source *source)
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

void source_unload(struct source *source)
{
    if (source->format == FORMAT_CSV)
        csv_close(&source->csv);
    if (source->mapped)
        munmap(source->text, source->size);
    else
        free(source->text);
}

/* Binary meshes have no lines. */
void source_report(const struct source *source, const struct problem *problem, size_t more)
{
    if (problem->place == PLACE_HEADER)
        fprintf(stderr, "%s:header: ", source->path);
    else if (problem->place == PLACE_LINE && problem->line == 0)
        fprintf(stderr, "%s: ", source->path);
    else
        fprintf(stderr, "%s:%s%zu: ", source->path, problem->place == PLACE_ROW ? "row " : "", problem->line);
    if (problem->place == PLACE_ROW && source->npy.hulls)
        fprintf(stderr, "plane %zu: ", problem->plane);
    if (problem->column)
        fprintf(stderr, "%s: ", problem->column);
    fputs(problem->what, stderr);
    if (more)
        fprintf(stderr, " (and %zu more bad row%s)", more, more == 1 ? "" : "s");
    fputc('\n', stderr);
}

void source_locate(const struct source *source, size_t row, struct problem *problem)
{
    if (source->format == FORMAT_NPY) {
        npy_locate(&source->npy, row, problem);
    } else {
        problem->place = PLACE_LINE;
        problem->line = csv_line_of(&source->csv, row);
    }
}

/* Where it cannot be let go, the system takes it when it must. */
void source_let_go(const struct source *source)
{
    madvise(source->text, source->size, MADV_DONTNEED);
}
