/* SPDX-License-Identifier: MIT */
/* Strict checks: which rows of a batch are bad input, for those who want an error instead of a miss. */
#include <abut/abut.h>

#include <math.h>
#include <string.h>

/* What is wrong with one item: its field and the words for it; field NULL if nothing is. */
struct fault {
    const char *field, *what;
};

static struct fault number_fault(const char *field, float x)
{
    return isnan(x) ? (struct fault){field, "is not a number"} : (struct fault){0};
}

static struct fault finite_fault(const char *field, float x)
{
    return isinf(x) ? (struct fault){field, "is infinite"} : number_fault(field, x);
}

static struct fault radius_fault(float r)
{
    return r < 0 ? (struct fault){"r", "is negative"} : number_fault("r", r);
}

static struct fault interval_fault(const char *min_field, float min, const char *max_field, float max)
{
    struct fault fault = number_fault(min_field, min);
    if (fault.field == NULL)
        fault = number_fault(max_field, max);
    if (fault.field != NULL)
        return fault;
    if (min > max)
        return (struct fault){min_field, strcmp(min_field, "minx") == 0   ? "is greater than maxx"
                                         : strcmp(min_field, "miny") == 0 ? "is greater than maxy"
                                                                          : "is greater than maxz"};
    if (min == INFINITY)
        return (struct fault){min_field, "is +inf"};
    return max == -INFINITY ? (struct fault){max_field, "is -inf"} : (struct fault){0};
}

/* The first fault in the order of the fields. */
static struct fault first_of(const struct fault *faults, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        if (faults[i].field != NULL)
            return faults[i];
    return faults[n - 1];
}

static struct fault points_fault(const struct abut_points *p, size_t i)
{
    return first_of((struct fault[]){finite_fault("x", p->x[i]), finite_fault("y", p->y[i]), finite_fault("z", p->z[i])},
                    3);
}

static struct fault spheres_fault(const struct abut_spheres *s, size_t i)
{
    return first_of((struct fault[]){finite_fault("x", s->x[i]), finite_fault("y", s->y[i]), finite_fault("z", s->z[i]),
                                     radius_fault(s->r[i])},
                    4);
}

static struct fault aabbs_fault(const struct abut_aabbs *b, size_t i)
{
    return first_of((struct fault[]){interval_fault("minx", b->minx[i], "maxx", b->maxx[i]),
                                     interval_fault("miny", b->miny[i], "maxy", b->maxy[i]),
                                     interval_fault("minz", b->minz[i], "maxz", b->maxz[i])},
                    3);
}

#define F(member) || batch->member == NULL
#define SHAPE(name, plural, fields)                                                                                    \
    enum abut_status abut_check_##plural(const struct abut_##plural *batch, struct abut_bad *bad)                      \
    {                                                                                                                  \
        if (batch == NULL || (batch->n > 0 && (false fields)))                                                         \
            return ABUT_ERROR_NULL;                                                                                    \
        if (batch->n > ABUT_MAX_ITEMS)                                                                                 \
            return ABUT_ERROR_TOO_MANY;                                                                                \
        struct abut_bad found = {0};                                                                                   \
        for (size_t i = 0; i < batch->n; i++) {                                                                        \
            struct fault fault = plural##_fault(batch, i);                                                             \
            if (fault.field != NULL && found.count++ == 0)                                                             \
                found = (struct abut_bad){1, i, fault.field, fault.what};                                              \
        }                                                                                                              \
        if (bad != NULL)                                                                                               \
            *bad = found;                                                                                              \
        return found.count > 0 ? ABUT_ERROR_BAD_INPUT : ABUT_OK;                                                       \
    }
#include "shapes.def"

enum abut_status abut_aabbs_sort_corners(size_t n, float *const columns[6])
{
    if (columns == NULL)
        return ABUT_ERROR_NULL;
    for (unsigned k = 0; k < 6; k++)
        if (n > 0 && columns[k] == NULL)
            return ABUT_ERROR_NULL;
    if (n > ABUT_MAX_ITEMS)
        return ABUT_ERROR_TOO_MANY;
    for (unsigned k = 0; k < 3; k++)
        for (size_t i = 0; i < n; i++)
            if (columns[k][i] > columns[k + 3][i]) {
                float greater = columns[k][i];
                columns[k][i] = columns[k + 3][i];
                columns[k + 3][i] = greater;
            }
    return ABUT_OK;
}
