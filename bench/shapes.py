"""What is measured: five shapes of work, their right answers, and the targets for the core.

Only the standard library is imported: the workers read this file in environments of their own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

# One run of a shape. It gives the answer or, for the shapes that wait, something to await.
Run: TypeAlias = Callable[[], object]
# Builds a run of N steps or items. What is built here is not timed.
Build: TypeAlias = Callable[[int], Run]


@dataclass(frozen=True)
class Target:
    """The times of the core over those of PocketFlow: at most `first`, and `then` later."""

    first: float
    then: float | None = None


@dataclass(frozen=True)
class Shape:
    """A kind of work. `n` steps or items make one run, `unit` is one of them."""

    name: str
    n: int
    unit: str
    target: Target | None = None
    waits: bool = False


@dataclass(frozen=True)
class Contender:
    """How one library does the shapes, by their names; one that it does not have is left out.

    `imports` is the module whose import is timed, `versions` what to print, by distribution.
    """

    imports: str
    versions: Mapping[str, str]
    builds: Mapping[str, Build]


IMPORT = "import"
SHAPES = (
    Shape("sync step", 1000, "step", Target(1.15, 1.0)),
    Shape("async step", 1000, "step", Target(1.15, 1.0), waits=True),
    Shape("batch item", 1000, "item", Target(3, 1.5)),
    Shape("parallel item", 1000, "item", Target(1.25), waits=True),
    Shape(IMPORT, 1, "import"),
)


def right_answer(shape: str, n: int) -> object:
    """Give what a run of `n` steps or items has to give: the count, or the items plus one."""
    return n if shape.endswith("step") else list(range(1, n + 1))
