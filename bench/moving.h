/* SPDX-License-Identifier: MIT */
/* Boxes that move: an index that owns them beside one that borrows them. */
#ifndef ABUT_BENCH_MOVING_H
#define ABUT_BENCH_MOVING_H

/* Milliseconds with one thread and memory that is kept; the medians of some repetitions. */
void print_moving(unsigned repetitions);

#endif
