"""`core.pyi` says of `core.py` what is there, and nothing else."""

import ast
import inspect
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import wirebook
from wirebook import core

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

STUB = ast.parse(Path(core.__file__ or "").with_suffix(".pyi").read_text())
STUB_CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
CLASSES = {
    name: value
    for name, value in vars(core).items()
    if inspect.isclass(value) and value.__module__ == core.__name__
}
GENERIC = {"__class_getitem__"}  # `Generic` has it in the stub
PARTIAL = {"_ConditionalTransition"}  # its method is `functools.partial`'s


def stub_functions(body: list[ast.stmt]) -> dict[str, Function]:
    """Give the functions of a stub's class or module; of overloads the last."""
    return {n.name: n for n in body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}


def functions(owner: Any) -> dict[str, Any]:
    """Give the functions that a class or the module itself defines."""
    members: dict[str, Any] = {**owner.__dict__}
    return {
        name: value
        for name, value in members.items()
        if inspect.isfunction(value) and value.__module__ == core.__name__
    }


def stub_parameters(function: Function) -> list[tuple[str, Any]]:
    """Give names and defaults; which are positional-only differs on purpose."""
    args = function.args
    names = [arg.arg for arg in [*args.posonlyargs, *args.args]]
    defaults = [ast.literal_eval(default) for default in args.defaults]
    more = [arg.arg for arg in (args.vararg, args.kwarg) if arg]
    each = [*zip(names, [...] * (len(names) - len(defaults)) + defaults, strict=True)]
    return [*each, *((name, ...) for name in more)]


def parameters(function: Any) -> list[tuple[str, Any]]:
    """Give names and defaults of a function as it is."""
    return [
        (p.name, ... if p.default is p.empty else p.default)
        for p in inspect.signature(function).parameters.values()
    ]


def test_classes_are_the_same() -> None:
    """The stub has every class of the module, in the same order, and no other."""
    assert [*STUB_CLASSES] == [*CLASSES]


def test_other_names_are_the_same() -> None:
    """Functions and variables are the same; what only the stub needs is private."""
    annotated = [n.target for n in STUB.body if isinstance(n, ast.AnnAssign)]
    assigned = [target for n in STUB.body if isinstance(n, ast.Assign) for target in n.targets]
    names = {ast.unparse(target) for target in [*annotated, *assigned]}
    assert stub_functions(STUB.body).keys() == functions(core).keys()
    assert {name for name in names if not name.startswith("_")} == {"around"}


@pytest.mark.parametrize("name", CLASSES)
def test_inheritance_is_the_same(name: str) -> None:
    """Each class has the same bases in the same order, `Generic` left aside."""
    bases = [ast.unparse(base).split("[")[0].split(".")[-1] for base in STUB_CLASSES[name].bases]
    assert [b for b in bases if b != "Generic"] == [
        b.__name__ for b in CLASSES[name].__bases__ if b is not object
    ]


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in PARTIAL])
def test_methods_are_in_the_stub(name: str) -> None:
    """Each method that a class defines is in the stub's class or in one of its parents."""
    parents = [cls.__name__ for cls in CLASSES[name].__mro__ if cls is not object]
    known = {method for parent in parents for method in STUB_METHODS[parent]}
    assert functions(CLASSES[name]).keys() - GENERIC <= known


STUB_METHODS = {name: stub_functions(cls.body) for name, cls in STUB_CLASSES.items()}
METHODS = [(c, m) for c, methods in STUB_METHODS.items() for m in methods if c not in PARTIAL]


@pytest.mark.parametrize(("name", "method"), METHODS)
def test_parameters_are_the_same(name: str, method: str) -> None:
    """Each method of the stub exists, with these parameters and defaults."""
    stub, function = STUB_METHODS[name][method], getattr(CLASSES[name], method)
    assert stub_parameters(stub) == parameters(function)


@pytest.mark.parametrize(("name", "method"), METHODS)
def test_async_is_the_same(name: str, method: str) -> None:
    """A method is a coroutine function in both or in neither, where both define it."""
    function = functions(CLASSES[name]).get(method)
    if function is not None:
        stub = STUB_METHODS[name][method]
        assert isinstance(stub, ast.AsyncFunctionDef) is inspect.iscoroutinefunction(function)


def attributes() -> list[tuple[str, str]]:
    """Give class and name of every attribute that the stub declares."""
    return [
        (name, statement.target.id)
        for name, cls in STUB_CLASSES.items()
        for statement in cls.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    ]


@pytest.mark.parametrize(("name", "attribute"), attributes())
def test_attributes_are_there(name: str, attribute: str) -> None:
    """Each attribute of the stub is one of a new instance, or a slot that a run fills."""
    cls = CLASSES[name]
    assert attribute in vars(cls()) or attribute in dir(cls)


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - PARTIAL - {"_Parallel"}))
def test_attributes_are_in_the_stub(name: str) -> None:
    """Each attribute of a new instance is declared by its class or a parent."""
    declared = {a for c, a in attributes() if c in [cls.__name__ for cls in CLASSES[name].__mro__]}
    assert vars(CLASSES[name]()).keys() <= declared


def test_subscript_is_the_class_itself() -> None:
    """Types in brackets are for the checkers: at run time they are not there."""
    assert wirebook.Node[int, str, float] is wirebook.Node
    assert wirebook.Flow[int] is wirebook.Flow
    assert wirebook.AsyncBatchNode[int] is wirebook.AsyncBatchNode


def test_package_gives_the_classes_of_the_core() -> None:
    """What `wirebook` exports is what `core` defines, but for what is internal."""
    assert {*wirebook.__all__} == CLASSES.keys() - {"_Parallel"} | {"around"}
    assert [*wirebook.__all__] == sorted(wirebook.__all__)
    assert all(getattr(wirebook, name) is getattr(core, name) for name in wirebook.__all__)
