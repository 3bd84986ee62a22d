"""Names for messages and fields that every language and format takes."""

import re
from collections.abc import Container

# The keywords of C, C++, Go, Java, JavaScript, Python, Rust, Zig, and of the schema languages of Protocol
# Buffers, FlatBuffers, Cap'n Proto, Avro and Thrift, in lower case.
_OF_LANGUAGES = """
abstract alignas alignof and and_eq annotation anyerror anytype array as asm assert async atomic auto await
become binary bitand bitor bool boolean box break byte bytes case catch chan char class co_await co_return
co_yield comptime compl concept const const_cast consteval constexpr constinit continue crate decltype def
default defer del delete descriptor do double dyn dynamic_cast elif else end enum errdefer eval except exec
explicit export extends extensions extern extern_name fallthrough false final finally fixed float fn for
friend from func function gen get global go goto group has i16 i32 i64 i8 if impl implements import in
include init inline inout instanceof int int16 int32 int64 int8 interface is isize lambda let list long loop
macro map match mod module move mut mutable namespace native new nil noalias noexcept none nonlocal not
not_eq null nullptr of oneof operator optional or or_eq orelse override package packed pass print priv
private protected public raise range ref register reinterpret_cast repeated required requires reserved
restrict resume return returns rpc sealed select self service set short signed sizeof static static_assert
static_cast stream strictfp string struct super suspend switch synchronized syntax table template then this
thread_local threadlocal throw throws to trait transient true try type typedef typeid typename typeof uint
uint16 uint32 uint64 uint8 undefined union unit unsafe unsigned unsized use using usize values var virtual
void volatile wchar_t weak where which while with xor xor_eq yield
"""
# Words that headers and compilers of C, and GNU's C++, define as macros.
_MACROS = "alloca errno linux sched_priority signbit stderr stdin stdout strdupa unix"
_KEYWORDS = frozenset([*_OF_LANGUAGES.split(), *_MACROS.split()])
_OF_LIBRARIES = """
array bool boolean box branch builder byte character class cow data dict double entries entry enum error
exception field fill float hash hashmap integer iterator key list long map member members message none
number object ok option optional output path reader record result root runtime schema self set short some
string struct system thread type value vec void walk worker writer
"""
_TYPES = frozenset(_OF_LIBRARIES.split())


def collapsed(name: str) -> str:
    """`name` as the least careful generator sees it: without underscores and case."""
    return name.replace("_", "").lower()


def _words(key: str) -> list[str]:
    """The words of a key: of letters and digits of ASCII, split where the case rises, too."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", key)


def _unique(name: str, taken: Container[str], separator: str) -> str:
    if collapsed(name) not in taken:
        return name
    number = 2
    while collapsed(f"{name}{separator}{number}") in taken:
        number += 1
    return f"{name}{separator}{number}"


def field_name(key: str, taken: set[str]) -> str:
    """A name for the field of `key`, none of the collapsed ones in `taken`, to which it is added."""
    name = "_".join(word.lower() for word in _words(key)[:8])[:60].rstrip("_")
    if not name or name[0].isdigit():
        name = f"n_{name}".rstrip("_")
    if name in _KEYWORDS:
        name = f"{name}_field"
    name = _unique(name, taken, "_v")
    taken.add(collapsed(name))
    return name


def message_name(key: str, taken: set[str]) -> str:
    """A name for the message that stands at `key`; as field_name."""
    name = "".join(word.capitalize() for word in _words(key)[:8])[:60]
    if not name or name[0].isdigit():
        name = f"N{name}"
    if name.lower() in _TYPES or name.lower() in _KEYWORDS:
        name = f"{name}Record"
    name = _unique(name, taken, "V")
    taken.add(collapsed(name))
    return name
