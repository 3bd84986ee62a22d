"""What stands after the # of the page's address may be anything."""

from urllib.parse import quote

from tests.page.conftest import Script


def test_an_address_that_somebody_cut_short_hides_what_can_be_read(in_node: Script) -> None:
    hashes = [
        "#hide=%25E0%25A4%25A",
        "#hide=%25",
        "#hide=one%7C%25E0%25A4%25A%7Ctwo",
        "#hide=%E0%A4",
        "#&&==%",
        "",
    ]
    (found,) = in_node("fragments.mjs", *hashes)
    assert found == [[], [], ["one", "two"], ["\ufffd"], [], []]


def test_what_was_hidden_is_hidden_again(in_node: Script) -> None:
    names = ["a|b", "50%", "é \u202e\x1b", "#&=+"]
    joined = "|".join(quote(name, safe="") for name in names)
    (found,) = in_node("fragments.mjs", f"#hide={quote(joined, safe='')}")
    assert found == [names]
