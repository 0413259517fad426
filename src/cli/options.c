/* SPDX-License-Identifier: MIT */
/* The tables of commands and options, and the parser that reads them. */
#include "options.h"

#include "kinds.h"
#include "parse_float.h"
#include "pool.h"
#include "suggest.h"
#include "target.h"

#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    OPTION_OUTPUT,
    OPTION_TOUCH,
    OPTION_PREDICATE,
    OPTION_COUNT,
    OPTION_CLASS,
    OPTION_KIND_A,
    OPTION_KIND_B,
    OPTION_COLUMNS_A,
    OPTION_COLUMNS_B,
    OPTION_EYE,
    OPTION_TARGET,
    OPTION_UP,
    OPTION_FOV,
    OPTION_ASPECT,
    OPTION_NEAR,
    OPTION_FAR,
    OPTION_METHOD,
    OPTION_NEIGHBOURS,
    OPTION_DISTANCE,
    OPTION_D2,
    OPTION_CLOSEST,
    OPTION_WITHIN,
    OPTION_TIES,
    OPTION_EXCLUDE_SELF,
    OPTION_THREADS,
    OPTION_STATS,
    OPTION_SVG,
    OPTION_VIEW,
    OPTION_ISA,
    OPTION_BY,
    OPTION_NORMALS,
    OPTION_ORIGIN,
    OPTION_OUTWARDS,
    OPTION_SKIP_BAD,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION,
    option_count
};

/* The form of an option's value. A choice has names of its own; a request takes the place of a command. */
enum form { ORIGIN, FLAG, TEXT, NUMBER, POINT, AMOUNT, KIND, CHOICE, REQUEST };

#define AT(member) offsetof(struct options, member)

static const struct option_row {
    enum form form;
    size_t at;                       /* of the member that it sets, but for a choice or request */
    const char *name, *value, *help; /* value is NULL where there is none */
} rows[option_count] = {
    [OPTION_OUTPUT] = {TEXT, AT(output), "-o", "FILE", "write there instead of standard output"},
    [OPTION_TOUCH] = {CHOICE, 0, "--touch", "RULE", "closed (the default: touching is a hit) or open"},
    [OPTION_PREDICATE] = {CHOICE, 0, "--predicate", "NAME",
                          "touches (the default), inside (A inside B), contains, exact or cull"},
    [OPTION_COUNT] = {FLAG, AT(count), "--count", NULL, "print only the number of hits"},
    [OPTION_CLASS] = {FLAG, AT(classes), "--class", NULL, "a column more: outside, crossing or inside"},
    [OPTION_KIND_A] = {KIND, AT(kind[0]), "--kind-a", "KIND", "what A holds, where its columns fit several kinds"},
    [OPTION_KIND_B] = {KIND, AT(kind[1]), "--kind-b", "KIND", "the same for B"},
    [OPTION_COLUMNS_A] = {TEXT, AT(columns[0]), "--columns-a", "NAMES",
                          "names of A's columns, as x,y,z,r, in place of a header"},
    [OPTION_COLUMNS_B] = {TEXT, AT(columns[1]), "--columns-b", "NAMES", "the same for B"},
    [OPTION_EYE] = {POINT, AT(looking.eye), "--eye", "X,Y,Z", "where the camera is (the default is 0,0,0)"},
    [OPTION_TARGET] = {POINT, AT(looking.target), "--target", "X,Y,Z", "a point that it looks at (0,0,-1)"},
    [OPTION_UP] = {POINT, AT(looking.up), "--up", "X,Y,Z", "which way is up (0,1,0)"},
    [OPTION_FOV] = {NUMBER, AT(looking.fov), "--fov", "DEGREES", "its vertical field of view (60)"},
    [OPTION_ASPECT] = {NUMBER, AT(looking.aspect), "--aspect", "NUMBER", "width over height (1.7777778)"},
    [OPTION_NEAR] = {NUMBER, AT(looking.near_distance), "--near", "NUMBER", "how far its near plane is (0.1)"},
    [OPTION_FAR] = {NUMBER, AT(looking.far_distance), "--far", "NUMBER", "and its far plane, which may be inf (1000)"},
    [OPTION_METHOD] = {CHOICE, 0, "--method", "NAME",
                       "auto (the default), index, or all: test all pairs; same answers"},
    [OPTION_NEIGHBOURS] = {AMOUNT, AT(neighbours), "-k", "K", "how many neighbours nearest finds of each point (1)"},
    [OPTION_DISTANCE] = {FLAG, AT(distances), "--distance", NULL, "a column more: the distance, not only its square"},
    [OPTION_D2] = {FLAG, AT(squares), "--d2", NULL, "a column more, of nearest: the squared distance"},
    [OPTION_CLOSEST] = {FLAG, AT(closest), "--closest", NULL, "columns x,y,z more, of nearest: the closest point of B"},
    [OPTION_WITHIN] = {NUMBER, AT(within), "--within", "DISTANCE", "only what is at most so far apart"},
    [OPTION_TIES] = {FLAG, AT(ties), "--ties", NULL, "all rows that are as near as the k-th nearest, not only k"},
    [OPTION_EXCLUDE_SELF] = {FLAG, AT(exclude_self), "--exclude-self", NULL,
                             "row i of B is no neighbour of point i of A"},
    [OPTION_THREADS] = {AMOUNT, AT(threads), "--threads", "N",
                        "of an index (by default one a processor it may use); same answers"},
    [OPTION_STATS] = {FLAG, AT(stats), "--stats", NULL, "report times, memory and numbers of tests"},
    [OPTION_SVG] = {TEXT, AT(svg), "--svg", "FILE", "draw both files, with what touches in colour"},
    [OPTION_VIEW] = {CHOICE, 0, "--view", "SIDE", "where --svg looks from: top (the default), front or side"},
    [OPTION_ISA] = {TEXT, AT(isa), "--isa", "NAME", "use this instruction set, whatever ABUT_ISA says"},
    [OPTION_BY] = {TEXT, AT(by), "--by", "COLUMN", "only pairs whose rows have the same text in that column"},
    [OPTION_NORMALS] = {CHOICE, 0, "--normals", "SIDE", "planes face outward (the default) or inward"},
    [OPTION_ORIGIN] = {ORIGIN, AT(origin), "--origin", "X,Y,Z",
                       "subtract it from all coordinates before they are rounded; auto: the centre"},
    [OPTION_OUTWARDS] = {FLAG, AT(outwards), "--outwards", NULL,
                         "round the bounds of aabbs outwards, not to the nearest float32"},
    [OPTION_SKIP_BAD] = {FLAG, AT(skip_invalid), "--skip-bad", NULL,
                         "go on without invalid rows; the others keep their numbers"},
    [OPTION_QUIET] = {FLAG, AT(quiet), "--quiet", NULL, "no progress and no remarks, only errors"},
    [OPTION_HELP] = {REQUEST, 0, "--help", NULL, "print this, or with a command its own page; also -h"},
    [OPTION_VERSION] = {REQUEST, 0, "--version", NULL, "print the version"},
};

#define BIT(option) (UINT64_C(1) << OPTION_##option)

/* No option: the command can write an array. */
#define ARRAYS (UINT64_C(1) << option_count)

/* clang-format off */
#define ON_FILES (BIT(ORIGIN) | BIT(OUTWARDS) | BIT(COLUMNS_A))
#define ON_PAIRS \
    (BIT(OUTPUT) | BIT(TOUCH) | BIT(PREDICATE) | BIT(COUNT) | BIT(KIND_A) | BIT(ISA) | BIT(SKIP_BAD) | BIT(QUIET) | \
     BIT(NORMALS) | ON_FILES)
#define ON_FRUSTUM \
    (BIT(EYE) | BIT(TARGET) | BIT(UP) | BIT(FOV) | BIT(ASPECT) | BIT(NEAR) | BIT(FAR) | BIT(OUTPUT))
#define ON_JOINS (ARRAYS | ON_PAIRS | BIT(BY) | BIT(METHOD) | BIT(THREADS) | BIT(STATS) | BIT(SVG) | BIT(VIEW))
#define ON_NEAREST \
    (ARRAYS | ON_FILES | BIT(OUTPUT) | BIT(COUNT) | BIT(KIND_A) | BIT(KIND_B) | BIT(ISA) | BIT(SKIP_BAD) | \
     BIT(QUIET) | \
     BIT(NEIGHBOURS) | BIT(DISTANCE) | BIT(D2) | BIT(CLOSEST) | BIT(WITHIN) | BIT(TIES) | BIT(EXCLUDE_SELF) | \
     BIT(TOUCH) | BIT(THREADS) | BIT(STATS) | BIT(COLUMNS_B))
#define ON_DISTANCE \
    (ON_FILES | BIT(OUTPUT) | BIT(KIND_A) | BIT(KIND_B) | BIT(ISA) | BIT(SKIP_BAD) | BIT(QUIET) | BIT(NORMALS) | \
     BIT(DISTANCE) | BIT(COLUMNS_B))
#define ALWAYS (BIT(HELP) | BIT(VERSION))
/* clang-format on */

static const struct command commands[] = {
    {"join", "A B", "all pairs of a row of A and a row of B that touch", 2, ON_JOINS | BIT(KIND_B) | BIT(COLUMNS_B),
     command_join, "join spheres.csv boxes.csv -o pairs.csv"},
    {"zip", "A B", "row by row, or one row against all: a column of 0 and 1", 2,
     ON_PAIRS | BIT(KIND_B) | BIT(COLUMNS_B) | BIT(CLASS), command_zip, "zip points.csv spheres.csv --count"},
    {"self", "A", "all pairs of rows of A, the first before the second, that touch", 1, ON_JOINS, command_self,
     "self spheres.csv --touch open"},
    {"nearest", "A B", "the rows of B that are nearest to each point of A", 2, ON_NEAREST, command_nearest,
     "nearest points.csv boxes.csv -k 3 --distance"},
    {"distance", "A B", "squared distances from points A to shapes B, and closest points", 2, ON_DISTANCE,
     command_distance, "distance points.csv boxes.csv"},
    {"frustum", "", "the planes of a camera, as a file of one hull", 0, ON_FRUSTUM, command_frustum,
     "frustum --target 1,0,0 --far 9 -o camera.csv"},
    {"demo", "", "a generated scene, its pairs, and how fast this machine finds them", 0, BIT(OUTPUT), command_demo,
     "demo"},
    {"info", "", "version, instruction sets that run here, kinds of files", 0, BIT(OUTPUT) | BIT(ISA), command_info,
     "info"},
    {"selftest", "", "every predicate, as it runs here, against exact arithmetic", 0,
     BIT(OUTPUT) | BIT(ISA) | BIT(QUIET), command_selftest, "selftest --isa scalar"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static const struct command *command_named(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* The rows as getopt_long has them. Codes of long options follow those of all characters; operands have a code, too. */
enum { OPERAND = 1, LONG = UCHAR_MAX + 1 };

struct grammar {
    char shorts[2 * option_count + 4];
    struct option longs[option_count + 1];
};

static void grammar_of_rows(struct grammar *grammar)
{
    *grammar = (struct grammar){.shorts = "-:h"}; /* operands in their places, and no messages of getopt */
    char *end = grammar->shorts + 3;
    struct option *next = grammar->longs;
    for (int i = 0; i < option_count; i++) {
        const struct option_row *row = &rows[i];
        if (row->name[1] == '-') {
            *next++ = (struct option){row->name + 2, row->value ? required_argument : no_argument, NULL, LONG + i};
        } else {
            *end++ = row->name[1];
            if (row->value)
                *end++ = ':';
        }
    }
}

/* option_count if there is none. */
static enum option_id option_of_code(int code)
{
    if (code >= LONG)
        return (enum option_id)(code - LONG);
    if (code == 'h')
        return OPTION_HELP;
    unsigned i = 0;
    while (i < option_count && (rows[i].name[1] != code || rows[i].name[2]))
        i++;
    return (enum option_id)i;
}

enum { MOST_NAMES = 512 };

/* Adds a name to a list: "closed", "closed or open", "touches, inside or contains". */
static void list_name(char list[MOST_NAMES], const char *name, bool last)
{
    strcat(list, *list == '\0' ? "" : last ? " or " : ", ");
    strcat(list, name);
}

static bool choose(unsigned *chosen, const char *value, const char *const *names, unsigned count, enum option_id id)
{
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(value, names[i]) == 0) {
            *chosen = i;
            return true;
        }
    }
    char list[MOST_NAMES] = "";
    for (unsigned i = 0; i < count; i++)
        list_name(list, names[i], i + 1 == count);
    complain("%s takes %s, not '%s'", rows[id].name, list, value);
    return false;
}

static bool choose_kind(const struct kind **kind, const char *value, enum option_id id)
{
    const char *names[KINDS];
    unsigned chosen;
    for (unsigned i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    if (!choose(&chosen, value, names, KINDS, id))
        return false;
    *kind = &kinds[chosen];
    return true;
}

/* count numbers with commas between them. Only the far plane may be at infinity. */
static bool take_numbers(float *numbers, unsigned count, const char *value, enum option_id id)
{
    const char *at = value;
    bool good = true, finite = true;
    for (unsigned i = 0; i < count && good; i++) {
        good = parse_float(&at, &numbers[i]) == PARSE_OK && *at == (i + 1 < count ? ',' : '\0');
        finite = finite && (id == OPTION_FAR || isfinite(numbers[i]));
        at++;
    }
    if (!good)
        complain("%s takes %s, not '%s'", rows[id].name, rows[id].value, value);
    else if (!finite)
        complain("%s must be finite, not '%s'", rows[id].name, value);
    return good && finite;
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
        complain("%s takes a number from 1 to %u, not '%s'", rows[id].name, most, value);
        return false;
    }
    *amount = (unsigned)number;
    return true;
}

static bool take_choice(struct options *options, enum option_id id, const char *value)
{
    static const char *const rules[] = {"closed", "open"}, *const sides[] = {"outward", "inward"};
    static const char *const views[view_count] = {"top", "front", "side"};
    static const char *const methods[method_count] = {"auto", "index", "all"};
    unsigned chosen = 0;
    bool good = false;
    switch (id) {
    case OPTION_TOUCH:
        good = choose(&chosen, value, rules, 2, id);
        options->touch = chosen ? ABUT_OPEN : ABUT_CLOSED;
        break;
    case OPTION_PREDICATE:
        good = choose(&chosen, value, question_names, question_count, id);
        options->question = (enum question)chosen;
        break;
    case OPTION_METHOD:
        good = choose(&chosen, value, methods, method_count, id);
        options->method = (enum method)chosen;
        break;
    case OPTION_VIEW:
        good = choose(&chosen, value, views, view_count, id);
        options->view = (enum view)chosen;
        break;
    case OPTION_NORMALS:
        good = choose(&chosen, value, sides, 2, id);
        options->inward = chosen == 1;
        break;
    default:
        break;
    }
    return good;
}

static bool apply(struct options *options, enum option_id id, const char *value)
{
    void *member = (char *)options + rows[id].at;
    switch (rows[id].form) {
    case FLAG:
        *(bool *)member = true;
        break;
    case TEXT:
        if ((id == OPTION_OUTPUT || id == OPTION_SVG) && *value == '\0') {
            complain("%s takes %s, not ''", rows[id].name, rows[id].value);
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
        return take_numbers(member, 3, value, id);
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

static bool check_usage(const struct command *command, uint64_t given, int inputs)
{
    for (unsigned i = 0; i < option_count; i++) {
        if (given >> i & ~(command->accepts | ALWAYS) >> i & 1) {
            complain("%s does not take %s", command->name, rows[i].name);
            return false;
        }
    }
    if (inputs != command->inputs) {
        if (command->inputs == 0)
            complain("%s takes no files", command->name);
        else
            complain("%s takes %s: abut %s %s", command->name, command->inputs == 1 ? "one file" : "two files",
                     command->name, command->operands);
        return false;
    }
    return true;
}

/* Pictures and the options beside them. given has a bit for each option. */
static bool check_picture(const struct options *options, uint64_t given)
{
    if (!options->svg) {
        if (given & BIT(VIEW))
            complain("--view is where --svg FILE looks from: it needs that option");
        return !(given & BIT(VIEW));
    }
    if (options->count) {
        complain("--svg does not go with --count");
        return false;
    }
    const char *output = options->output ? options->output : "-";
    if (strcmp(options->svg, output) == 0) {
        complain("pairs and picture cannot both go to %s", strcmp(output, "-") == 0 ? "standard output" : output);
        return false;
    }
    return true;
}

/* Options that exclude each other. */
static bool check_together(const struct options *options, const struct command *command)
{
    if (command->inputs == 2 && strcmp(options->input[0], "-") == 0 && strcmp(options->input[1], "-") == 0) {
        complain("only one of two files can be standard input");
        return false;
    }
    if (options->limited && !(options->within >= 0)) {
        complain("--within takes a distance of 0 or more, not %g", (double)options->within);
        return false;
    }
    const char *numbers = options->distances ? "--distance"
                          : options->squares ? "--d2"
                          : options->closest ? "--closest"
                                             : NULL;
    const char *text = options->count ? "--count" : numbers;
    if (options->array && (text || !(command->accepts & ARRAYS))) {
        complain("cannot write %s: %s writes text, no arrays", options->output, text ? text : command->name);
        return false;
    }
    if (options->count && (options->classes || numbers)) {
        complain("%s does not go with --count", options->classes ? "--class" : numbers);
        return false;
    }
    return true;
}

/* A long option that does not exist; the nearest one may be meant. */
static void report_unknown(const char *argument, size_t length)
{
    const char *best = NULL;
    size_t least = edits_allowed(length > 2 ? length - 2 : 0) + 1;
    for (unsigned i = 0; i < option_count; i++) {
        const size_t edits = edit_distance(argument, length, rows[i].name, strlen(rows[i].name));
        if (rows[i].name[1] == '-' && edits < least) {
            least = edits;
            best = rows[i].name;
        }
    }
    if (best)
        complain("there is no option %.*s: did you mean %s?", (int)length, argument, best);
    else
        complain("there is no option %.*s (abut --help lists them)", (int)length, argument);
}

/* A long option that is cut too short or does not exist. */
static void report_name(const char *argument)
{
    const size_t length = strcspn(argument, "=");
    char list[MOST_NAMES] = "";
    unsigned count = 0, listed = 0;
    for (unsigned i = 0; i < option_count; i++)
        count += strncmp(rows[i].name, argument, length) == 0;
    for (unsigned i = 0; i < option_count; i++)
        if (strncmp(rows[i].name, argument, length) == 0)
            list_name(list, rows[i].name, ++listed == count);
    if (count > 0)
        complain("%.*s may be %s", (int)length, argument, list);
    else
        report_unknown(argument, length);
}

/* Why getopt_long took no option: code is its return value, and optopt the option, or 0 if a long one is unknown. */
static void report_option(int code, const char *argument)
{
    const struct option_row *row = &rows[option_of_code(optopt)];
    if (code == ':')
        complain("%s needs a value: %s", row->name, row->value);
    else if (optopt >= LONG)
        complain("%s takes no value", row->name);
    else if (optopt)
        complain("there is no option -%c (abut --help lists them)", optopt);
    else
        report_name(argument);
}

/* The command and its files; further ones are only counted. */
struct operands {
    const char *at[3];
    int n;
};

static void take_operand(struct operands *operands, const char *text)
{
    if (operands->n < 3)
        operands->at[operands->n] = text;
    operands->n++;
}

/* The command of that name; if there is none, NULL, and that is reported. */
static const struct command *find_command(const char *name)
{
    const struct command *command = command_named(name);
    const char *best = NULL;
    size_t least = edits_allowed(strlen(name)) + 1;
    if (command)
        return command;
    for (size_t i = 0; i < COMMANDS; i++) {
        const size_t edits = edit_distance(name, strlen(name), commands[i].name, strlen(commands[i].name));
        if (edits < least) {
            least = edits;
            best = commands[i].name;
        }
    }
    if (best)
        complain("there is no command '%s': did you mean %s?", name, best);
    else
        complain("there is no command '%s' (abut --help lists them)", name);
    return NULL;
}

/* help, help COMMAND or COMMAND --help: sets the command, or NULL for the page of all. */
static enum request ask_for_help(const struct operands *operands, const struct command **command)
{
    const bool named = operands->n > 0 && strcmp(operands->at[0], "help") == 0;
    if (operands->n > 1 + named) {
        complain("help takes one command at a time");
        return REQUEST_WRONG;
    }
    if (operands->n == named)
        return REQUEST_HELP;
    *command = find_command(operands->at[named]);
    return *command ? REQUEST_HELP : REQUEST_WRONG;
}

/* Whether the files to write may be written. If not, that is reported. */
static bool check_targets(const struct options *options)
{
    const char *const targets[2] = {options->output, options->svg};
    if (options->output && target_is_foreign(options->output))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (targets[i] && target_is_input(targets[i], options->input))
            return false;
    return true;
}

enum request options_parse(struct options *options, const struct command **command, int count, char **arguments)
{
    struct grammar grammar;
    struct operands operands = {0};
    uint64_t given = 0;
    *options = (struct options){.touch = ABUT_CLOSED,
                                .looking = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 60, 16.0f / 9, 0.1f, 1000}};
    *command = NULL;
    grammar_of_rows(&grammar);
    for (int code; (code = getopt_long(count, arguments, grammar.shorts, grammar.longs, NULL)) != -1;) {
        if (code == ':' || code == '?') {
            report_option(code, arguments[optind - 1]);
            return REQUEST_WRONG;
        }
        if (code == OPERAND) {
            take_operand(&operands, optarg);
            continue;
        }
        const enum option_id id = option_of_code(code);
        given |= UINT64_C(1) << id;
        if (!apply(options, id, optarg))
            return REQUEST_WRONG;
    }
    for (int i = optind; i < count; i++) /* behind -- */
        take_operand(&operands, arguments[i]);
    if (given & BIT(HELP) || (operands.n > 0 && strcmp(operands.at[0], "help") == 0))
        return ask_for_help(&operands, command);
    if (given & BIT(VERSION))
        return REQUEST_VERSION;
    if (operands.n == 0) {
        complain("which command? (abut --help lists them)");
        return REQUEST_WRONG;
    }
    *command = find_command(operands.at[0]);
    if (!*command)
        return REQUEST_WRONG;
    options->input[0] = operands.at[1];
    options->input[1] = operands.at[2];
    options->array = options->output && has_ending(options->output, ".npy");
    bool good = check_usage(*command, given, operands.n - 1) && check_together(options, *command) &&
                check_picture(options, given) && check_targets(options);
    return good ? REQUEST_COMMAND : REQUEST_WRONG;
}

/* The words of a text in lines of at most 80 columns. The first begins at column from, the others at indent. */
static void write_words(struct output *output, const char *text, size_t from, size_t indent)
{
    enum { WIDTH = 80 };
    for (size_t at = from; *text; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        if (at > indent && at + 1 + length > WIDTH) {
            output_text(output, "\n%*s", (int)indent, "");
            at = indent;
        } else if (at > from) {
            output_text(output, " ");
            at++;
        }
        output_text(output, "%.*s", (int)length, text);
        at += length;
        text += length;
    }
    output_text(output, "\n");
}

/* The page of one command. */
static void command_help(struct output *output, const struct command *command)
{
    enum { INDENT = 21 };
    output_text(output, "usage: abut %s%s%s [OPTION]...\n\n", command->name, *command->operands ? " " : "",
                command->operands);
    write_words(output, command->summary, 0, 0);
    output_text(output, "\noptions:\n");
    for (size_t i = 0; i < option_count; i++) {
        if (!((command->accepts | ALWAYS) >> i & 1))
            continue;
        const int width = INDENT - 4 - (int)strlen(rows[i].name);
        output_text(output, "  %s %-*s ", rows[i].name, width, rows[i].value ? rows[i].value : "");
        write_words(output, rows[i].help, INDENT, INDENT);
    }
    output_text(output, "\nexample:\n  abut %s\n", command->example);
}

void options_help(struct output *output, const struct command *command)
{
    if (command) {
        command_help(output, command);
        return;
    }
    output_text(output, "usage: abut COMMAND [FILE]... [OPTION]...\n\n"
                        "Exact answers to which spheres, boxes and other shapes touch.\n\ncommands:\n");
    for (size_t i = 0; i < COMMANDS; i++)
        output_text(output, "  %-8s %-4s %s\n", commands[i].name, commands[i].operands, commands[i].summary);
    output_text(output, "\noptions:\n");
    for (size_t i = 0; i < option_count; i++) {
        const char *value = rows[i].value ? rows[i].value : "";
        int width = 17 - (int)strlen(rows[i].name);
        output_text(output, "  %s %-*s %s\n", rows[i].name, width, value, rows[i].help);
    }
    output_text(output, "\nkinds of files, by the columns in the header line (any order, others are ignored):\n");
    for (size_t i = 0; i < KINDS; i++) {
        output_text(output, "  %-9s", kinds[i].name);
        for (unsigned k = 0; k < kinds[i].field_count; k++)
            output_text(output, "%s%s", k ? "," : " ", kinds[i].fields[k]);
        output_text(output, "\n");
    }
    output_text(output,
                "\nAn obb may have qx,qy,qz,qw instead of u, v and w, or be x,y,z,dx,dy,dz,yaw. Files are CSV;\n"
                "NPY, with these columns in this order; or meshes, PLY, .obj, STL: triangles, or points where\n"
                "there are no faces. A file named - is standard input.\n"
                "Pairs are written as row numbers from 0, sorted; as an NPY array if the file of -o is .npy.\n"
                "Exit status: 0 done, 1 data, input, output or selftest failure, 2 usage.\n");
}
