# SPDX-License-Identifier: MIT
"""A context of the C library with what Python adds: exceptions, warnings, callbacks, Ctrl-C."""

from __future__ import annotations

import _signal  # signal.getsignal makes enumerations, which takes longer than a step
import ctypes
import os
import signal
import sys
import threading
import warnings
import weakref
from typing import Any, Callable, List, Optional

from . import _abi
from ._library import lib
from .errors import BY_STATUS, Error, InternalError, Message, ModelWarning, NameUnknown, UsageError

_SEVERITY = ("note", "warning", "error")
_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def encode(text: Any) -> bytes:
    """Text or path as the C interface takes it."""
    if isinstance(text, bytes):
        return text
    return os.fspath(text).encode()


def decode(text: Optional[bytes]) -> str:
    return text.decode(errors="replace") if text else ""


def nearest(wanted: str, names: List[str]) -> str:
    """'; did you mean x?', or nothing."""
    import difflib

    near = difflib.get_close_matches(wanted, names, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def unknown(what: str, wanted: str, names: List[str]) -> NameUnknown:
    return NameUnknown(f"there is no {what} '{wanted}'{nearest(wanted, names)}")


def _stack_level() -> int:
    """How far up the first caller outside of this package is, for warnings."""
    frame: Any = sys._getframe(1)
    level = 1
    while frame and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    return level


class Context:
    """Owns models, runs and messages. One thread uses it at a time."""

    def __init__(self) -> None:
        self.handle = lib.rb_context_create(None)
        if not self.handle:
            raise MemoryError("no memory for a context")
        self.keep: List[Any] = []  # callbacks that C may call until the context is freed
        self.seen = 0
        self.collected: List[Message] = []  # since the last take()
        self.free = weakref.finalize(self, _free, self.handle, self.keep)

    def news(self) -> List[Message]:
        """Messages since the last call."""
        count = lib.rb_context_message_count(self.handle)
        found = [self._message(i) for i in range(self.seen, count)]
        self.seen = count
        return found

    def _message(self, index: int) -> Message:
        data = _abi.RbMessage()
        lib.rb_context_message_data(self.handle, index, data)
        file = data.at.file.decode(errors="replace") if data.at.file else None
        full = decode(lib.rb_context_message(self.handle, index)).rstrip("\n")
        return Message(_SEVERITY[data.severity], decode(data.text), file, data.at.line, data.at.column, full)

    def error(self, status: int) -> Error:
        """The exception for a status, with the messages of the call."""
        messages = self.news()
        text = "\n".join(m.full for m in messages if m.severity == "error")
        kind = BY_STATUS.get(status, InternalError)
        return kind(text or f"the call failed with status {status}", messages)

    def check(self, status: int) -> None:
        """Raise what has failed; issue warnings."""
        if status:
            raise self.error(status)
        if lib.rb_context_message_count(self.handle) > self.seen:
            self.warn()

    def warn(self) -> None:
        """Issue the warnings among the new messages."""
        messages = self.news()
        self.collected += messages
        for message in messages:
            if message.severity == "warning":
                warnings.warn(message.full, ModelWarning, stacklevel=_stack_level())

    def take(self) -> List[Message]:
        """Warnings and notes since the last call."""
        self.warn()
        taken, self.collected = self.collected, []
        return taken


def _free(handle: int, keep: List[Any]) -> None:
    lib.rb_context_free(handle)
    keep.clear()


# ---- Ctrl-C -------------------------------------------------------------------------------------

_SIGINT = int(signal.SIGINT)
_MAIN = threading.main_thread().ident
_thread_number = threading.get_ident

# Flags of the C calls that the main thread is in. C code runs no Python, so the handler is entered in the next callback:
# that of the progress, ten times per second.
_stepping: List[Any] = []


def _on_interrupt(number: int, frame: Any) -> None:
    if not _stepping:
        signal.default_int_handler(number, frame)
    for watch in _stepping:
        watch.flag.value = 1


class _Current(threading.local):
    watch: Optional["Watch"] = None  # of the innermost C call of this thread


current = _Current()


class Watch:
    """Guards C calls that step: ends them on Ctrl-C, or when a callback has raised an exception."""

    def __init__(self, progress: Optional[Callable[[Any], Any]] = None) -> None:
        self.flag = ctypes.c_int(0)
        self._outer: Optional[Watch] = None
        self.raised: Optional[BaseException] = None
        self.lock = threading.Lock()
        self._progress = progress
        self.progress_c = _abi.ProgressFunction(self._report)

    def _report(self, _user: Any, progress: Any) -> None:
        if self._progress:
            self.protect(self._progress, progress.contents)

    def protect(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the user. What it raises ends the run and is raised there."""
        if self.raised is not None:
            return None
        try:
            return function(*arguments)
        except BaseException as error:  # noqa: B902 (raised again in __exit__)
            self.raised = error
            self.flag.value = 1
            return None

    def busy(self) -> UsageError:
        return UsageError("the run is busy: another thread steps it, or this is a callback of its own step")

    def __enter__(self) -> "Watch":
        if not self.lock.acquire(False):
            raise self.busy()
        self.flag.value = 0
        self._outer, current.watch = current.watch, self
        if _thread_number() == _MAIN:
            if _signal.getsignal(_SIGINT) is signal.default_int_handler:
                signal.signal(_SIGINT, _on_interrupt)
            _stepping.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        current.watch = self._outer
        if _stepping and _stepping[-1] is self:
            _stepping.pop()
        self.lock.release()

    def take_raised(self) -> Optional[BaseException]:
        """What a callback has raised since the last call."""
        error, self.raised = self.raised, None
        return error
