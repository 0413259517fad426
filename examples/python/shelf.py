# SPDX-License-Identifier: MIT
"""Which configurations of an arm of two joints are free of a shelf? usage: shelf.py [PICTURE.png]

The arm is twelve spheres; the shelf is boxes. One call asks about the spheres of all 32,400 configurations.
"""
import sys

import matplotlib.pyplot as plt
import numpy as np

import abut

STEPS, SPHERES = 180, 12
angles = np.linspace(-np.pi, np.pi, STEPS, endpoint=False)
first, second = (grid.ravel() for grid in np.meshgrid(angles, angles, indexing="ij"))

# Spheres along both links, each of length 1: centres of shape (configurations, spheres, 3).
along = (np.arange(SPHERES // 2) + 0.5) / (SPHERES // 2)
link = lambda angle: np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], -1)[:, None]
upper = link(first) * along[:, None]
lower = link(first) + link(first + second) * along[:, None]
centers = np.concatenate([upper, lower], 1)
radius = 0.08

boards = [(0.9, y, -0.5, 1.7, y + 0.06, 0.5) for y in (-0.8, -0.2, 0.4, 1.0)]
shelf = abut.AABBs(np.array(boards + [(1.7, -0.8, -0.5, 1.76, 1.06, 0.5)]))
hits = abut.Index(shelf).any(abut.Spheres(centers.reshape(-1, 3), radius)).reshape(-1, SPHERES)
collides = hits.any(1)
assert 0 < collides.sum() < len(collides)
print(f"{(~collides).sum()} of {len(collides)} configurations are free")

figure, (map_axes, axes) = plt.subplots(1, 2, figsize=(11, 5))
degrees = np.degrees(angles[[0, -1]])
map_axes.imshow(collides.reshape(STEPS, STEPS).T, origin="lower", extent=[*degrees, *degrees], cmap="Greys")
map_axes.set(xlabel="first joint (degrees)", ylabel="second joint (degrees)")
map_axes.set_title("Configurations; black ones touch the shelf")
for box in shelf.bounds:
    axes.add_patch(plt.Rectangle(box[:2], *(box[3:5] - box[:2]), color="#8a6d3b"))
for angle, bend, in ((0.1, 0.05), (-0.3, 0.9), (1.2, -1.0)):
    chosen = np.argmin(np.abs(first - angle) + np.abs(second - bend))
    for (x, y, _), hit in zip(centers[chosen], hits[chosen]):
        axes.add_patch(plt.Circle((x, y), radius, color="#c0392b" if hit else "#2a9d5c"))
axes.set(xlim=(-0.4, 2.1), ylim=(-1.1, 1.7), aspect="equal", title="Three of them: spheres that touch are red")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "shelf.png", dpi=110, bbox_inches="tight")
