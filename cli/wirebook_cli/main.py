"""The `wirebook` command: run a pattern; `cards.py` has the commands that tell what one is.

Exit codes: 0 answered, 1 ran but no answer, 2 what the user typed, 3 what a service did,
130 interrupted.
"""

import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import click
from wirebook import __version__
from wirebook_utils import ServiceError, UsageError

from wirebook_cli.cards import list_command, show_command
from wirebook_cli.models import model_command
from wirebook_cli.run import run
from wirebook_cli.show import line, say


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


cli.add_command(list_command)
cli.add_command(run)
cli.add_command(model_command)
cli.add_command(show_command)


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
    output = sys.stdout
    try:
        return int(command() or 0)
    except UsageError as error:
        say(f"wirebook: {line(str(error), 400)}")
        return 2
    except click.ClickException as error:
        say(f"wirebook: {line(_told(error), 400)}")
        return 2
    except (KeyboardInterrupt, click.Abort):
        say("wirebook: interrupted")
        return 130
    except SystemExit as error:
        if sys.stdout is not output:
            # Whoever reads a help text has closed the pipe: click puts in another stream and ends.
            return 0
        say(f"wirebook: what was run ended the program: {line(repr(error), 200)}")
        return 3
    except ServiceError as error:
        say(f"wirebook: {line(str(error), 400)}")
        return 3
    except Exception as error:
        notes: list[str] = getattr(error, "__notes__", [])
        at = traceback.extract_tb(error.__traceback__)[-1]
        where = "; ".join([f"{os.path.basename(at.filename)}:{at.lineno}", *notes])
        say(f"wirebook: {line(f'{type(error).__name__}: {error} ({where})', 400)}")
        return 3


def _told(error: click.ClickException) -> str:
    """Say what was typed wrong, and which help tells how it goes."""
    told, context = error.format_message(), getattr(error, "ctx", None)
    if context is not None and context.parent:
        command = f"wirebook {context.info_name}"
    else:
        command = "wirebook"
    if command == "wirebook run" and told.startswith("Got unexpected extra argument"):
        told += ". Put a question of several words in quotes"
    return f"{told if told.endswith(('.', '?')) else told + '.'} See: {command} --help"


if __name__ == "__main__":
    main()
