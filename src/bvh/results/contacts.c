/* SPDX-License-Identifier: MIT */
/* Comparing the contacts of two steps: which pairs began, were kept, and ended. */
#include <abut/index.h>

struct list {
    struct abut_pair *at;
    size_t capacity, count;
};

/* Pairs that do not fit are only counted. */
static void append(struct list *list, struct abut_pair pair)
{
    if (list->count < list->capacity)
        list->at[list->count] = pair;
    list->count++;
}

static uint64_t key(struct abut_pair pair)
{
    return (uint64_t)pair.a << 32 | pair.b;
}

enum abut_status abut_find_contacts(const struct abut_pair *before, size_t n_before, const struct abut_pair *now,
                                    size_t n_now, struct abut_contacts *contacts)
{
    if (contacts == NULL || (n_before > 0 && before == NULL) || (n_now > 0 && now == NULL))
        return ABUT_ERROR_NULL;
    struct list began = {contacts->began, contacts->began == NULL ? 0 : contacts->capacity, 0};
    struct list kept = {contacts->kept, contacts->kept == NULL ? 0 : contacts->capacity, 0};
    struct list ended = {contacts->ended, contacts->ended == NULL ? 0 : contacts->capacity, 0};
    for (size_t i = 0, j = 0; i < n_before || j < n_now;) {
        if (j == n_now || (i < n_before && key(before[i]) < key(now[j]))) {
            append(&ended, before[i++]);
        } else if (i == n_before || key(now[j]) < key(before[i])) {
            append(&began, now[j++]);
        } else {
            append(&kept, now[j++]);
            i++;
        }
    }
    contacts->n_began = began.count;
    contacts->n_kept = kept.count;
    contacts->n_ended = ended.count;
    return ABUT_OK;
}
