"""What differs between two runs apart from what was measured."""

from serbench import text
from serbench.results.revision import name_of
from serbench.results.schema import RowRecord, Run

Key = tuple[str, str, str, str, str, str, str, str]
"""Test, variant, dataset, profile, compiler, allocator, level, platform: what compared rows share."""


def key_of(row: RowRecord) -> Key:
    """Return what `row` shares with the rows that it is compared with."""
    built = (row.profile, row.toolchain, row.allocator, row.level)
    return (row.test, row.variant, row.dataset, *built, row.platform)


def data_of(row: RowRecord) -> tuple[str, float | None] | None:
    """Return what tells whether two rows with metrics were measured on the same data; None for other rows."""
    return (row.content_hash, row.metrics.get("input_bytes")) if row.metrics else None


MACHINE = {
    "cpu": "processor",
    "architecture": "architecture",
    "cores": "number of processors",
    "virtual": "hypervisor",
}
"""What must be the same for times to be compared: fields of a Machine, and what they are called."""
SYSTEM = {"system": "system", "kernel": "kernel", "governor": "frequency governor"}
SETTINGS = ("precision", "chunk_ns", "warmup_ns", "seconds_per_launch", "fragment")


def machine_differences(old: Run, new: Run) -> list[tuple[str, str]]:
    """Return what describes the machine, and how it differs; empty where it does not."""
    return [
        (what, _change(getattr(old.machine, name), getattr(new.machine, name)))
        for name, what in MACHINE.items()
    ]


def _change(before: object, after: object) -> str:
    return "" if before == after else f"{before or 'none'}, now {after or 'none'}"


def differences(old: Run, new: Run) -> list[str]:
    """Return sentences on all that differs between two runs apart from what was measured."""
    was, now = old.machine, new.machine
    found = machine_differences(old, new)
    found += [(what, _change(getattr(was, name), getattr(now, name))) for name, what in SYSTEM.items()]
    if was.libc and now.libc:  # older files do not name it
        found.append(("C library", _change(was.libc, now.libc)))
    if was.turbo is not None and now.turbo is not None:
        found.append(("turbo", _change(*("on" if each else "off" for each in (was.turbo, now.turbo)))))
    for kind in ("compilers", "allocators"):
        before, after = getattr(was, kind), getattr(now, kind)
        names = sorted(before.keys() | after.keys())
        found += [(f"{name} {kind[:-1]}", _change(before.get(name), after.get(name))) for name in names]
    found += _own_differences(old, new)
    for name in SETTINGS:
        change = _change(str(getattr(old.settings, name)), str(getattr(new.settings, name)))
        found.append((f"setting {name}", change))
    said = [f"Different {what}: {change}." for what, change in found if change]
    return said + _platform_differences(old, new) + _data_differences(old, new) + _row_differences(old, new)


def _own_differences(old: Run, new: Run) -> list[tuple[str, str]]:
    """Other sources of serbench measure otherwise, perhaps; a commit that changes none of them does not."""
    if old.serbench != new.serbench:
        return [("serbench", _change(old.serbench, new.serbench))]
    before, after = old.revision, new.revision
    if before is None or after is None or before.sources == after.sources:
        return []
    return [("revision of serbench", _change(name_of(before), name_of(after)))]


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
    counted = {(row.row, key_of(row)): row for row in old.rows if row.status == "ok"}
    for row in new.rows:
        same = counted.get((row.row, key_of(row)))
        if same is not None and row.status == "ok" and data_of(same) != data_of(row):
            said.append(f"Different data under the name {row.dataset}: its counts are not compared.")
    return [text.visible(sentence) for sentence in dict.fromkeys(said)]


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
