/* SPDX-License-Identifier: MIT */
/* Reads the values of options: numbers, names from a list, kinds of files. */
#include "option_values.h"

#include "kinds.h"
#include "parse_float.h"
#include "pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void list_name(char list[MOST_NAMES], const char *name, bool last)
{
    strcat(list, *list == '\0' ? "" : last ? " or " : ", ");
    strcat(list, name);
}

const char *const *option_choices(enum option_id id, unsigned *count)
{
    static const char *const rules[] = {"closed", "open"}, *const sides[] = {"outward", "inward"};
    static const char *const views[view_count] = {"top", "front", "side"};
    static const char *const methods[method_count] = {"auto", "index", "all"};
    static const char *const depths[depth_count] = {"0..1", "-1..1", "reversed"};
    static const char *const orders[order_count] = {"row", "column"};
    static const char *names_of_kinds[KINDS];
    static const struct choice {
        enum option_id id;
        const char *const *names;
        unsigned count;
    } choices[] = {
        {OPTION_TOUCH, rules, 2},
        {OPTION_PREDICATE, question_names, question_count},
        {OPTION_METHOD, methods, method_count},
        {OPTION_VIEW, views, view_count},
        {OPTION_DEPTH, depths, depth_count},
        {OPTION_ORDER, orders, order_count},
        {OPTION_FORMAT, format_names, format_count},
        {OPTION_NORMALS, sides, 2},
        {OPTION_KIND_A, names_of_kinds, KINDS},
        {OPTION_KIND_B, names_of_kinds, KINDS},
    };
    for (unsigned i = 0; i < KINDS; i++)
        names_of_kinds[i] = kinds[i].name;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (choices[i].id == id) {
            *count = choices[i].count;
            return choices[i].names;
        }
    }
    *count = 0;
    return NULL;
}

/* The number of the name that the value is. */
static bool choose(unsigned *chosen, const char *value, enum option_id id)
{
    unsigned count;
    const char *const *names = option_choices(id, &count);
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(value, names[i]) == 0) {
            *chosen = i;
            return true;
        }
    }
    char list[MOST_NAMES] = "";
    for (unsigned i = 0; i < count; i++)
        list_name(list, names[i], i + 1 == count);
    complain("%s takes %s, not '%s'", option_rows[id].name, list, value);
    return false;
}

static bool choose_kind(const struct kind **kind, const char *value, enum option_id id)
{
    unsigned chosen;
    if (!choose(&chosen, value, id))
        return false;
    *kind = &kinds[chosen];
    return true;
}

/* count numbers with commas between them. Only the far plane and the end of a ray may be at infinity. */
static bool take_numbers(float *numbers, unsigned count, const char *value, enum option_id id)
{
    const char *at = value;
    bool good = true, finite = true, too_large = false;
    for (unsigned i = 0; i < count && good; i++) {
        const enum parse_status status = parse_float(&at, &numbers[i]);
        good = status != PARSE_UNREADABLE && *at == (i + 1 < count ? ',' : '\0');
        too_large = too_large || status == PARSE_TOO_LARGE;
        finite = finite && (id == OPTION_FAR || id == OPTION_END || isfinite(numbers[i]));
        at++;
    }
    if (!good)
        complain("%s takes %s, not '%s'", option_rows[id].name, option_rows[id].value, value);
    else if (too_large)
        complain("%s has a number that is too large for a float32: '%s'", option_rows[id].name, value);
    else if (!finite)
        complain("%s must be finite, not '%s'", option_rows[id].name, value);
    return good && finite && !too_large;
}

/* Whether the periods are those of a plane: the third is that of no repetition. */
static bool has_two(const char *value)
{
    const char *comma = strchr(value, ',');
    return comma && !strchr(comma + 1, ',');
}

static bool take_origin(struct origin *origin, const char *value)
{
    const char *at = value;
    bool good = true;
    float unused;
    origin->find = strcmp(value, "auto") == 0;
    origin->given = !origin->find;
    for (unsigned i = 0; i < 3 && good && origin->given; i++, at++)
        good = parse_number(&at, &unused, &origin->at[i]) == PARSE_OK && *at == (i < 2 ? ',' : '\0') &&
               isfinite(origin->at[i]);
    if (!good)
        complain("--origin takes X,Y,Z or auto, not '%s'", value);
    return good;
}

static bool take_amount(unsigned *amount, unsigned most, const char *value, enum option_id id)
{
    char *end;
    const unsigned long long number = strtoull(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || number < 1 || number > most) {
        complain("%s takes a number from 1 to %u, not '%s'", option_rows[id].name, most, value);
        return false;
    }
    *amount = (unsigned)number;
    return true;
}

static bool take_choice(struct options *options, enum option_id id, const char *value)
{
    unsigned chosen;
    if (!choose(&chosen, value, id))
        return false;
    switch (id) {
    case OPTION_TOUCH:
        options->touch = chosen ? ABUT_OPEN : ABUT_CLOSED;
        break;
    case OPTION_PREDICATE:
        options->question = (enum question)chosen;
        break;
    case OPTION_METHOD:
        options->method = (enum method)chosen;
        break;
    case OPTION_VIEW:
        options->view = (enum view)chosen;
        break;
    case OPTION_DEPTH:
        options->depth = (enum depth)chosen;
        break;
    case OPTION_ORDER:
        options->order = (enum order)chosen;
        break;
    case OPTION_FORMAT:
        options->format = (enum format)chosen;
        break;
    case OPTION_NORMALS:
        options->inward = chosen == 1;
        break;
    default:
        break;
    }
    return true;
}

bool option_apply(struct options *options, enum option_id id, const char *value)
{
    void *member = (char *)options + option_rows[id].at;
    switch (option_rows[id].form) {
    case FLAG:
        *(bool *)member = true;
        break;
    case TEXT:
        if ((id == OPTION_OUTPUT || id == OPTION_SVG) && *value == '\0') {
            complain("%s takes %s, not ''", option_rows[id].name, option_rows[id].value);
            return false;
        }
        *(const char **)member = value;
        break;
    case ORIGIN:
        return take_origin(member, value);
    case NUMBER:
        options->limited |= id == OPTION_WITHIN;
        return take_numbers(member, 1, value, id);
    case POINT:
        options->periodic |= id == OPTION_PERIODIC;
        return take_numbers(member, id == OPTION_PERIODIC && has_two(value) ? 2 : 3, value, id);
    case AMOUNT:
        return take_amount(member, id == OPTION_THREADS ? POOL_MOST_THREADS : UINT32_MAX, value, id);
    case KIND:
        return choose_kind(member, value, id);
    case CHOICE:
        return take_choice(options, id, value);
    case REQUEST:
        break;
    }
    return true;
}
