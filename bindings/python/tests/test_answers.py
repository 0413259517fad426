# SPDX-License-Identifier: MIT
"""Every predicate of the exported table gives the C library's bits: a test made from the table."""
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import scenes

import abut

N = 300
FUNCTIONS = {abut.Relation.TOUCHES: abut.touches, abut.Relation.INSIDE: abut.inside, abut.Relation.CULL: abut.cull}
# Shapes without an inside: under the open rule they never touch.
NEVER_OPEN = {"segment_segment", "point_in_segment", "point_in_triangle"}
KINDS = [abut.Points, abut.Spheres, abut.AABBs, abut.Planes, abut.OBBs, abut.Segments, abut.Capsules, abut.Triangles,
         abut.Hulls]
SLOW = {f"{shape}_hull" for shape in ("segment", "capsule", "triangle", "aabb", "obb")}


@pytest.fixture(scope="session")
def answers(tmp_path_factory):
    """The program answers.c, linked with the C library that ABUT_LIBRARY names."""
    library = os.environ.get("ABUT_LIBRARY")
    if not library:
        pytest.skip("ABUT_LIBRARY names no libabut.a")
    source = Path(__file__).with_name("answers.c")
    include = os.environ.get("ABUT_INCLUDE", Path(__file__).resolve().parents[3] / "include")
    program = tmp_path_factory.mktemp("answers") / "answers"
    flags = os.environ.get("ABUT_CFLAGS", "").split()
    subprocess.run(["cc", "-std=c11", *flags, f"-I{include}", source, library, "-lm", "-o", program], check=True)
    return program


def c_answers(program, predicate, a, b, na, nb, touch):
    """Bits of abut_test, abut_test_exactly and abut_test_all."""
    kinds = KINDS.index(predicate.a), KINDS.index(predicate.b)
    head = f"{predicate.relation} {kinds[0]} {na} {kinds[1]} {nb} {int(touch)}\n"
    raw = head.encode() + np.ascontiguousarray(a.T).tobytes() + np.ascontiguousarray(b.T).tobytes()
    out = subprocess.run([program], input=raw, stdout=subprocess.PIPE, check=True).stdout
    words = (max(na, nb) + 63) // 64
    bits = np.frombuffer(out, np.uint64)
    return bits[:words], bits[words : 2 * words], bits[2 * words :]


def test_table_names_every_shape():
    table = abut.predicates()
    assert len(table) >= 23
    assert {p.a for p in table} | {p.b for p in table} == set(KINDS)
    assert len({p.name for p in table}) == len(table)


@pytest.mark.parametrize("predicate", abut.predicates(), ids=lambda p: p.name)
@pytest.mark.parametrize("touch", ["closed", "open"])
def test_bits_of_c(predicate, touch, answers, rng):
    # Few shapes are inside of others; exact answers about corners and hulls take long.
    n = 1000 if predicate.relation == abut.Relation.INSIDE else 150 if predicate.name in SLOW else 500
    a, b = (scenes.rows(cls.plural, rng, n, size=3) for cls in (predicate.a, predicate.b))
    a[5], b[7] = np.nan, -1
    shapes = scenes.make(predicate.a, a), scenes.make(predicate.b, b)
    want, exact, want_all = c_answers(answers, predicate, a, b, n, n, touch == "open")
    test = FUNCTIONS[predicate.relation]
    assert np.array_equal(test(*shapes, touch=touch, packed=True), want)
    assert np.array_equal(want, exact)
    assert np.array_equal(test(*shapes, touch=touch, packed=True, all=True).ravel(), want_all)
    bits = np.unpackbits(want.view(np.uint8), bitorder="little", count=n).astype(bool)
    never = touch == "open" and predicate.name in NEVER_OPEN
    assert want_all.any() != never and not bits.all(), "a scene that could tell nothing"
    assert np.array_equal(test(*shapes, touch=touch), bits)
    assert np.array_equal(np.diag(test(*shapes, touch=touch, all=True)), bits)


@pytest.mark.parametrize("predicate", [p for p in abut.predicates() if p.query_a or p.query_b], ids=lambda p: p.name)
@pytest.mark.parametrize("touch", ["closed", "open"])
def test_index_finds_what_touches(predicate, touch, rng):
    a, b = (scenes.make(cls, scenes.rows(cls.plural, rng, N)) for cls in (predicate.a, predicate.b))
    hits = FUNCTIONS[predicate.relation](a, b, all=True, touch=touch)
    # A point touches what it is inside of.
    asked = "touches" if predicate.a is abut.Points else predicate.relation.name.lower()
    ways = [(b, a, hits)] if predicate.query_a else []
    ways += [(a, b, hits.T)] if predicate.query_b else []
    for items, queries, hits in ways:
        index = abut.Index(items, skip_invalid=True)
        want = np.argwhere(hits).T
        options = dict(predicate=asked, touch=touch)
        got = index.query(queries, **options)
        assert got.dtype == np.intp and np.array_equal(got, want)
        assert (want.shape[1] > 0) != (touch == "open" and predicate.name in NEVER_OPEN)
        assert np.array_equal(index.query(queries, workers=3, **options), want)
        joined = index.join(queries, **options)
        assert np.array_equal(joined[np.lexsort((joined[:, 1], joined[:, 0]))].T, want)
        offsets, indices = index.rows(queries, **options)
        assert np.array_equal(indices, want[1]) and np.array_equal(np.diff(offsets), hits.sum(1))
        assert np.array_equal(index.counts(queries, **options), hits.sum(1))
        assert np.array_equal(index.any(queries, **options), hits.any(1))


@pytest.mark.parametrize("predicate", [p for p in abut.predicates() if p.self_pairs], ids=lambda p: p.name)
def test_self_pairs(predicate, rng):
    items = scenes.make(predicate.a, scenes.rows(predicate.a.plural, rng, N))
    hits = np.triu(FUNCTIONS[predicate.relation](items, items, all=True), 1)
    assert np.array_equal(abut.Index(items, skip_invalid=True).self_pairs(), np.argwhere(hits).T)
