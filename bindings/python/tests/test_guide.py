# SPDX-License-Identifier: MIT
"""The lines of the guide print what it says."""
import doctest
import os
from pathlib import Path

import pytest

GUIDE = Path(os.environ.get("ABUT_INCLUDE", Path(__file__).resolve().parents[3] / "include")).parent / "docs/python.md"


@pytest.mark.skipif(not GUIDE.exists(), reason="a source distribution has no docs")
def test_guide():
    result = doctest.testfile(str(GUIDE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 20 and result.failed == 0
