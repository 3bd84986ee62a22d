"""What differs between two runs apart from what was measured."""

from serbench.report import text
from serbench.results.counts import roundtrips
from serbench.results.revision import name_of
from serbench.results.schema import RowRecord, Run

Key = tuple[str, str, str, str, str, str, str]
"""Test, variant, dataset, profile, compiler, allocator, platform: what two rows that are compared share."""


def key_of(row: RowRecord) -> Key:
    """Return what `row` shares with the rows that it is compared with."""
    return (row.test, row.variant, row.dataset, row.profile, row.toolchain, row.allocator, row.platform)


def data_of(row: RowRecord) -> tuple[str, float | None]:
    """Return what tells whether two rows of microcontrollers were measured on the same data."""
    return (row.content_hash, row.metrics.get("input_bytes"))


def machine_differences(old: Run, new: Run) -> list[tuple[str, str]]:
    """Return what describes the machine, and how it differs; empty where it does not."""
    return [
        (what, _change(getattr(old.machine, name), getattr(new.machine, name)))
        for what, name in (
            ("processor", "cpu"),
            ("architecture", "architecture"),
            ("number of processors", "cores"),
            ("hypervisor", "virtual"),
        )
    ]


def _change(before: object, after: object) -> str:
    return "" if before == after else f"{before or 'none'}, now {after or 'none'}"


def differences(old: Run, new: Run) -> list[str]:
    """Return sentences on all that differs between two runs apart from what was measured."""
    said = [f"Different {what}: {change}." for what, change in machine_differences(old, new) if change]
    for what, name in (("system", "system"), ("kernel", "kernel"), ("frequency governor", "governor")):
        change = _change(getattr(old.machine, name), getattr(new.machine, name))
        said += [f"Different {what}: {change}."] if change else []
    libraries = old.machine.libc, new.machine.libc
    if all(libraries) and _change(*libraries):  # older files do not name it
        said.append(f"Different C library: {_change(*libraries)}.")
    turbos = old.machine.turbo, new.machine.turbo
    if None not in turbos and turbos[0] != turbos[1]:
        said.append(f"Different turbo: {_on(turbos[0])}, now {_on(turbos[1])}.")
    for kind in ("compilers", "allocators"):
        before, after = getattr(old.machine, kind), getattr(new.machine, kind)
        for name in sorted(before.keys() | after.keys()):
            change = _change(before.get(name), after.get(name))
            said += [f"Different {name} {kind[:-1]}: {change}."] if change else []
    said += _own_differences(old, new)
    for name in ("precision", "chunk_ns", "warmup_ns", "seconds_per_launch", "fragment"):
        change = _change(str(getattr(old.settings, name)), str(getattr(new.settings, name)))
        said += [f"Different setting {name}: {change}."] if change else []
    return said + _platform_differences(old, new) + _data_differences(old, new) + _row_differences(old, new)


def _on(turbo: bool | None) -> str:
    return "on" if turbo else "off"


def _own_differences(old: Run, new: Run) -> list[str]:
    """Other sources of serbench measure otherwise, perhaps; a commit that changes none of them does not."""
    if old.serbench != new.serbench:
        return [f"Different serbench: {_change(old.serbench, new.serbench)}."]
    before, after = old.revision, new.revision
    if before is None or after is None or before.sources == after.sources:
        return []
    return [f"Different revision of serbench: {_change(name_of(before), name_of(after))}."]


def _platform_differences(old: Run, new: Run) -> list[str]:
    """Counts of two platforms are never compared; on one platform its tools may be others."""
    before, after = ({platform.name: platform for platform in run.platforms} for run in (old, new))
    said = []
    if before.keys() != after.keys():
        here = "this machine"
        was, now = (", ".join(sorted(platforms)) or here for platforms in (before, after))
        said.append(f"Different platforms: {was}, now {now}; the counts of two platforms are not compared.")
    for name in sorted(before.keys() & after.keys()):
        for what in ("compiler", "flags", "emulator", "core"):
            change = _change(getattr(before[name], what), getattr(after[name], what))
            said += [f"{name}: different {what}: {change}."] if change else []
    return [text.visible(sentence) for sentence in said]


def _data_differences(old: Run, new: Run) -> list[str]:
    said: list[str] = []
    before = {dataset.name: dataset for dataset in old.datasets}
    for after in new.datasets:
        was = before.get(after.name)
        if was is None:
            continue
        if was.tape_sha256 != after.tape_sha256:
            said.append(f"Different data under the name {after.name}: its rows are not compared.")
            continue
        for name in sorted(was.encodings.keys() & after.encodings.keys()):
            if was.encodings[name].hash != after.encodings[name].hash:
                said.append(f"Different {name} input of {after.name}: its readers read other bytes.")
    counted = {(row.row, key_of(row)): row for row in roundtrips(old) if row.status == "ok"}
    for row in roundtrips(new):
        same = counted.get((row.row, key_of(row)))
        if same is not None and row.status == "ok" and data_of(same) != data_of(row):
            said.append(f"Different data under the name {row.dataset}: its counts are not compared.")
    said = [text.visible(sentence) for sentence in dict.fromkeys(said)]
    return said


def _row_differences(old: Run, new: Run) -> list[str]:
    before = {(row.row, key_of(row)): row for row in old.rows}
    said: dict[str, None] = {}
    for after in new.rows:
        was = before.get((after.row, key_of(after)))
        for what in ("library_version", "origin", "flags", "compiler"):
            change = _change(getattr(was, what, ""), getattr(after, what, "")) if was is not None else ""
            if change:
                said[f"{after.contender}: different {what.replace('_', ' ')}: {change}."] = None
    return [text.visible(sentence) for sentence in said]
