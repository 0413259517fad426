# SPDX-License-Identifier: MIT
"""Shapes for the tests: on a grid, so that many pairs just touch; and a few invalid ones."""
import numpy as np

import abut

PLANES = 6


def vectors(rng, n, size):
    return rng.integers(-size, size + 1, (n, 3)).astype(np.float32)


def sizes(rng, n, most=3):
    return rng.integers(0, most + 1, n).astype(np.float32)


def obbs(rng, n, size):
    """Boxes with axes along the coordinates, or turned by 45 degrees in a plane and rounded."""
    half = np.float32(np.sqrt(0.5))
    turned = np.array([[half, half, 0], [-half, half, 0], [0, 0, 1]], np.float32)
    axes = np.where((np.arange(n) % 2 == 0)[:, None, None], np.eye(3, dtype=np.float32), turned)
    return np.concatenate([vectors(rng, n, size), vectors(rng, n, 2) ** 2, axes.reshape(n, 9)], 1)


def planes(rng, n, size):
    """Planes of boxes, six a box, with integer normals of any length."""
    normals = np.repeat(rng.integers(1, 3, (n, 1, 3)).astype(np.float32), 6, 1)
    normals *= np.concatenate([np.eye(3), -np.eye(3)])[None]
    return np.concatenate([normals, -rng.integers(0, size + 1, (n, 6, 1))], 2).reshape(-1, 4).astype(np.float32)


def rows(plural, rng, n, size=6):
    """Rows of a shape, n of them; of hulls, n times six planes."""
    v = lambda: vectors(rng, n, size)
    if plural == "points":
        return v()
    if plural == "spheres":
        return np.column_stack([v(), sizes(rng, n)])
    if plural == "aabbs":
        low = v()
        return np.concatenate([low, low + sizes(rng, 3 * n).reshape(n, 3)], 1)
    if plural == "planes":
        return np.column_stack([vectors(rng, n, 2), vectors(rng, n, size)[:, 0]])
    if plural == "obbs":
        return obbs(rng, n, size)
    if plural == "segments":
        return np.concatenate([v(), v()], 1)
    if plural == "capsules":
        return np.column_stack([v(), v(), sizes(rng, n)])
    if plural == "triangles":
        return np.concatenate([v(), v(), v()], 1)
    return planes(rng, n, size)


def make(cls, array):
    """Shapes of rows that rows() made."""
    if cls is abut.Hulls:
        return cls(array, np.arange(0, len(array) + 1, PLANES))
    return cls(array)
