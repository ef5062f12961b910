"""Tables, as TOML and JSON have them, to dataclasses and back.

An unknown key is refused with the nearest right one, a value of the wrong type with what is right.
"""

import dataclasses
import difflib
import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from editmt.errors import InputError


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file, or say what is wrong with it."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not valid TOML: {error}") from None


Built = TypeVar("Built")


def build(kind: type[Built], table: Any, where: str) -> Built:
    """Make a dataclass of a table, checking names and types all the way down."""
    if not isinstance(table, dict):
        raise InputError(f"{where} is not a table")
    hints = get_type_hints(kind)
    for key in table:
        if key not in hints:
            raise InputError(f"unknown key {_join(where, key)}{nearest(key, list(hints))}")
    given = {key: _convert(hints[key], value, _join(where, key)) for key, value in table.items()}
    for part in dataclasses.fields(kind):  # type: ignore[arg-type]
        required = part.default is dataclasses.MISSING and part.default_factory is dataclasses.MISSING
        if required and part.name not in table:
            raise InputError(f"{_join(where, part.name)} is missing")
    return kind(**given)


def to_table(config: Any) -> dict[str, Any]:
    """Return the whole configuration, defaults included, as JSON can hold it."""
    return dataclasses.asdict(config)


def _convert(hint: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(hint):
        return build(hint, value, where)  # type: ignore[arg-type]
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise InputError(f"{where} is {value!r}, not one of: {', '.join(map(repr, get_args(hint)))}")
        return value
    if get_origin(hint) in (tuple, dict):
        return _convert_many(hint, value, where)
    if hint == float | None:
        return None if value is None else _convert(float, value, where)
    if hint is float and type(value) is int:
        value = float(value)
    if type(value) is not hint:
        raise InputError(f"{where} is {value!r}, not of type {hint.__name__}")
    if hint in (int, float) and value < 0:
        raise InputError(f"{where} is negative")
    return value


def _convert_many(hint: Any, value: Any, where: str) -> Any:
    """Convert a list of fixed or any length, or a table with any keys."""
    kinds = get_args(hint)
    if get_origin(hint) is dict:
        if not isinstance(value, dict):
            raise InputError(f"{where} is not a table")
        return {key: _convert(kinds[1], item, _join(where, key)) for key, item in value.items()}
    if kinds[-1] is Ellipsis:
        if not isinstance(value, list | tuple):
            raise InputError(f"{where} is {value!r}, not a list")
        kinds = kinds[:1] * len(value)
    if not isinstance(value, list | tuple) or len(value) != len(kinds):
        raise InputError(f"{where} is {value!r}, not a list of {len(kinds)} numbers")
    return tuple(_convert(kind, item, where) for kind, item in zip(kinds, value, strict=True))


def nearest(name: str, names: list[str]) -> str:
    """Return how a message goes on about a name that there is not.

    >>> nearest("kidn", ["kind", "width"])
    ", did you mean 'kind'?"
    """
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    return f", did you mean {near[0]!r}?" if near else f"; it may be one of: {', '.join(names)}"


def _join(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
