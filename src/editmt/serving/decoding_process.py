"""The program of a process that decodes for a server: it loads a model, and translates what it is sent.

    python -m editmt.serving.decoding_process FD THREADS [MODEL]

`Decoders` starts it, and talks to it over the socket FD in frames. When the model is loaded it sends None, or
else the `EditMTError`; then the answers to each list of questions, or None if it broke down on these. It ends
when the socket does, however the server ended, and heeds no signals: whoever tells a server to end may tell
all of its processes. Its priority is lower than the server's, which answers while all cores decode.
"""

import contextlib
import gc
import logging
import os
import signal
import socket
import sys
from io import BufferedRWPair
from pathlib import Path

from editmt.decoding.translator import Translator
from editmt.errors import EditMTError
from editmt.serving.answers import Answer, Question, shorten
from editmt.serving.frames import pack, read
from editmt.serving.reports import report

NICE = 5

log = logging.getLogger(__name__)


def work(stream: BufferedRWPair, threads: int, model: Path | None) -> None:
    """Translate until there is nobody to translate for."""
    try:
        translator = Translator.load(model, threads=threads)
    except EditMTError as error:
        _say(stream, error)
        return
    gc.freeze()  # what is there by now stays, and need not be looked through again
    _say(stream, None)
    while True:
        _say(stream, _answer(translator, read(stream)))


def _answer(translator: Translator, questions: list[Question]) -> list[Answer] | None:
    try:
        answers = translator.translate_all(question.request for question in questions)
        return [
            shorten(answer, trace=question.trace) for question, answer in zip(questions, answers, strict=True)
        ]
    except Exception as error:  # the process must live on
        report(error, log)
        return None


def _say(stream: BufferedRWPair, value: object) -> None:
    stream.write(pack(value))
    stream.flush()


if __name__ == "__main__":
    for told in (signal.SIGINT, signal.SIGTERM):
        signal.signal(told, signal.SIG_IGN)
    os.nice(NICE)
    logging.basicConfig(level=logging.WARNING, format="editmt: %(message)s", stream=sys.stderr)
    with (
        contextlib.suppress(EOFError, OSError),  # the server is gone
        socket.socket(fileno=int(sys.argv[1])) as connection,
        connection.makefile("rwb") as both,
    ):
        work(both, int(sys.argv[2]), Path(sys.argv[3]) if sys.argv[3:] else None)
