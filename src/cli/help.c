/* SPDX-License-Identifier: MIT */
/* The pages of help, made from the tables of commands, options and kinds of files. */
#include "help.h"

#include "kinds.h"

#include <string.h>

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
        const int width = INDENT - 4 - (int)strlen(option_rows[i].name);
        output_text(output, "  %s %-*s ", option_rows[i].name, width, option_rows[i].value ? option_rows[i].value : "");
        write_words(output, option_rows[i].help, INDENT, INDENT);
    }
    output_text(output, "\nexample:\n  abut %s\n", command->example);
}

void help_write(struct output *output, const struct command *command)
{
    if (command) {
        command_help(output, command);
        return;
    }
    output_text(output, "usage: abut COMMAND [FILE]... [OPTION]...\n\n"
                        "Exact answers to which spheres, boxes and other shapes touch.\n\ncommands:\n");
    for (size_t i = 0; i < command_count; i++)
        output_text(output, "  %-8s %-5s %s\n", commands[i].name, commands[i].operands, commands[i].summary);
    output_text(output, "\noptions:\n");
    for (size_t i = 0; i < option_count; i++) {
        const char *value = option_rows[i].value ? option_rows[i].value : "";
        int width = 17 - (int)strlen(option_rows[i].name);
        output_text(output, "  %s %-*s %s\n", option_rows[i].name, width, value, option_rows[i].help);
    }
    output_text(output, "\nkinds of files, by the columns in the header line (any order, others are ignored):\n");
    for (size_t i = 0; i < KINDS; i++) {
        output_text(output, "  %-9s", kinds[i].name);
        for (unsigned k = 0; k < kinds[i].field_count; k++)
            output_text(output, "%s%s", k ? "," : " ", kinds[i].fields[k]);
        output_text(output, "\n");
    }
    output_text(output,
                "\nWithout z they are shapes of the plane: x,y or x,y,r or minx,miny,maxx,maxy or ax,ay,bx,by.\n"
                "An obb may have qx,qy,qz,qw instead of u, v and w, or be x,y,z,dx,dy,dz,yaw. With --kind-a hulls\n"
                "rows x,y,z,volume are the vertices of hulls; rays of cast may be x,y,z,dx,dy,dz. Files are CSV\n"
                "or XYZ; NPY, with these columns in this order; or meshes, PLY, .obj, STL: triangles, or points where\n"
                "there are no faces. A file named - is standard input.\n"
                "Pairs are written as row numbers from 0, sorted; to .npy as an array, to .jsonl as JSON lines.\n"
                "Exit status: 0 done, 1 data, input, output or selftest failure, 2 usage.\n");
}
