/* SPDX-License-Identifier: MIT */
/* complete: scripts for shells, made from the tables of commands and options. */
#include "option_values.h"
#include "output.h"

#include <string.h>

/* Whether a command takes an option. */
static bool takes(const struct command *command, unsigned id)
{
    return (command->accepts | ALWAYS) >> id & 1;
}

static void write_choices(struct output *output, unsigned id)
{
    unsigned count;
    const char *const *names = option_choices((enum option_id)id, &count);
    for (unsigned i = 0; i < count; i++)
        output_text(output, "%s%s", i ? " " : "", names[i]);
}

/* The commands with a word between two; help, which is none of the table, if it is asked for. */
static void write_commands(struct output *output, const char *between, bool help)
{
    for (size_t i = 0; i < command_count; i++)
        output_text(output, "%s%s", i ? between : "", commands[i].name);
    output_text(output, "%s", help ? between : "");
    output_text(output, "%s", help ? "help" : "");
}

static bool takes_shell(const struct command *command)
{
    return strcmp(command->operands, "SHELL") == 0;
}

/* The values of options in bash; where no word is proposed, readline completes names of files. */
static void write_bash_values(struct output *output)
{
    output_text(output, "    case $before in\n");
    for (unsigned id = 0; id < option_count; id++) {
        unsigned count;
        if (!option_choices((enum option_id)id, &count))
            continue;
        output_text(output, "    %s) words='", option_rows[id].name);
        write_choices(output, id);
        output_text(output, "' ;;\n");
    }
    output_text(output, "    ");
    const char *between = "";
    for (unsigned id = 0; id < option_count; id++) {
        unsigned count;
        if (!option_rows[id].value || option_choices((enum option_id)id, &count))
            continue;
        output_text(output, "%s%s", between, option_rows[id].name);
        between = " | ";
    }
    output_text(output, ") return ;;\n    *)\n        case $command in\n");
}

/* The words that may begin where no value of an option is expected. */
static void write_bash_words(struct output *output)
{
    output_text(output, "        '') words='");
    write_commands(output, " ", true);
    output_text(output, " --help --version' ;;\n        help) words='");
    write_commands(output, " ", false);
    output_text(output, "' ;;\n");
    for (size_t i = 0; i < command_count; i++) {
        output_text(output, "        %s) words='%s", commands[i].name, takes_shell(&commands[i]) ? "bash zsh" : "");
        for (unsigned id = 0; id < option_count; id++)
            if (takes(&commands[i], id))
                output_text(output, " %s", option_rows[id].name);
        output_text(output, "' ;;\n");
    }
}

static void write_bash(struct output *output)
{
    output_text(output,
                "# Completes the command lines of abut in bash. Made by: abut complete bash\n_abut() {\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= words i\n"
                "    COMPREPLY=()\n"
                "    if [[ $word == = ]]; then # --touch=open is three words\n"
                "        word=\n"
                "    elif [[ $before == = ]]; then\n"
                "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                "    fi\n"
                "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
                "        case ${COMP_WORDS[i]} in\n        ");
    write_commands(output, " | ", true);
    output_text(output,
                ")\n            command=${COMP_WORDS[i]}\n            break\n            ;;\n        esac\n    done\n");
    write_bash_values(output);
    write_bash_words(output);
    output_text(output, "        esac\n        case $command in\n        ");
    const char *between = "";
    for (size_t i = 0; i < command_count; i++)
        if (commands[i].inputs > 0 && !takes_shell(&commands[i])) {
            output_text(output, "%s%s", between, commands[i].name);
            between = " | ";
        }
    output_text(output, ") [[ $word == -* ]] || return ;; # files\n        esac\n        ;;\n    esac\n"
                        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
                        "}\ncomplete -o default -F _abut abut\n");
}

/* Text of zsh between single quotes, in which an option's description ends at a bracket and a colon separates. */
static void write_zsh_text(struct output *output, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            output_text(output, "'\\''");
        else
            output_text(output, "%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
    }
}

static void write_zsh_option(struct output *output, unsigned id)
{
    const struct option_row *row = &option_rows[id];
    unsigned count;
    const bool named = option_choices((enum option_id)id, &count);
    output_text(output, " \\\n        '%s%s[", row->name, row->value && row->name[1] == '-' ? "=" : "");
    write_zsh_text(output, row->help);
    output_text(output, "]");
    if (row->value) {
        output_text(output, ":%s:", row->value);
        output_text(output, named ? "(" : strcmp(row->value, "FILE") == 0 ? "_files" : "");
        write_choices(output, id);
        output_text(output, named ? ")" : "");
    }
    output_text(output, "'");
}

static void write_zsh(struct output *output)
{
    output_text(output, "#compdef abut\n# Completes the command lines of abut in zsh. Made by: abut complete zsh\n"
                        "local -a commands\ncommands=(\n");
    for (size_t i = 0; i < command_count; i++) {
        output_text(output, "    '%s:", commands[i].name);
        write_zsh_text(output, commands[i].summary);
        output_text(output, "'\n");
    }
    output_text(output, "    'help:the page of a command'\n)\n"
                        "if ((CURRENT == 2)); then\n    _describe command commands\n    return\nfi\n"
                        "local command=$words[2]\nshift words\n((CURRENT--))\ncase $command in\n"
                        "help)\n    _describe command commands\n    ;;\n");
    for (size_t i = 0; i < command_count; i++) {
        output_text(output, "%s)\n    _arguments", commands[i].name);
        for (unsigned id = 0; id < option_count; id++)
            if (takes(&commands[i], id))
                write_zsh_option(output, id);
        if (takes_shell(&commands[i]))
            output_text(output, " \\\n        '1:shell:(bash zsh)'");
        else if (commands[i].inputs > 0)
            output_text(output, " \\\n        '*:file:_files'");
        output_text(output, "\n    ;;\n");
    }
    output_text(output, "esac\n");
}

enum exit_code command_complete(const struct options *options)
{
    const char *shell = options->input[0];
    const bool bash = strcmp(shell, "bash") == 0;
    struct output output;
    if (!bash && strcmp(shell, "zsh") != 0) {
        complain("complete takes bash or zsh, not '%s'", shell);
        return EXIT_USAGE;
    }
    if (!output_open(&output, options->output))
        return EXIT_FAILED;
    (bash ? write_bash : write_zsh)(&output);
    return output_close(&output) ? EXIT_DONE : EXIT_FAILED;
}
