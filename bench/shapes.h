/* SPDX-License-Identifier: MIT */
/* Joins of spheres with all other shapes, and of each shape with itself. */
#ifndef ABUT_BENCH_SHAPES_H
#define ABUT_BENCH_SHAPES_H

/* Prints medians in milliseconds of a search, for each instruction set, with one thread and a kept workspace. */
void print_shapes(unsigned repetitions);

#endif
