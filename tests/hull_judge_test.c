/* SPDX-License-Identifier: MIT */
/* The judge of hulls against the oracle, and the stages before it, which may not know but never be wrong. */
#include "hull_inputs.h"
#include "hull_oracle.h"
#include "report.h"

static const enum shape shapes[] = {
#define HULL_PREDICATE(name, shape, question, function) shape_##shape,
#include "kernels.def"
};

static void check_pair(enum hull_predicate predicate, const struct planes *planes, const float *item)
{
    struct hull hull;
    prepare_planes(&hull, planes);
    int want = hull_oracles[predicate](item, planes->at, planes->count);
    int judged = (int)abut_hull_judge(predicate, &hull, item);
    struct abut_stats stats = {0};
    bool closed = abut_hull_settle(predicate, &hull, item, true, &stats);
    bool open = abut_hull_settle(predicate, &hull, item, false, &stats);
    if (!check_that(judged == want && closed == (want >= 0) && open == (want > 0),
                    "predicate %d: oracle %d, judge %d, settled %d %d", (int)predicate, want, judged, closed, open))
        print_hull_pair(shapes[predicate], planes, item);
}

int main(int argc, char **argv)
{
    struct options options = read_options(argc, argv, (struct options){.seed = 1, .rounds = 40});
    struct random random = {options.seed};
    for (unsigned round = 0; round < options.rounds; round++)
        for (unsigned p = 0; p < hull_predicate_count; p++)
            for (unsigned kind = 0; kind < hull_kind_many + (round == 0); kind++) {
                struct planes planes;
                struct hull_theme theme;
                make_hull((enum hull_kind)kind, &random, &planes, &theme);
                for (unsigned i = 0; i < 12; i++) {
                    float item[ABUT_MAX_FIELDS];
                    make_hull_item((enum hull_predicate)p, shapes[p], &theme, &planes, &random, item);
                    check_pair((enum hull_predicate)p, &planes, item);
                }
            }
    return finish("hull_judge");
}
