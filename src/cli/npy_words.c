/* SPDX-License-Identifier: MIT */
/* Words of a Python dictionary, as NumPy writes them. */
#include "npy_words.h"

#include <string.h>

void npy_skip_blanks(struct npy_text *text)
{
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\n' || *text->at == '\t'))
        text->at++;
}

bool npy_take(struct npy_text *text, const char *word)
{
    const size_t length = strlen(word);
    npy_skip_blanks(text);
    if ((size_t)(text->end - text->at) < length || memcmp(text->at, word, length) != 0)
        return false;
    text->at += length;
    return true;
}

bool npy_take_string(struct npy_text *text, char *string, size_t capacity)
{
    npy_skip_blanks(text);
    if (text->at == text->end || (*text->at != '\'' && *text->at != '"'))
        return false;
    const char quote = *text->at++;
    const char *end = memchr(text->at, quote, (size_t)(text->end - text->at));
    if (!end)
        return false;
    const size_t length = (size_t)(end - text->at) < capacity ? (size_t)(end - text->at) : capacity - 1;
    memcpy(string, text->at, length);
    string[length] = '\0';
    text->at = end + 1;
    return true;
}

bool npy_take_size(struct npy_text *text, size_t *size)
{
    npy_skip_blanks(text);
    const char *first = text->at;
    for (*size = 0; text->at < text->end && *text->at >= '0' && *text->at <= '9'; text->at++) {
        if (*size > (SIZE_MAX - 9) / 10)
            return false;
        *size = *size * 10 + (size_t)(*text->at - '0');
    }
    const bool digits = text->at > first;
    if (digits && text->at < text->end && *text->at == 'L')
        text->at++; /* Python 2 wrote a long so */
    return digits;
}

bool npy_take_shape(struct npy_text *text, size_t *shape, unsigned most, unsigned *dimensions)
{
    if (!npy_take(text, "("))
        return false;
    for (*dimensions = 0; !npy_take(text, ")");) {
        if (*dimensions == most || !npy_take_size(text, &shape[(*dimensions)++]))
            return false;
        if (!npy_take(text, ",")) {
            if (!npy_take(text, ")"))
                return false;
            break;
        }
    }
    return true;
}

bool npy_read_type(const char *name, struct npy_type *type)
{
    const uint16_t one = 1;
    const bool little = *(const unsigned char *)&one == 1;
    const char order = *name, kind = order ? name[1] : '\0';
    if (!order || !strchr("<>=|", order) || !kind || !strchr("biufcmMSaUV", kind))
        return false;
    struct npy_text rest = {name + 2, name + strlen(name)};
    size_t count;
    if (!npy_take_size(&rest, &count) || count > UINT32_MAX || count > SIZE_MAX / 4 ||
        (rest.at < rest.end && *rest.at != '['))
        return false;
    *type = (struct npy_type){.kind = kind == 'a' ? 'S' : kind,
                              .swapped = order != '|' && order != '=' && (order == '<') != little,
                              .size = kind == 'U' ? 4 * count : count};
    if (order != '|' || count == 1)
        type->number = npy_number_of(kind, count);
    return true;
}
