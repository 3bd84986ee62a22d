"""What dpkg and apt know about this machine."""

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from serbench.errors import UserError
from serbench.provision.downloads import log_installation
from serbench.provision.process import Finished, environment, run

_INSTALL_SECONDS = 3600.0

# Keys of the distributions whose apt may ask for one to be named.
_KEYRINGS = (
    "/usr/share/keyrings/debian-archive-keyring.gpg",
    "/usr/share/keyrings/ubuntu-archive-keyring.gpg",
    "/usr/share/keyrings/raspbian-archive-keyring.gpg",
)


def has_dpkg() -> bool:
    """Whether this system's packages are Debian's."""
    return shutil.which("dpkg-query") is not None


def _release() -> dict[str, str]:
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}


def system_ids() -> list[str]:
    """The ids of this distribution and of those that it derives from: `["ubuntu", "debian"]`."""
    release = _release()
    return f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".casefold().split()


def system_name() -> str:
    """The distribution's short name as shown, such as `Debian`."""
    ids = system_ids()
    return ids[0].capitalize() if ids else "the system"


def system_key() -> str:
    """A name for folders that hold what belongs to this release only, such as `debian-12`."""
    release = _release()
    version = release.get("VERSION_ID") or release.get("VERSION_CODENAME") or "rolling"
    return f"{release.get('ID', 'linux')}-{version}"


def installed_version(package: str) -> str | None:
    """The version of the installed Debian package `package`, None if it is not installed."""
    answer = run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev}\t${Version}\n", "--", package])
    for line in answer.output.splitlines():
        status, _, version = line.partition("\t")
        if status.startswith("ii"):
            return version.strip()
    return None


def upstream_version(version: str) -> str:
    """The library's own version in a Debian version: `1.1.0+dfsg2` of `2:1.1.0+dfsg2-7.1`."""
    without_epoch = version.rpartition(":")[2]
    return without_epoch.rpartition("-")[0] or without_epoch


def missing_packages(packages: Sequence[str]) -> list[str]:
    """Those of `packages` that are not installed; none where the system is not Debian's kind.

    There the compiler says what is missing, since nobody knows the package's name.
    """
    if not has_dpkg():
        return []
    return [package for package in packages if installed_version(package) is None]


def remedy(packages: Sequence[str]) -> str:
    """The sentence about Debian packages that are missing: how to install them, if apt has them all."""
    names = " ".join(packages)
    noun = "package" if len(packages) == 1 else "packages"
    unknown = " ".join(package for package in packages if not _is_offered(package))
    if unknown:
        advice = f"apt does not know {unknown}; another release may have it, or sudo apt-get update"
    else:
        advice = f"sudo apt-get install {names}"
    return f"needs the Debian {noun} {names}: {advice}"


def _is_offered(package: str) -> bool:
    """Whether apt can install `package`; also true where nobody can tell."""
    answer = run(["apt-cache", "policy", "--", package])
    return not answer.ok or bool(re.search(r"^ *Candidate: (?!\(none\))", answer.output, re.MULTILINE))


def install_packages(packages: Sequence[str], what: str, cache: Path) -> None:
    """Install Debian packages, which `what` needs, as root or with sudo. Raises UserError if that fails."""
    names = " ".join(packages)
    if not has_dpkg() or shutil.which("apt-get") is None:
        raise UserError(f"this system has no apt-get: install yourself what {what} needs ({names})")
    words = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "--no-install-recommends"]
    if os.geteuid() != 0:
        if shutil.which("sudo") is None:
            raise UserError(f"neither root nor sudo; somebody must run: apt-get install {names}")
        words = ["sudo", *words]
    # No child of the reaper: an installation of the system goes on when serbench is killed.
    command = [*words, "-o", "DPkg::Lock::Timeout=120", "--", *packages]
    try:
        ended = subprocess.run(
            command,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_INSTALL_SECONDS,
            check=False,
            start_new_session=True,
        )
        done = Finished(ended.returncode, ended.stdout, ended.stderr)
    except (OSError, subprocess.TimeoutExpired) as error:
        done = Finished(124, "", str(error))
    log_installation(cache, f"what {what} needs", done)


def source_lines(targets: str, ids: Sequence[str], keyrings: Sequence[str] = _KEYRINGS) -> list[str]:
    """The deb-src lines that belong to the system's own deb lines.

    `targets` is what `apt-get indextargets` printed in the format of `index_targets`; entries whose
    origin is none of the distribution's `ids` are left out, so that a broken third-party entry cannot
    spoil anything. `keyrings` are the key files to name, as far as they exist.
    """
    keys = ",".join(path for path in keyrings if Path(path).is_file())
    options = f"[signed-by={keys}] " if keys else ""
    entries = (target.partition("|") for target in targets.splitlines())
    places = (
        place.strip()
        for origin, _, place in entries
        if origin.casefold() in ids and len(place.split()) == 3 and "$(" not in place
    )
    return [f"deb-src {options}{place}" for place in dict.fromkeys(places)]


def index_targets() -> str:
    """What apt says about its lists, a line for each: `origin|address release component`."""
    wanted = "$(ORIGIN)|$(REPO_URI) $(RELEASE) $(COMPONENT)"
    return run(["apt-get", "indextargets", "--format", wanted, "Created-By: Packages"]).output
