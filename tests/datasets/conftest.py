"""The dataset tool, compiled with the sanitizers once per session."""

from pathlib import Path

import pytest

from tests.datasets.tool import DatasetTool, compile_tool


@pytest.fixture(scope="session")
def dataset_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of the tool, built with the sanitizers."""
    return compile_tool(tmp_path_factory.mktemp("dataset-tool"))


@pytest.fixture
def dataset_tool(dataset_program: Path, tmp_path: Path) -> DatasetTool:
    """The tool with a folder of its own."""
    return DatasetTool(dataset_program, tmp_path)
