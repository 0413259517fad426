/* SPDX-License-Identifier: MIT */
/* Mesh files as tables of triangles: PLY, ASCII and binary, and OBJ. */
#ifndef ABUT_CLI_MESH_H
#define ABUT_CLI_MESH_H

#include "csv.h"

/* Vertices, and faces that name them, cut into triangles around their first vertex. */
struct mesh {
    float *vertices;   /* x y z each */
    uint32_t *indices; /* three a triangle */
    size_t vertex_count, triangle_count, vertex_room, triangle_room;
};

struct face {
    uint32_t first, last;
    size_t corners;
};

/* False: the problem is told, but not where. The vertex of a corner counts from 0; number is what the file calls it. */
bool mesh_vertex(struct mesh *mesh, const float at[3], struct problem *problem);
bool mesh_corner(struct mesh *mesh, struct face *face, int64_t vertex, int64_t number, struct problem *problem);
bool mesh_face_end(const struct face *face, struct problem *problem);

/* Tells what is wrong with a coordinate, 0 to 2 for x to z. Always false. */
bool mesh_coordinate_fails(unsigned coordinate, const char *what, struct problem *problem);

/* Whole files; a zero byte follows the text. A problem of a binary file has the line 0. */
bool ply_read(struct mesh *mesh, const char *text, size_t size, struct problem *problem);
bool obj_read(struct mesh *mesh, const char *text, size_t size, struct problem *problem);

/* By the first line of a PLY file, and the name of an OBJ file. */
bool mesh_recognise(const char *path, const char *text, size_t size);

/* Reads a mesh into a new table of triangles; false, with the problem told and nothing to free. */
bool mesh_read_table(struct table *table, const char *text, size_t size, struct problem *problem);

#endif
