# SPDX-License-Identifier: MIT
"""Where do the pipes of a building run into its beams? A clash list of two meshes. usage: clash.py [PICTURE.png]

Each mesh is an array of vertices and an array of faces, as trimesh has them, with the number of a part for each face.
One call finds all pairs of triangles that have a point in common; parts are listed with where they meet.
"""
import sys

import matplotlib.pyplot as plt
import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

import abut


def beam(low, high):
    """Vertices and faces of a box."""
    corners = np.array([[(low, high)[i >> k & 1][k] for k in range(3)] for i in range(8)], float)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))])


def pipe(start, end, radius, sides=24, lengths=30):
    """Vertices and faces of a pipe without ends."""
    start, end = np.array(start, float), np.array(end, float)
    way = (end - start) / np.linalg.norm(end - start)
    u = np.cross(way, (0, 0, 1))
    u /= np.linalg.norm(u)
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)[:, None]
    ring = radius * (np.cos(turn) * u + np.sin(turn) * np.cross(way, u))
    vertices = (np.linspace(start, end, lengths + 1)[:, None] + ring).reshape(-1, 3)
    at = np.arange(lengths * sides)
    beside = at - at % sides + (at + 1) % sides
    return vertices, np.concatenate([np.stack([at, beside, at + sides], 1),
                                     np.stack([beside, beside + sides, at + sides], 1)])


def together(parts):
    """One mesh of many parts: vertices, faces, and the part of each face."""
    firsts = np.cumsum([0] + [len(vertices) for vertices, _ in parts])
    faces = [faces + first for (_, faces), first in zip(parts, firsts)]
    number = np.repeat(np.arange(len(parts)), [len(f) for f in faces])
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces), number


beams = together([beam((x, 0, 2.6), (x + 0.3, 6, 3)) for x in range(0, 9, 2)] + [beam((0, 3, 3), (8.3, 3.2, 3.3))])
pipes = together([
    pipe((-0.5, 1, 2.3), (8.8, 1, 2.3), 0.2),       # below all beams
    pipe((-0.5, 2, 2.5), (8.8, 2.4, 2.9), 0.15),    # rises into the last ones
    pipe((3.2, -0.5, 2.8), (3.2, 6.5, 2.8), 0.25),  # between two beams, below the third
    pipe((0.6, 4.6, 2.35), (8.8, 4.2, 3.6), 0.12),  # through one, and over the others
    pipe((5.2, -0.5, 3.2), (5.0, 6.5, 3.2), 0.18),  # above the beams, through the one that crosses them
])
triangles = [abut.Triangles(vertices[faces]) for vertices, faces, _ in (beams, pipes)]
of_pipes, of_beams = abut.Index(triangles[0]).query(triangles[1])

parts = np.stack([pipes[2][of_pipes], beams[2][of_beams]], 1)
clashes, which, counts = np.unique(parts, axis=0, return_inverse=True, return_counts=True)
centres = pipes[0][pipes[1][of_pipes]].mean(1)
print(f"{len(of_pipes)} pairs of triangles, {len(clashes)} clashes of parts:")
for number, ((p, b), count) in enumerate(zip(clashes, counts)):
    x, y, z = centres[which == number].mean(0)
    print(f"  pipe {p} with beam {b}: {count} pairs of triangles, about ({x:.2f}, {y:.2f}, {z:.2f})")
assert 0 not in clashes[:, 0], "the first pipe is free"

figure = plt.figure(figsize=(10, 6))
axes = figure.add_subplot(projection="3d", computed_zorder=False)
hit = np.isin(np.arange(len(pipes[1])), of_pipes)
for (vertices, faces, _), colour, some in ((beams, "#d8c8a8", slice(None)), (pipes, "#5b8db8", ~hit)):
    style = dict(facecolor=colour, edgecolor="#00000020", lw=0.3, alpha=0.55)
    axes.add_collection3d(Poly3DCollection(vertices[faces[some]], **style))
axes.add_collection3d(Poly3DCollection(pipes[0][pipes[1][hit]], facecolor="#d62728", edgecolor="none"))
axes.set(xlim=(0, 8.5), ylim=(0, 6), zlim=(1.5, 4))
axes.set_title(f"{len(clashes)} clashes of pipes and beams; red triangles touch a beam")
axes.set_box_aspect((8.5, 6, 2.5))
axes.view_init(32, -72)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "clash.png", dpi=110, bbox_inches="tight")
