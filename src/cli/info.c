/* SPDX-License-Identifier: MIT */
/* info: what this build is and what this machine runs. */
#include "gzip.h"
#include "kinds.h"
#include "output.h"

#include "cli.h"

enum exit_code command_info(const struct options *options)
{
    struct output output;
    if (!output_open(&output, options->output))
        return EXIT_FAILED;
    output_text(&output, "version: %s\ninstruction sets:", abut_version());
    for (const char *const *isa = abut_isas(); *isa; isa++)
        output_text(&output, " %s", *isa);
    output_text(&output, "\nactive: %s\nkinds:", abut_isa());
    for (size_t i = 0; i < KINDS; i++)
        output_text(&output, " %s", kinds[i].name);
    output_text(&output, "\nfiles: CSV NPY PLY OBJ STL%s\n", gzip_is_read() ? ", and these compressed by gzip" : "");
    return output_close(&output) ? EXIT_DONE : EXIT_FAILED;
}
