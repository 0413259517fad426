/* SPDX-License-Identifier: MIT */
/* Tests of pairs by other libraries, on the workloads of kernels: those that Debian packages have in the same meaning. */
#ifndef ABUT_BENCH_PEERS_KERNELS_H
#define ABUT_BENCH_PEERS_KERNELS_H

#include "../internals.h"

#include <functional>
#include <vector>

/* Columns in the order of shapes.def; those of a hull are its planes. */
struct KernelItems {
    const float *const *at;
    size_t n;
};

/* Tests all pairs of a pass, as an implementation does. It owns arrays of the library's own shapes. */
using KernelPass = std::function<void(size_t row, uint64_t *hits)>;

/* One function of a library. If it rotates, a pass takes one item of a, its row, against all of b. */
struct KernelPeer {
    const char *name;
    enum predicate predicate;
    KernelPass (*prepare)(const KernelItems &a, const KernelItems &b, bool rotates);
};

/* None without ABUT_BENCH_PEERS. */
const std::vector<KernelPeer> &kernel_peers();

#endif
