"""The program of a process that decodes for a server: it loads a model, and translates what it is sent.

    python -m editmt.serving.decoding_process FD THREADS [MODEL]

`Decoders` starts it, and talks to it over the socket FD. When the model is loaded it sends None, or else the
`EditMTError`; then the answers to each list of requests, or None if it broke down on these. It ends when the
socket does, however the server ended.
"""

import contextlib
import logging
import sys
from multiprocessing.connection import Connection
from pathlib import Path

from editmt.decoding.translator import Translator
from editmt.errors import EditMTError
from editmt.serving.problems import report

log = logging.getLogger(__name__)


def work(connection: Connection, threads: int, model: Path | None) -> None:
    """Translate until there is nobody to translate for."""
    try:
        translator = Translator.load(model, threads=threads)
    except EditMTError as error:
        connection.send(error)
        return
    connection.send(None)
    while True:
        requests = connection.recv()
        try:
            answers = translator.translate_all(requests)
        except Exception as error:  # the process must live on
            report(error, log)
            connection.send(None)
        else:
            connection.send(answers)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="editmt: %(message)s", stream=sys.stderr)
    with contextlib.suppress(EOFError, OSError):  # the server is gone
        work(Connection(int(sys.argv[1])), int(sys.argv[2]), Path(sys.argv[3]) if sys.argv[3:] else None)
