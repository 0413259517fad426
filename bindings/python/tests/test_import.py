# SPDX-License-Identifier: MIT
"""Importing the module once more changes nothing for what is there, and a subinterpreter is refused."""
import importlib.util
import subprocess
import sys

import pytest

SETUP = """
import warnings
warnings.simplefilter("ignore")
import abut, numpy as np, sys
rows = np.ones((10, 4), np.float32)
old, index, world = abut.Spheres(rows), abut.Index(abut.Spheres(rows)), abut.World()
"""
CHECK = """
assert index.query(old).shape == abut.Index(abut.Spheres(rows)).query(abut.Spheres(rows)).shape == (2, 100)
assert list(world.add(old)) == list(range(10)) and abut.touches(old, abut.Spheres(rows)).all()
for _ in range(500):
    abut.Index(abut.Spheres(np.random.rand(10, 4))).query(old)
"""
AGAIN = SETUP + """
first = sys.modules.pop("abut._abut")
import abut._abut
assert sys.modules["abut._abut"] is not first and first.Batch is sys.modules["abut._abut"].Batch
""" + CHECK
ELSEWHERE = SETUP + """
import {interpreters} as other
number = other.create()
for name in "abut", "abut._abut":
    code = f'''
try:
    import {{name}}
except ImportError as error:
    assert "main interpreter alone" in str(error), error
else:
    raise AssertionError("imported")
'''
    failed = other.run_string(number, code)
    assert not failed, failed
""" + CHECK + """
other.destroy(number)
import gc; gc.collect()
world = abut.World()
""" + CHECK


def run(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_a_module_that_is_loaded_again():
    run(AGAIN)


def test_a_subinterpreter_is_refused_and_changes_nothing():
    for name in "_xxsubinterpreters", "_interpreters":
        if importlib.util.find_spec(name):
            return run(ELSEWHERE.format(interpreters=name))
    pytest.skip("this Python makes no subinterpreters")
