/* SPDX-License-Identifier: MIT */
/* Integers and floats of every size to float32, float64 and bits. */
#include "npy_numbers.h"

#include <math.h>
#include <string.h>

static inline uint16_t swapped_16(uint16_t x)
{
    return (uint16_t)(x << 8 | x >> 8);
}

static inline uint32_t swapped_32(uint32_t x)
{
    x = (x & 0x00FF00FF) << 8 | (x >> 8 & 0x00FF00FF);
    return x << 16 | x >> 16;
}

static inline uint64_t swapped_64(uint64_t x)
{
    return (uint64_t)swapped_32((uint32_t)x) << 32 | swapped_32((uint32_t)(x >> 32));
}

static inline uint8_t swapped_8(uint8_t x)
{
    return x;
}

bool npy_is_too_large(double value)
{
    return isinf((float)value) && !isinf(value);
}

/* Conversions of the bits of a number to the nearest float32, or NaN if it is too large, and to the nearest float64. */
#define INTEGER(name, type, word)                                                                                      \
    static inline float near_##name(word bits)                                                                         \
    {                                                                                                                  \
        return (float)(type)bits;                                                                                      \
    }                                                                                                                  \
    static inline double wide_##name(word bits)                                                                        \
    {                                                                                                                  \
        return (double)(type)bits;                                                                                     \
    }                                                                                                                  \
    static inline uint64_t extended_##name(word bits)                                                                  \
    {                                                                                                                  \
        return (uint64_t)(type)bits;                                                                                   \
    }
INTEGER(i1, int8_t, uint8_t)
INTEGER(u1, uint8_t, uint8_t)
INTEGER(i2, int16_t, uint16_t)
INTEGER(u2, uint16_t, uint16_t)
INTEGER(i4, int32_t, uint32_t)
INTEGER(u4, uint32_t, uint32_t)
INTEGER(i8, int64_t, uint64_t)
INTEGER(u8, uint64_t, uint64_t)

/* A half has 5 bits of exponent, with bias 15, and 10 of fraction. */
static inline float near_f2(uint16_t bits)
{
    const uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 1023;
    const uint32_t word = sign | (exponent == 31 ? UINT32_C(0x7F800000) : (exponent + 112) << 23) | fraction << 13;
    float value;
    if (exponent == 0) {
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline double wide_f2(uint16_t bits)
{
    return (double)near_f2(bits);
}

static inline float near_f4(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double wide_f4(uint32_t bits)
{
    return (double)near_f4(bits);
}

static inline double wide_f8(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float near_f8(uint64_t bits)
{
    const double value = wide_f8(bits);
    return npy_is_too_large(value) ? NAN : (float)value;
}

#define EXTENDED(name, word)                                                                                           \
    static inline uint64_t extended_##name(word bits)                                                                  \
    {                                                                                                                  \
        return bits;                                                                                                   \
    }
EXTENDED(f2, uint16_t)
EXTENDED(f4, uint32_t)
EXTENDED(f8, uint64_t)

/* The functions of one type of number, in one byte order. Only a float64 can be too large. */
#define FUNCTIONS(name, width, order, swap)                                                                            \
    static inline uint##width##_t load_##name##order(const unsigned char *at)                                          \
    {                                                                                                                  \
        uint##width##_t bits;                                                                                          \
        memcpy(&bits, at, sizeof bits);                                                                                \
        return swap(bits);                                                                                             \
    }                                                                                                                  \
    static bool run_##name##order(const unsigned char *at, size_t stride, size_t count, float *to)                     \
    {                                                                                                                  \
        bool too_large = false;                                                                                        \
        for (size_t i = 0; i < count; i++) {                                                                           \
            const uint##width##_t bits = load_##name##order(at + i * stride);                                          \
            to[i] = near_##name(bits);                                                                                 \
            if (width == 64)                                                                                           \
                too_large |= isnan(to[i]) && !isnan(wide_##name(bits));                                                \
        }                                                                                                              \
        return too_large;                                                                                              \
    }                                                                                                                  \
    static double wide_##name##order(const unsigned char *at)                                                          \
    {                                                                                                                  \
        return wide_##name(load_##name##order(at));                                                                    \
    }                                                                                                                  \
    static uint64_t bits_##name##order(const unsigned char *at)                                                        \
    {                                                                                                                  \
        return extended_##name(load_##name##order(at));                                                                \
    }

/* Each type: its name, bits, kind, and whether every value is a float32. */
#define TYPES(TYPE)                                                                                                    \
    TYPE(i1, 8, 'i', true)                                                                                             \
    TYPE(u1, 8, 'u', true)                                                                                             \
    TYPE(i2, 16, 'i', true)                                                                                            \
    TYPE(u2, 16, 'u', true)                                                                                            \
    TYPE(i4, 32, 'i', false)                                                                                           \
    TYPE(u4, 32, 'u', false)                                                                                           \
    TYPE(i8, 64, 'i', false)                                                                                           \
    TYPE(u8, 64, 'u', false)                                                                                           \
    TYPE(f2, 16, 'f', true)                                                                                            \
    TYPE(f4, 32, 'f', true)                                                                                            \
    TYPE(f8, 64, 'f', false)

#define BOTH_ORDERS(name, width, kind, exact)                                                                          \
    FUNCTIONS(name, width, _here, )                                                                                    \
    FUNCTIONS(name, width, _swapped, swapped_##width)
TYPES(BOTH_ORDERS)

static const struct npy_number numbers[] = {
#define ROW(name, width, kind, exact)                                                                                  \
    {kind,                                                                                                             \
     width / 8,                                                                                                        \
     exact,                                                                                                            \
     {run_##name##_here, run_##name##_swapped},                                                                        \
     {wide_##name##_here, wide_##name##_swapped},                                                                      \
     {bits_##name##_here, bits_##name##_swapped}},
    TYPES(ROW)
#undef ROW
};

const struct npy_number *npy_number_of(char kind, size_t size)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].kind == kind && numbers[i].size == size)
            return &numbers[i];
    return NULL;
}
