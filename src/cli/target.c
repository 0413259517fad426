/* SPDX-License-Identifier: MIT */
/* Whether a file may be written: endings that promise another format, and inputs. */
#include "target.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool target_format(const char *path, bool given, enum format *format)
{
    static const struct {
        const char *ending;
        enum format format;
    } endings[] = {{".csv", FORMAT_CSV}, {".npy", FORMAT_NPY}, {".jsonl", FORMAT_JSONL}, {".ndjson", FORMAT_JSONL}};
    for (size_t i = 0; path && i < sizeof endings / sizeof *endings; i++) {
        if (!has_ending(path, endings[i].ending))
            continue;
        if (given && *format != endings[i].format) {
            complain("cannot write %s: its name says %s, and --format says %s", path, format_names[endings[i].format],
                     format_names[*format]);
            return false;
        }
        *format = endings[i].format;
    }
    return true;
}

bool target_is_foreign(const char *path)
{
    static const char *const foreign[] = {
        ".arrow", ".avro", ".bz2",  ".db",  ".dxf",    ".feather", ".geojson", ".glb", ".gltf", ".gz",
        ".h5",    ".hdf5", ".json", ".las", ".laz",    ".mat",     ".npz",     ".obj", ".ods",  ".parquet",
        ".pcd",   ".pkl",  ".ply",  ".png", ".sqlite", ".stl",     ".svg",     ".tsv", ".vtk",  ".vtp",
        ".xls",   ".xlsx", ".xml",  ".xz",  ".yaml",   ".yml",     ".zip",     ".zst"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (has_ending(path, foreign[i])) {
            complain("cannot write %s: the output is CSV text, JSON lines (.jsonl), or an array (.npy)", path);
            return true;
        }
    return false;
}

/* Where a name leads: the file itself, or if there is none yet its folder and its name there. */
struct place {
    struct stat status;
    const char *name; /* NULL: the status is that of the file */
};

/* False: it leads nowhere, as writing will find. */
static bool find_place(const char *path, struct place *place)
{
    char folder[PATH_MAX];
    place->name = NULL;
    if (strcmp(path, "-") == 0)
        return fstat(STDOUT_FILENO, &place->status) == 0;
    if (stat(path, &place->status) == 0)
        return true;
    const char *slash = strrchr(path, '/');
    const size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    if (length >= sizeof folder)
        return false;
    memcpy(folder, path, length);
    strcpy(folder + length, length ? "" : ".");
    place->name = path + length;
    return stat(folder, &place->status) == 0;
}

static bool is_null_device(const struct stat *status)
{
    struct stat null;
    return S_ISCHR(status->st_mode) && stat("/dev/null", &null) == 0 && null.st_rdev == status->st_rdev;
}

bool target_is_other(const char *path, const char *other)
{
    struct place a, b;
    if (!find_place(path, &a) || !find_place(other, &b) || is_null_device(&a.status))
        return true;
    return a.status.st_dev != b.status.st_dev || a.status.st_ino != b.status.st_ino || !a.name != !b.name ||
           (a.name && strcmp(a.name, b.name) != 0);
}

bool target_is_input(const char *path, const char *const *input, size_t inputs)
{
    struct stat target, source;
    /* Descriptors are no names of files, and have errors of their own. */
    if (strncmp(path, "/dev/", 5) == 0 || stat(path, &target) != 0 || !S_ISREG(target.st_mode))
        return false;
    for (size_t i = 0; i < inputs; i++) {
        if (!input[i])
            continue;
        const int failed = strcmp(input[i], "-") == 0 ? fstat(STDIN_FILENO, &source) : stat(input[i], &source);
        if (failed || source.st_dev != target.st_dev || source.st_ino != target.st_ino)
            continue;
        complain("cannot write %s: it is the input %s", path, input[i]);
        return true;
    }
    return false;
}
