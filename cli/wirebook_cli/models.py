"""`wirebook model`: the models of this machine, listed, pulled, found and removed."""

import sys

import click
from wirebook_utils import UsageError
from wirebook_utils.local_model import DEFAULT, MODELS, Model, here, known, path_of, remove

from wirebook_cli.show import put, say


@click.group("model")
def model_command() -> None:
    """Pull a model to this machine, and see which are there."""


@model_command.command("list")
def list_models() -> None:
    """List the models that can be pulled, and whether they are here."""
    rows: list[str] = []
    for model in MODELS.values():
        state = "here" if path_of(model.name) else "not here"
        rows.append(f"{model.name:<20} {_size(model):>8}  {model.licence:<11} {state}")
        rows.append(f"    {model.summary}")
    put("\n".join(rows))


@model_command.command("pull")
@click.argument("name", default=DEFAULT)
@click.option("--yes", is_flag=True, help="Do not ask.")
def pull_model(name: str, yes: bool) -> None:
    """Pull NAME: verified by its sha256; what was broken off goes on."""
    from wirebook_utils.local_model.pull import pull

    model = known(name)
    if not path_of(name):
        say(f"{model.name}: {model.summary}. {_size(model)}, licence {model.licence}.")
        if not yes and not _agreed():
            raise UsageError("Not pulled. Agree, or add --yes.")
    hidden = not (sys.stderr and sys.stderr.isatty())
    with click.progressbar(length=model.bytes, file=sys.stderr, width=0, hidden=hidden) as bar:
        path = pull(name, told=lambda done: bar.update(max(0, done - bar.pos)))
    put(str(path))


@model_command.command("path")
@click.argument("name", default=DEFAULT)
def show_path(name: str) -> None:
    """Print where NAME is."""
    put(str(here(name)))


@model_command.command("remove")
@click.argument("name", default=DEFAULT)
def remove_model(name: str) -> None:
    """Delete NAME, half of it too."""
    say(f"{name}: {remove(name) / 1e6:,.0f} MB freed.")


def _agreed() -> bool:
    """Ask whoever sits there; without a terminal nobody has agreed."""
    return sys.stdin is not None and sys.stdin.isatty() and click.confirm("Pull it?", err=True)


def _size(model: Model) -> str:
    return f"{model.bytes / 1e6:,.0f} MB"
