/* SPDX-License-Identifier: MIT */
/* From masks of hits to counts, questions and index lists. */
#include <abut/abut.h>

size_t abut_mask_words(size_t n)
{
    return n / 64 + (n % 64 != 0);
}

/* The bits of word i of a mask of n bits; those beyond n do not count. No mask has none. */
static uint64_t word_of(const uint64_t *mask, size_t n, size_t i)
{
    if (mask == NULL)
        return 0;
    size_t left = n - i * 64;
    return left < 64 ? mask[i] & ((UINT64_C(1) << left) - 1) : mask[i];
}

/* Population count without an instruction that the baseline lacks (Warren, Hacker's Delight, 5-1). */
static unsigned count_bits(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

uint64_t abut_mask_count(const uint64_t *mask, size_t n)
{
    uint64_t count = 0;
    for (size_t i = 0; i < abut_mask_words(n); i++)
        count += count_bits(word_of(mask, n, i));
    return count;
}

bool abut_mask_any(const uint64_t *mask, size_t n)
{
    for (size_t i = 0; i < abut_mask_words(n); i++)
        if (word_of(mask, n, i) != 0)
            return true;
    return false;
}

bool abut_mask_all(const uint64_t *mask, size_t n)
{
    for (size_t i = 0; i < n / 64; i++)
        if (word_of(mask, n, i) != UINT64_MAX)
            return false;
    return n % 64 == 0 || word_of(mask, n, n / 64) == (UINT64_C(1) << n % 64) - 1;
}

size_t abut_mask_list(const uint64_t *mask, size_t n, uint32_t *restrict indices, size_t capacity)
{
    size_t count = 0;
    if (indices == NULL)
        capacity = 0;
    for (size_t i = 0; i < abut_mask_words(n); i++)
        for (uint64_t bits = word_of(mask, n, i); bits != 0; bits &= bits - 1, count++)
            if (count < capacity)
                indices[count] = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(bits));
    return count;
}
