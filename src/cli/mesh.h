/* SPDX-License-Identifier: MIT */
/* What the readers of mesh formats have in common: vertices, faces, and triangles made of them. */
#ifndef ABUT_CLI_MESH_H
#define ABUT_CLI_MESH_H

#include "reader.h"

/* Vertices, and faces of their numbers, cut into triangles. */
struct mesh {
    float *vertices; /* x y z each */
    float *moved;    /* by the rounding of each vertex */
    struct rounding *rounding;
    uint32_t *indices; /* three a triangle */
    uint32_t *corners; /* of the face that is being read */
    size_t vertex_count, triangle_count, corner_count, vertex_capacity, moved_capacity, triangle_capacity,
        corner_capacity;
    size_t most_triangles; /* as many as a file of this size may hold */
    size_t faces;
    /* Faces that are not flat or cross themselves: how many, and of the first the line, or 0, its number and why. */
    size_t odd_faces, odd_line, odd_face;
    const char *odd;
};

/*
 * On false problem is set, but for its place. A vertex is as it is in the file, and rounded. The vertex of a corner
 * counts from 0; number is its number in the file.
 */
bool mesh_vertex(struct mesh *mesh, const double wide[3], const float near[3], struct problem *problem);
void mesh_face_begin(struct mesh *mesh);
bool mesh_corner(struct mesh *mesh, int64_t vertex, int64_t number, struct problem *problem);
bool mesh_face_end(struct mesh *mesh, struct problem *problem);

/*
 * The corners are those of a strip of triangles, or none: each three that follow one another are a triangle, and every
 * second one is turned round. Three that name a vertex twice only lead to the next triangle, and are none.
 */
bool mesh_strip_end(struct mesh *mesh, struct problem *problem);

/* Sets the problem of a coordinate, 0 to 2 for x to z. Always false. */
bool mesh_coordinate_fails(unsigned coordinate, const char *what, struct problem *problem);

/* The length of a byte-order mark. */
size_t mesh_mark(const char *text, size_t size);

/*
 * Reads a whole file into the mesh. A zero byte follows the text. On false problem is set, with line 0 in a binary
 * file.
 */
typedef bool mesh_parser(struct mesh *mesh, const char *text, size_t size, struct problem *problem);

/*
 * The functions of a reader; open needs the parser of the format. A mesh holds triangles. Its vertices are points if
 * that kind is asked for, or if the kind is NULL and there are no faces.
 */
bool mesh_open(struct source *source, const struct kind *kind, mesh_parser *parse, struct problem *problem);
bool mesh_read(const struct source *source, size_t first, size_t count, struct table *table, size_t *unreadable,
               struct problem *problem, struct progress *progress);
void mesh_locate(const struct source *source, size_t row, struct problem *problem);
void mesh_close(struct source *source);

#endif
