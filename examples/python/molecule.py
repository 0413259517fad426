# SPDX-License-Identifier: MIT
"""Which atoms of a periodic cell are within a cutoff of each other? usage: molecule.py [PICTURE.png]

Atoms near a face of the cell meet the images of atoms at the opposite face. So the atoms within the cutoff of a face
are copied to the other sides, and one call finds the contacts of atoms with atoms and images.
"""
import itertools
import sys

import matplotlib.pyplot as plt
import numpy as np

import abut

rng = np.random.default_rng(7)
ATOMS, EDGE, CUTOFF = 1600, 24.0, 2.5
# Positions are multiples of 1/256, so that images have no rounding error: contacts are those of the periodic cell.
atoms = rng.integers(0, int(EDGE * 256), (ATOMS, 3)) / 256

# Images: atom and place of each copy that is within the cutoff of the cell.
shifts = np.array([shift for shift in itertools.product((-1, 0, 1), repeat=3) if any(shift)]) * EDGE
copies = (atoms[None] + shifts[:, None]).reshape(-1, 3)
near = abut.inside(abut.Points(copies), abut.AABBs([-CUTOFF] * 3 + [EDGE + CUTOFF] * 3))
place = np.concatenate([atoms, copies[near]])
atom = np.concatenate([np.arange(ATOMS), np.tile(np.arange(ATOMS), len(shifts))[near]])

# An atom meets what is within the cutoff of it: a sphere of that radius and a point.
first, found = abut.Index(abut.Points(place)).query(abut.Spheres(atoms, CUTOFF))
second = atom[found]
once = first < second  # each contact is found from both sides; an atom also finds itself
first, second, across = first[once], second[once], found[once] >= ATOMS
degree = np.bincount(np.concatenate([first, second]), minlength=ATOMS)

# The same by all pairs and the nearest image, in whole numbers.
whole = (atoms * 256).astype(np.int64)
apart = np.abs(whole[:, None] - whole[None])
apart = np.minimum(apart, int(EDGE * 256) - apart)
want = np.argwhere(np.triu((apart**2).sum(2) <= int(CUTOFF * 256) ** 2, 1))
order = np.lexsort((second, first))
assert np.array_equal(np.stack([first, second], 1)[order], want), "all contacts, each once"
print(f"{len(first)} contacts of {ATOMS} atoms, {across.sum()} of them through a face; {near.sum()} images")

figure, axes = plt.subplots(figsize=(7, 7))
layer = (atoms[:, 2] > 10) & (atoms[:, 2] < 13)
drawn = layer[first] & layer[second]
for i, j, over in zip(first[drawn], second[drawn], across[drawn]):
    step = atoms[j] - atoms[i]
    step -= EDGE * np.round(step / EDGE)
    for start, way in ((atoms[i], step), (atoms[j], -step)):
        line = np.stack([start[:2], start[:2] + way[:2]])
        axes.plot(*line.T, color="#c0392b" if over else "#7f8c8d", lw=0.9, zorder=1)
dots = axes.scatter(*atoms[layer, :2].T, c=degree[layer], cmap="viridis", s=42, edgecolors="white", zorder=2)
axes.add_patch(plt.Rectangle((0, 0), EDGE, EDGE, fill=False, linewidth=1.5))
axes.set(xlim=(-3, EDGE + 3), ylim=(-3, EDGE + 3), aspect="equal")
axes.set_title("A layer of a periodic cell; red: through a face")
figure.colorbar(dots, label="contacts of the atom, all layers", shrink=0.8)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "molecule.png", dpi=110, bbox_inches="tight")
