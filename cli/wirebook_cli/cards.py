"""The commands that tell what a pattern is without running it: `list` and `show`.

Left out: the run itself. A pattern is built with functions that are never called.
"""

import inspect
import json
import os
from collections.abc import Iterator
from typing import Any

import click
from wirebook import Flow
from wirebook_utils import UsageError, Wiring, draw
from wirebook_utils.draw import picture

from wirebook_cli.find import wiring, wirings
from wirebook_cli.show import line, put


@click.command("list")
@click.option("--json", "json_", is_flag=True, help="Print the cards as a JSON list.")
def list_command(json_: bool) -> None:
    """List the installed patterns."""
    cards = wirings().values()
    if json_:
        put(json.dumps([as_dict(card) for card in cards], indent=2))
    elif cards:
        put("\n".join(f"{line(card.name):<12} {line(card.summary, 200)}" for card in cards))


@click.command("show")
@click.argument("pattern")
@click.option("--draw", "draw_", is_flag=True, help="Print its flow as Mermaid, and nothing else.")
@click.option("--json", "json_", is_flag=True, help="Print its card as one JSON object.")
def show_command(pattern: str, draw_: bool, json_: bool) -> None:
    """Show what PATTERN is for, what it costs, and its picture."""
    if draw_ and json_:
        raise UsageError("--draw prints Mermaid and --json a card. Give one of them.")
    card = wiring(pattern)
    if draw_:
        put(draw(flow_of(card)))
    elif json_:
        put(json.dumps(as_dict(card), indent=2))
    else:
        put("\n".join(_page(card)))


def flow_of(card: Wiring) -> Flow:
    """Build the flow of a pattern with functions that stand in for what it has to be given."""

    def never(*_: Any, **__: Any) -> Any:
        raise RuntimeError("A flow that is only drawn calls nothing.")

    given = inspect.signature(card.build).parameters.values()
    rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    required = [p.name for p in given if p.default is p.empty and p.kind not in rest]
    return card.build(**dict.fromkeys(required, never))


def as_dict(card: Wiring) -> dict[str, Any]:
    """Give a card as JSON takes it, in place of functions the lines that use them."""
    return {
        "name": card.name,
        "summary": card.summary,
        "when": card.when,
        "when_not": card.when_not,
        "needs": sorted(card.needs),
        "calls": card.calls,
        "fails_when": list(card.fails_when),
        "use": use(card),
        "flow": source(card),
    }


def use(card: Wiring) -> list[str]:
    """Give the three lines that ask a pattern; the functions it needs are the reader's own.

    There are none if its `ask` has no name to import it by.
    """
    ask = str(getattr(card.ask, "__qualname__", ""))
    given = "".join(f", {need}={need}" for need in sorted(card.needs))
    lines = [
        f"from {card.ask.__module__} import {ask}",
        f'answer = {ask}("Why?"{given})',
        "print(answer.text)",
    ]
    return lines if ask.isidentifier() else []


def source(card: Wiring) -> str | None:
    """Give the file where a pattern is wired, if there is one."""
    try:
        return inspect.getsourcefile(card.build)
    except TypeError:  # a built-in, or an object that can be called
        return None


def _near(file: str) -> str:
    """Shorten the path of a file below the current folder."""
    return os.path.relpath(file) if file.startswith(os.getcwd() + os.sep) else file


def _page(card: Wiring) -> Iterator[str]:
    yield f"{line(card.name)}: {line(card.summary, 200)}"
    yield ""
    yield f"When         {line(card.when, 200)}"
    yield f"When not     {line(card.when_not, 200)}"
    yield f"Needs        {line(', '.join(sorted(card.needs)))}"
    yield f"Model calls  {line(card.calls)}"
    yield f"Flow         {line(_near(source(card) or 'has no source file'), 400)}"
    for title, rows in (("Fails when", card.fails_when), ("Use", use(card))):
        if rows:
            yield from ("", title, *(f"  {line(row, 200)}" for row in rows))
    yield from ("", "Picture", *_picture(card))


def _picture(card: Wiring) -> list[str]:
    try:
        flow = flow_of(card)
    except Exception as error:
        # The card is worth reading all the same; `--draw` lets the error out.
        return [line(f"  It could not be built: {type(error).__name__}: {error}", 200)]
    return [f"  {row}" for row in picture(flow).splitlines()]
