/* SPDX-License-Identifier: MIT */
/* Many threads call predicates on the same batches while another changes the instruction set: equal answers. */
#include "batches.h"
#include "options.h"
#include "report.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ITEMS = 500 };

struct task {
    struct batch a[predicate_count], b[predicate_count];
    unsigned rounds;
};

struct asker {
    const struct task *task;
    uint64_t *first[predicate_count]; /* the answers of the first round */
    unsigned different;               /* rounds with other answers, or an error */
};

static uint64_t *answers(const struct task *task, const struct subject *subject, bool *ok)
{
    struct columns a = batch_columns(&task->a[subject->predicate]), b = batch_columns(&task->b[subject->predicate]);
    struct abut_stats stats = {0};
    uint64_t *hits = calloc(abut_mask_words(ITEMS), sizeof *hits);
    *ok = hits != NULL && subject->call(&a, &b, OPTIONS(ABUT_CLOSED, &stats), hits) == ABUT_OK && stats.pairs == ITEMS;
    return hits;
}

static void *ask_again(void *argument)
{
    struct asker *asker = argument;
    for (unsigned round = 0; round < asker->task->rounds; round++)
        for (unsigned i = 0; i < predicate_count; i++) {
            bool ok;
            uint64_t *hits = answers(asker->task, &subjects[i], &ok);
            if (round == 0)
                asker->first[i] = hits;
            if (!ok || memcmp(hits, asker->first[i], abut_mask_words(ITEMS) * sizeof *hits) != 0)
                asker->different++;
            if (round > 0)
                free(hits);
        }
    return NULL;
}

static void *change_isa(void *argument)
{
    const struct task *task = argument;
    for (unsigned round = 0; round < task->rounds; round++)
        for (const char *const *isa = abut_isas(); *isa != NULL; isa++)
            if (abut_use_isa(*isa) != ABUT_OK || abut_isa() == NULL)
                return argument;
    return NULL;
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 200});
    struct random random = {options.seed};
    struct task task = {.rounds = options.rounds};
    for (unsigned i = 0; i < predicate_count; i++)
        batches_of_pairs(&subjects[i], of_hulls(&subjects[i]) ? kind_hull_integers : kind_integers, &random, ITEMS,
                         &task.a[i], &task.b[i]);

    /* The program's first calls: many threads run the library's one-time detection at once. */
    struct asker askers[THREADS] = {{0}};
    pthread_t threads[THREADS], changer;
    for (unsigned i = 0; i < THREADS; i++) {
        askers[i].task = &task;
        CHECK(pthread_create(&threads[i], NULL, ask_again, &askers[i]) == 0);
    }
    CHECK(pthread_create(&changer, NULL, change_isa, &task) == 0);
    void *failed;
    for (unsigned i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], &failed) == 0);
    CHECK(pthread_join(changer, &failed) == 0 && failed == NULL);

    for (unsigned i = 0; i < predicate_count; i++) {
        bool ok;
        uint64_t *alone = answers(&task, &subjects[i], &ok);
        CHECK(ok);
        for (unsigned j = 0; j < THREADS; j++) {
            check_that(memcmp(alone, askers[j].first[i], abut_mask_words(ITEMS) * sizeof *alone) == 0,
                       "%s: thread %u has other answers than one alone; seed %llu", subjects[i].name, j,
                       (unsigned long long)options.seed);
            free(askers[j].first[i]);
        }
        free(alone);
        batch_free(&task.a[i]);
        batch_free(&task.b[i]);
    }
    for (unsigned j = 0; j < THREADS; j++)
        check_that(askers[j].different == 0, "thread %u: %u calls failed or changed their answers; seed %llu", j,
                   askers[j].different, (unsigned long long)options.seed);
    return finish("threads");
}
