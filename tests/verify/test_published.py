"""The block of the 2016 suite's baselines."""

import os

from serbench.verify.published import block


def test_a_block_made_again_leaves_that_of_a_reader_whole(tmp_path):
    # Several configurations of a row are proved at a time, in one folder.
    first = block("generated:2", tmp_path)
    with first.file().open("rb") as reading:
        again = block("generated:2", tmp_path)
        assert again.file().stat().st_ino != os.fstat(reading.fileno()).st_ino
        assert reading.read() == again.file().read_bytes()
    assert (first.bytes, first.hash, first.sha256) == (again.bytes, again.hash, again.sha256)


def test_there_is_none_for_other_data(tmp_path):
    assert block("generated:2:7", tmp_path) is None
    assert list(tmp_path.iterdir()) == []
