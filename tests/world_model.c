/* SPDX-License-Identifier: MIT */
/* The model of a world: all pairs by the predicates, and the changes between two updates. */
#include "world_model.h"

#include "options.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

uint32_t model_next_id(const struct model *model)
{
    uint32_t id = 0;
    while (id < model->slots && (model->items[id].live || model->items[id].removed))
        id++;
    return id;
}

/* The items of one shape, and their ids. */
static struct batch items_of(const struct model *model, enum shape shape, uint32_t ids[MOST_IDS])
{
    size_t n = 0;
    for (uint32_t id = 0; id < model->slots; id++)
        if (model->items[id].live && model->items[id].shape == shape)
            ids[n++] = id;
    struct batch batch = batch_new(shape, n);
    for (size_t i = 0; i < n; i++)
        batch_set(&batch, i, model->items[ids[i]].members);
    return batch;
}

static bool admitted(const struct model_item *a, const struct model_item *b)
{
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
}

/* Finds the pairs of two shapes. Without a predicate there are none: groups and masks keep such items apart. */
static void touch_shapes(const struct model *model, enum shape first, enum shape second,
                         bool touching[MOST_IDS][MOST_IDS])
{
    uint32_t a_ids[MOST_IDS], b_ids[MOST_IDS];
    union any_batch any_a, any_b;
    struct batch a = items_of(model, first, a_ids), b = items_of(model, second, b_ids);
    const size_t words = abut_mask_words(b.n);
    uint64_t *hits = calloc(a.n * words + 1, sizeof *hits);
    const enum abut_status status =
        abut_test_all(ABUT_TOUCHES, set_of(&a, &any_a), set_of(&b, &any_b), OPTIONS(model->touch, NULL), hits);
    CHECK(status == ABUT_OK || status == ABUT_ERROR_PREDICATE);
    for (size_t i = 0; i < a.n; i++)
        for (size_t j = 0; j < b.n; j++) {
            const uint32_t x = a_ids[i], y = b_ids[j];
            const bool admit = x != y && admitted(&model->items[x], &model->items[y]);
            if (admit && !CHECK(status == ABUT_OK))
                exit(finish("world"));
            if (admit && hit_at(hits + i * words, j))
                touching[x < y ? x : y][x < y ? y : x] = true;
        }
    free(hits);
    batch_free(&a);
    batch_free(&b);
}

/* Compares a list of an update with the pairs for which one table is set and the other is not (or is, too: both). */
static void compare_list(bool set[MOST_IDS][MOST_IDS], bool other[MOST_IDS][MOST_IDS], bool both,
                         const struct abut_pair *pairs, size_t n, const char *list, const char *what)
{
    size_t right = 0;
    for (uint32_t a = 0; a < MOST_IDS; a++)
        for (uint32_t b = a + 1; b < MOST_IDS; b++)
            if (set[a][b] && other[a][b] == both) {
                if (right >= n || pairs[right].a != a || pairs[right].b != b) {
                    check_that(false, "%s: pair %zu of %zu %s is not (%u, %u)", what, right, n, list, a, b);
                    return;
                }
                right++;
            }
    check_that(right == n, "%s: %zu pairs %s and not %zu", what, n, list, right);
}

void model_update(struct model *model, const struct abut_world_changes *changes, bool kept, const char *what,
                  uint64_t *seen)
{
    static bool now[MOST_IDS][MOST_IDS];
    memset(now, 0, sizeof now);
    for (unsigned first = 0; first < shape_count; first++)
        for (unsigned second = first; second < shape_count; second++)
            if (first != shape_plane && second != shape_plane)
                touch_shapes(model, (enum shape)first, (enum shape)second, now);
    compare_list(now, model->touching, false, changes->began, changes->n_began, "began", what);
    compare_list(model->touching, now, false, changes->ended, changes->n_ended, "ended", what);
    if (kept)
        compare_list(now, model->touching, true, changes->kept, changes->n_kept, "kept", what);
    else
        check_that(changes->n_kept == 0, "%s: pairs that nobody asked for", what);
    memcpy(model->touching, now, sizeof now);
    for (size_t id = 0; id < model->slots; id++)
        model->items[id].removed = false;
    *seen += changes->n_began + changes->n_ended;
}

void model_compare(const struct model *model, const struct abut_world *world, const char *what)
{
    size_t live = 0, pairs = 0;
    for (uint32_t id = 0; id < MOST_IDS; id++) {
        const struct model_item *item = &model->items[id];
        uint32_t others[MOST_IDS], right[MOST_IDS];
        size_t n = 0, count = 0;
        check_that(abut_world_has(world, id) == item->live, "%s: id %u", what, id);
        if (!item->live)
            continue;
        live++;
        check_that(abut_world_data(world, id) == item->data, "%s: data of %u", what, id);
        for (uint32_t other = 0; other < MOST_IDS; other++)
            if (model->touching[id < other ? id : other][id < other ? other : id] && model->items[other].live)
                right[n++] = other;
        CHECK(abut_world_touching(world, id, others, MOST_IDS, &count) == ABUT_OK);
        check_that(count == n && memcmp(others, right, n * sizeof *right) == 0, "%s: what touches %u", what, id);
        pairs += n;
    }
    CHECK(abut_world_count(world) == live && 2 * abut_world_pair_count(world) == pairs);
}
