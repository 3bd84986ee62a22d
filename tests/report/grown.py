"""A synthetic growth run: libraries whose times and ratios to JSON are known at every size."""

import random
import re
from collections.abc import Sequence

from serbench.datasets.records import DatasetRecord, Encoding
from serbench.results.schema import RowRecord, Run
from tests.results.builder import MACHINE, row, samples, settings

SIZES = (0.1, 0.53, 1.99, 10.4, 39.8, 97.0, 190.0, 371.0)
NS_PER_MB = 9e6
BASELINE = 0.1
"""A part of JSON's net time."""
LIBRARIES: dict[tuple[str, str, str], float] = {
    ("json", "JSON", "JSON"): 1.0,
    ("avsc", "avsc", "Avro"): 0.15,
    ("js-binary", "js-binary", "js-binary"): 0.4,
    ("bson", "bson", "BSON"): 1.3,
    ("protobufjs", "protobufjs", "Protocol Buffers"): 0.27,
    ("pbf", "pbf", "Protocol Buffers"): 0.12,
    ("google-protobuf", "google-protobuf", "Protocol Buffers"): 4.8,
    ("protons", "protons", "Protocol Buffers"): 0.9,
    ("protons-1", "protons 1.2", "Protocol Buffers"): 20.0,
}
UNMAPPED = {
    ("json", "JSON", "JSON"): 0.7,
    ("avsc-unmapped", "avsc unmapped", "Avro"): 0.2,
    ("bson", "bson", "BSON"): 1.2,
}
PARTS = {"JSON": 1.0, "Avro": 0.323, "js-binary": 0.323, "BSON": 0.788, "Protocol Buffers": 0.418}
"""Parts of the bytes of mapped JSON, by format."""
UNMAPPED_PARTS = {"JSON": 0.772, "Avro": 0.494, "BSON": 0.79}
PARTS_OF = (PARTS, UNMAPPED_PARTS)
ENDS_AT = {"protons-1": 10.4, "google-protobuf": 97.0}
"""Where a row was left out of larger sizes."""


def growth_run(
    sizes: Sequence[float] = SIZES,
    launches: int = 3,
    shapes: Sequence[str] = ("",),
    libraries: dict[tuple[str, str, str], float] = LIBRARIES,
    unmapped: dict[tuple[str, str, str], float] = UNMAPPED,
) -> Run:
    """A run of `sizes`: `libraries` on maps, and `unmapped` on arrays where `shapes` has `unmapped`."""
    source = random.Random(len(sizes))
    run = Run(
        serbench="0.1.0",
        id="growing",
        started="2024-05-01T10:00:00+00:00",
        finished="2024-05-01T10:08:00+00:00",
        complete=True,
        seconds=480.0,
        machine=MACHINE,
        settings=settings(growth=True, launches=launches, max_launches=launches, budget_seconds=500.0),
        notes=["From 39.8 MB on javascript/protons-1:tree on records left out: the budget has no room."],
    )
    for megabytes in sizes:
        for shape in shapes:
            name = f"records:{megabytes:g}" + (f":{shape}" if shape else "")
            size = round(megabytes * 2**20)
            run.datasets.append(
                DatasetRecord(
                    name=name,
                    tape_sha256="00" * 32,
                    content_hash="0075ff81",
                    exact_hash="1175ff81",
                    nodes=size // 13,
                    depth=3,
                    encodings={"json": Encoding(bytes=size, hash="0075ff81")},
                )
            )
            for test in ("write", "tree"):
                _group(run, test, name, megabytes, unmapped if shape else libraries, launches, source)
    return run


def _group(
    run: Run,
    test: str,
    dataset: str,
    megabytes: float,
    libraries: dict[tuple[str, str, str], float],
    launches: int,
    source: random.Random,
) -> None:
    common = {"language": "javascript", "language_name": "JavaScript", "harness": "javascript"}
    json = NS_PER_MB * megabytes
    baseline = row(len(run.rows), "baseline", test, role="baseline", dataset=dataset, **common)
    run.rows.append(baseline)
    run.samples += samples(baseline, json * BASELINE, source, range(launches), 0.02)
    for (folder, name, format_name), ratio in libraries.items():
        if megabytes > ENDS_AT.get(folder, 1e9):
            continue
        record = row(
            len(run.rows),
            name,
            test,
            row=f"javascript/{folder}:{test}",
            contender_id=f"javascript/{folder}",
            format=format_name.lower(),
            format_name=format_name,
            dataset=dataset,
            bytes=round(PARTS_OF[dataset.count(":") > 1].get(format_name, 0.5) * megabytes * 2**20),
            origin=f"npm {re.sub('-(unmapped|optional|inferred|json)$', '', folder)}",
            statistic="mean",
            **common,
        )
        run.rows.append(record)
        run.samples += samples(record, json * (ratio + BASELINE), source, range(launches), 0.03)


def give_net_time(record: RowRecord, run: Run, part: float, launches: int = 3) -> None:
    """Make the net time of a row such a part of JSON's: a small one is hidden by its scatter of 3 %."""
    megabytes = float(record.dataset.split(":")[1])
    time = NS_PER_MB * megabytes * (BASELINE + part)
    run.samples = [sample for sample in run.samples if sample.row != record.id]
    run.samples += samples(record, time, random.Random(record.id), range(launches), 0.03)
