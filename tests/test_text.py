import math

import pytest

from serbench.text import (
    bar,
    clipped,
    count,
    last_line,
    percent,
    relative,
    significant,
    size,
    unit_for,
    visible,
)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.036123, "0.0361"),
        (0.00012, "0.0001"),
        (0.5, "0.500"),
        (0.99996, "1.000"),
        (1.23456, "1.235"),
        (9.9996, "10.00"),
        (12.3456, "12.35"),
        (123.456, "123.5"),
        (1234.56, "1,235"),
        (123456.0, "123,500"),
        (-12.3456, "-12.35"),
        (0.0, "0"),
        (None, "-"),
        (math.nan, "-"),
        (math.inf, "-"),
    ],
)
def test_significant(value, shown):
    assert significant(value) == shown


def test_significant_with_three_digits():
    assert [significant(v, 3) for v in (1.0, 42.61, 387.9)] == ["1.00", "42.6", "388"]


@pytest.mark.parametrize(
    ("times", "unit"),
    [
        ([5.0, 900.0], "ns"),
        ([800.0, 2130.0, 5000.0], "µs"),
        ([2e6, 3e6, None, -5.0], "ms"),
        ([3e9], "s"),
        ([0.3], "ns"),
        ([], "ns"),
        ([None, 0.0], "ns"),
    ],
)
def test_unit_for_the_median(times, unit):
    assert unit_for(times)[0] == unit


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain ascii", "plain ascii"),
        ("naïve 日本", "naïve 日本"),
        ("a\nb\r\t", "a\\nb\\r\\t"),
        ("\x1b[31m\x00\x7f\x9b", "\\x1b[31m\\x00\\x7f\\x9b"),
        ("\u202eabc\u200b\ufeff", "\\u202eabc\\u200b\\ufeff"),
        ("\u2028\u00a0\U000e0001", "\\u2028\\xa0\\U000e0001"),
        ("\ud800", "\\ud800"),
    ],
)
def test_visible(raw, shown):
    assert visible(raw) == shown


def test_last_line():
    assert last_line("one\n  two \x1b\n\n") == "two \\x1b"
    assert last_line(" \n") == ""
    assert last_line("x" * 500, 10) == "x" * 9 + "…"


def test_relative():
    assert [relative(h, 100) for h in (0.04, 0.5, 9.94, 9.96, 250, 1e9)] == [
        *("0.0%", "0.5%", "9.9%", "10%", "250%", ">999%")
    ]
    assert relative(math.inf, 1) == relative(1, 0) == "-"
    assert relative(1, -50) == "2.0%"


def test_counts_and_sizes():
    assert (count(None), count(308908)) == ("-", "308,908")
    assert [size(n) for n in (512, 2048, 8 * 2**30, 3 * 2**40)] == ["512 B", "2.0 KiB", "8.0 GiB", "3.0 TiB"]
    assert (percent(0.02), percent(0.005)) == ("2 %", "0.5 %")


@pytest.mark.parametrize(
    ("words", "width", "expected"),
    [
        ("short", 5, "short"),
        ("one, two, three", 12, "one, two, …"),
        ("one two three four", 16, "one two three …"),
        ("Supercalifragilistic", 8, "Superca…"),
        ("日本語のライブラリ", 7, "日本語…"),
        ("a\x1bb", 4, "a\\x…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
    ],
)
def test_clipped_text_ends_where_a_part_ends(words, width, expected):
    assert clipped(words, width) == expected


def test_a_bar_is_as_long_as_its_part():
    assert [bar(part, 4) for part in (0.0, 0.25, 0.5, 0.6, 1.0, 7.0)] == [
        *("▏", "█", "██", "██▍", "████", "████"),
    ]
    assert bar(None, 4) == bar(math.nan, 4) == ""
