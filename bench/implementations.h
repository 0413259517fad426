/* SPDX-License-Identifier: MIT */
/* What runs in the race: the plain loops, and each variant of this machine, exact and not. */
#ifndef ABUT_BENCH_IMPLEMENTATIONS_H
#define ABUT_BENCH_IMPLEMENTATIONS_H

#include "workloads.h"

/* A workload of one size, drawn, with the right answers. */
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
    std::string complaint;                        /* empty if the answers are right */
};

/* Loops of plain.h, or the kernels of a variant; the public many-against-many function if items > 1. */
struct Implementation {
    std::string name;
    plain_loop *const *loops;
    const isa *table;
    bool exact;
    size_t items;

    /* Where rounding alone decides, what is not exact would be timed with wrong answers. */
    bool suits(const Workload &workload) const
    {
        return items <= workload.most_items && (exact || workload.draw != Draw::at_rest);
    }
    /* Once before a series of runs: asking the processor what it is takes long on a virtual machine. */
    void prepare() const;
    /* Decides this many rows of the input, from one on. */
    void run(const Input &input, size_t row, uint64_t *hits, abut_stats *stats) const;
};

const std::vector<Implementation> &implementations();

/* The same kernels without error bounds and later stages; unchecked ones do not look for bad input either. */
struct Builds {
    const isa *unchecked, *inexact;
};

const Builds &builds_of(const isa *table);

/* How a implementation did on all rows of an input, as shares of the pairs. */
struct Verdict {
    double hits, undecided, exact, wrong;
    std::string complaint; /* empty if the answers are right */
};

Verdict verify(const Implementation &implementation, const Input &input);

#endif
