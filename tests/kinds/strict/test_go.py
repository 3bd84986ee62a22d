"""What readers in Go make of bytes that are no UTF-8: the labels of their manifests, and no others."""

from serbench.kinds.strict import step
from serbench.kinds.strict.cases import load_cases
from serbench.kinds.strict.probe import UTF8, labels_of
from serbench.project import ROOT
from serbench.verify.proof_cache import ProofCache
from tests.languages import needs


@needs("go")
def test_who_takes_what_is_no_utf8_says_so_and_nobody_else(context, catalog, monkeypatch):
    def of_text(root, format_id):
        return [case for case in load_cases(root, format_id) if case.kind == "UTF-8"]

    monkeypatch.setattr(step, "load_cases", of_text)
    rows = [row for row in catalog.rows() if row.language == "go"]
    ready = context.build(step.readers_among(catalog, rows))
    found = []
    step.strict_of(context, list(ready.values()), ProofCache(), 0, found.append)
    stated = {row_id: set(item.row.labels) & set(UTF8) for row_id, item in ready.items()}
    seen = {
        record.row: set(labels_of(record.judged, of_text(ROOT, record.format)))
        for record in found
        if record.status != "unavailable"
    }
    assert {record.reason for record in found if record.status == "failed"} == set()
    assert {label for labels in seen.values() for label in labels} == set(UTF8)
    wrong = {name: (labels, stated[name]) for name, labels in seen.items() if labels != stated[name]}
    assert not wrong, "found, stated: " + "\n".join(f"{name}: {both}" for name, both in wrong.items())
