"""How counts on an emulated target go together with times of real boards: correlations, target by target.

The times come from run files of `serbench collect`, and from CSV files with the columns that were published
in 2021, a board each.
"""

import csv
import math
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

import msgspec

from serbench.errors import UserError
from serbench.files import read_regular
from serbench.report.document import Column, Paragraph, Section, Table, TableRow
from serbench.report.pairs import CSV_COLUMNS, Pair, pairs_of
from serbench.results.load import load_run
from serbench.results.schema import Platform, Run

SHIPPED = "published"
"""In place of a path: what this package has, the example run of the comparison of 2021."""
EXAMPLE = "arduinojson-example-board.csv"
RENAMED = {
    **{
        "short int": "obj int",
        "short json": "Msgpack",
        "short null": "obj null",
        "long and mixed": "obj random",
    },
    **{"array strings": "array string", "mixed json.org": "json.org", "mixed json WoT": "WoT"},
    "mixed json Tasmota": "Tasmota",
}
"""Documents of the example run under the names that they have here; its `medium mixed` has none."""
TIMES = CSV_COLUMNS[1:5]
LEAST = 4
"""Values below which a correlation says nothing."""
MOST_BYTES = 1_000_000
ARDUINOJSON = "firmware/arduinojson"

Key = tuple[str, int]
"""A document and which of TIMES."""


class BoardTimes(msgspec.Struct, frozen=True, kw_only=True):
    """The times of one board with one pair of libraries."""

    name: str
    libraries: tuple[str, str] | None
    """The ids of its contenders; None where nothing is said of them: then ArduinoJson, if it was counted."""
    times: dict[Key, float]


def load_board_times(paths: Sequence[str]) -> list[BoardTimes]:
    """The boards in run files, CSV files and folders of these. Raises UserError."""
    found: list[BoardTimes] = []
    for given in paths:
        if given == SHIPPED:
            with as_file(files("serbench.report") / EXAMPLE) as shipped:
                found.append(_from_csv(shipped))
            continue
        path = Path(given)
        inside = sorted(path.glob("*.csv")) if path.is_dir() else [path]
        if not inside:
            raise UserError(f"there is no CSV file in {path}")
        for file in inside:
            found += [_from_csv(file)] if file.suffix == ".csv" else _from_run(file)
    return found


def _from_csv(path: Path) -> BoardTimes:
    try:
        rows = list(csv.DictReader(read_regular(path, MOST_BYTES).decode("utf-8").splitlines()))
        times = {
            (RENAMED.get(row["name"], row["name"]), n): float(row[column])
            for row in rows
            for n, column in enumerate(TIMES)
        }
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no CSV file: {error}") from error
    except KeyError as error:
        raise UserError(f"{path} has no column {error}; it needs name, {', '.join(TIMES)}") from error
    except (TypeError, ValueError) as error:
        raise UserError(f"{path}: a time in it is no number") from error
    if not all(math.isfinite(time) and time > 0 for time in times.values()):
        raise UserError(f"{path}: a time in it is not above 0")
    return BoardTimes(name=path.stem, libraries=None, times=times)


def _from_run(path: Path) -> list[BoardTimes]:
    run = load_run(path)
    found = [
        BoardTimes(
            name=platform.name,
            libraries=group[0].ids,
            times={key: float(value) for key, value in _values(group).items()},
        )
        for platform in run.platforms
        if platform.kind == "board"
        for group in pairs_of(run, platform.name)
    ]
    if not found:
        raise UserError(f"{path} has no times of a real board: ./serbench collect makes such a run file")
    return found


def _values(group: Sequence[Pair]) -> dict[Key, float]:
    """What can be compared: figures above 0, since logarithms are taken."""
    found: dict[Key, float] = {}
    for pair in group:
        for n, value in enumerate(number for both in pair.figures()[:2] for number in both):
            if value is not None and value > 0:
                found[pair.json.dataset, n] = value
    return found


def correlations(runs: Sequence[Run], boards: Sequence[BoardTimes]) -> Section:
    """The table of all targets and boards. Raises UserError if no run has counts of an emulated target."""
    table = Table(
        [
            *(Column(header) for header in ("target", "board", "libraries")),
            *(Column(header, align="right") for header in ("values", "Pearson", "Spearman")),
        ]
    )
    for run in runs:
        for platform in run.platforms:
            groups = pairs_of(run, platform.name)
            if platform.kind != "emulated" or not groups:
                continue
            for board in boards:
                group = _group(groups, board)
                if group is not None:
                    table.rows.append(TableRow(_row(platform, board, group)))
    if not table.rows:
        raise UserError(
            "there is nothing to compare: no run has counts of the libraries that these boards timed"
        )
    says = (
        "Pearson: of the logarithms, so that small documents weigh as much as large ones. A correlation says "
        "that counts and times go up together; it does not make a time of a count."
    )
    return Section("Counts against the times of real boards", [table, Paragraph(says)])


def _group(groups: Sequence[list[Pair]], board: BoardTimes) -> list[Pair] | None:
    """The comparison that the board's times are of."""
    ids = {group[0].ids: group for group in groups}
    if board.libraries is not None:
        return ids.get(board.libraries)
    return ids.get((ARDUINOJSON, ARDUINOJSON), groups[0])


def _row(platform: Platform, board: BoardTimes, group: Sequence[Pair]) -> list[str | None]:
    counted = _values(group)
    keys = [key for key in counted if key in board.times]
    row = [platform.name, board.name, group[0].names, str(len(keys))]
    x, y = [counted[key] for key in keys], [board.times[key] for key in keys]
    if len(keys) < LEAST or len(set(x)) < 2 or len(set(y)) < 2:
        return [*row, None, None]
    from scipy import stats  # which takes longer to load than all of serbench

    pearson = stats.pearsonr([math.log(value) for value in x], [math.log(value) for value in y])
    spearman = stats.spearmanr(x, y)
    return [*row, f"{pearson.statistic:.3f}", f"{spearman.statistic:.3f}"]
