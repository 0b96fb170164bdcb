"""The stub names what the module has, with the same parameters, and says what each item is."""

import ast
import inspect
from pathlib import Path

import hashfall
from hashfall import _hashfall

STUB = ast.parse((Path(hashfall.__file__).parent / "_hashfall.pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}


def parameters(node):
    """The names of a function's parameters, without `self`."""
    names = [arg.arg for arg in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
    return [name for name in names if name != "self"]


def own(name):
    return not name.startswith("_")


def test_the_stub_has_all_that_the_module_has():
    names = {name for name in vars(_hashfall) if own(name)}
    assert names == {name for name in {**CLASSES, **FUNCTIONS} if own(name)}
    assert names - {"main", "read_mesh", "read_particles"} <= set(hashfall.__all__)


def test_classes_have_the_same_members():
    for name, node in CLASSES.items():
        runtime = {member for member in vars(getattr(_hashfall, name)) if own(member)}
        methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
        if not name.endswith(("Error", "Warning")):
            assert {member for member in methods if own(member)} == runtime, name
        for member, item in methods.items():
            assert not own(member) or item.decorator_list or ast.get_docstring(item), member
            if own(member) and not item.decorator_list:
                function = getattr(getattr(_hashfall, name), member)
                told = [arg for arg in inspect.signature(function).parameters if arg != "self"]
                assert parameters(item) == told, f"{name}.{member}"


def test_functions_have_the_same_parameters():
    for name, node in FUNCTIONS.items():
        assert parameters(node) == list(inspect.signature(getattr(_hashfall, name)).parameters)
    methods = {getattr(item, "name", ""): item for item in CLASSES["Simulation"].body}
    init = methods["__init__"]
    assert parameters(init) == list(inspect.signature(hashfall.Simulation).parameters)


def test_classes_and_functions_say_what_they_are():
    for name in hashfall.__all__:
        assert name == "__version__" or getattr(hashfall, name).__doc__, name
