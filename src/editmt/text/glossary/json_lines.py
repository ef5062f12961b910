"""Our own form of a glossary: an entry a line, with all that one can say."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from editmt.errors import InputError
from editmt.records import JsonObject, is_encodable, parse_json, write_json_line
from editmt.text.glossary.entry import (
    CASE_RULES,
    STATUSES,
    CaseRule,
    Entry,
    Extra,
    Problem,
    Status,
    Target,
)
from editmt.text.phrases import tidy

VERBATIM_STATUS = "do not translate"
_TEXTS = ("source_language", "target_language", "part_of_speech", "note", "definition", "subject", "concept")
_FIELDS = dict.fromkeys(("source", "target", "targets", "case", "status", "extra", *_TEXTS))
_TARGET_FIELDS = dict.fromkeys(("text", "status", "part_of_speech", "note", "extra"))


def read_json_lines(text: str, languages: tuple[str, str] = ("", "")) -> tuple[list[Entry], list[Problem]]:
    """Read the lines that can be read, and say what is wrong with the others."""
    entries, problems = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
            if "\\" in line:
                _check_characters(record)
            entries.append(_read_entry(record, languages, number))
        except InputError as error:
            problems.append(Problem(number, str(error)))
    return entries, problems


def write_json_lines(entries: Iterable[Entry]) -> str:
    """Return the entries, one a line; what is not said is left out."""
    return "".join(write_json_line(describe(entry)) + "\n" for entry in entries)


def describe(entry: Entry) -> JsonObject:
    """Return an entry as a JSON object.

    >>> describe(Entry("driver", (Target("Treiber"), Target("Driver", "forbidden")), case="any"))
    {'source': 'driver', 'targets': ['Treiber', {'text': 'Driver', 'status': 'forbidden'}], 'case': 'any'}
    """
    record: JsonObject = {"source": entry.source}
    if entry.targets:
        record["targets"] = [_describe_target(target) for target in entry.targets]
    if entry.case != "auto":
        record["case"] = entry.case
    if entry.verbatim:
        record["status"] = VERBATIM_STATUS
    record |= {name: value for name in _TEXTS if (value := getattr(entry, name))}
    return record | ({"extra": _describe_extra(entry.extra)} if entry.extra else {})


def _describe_target(target: Target) -> str | JsonObject:
    record: JsonObject = {"text": target.text}
    if target.status != "preferred":
        record["status"] = target.status
    record |= {name: value for name in ("part_of_speech", "note") if (value := getattr(target, name))}
    record |= {"extra": _describe_extra(target.extra)} if target.extra else {}
    return target.text if len(record) == 1 else record


def _describe_extra(extra: Extra) -> JsonObject:
    """Return what else there is by its name: a text, or a list of texts where a name is there repeatedly."""
    found: dict[str, list[str]] = {}
    for name, value in extra:
        found.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _read_entry(record: JsonObject, languages: tuple[str, str], line: int) -> Entry:
    if not record.keys() <= _FIELDS.keys():
        _refuse_names(record, _FIELDS)
    status = _choice(record, "status", (*STATUSES, VERBATIM_STATUS), "preferred")
    targets = record.get("targets") or ()
    _check(isinstance(targets, list | tuple), "'targets' is not a list")
    if record.get("target") is not None:
        targets = [record["target"], *targets]
    verbatim = status == VERBATIM_STATUS
    given = cast("Status", "preferred" if verbatim else status)
    texts = {name: _text(record, name) for name in record if name in _TEXTS}
    source_language = texts.pop("source_language", "") or languages[0]
    target_language = texts.pop("target_language", "") or languages[1]
    return Entry(
        _term(record.get("source"), "source"),
        tuple([_read_target(target, given) for target in targets]),
        source_language,
        target_language,
        cast("CaseRule", _choice(record, "case", CASE_RULES, "auto")),
        verbatim=verbatim,
        extra=_extra(record),
        line=line,
        **texts,
    )


def _read_target(target: Any, status: Status) -> Target:
    if isinstance(target, str):
        return Target(_term(target, "target"), status)
    _check(isinstance(target, dict), "a target is neither a text nor an object")
    if not target.keys() <= _TARGET_FIELDS.keys():
        _refuse_names(target, _TARGET_FIELDS)
    return Target(
        _term(target.get("text"), "target"),
        cast("Status", _choice(target, "status", STATUSES, status)),
        _text(target, "part_of_speech"),
        _text(target, "note"),
        _extra(target),
    )


def _term(value: object, side: str) -> str:
    term = tidy(value) if isinstance(value, str) else ""
    _check(bool(term), f"no {side} term")
    return term


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    if value is None:
        return ""
    _check(isinstance(value, str), f"{name!r} is not a text")
    return str(value)


def _extra(record: Mapping[str, Any]) -> Extra:
    extra = record.get("extra")
    if not extra:
        return ()
    _check(isinstance(extra, dict), "'extra' is not an object")
    given = [(name, value if isinstance(value, list) else [value]) for name, value in extra.items()]
    _check(all(isinstance(value, str) for _, values in given for value in values), "'extra' has no texts")
    return tuple([(name, value) for name, values in given for value in values])


def _choice(record: Mapping[str, Any], name: str, choices: tuple[str, ...], default: str) -> str:
    value = record.get(name)
    if value is None:
        return default
    _check(value in choices, f"{name} {value!r} is none of: {', '.join(choices)}")
    return str(value)


def _check_characters(record: JsonObject) -> None:
    """Refuse a record in which an escape is half a character."""
    if not is_encodable(json.dumps(record, ensure_ascii=False)):
        raise InputError("half a surrogate pair is no character")


def _refuse_names(record: Mapping[str, Any], names: Mapping[str, None]) -> None:
    strange = next(name for name in record if name not in names)
    raise InputError(f"there is no field {strange!r} (only: {', '.join(names)})")


def _check(condition: bool, reason: str) -> None:
    if not condition:
        raise InputError(reason)
