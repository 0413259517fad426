/* SPDX-License-Identifier: MIT */
/* Rounds of all instruction sets and layouts. Parts of 64 items let small scenes have several threads. */
#include "layouts.h"

#include "pool.h"
#include "report.h"

int layouts_main(const struct layouts_test *test, int argc, char **argv)
{
    const struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 1, .step = 1});
    struct random random = {options.seed};
    struct pool *pool = pool_new(3);
    if (!CHECK(pool != NULL))
        return finish(test->name);
    struct abut_threads threads = pool_threads(pool);
    threads.grain = 64;
    for (unsigned round = 0; round < options.rounds; round++)
        for (const char *const *isa = abut_isas(); *isa; isa++)
            for (unsigned layout = 0; layout < layout_count; layout++) {
                CHECK(abut_use_isa(*isa) == ABUT_OK);
                test->run((enum layout)layout, &threads, &random);
            }
    test->end(&random);
    pool_free(pool);
    return finish(test->name);
}
