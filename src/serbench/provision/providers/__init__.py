"""Where libraries come from: a provider for each kind of source, in one table."""

from serbench.provision.providers.checkout import Checkout
from serbench.provision.providers.crate import Crate
from serbench.provision.providers.debian_package import DebianPackage
from serbench.provision.providers.debian_source import DebianSource
from serbench.provision.providers.debian_unpacked import DebianUnpacked
from serbench.provision.providers.git import Git
from serbench.provision.providers.gomod import GoModule
from serbench.provision.providers.installed import Installed
from serbench.provision.providers.maven import Maven
from serbench.provision.providers.npm import BuiltIn, Npm
from serbench.provision.providers.provider import Provider
from serbench.provision.providers.pypi import Pypi
from serbench.provision.providers.sdist import Sdist
from serbench.provision.providers.wheel import Wheel

_ALL: list[Provider] = [
    Git(),
    DebianSource(),
    DebianPackage(),
    DebianUnpacked(),
    Sdist(),
    Installed(),
    Wheel(),
    Npm(),
    Pypi(),
    BuiltIn(),
    Crate(),
    GoModule(),
    Maven(),
    Checkout(),
]
PROVIDERS = {provider.kind: provider for provider in _ALL}
"""By the key that names it in `[[source]]`. A further registry is a module here and an entry above."""
