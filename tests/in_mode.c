/* SPDX-License-Identifier: MIT */
/*
 * Makes public calls in another floating-point mode. The linker's --wrap sends every call of a public function from a
 * test here. The test itself computes in the default mode. The call is made in the mode that the environment variable
 * ABUT_TEST_MODE names, and must leave the control register, sticky flags included, as it was.
 */
#include <abut/cast.h>
#include <abut/distance.h>
#include <abut/engine.h>
#include <abut/shapes.h>
#include <abut/world.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SSE2_MATH__)

/* MXCSR. */
enum {
    DEFAULT = 0x1f80,
    DENORMALS_ARE_ZERO = 0x40,
    FLUSH_TO_ZERO = 0x8000,
    UP = 0x4000,
    DOWN = 0x2000,
    MASKS = 0x1f80,
    FLAGS = 0x3f
};
static const struct mode {
    const char *name;
    unsigned control;
} modes[] = {{"ftz", DEFAULT | FLUSH_TO_ZERO},
             {"daz", DEFAULT | DENORMALS_ARE_ZERO},
             {"ftz_daz", DEFAULT | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO},
             {"up", DEFAULT | UP},
             {"down", DEFAULT | DOWN},
             {"to_zero", DEFAULT | UP | DOWN},
             {"trap", DEFAULT & ~MASKS},
             {"all", FLUSH_TO_ZERO | DENORMALS_ARE_ZERO | UP}};

static unsigned get_control(void)
{
    unsigned control;
    __asm__ volatile("stmxcsr %0" : "=m"(control) : : "memory");
    return control;
}

static void set_control(unsigned control)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(control) : "memory");
}

#elif defined(__aarch64__)

/* FPCR, with the sticky flags of FPSR in bits that FPCR leaves free. */
enum { DEFAULT = 0, FLUSH_TO_ZERO = 1 << 24, UP = 1 << 22, DOWN = 2 << 22, DEFAULT_NAN = 1 << 25, FLAGS = 0 };
static const struct mode {
    const char *name;
    unsigned control;
} modes[] = {{"ftz", FLUSH_TO_ZERO}, {"up", UP}, {"down", DOWN}, {"to_zero", UP | DOWN}, {"default_nan", DEFAULT_NAN}};

static unsigned get_control(void)
{
    unsigned long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control) : : "memory");
    return (unsigned)control;
}

static void set_control(unsigned control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"((unsigned long)control) : "memory");
}

#else

enum { DEFAULT = 0, FLAGS = 0 };
static const struct mode {
    const char *name;
    unsigned control;
} modes[] = {{"default", 0}};
static unsigned get_control(void)
{
    return 0;
}
static void set_control(unsigned control)
{
    (void)control;
}

#endif

static unsigned tested = DEFAULT;

__attribute__((constructor)) static void choose_mode(void)
{
    const char *name = getenv("ABUT_TEST_MODE");
    const unsigned inherited = get_control() & ~(unsigned)FLAGS;
    set_control(DEFAULT);
    if (name == NULL)
        return;
    bool found = strcmp(name, "inherited") == 0;
    if (found)
        tested = inherited;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(name, modes[i].name) == 0) {
            tested = modes[i].control;
            found = true;
        }
    set_control(tested);
    const bool stays = get_control() == tested;
    set_control(DEFAULT);
    if (!found || !stays || tested == DEFAULT) {
        printf("skipped: this machine has no floating-point mode %s, or the process did not inherit one\n", name);
        exit(77);
    }
    printf("public calls in mode %s, %#x\n", name, tested);
}

static unsigned enter(void)
{
    const unsigned before = get_control();
    if (tested != DEFAULT)
        set_control(tested);
    return before;
}

static void leave(unsigned before, const char *function)
{
    if (tested == DEFAULT)
        return;
    const unsigned after = get_control();
    set_control(before);
    if (after != tested) {
        printf("FAILED: %s left the control register %#x, which was %#x\n", function, after, tested);
        exit(1);
    }
}

#define WRAP(type, name, parameters, arguments)                                                                        \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        const unsigned before = enter();                                                                               \
        const type result = __real_##name arguments;                                                                   \
        leave(before, #name);                                                                                          \
        return result;                                                                                                 \
    }
typedef enum abut_status status;
typedef enum abut_relation relation;
typedef const struct abut_options *options;
typedef const struct abut_index *index_view;
typedef struct abut_set set;
typedef float *const *columns;
typedef float (*planes)[4];
typedef const struct abut_points *points;
typedef struct abut_invalid *invalid;

WRAP(status, abut_test, (relation r, set a, set b, options o, uint64_t *hits), (r, a, b, o, hits))
WRAP(status, abut_test_all, (relation r, set a, set b, options o, uint64_t *hits), (r, a, b, o, hits))
WRAP(status, abut_test_exactly, (relation r, set a, set b, options o, uint64_t *hits), (r, a, b, o, hits))
WRAP(status, abut_classify, (set a, set b, options o, uint8_t *classes), (a, b, o, classes))
WRAP(status, abut_penetration,
     (const struct abut_spheres *s, set shapes, float *depth, const struct abut_directions *d), (s, shapes, depth, d))
WRAP(status, abut_aabbs_of_hulls, (const struct abut_hulls *h, columns c), (h, c))
WRAP(status, abut_corners_of_hulls, (const struct abut_hulls *h, uint64_t *o, columns c, size_t n, uint8_t *e),
     (h, o, c, n, e))
WRAP(status, abut_test_groups, (relation r, set a, set b, const struct abut_groups *g, options o, uint64_t *mask),
     (r, a, b, g, o, mask))
WRAP(status, abut_test_all_groups, (relation r, set a, set b, const struct abut_groups *g, options o, uint64_t *mask),
     (r, a, b, g, o, mask))
WRAP(status, abut_test_masks, (relation r, set a, const struct abut_hulls *h, options o, uint32_t *masks),
     (r, a, h, o, masks))
WRAP(status, abut_test_cull_box,
     (set a, const struct abut_hulls *h, const struct abut_aabbs *b, options o, uint64_t *hits), (a, h, b, o, hits))
WRAP(status, abut_any_moved, (points a, points b, float distance, bool *moved), (a, b, distance, moved))
WRAP(status, abut_distance, (points p, set s, float *d2, const struct abut_closest *c), (p, s, d2, c))
WRAP(status, abut_check, (set s, invalid i), (s, i))
WRAP(status, abut_aabbs_sort_corners, (size_t n, columns c), (n, c))
WRAP(status, abut_gather_floats,
     (size_t n, const float *a, size_t stride, unsigned m, const double *origin, enum abut_round r, columns c,
      double *g),
     (n, a, stride, m, origin, r, c, g))
WRAP(status, abut_gather_doubles,
     (size_t n, const double *a, size_t stride, unsigned m, const double *origin, enum abut_round r, columns c,
      double *g),
     (n, a, stride, m, origin, r, c, g))
WRAP(status, abut_obbs_axes_from_quaternions, (size_t n, columns q, columns axes), (n, q, axes))
WRAP(status, abut_aabbs_of_spheres, (const struct abut_spheres *s, columns c), (s, c))
WRAP(status, abut_aabbs_of_obbs, (const struct abut_obbs *s, columns c), (s, c))
WRAP(status, abut_aabbs_of_capsules, (const struct abut_capsules *s, columns c), (s, c))
WRAP(status, abut_aabbs_of_triangles, (const struct abut_triangles *s, columns c), (s, c))
WRAP(status, abut_aabb_of_points, (points p, float *min, float *max), (p, min, max))
WRAP(status, abut_planes_flip, (size_t n, columns c), (n, c))
WRAP(bool, abut_plane_normal, (const float *p, const float *n, float *plane), (p, n, plane))
WRAP(bool, abut_plane_points, (const float *a, const float *b, const float *c, float *plane), (a, b, c, plane))
WRAP(bool, abut_obb_from_affine, (const float *m, enum abut_vectors v, const float *min, const float *max, float *box),
     (m, v, min, max, box))
WRAP(unsigned, abut_hull_aabb, (const float *min, const float *max, planes p), (min, max, p))
WRAP(unsigned, abut_hull_box, (const float *centre, const float (*edges)[3], planes p), (centre, edges, p))
WRAP(unsigned, abut_frustum_from_matrix, (const float *m, enum abut_vectors v, enum abut_depth d, planes p),
     (m, v, d, p))
WRAP(unsigned, abut_frustum_from_camera, (const struct abut_camera *camera, planes p), (camera, p))
WRAP(status, abut_index_new, (set s, options o, invalid i, struct abut_index **index), (s, o, i, index))
WRAP(status, abut_index_view, (set s, float padding, options o, invalid i, struct abut_index **index),
     (s, padding, o, i, index))
WRAP(status, abut_index_refit, (struct abut_index * index, set s, options o, double *growth, invalid i),
     (index, s, o, growth, i))
WRAP(status, abut_index_refit_some,
     (struct abut_index * index, set s, const uint32_t *moved, size_t n, options o, double *growth, invalid i),
     (index, s, moved, n, o, growth, i))
WRAP(status, abut_index_of_mesh, (const struct abut_mesh *mesh, options o, invalid i, struct abut_index **index),
     (mesh, o, i, index))
WRAP(status, abut_join, (index_view x, set q, options o, struct abut_pair *pairs, size_t n, uint64_t *count),
     (x, q, o, pairs, n, count))
WRAP(status, abut_self_join, (index_view x, options o, struct abut_pair *pairs, size_t n, uint64_t *count),
     (x, o, pairs, n, count))
WRAP(status, abut_join_groups, (index_view x, set q, const struct abut_groups *g, options o, uint64_t *mask),
     (x, q, g, o, mask))
WRAP(status, abut_join_masks, (index_view x, set q, options o, uint32_t *masks), (x, q, o, masks))
WRAP(status, abut_join_bits, (index_view x, set q, options o, uint64_t *bits), (x, q, o, bits))
WRAP(status, abut_join_classes, (index_view x, const struct abut_hulls *h, options o, uint8_t *c), (x, h, o, c))
WRAP(status, abut_self_rows,
     (index_view x, enum abut_rows f, options o, uint64_t *offsets, uint32_t *indices, size_t n),
     (x, f, o, offsets, indices, n))
WRAP(status, abut_self_rows_unsorted,
     (index_view x, enum abut_rows f, options o, uint32_t *rows, uint64_t *offsets, uint32_t *indices, size_t n),
     (x, f, o, rows, offsets, indices, n))
WRAP(status, abut_cutoff_rows,
     (index_view x, points p, const struct abut_cutoffs *c, enum abut_rows f, options o, uint64_t *offsets,
      uint32_t *indices, size_t n),
     (x, p, c, f, o, offsets, indices, n))
WRAP(status, abut_cutoff_rows_unsorted,
     (index_view x, points p, const struct abut_cutoffs *c, enum abut_rows f, options o, uint32_t *rows,
      uint64_t *offsets, uint32_t *indices, size_t n),
     (x, p, c, f, o, rows, offsets, indices, n))
WRAP(status, abut_join_blocks, (index_view x, set q, options o, abut_block_function *take, void *context),
     (x, q, o, take, context))
WRAP(status, abut_self_join_blocks, (index_view x, options o, abut_block_function *take, void *context),
     (x, o, take, context))
WRAP(status, abut_join_counts, (index_view x, set q, options o, uint32_t *counts), (x, q, o, counts))
WRAP(status, abut_join_any, (index_view x, set q, options o, uint64_t *mask), (x, q, o, mask))
WRAP(status, abut_join_rows, (index_view x, set q, options o, uint64_t *offsets, uint32_t *indices, size_t n),
     (x, q, o, offsets, indices, n))
WRAP(status, abut_join_rows_unsorted,
     (index_view x, set q, options o, uint32_t *rows, uint64_t *offsets, uint32_t *indices, size_t n),
     (x, q, o, rows, offsets, indices, n))
WRAP(status, abut_join_to, (index_view x, set q, options o, abut_pairs_function *get, void *context),
     (x, q, o, get, context))
WRAP(status, abut_self_join_to, (index_view x, options o, abut_pairs_function *get, void *context),
     (x, o, get, context))
WRAP(status, abut_join_some,
     (index_view x, const uint32_t *items, size_t n, options o, struct abut_pair *pairs, size_t most, uint64_t *count),
     (x, items, n, o, pairs, most, count))
WRAP(status, abut_join_some_to,
     (index_view x, const uint32_t *items, size_t n, options o, abut_pairs_function *get, void *context),
     (x, items, n, o, get, context))
WRAP(status, abut_test_pairs,
     (relation r, set a, set b, const struct abut_pair *pairs, size_t n, options o, uint64_t *hits),
     (r, a, b, pairs, n, o, hits))
WRAP(status, abut_world_add,
     (struct abut_world * w, set s, const struct abut_world_labels *labels, invalid i, uint32_t *ids),
     (w, s, labels, i, ids))
WRAP(status, abut_world_move, (struct abut_world * w, const uint32_t *ids, set s, invalid i), (w, ids, s, i))
WRAP(status, abut_world_update, (struct abut_world * w, bool kept, options o, struct abut_world_changes *c),
     (w, kept, o, c))
WRAP(status, abut_world_join,
     (struct abut_world * w, set q, options o, struct abut_pair *pairs, size_t most, uint64_t *count),
     (w, q, o, pairs, most, count))
WRAP(status, abut_world_nearest,
     (struct abut_world * w, points p, const struct abut_neighbours *n, options o, uint32_t *ids, float *d2),
     (w, p, n, o, ids, d2))
WRAP(status, abut_world_restore, (const void *b, size_t n, options o, struct abut_world **w), (b, n, o, w))
WRAP(status, abut_nearest, (index_view x, points p, size_t k, options o, uint32_t *indices, float *d2),
     (x, p, k, o, indices, d2))

WRAP(status, abut_cast_first, (index_view x, const struct abut_rays *r, options o, uint32_t *items, float *t),
     (x, r, o, items, t))
WRAP(status, abut_cast_any, (index_view x, const struct abut_rays *r, options o, uint64_t *mask), (x, r, o, mask))
WRAP(status, abut_cast_all,
     (index_view x, const struct abut_rays *r, options o, uint64_t *offsets, uint32_t *items, float *t, size_t n),
     (x, r, o, offsets, items, t, n))
WRAP(status, abut_cast_hulls_first,
     (index_view x, const struct abut_hulls *h, const struct abut_rays *r, options o, uint32_t *items, float *t),
     (x, h, r, o, items, t))
WRAP(status, abut_cast_hulls_any,
     (index_view x, const struct abut_hulls *h, const struct abut_rays *r, options o, uint64_t *mask),
     (x, h, r, o, mask))
WRAP(status, abut_cast_hulls_all,
     (index_view x, const struct abut_hulls *h, const struct abut_rays *r, options o, uint64_t *offsets,
      uint32_t *items, float *t, size_t n),
     (x, h, r, o, offsets, items, t, n))

/* Threads start in the tested mode, as an application's threads may. */
struct beginning {
    void *(*routine)(void *);
    void *argument;
};

static void *begin_thread(void *memory)
{
    const struct beginning beginning = *(struct beginning *)memory;
    free(memory);
    set_control(tested);
    return beginning.routine(beginning.argument);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *), void *argument)
{
    struct beginning *beginning = malloc(sizeof *beginning);
    if (beginning == NULL)
        return -1;
    *beginning = (struct beginning){routine, argument};
    return __real_pthread_create(thread, attributes, begin_thread, beginning);
}
