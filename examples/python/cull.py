# SPDX-License-Identifier: MIT
"""What a camera sees of 600 spheres, and what the usual six-plane test keeps besides. usage: cull.py [PICTURE.png]"""
import sys

import matplotlib.pyplot as plt
import numpy as np

import abut

rng = np.random.default_rng(3)
centers = np.column_stack([rng.random((600, 2)) * 40 - 20, np.zeros(600)])
radii = rng.random(600) ** 2 * 3 + 0.1
spheres = abut.Spheres(centers, radii)
camera = abut.Frustum.from_camera(eye=(-6, -4, 0), direction=(1, 0.5, 0), fov=24, aspect=1.5, near=0, far=14)

seen = abut.touches(spheres, camera)
kept = abut.cull(spheres, camera)
assert not (seen & ~kept).any(), "culling never drops what is seen"
print(f"{seen.sum()} spheres are seen; the six-plane test keeps {(kept & ~seen).sum()} more")

figure, axes = plt.subplots(figsize=(7, 7))
groups = (~kept, "#d0d0d0", "dropped"), (seen, "#2a9d5c", "seen"), (kept & ~seen, "#e07b00", "kept in vain")
for chosen, colour, text in groups:
    for (x, y, _), r in zip(centers[chosen], radii[chosen]):
        axes.add_patch(plt.Circle((x, y), r, facecolor=colour, edgecolor="white", linewidth=0.4, alpha=0.85))
    axes.scatter([], [], color=colour, label=f"{text}: {chosen.sum()}")
axes.set(xlim=(-21, 21), ylim=(-21, 21), aspect="equal", title="Spheres and a camera's frustum, from above")
axes.legend(loc="upper right")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "cull.png", dpi=110, bbox_inches="tight")
