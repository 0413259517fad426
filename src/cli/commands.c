/* SPDX-License-Identifier: MIT */
/* The tables of commands and options. */
#include "commands.h"

#include <stddef.h>

#define AT(member) offsetof(struct options, member)

const struct option_row option_rows[option_count] = {
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
    [OPTION_ORTHOGRAPHIC] = {NUMBER, AT(height), "--orthographic", "HEIGHT",
                             "a view without perspective, so high, in place of --fov"},
    [OPTION_MATRIX] = {TEXT, AT(matrix), "--matrix", "FILE", "a view-projection matrix, in place of a camera"},
    [OPTION_DEPTH] = {CHOICE, 0, "--depth", "RANGE", "of the matrix: 0..1 (the default), -1..1 or reversed"},
    [OPTION_ORDER] = {CHOICE, 0, "--order", "ORDER", "its numbers: row after row (the default) or column, as OpenGL"},
    [OPTION_METHOD] = {CHOICE, 0, "--method", "NAME",
                       "auto (the default), index, or all: test all pairs; same answers"},
    [OPTION_NEIGHBOURS] = {AMOUNT, AT(neighbours), "-k", "K", "how many neighbours nearest finds of each point (1)"},
    [OPTION_DISTANCE] = {FLAG, AT(distances), "--distance", NULL, "a column more: the distance, not only its square"},
    [OPTION_D2] = {FLAG, AT(squares), "--d2", NULL, "a column more, of nearest: the squared distance"},
    [OPTION_CLOSEST] = {FLAG, AT(closest), "--closest", NULL, "columns x,y,z more, of nearest: the closest point of B"},
    [OPTION_SIGNED] = {FLAG, AT(sign), "--signed", NULL, "from the surface of the mesh B, negative inside"},
    [OPTION_WITHIN] = {NUMBER, AT(within), "--within", "DISTANCE", "only what is at most so far apart"},
    [OPTION_PERIODIC] = {POINT, AT(period), "--periodic", "X,Y,Z",
                         "the periods of a box in which space repeats; 0 where it does not"},
    [OPTION_IMAGES] = {AMOUNT, AT(images), "--images", "N",
                       "of --periodic: at most so many images are searched for a row, on average (64)"},
    [OPTION_TIES] = {FLAG, AT(ties), "--ties", NULL, "all rows that are as near as the k-th nearest, not only k"},
    [OPTION_ALL] = {FLAG, AT(all), "--all", NULL,
                    "every row of B that is hit, in the order of time, not the first alone"},
    [OPTION_END] = {NUMBER, AT(end), "--end", "T", "the last time: 1 (the default) at b, inf for rays without end"},
    [OPTION_ADJACENT] = {FLAG, AT(adjacent), "--adjacent", NULL, "triangles that share a vertex count as pairs, too"},
    [OPTION_EXCLUDE_SELF] = {FLAG, AT(exclude_self), "--exclude-self", NULL,
                             "row i of B is no neighbour of point i of A"},
    [OPTION_THREADS] = {AMOUNT, AT(threads), "--threads", "N",
                        "of an index (by default one a processor it may use); same answers"},
    [OPTION_STATS] = {FLAG, AT(stats), "--stats", NULL, "report times, memory and numbers of tests"},
    [OPTION_SVG] = {TEXT, AT(svg), "--svg", "FILE", "draw both files, with what touches in colour"},
    [OPTION_FILES] = {TEXT, AT(files), "--files", "DIR", "write the scene of demo there, as CSV files"},
    [OPTION_VIEW] = {CHOICE, 0, "--view", "SIDE", "where --svg looks from: top (the default), front or side"},
    [OPTION_ISA] = {TEXT, AT(isa), "--isa", "NAME", "use this instruction set, whatever ABUT_ISA says"},
    [OPTION_BY] = {TEXT, AT(by), "--by", "COLUMN", "only pairs whose rows have the same text in that column"},
    [OPTION_ID_A] = {TEXT, AT(id[0]), "--id-a", "COLUMN", "the names of A's rows, in place of their numbers"},
    [OPTION_ID_B] = {TEXT, AT(id[1]), "--id-b", "COLUMN", "the same for B"},
    [OPTION_FORMAT] = {CHOICE, 0, "--format", "NAME", "of the output: csv, npy or jsonl; by default as -o ends"},
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

/* clang-format off */
#define ON_FILES (BIT(ORIGIN) | BIT(OUTWARDS) | BIT(COLUMNS_A) | BIT(KIND_A) | BIT(SKIP_BAD))
#define ON_B (BIT(KIND_B) | BIT(COLUMNS_B) | BIT(ID_B))
#define ON_ROWS (ON_FILES | BIT(ID_A) | BIT(FORMAT) | BIT(OUTPUT) | BIT(ISA) | BIT(QUIET))
#define ON_PAIRS (ON_ROWS | BIT(TOUCH) | BIT(PREDICATE) | BIT(COUNT) | BIT(NORMALS))
#define ON_FRUSTUM \
    (BIT(EYE) | BIT(TARGET) | BIT(UP) | BIT(FOV) | BIT(ASPECT) | BIT(NEAR) | BIT(FAR) | BIT(ORTHOGRAPHIC) | \
     BIT(MATRIX) | BIT(DEPTH) | BIT(ORDER) | BIT(OUTPUT))
#define ON_JOINS \
    (ARRAYS | ON_PAIRS | BIT(BY) | BIT(METHOD) | BIT(THREADS) | BIT(STATS) | BIT(SVG) | BIT(VIEW) | BIT(WITHIN) | \
     BIT(PERIODIC) | BIT(IMAGES))
#define ON_NEAREST \
    (ARRAYS | ON_ROWS | ON_B | BIT(COUNT) | BIT(NEIGHBOURS) | BIT(DISTANCE) | BIT(D2) | BIT(CLOSEST) | BIT(WITHIN) | \
     BIT(PERIODIC) | BIT(IMAGES) | BIT(TIES) | BIT(EXCLUDE_SELF) | BIT(TOUCH) | BIT(THREADS) | \
     BIT(STATS))
#define ON_DISTANCE (ON_ROWS | ON_B | BIT(NORMALS) | BIT(DISTANCE) | BIT(SIGNED) | BIT(THREADS))
#define ON_CAST (ON_ROWS | ON_B | BIT(ALL) | BIT(END) | BIT(COUNT) | BIT(THREADS) | BIT(STATS))
#define ON_INSIDE (ON_ROWS | ON_B | BIT(TOUCH) | BIT(COUNT) | BIT(THREADS))
/* clang-format on */

const char *const format_names[format_count] = {"csv", "npy", "jsonl"};

const struct command commands[] = {
    {"join", "A B", "all pairs of a row of A and a row of B that touch", 2, ON_JOINS | ON_B, command_join,
     "join spheres.csv boxes.csv -o pairs.csv"},
    {"zip", "A B", "row by row, or one row against all: a column of 0 and 1", 2, ON_PAIRS | ON_B | BIT(CLASS),
     command_zip, "zip points.csv spheres.csv --count"},
    {"self", "A", "all pairs of rows of A, the first before the second, that touch", 1, ON_JOINS | BIT(ADJACENT),
     command_self, "self atoms.csv --within 3.5 --periodic 40,40,40"},
    {"nearest", "A B", "the rows of B that are nearest to each point of A", 2, ON_NEAREST, command_nearest,
     "nearest points.csv boxes.csv -k 3 --distance"},
    {"cast", "A B", "the row of B that each ray or moving sphere of A hits first, and when", 2, ON_CAST, command_cast,
     "cast rays.csv mesh.ply --end inf"},
    {"distance", "A B", "squared distances from points A to shapes B, and closest points", 2, ON_DISTANCE,
     command_distance, "distance points.csv boxes.csv"},
    {"inside", "A B", "which points of A are inside the watertight mesh B: a column of 0 and 1", 2, ON_INSIDE,
     command_inside, "inside points.csv mesh.ply"},
    {"frustum", "", "the planes of a camera, as a file of one hull", 0, ON_FRUSTUM, command_frustum,
     "frustum --target 1,0,0 --far 9 -o camera.csv"},
    {"demo", "", "a generated scene, its pairs, and how fast this machine finds them", 0, BIT(OUTPUT) | BIT(FILES),
     command_demo, "demo --files ."},
    {"info", "", "version, instruction sets that run here, kinds of files", 0, BIT(OUTPUT) | BIT(ISA), command_info,
     "info"},
    {"complete", "SHELL", "a script that completes command lines in bash or zsh", 1, BIT(OUTPUT), command_complete,
     "complete bash -o ~/.local/share/bash-completion/completions/abut"},
    {"selftest", "", "every predicate, as it runs here, against exact arithmetic", 0,
     BIT(OUTPUT) | BIT(ISA) | BIT(QUIET), command_selftest, "selftest --isa scalar"},
};

const size_t command_count = sizeof commands / sizeof *commands;
