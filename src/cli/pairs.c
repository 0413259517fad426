/* SPDX-License-Identifier: MIT */
/* Writing pairs in each of their forms. */
#include "pairs.h"

#include "npy.h"
#include "picture.h"

static void begin_records(struct pair_output *pairs, const struct options *options)
{
    struct records *records = &pairs->records;
    records_open(records, &pairs->output, options->format == FORMAT_JSONL);
    records_column(records, "a");
    records_column(records, "b");
    if (options->distances)
        records_column(records, "distance");
    if (options->squares)
        records_column(records, "d2");
    for (unsigned k = 0; k < 3 && options->closest; k++)
        records_column(records, (const char *const[]){"x", "y", "z"}[k]);
    records_begin(records);
}

bool pairs_open(struct pair_output *pairs, const struct options *options, const struct names *a, const struct names *b)
{
    pairs->count = 0;
    pairs->picture = NULL;
    pairs->count_only = options->count;
    pairs->binary = options->format == FORMAT_NPY;
    pairs->names[0] = a;
    pairs->names[1] = b;
    if (!output_open(&pairs->output, options->output))
        return false;
    if (pairs->binary) {
        char header[NPY_HEADER];
        npy_write_header(header, 0);
        if (!output_begin(&pairs->output, header, 0)) {
            complain("cannot write %s: an array needs a regular file", pairs->output.name);
            output_discard(&pairs->output);
            return false;
        }
        output_bytes(&pairs->output, header, NPY_HEADER);
    } else if (!pairs->count_only) {
        begin_records(pairs, options);
    }
    return true;
}

static void put_number(char *bytes, uint32_t number)
{
    for (unsigned k = 0; k < 4; k++)
        bytes[k] = (char)(number >> 8 * k & 255);
}

void pairs_write(struct pair_output *pairs, size_t row, size_t first, const uint32_t *items, size_t n)
{
    pairs->count += n;
    if (pairs->count_only)
        return;
    for (size_t i = 0; pairs->picture && i < n; i++)
        picture_take(pairs->picture, row, first + items[i]);
    char line[2 * 20 + 2];
    if (pairs->binary) {
        put_number(line, (uint32_t)row);
        for (size_t i = 0; i < n; i++) {
            put_number(line + 4, (uint32_t)first + items[i]);
            output_bytes(&pairs->output, line, 8);
        }
        return;
    }
    if (pairs->records.lines || pairs->names[0] || pairs->names[1]) {
        for (size_t i = 0; i < n; i++) {
            records_row(&pairs->records, pairs->names[0], row);
            records_row(&pairs->records, pairs->names[1], first + items[i]);
        }
        return;
    }
    size_t prefix = output_digits(line, row);
    line[prefix++] = ',';
    for (size_t i = 0; i < n; i++) {
        size_t length = prefix + output_digits(line + prefix, first + items[i]);
        line[length++] = '\n';
        output_bytes(&pairs->output, line, length);
    }
}

void pairs_write_numbers(struct pair_output *pairs, size_t row, uint32_t item, const double *numbers, unsigned n)
{
    pairs->count++;
    records_row(&pairs->records, pairs->names[0], row);
    records_row(&pairs->records, pairs->names[1], item);
    for (unsigned i = 0; i < n; i++)
        records_number(&pairs->records, numbers[i]);
}

bool pairs_close(struct pair_output *pairs)
{
    if (pairs->binary) {
        char header[NPY_HEADER];
        npy_write_header(header, pairs->count);
        output_begin(&pairs->output, header, NPY_HEADER);
    } else if (pairs->count_only) {
        output_text(&pairs->output, "%llu\n", (unsigned long long)pairs->count);
    }
    return output_close(&pairs->output);
}

void pairs_fail(struct pair_output *pairs, enum abut_status status)
{
    complain("%s", abut_status_text(status));
    output_discard(&pairs->output);
}
