"""`wirebook run`: a pattern on a question, the steps as they happen, then the answer."""

import os
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any

import click
from wirebook_utils import Answer, CallLLM, Limits, Search, ServiceError, UsageError
from wirebook_utils.call_llm import NOTICE, call_llm, chosen_model
from wirebook_utils.layers import Layer, PerRun, installed, trace
from wirebook_utils.search_web import search_web

from wirebook_cli.find import function, wiring
from wirebook_cli.show import Narrator, as_json, as_text, line, put, say


@click.command()
@click.argument("pattern")
@click.argument("question")
@click.option(
    "--docs", metavar="FOLDER", help="Search the text, HTML and PDF files below it, not the web."
)
@click.option(
    "--model",
    metavar="PROVIDER:NAME",
    help="A model, such as openai:NAME, anthropic:NAME, or stand-in, which is none.",
)
@click.option(
    "--call-llm",
    metavar="MODULE:FUNCTION",
    envvar="WIREBOOK_CALL_LLM",
    help="A model of your own: a function that takes a prompt and gives text.",
)
@click.option(
    "--search",
    metavar="web|files|MODULE:FUNCTION",
    envvar="WIREBOOK_SEARCH",
    help="What to search: web, files (of --docs), or a function from a query to hits.",
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
@click.option("--trace", "trace_", metavar="FILE", help="Append the run's spans, a line each.")
@click.option("--json", "json_", is_flag=True, help="Print one JSON object instead of text.")
@click.option("--quiet", is_flag=True, help="Do not tell the steps.")
def run(
    pattern: str,
    question: str,
    docs: str | None,
    model: str | None,
    call_llm: str | None,
    search: str | None,
    max_steps: int,
    timeout: float,
    trace_: str | None,
    json_: bool,
    quiet: bool,
) -> int:
    """Run PATTERN on QUESTION: the steps go to stderr, the answer to stdout."""
    if not max_steps >= 1:
        raise UsageError(f"--max-steps {max_steps}: at least one step has to run.")
    if not timeout > 0:
        raise UsageError(f"--timeout {timeout:g}: give the seconds of a run, more than 0.")
    card = wiring(pattern)
    name, llm = _model(model, call_llm, quiet=quiet)
    settings: dict[str, Any] = {
        "call_llm": llm,
        "search": _search(search, docs),
        "docs": docs,
        "limits": Limits(max_steps, timeout),
    }
    layers: list[Layer | PerRun] = [] if quiet else [Narrator()]
    if trace_:
        layers.append(_trace(trace_))
    with installed(*layers) if layers else nullcontext():
        answer = _asked(partial(card.ask, question, **settings))
    # What the text says, or what happened at each call, is told once.
    for problem in dict.fromkeys(map(str, answer.data.get("problems", ()))):
        if problem not in answer.text:
            say(f"Note: {line(problem, 200)}")
    if not (json_ or quiet):
        say("")
    put(as_json(answer, name) if json_ else as_text(answer))
    if answer.stop_reason == "error":
        return 3
    # At a limit it may have written from its notes, and then it cites them.
    return 0 if answer.stop_reason == "answered" or answer.sources else 1


def _asked(ask: Callable[[], Answer]) -> Answer:
    try:
        return ask()
    except BrokenPipeError as error:
        # Of our own output it would say that nobody reads on, and end in silence.
        raise ServiceError(f"The model or the search hung up: {error}. Try again.") from error


def _model(model: str | None, own: str | None, *, quiet: bool) -> tuple[str, CallLLM]:
    """Find the model that was asked for, with its name, and say which one is taken."""
    if model and own and _typed("call_llm"):
        raise UsageError("A model and a function are given. Give one of --model and --call-llm.")
    taken = function(own) if own and not model else None
    name = own if own and taken else chosen_model(model)
    if name == "stand-in" and not (model or os.environ.get("WIREBOOK_MODEL", "").strip()):
        say(NOTICE)
    elif not quiet:
        say(f"Model: {line(name)}")
    return name, taken or partial(call_llm, model=name)


def _search(name: str | None, docs: str | None) -> Search | None:
    """Find the search that was asked for; none, where the pattern is to search the files."""
    if docs is not None and not _typed("search"):
        return None  # what is typed counts more than the environment
    if name == "files" and docs is None:
        raise UsageError("--search files: give the folder that holds them, as --docs FOLDER.")
    if name == "files":
        return None
    return search_web if name in (None, "web") else function(name)


def _typed(option: str) -> bool:
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def _trace(file: str) -> PerRun:
    try:
        return trace(file)
    except OSError as error:
        raise UsageError(f"--trace {file!r} cannot be written: {error.strerror}.") from error
