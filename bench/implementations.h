/* SPDX-License-Identifier: MIT */
/*
 * The implementations that are compared: plain loops, the kernels of each native instruction set in all builds, and
 * tests of other libraries.
 */
#ifndef ABUT_BENCH_IMPLEMENTATIONS_H
#define ABUT_BENCH_IMPLEMENTATIONS_H

#include "peers/kernels.h"
#include "workloads.h"

#include <algorithm>
#include <map>

/* A batch of any shape: the pointers of the public batches follow their count (api/sets.h). */
struct Batch {
    size_t n;
    const float *at[ABUT_MAX_FIELDS];

    Batch(const float *const *columns, unsigned fields, size_t items) : n(items), at()
    {
        std::copy(columns, columns + fields, at);
    }
};

/* The public call that a function NAME_all stands for, closed. */
void test_all(enum predicate predicate, const float *const *a, size_t n, abut_set b, abut_stats *stats, uint64_t *hits);

/* A workload drawn at one size, with the right answers. */
struct Input {
    Input(const Workload &drawn, size_t size);
    size_t row_words() const
    {
        return abut_mask_words(n);
    }

    const Workload &workload;
    size_t n;
    Columns a, b;
    std::vector<std::vector<const float *>> rows; /* the columns of a, from the item of each row on */
    std::vector<uint64_t> answers;                /* a mask for each row */
    std::string complaint;                        /* empty if the answers agree with the exact stage */

    /* What another library makes of this input, kept. */
    const KernelPass &pass_of(const KernelPeer &peer) const;

  private:
    mutable std::map<const KernelPeer *, KernelPass> passes;
};

/* Loops of plain.h, a peer, or the kernels of an instruction set; if items > 1, the public function NAME_all. */
struct Implementation {
    std::string name;
    plain_loop *const *loops;
    const isa *table;
    bool exact;
    size_t items;
    const KernelPeer *peer = nullptr;

    /* For shapes at rest rounding alone decides, so inexact implementations would be timed with wrong answers. */
    bool suits(const Workload &workload) const
    {
        return items <= workload.most_items && (exact || workload.draw != Draw::at_rest) &&
               (peer == nullptr || peer->predicate == workload.predicate);
    }
    /* Called once before a series of runs, since abut_use_isa queries the processor: slow on a virtual machine. */
    void prepare() const;
    /* Decides rows row to row + items - 1 of the input. */
    void run(const Input &input, size_t row, uint64_t *hits, abut_stats *stats) const;
};

const std::vector<Implementation> &implementations();

/* Two builds of the kernels without error bounds and later stages. `unchecked` also skips checks for invalid input. */
struct Builds {
    const isa *unchecked, *inexact;
};

const Builds &builds_of(const isa *table);

/* The results of an implementation on all rows of an input, as shares of the pairs. */
struct Verdict {
    double hits, undecided, exact, wrong;
    std::string complaint; /* empty if the answers are right */
};

Verdict verify(const Implementation &implementation, const Input &input);

#endif
