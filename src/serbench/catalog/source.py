"""Where a library comes from: the fields of `[[source]]` in a manifest, one to one."""

import datetime

import msgspec

from serbench.catalog.manifest import Manifest


class CMake(Manifest, frozen=True, kw_only=True):
    """A library built by its own CMake project."""

    options: list[str] = []
    """Arguments such as `-DJANSSON_BUILD_DOCS=OFF`."""
    targets: list[str] = []
    """What to build; the project's default when empty."""
    libraries: list[str]
    """The static libraries that come out, as paths in the build folder."""
    include: list[str] = []
    """Header folders in the build folder (`Source.include` has those of the sources)."""


class Replacement(Manifest, frozen=True, kw_only=True):
    """A text in a library's sources that is replaced, in a copy, before they are compiled."""

    file: str
    """The file, as a path in the library's folder."""
    from_: str = msgspec.field(name="from")
    """The text as it stands there; anything but `times` places is an error."""
    to: str
    times: int = 1


class Submodule(Manifest, frozen=True, kw_only=True):
    """A repository that another one has in a folder, at the commit that the other one's tree states."""

    git: str
    """Its address."""
    path: str
    """The folder."""
    commit: str
    tag: str = ""


class Source(Manifest, frozen=True, kw_only=True):
    """One way to get a library. A manifest lists several; the first that is available is taken.

    In a manifest, kind and name are one key and its value: `debian-source = "jansson"`.
    """

    kind: str = ""
    """The key, which names a provider (`serbench.provision.providers`), or `checkout`: how upstream's own
    folder is laid out, for `--use` only."""
    name: str = ""
    """The value: a package, a repository's address, or whatever the provider finds the library by."""
    tag: str = ""
    """In a git repository: the name of the release, which is also what is fetched if the host gives no
    single commits; without one its version is the commit's first digits, ..."""
    commit: str = ""
    """... all 40 digits of the commit's id, ..."""
    date: datetime.date | None = None
    """... the day of the commit, ..."""
    held: str = ""
    """... why it stays although upstream has newer ones, ..."""
    submodules: list[Submodule] = []
    """... and those of its submodules that building needs."""
    version: str = ""
    """For a Python source package: the package's version ..."""
    sha256: str = ""
    """... and the checksum of its archive."""
    packages: list[str] = []
    """Further Debian packages that building needs."""
    part: str = ""
    """An optional part of the set-up that building needs too (`./serbench setup PART`)."""
    subdir: str = ""
    """The library's folder in the unpacked source."""
    files: list[str] = []
    """Sources to compile, as paths in the library's folder; of git and a checkout also patterns."""
    include: list[str] = []
    """Header folders in the library's folder."""
    defines: list[str] = []
    """Macros for these sources and for the contender's own, `NAME` or `NAME=VALUE`."""
    arm32_defines: list[str] = []
    """The same for 32-bit ARM only, where loading 64 bits from an odd address ends a program."""
    flags: list[str] = []
    """Further compiler options for these sources, for example to silence their warnings."""
    replace: list[Replacement] = []
    """What a distribution changed and is undone, or the like; a label says so to readers."""
    cmake: CMake | None = None
    pkg_config: str | None = None
    """The module that tells the flags of a library that was not built here."""
    static: list[str] = []
    """Static libraries of a Debian package, for example `libjansson.a`, linked by name."""
    header_only: bool = False
    """Compiled into the contender with our flags, so it is no "distribution build"."""
    libraries: list[str] = []
    """System libraries to link after it, for example `m`."""
    labels: list[str] = []
    """Labels of all rows with the library from here."""
    help: str = ""
    """What to install and where from, when an installed copy is not found."""
