/* SPDX-License-Identifier: MIT */
/*
 * Kinds by the names of columns: the kind with the most columns here. Names are taken in any case, and known synonyms
 * too; what may mean something else is an error, never a guess.
 */
#include "csv_header.h"

#include "hulls.h"
#include "parse_float.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool span_is(struct span span, const char *text)
{
    size_t i = 0;
    for (; i < span.length && *text && span.at[i] == *text; i++, text++)
        i += span.quoted && *text == '"';
    return i == span.length && *text == '\0';
}

struct span *names_in(const char *list, size_t *count)
{
    *count = 1;
    for (const char *p = list; *p; p++)
        *count += *p == ',';
    struct span *names = calloc(*count, sizeof *names);
    for (size_t i = 0; i < *count && names; i++) {
        names[i] = (struct span){list, strcspn(list, ","), false};
        list += names[i].length + 1;
    }
    return names;
}

size_t csv_find_column(const struct csv *csv, const char *name, struct problem *problem)
{
    size_t at = csv->field_count, found = 0;
    for (size_t i = csv->field_count; i-- > 0;) {
        if (span_is(csv->names[i], name)) {
            at = i;
            found++;
        }
    }
    if (found == 1)
        return at;
    *problem = (struct problem){.line = csv->header_line, .column = name};
    snprintf(problem->what, sizeof problem->what, found ? "the column is here %zu times" : "the column is missing",
             found);
    return csv->field_count;
}

static bool span_is_in_any_case(struct span span, const char *text)
{
    return span.length == strlen(text) && strncasecmp(span.at, text, span.length) == 0;
}

/* Other names of a field, in any case. Those of dx, dy and dz are sizes, and no motions. */
static bool is_synonym(struct span span, const struct kind *kind, const char *field)
{
    static const char *const synonyms[][2] = {{"r", "radius"},  {"r", "rad"},    {"dx", "length"},
                                              {"dx", "l"},      {"dy", "width"}, {"dy", "w"},
                                              {"dz", "height"}, {"dz", "h"},     {"yaw", "heading"}};
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(field, synonyms[i][0]) == 0 && (*field == 'r' || !kind_is_ray(kind)) &&
            span_is_in_any_case(span, synonyms[i][1]))
            return true;
    return false;
}

/* Whether a column named r or R is red: g and b are there, too, in the same case. */
static bool is_red(const struct csv *csv, struct span name)
{
    static const char *const others[2][2] = {{"g", "b"}, {"G", "B"}};
    if (!span_is_in_any_case(name, "r"))
        return false;
    const unsigned capital = *name.at == 'R';
    unsigned found = 0;
    for (size_t i = 0; i < csv->field_count; i++)
        found |= (unsigned)span_is(csv->names[i], others[capital][0]) |
                 (unsigned)span_is(csv->names[i], others[capital][1]) << 1;
    return found == 3;
}

/*
 * The columns that may be a field: in any case, or by another name. Colours are none, unless forced says that a kind
 * was asked for and there is no other column. Sets the first two.
 */
static size_t columns_of(const struct csv *csv, const struct kind *kind, unsigned k, bool forced, size_t at[2])
{
    const char *field = kind->fields[k];
    size_t found = 0;
    for (unsigned colours = 0; colours <= forced && found == 0; colours++)
        for (size_t i = 0; i < csv->field_count; i++) {
            const struct span name = csv->names[i];
            const bool named =
                span_is(name, field) || span_is_in_any_case(name, field) || is_synonym(name, kind, field);
            if (!named || (is_red(csv, name) && !colours))
                continue;
            if (found < 2)
                at[found] = i;
            found++;
        }
    return found;
}

/* The one column of field k. If there is none or more than one, returns field_count, and problem is set. */
static size_t column_of(const struct csv *csv, const struct kind *kind, unsigned k, bool forced,
                        struct problem *problem)
{
    size_t at[2];
    const char *field = kind->fields[k];
    const size_t found = columns_of(csv, kind, k, forced, at);
    if (found == 1)
        return at[0];
    *problem = (struct problem){.line = csv->header_line, .column = field};
    if (found == 0) {
        snprintf(problem->what, sizeof problem->what, "the column is missing");
        return csv->field_count;
    }
    const struct span one = csv->names[at[0]], other = csv->names[at[1]];
    if (one.length == other.length && memcmp(one.at, other.at, one.length) == 0)
        snprintf(problem->what, sizeof problem->what, "the column is here %zu times", found);
    else
        snprintf(problem->what, sizeof problem->what, "may be '%.*s' or '%.*s': rename one", (int)one.length, one.at,
                 (int)other.length, other.at);
    return csv->field_count;
}

static bool is_complete(const struct csv *csv, const struct kind *kind)
{
    size_t at[2];
    for (unsigned k = 0; k < kind->field_count; k++)
        if (columns_of(csv, kind, k, false, at) == 0)
            return false;
    return true;
}

static bool includes(const struct kind *kind, const struct kind *part)
{
    for (unsigned k = 0; k < part->field_count; k++)
        if (kind_field(kind, part->fields[k]) == kind->field_count)
            return false;
    return true;
}

/* The first line of the header, cut to what a message holds: it shows a wrong separator or a comment. */
static void show_header(const struct csv *csv, char *shown, size_t capacity)
{
    static const char more[] = "...";
    const char *p = csv->header, *end = memchr(p, '\n', (size_t)(csv->end - p));
    end -= end > p && end[-1] == '\r';
    size_t length = 0;
    for (; p < end && length + sizeof more < capacity; p++)
        shown[length++] = *p ? *p : '?';
    for (; length > 0 && p < end && (*p & 0xC0) == 0x80; p--) /* in the middle of a character of UTF-8 */
        length--;
    strcpy(shown + length, p == end ? "" : more);
}

/* A column of one of these names that is not red, or NULL; sets how many there are. */
static const struct span *find_any(const struct csv *csv, const char *const *names, size_t count, size_t *found)
{
    const struct span *first = NULL;
    *found = 0;
    for (size_t i = 0; i < csv->field_count; i++)
        for (size_t k = 0; k < count; k++)
            if (span_is_in_any_case(csv->names[i], names[k]) && !is_red(csv, csv->names[i])) {
                first = first ? first : &csv->names[i];
                ++*found;
            }
    return first;
}

/*
 * A column beside those of points, segments or rays that may be a size, so that the rows may be larger shapes; or NULL.
 * Rays may have a length, but no diameter. One letter alone may mean anything, two of w, h, d and l hardly.
 */
static const struct span *find_size(const struct csv *csv, const struct kind *kind)
{
    static const char *const words[] = {"r",     "rad",    "radius", "diameter", "diam",   "size", "extent",
                                        "width", "height", "depth",  "length",   "dx",     "dy",   "dz",
                                        "sx",    "sy",     "sz",     "yaw",      "heading"};
    static const char *const letters[] = {"w", "h", "d", "l"};
    enum { ROUND = 6 };
    size_t found;
    if (kind == &ray_segments)
        return find_any(csv, words, ROUND, &found);
    if (kind != &kinds[ABUT_SET_POINTS] && kind != &kinds[ABUT_SET_SEGMENTS])
        return NULL;
    const struct span *word = find_any(csv, words, sizeof words / sizeof *words, &found);
    if (word)
        return word;
    const struct span *letter = find_any(csv, letters, sizeof letters / sizeof *letters, &found);
    return found >= 2 ? letter : NULL;
}

/* A kind with all its columns here that is larger than the best so far, and no part of it. */
static void take_larger(const struct csv *csv, const struct kind *kind, const struct kind *not_in,
                        const struct kind **best)
{
    if (is_complete(csv, kind) && !(not_in && includes(not_in, kind)) &&
        (!*best || (*best)->field_count < kind->field_count))
        *best = kind;
}

static const struct kind *largest_kind(const struct csv *csv, const struct kind *not_in)
{
    const struct kind *best = NULL;
    for (size_t i = 0; i < KINDS; i++)
        take_larger(csv, &kinds[i], not_in, &best);
    take_larger(csv, &quaternion_obbs, not_in, &best);
    take_larger(csv, &yaw_obbs, not_in, &best);
    return best;
}

/* Whether all names are numbers, so that the line is hardly a header. */
static bool names_are_numbers(const struct csv *csv)
{
    for (size_t i = 0; i < csv->field_count; i++) {
        const char *p = csv->names[i].at;
        float unused;
        if (parse_float(&p, &unused) == PARSE_UNREADABLE || p != csv->names[i].at + csv->names[i].length)
            return false;
    }
    return true;
}

/* The kind that lacks the fewest columns, if it has more than it lacks; sets the first that it lacks. */
static const struct kind *nearest_kind(const struct csv *csv, const char **lacking)
{
    const struct kind *nearest = NULL;
    unsigned least = UINT_MAX;
    for (size_t i = 0; i < KINDS; i++) {
        const char *first = NULL;
        unsigned missing = 0;
        size_t at[2];
        for (unsigned k = 0; k < kinds[i].field_count; k++)
            if (columns_of(csv, &kinds[i], k, false, at) == 0 && missing++ == 0)
                first = kinds[i].fields[k];
        if (2 * missing < kinds[i].field_count && missing <= least) { /* of equals the larger, which comes later */
            nearest = &kinds[i];
            least = missing;
            *lacking = first;
        }
    }
    return nearest;
}

/* Why the header fits no kind. */
static void describe_no_kind(const struct csv *csv, const char *kind_option, struct problem *problem)
{
    char shown[60];
    const char *lacking;
    show_header(csv, shown, sizeof shown);
    const struct kind *nearest = nearest_kind(csv, &lacking);
    if (names_are_numbers(csv))
        snprintf(problem->what, sizeof problem->what,
                 "the first line holds numbers, '%s': name the columns, %s x,y,z or so", shown,
                 strcmp(kind_option, "--kind-a") == 0 ? "--columns-a" : "--columns-b");
    else if (nearest)
        snprintf(problem->what, sizeof problem->what, "no kind fits '%s': %s need a column %s, too", shown,
                 nearest->name, lacking);
    else
        snprintf(problem->what, sizeof problem->what, "the columns of no kind are all in '%s' (abut --help lists them)",
                 shown);
}

/* The form of rays whose columns are here, of that kind or any; NULL where rows are no rays. */
static const struct kind *find_rays(const struct csv *csv, const struct kind *kind)
{
    static const struct kind *const forms[] = {&ray_capsules, &ray_segments};
    for (size_t i = 0; i < sizeof forms / sizeof *forms && csv->rays; i++)
        if ((!kind || kind->set == forms[i]->set) && is_complete(csv, forms[i]))
            return forms[i];
    return NULL;
}

static const struct kind *guess_kind(const struct csv *csv, const char *kind_option, struct problem *problem)
{
    *problem = (struct problem){.line = csv->header_line};
    const struct kind *form = find_rays(csv, NULL);
    const struct kind *best = form ? form : largest_kind(csv, NULL);
    if (!best) {
        describe_no_kind(csv, kind_option, problem);
        return NULL;
    }
    const bool segments = is_complete(csv, &kinds[ABUT_SET_SEGMENTS]);
    const struct kind *other = !form ? largest_kind(csv, best) : segments ? &kinds[ABUT_SET_SEGMENTS] : NULL;
    const struct span *size = find_size(csv, best);
    if (form && other)
        snprintf(problem->what, sizeof problem->what,
                 "the columns of %s and of segments are here: %s segments takes a and b", best->name, kind_option);
    else if (other)
        snprintf(problem->what, sizeof problem->what, "the columns of %s and of %s are here: choose with %s",
                 best->name, other->name, kind_option);
    else if (size)
        snprintf(problem->what, sizeof problem->what, "the column '%.*s' may be a size: %s %s leaves it out",
                 (int)size->length, size->at, kind_option, kinds[best->set].name);
    return other || size ? NULL : best;
}

/* The form of a kind whose columns are here, or the kind itself. */
static const struct kind *form_of(const struct csv *csv, const struct kind *kind)
{
    static const struct kind *const forms[] = {&quaternion_obbs, &yaw_obbs, &vertex_hulls};
    if (is_complete(csv, kind))
        return kind;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (kind->set == forms[i]->set && is_complete(csv, forms[i]))
            return forms[i];
    const struct kind *form = find_rays(csv, kind);
    return form ? form : kind;
}

const struct kind *csv_find_kind(struct csv *csv, const struct kind *kind, const char *kind_option,
                                 struct problem *problem)
{
    const bool forced = kind;
    kind = kind ? form_of(csv, kind) : guess_kind(csv, kind_option, problem);
    if (!kind)
        return NULL;
    for (size_t i = 0; i < csv->field_count; i++)
        csv->targets[i] = MOST_FIELDS;
    for (unsigned k = 0; k < kind->field_count; k++) {
        const size_t column = column_of(csv, kind, k, forced, problem);
        if (column == csv->field_count)
            return NULL;
        csv->targets[column] = k;
    }
    csv->volume = volume_field(kind);
    return kind;
}
