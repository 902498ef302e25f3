"""Input and output of commands: UTF-8 on standard output and in files, single plain lines on standard error, exit codes."""

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import typer

from api.languages import gettext, terminal_language
from corpus.errors import InputError, RulestoneError
from corpus.messages import Message, message
from corpus.words.text import printable_line
from rulestone.faults import os_error_reason, os_faults, remove

CRASHED, INTERRUPTED, BROKEN_PIPE = 3, 130, 141
Report = Callable[[int, int, str], None]
"""The number of finished steps, the number of all steps, the current step."""
_WRITE_ACTION = "write the output"
_INTERRUPTED = message("interrupted; the knowledge base is unchanged")
_CONTROL_CHARACTERS = re.compile("\x1b(?!\\[(?:0|1|31|32)m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters except tab, line feed and the colours of api.text; characters that change the direction of a line."""
_MAX_WIDTH = 100
"""Number of columns beyond which lines are hard to read."""
_CLICK_ERROR = cast("type[Exception]", typer.BadParameter.__mro__[2])
"""Click's ClickException; some versions of typer bundle their own click."""


# Standard output


def configure_streams() -> None:
    """Sets UTF-8 in every locale; characters that cannot be encoded become `?`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")


def print_body(body: Mapping[str, object], lines: Iterable[str], *, as_json: bool) -> None:
    """Prints a body as JSON, else as lines for people. Raises EnvironmentFault if they cannot be written."""
    if as_json:
        print_json(body)
    else:
        print_lines(lines)


def print_lines(lines: Iterable[str]) -> None:
    """Prints lines for people, without characters that could control their terminal."""
    write_to_stdout(_CONTROL_CHARACTERS.sub("\ufffd", line) for line in lines)


def print_json(body: Mapping[str, object]) -> None:
    """Prints one JSON body: the same bytes that the HTTP API sends."""
    from api.encoding import encode

    write_to_stdout([encode(body).decode()])


def write_to_stdout(lines: Iterable[str]) -> None:
    """Prints lines for programs, unchanged. Raises EnvironmentFault if they cannot be written."""
    with os_faults(_WRITE_ACTION):
        for line in lines:
            print(line)  # noqa: T201


def terminal_width() -> int | None:
    """Columns of the terminal; None if the output is not a terminal."""
    if not (sys.stdout and sys.stdout.isatty()):
        return None
    from shutil import get_terminal_size

    return min(get_terminal_size().columns, _MAX_WIDTH)


# Standard error


def print_to_stderr(line: str, *, indent: str = "") -> None:
    """Prints one line on standard error; characters that could control the terminal are replaced."""
    if sys.stderr:
        print(indent + printable_line(" ".join(line.split())), file=sys.stderr)  # noqa: T201


@contextmanager
def progress() -> Iterator[Report]:
    """A function that reports steps to a progress bar on standard error; it does nothing if that is not a terminal."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _done, _total, _what: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(gettext("reading"))
        yield lambda done, total, what: bar.update(task, completed=done, total=total, description=what)


# Files


def write(chunks: Iterable[bytes], output: str | Path | None) -> None:
    """Writes bytes to standard output, or atomically to a file.

    Raises EnvironmentFault if the file cannot be written, InputError if it is a folder.
    """
    if output is None:
        with os_faults(_WRITE_ACTION):
            sys.stdout.buffer.writelines(chunks)
        return
    path = Path(output)
    if path.is_dir():
        raise InputError("{folder} is a folder; give the name of a file with -o", folder=path)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with os_faults(f"write {path}"):
        try:
            with draft.open("wb") as file:
                file.writelines(chunks)
            draft.replace(path)
        finally:
            remove(draft)


def write_report(chunks: Iterable[bytes], output: str | Path) -> None:
    """Writes a report to a file as `write` does, and says so on standard error."""
    write(chunks, output)
    print_to_stderr(gettext("written: {path}", path=output))


def refuse_filled(folder: Path) -> None:
    """Raises InputError for a folder with files in it, a file, or a link to nothing; EnvironmentFault if it cannot be read."""
    with os_faults(f"read {folder}"):
        exists = folder.is_symlink() or folder.exists()
        if exists and not (folder.is_dir() and not any(folder.iterdir())):
            raise InputError("{folder} exists and is not an empty folder; name another one with -o", folder=folder)


def write_folder(texts: Mapping[str, str], folder: Path) -> None:
    """Writes texts by their paths into a new or empty folder: all of them or, after an error, none.

    An existing folder is filled, not replaced: it may be the current one, or behind a link.

    Raises EnvironmentFault if they cannot be written.
    """
    with os_faults(f"write {folder}"):
        target = folder.resolve()
        is_new = not target.exists()
        target.mkdir(parents=True, exist_ok=True)
        draft = target / f".{os.getpid()}.tmp"
        new_files: list[Path] = []
        try:
            for path, text in texts.items():
                file = draft / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            for part in sorted(draft.iterdir()):
                part.rename(target / part.name)
                new_files.append(target / part.name)
        except BaseException:
            for part in new_files:
                shutil.rmtree(part) if part.is_dir() else part.unlink()
            raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
            if is_new and not any(target.iterdir()):
                target.rmdir()


def read_text(source: str, largest: int) -> str:
    """The text of a file, or of standard input for `-`, up to a maximum number of bytes. Raises InputError if it is not UTF-8."""
    if source != "-" and not Path(source).is_file():
        raise InputError("there is no file {file}; give the name of a file, or - for standard input", file=source)
    with os_faults(f"read {source}"), nullcontext(sys.stdin.buffer) if source == "-" else Path(source).open("rb") as file:
        data = file.read(largest + 1)
    if len(data) > largest:
        raise InputError("{file} has more than {most} KiB, which is the limit", file=source, most=largest >> 10)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError("{file} is not UTF-8 text (byte {place}); save it as UTF-8", file=source, place=fault.start) from fault


# Exit codes


def run_guarded(command: Callable[[], object]) -> int:
    """Runs a command and returns its exit code. An error is one line on standard error, then a line for each detail.

    It is never a traceback, except that with RULESTONE_DEBUG=1 an unexpected error keeps its own.
    """
    try:
        code = command()
        if sys.stdout:
            with os_faults(_WRITE_ACTION):
                sys.stdout.flush()
        return _print_error(_INTERRUPTED, INTERRUPTED) if code == INTERRUPTED else code if isinstance(code, int) else 0
    except RulestoneError as error:
        _drop_output()
        if isinstance(error.__cause__, BrokenPipeError):
            return BROKEN_PIPE  # the reader has closed the pipe (`| head`)
        code = _print_error(error.with_command, error.exit_code)
        for detail in error.details:
            print_to_stderr(detail.in_language(terminal_language()), indent="  ")
        return code
    except (KeyboardInterrupt, typer.Abort):
        return _print_error(_INTERRUPTED, INTERRUPTED)
    except _CLICK_ERROR as error:
        return _print_error(_usage_error(error), 2)
    except Exception as error:
        if os.environ.get("RULESTONE_DEBUG"):
            raise
        _drop_output()
        return _print_error(_unexpected_error(error), CRASHED)


def _print_error(reason: Message, code: int) -> int:
    print_to_stderr(f"rulestone: {reason.in_language(terminal_language())}")
    return code


def _drop_output() -> None:
    """Drops output that cannot be written, so that Python does not try again at exit."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_error(error: Exception) -> Message:
    """The error in the arguments, and the usage of the command."""
    context = getattr(error, "ctx", None)
    parameter = getattr(error, "param", None)
    name = getattr(error, "option_name", None) or getattr(parameter, "metavar", None) or getattr(parameter, "name", None)
    what = _usage_fault(error, name)
    if context is None:
        return what
    usage = " ".join((context.command_path, *context.command.collect_usage_pieces(context)))
    return message("{what}; expected: {usage}; see: {command} --help", what=what, usage=usage, command=context.command_path)


def _usage_fault(error: Exception, name: str | None) -> Message:
    """What is wrong in the arguments; in click's own words if it is none of the usual errors."""
    words = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    kind = type(error).__name__
    if kind == "NoSuchOption":
        near = ", ".join(sorted(getattr(error, "possibilities", None) or ()))
        if near:
            return message("there is no option {name} (did you mean {near}?)", name=name, near=near)
        return message("there is no option {name}", name=name)
    if kind == "MissingParameter":
        return message("{name} is missing", name=name)
    if match := re.match(r"No such command '([^']*)'(?:.*mean '([^']*)'\?)?", words):
        if match[2]:
            return message("there is no command {name} (did you mean {near}?)", name=match[1], near=match[2])
        return message("there is no command {name}", name=match[1])
    if match := re.match(r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", words):
        return message("there are too many arguments: {words}", words=match[1])
    if match := re.match("Option '([^']*)' requires an argument", words):
        return message("the option {name} needs a value", name=match[1])
    if match := re.match("Option '([^']*)' does not take a value", words):
        return message("the option {name} takes no value", name=match[1])
    return message("a command is missing") if words.startswith("Missing command") else Message(words)


def _unexpected_error(error: Exception) -> Message:
    if isinstance(error, OSError):
        reason = os_error_reason(error)
        has_path = isinstance(error.filename, str | bytes)
        return message("{path}: {reason}", path=os.fsdecode(error.filename), reason=reason) if has_path else reason
    what = f"{type(error).__name__}: {error}"[:300]
    return message("unexpected {what}; run again with RULESTONE_DEBUG=1 and report the output", what=what)
