# SPDX-License-Identifier: MIT
"""Find and load the shared library, once, when the package is imported."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import pathlib
from typing import Iterator

from . import _abi
from ._version import __version__

NAME = "librattleback.so.0"
_HERE = pathlib.Path(__file__).resolve().parent


def _candidates() -> Iterator[pathlib.Path]:
    """Places in the order in which they are tried: the package, an installation around it, the build of its source tree."""
    yield _HERE / NAME
    for folder in list(_HERE.parents)[:5]:
        yield folder / NAME
        yield from sorted(folder.glob(f"*-linux-gnu*/{NAME}"))
        yield from (folder / "build" / kind / NAME for kind in ("release", "debug"))


def find() -> str:
    """Path or name of the library; ``ImportError`` with what was tried if there is none."""
    chosen = os.environ.get("RATTLEBACK_LIBRARY")
    if chosen:
        if pathlib.Path(chosen).is_file():
            return chosen
        raise ImportError(f"RATTLEBACK_LIBRARY names '{chosen}', which is no file")
    for path in _candidates():
        if path.is_file():
            return str(path)
    found = ctypes.util.find_library("rattleback")
    if found:
        return found
    raise ImportError(
        f"{NAME} was not found in the package ({_HERE}), around it, or by the system's loader. "
        "Build it (cmake --build build/release --target rb_shared) and install the package again, "
        "or set RATTLEBACK_LIBRARY to its path"
    )


def load() -> ctypes.CDLL:
    """The library with the prototypes of all functions. Calls release the interpreter lock."""
    path = find()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"{path} cannot be loaded: {error}") from None
    library.rb_version.restype = ctypes.c_char_p
    version = library.rb_version().decode()
    if version != __version__:
        raise ImportError(f"{path} is version {version}; this package needs {__version__}. Install the two from one source tree")
    for name, (result, *arguments) in _abi.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"{path} has no {name}: it is older than this package. Build it again") from None
        function.restype = result
        function.argtypes = arguments
    return library


lib = load()
