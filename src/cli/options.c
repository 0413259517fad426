/* SPDX-License-Identifier: MIT */
/* The parser of the command line, by the tables of commands and options. */
#include "options.h"

#include "option_values.h"
#include "suggest.h"
#include "target.h"

#include <getopt.h>
#include <limits.h>
#include <string.h>

static const struct command *command_named(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
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
        const struct option_row *row = &option_rows[i];
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
    while (i < option_count && (option_rows[i].name[1] != code || option_rows[i].name[2]))
        i++;
    return (enum option_id)i;
}

static bool check_usage(const struct command *command, uint64_t given, int inputs)
{
    for (unsigned i = 0; i < option_count; i++) {
        if (given >> i & ~(command->accepts | ALWAYS) >> i & 1) {
            complain("%s does not take %s", command->name, option_rows[i].name);
            return false;
        }
    }
    if (inputs != command->inputs) {
        if (command->inputs == 0)
            complain("%s takes no files", command->name);
        else
            complain("%s takes %s: abut %s %s", command->name,
                     strcmp(command->operands, "SHELL") == 0 ? "bash or zsh"
                     : command->inputs == 1                  ? "one file"
                                                             : "two files",
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
    if (!target_is_other(options->svg, output)) {
        complain("pairs and picture cannot both go to %s", strcmp(output, "-") == 0 ? "standard output" : output);
        return false;
    }
    return true;
}

/* --within and --periodic. */
static bool check_reach(const struct options *options, const struct command *command, uint64_t given)
{
    const char *name = options->periodic ? "--periodic" : options->limited ? "--within" : NULL;
    const float *period = options->period;
    const bool negative = period[0] < 0 || period[1] < 0 || period[2] < 0;
    if (options->limited && !(options->within >= 0)) {
        complain("--within takes a distance of 0 or more, not %g", (double)options->within);
        return false;
    }
    if (options->periodic && (negative || (period[0] == 0 && period[1] == 0 && period[2] == 0))) {
        complain("--periodic takes periods above 0, or 0 for an axis that does not repeat, not %g,%g,%g",
                 (double)period[0], (double)period[1], (double)period[2]);
        return false;
    }
    if (!options->periodic && given & BIT(IMAGES)) {
        complain("--images is for --periodic X,Y,Z: it needs that option");
        return false;
    }
    if (options->touch == ABUT_OPEN && !options->limited && command->run == command_nearest) {
        complain("--touch open is for --within DISTANCE: nearest needs that option, too");
        return false;
    }
    if (options->periodic && options->closest) {
        complain("--closest does not go with --periodic: the nearest image may be anywhere");
        return false;
    }
    if (name && given & (BIT(PREDICATE) | BIT(METHOD))) {
        complain("%s does not go with %s", given & BIT(PREDICATE) ? "--predicate" : "--method", name);
        return false;
    }
    return true;
}

static bool check_end(const struct options *options)
{
    if (!(options->end >= 0))
        complain("--end takes a time of 0 or more, not %g", (double)options->end);
    return options->end >= 0;
}

/* The camera of frustum, or its matrix. */
static bool check_camera(const struct options *options, uint64_t given)
{
    const uint64_t camera =
        BIT(EYE) | BIT(TARGET) | BIT(UP) | BIT(FOV) | BIT(ASPECT) | BIT(NEAR) | BIT(FAR) | BIT(ORTHOGRAPHIC);
    for (unsigned i = 0; i < option_count; i++)
        if (options->matrix && given & camera & UINT64_C(1) << i) {
            complain("%s does not go with --matrix, which has it", option_rows[i].name);
            return false;
        }
    if (!options->matrix && given & (BIT(DEPTH) | BIT(ORDER))) {
        complain("%s is of a matrix: it needs --matrix FILE", given & BIT(DEPTH) ? "--depth" : "--order");
        return false;
    }
    if (given & BIT(ORTHOGRAPHIC) && given & BIT(FOV)) {
        complain("--fov does not go with --orthographic, a view without perspective");
        return false;
    }
    if (given & BIT(ORTHOGRAPHIC) && !(options->height > 0)) {
        complain("--orthographic takes a height above 0, not %g", (double)options->height);
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
    const char *numbers = options->distances ? "--distance"
                          : options->squares ? "--d2"
                          : options->closest ? "--closest"
                                             : NULL;
    const char *text = options->count ? "--count" : numbers;
    const char *id = options->id[0] ? "--id-a" : options->id[1] ? "--id-b" : NULL;
    const char *output = options->output ? options->output : "standard output";
    text = text ? text : id;
    if (options->format == FORMAT_NPY && (text || !(command->accepts & ARRAYS))) {
        complain("cannot write %s: %s writes text, no arrays", output, text ? text : command->name);
        return false;
    }
    if (options->format == FORMAT_JSONL && (options->count || !(command->accepts & BIT(FORMAT)))) {
        complain("cannot write %s: %s writes no JSON lines", output, options->count ? "--count" : command->name);
        return false;
    }
    if (options->count && id) {
        complain("%s does not go with --count", id);
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
        const size_t edits = edit_distance(argument, length, option_rows[i].name, strlen(option_rows[i].name));
        if (option_rows[i].name[1] == '-' && edits < least) {
            least = edits;
            best = option_rows[i].name;
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
        count += strncmp(option_rows[i].name, argument, length) == 0;
    for (unsigned i = 0; i < option_count; i++)
        if (strncmp(option_rows[i].name, argument, length) == 0)
            list_name(list, option_rows[i].name, ++listed == count);
    if (count > 0)
        complain("%.*s may be %s", (int)length, argument, list);
    else
        report_unknown(argument, length);
}

/* Why getopt_long took no option: code is its return value, and optopt the option, or 0 if a long one is unknown. */
static void report_option(int code, const char *argument)
{
    const struct option_row *row = &option_rows[option_of_code(optopt)];
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
    for (size_t i = 0; i < command_count; i++) {
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
static enum request find_help(const struct operands *operands, const struct command **command)
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
    const char *const inputs[3] = {options->input[0], options->input[1], options->matrix};
    if (options->output && target_is_foreign(options->output))
        return false;
    for (unsigned i = 0; i < 2; i++)
        if (targets[i] && target_is_input(targets[i], inputs, 3))
            return false;
    return true;
}

enum request options_parse(struct options *options, const struct command **command, int count, char **arguments)
{
    struct grammar grammar;
    struct operands operands = {0};
    uint64_t given = 0;
    *options = (struct options){
        .touch = ABUT_CLOSED, .end = 1, .looking = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 60, 16.0f / 9, 0.1f, 1000}};
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
        if (!option_apply(options, id, optarg))
            return REQUEST_WRONG;
    }
    for (int i = optind; i < count; i++) /* behind -- */
        take_operand(&operands, arguments[i]);
    if (given & BIT(HELP) || (operands.n > 0 && strcmp(operands.at[0], "help") == 0))
        return find_help(&operands, command);
    if (given & BIT(VERSION))
        return REQUEST_VERSION;
    if (operands.n == 0) {
        complain("which command? (abut --help lists them)");
        return REQUEST_WRONG;
    }
    *command = find_command(operands.at[0]);
    if (!*command)
        return REQUEST_WRONG;
    options->rays = (*command)->accepts & BIT(END);
    options->measures = (*command)->accepts & BIT(DISTANCE);
    options->input[0] = operands.at[1];
    options->input[1] = operands.at[2];
    bool good = check_usage(*command, given, operands.n - 1) &&
                target_format(options->output, given & BIT(FORMAT), &options->format) &&
                check_together(options, *command) && check_reach(options, *command, given) && check_end(options) &&
                check_camera(options, given) && check_picture(options, given) && check_targets(options);
    return good ? REQUEST_COMMAND : REQUEST_WRONG;
}
