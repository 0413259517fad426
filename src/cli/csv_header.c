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

/* The kinds whose fields a name may be. */
enum where { ANYWHERE, NO_RAYS, OF_OBBS, OF_TRIANGLES };

struct synonym {
    const char *name, *field;
    enum where where;
};

#define AXES(x, y, z, before, after, where)                                                                            \
    {x, before "x" after, where}, {y, before "y" after, where},                                                        \
    {                                                                                                                  \
        z, before "z" after, where                                                                                     \
    }

/*
 * Other names of fields; those that may be either of two stand side by side. Those of dx, dy and dz are sizes, and no
 * motions. Boxes and segments both have corners 1 and 2.
 */
static const struct synonym synonyms[] = {
    {"radius", "r", ANYWHERE},
    {"rad", "r", ANYWHERE},
    {"heading", "yaw", ANYWHERE},
    AXES("length", "width", "height", "d", "", NO_RAYS),
    AXES("l", "w", "h", "d", "", NO_RAYS),
    AXES("size_x", "size_y", "size_z", "d", "", NO_RAYS),
    AXES("pos_x", "pos_y", "pos_z", "", "", ANYWHERE),
    AXES("posx", "posy", "posz", "", "", ANYWHERE),
    AXES("position_x", "position_y", "position_z", "", "", ANYWHERE),
    AXES("xu", "yu", "zu", "", "", ANYWHERE),
    AXES("points:0", "points:1", "points:2", "", "", ANYWHERE),
    AXES("points_0", "points_1", "points_2", "", "", ANYWHERE),
    AXES("xmin", "ymin", "zmin", "min", "", ANYWHERE),
    AXES("xmax", "ymax", "zmax", "max", "", ANYWHERE),
    AXES("x_min", "y_min", "z_min", "min", "", ANYWHERE),
    AXES("x_max", "y_max", "z_max", "max", "", ANYWHERE),
    AXES("min_x", "min_y", "min_z", "min", "", ANYWHERE),
    AXES("max_x", "max_y", "max_z", "max", "", ANYWHERE),
    {"center_x", "x", NO_RAYS},
    {"center_x", "cx", OF_OBBS},
    {"center_y", "y", NO_RAYS},
    {"center_y", "cy", OF_OBBS},
    {"center_z", "z", NO_RAYS},
    {"center_z", "cz", OF_OBBS},
    {"centre_x", "x", NO_RAYS},
    {"centre_x", "cx", OF_OBBS},
    {"centre_y", "y", NO_RAYS},
    {"centre_y", "cy", OF_OBBS},
    {"centre_z", "z", NO_RAYS},
    {"centre_z", "cz", OF_OBBS},
    {"x1", "minx", ANYWHERE},
    {"x1", "ax", ANYWHERE},
    {"y1", "miny", ANYWHERE},
    {"y1", "ay", ANYWHERE},
    {"z1", "minz", ANYWHERE},
    {"z1", "az", ANYWHERE},
    {"x2", "maxx", ANYWHERE},
    {"x2", "bx", ANYWHERE},
    {"y2", "maxy", ANYWHERE},
    {"y2", "by", ANYWHERE},
    {"z2", "maxz", ANYWHERE},
    {"z2", "bz", ANYWHERE},
    AXES("x3", "y3", "z3", "c", "", OF_TRIANGLES),
};
enum { SYNONYMS = sizeof synonyms / sizeof *synonyms, LONGEST_NAME = 10 };

/* A name without the unit behind it: "X [m]" is x. Units of other things than lengths and radians leave it whole. */
static struct span without_unit(struct span name)
{
    static const char *const units[] = {"m",         "km",        "dm", "cm", "mm", "um",
                                        "\xC2\xB5m", "\xCE\xBCm", "nm", "pm", "a",  "\xC3\x85",
                                        "ang",       "angstrom",  "ft", "in", "px", "rad"};
    const char last = name.length > 2 ? name.at[name.length - 1] : '\0', first = last == ']' ? '[' : '(';
    if (last != ']' && last != ')')
        return name;
    size_t at = name.length - 1;
    while (at > 0 && name.at[at - 1] != first)
        at--;
    const struct span unit = {name.at + at, name.length - 1 - at, false};
    bool known = false;
    for (size_t i = 0; i < sizeof units / sizeof *units && at > 1; i++)
        known |= span_is_in_any_case(unit, units[i]);
    if (!known)
        return name;
    for (at--; at > 0 && (name.at[at - 1] == ' ' || name.at[at - 1] == '\t');)
        at--;
    return at > 0 ? (struct span){name.at, at, name.quoted} : name;
}

/* Where a name is among the fields of all kinds, or among their other names. */
static bool find_name(struct span name, struct named *named)
{
    if (name.length == 0 || name.length > LONGEST_NAME)
        return false;
    for (size_t i = 0; i < KINDS + FORMS; i++) {
        const struct kind *kind = i < KINDS ? &kinds[i] : kind_forms[i - KINDS];
        for (unsigned k = 0; k < kind->field_count; k++)
            if (span_is_in_any_case(name, kind->fields[k])) {
                named->field = kind->fields[k];
                return true;
            }
    }
    for (named->synonym = 0; named->synonym < SYNONYMS; named->synonym++)
        if (span_is_in_any_case(name, synonyms[named->synonym].name))
            return true;
    return false;
}

/* Keeps the columns whose names are known. False if memory runs out. */
static bool find_names(struct csv *csv)
{
    size_t capacity = 0;
    csv->named_count = 0;
    for (size_t i = 0; i < csv->field_count; i++) {
        struct named named = {.column = i};
        if (!find_name(without_unit(csv->names[i]), &named))
            continue;
        if (csv->named_count == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            struct named *larger = realloc(csv->named, capacity * sizeof *larger);
            if (!larger)
                return false;
            csv->named = larger;
        }
        csv->named[csv->named_count++] = named;
    }
    return true;
}

static bool applies(const struct synonym *synonym, const struct kind *kind)
{
    switch (synonym->where) {
    case NO_RAYS:
        return !kind_is_ray(kind);
    case OF_OBBS:
        return kind->set == ABUT_SET_OBBS;
    case OF_TRIANGLES:
        return kind->set == ABUT_SET_TRIANGLES;
    default:
        return true;
    }
}

/* Whether a column may be that field of the kind. */
static bool may_be(const struct named *named, const struct kind *kind, const char *field)
{
    if (named->field)
        return strcmp(named->field, field) == 0;
    const struct synonym *first = &synonyms[named->synonym];
    for (size_t i = named->synonym; i < SYNONYMS && strcmp(synonyms[i].name, first->name) == 0; i++)
        if (strcmp(synonyms[i].field, field) == 0 && applies(&synonyms[i], kind))
            return true;
    return false;
}

/* Whether the columns g and b are there, or G and B. */
static bool has_colours(const struct csv *csv, const char *green, const char *blue)
{
    unsigned found = 0;
    for (size_t i = 0; i < csv->field_count; i++)
        found |= (unsigned)span_is(csv->names[i], green) | (unsigned)span_is(csv->names[i], blue) << 1;
    return found == 3;
}

/* Whether a column named r or R is red: g and b are there, too, in the same case. */
static bool is_red(const struct csv *csv, struct span name)
{
    return span_is_in_any_case(name, "r") && csv->colours[*name.at == 'R'];
}

/*
 * The columns that may be a field: in any case, or by another name. Colours are none, unless forced says that a kind
 * was asked for and there is no other column. Sets the first two.
 */
static size_t columns_of(const struct csv *csv, const struct kind *kind, unsigned k, bool forced, size_t at[2])
{
    size_t found = 0;
    for (unsigned colours = 0; colours <= forced && found == 0; colours++)
        for (size_t i = 0; i < csv->named_count; i++) {
            const size_t column = csv->named[i].column;
            if (!may_be(&csv->named[i], kind, kind->fields[k]) || (is_red(csv, csv->names[column]) && !colours))
                continue;
            if (found < 2)
                at[found] = column;
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

static bool uses(const struct named *named, const struct kind *kind)
{
    for (unsigned k = 0; k < kind->field_count; k++)
        if (may_be(named, kind, kind->fields[k]))
            return true;
    return false;
}

/* Whether a kind has more fields than another one, and all of its columns. */
static bool includes(const struct csv *csv, const struct kind *kind, const struct kind *part)
{
    for (size_t i = 0; i < csv->named_count; i++)
        if (uses(&csv->named[i], part) && !uses(&csv->named[i], kind))
            return false;
    return kind == part || part->field_count < kind->field_count;
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
            if (span_is_in_any_case(without_unit(csv->names[i]), names[k]) && !is_red(csv, csv->names[i])) {
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
    static const char *const words[] = {"r",      "rad",   "radius",  "diameter", "diam",   "size",  "extent", "width",
                                        "height", "depth", "length",  "dx",       "dy",     "dz",    "sx",     "sy",
                                        "sz",     "yaw",   "heading", "size_x",   "size_y", "size_z"};
    static const char *const letters[] = {"w", "h", "d", "l"};
    enum { ROUND = 6 };
    size_t found;
    if (kind == &ray_segments)
        return find_any(csv, words, ROUND, &found);
    if (kind->set != ABUT_SET_POINTS && kind->set != ABUT_SET_SEGMENTS)
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
    if (is_complete(csv, kind) && !(not_in && includes(csv, not_in, kind)) &&
        (!*best || (*best)->field_count < kind->field_count))
        *best = kind;
}

/* Whether a column may be a height, so that the rows are hardly those of a plane. */
static bool has_height(const struct csv *csv)
{
    static const char *const words[] = {"elevation", "elev", "altitude", "alt", "height", "depth", "h"};
    size_t found;
    for (size_t i = 0; i < csv->field_count; i++)
        if (csv->names[i].length > 0 && (*csv->names[i].at == 'z' || *csv->names[i].at == 'Z'))
            return true;
    for (size_t i = 0; i < csv->named_count; i++)
        if (may_be(&csv->named[i], &kinds[ABUT_SET_POINTS], "z") ||
            may_be(&csv->named[i], &kinds[ABUT_SET_AABBS], "minz") ||
            may_be(&csv->named[i], &kinds[ABUT_SET_AABBS], "maxz"))
            return true;
    return find_any(csv, words, sizeof words / sizeof *words, &found);
}

/* Kinds of the plane only where no column may be a height, which they would leave out. */
static const struct kind *largest_kind(const struct csv *csv, const struct kind *not_in)
{
    const struct kind *best = NULL;
    for (size_t i = 0; i < KINDS; i++)
        take_larger(csv, &kinds[i], not_in, &best);
    take_larger(csv, &quaternion_obbs, not_in, &best);
    take_larger(csv, &yaw_obbs, not_in, &best);
    const bool height = has_height(csv);
    for (size_t i = 0; i < FLAT_KINDS && !height; i++)
        take_larger(csv, &flat_kinds[i], not_in, &best);
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

/* The option that names the columns of the file whose kind is chosen with the other one. */
static const char *columns_option(const char *kind_option)
{
    return strcmp(kind_option, "--kind-a") == 0 ? "--columns-a" : "--columns-b";
}

/* Why the header fits no kind. */
static void describe_no_kind(const struct csv *csv, const char *kind_option, struct problem *problem)
{
    char shown[60];
    const char *lacking, *option = columns_option(kind_option);
    show_header(csv, shown, sizeof shown);
    const struct kind *nearest = nearest_kind(csv, &lacking);
    if (names_are_numbers(csv))
        snprintf(problem->what, sizeof problem->what,
                 "the first line holds numbers, '%s': name the columns, %s x,y,z or so", shown, option);
    else if (nearest)
        snprintf(problem->what, sizeof problem->what, "no kind fits '%s': %s need a column %s, too, or names from %s",
                 shown, nearest->name, lacking, option);
    else
        snprintf(problem->what, sizeof problem->what,
                 "no kind fits '%s': name the columns, %s x,y,z or so (abut --help lists kinds)", shown, option);
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
    const bool height = has_height(csv);
    for (size_t i = 0; i < FLAT_KINDS && !height; i++)
        if (kind->set == flat_kinds[i].set && is_complete(csv, &flat_kinds[i]))
            return &flat_kinds[i];
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
    csv->colours[0] = has_colours(csv, "g", "b");
    csv->colours[1] = has_colours(csv, "G", "B");
    if (!find_names(csv)) {
        *problem = (struct problem){.line = csv->header_line, .what = "out of memory"};
        return NULL;
    }
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
