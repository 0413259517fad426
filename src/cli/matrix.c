/* SPDX-License-Identifier: MIT */
/* Reading the numbers of a matrix, whichever way a program has printed them. */
#include "matrix.h"

#include "cli.h"
#include "parse_float.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { MOST_TEXT = 1 << 14 };

/* The whole text, with a line feed and a zero byte behind it. */
static bool read_text(const char *path, char text[MOST_TEXT + 2])
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    size_t size = file ? fread(text, 1, MOST_TEXT, file) : 0;
    const bool failed = !file || ferror(file), longer = !failed && size == MOST_TEXT;
    if (failed)
        complain("cannot read %s: %s", path, strerror(errno));
    else if (longer)
        complain("%s: this is no matrix: it has more than %d bytes", path, MOST_TEXT - 1);
    else if (memchr(text, '\0', size))
        complain("%s: this is no text: a matrix is 16 numbers as text", path);
    const bool zero = !failed && memchr(text, '\0', size);
    if (file && !standard)
        fclose(file);
    memcpy(text + size, "\n", 2);
    return !failed && !longer && !zero;
}

bool matrix_read(const char *path, float matrix[MATRIX_NUMBERS])
{
    static const char between[] = " \t\r\n\v\f,;[](){}";
    char text[MOST_TEXT + 2];
    const char *at = text;
    unsigned n = 0;
    if (!read_text(path, text))
        return false;
    for (at += strspn(at, between); *at; at += strspn(at, between), n++) {
        const char *word = at;
        float number = NAN;
        const enum parse_status status = parse_float(&at, &number);
        if (status != PARSE_OK || !isfinite(number) || !strchr(between, *at)) {
            complain("%s: number %u of the matrix is not finite or unreadable: '%.*s'", path, n + 1,
                     (int)strcspn(word, between), word);
            return false;
        }
        if (n < MATRIX_NUMBERS)
            matrix[n] = number;
    }
    if (n != MATRIX_NUMBERS)
        complain("%s: a matrix has 16 numbers, and here %s %u", path, n == 1 ? "is" : "are", n);
    return n == MATRIX_NUMBERS;
}
