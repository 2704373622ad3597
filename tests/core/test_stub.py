"""The stub and the core agree: the same classes, methods, parameters and defaults."""

import ast
from pathlib import Path

import pytest
import wirebook
import wirebook.core

CORE = Path(wirebook.core.__file__)
Methods = dict[str, tuple[list[str], list[str]]]

# Names of the types, which the core does without.
TYPES_ONLY = {"Shared", "Prep", "Exec", "Item", "Result", "T", "AnyNode", "Action", "Params"}


def tree(path: Path) -> ast.Module:
    """Parse a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def signature(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[list[str], list[str]]:
    """Give the names and the defaults of the parameters; that hooks are positional is no matter."""
    arguments = function.args
    names = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return names, [ast.unparse(default) for default in arguments.defaults]


def classes(module: ast.Module) -> dict[str, tuple[list[str], Methods]]:
    """Give each class with its bases, without what `Generic` adds, and its methods."""
    found: dict[str, tuple[list[str], Methods]] = {}
    for cls in module.body:
        if isinstance(cls, ast.ClassDef):
            bases = [ast.unparse(base).partition("[")[0] for base in cls.bases]
            methods = {
                f.name: signature(f)
                for f in cls.body
                if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef)
            }
            found[cls.name] = [base for base in bases if base != "Generic"], methods
    return found


STUB, SOURCE = classes(tree(CORE.with_suffix(".pyi"))), classes(tree(CORE))


def test_same_classes_with_the_same_bases() -> None:
    """Both have the same classes, and each the same bases in the same order."""
    assert {name: bases for name, (bases, _) in STUB.items()} == {
        name: bases for name, (bases, _) in SOURCE.items()
    }


@pytest.mark.parametrize("name", SOURCE)
def test_methods_of_the_core_are_in_the_stub(name: str) -> None:
    """Every method of the core is in the stub of its class, or of one above, as it is."""
    mro = [cls.__name__ for cls in getattr(wirebook.core, name).__mro__]
    for method, parameters in SOURCE[name][1].items():
        if method in ("__class_getitem__", "__init_subclass__"):
            continue
        declared = [
            STUB[above][1][method] for above in mro if method in STUB.get(above, ([], {}))[1]
        ]
        assert declared, f"{name}.{method} is not in the stub"
        assert declared[0] == parameters, f"{name}.{method}"


@pytest.mark.parametrize("name", STUB)
def test_methods_of_the_stub_exist(name: str) -> None:
    """Every method that the stub promises is there, under the same parameters."""
    cls = getattr(wirebook.core, name)
    for method, (names, _) in STUB[name][1].items():
        assert hasattr(cls, method), f"{name}.{method} is promised and not there"
        code = getattr(getattr(cls, method), "__code__", None)
        if code and method in SOURCE[name][1]:
            assert [*code.co_varnames[: code.co_argcount]] == names


def test_module_names_agree() -> None:
    """Functions and variables are the same in both."""

    def names(module: ast.Module) -> set[str]:
        functions = {f.name for f in module.body if isinstance(f, ast.AsyncFunctionDef)}
        targets = [t for a in module.body if isinstance(a, ast.Assign) for t in a.targets]
        targets += [a.target for a in module.body if isinstance(a, ast.AnnAssign)]
        return functions | {t.id for t in targets if isinstance(t, ast.Name)}

    assert names(tree(CORE.with_suffix(".pyi"))) - TYPES_ONLY == names(tree(CORE))


def test_subscription_costs_nothing_at_run_time() -> None:
    """`Node[...]` is `Node` itself, for every class."""
    for name in wirebook.__all__:
        cls = getattr(wirebook, name)
        if isinstance(cls, type) and issubclass(cls, wirebook.BaseNode):
            assert cls[dict, str, int] is cls  # type: ignore[index]
