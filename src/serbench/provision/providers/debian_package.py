"""Libraries that the distribution has built: installed Debian packages."""

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.provision.debian import has_dpkg, installed_version, remedy, system_name, upstream_version
from serbench.provision.pkg_config import module_version
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Provided, Unavailable


class DebianPackage(Provider):
    """An installed Debian package, or on other systems what pkg-config knows of it."""

    kind = "debian-package"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The installed library."""
        package, module = source.name, source.pkg_config
        if has_dpkg():
            version = installed_version(package)
            if version is None:
                raise Unavailable(remedy([package]))
            if module and module_version(module) is None:
                # Another major version may have another name: a further source of the manifest says it.
                raise Unavailable(
                    f"pkg-config does not know {module}, though {package} {version} is installed"
                )
            origin, shown = f"{system_name()} package {package} {version}", upstream_version(version)
        else:
            known = module_version(module)
            if known is None:
                seen = f"pkg-config does not know {module}" if module else "it was not found"
                raise Unavailable(
                    f"needs the library that Debian packages as {package}, and {seen}; install it"
                )
            origin, shown = f"the system's own {module} {known}", known
        return Provided(
            source=source, version=shown, origin=origin, distribution_build=not source.header_only
        )
