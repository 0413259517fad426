/* SPDX-License-Identifier: MIT */
/* The bounds of all rows of a table, by their coordinates and sizes. */
#include "bounds.h"

#include "rounding.h"

#include <math.h>
#include <stdio.h>

struct bounds {
    double low[3], high[3];
};

static struct bounds bounds_of(const struct table *table)
{
    struct bounds bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double size = 0; /* the greatest: every half extent, and the radii */
    for (unsigned k = 0; k < table->kind->field_count; k++) {
        const char *field = table->kind->fields[k];
        const unsigned axis = axis_of(field);
        for (size_t i = 0; i < table->rows.n; i++) {
            const double x = (double)table->rows.at[k][i];
            if (axis < 3 && !isnan(x)) {
                bounds.low[axis] = fmin(bounds.low[axis], x);
                bounds.high[axis] = fmax(bounds.high[axis], x);
            } else if (field[0] == 'r' || field[0] == 'h') {
                size = fmax(size, x);
            }
        }
    }
    for (unsigned k = 0; k < 3; k++) {
        bounds.low[k] -= 2 * size; /* a box that is turned reaches farther than its half extents */
        bounds.high[k] += 2 * size;
    }
    return bounds;
}

bool bounds_apart(const struct table *a, const struct table *b, double within, char *text, size_t text_size)
{
    const struct table *const tables[2] = {a, b};
    struct bounds bounds[2];
    for (unsigned t = 0; t < 2; t++) {
        const enum abut_set_kind set = tables[t]->kind->set;
        if (kind_is_ray(tables[t]->kind) || set == ABUT_SET_PLANES || set == ABUT_SET_HULLS || tables[t]->rows.n == 0)
            return false;
        bounds[t] = bounds_of(tables[t]);
    }
    for (unsigned k = 0; k < 3; k++) {
        const double low_a = bounds[0].low[k], high_a = bounds[0].high[k];
        const double low_b = bounds[1].low[k], high_b = bounds[1].high[k];
        const double gap = fmax(low_b - high_a, low_a - high_b), reach = fmax(high_a - low_a, high_b - low_b);
        if (!(gap > within && gap > reach && gap < INFINITY))
            continue;
        snprintf(text, text_size,
                 "A and B do not meet: %c is %.4g to %.4g in A, %.4g to %.4g in B (other units or origin?)", "xyz"[k],
                 low_a, high_a, low_b, high_b);
        return true;
    }
    return false;
}
