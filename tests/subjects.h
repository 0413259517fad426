/* SPDX-License-Identifier: MIT */
/* The subjects of all tests: predicates and shapes from the tables, and the instruction sets that run here. */
#ifndef ABUT_TESTS_SUBJECTS_H
#define ABUT_TESTS_SUBJECTS_H

#include "exact/resolve.h"
#include "hull_item.h"
#include <abut/distance.h>

/* The meaning of a member for inputs and properties, derived from its name. */
enum role {
    ROLE_COORDINATE,
    ROLE_RADIUS,
    ROLE_LOWER,
    ROLE_UPPER,
    ROLE_HALF,      /* a half extent along an axis of its own */
    ROLE_DIRECTION, /* of a normal or an axis: finite */
    ROLE_OFFSET     /* of a plane */
};

struct shape_info {
    const char *name;
    unsigned fields;
    const char *field_names[ABUT_MAX_FIELDS];
    enum role roles[ABUT_MAX_FIELDS];
    unsigned axes[ABUT_MAX_FIELDS];     /* 0 1 2 for x y z; 3 for none, such as a radius */
    unsigned partners[ABUT_MAX_FIELDS]; /* from a lower bound to the upper one and back; others to themselves */
};

/* A public function of two batches, whatever their shapes. */
typedef enum abut_status public_function(const struct columns *a, const struct columns *b,
                                         const struct abut_options *options, uint64_t *hits);

struct subject {
    const char *name, *question;
    enum predicate predicate;
    enum shape shape_a, shape_b;
    public_function *call, *call_all;
};

extern const struct subject subjects[predicate_count];

/* A distance, and the predicate whose pairs, without the radius of a, are its inputs. */
struct distance_subject {
    const char *name;
    enum distance_kind kind;
    enum shape shape_b;
    const struct subject *pairs;
    enum abut_status (*call)(const struct columns *points, const struct columns *b, float *d2,
                             const struct abut_closest *closest);
};

extern const struct distance_subject distance_subjects[distance_count];

const struct shape_info *shape_info(enum shape shape);
const struct subject *subject_of(const char *name); /* NULL if there is none */

static inline bool of_hulls(const struct subject *subject)
{
    return subject->shape_b == shape_hull;
}

/* The members of an item that inputs may change: from the first on, up to but not including the last. */
unsigned first_member(enum shape shape);
unsigned end_of_members(enum shape shape, const float *item);
enum role role_of(enum shape shape, unsigned member);

/* Prepares the hull of an item. */
void prepare_hull(struct hull *hull, const float *item);

/* The exact answer for an item of each shape; and that of all scalar stages, which count in stats. */
enum answer exact_answer(const struct subject *subject, const float *a, const float *b);
bool resolved(const struct subject *subject, const float *a, const float *b, bool closed, struct abut_stats *stats);

/* An instruction set as the tests see it, native or emulated. */
struct tested {
    const struct isa *isa;
    const char *name; /* "avx2", "avx2 emulated" */
    bool build;       /* emulated, and runs natively as well: long tests take one in BUILD_SHARE */
};

enum { BUILD_SHARE = 3 };

enum { MAX_TESTED = 16 };

/* Fills list with the instruction sets that run here, native ones first, and returns their number. */
unsigned tested_isas(struct tested list[MAX_TESTED]);

/* Prints a line: which instruction sets run natively, which emulated, and which native ones this machine lacks. */
void print_isas(void);

/* How many of the n instruction sets to test a predicate on: one, if all share its kernels. */
unsigned isas_apart(const struct subject *subject, const struct tested *tested, unsigned n);

enum entry { ENTRY_ZIP, ENTRY_ONE_MANY, ENTRY_MANY_ONE, ENTRY_BLOCK, entry_count };

extern const char *const entry_names[entry_count];

/* Hulls have no kernels for one item against many hulls, or item by item: these pairs are resolved one by one. */
bool has_entry(const struct subject *subject, enum entry entry);

/*
 * One call of a kernel, whose arguments are struct kernel_args. The block entry takes rows of hits: of items of a, or
 * of hulls, which are b. The other entries have one row. Hulls are prepared as for so many expected items: for many,
 * preparation looks for more facts about a hull, which must not change answers.
 */
struct entry_args {
    const struct columns *a, *b;
    size_t n, rows, row_words;
    bool closed;
    struct abut_stats *stats;
    size_t expected;
};
void run_entry(const struct isa *isa, const struct subject *subject, enum entry entry, const struct entry_args *args,
               uint64_t *hits);

distance_function *distance_entry_of(const struct isa *isa, enum distance_kind kind, enum entry entry);

/* Whether no member of the item is invalid by itself; an empty half space passes. */
bool item_valid(enum shape shape, const float *item);

#endif
