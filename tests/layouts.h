/* SPDX-License-Identifier: MIT */
/* The main function of a test that runs on every instruction set and layout, with a pool of threads. */
#ifndef ABUT_TESTS_LAYOUTS_H
#define ABUT_TESTS_LAYOUTS_H

#include "index_scenes.h"

struct layouts_test {
    const char *name;
    /* Runs once for each round, instruction set and layout. */
    void (*run)(enum layout layout, const struct abut_threads *threads, struct random *random);
    void (*end)(struct random *random); /* runs once, behind all of these */
};

/* The exit status of main. */
int layouts_main(const struct layouts_test *test, int argc, char **argv);

#endif
