# SPDX-License-Identifier: MIT
"""Prints the seed of the tests, and takes another from ABUT_SEED."""
import os

import numpy as np
import pytest

SEED = int(os.environ.get("ABUT_SEED", "1"))


def pytest_report_header():
    return f"seed {SEED} (ABUT_SEED)"


@pytest.fixture
def rng():
    return np.random.default_rng(SEED)
