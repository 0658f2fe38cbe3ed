# SPDX-License-Identifier: MIT
"""Exceptions and messages: what the library reports, with file, line and remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Optional, Sequence

if TYPE_CHECKING:
    from .result import Result


class Message(NamedTuple):
    """An error, a warning or a note."""

    severity: str  #: "error", "warning" or "note"
    text: str  #: the message without its place
    file: Optional[str]  #: None: no place is known
    line: int  #: the first line is 1; 0: the file as a whole
    column: int
    full: str  #: as a compiler prints it, with the line of the source

    def __str__(self) -> str:
        return self.full


class Error(Exception):
    """What the library refuses or cannot do; ``str(error)`` is its message with place and remedy."""

    def __init__(self, text: str, messages: Sequence[Message] = ()) -> None:
        super().__init__(text)
        self.messages = tuple(messages)  #: all messages of the call, warnings and notes too
        #: What a run had computed before it failed; None: nothing.
        self.result: Optional[Result] = None

    def _first(self) -> Optional[Message]:
        return next((m for m in self.messages if m.severity == "error"), None)

    @property
    def file(self) -> Optional[str]:
        """File of the first error; None: no place is known."""
        first = self._first()
        return first.file if first else None

    @property
    def line(self) -> int:
        """Line of the first error, from 1; 0: none."""
        first = self._first()
        return first.line if first else 0

    @property
    def column(self) -> int:
        """Column of the first error, from 1; 0: none."""
        first = self._first()
        return first.column if first else 0


class ModelError(Error):
    """The model: syntax, types, units, structure."""


class UsageError(Error, ValueError):
    """A wrong argument: a name that does not exist, a value out of range."""


class NameUnknown(UsageError, KeyError):
    """There is no variable, object or result of this name."""

    __str__ = Exception.__str__


class InitializationError(Error):
    """The initial equations have no solution that was found."""


class SolverError(Error):
    """The integration failed; ``result`` holds what was computed."""


class AssertionFailed(Error):
    """An assertion of the model does not hold; ``result`` holds what was computed."""


class FileError(Error, OSError):
    """A file cannot be read, written or understood."""

    __str__ = Exception.__str__


class OutOfMemory(Error, MemoryError):
    """There is no memory left."""


class InternalError(Error):
    """A defect of Rattleback: please report it."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has ended a run. ``result`` holds what was computed; a held run can go on."""

    def __init__(self, text: str, result: Optional[Result] = None) -> None:
        super().__init__(text)
        self.result = result


class ModelWarning(UserWarning):
    """A warning of the library, issued by :func:`warnings.warn`."""


BY_STATUS = {
    1: ModelError,
    2: UsageError,
    3: InitializationError,
    4: SolverError,
    5: AssertionFailed,
    6: FileError,
    7: OutOfMemory,
    8: InternalError,
}
