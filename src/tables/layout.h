/* SPDX-License-Identifier: MIT */
/*
 * How the items of each shape lie in memory, for the lists that treat hulls in a way of their own. An item has one row
 * in columns, or a hull has as many rows as planes, found by offsets.
 * BY_LAYOUT(list, shape, arguments) is list_hulls(arguments) for hulls, and list_columns(arguments) for other shapes.
 */
#ifndef ABUT_TABLES_LAYOUT_H
#define ABUT_TABLES_LAYOUT_H

/* The comma makes the word for hulls the second argument below, and moves the default on. */
#define LAYOUT_hull , hulls
#define LAYOUT_SECOND(first, second, ...) second
#define LAYOUT_CHOOSE(...) LAYOUT_SECOND(__VA_ARGS__)
#define LAYOUT_OF(shape) LAYOUT_CHOOSE(LAYOUT_##shape, columns, )

#define LAYOUT_CALL_(list, layout, ...) list##_##layout(__VA_ARGS__)
#define LAYOUT_CALL(list, layout, ...) LAYOUT_CALL_(list, layout, __VA_ARGS__)
#define BY_LAYOUT(list, shape, ...) LAYOUT_CALL(list, LAYOUT_OF(shape), __VA_ARGS__)

#endif
