"""`editmt serve` and `editmt keys` as a user runs them."""

import os
import re
import signal
import socket
import subprocess
import sys

import httpx
import pytest

from editmt.cli.main import main
from editmt.data.texts import Texts
from editmt.models.saved import save_model, weights_of
from tests.constraints import PIPELINE
from tests.tiny import tiny_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the model `editor`, which has learnt nothing."""
    folder = tmp_path_factory.mktemp("serve")
    model = tiny_model(vocabulary=len(PIPELINE.vocabulary))
    save_model(folder / "editor", model.config, weights_of(model), Texts(PIPELINE, PIPELINE))
    return folder


def test_a_model_is_served(folder, tmp_path):
    command = [sys.executable, "-m", "editmt", "serve", "--model", "editor", "--languages", "en-de"]
    process = subprocess.Popen(
        [*command, "--port", "0", "--data", str(tmp_path), "--threads", "1", "--drain", "0"],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )
    url = re.search(r"http://[\d.:]+", process.stderr.readline())[0]
    with httpx.Client(base_url=url, timeout=30) as client:
        body = {"texts": ["1 2 3", {"text": "4 5", "hard": ["7 7"]}], "trace": True}
        first, second = client.post("/v1/translate", json=body).json()["translations"]
        assert "7 7" in second["text"]
        assert second["trace"]["first"][0] == "<s>"
        assert first["words"]
        assert client.get("/v1/models").json()["models"][0]["name"] == "editor"
        assert "<title>EditMT" in client.get("/").text
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[1]
    assert (process.returncode, said) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--languages", "en-de", "--host", "0.0.0.0"], "needs API keys, and there is none yet"),
        ([], "does not say its languages: --languages en-de"),
        (["--languages", "english"], "--languages is 'english'"),
        (["--languages", "en-de", "--port", "70000"], "the port is 70000"),
        (["--languages", "en-de", "--queue", "0"], "0 is too small"),
        (["--languages", "en-de", "--host", "no.such.host.example", "--require-keys"], "needs API keys"),
        (["--languages", "en-de", "--data", "/proc/none"], "/proc/none/editmt.sqlite: cannot be used"),
    ],
)
def test_what_is_wrong_is_said(folder, tmp_path, capfd, arguments, message):
    model = str(folder / "editor")
    code = main(["serve", "--model", model, "--data", str(tmp_path), "--threads", "1", *arguments])
    assert code == 2
    assert message in capfd.readouterr().err.splitlines()[-1]


def test_a_port_that_is_taken(folder, tmp_path, capfd):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        given = ["--languages", "en-de", "--port", port, "--data", str(tmp_path), "--threads", "1"]
        code = main(["serve", "--model", str(folder / "editor"), *given])
    assert code == 2
    assert f"127.0.0.1:{port}: cannot listen there" in capfd.readouterr().err


def test_keys(tmp_path, capfd):
    def run(*arguments):
        code = main(["keys", *arguments, "--data", str(tmp_path)])
        said = capfd.readouterr()
        return code, said.out, said.err

    code, key, _ = run("add", "anna", "--quota", "1000")
    assert (code, len(key.strip()) > 40) == (0, True)
    assert run("add", "anna") == (2, "", "editmt: there is a key named 'anna' already\n")
    assert "1,000 characters a month" in run("list")[1]
    assert run("remove", "anna")[0] == 0
    assert run("remove", "anna")[2] == "editmt: there is no key named 'anna'\n"
    assert run("list") == (0, "", "")
