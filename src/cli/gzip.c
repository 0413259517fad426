/* SPDX-License-Identifier: MIT */
/* Inflating gzip with zlib, if this build has it. */
#include "gzip.h"

#include "cli.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char mark[2] = {'\x1F', '\x8B'};

bool gzip_begins(const char *bytes, size_t size)
{
    return size >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0;
}

#ifdef ABUT_HAVE_ZLIB

#include <zlib.h>

/*
 * Tables of numbers take a half to a tenth of their size. A file that becomes much larger than this was made to fill
 * the memory, if it is not small.
 */
enum { MOST_TIMES = 100, ALWAYS_FINE = 1 << 26 };

struct inflation {
    z_stream stream;
    size_t left; /* bytes of the file that the stream does not have yet */
    char *text;
    size_t used, capacity, most, slack;
};

bool gzip_is_read(void)
{
    return true;
}

/* The stream counts in fewer bits than size_t has. */
static uInt at_most(size_t bytes)
{
    return bytes < UINT_MAX ? (uInt)bytes : UINT_MAX;
}

/* Enlarges the text where it is full. Returns what is wrong, or NULL. */
static const char *grow(struct inflation *inflation)
{
    if (inflation->used < inflation->capacity)
        return NULL;
    if (inflation->capacity >= inflation->most)
        return "it inflates to more than 100 times its size: if it should, gunzip -c FILE | abut ... -";
    size_t capacity = inflation->capacity ? inflation->capacity * 2 : ALWAYS_FINE / 1024;
    capacity = capacity < inflation->most ? capacity : inflation->most;
    char *larger = realloc(inflation->text, capacity + inflation->slack);
    if (!larger)
        return "out of memory";
    inflation->text = larger;
    inflation->capacity = capacity;
    return NULL;
}

/* Whether another member follows the one that has ended. Zeros behind the last are padding of tapes. */
static bool another_begins(struct inflation *inflation, const char **what)
{
    const char *next = (const char *)inflation->stream.next_in;
    const size_t left = inflation->stream.avail_in + inflation->left;
    if (gzip_begins(next, left) && inflateReset(&inflation->stream) == Z_OK)
        return true;
    for (size_t i = 0; i < left; i++)
        if (next[i] != 0)
            *what = "bytes follow its gzip data";
    return false;
}

static const char *reason(int status)
{
    return status == Z_MEM_ERROR   ? "out of memory"
           : status == Z_BUF_ERROR ? "its gzip data are cut off"
                                   : "its gzip data are damaged";
}

/* Returns what is wrong, or NULL. */
static const char *inflate_members(struct inflation *inflation)
{
    z_stream *stream = &inflation->stream;
    for (;;) {
        const char *what = grow(inflation);
        if (what)
            return what;
        const uInt more = stream->avail_in ? 0 : at_most(inflation->left);
        stream->avail_in += more;
        inflation->left -= more;
        const uInt offered = at_most(inflation->capacity - inflation->used);
        stream->next_out = (Bytef *)inflation->text + inflation->used;
        stream->avail_out = offered;
        const int status = inflate(stream, Z_NO_FLUSH);
        inflation->used += offered - stream->avail_out;
        if (status == Z_STREAM_END && !another_begins(inflation, &what))
            return what;
        if (status != Z_OK && status != Z_STREAM_END)
            return reason(status);
    }
}

bool gzip_inflate(const char *path, char *bytes, size_t size, size_t slack, char **text, size_t *text_size)
{
    enum { ANY_WINDOW = MAX_WBITS, GZIP = 16 };
    const size_t most = size <= SIZE_MAX / 2 / MOST_TIMES ? size * MOST_TIMES : SIZE_MAX / 2;
    struct inflation inflation = {.left = size, .most = most > ALWAYS_FINE ? most : ALWAYS_FINE, .slack = slack};
    inflation.stream.next_in = (Bytef *)bytes;
    const char *what = "out of memory";
    if (inflateInit2(&inflation.stream, ANY_WINDOW + GZIP) == Z_OK) {
        what = inflate_members(&inflation);
        inflateEnd(&inflation.stream);
    }
    if (what) {
        complain("cannot read %s: %s", path, what);
        free(inflation.text);
        return false;
    }
    *text = inflation.text;
    *text_size = inflation.used;
    return true;
}

#else

bool gzip_is_read(void)
{
    return false;
}

bool gzip_inflate(const char *path, char *bytes, size_t size, size_t slack, char **text, size_t *text_size)
{
    (void)bytes, (void)size, (void)slack, (void)text, (void)text_size;
    complain("cannot read %s: it is compressed by gzip, and this abut has no zlib: gunzip -c FILE | abut ... -", path);
    return false;
}

#endif
