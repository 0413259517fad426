/* SPDX-License-Identifier: MIT */
/* Texts have the numbers that a list of them gives: random ones, one in another, with zero bytes, and none at all. */
#include "labels.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

enum { TEXTS = 3000, LONGEST = 12 };

struct known {
    char text[LONGEST];
    size_t length;
};

static unsigned passed, failed;

static void require(int good, const char *what)
{
    passed += good;
    failed += !good;
    if (!good)
        printf("FAIL %s\n", what);
}

/* Of few letters, so that many are the same up to some place. */
static struct known make_text(struct random *random, unsigned letters)
{
    static const char all[] = {'a', 'b', '\0', '\xFF', 'c', '\x01', '\x80', ' ', '"', '\n'};
    struct known made = {.length = random_below(random, LONGEST + 1)};
    for (size_t i = 0; i < made.length; i++)
        made.text[i] = all[random_below(random, letters)];
    return made;
}

static void check(struct random *random, unsigned letters)
{
    static struct known known[TEXTS];
    struct labels labels = {0};
    size_t count = 0;
    for (unsigned i = 0; i < TEXTS; i++) {
        const struct known text = make_text(random, letters);
        size_t number = 0;
        while (number < count &&
               (known[number].length != text.length || memcmp(known[number].text, text.text, text.length) != 0))
            number++;
        if (number == count)
            known[count++] = text;
        require(labels_number(&labels, text.text, text.length) == number, "the number of a text");
    }
    for (uint32_t number = 0; number < count; number++) {
        const struct text text = labels_text(&labels, number);
        require(text.length == known[number].length && memcmp(text.at, known[number].text, text.length) == 0,
                "the text of a number");
    }
    require(labels.count == count, "how many texts there are");
    labels_free(&labels);
}

int main(void)
{
    struct random random = {1};
    for (unsigned letters = 1; letters <= 10; letters++)
        check(&random, letters);
    printf("labels_test: %u passed, %u failed\n", passed, failed);
    return failed > 0;
}
