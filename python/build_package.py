# SPDX-License-Identifier: MIT
"""Make a wheel with nothing but Python (PEP 517): the package, and the shared library of the build beside it.

The library is that of RATTLEBACK_LIBRARY, or build/release of the source tree around this folder. Without one the wheel has
none, and the package looks for an installed library when it is imported.
"""

import base64
import hashlib
import io
import os
import pathlib
import re
import sysconfig
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = "librattleback.so.0"


def version():
    return re.search(r'__version__ = "(.*)"', (HERE / "rattleback" / "_version.py").read_text()).group(1)


def find_library():
    chosen = os.environ.get("RATTLEBACK_LIBRARY")
    if chosen:
        path = pathlib.Path(chosen)
        if not path.is_file():
            raise SystemExit(f"RATTLEBACK_LIBRARY names '{chosen}', which is no file")
        return path
    path = HERE.parent / "build" / "release" / LIBRARY
    return path if path.is_file() else None


def tag():
    """A wheel with the library in it fits one platform."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"py3-none-{platform}" if find_library() else "py3-none-any"


def metadata():
    return (
        f"Metadata-Version: 2.1\nName: rattleback\nVersion: {version()}\n"
        "Summary: Simulate mechanical and multi-domain systems whose bodies collide and whose structure changes while they run\n"
        "License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
    )


def info_files():
    pure = "true" if tag().endswith("any") else "false"
    wheel = f"Wheel-Version: 1.0\nGenerator: rattleback\nRoot-Is-Purelib: {pure}\nTag: {tag()}\n"
    return {"METADATA": metadata().encode(), "WHEEL": wheel.encode()}


def sources():
    return [path for path in sorted((HERE / "rattleback").rglob("*")) if path.suffix == ".py" or path.name == "py.typed"]


def write_wheel(folder, files):
    """A zip with the files and a list of them; the times are those of nobody, so that same input makes the same bytes."""
    base = f"rattleback-{version()}"
    name = f"{base}-{tag()}.whl"
    files.update({f"{base}.dist-info/{key}": content for key, content in info_files().items()})
    record = "".join(
        f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},{len(content)}\n"
        for path, content in files.items()
    )
    files[f"{base}.dist-info/RECORD"] = f"{record}{base}.dist-info/RECORD,,\n".encode()
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return name


# ---- what pip calls -----------------------------------------------------------------------------


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {str(path.relative_to(HERE)): path.read_bytes() for path in sources()}
    library = find_library()
    if library:
        files[f"rattleback/{LIBRARY}"] = library.read_bytes()
    return write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """pip install -e: the installation points here; the library is that of the source tree."""
    return write_wheel(wheel_directory, {"rattleback.pth": f"{HERE}\n".encode()})


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = f"rattleback-{version()}.dist-info"
    os.makedirs(os.path.join(metadata_directory, folder))
    for name, content in info_files().items():
        pathlib.Path(metadata_directory, folder, name).write_bytes(content)
    return folder


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory, config_settings=None):
    base = f"rattleback-{version()}"
    with tarfile.open(os.path.join(sdist_directory, f"{base}.tar.gz"), "w:gz") as archive:
        for path in [HERE / "pyproject.toml", HERE / "build_package.py", *sources()]:
            archive.add(path, f"{base}/{path.relative_to(HERE)}")
        entry = tarfile.TarInfo(f"{base}/PKG-INFO")
        entry.size = len(metadata())
        archive.addfile(entry, io.BytesIO(metadata().encode()))
    return f"{base}.tar.gz"
