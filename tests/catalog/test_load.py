def test_what_is_known_is_known_of_rows_that_exist(catalog):
    """A name with a slip would expect nothing of any row."""
    rows = {row.id for row in catalog.rows(generated=True)}
    for name, contender in catalog.contenders.items():
        known = contender.manifest.known
        faults = [row for fault in (*known.mistakes, *known.unseen) for row in fault.rows]
        newer = [row for change in contender.manifest.since for row in change.outputs]
        named = {*known.moves_keys, *known.outputs, *known.other_bytes, *faults, *newer}
        assert not {f"{name}:{row}" for row in named} - rows
