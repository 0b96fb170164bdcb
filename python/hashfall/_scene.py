"""Scenes and settings of Python as texts."""

import json
from typing import Any


def _plain(value: Any) -> Any:
    """Arrays and numbers of numpy as lists and numbers."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    raise TypeError(f"a scene cannot hold {value!r}")


def to_json(scene: dict) -> str:
    """A scene as JSON, in lines that errors can show."""
    return json.dumps(scene, indent=1, default=_plain, allow_nan=False, ensure_ascii=False)


def to_ron(value: Any) -> str:
    """A setting as `--set` takes it; a text is taken as it is."""
    if isinstance(value, str):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, (int, float)):
        return repr(value)
    if _has_dict(value):
        # `--set` takes JSON, too, whose lists are vectors and whose objects are groups.
        return json.dumps(value, default=_plain, allow_nan=False, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        opening, closing = "[]" if isinstance(value, list) else "()"
        return opening + ", ".join(map(to_ron, value)) + closing
    raise TypeError(f"a setting is a text, a number, a list, a tuple or a dict, not {value!r}")


def _has_dict(value: Any) -> bool:
    items = value if isinstance(value, (list, tuple)) else ()
    return isinstance(value, dict) or any(map(_has_dict, items))
