/* SPDX-License-Identifier: MIT */
/*
 * The C library's own answers, for a test of the Python package. stdin: one line "relation kind n kind n touch" (hulls
 * have all planes in n / 6 hulls of six), then the columns of both batches as raw float32. stdout: bits of abut_test,
 * of abut_test_exactly, and of abut_test_all.
 */
#include <abut/abut.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES = 6 };

/* Reads a batch of any shape. The memory lives until the program ends. */
static struct abut_set read_set(unsigned kind, size_t n)
{
    static const unsigned fields[] = {3, 4, 6, 4, 15, 6, 7, 9, 4};
    static char batches[2][sizeof(struct abut_obbs)];
    static unsigned used;
    const size_t rows = kind == ABUT_SET_HULLS ? n * PLANES : n;
    const float *columns[15];
    for (unsigned j = 0; j < fields[kind]; j++) {
        float *column = malloc((rows + 1) * sizeof *column);
        if (!column || fread(column, sizeof *column, rows, stdin) != rows)
            exit(2);
        columns[j] = column;
    }
    char *batch = batches[used++];
    if (kind == ABUT_SET_HULLS) {
        uint32_t *offsets = malloc((n + 1) * sizeof *offsets);
        for (size_t i = 0; offsets && i <= n; i++)
            offsets[i] = (uint32_t)(PLANES * i);
        const struct abut_hulls hulls = {n, offsets, columns[0], columns[1], columns[2], columns[3]};
        memcpy(batch, &hulls, sizeof hulls);
    } else {
        memcpy(batch, &n, sizeof n);
        memcpy(batch + sizeof n, columns, fields[kind] * sizeof *columns);
    }
    return (struct abut_set){(enum abut_set_kind)kind, batch};
}

int main(void)
{
    unsigned relation, kind_a, kind_b, touch;
    size_t na, nb;
    if (scanf("%u %u %zu %u %zu %u", &relation, &kind_a, &na, &kind_b, &nb, &touch) != 6 || getchar() != '\n')
        return 2;
    const struct abut_set a = read_set(kind_a, na), b = read_set(kind_b, nb);
    const struct abut_options options = {.touch = (enum abut_touch)touch};
    const size_t words = abut_mask_words(na > nb ? na : nb);
    const size_t all = kind_b == ABUT_SET_HULLS ? nb * abut_mask_words(na) : na * abut_mask_words(nb);
    uint64_t *hits = malloc((2 * words + all + 1) * sizeof *hits);
    if (!hits || abut_test((enum abut_relation)relation, a, b, &options, hits) != ABUT_OK ||
        abut_test_exactly((enum abut_relation)relation, a, b, &options, hits + words) != ABUT_OK ||
        abut_test_all((enum abut_relation)relation, a, b, &options, hits + 2 * words) != ABUT_OK)
        return 3;
    return fwrite(hits, sizeof *hits, 2 * words + all, stdout) != 2 * words + all;
}
