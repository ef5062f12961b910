"""Every error a user can cause or meet, at a glance.

    EditMTError
    ├── InputError      something that was given is wrong: it says what and where
    └── MissingPackage  an optional package is needed: it names the extra to install

The command line prints any of them as one line and exits with `BAD_INPUT`.
"""

BAD_INPUT = 2


class EditMTError(Exception):
    """An error to be told in one line, without a traceback."""


class InputError(EditMTError):
    """What was given cannot be used; the message says what is wrong and where."""


class MissingPackage(EditMTError):  # noqa: N818 - a noun, like the other things that can be missing
    """An optional package is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs the package {package}: pip install 'editmt[{extra}]'")
