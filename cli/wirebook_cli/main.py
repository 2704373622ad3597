"""The `wirebook` command: run a pattern, list the patterns.

Exit codes: 0 answered, 1 ran but no answer, 2 what the user typed, 3 what a service did,
130 interrupted.
"""

import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any

import click
from wirebook import __version__
from wirebook_utils import Limits, Prompt, UsageError
from wirebook_utils.layers import installed
from wirebook_utils.stand_in import NOTICE, stand_in

from wirebook_cli.find import function, wiring, wirings
from wirebook_cli.show import Narrator, as_json, line, say, show


@click.group(
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="wirebook")
@click.pass_context
def cli(context: click.Context) -> None:
    """Run LLM wirings: an agent, later RAG, workflows and teams, over one small core."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@cli.command("list")
def list_command() -> None:
    """List the installed patterns."""
    for card in wirings().values():
        click.echo(f"{card.name:<12} {card.summary}")


@cli.command()
@click.argument("pattern")
@click.argument("question")
@click.option("--docs", metavar="FOLDER", help="Search the text, HTML and PDF files below it.")
@click.option(
    "--call-llm",
    metavar="MODULE:FUNCTION",
    envvar="WIREBOOK_CALL_LLM",
    help="The model: a function that takes a prompt and gives text.",
)
@click.option(
    "--search",
    metavar="MODULE:FUNCTION",
    envvar="WIREBOOK_SEARCH",
    help="The search: a function that takes a query and gives hits.",
)
@click.option(
    "--max-steps",
    type=int,
    default=Limits.steps,
    show_default=True,
    help="Answer from what is there after so many steps.",
)
@click.option(
    "--timeout",
    type=float,
    default=Limits.seconds,
    show_default=True,
    help="Answer from what is there after so many seconds.",
)
@click.option("--json", "json_", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--quiet", is_flag=True, help="Do not tell the steps.")
def run(
    pattern: str,
    question: str,
    docs: str | None,
    call_llm: str | None,
    search: str | None,
    max_steps: int,
    timeout: float,
    json_: bool,
    quiet: bool,
) -> int:
    """Run PATTERN on QUESTION: the steps go to stderr, the answer to stdout."""
    if not max_steps >= 1:
        raise UsageError(f"--max-steps {max_steps}: at least one step has to run.")
    if not timeout > 0:
        raise UsageError(f"--timeout {timeout:g}: give the seconds of a run, more than 0.")
    card = wiring(pattern)
    settings: dict[str, Any] = {
        "call_llm": function(call_llm) if call_llm else _announced,
        "search": function(search) if search else None,
        "docs": docs,
        "limits": Limits(max_steps, timeout),
    }
    with nullcontext() if quiet else installed(Narrator()):
        answer = card.ask(question, **settings)
    if not (json_ or quiet):
        say("")
    try:
        print(as_json(answer)) if json_ else show(answer)
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has closed it: let the last flush at exit go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    # At a limit it may have written from its notes, and then it cites them.
    return 0 if answer.stop_reason == "answered" or answer.sources else 1


@cache
def _announce() -> None:
    say(NOTICE)


def _announced(prompt: Prompt) -> str:
    """Reply as the stand-in, which says once that it is no model."""
    _announce()
    return stand_in(prompt)


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    say(f"Note: {line(str(message), 200)}")


def main() -> None:
    """Run the command; whatever goes wrong is one line and an exit code, never a traceback."""
    warnings.showwarning = _warn
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character shows another one.
            stream.reconfigure(errors="replace")
    sys.exit(_exit_code(lambda: cli(standalone_mode=False)))


def _exit_code(command: Callable[[], Any]) -> int:
    try:
        return int(command() or 0)
    except UsageError as error:
        say(f"wirebook: {line(str(error), 400)}")
        return 2
    except click.ClickException as error:
        say(f"wirebook: {line(error.format_message(), 400)} See: wirebook --help")
        return 2
    except (KeyboardInterrupt, click.Abort):
        say("wirebook: interrupted")
        return 130
    except Exception as error:
        notes: list[str] = getattr(error, "__notes__", [])
        at = traceback.extract_tb(error.__traceback__)[-1]
        where = "; ".join([f"{os.path.basename(at.filename)}:{at.lineno}", *notes])
        say(f"wirebook: {line(f'{type(error).__name__}: {error} ({where})', 400)}")
        return 3


if __name__ == "__main__":
    main()
