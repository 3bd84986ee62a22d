"""Tells the firmware which Arduino core it is built with; PlatformIO runs this before it builds."""

Import("env")  # noqa: F821 - PlatformIO's own

platform = env.PioPlatform()  # noqa: F821
cores = [
    f"{name} {platform.get_package_version(name)}"
    for name in platform.packages
    if name.startswith("framework-arduino") and platform.get_package(name)
]
env.Append(CPPDEFINES=[("FW_CORE", env.StringifyMacro(", ".join(cores) or "unknown"))])  # noqa: F821
