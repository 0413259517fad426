/* SPDX-License-Identifier: MIT */
/* Quotes, commas and braces around values. */
#include "records.h"

#include "utf8.h"

#include <math.h>
#include <string.h>

void records_open(struct records *records, struct output *output, bool lines)
{
    *records = (struct records){.output = output, .lines = lines};
}

void records_column(struct records *records, const char *name)
{
    records->columns[records->n++] = name;
}

void records_begin(struct records *records)
{
    for (unsigned i = 0; i < records->n && !records->lines; i++)
        output_text(records->output, "%s%s", i > 0 ? "," : "", records->columns[i]);
    if (!records->lines)
        output_text(records->output, "\n");
}

static void begin_value(struct records *records)
{
    if (records->lines)
        output_text(records->output, "%c\"%s\":", records->at > 0 ? ',' : '{', records->columns[records->at]);
    else if (records->at > 0)
        output_bytes(records->output, ",", 1);
}

static void end_value(struct records *records)
{
    if (++records->at < records->n)
        return;
    records->at = 0;
    output_text(records->output, records->lines ? "}\n" : "\n");
}

void records_integer(struct records *records, uint64_t value)
{
    char digits[20];
    begin_value(records);
    output_bytes(records->output, digits, output_digits(digits, value));
    end_value(records);
}

void records_number(struct records *records, double value)
{
    begin_value(records);
    if (records->lines && !isfinite(value))
        output_text(records->output, "null");
    else
        output_text(records->output, "%.*g", number_digits(value), value);
    end_value(records);
}

/* A byte that is no part of UTF-8 is taken for the character of Latin-1, so that the line is always JSON. */
static void put_json(struct output *output, const char *text, size_t length)
{
    output_bytes(output, "\"", 1);
    for (size_t i = 0, bytes; i < length; i += bytes) {
        const unsigned char c = (unsigned char)text[i];
        bytes = utf8_length((const unsigned char *)text + i, length - i);
        if (bytes == 0 || c < 0x20 || c == 0x7f) {
            output_text(output, "\\u%04x", c);
            bytes = 1;
        } else {
            if (c == '"' || c == '\\')
                output_bytes(output, "\\", 1);
            output_bytes(output, text + i, bytes);
        }
    }
    output_bytes(output, "\"", 1);
}

/* As RFC 4180 has it; blanks at the ends are kept by quotes, too. */
static void put_csv(struct output *output, const char *text, size_t length)
{
    bool plain = length > 0 && text[0] != ' ' && text[0] != '\t' && text[length - 1] != ' ' && text[length - 1] != '\t';
    for (size_t i = 0; i < length && plain; i++)
        plain = !strchr(",;\"\r\n", text[i]) || text[i] == '\0';
    if (plain) {
        output_bytes(output, text, length);
        return;
    }
    output_bytes(output, "\"", 1);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            output_bytes(output, "\"", 1);
        output_bytes(output, text + i, 1);
    }
    output_bytes(output, "\"", 1);
}

void records_word(struct records *records, const char *word)
{
    begin_value(records);
    output_text(records->output, records->lines ? "\"%s\"" : "%s", word);
    end_value(records);
}

void records_text(struct records *records, const char *text, size_t length)
{
    begin_value(records);
    if (records->lines)
        put_json(records->output, text, length);
    else
        put_csv(records->output, text, length);
    end_value(records);
}

void records_row(struct records *records, const struct names *names, size_t row)
{
    if (!names) {
        records_integer(records, row);
        return;
    }
    const struct text text = labels_text(&names->labels, names->numbers[row]);
    records_text(records, text.at, text.length);
}
