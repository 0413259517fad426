# SPDX-License-Identifier: MIT
"""The example scripts run, say what they found, and draw a picture."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("ABUT_INCLUDE", Path(__file__).resolve().parents[3] / "include")).parent
EXPECTED = {
    "clash.py": "9 clashes of parts",
    "cull.py": "spheres are seen; the six-plane test keeps",
    "driving.py": "points are in 19 of 21 boxes",
    "molecule.py": "contacts of 1600 atoms, 600 of them through a face",
    "shelf.py": "of 32400 configurations are free",
}


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """A folder where matplotlib keeps its list of fonts, which takes seconds to make."""
    return tmp_path_factory.mktemp("matplotlib")


@pytest.mark.parametrize("script", EXPECTED)
def test_example(script, settings, tmp_path):
    pytest.importorskip("matplotlib")
    path = ROOT / "examples/python" / script
    if not path.exists():
        pytest.skip("a source distribution has no examples")
    environment = {**os.environ, "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(settings)}
    picture = tmp_path / "picture.png"
    done = subprocess.run([sys.executable, path, picture], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert EXPECTED[script] in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10_000
