/* SPDX-License-Identifier: MIT */
/* The number reader against strtof, and against bounds of its own: every text must give the nearest float32. */
#include "parse_float.h"
#include "random.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned passed, failed;

static void expect(bool good, const char *text, float got, float wanted)
{
    if (good)
        passed++;
    else if (failed++ < 20)
        printf("FAIL '%s': %a, expected %a\n", text, (double)got, (double)wanted);
}

static bool same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* A text that parse_float must take whole. */
static void reads(const char *text, float wanted)
{
    char line[256];
    snprintf(line, sizeof line, "%s\n", text);
    const char *p = line;
    float got = 42;
    enum parse_status status = parse_float(&p, &got);
    expect(status == PARSE_OK && *p == '\n' && same(got, wanted), text, got, wanted);
    double wide = 42, near = strtod(line, NULL);
    p = line;
    parse_number(&p, &got, &wide);
    expect(memcmp(&wide, &near, sizeof wide) == 0 && same(got, wanted), text, (float)wide, (float)near);
}

static void refuses(const char *text, enum parse_status wanted)
{
    char line[256];
    snprintf(line, sizeof line, "%s\n", text);
    const char *p = line;
    float got = 42;
    enum parse_status status = parse_float(&p, &got);
    bool whole = *p == '\n';
    expect(wanted == PARSE_UNREADABLE ? status == wanted || !whole : status == wanted && whole, text, got, 0);
}

static void fixed_texts(void)
{
    reads("0", 0);
    reads("-0", -0.0f);
    reads("-0.0e5", -0.0f);
    reads("+1", 1);
    reads(".5", 0.5f);
    reads("5.", 5);
    reads("1e2", 100);
    reads("1E+2", 100);
    reads("1e-2", 0.01f);
    reads("000000000000000000000000000001.5", 1.5f);
    reads("0.000000000000000000000000000000000000000000001", 0x1p-149f);
    reads("1e-46", 0);
    reads("-1e-99999999999999999999", -0.0f);
    reads("0e99999999999999999999", 0);
    reads("3.4028235e38", FLT_MAX);
    reads("340282356779733661637539395458142568447", FLT_MAX);
    refuses("340282356779733661637539395458142568448", PARSE_TOO_LARGE);
    refuses("1e39", PARSE_TOO_LARGE);
    refuses("-1e99999999999999999999", PARSE_TOO_LARGE);
    reads("inf", INFINITY);
    reads("-Infinity", -INFINITY);
    reads("+INF", INFINITY);
    static const char *const unreadable[] = {"",    "-",   ".",      "e5",    "1e",  "1e+",   "0x10", "0x1p3",
                                             "nan", "NaN", "nan(1)", "1.2.3", "1,5", "infin", "--1",  "+-1",
                                             "1f",  "1 2", "1_0",    "\"1\"", " 1",  "1\r",   "in",   "INFINITYY"};
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++)
        refuses(unreadable[i], PARSE_UNREADABLE);
}

/* Texts near the midpoint of two floats, where a rounding by way of double goes wrong. */
static void double_roundings(void)
{
    reads("1.000000178813934326171874", 0x1.000002p0f);
    reads("1.000000178813934326171875", 0x1.000004p0f);
    reads("1.00000017881393432617187499", 0x1.000002p0f);
    reads("1.0000000596046447753906250000000000000000000000000001", 0x1.000002p0f);
    reads("1.0000000596046447753906250000000000000000000000000000", 1);
    reads("16777217", 16777216);
    reads("16777217.000000000000000001", 16777218);
    reads("16777219", 16777220);
    reads("7.0064923216240853e-46", 0);
    reads("7.0064923216240854e-46", 0x1p-149f);
    unsigned wrong_by_double = 0;
    struct random random = {7};
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = 0x30000000 + random_below(&random, 0x20000000);
        float low, high;
        memcpy(&low, &bits, sizeof low);
        high = nextafterf(low, INFINITY);
        double middle = ((double)low + (double)high) / 2;
        char text[128];
        int length = snprintf(text, sizeof text, "%.60e", middle);
        char *exponent = strchr(text, 'e');
        bool tie = i % 3 == 0;
        if (!tie) /* the last digit before the exponent, far below what double holds, breaks the tie */
            exponent[-1] = '1';
        float even = bits & 1 ? high : low;
        reads(text, tie ? even : high);
        wrong_by_double += !tie && length > 0 && (float)strtod(text, NULL) != high;
    }
    if (wrong_by_double < 10000) {
        failed++;
        printf("FAIL the texts do not catch a rounding by way of double\n");
    }
}

static void against_strtof(void)
{
    struct random random = {8};
    for (int i = 0; i < 2000000; i++) {
        char text[64];
        uint32_t bits = (uint32_t)random_next(&random);
        float value;
        memcpy(&value, &bits, sizeof value);
        switch (i % 4) {
        case 0:
            snprintf(text, sizeof text, "%.*g", (int)random_below(&random, 20), isnan(value) ? 1.0 : (double)value);
            break;
        case 1:
            snprintf(text, sizeof text, "%.17g", (double)random_between(&random, -1000, 1000) * 1.00000000000123);
            break;
        case 2:
            snprintf(text, sizeof text, "%llu.%llu",
                     (unsigned long long)(random_next(&random) >> random_below(&random, 60)),
                     (unsigned long long)(random_next(&random) >> random_below(&random, 60)));
            break;
        default:
            snprintf(text, sizeof text, "-%llue%d",
                     (unsigned long long)(random_next(&random) >> random_below(&random, 60)),
                     (int)random_below(&random, 80) - 50);
            break;
        }
        float wanted = strtof(text, NULL);
        if (isinf(wanted) && !strstr(text, "inf"))
            refuses(text, PARSE_TOO_LARGE);
        else
            reads(text, wanted);
    }
}

/* Of the text: the first fractions are whole float32. */
static void wholes(void)
{
    static const char *const whole[] = {
        "0",     "-0.0", "0e-99", "3",      "+3",     "-3.",     "007.000",
        "3e0",   "1e30", ".5e1",  "0.3e+1", "300e-2", "20.0e-1", "1.0000000000000000000000e0",
        "100.0", "inf"};
    static const char *const fractions[] = {"1.00000001",
                                            "1.0000000000000000000001",
                                            "16777215.9999999999",
                                            "1e-60",
                                            "3e-99999999999999999999",
                                            "10e-2",
                                            "0.5",
                                            "15e-1"};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        expect(parse_whole_number(whole[i]), whole[i], 0, 1);
    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++)
        expect(!parse_whole_number(fractions[i]), fractions[i], 1, 0);
}

int main(void)
{
    fixed_texts();
    wholes();
    double_roundings();
    against_strtof();
    printf("parse_float_test: %u passed, %u failed\n", passed, failed);
    return failed > 0;
}
