/* SPDX-License-Identifier: MIT */
/* The C calls that bench.py times: an index, a join into memory of the right size, and a sort. */
#include <abut/index.h>

__attribute__((visibility("default"))) int bench_join(size_t n, const float *const s[4], const float *const b[6],
                                                      struct abut_pair *pairs, size_t capacity)
{
    const struct abut_spheres spheres = {n, s[0], s[1], s[2], s[3]};
    const struct abut_aabbs boxes = {n, b[0], b[1], b[2], b[3], b[4], b[5]};
    struct abut_index *index;
    uint64_t count = 0;
    if (abut_index_new(abut_of_aabbs(&boxes), NULL, NULL, &index) != ABUT_OK)
        return 1;
    enum abut_status status = abut_join(index, abut_of_spheres(&spheres), NULL, pairs, capacity, &count);
    if (status == ABUT_OK)
        status = abut_sort_pairs(pairs, (size_t)count, NULL);
    abut_index_free(index);
    return status != ABUT_OK || count != capacity;
}
