"""The dataset tool, compiled with the sanitizers."""

from pathlib import Path

import pytest

from tests.compiled import compiled
from tests.datasets.tool import FLAGS, SOURCES, DatasetTool, compile_tool


@pytest.fixture(scope="session")
def dataset_program() -> Path:
    """The path of the tool, built with the sanitizers."""
    return compiled(compile_tool, [*FLAGS, *SOURCES])


@pytest.fixture
def dataset_tool(dataset_program: Path, tmp_path: Path) -> DatasetTool:
    """The tool with a folder of its own."""
    return DatasetTool(dataset_program, tmp_path)
