/* SPDX-License-Identifier: MIT */
/* Moving boxes: an index that owns them beside a view. */
#ifndef ABUT_BENCH_MOVING_H
#define ABUT_BENCH_MOVING_H

/* Prints medians in milliseconds, with one thread and memory kept between runs. */
void print_moving(unsigned repetitions);

#endif
