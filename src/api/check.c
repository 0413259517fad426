/* SPDX-License-Identifier: MIT */
/* Strict checks: which rows of a batch are invalid, for callers who want an error instead of a miss. */
#include "api/sets.h"
#include "util/dot.h"
#include "util/float_mode.h"

#include <abut/shapes.h>
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
    return first_of(
        (struct fault[]){finite_fault("x", p->x[i]), finite_fault("y", p->y[i]), finite_fault("z", p->z[i])}, 3);
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

static struct fault vector_fault(const char *const names[3], float x, float y, float z)
{
    return first_of((struct fault[]){finite_fault(names[0], x), finite_fault(names[1], y), finite_fault(names[2], z)},
                    3);
}

static const char *const a_names[] = {"ax", "ay", "az"}, *const b_names[] = {"bx", "by", "bz"},
                         *const c_names[] = {"cx", "cy", "cz"};

static struct fault planes_fault(const struct abut_planes *b, size_t i)
{
    static const char *const names[] = {"nx", "ny", "nz"};
    struct fault zero = {0};
    if (b->nx[i] == 0 && b->ny[i] == 0 && b->nz[i] == 0)
        zero = (struct fault){"nx", "is zero, and so are ny and nz"};
    return first_of(
        (struct fault[]){vector_fault(names, b->nx[i], b->ny[i], b->nz[i]), zero, finite_fault("d", b->d[i])}, 3);
}

static struct fault half_fault(const char *name, float h)
{
    return h < 0 ? (struct fault){name, "is negative"} : number_fault(name, h);
}

static struct fault axes_fault(const double u[3], const double v[3], const double w[3])
{
    const double *const axes[] = {u, v, w};
    static const char *const names[] = {"ux", "vx", "wx"};
    for (unsigned k = 0; k < 3; k++) {
        double length2 = dot(axes[k], axes[k]);
        if (length2 < (1 - 1e-3) * (1 - 1e-3) || length2 > (1 + 1e-3) * (1 + 1e-3))
            return (struct fault){names[k], "begins an axis that has not unit length"};
        if (fabs(dot(axes[k], axes[(k + 1) % 3])) > 1e-3)
            return (struct fault){names[k], "begins an axis that is not at a right angle to the next one"};
    }
    return (struct fault){0};
}

static struct fault obbs_fault(const struct abut_obbs *b, size_t i)
{
    static const char *const u_names[] = {"ux", "uy", "uz"}, *const v_names[] = {"vx", "vy", "vz"},
                             *const w_names[] = {"wx", "wy", "wz"};
    struct fault fault =
        first_of((struct fault[]){vector_fault(c_names, b->cx[i], b->cy[i], b->cz[i]), half_fault("hx", b->hx[i]),
                                  half_fault("hy", b->hy[i]), half_fault("hz", b->hz[i]),
                                  vector_fault(u_names, b->ux[i], b->uy[i], b->uz[i]),
                                  vector_fault(v_names, b->vx[i], b->vy[i], b->vz[i]),
                                  vector_fault(w_names, b->wx[i], b->wy[i], b->wz[i])},
                 7);
    if (fault.field != NULL)
        return fault;
    return axes_fault((const double[]){b->ux[i], b->uy[i], b->uz[i]}, (const double[]){b->vx[i], b->vy[i], b->vz[i]},
                      (const double[]){b->wx[i], b->wy[i], b->wz[i]});
}

static struct fault segments_fault(const struct abut_segments *s, size_t i)
{
    return first_of((struct fault[]){vector_fault(a_names, s->ax[i], s->ay[i], s->az[i]),
                                     vector_fault(b_names, s->bx[i], s->by[i], s->bz[i])},
                    2);
}

static struct fault capsules_fault(const struct abut_capsules *c, size_t i)
{
    return first_of((struct fault[]){vector_fault(a_names, c->ax[i], c->ay[i], c->az[i]),
                                     vector_fault(b_names, c->bx[i], c->by[i], c->bz[i]), radius_fault(c->r[i])},
                    3);
}

static struct fault triangles_fault(const struct abut_triangles *t, size_t i)
{
    return first_of((struct fault[]){vector_fault(a_names, t->ax[i], t->ay[i], t->az[i]),
                                     vector_fault(b_names, t->bx[i], t->by[i], t->bz[i]),
                                     vector_fault(c_names, t->cx[i], t->cy[i], t->cz[i])},
                    3);
}

#define F(member)
#define SHAPE(name, plural, fields)                                                                                    \
    static struct fault name##_fault_of(const void *batch, size_t i)                                                   \
    {                                                                                                                  \
        return plural##_fault(batch, i);                                                                               \
    }
#include "tables/shapes.def"

#define SHAPE(name, plural, fields) name##_fault_of,
static struct fault (*const fault_of[shape_count])(const void *batch, size_t i) = {
#include "tables/shapes.def"
};

static struct fault hull_fault(const struct abut_hulls *hulls, size_t i, size_t *plane)
{
    const size_t first = hulls->offsets[i], end = hulls->offsets[i + 1];
    const struct abut_planes planes = {end, hulls->nx, hulls->ny, hulls->nz, hulls->d};
    *plane = first;
    if (end <= first || end - first > ABUT_MAX_PLANES)
        return (struct fault){"offsets", "make a hull of no plane or of more than 32"};
    for (; *plane < end; ++*plane) {
        struct fault fault = planes_fault(&planes, *plane);
        if (fault.field != NULL)
            return fault;
    }
    return (struct fault){0};
}

enum abut_status abut_check(struct abut_set set, struct abut_invalid *invalid)
{
    IN_DEFAULT_FLOAT_MODE;
    if (set.items == NULL)
        return ABUT_ERROR_NULL;
    /* A hull of too many planes is an invalid row here, and no error of the batch. */
    const enum abut_status status = set.kind == ABUT_SET_INDEX   ? ABUT_ERROR_ARGUMENT
                                    : set.kind == ABUT_SET_HULLS ? abut_hull_arrays_readable(set.items)
                                                                 : abut_check_set(set);
    if (status != ABUT_OK)
        return status;
    struct abut_invalid found = {0};
    for (size_t i = 0; i < batch_length(set.items); i++) {
        size_t plane = 0;
        const struct fault fault =
            set.kind == ABUT_SET_HULLS ? hull_fault(set.items, i, &plane) : fault_of[set.kind](set.items, i);
        if (fault.field != NULL && found.count++ == 0)
            found = (struct abut_invalid){1, i, fault.field, fault.what, plane};
    }
    if (invalid != NULL)
        *invalid = found;
    return found.count > 0 ? ABUT_ERROR_INVALID : ABUT_OK;
}
