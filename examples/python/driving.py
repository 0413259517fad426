# SPDX-License-Identifier: MIT
"""Which points of a laser scan belong to which boxes of a driving scene? usage: driving.py [PICTURE.png]

The scene is a street with parked cars as oriented boxes; the scan is made here, by casting rays at the boxes. One call
finds the points of every box, and one finds the points that a slightly larger box would take besides.
"""
import sys

import matplotlib.pyplot as plt
import numpy as np

import abut

rng = np.random.default_rng(5)
SENSOR, GROUND, MARGIN = np.array([0.0, 0.0, 1.8]), 0.0, 0.3

# Cars at both sides of the street, a bus, and two that cross: centre, half extents, and the angle of each.
rows = [(x, side * 4.2, 0.8, 2.2, 0.9, 0.78, rng.normal(0, 0.04)) for side in (-1, 1) for x in range(-36, 37, 9)]
rows += [(17, 1.2, 1.6, 5.5, 1.25, 1.55, 0.05)]
rows += [(-14, 0.5, 0.8, 2.2, 0.9, 0.78, 1.2), (6, -1, 0.8, 2.1, 0.9, 0.78, -0.5)]
rows = np.array(rows)
center, half, angle = rows[:, :3], rows[:, 3:6], rows[:, 6]
zero, one = np.zeros_like(angle), np.ones_like(angle)
axes = np.array([[np.cos(angle), np.sin(angle), zero], [-np.sin(angle), np.cos(angle), zero], [zero, zero, one]])
axes = axes.transpose(2, 0, 1)

# 48 rings of 1,500 rays: the first surface on each ray, a box (by its slabs) or the ground.
heights, turns = np.meshgrid(np.radians(np.linspace(-24, 3, 48)), np.linspace(0, 2 * np.pi, 1500), indexing="ij")
rays = np.stack([np.cos(heights) * np.cos(turns), np.cos(heights) * np.sin(turns), np.sin(heights)], -1).reshape(-1, 3)
with np.errstate(divide="ignore", invalid="ignore"):
    reach = np.where(rays[:, 2] < 0, (GROUND - SENSOR[2]) / rays[:, 2], np.inf)
    for c, h, a in zip(center, half, axes):
        ends = np.stack([(s * h - a @ (SENSOR - c)) / (rays @ a.T) for s in (-1, 1)])
        enter, leave = ends.min(0).max(1), ends.max(0).min(1)
        reach = np.where((enter > 0) & (enter <= leave), np.minimum(reach, enter), reach)
seen = reach < 60
cloud = SENSOR + rays[seen] * (reach[seen] + rng.normal(0, 0.02, seen.sum()))[:, None]

points = abut.Points(cloud)
index = abut.Index(points)
boxes = abut.OBBs(center, half + 0.06, axes)
of_box, of_point = index.query(boxes)  # box and point of every pair
counts = index.counts(boxes)
wider = index.counts(abut.OBBs(center, half + 0.06 + MARGIN, axes))
label = np.full(len(cloud), -1)
label[of_point] = of_box
assert (wider >= counts).all() and counts.sum() == len(of_point)
print(f"{len(of_point)} of {len(cloud)} points are in {np.count_nonzero(counts)} of {len(boxes)} boxes")
print(f"boxes wider by {MARGIN} m would hold {(wider - counts).sum()} more, mostly of the street")

figure, view = plt.subplots(figsize=(11, 5.5))
free = label < 0
view.scatter(*cloud[free, :2].T, s=0.3, color="#b8b8b8", linewidths=0)
view.scatter(*cloud[~free, :2].T, s=1.2, c=plt.cm.tab10(label[~free] % 10), linewidths=0)
for c, h, a, n in zip(center, half, axes, counts):
    corners = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1], [1, 1]]) * h[:2] @ a[:2, :2] + c[:2]
    view.plot(*corners.T, color="black", linewidth=0.8)
    view.annotate(str(n), c[:2], ha="center", va="center", fontsize=7, bbox=dict(fc="white", ec="none", pad=0.6))
view.plot(*SENSOR[:2], marker="*", color="black", markersize=10)
view.set(xlim=(-41, 41), ylim=(-13, 13), aspect="equal")
view.set_title("A laser scan from above: the points of each box, counted")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "driving.png", dpi=110, bbox_inches="tight")
