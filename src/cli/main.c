/* SPDX-License-Identifier: MIT */
/* The abut command: which of these shapes touch which of those. */
#include "help.h"
#include "options.h"
#include "origin.h"

#include <fcntl.h>
#include <fenv.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A file that the command opens must not get the number of a closed standard stream, and with it the output for that
 * stream. The files that take these numbers can be read where the stream is written, and the other way round, so that
 * use is an error.
 */
static void keep_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && (fd != STDIN_FILENO || open("/dev/null", O_WRONLY) < 0))
            open("/", O_RDONLY);
}

static bool select_isa(const struct options *options)
{
    const char *source = "--isa", *name = options->isa;
    if (!name) {
        source = "ABUT_ISA";
        name = getenv(source);
    }
    if (!name || (!options->isa && !*name))
        return true;
    enum abut_status status = abut_use_isa(name);
    if (status == ABUT_OK)
        return true;
    char here[128] = "";
    for (const char *const *isa = abut_isas(); *isa; isa++) {
        strcat(here, *here ? ", " : "");
        strcat(here, *isa);
    }
    complain("%s: %s %s; here run %s", source, name,
             status == ABUT_ERROR_ISA ? "cannot run on this machine" : "is no instruction set", here);
    return false;
}

static enum exit_code print(enum request request, const struct command *command)
{
    struct output output;
    if (!output_open(&output, NULL))
        return EXIT_FAILED;
    if (request == REQUEST_HELP)
        help_write(&output, command);
    else
        output_text(&output, "abut %s\n", abut_version());
    return output_close(&output) ? EXIT_DONE : EXIT_FAILED;
}

int main(int count, char **arguments)
{
    struct options options;
    const struct command *command;
    keep_standard_streams();
    /* Numbers in files are floats, too, and a library linked with -ffast-math may have changed how they are read. */
    fesetenv(FE_DFL_ENV);
    output_guard();
    enum request request = options_parse(&options, &command, count, arguments);
    if (request == REQUEST_WRONG)
        return EXIT_USAGE;
    if (request != REQUEST_COMMAND)
        return (int)print(request, command);
    if (!select_isa(&options))
        return EXIT_USAGE;
    const enum exit_code code = options.origin.find ? origin_find(&options) : EXIT_DONE;
    return (int)(code == EXIT_DONE ? command->run(&options) : code);
}
