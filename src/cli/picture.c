/* SPDX-License-Identifier: MIT */
/* A picture as SVG: a group of elements for each colour, and a legend. */
#include "picture.h"

#include "outline.h"
#include "output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In pixels. */
enum { LONGEST_SIDE = 800, LEAST_WIDTH = 480, LEGEND = 76, LINE_HEIGHT = 22, MARGIN = 12 };

static const char *const axes[] = {"x", "y", "z"};

/* The axes that are seen: across and up. */
static const unsigned seen[view_count][2] = {[VIEW_TOP] = {0, 1}, [VIEW_FRONT] = {0, 2}, [VIEW_SIDE] = {1, 2}};

/* From the extent to pixels. */
struct scale {
    double left, top, factor;
};

static void put_point(FILE *text, const struct scale *scale, const double at[2])
{
    fprintf(text, "%.2f,%.2f", (at[0] - scale->left) * scale->factor, (scale->top - at[1]) * scale->factor);
}

static void put_disc(FILE *text, const struct scale *scale, const double at[2], double r)
{
    fprintf(text, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n", (at[0] - scale->left) * scale->factor,
            (scale->top - at[1]) * scale->factor, r);
}

/* The outer lines of two discs, and half of each disc. */
static void put_capsule(FILE *text, const struct scale *scale, const struct outline *outline)
{
    const double *a = outline->at[0], *b = outline->at[1], r = outline->r;
    const double x = b[0] - a[0], y = b[1] - a[1], length = hypot(x, y);
    const double side[2] = {-y / length * r, x / length * r};
    const double corners[4][2] = {{a[0] + side[0], a[1] + side[1]},
                                  {b[0] + side[0], b[1] + side[1]},
                                  {b[0] - side[0], b[1] - side[1]},
                                  {a[0] - side[0], a[1] - side[1]}};
    for (unsigned i = 0; i < 4; i++) {
        if (i == 2)
            fprintf(text, "A%.2f,%.2f 0 0 1 ", r * scale->factor, r * scale->factor);
        else
            fputs(i == 0 ? "<path d=\"M" : "L", text);
        put_point(text, scale, corners[i]);
    }
    fprintf(text, "A%.2f,%.2f 0 0 1 ", r * scale->factor, r * scale->factor);
    put_point(text, scale, corners[0]);
    fputs("Z\"/>\n", text);
}

static void put_outline(FILE *text, const struct scale *scale, const struct outline *outline)
{
    static const double dot = 1.5;
    if (outline->n == 0)
        return;
    if (outline->n == 1) {
        put_disc(text, scale, outline->at[0], outline->r > 0 ? outline->r * scale->factor : dot);
        return;
    }
    if (outline->n == 2 && outline->r > 0) {
        put_capsule(text, scale, outline);
        return;
    }
    fputs("<path d=\"", text);
    for (unsigned i = 0; i < outline->n; i++) {
        fputc(i == 0 ? 'M' : 'L', text);
        put_point(text, scale, outline->at[i]);
    }
    fputs("Z\"/>\n", text);
}

static bool draw(struct drawn *drawn, const struct rows *rows, const struct extent *extent, const struct scale *scale,
                 enum view view)
{
    size_t length = 0;
    drawn->n = rows->n;
    drawn->ends = calloc(rows->n + 1, sizeof *drawn->ends);
    drawn->hit = calloc(rows->n + 1, sizeof *drawn->hit);
    FILE *text = open_memstream(&drawn->text, &length);
    for (size_t i = 0; text && drawn->ends && i < rows->n; i++) {
        struct outline outline;
        outline_of(&outline, rows, i, extent, seen[view][0], seen[view][1]);
        put_outline(text, scale, &outline);
        drawn->ends[i + 1] = (size_t)ftell(text);
    }
    const bool good = text && !ferror(text);
    return text && fclose(text) == 0 && good && drawn->ends && drawn->hit;
}

/* Behind the last slash. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "standard input" : slash ? slash + 1 : path;
}

bool picture_open(struct picture *picture, const struct options *options, const struct rows *a, size_t total,
                  const struct rows *b)
{
    const size_t shapes = total + (b ? b->n : 0);
    *picture = (struct picture){.options = options, .sets = b ? 2 : 1};
    if (shapes > PICTURE_MOST_SHAPES) {
        complain("cannot draw %s: --svg draws at most %d shapes, and there are %zu; draw a part of the files",
                 options->svg, PICTURE_MOST_SHAPES, shapes);
        return false;
    }
    const struct extent extent = extent_of(a, b);
    const unsigned across = seen[options->view][0], up = seen[options->view][1];
    const double wide = extent.high[across] - extent.low[across], tall = extent.high[up] - extent.low[up];
    const struct scale scale = {extent.low[across], extent.high[up], LONGEST_SIDE / (wide > tall ? wide : tall)};
    picture->width = wide * scale.factor;
    picture->height = tall * scale.factor;
    bool good = true;
    for (unsigned i = 0; i < picture->sets; i++) {
        picture->drawn[i].name = name_of(options->input[i]);
        good = good && draw(&picture->drawn[i], i ? b : a, &extent, &scale, options->view);
    }
    if (good)
        return true;
    complain("cannot draw %s: %s", options->svg, abut_status_text(ABUT_ERROR_MEMORY));
    picture_close(picture);
    return false;
}

static void hit(struct drawn *drawn, size_t row)
{
    drawn->hits += !drawn->hit[row];
    drawn->hit[row] = true;
}

void picture_take(struct picture *picture, size_t a, size_t b)
{
    hit(&picture->drawn[0], a);
    hit(&picture->drawn[picture->sets - 1], b);
    picture->pairs++;
}

/* Rows without a pair, then those with one: of B first, so that A lies above. */
static const struct style {
    const char *fill, *stroke, *opacity;
} styles[2][2] = {{{"#ced4da", "#868e96", "0.35"}, {"#f76707", "#d9480f", "0.55"}},
                  {{"#e9ecef", "#adb5bd", "0.35"}, {"#4dabf7", "#1864ab", "0.35"}}};

static void write_group(struct output *output, const struct drawn *drawn, const struct style *style, bool hit)
{
    output_text(output, "<g fill=\"%s\" stroke=\"%s\" fill-opacity=\"%s\">\n", style->fill, style->stroke,
                style->opacity);
    for (size_t i = 0; i < drawn->n; i++)
        if (drawn->hit[i] == hit)
            output_bytes(output, drawn->text + drawn->ends[i], drawn->ends[i + 1] - drawn->ends[i]);
    output_text(output, "</g>\n");
}

/* A name as XML can have it: markup is escaped, and a question mark stands for all that is not printable ASCII. */
static void write_name(struct output *output, const char *name)
{
    enum { MOST_LETTERS = 40 };
    for (unsigned i = 0; i < MOST_LETTERS && name[i]; i++) {
        const unsigned char c = (unsigned char)name[i];
        if (c == '<' || c == '&')
            output_text(output, "&#%u;", c);
        else
            output_text(output, "%c", c >= ' ' && c <= '~' ? c : '?');
    }
    if (strlen(name) > MOST_LETTERS)
        output_text(output, "...");
}

/* What the colours mean: a line for each file, and one for the view. */
static void write_legend(struct output *output, const struct picture *picture)
{
    static const char *const views[view_count] = {"from above", "from the front", "from the side"};
    const enum view view = picture->options->view;
    double y = picture->height + LINE_HEIGHT;
    output_text(output, "<g font-family=\"sans-serif\" font-size=\"14\" fill=\"#343a40\">\n");
    for (unsigned i = 0; i < picture->sets; i++, y += LINE_HEIGHT) {
        const struct style *style = &styles[i][1];
        output_text(output,
                    "<rect x=\"%d\" y=\"%.2f\" width=\"14\" height=\"14\" fill=\"%s\" stroke=\"%s\" "
                    "fill-opacity=\"%s\"/>\n<text x=\"%d\" y=\"%.2f\">",
                    MARGIN, y - 12, style->fill, style->stroke, style->opacity, MARGIN + 22, y);
        write_name(output, picture->drawn[i].name);
        output_text(output, ": %zu of %zu in a pair</text>\n", picture->drawn[i].hits, picture->drawn[i].n);
    }
    output_text(output, "<text x=\"%d\" y=\"%.2f\">%llu pair%s, seen %s: %s to the right, %s up</text>\n</g>\n", MARGIN,
                y, picture->pairs, picture->pairs == 1 ? "" : "s", views[view], axes[seen[view][0]],
                axes[seen[view][1]]);
}

bool picture_write(const struct picture *picture)
{
    struct output output;
    const double width = picture->width > LEAST_WIDTH ? picture->width : LEAST_WIDTH;
    const double height = picture->height + LEGEND;
    if (!output_open(&output, picture->options->svg))
        return false;
    output_text(&output,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.2f %.2f\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
                width, height, width, height);
    for (unsigned hit = 0; hit < 2; hit++)
        for (unsigned i = picture->sets; i-- > 0;)
            write_group(&output, &picture->drawn[i], &styles[i][hit], hit);
    write_legend(&output, picture);
    output_text(&output, "</svg>\n");
    return output_close(&output);
}

void picture_close(struct picture *picture)
{
    for (unsigned i = 0; i < picture->sets; i++) {
        free(picture->drawn[i].text);
        free(picture->drawn[i].ends);
        free(picture->drawn[i].hit);
    }
}
