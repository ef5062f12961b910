"""Recipes, and their files from a mirror, a server on this machine, and archives."""

import gzip
import hashlib
import io
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from editmt.data.catalogue import RECIPES
from editmt.data.fetching import download, fetch_files
from editmt.data.passages import collect_splits
from editmt.data.progress import be_silent
from editmt.data.recipes import Passage, PublicFile, Recipe, find_recipe
from editmt.data.texts import MosesText, SentencePieceText
from editmt.errors import InputError

SHARED = Path(__file__).parents[3] / "shared" / "data"
CONTENT = bytes(range(256)) * 40
UNPUBLISHED = ("en-ro.txt.zip", "dev-romanian-updated.tgz", "test.tgz", "dev.tgz", "test-full.tgz")
"""WMT's archives whose SHA-256 nobody tells."""


def sha256(content):
    return hashlib.sha256(content).hexdigest()


class Server(BaseHTTPRequestHandler):
    """Serves `files`, with ranges; `broken_off` answers with half of what it promises."""

    ranges = True
    files: dict[str, bytes]
    requests: list[tuple[str, str | None]]

    def do_GET(self):
        wanted = self.headers.get("Range")
        self.requests.append((self.path, wanted))
        content = self.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        wanted = wanted if self.ranges else None
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted else 0
        if wanted and start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        body = content[start:]
        self.wfile.write(body[: len(body) // 2] if self.path == "/broken_off" and not wanted else body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    handler = type("Handler", (Server,), {"files": {}, "requests": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        handler.address = f"http://127.0.0.1:{running.server_port}"
        yield handler
        running.shutdown()
        thread.join()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "editmt" / "corpora"


def recipe(*files):
    passages = tuple(Passage(file) for file in files)
    return Recipe("toy.en-de", ("en", "de"), "https://example.org", "none", {"train": (passages,)})


def test_a_file_is_downloaded_once(server, cache):
    server.files = {"/a.gz": gzip.compress(b"text\n"), "/b": b"Text\n"}
    toy = recipe(
        PublicFile("toy", "a", sha256(b"text\n"), f"{server.address}/a.gz"),
        PublicFile("toy", "b", None, f"{server.address}/b"),
    )
    for _ in range(2):
        folder, records = fetch_files(toy, None, be_silent)
    assert folder == cache
    assert sorted(path.name for path in (cache / "toy").iterdir()) == ["a", "b"]
    assert (cache / "toy" / "a").read_bytes() == b"text\n"
    assert len(server.requests) == 2
    assert records["toy/a"]["verified"]
    assert not records["toy/b"]["verified"]
    assert records["toy/b"]["sha256"] == sha256(b"Text\n")


def test_a_download_that_broke_off_goes_on(server, tmp_path):
    server.files = {"/broken_off": CONTENT}
    path = tmp_path / "file"
    with pytest.raises(InputError, match=r"broke off after 5,120 of 10,240 bytes \(run again"):
        download(f"{server.address}/broken_off", path, be_silent)
    assert not path.exists()
    told = []
    download(f"{server.address}/broken_off", path, lambda *progress: told.append(progress))
    assert path.read_bytes() == CONTENT
    assert server.requests[-1] == ("/broken_off", "bytes=5120-")
    assert told[-1] == ("file", len(CONTENT), len(CONTENT))
    assert list(tmp_path.iterdir()) == [path]


def test_a_server_without_ranges_starts_anew(server, tmp_path):
    server.files, server.ranges = {"/whole": CONTENT}, False
    (tmp_path / "file.part").write_bytes(CONTENT[:99])
    download(f"{server.address}/whole", tmp_path / "file", be_silent)
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_download_killed_before_the_renaming(server, tmp_path):
    server.files = {"/whole": CONTENT}
    (tmp_path / "file.part").write_bytes(CONTENT)
    download(f"{server.address}/whole", tmp_path / "file", be_silent)
    assert (tmp_path / "file").read_bytes() == CONTENT


def test_a_wrong_checksum_is_refused_and_not_kept(server, cache):
    server.files = {"/a": b"other\n"}
    toy = recipe(PublicFile("toy", "a", sha256(b"text\n"), f"{server.address}/a"), PublicFile("toy", "b"))
    with pytest.raises(InputError, match=f"SHA-256 {sha256(server.files['/a'])}, not"):
        fetch_files(toy, None, be_silent)
    assert list((cache / "toy").iterdir()) == []


def test_a_damaged_gzip_is_refused_and_not_kept(server, cache):
    server.files = {"/a.gz": gzip.compress(CONTENT)[:-9]}
    toy = recipe(PublicFile("toy", "a", sha256(CONTENT), f"{server.address}/a.gz"), PublicFile("toy", "b"))
    with pytest.raises(InputError, match="not a whole gzip file"):
        fetch_files(toy, None, be_silent)
    assert not (cache / "toy" / "a").exists()
    assert not (cache / "toy" / "a.gz").exists()


def test_what_cannot_be_downloaded_is_said(server, cache):  # noqa: ARG001
    gone = PublicFile("toy", "a", None, f"{server.address}/gone")
    with pytest.raises(InputError, match="/gone: cannot be downloaded: 404"):
        fetch_files(recipe(gone, gone), None, be_silent)
    nobody = PublicFile("toy", "a", None, "http://127.0.0.1:9/a")
    with pytest.raises(InputError, match=r"127\.0\.0\.1:9/a: cannot be downloaded: .*refused"):
        fetch_files(recipe(nobody, nobody), None, be_silent)
    signed = PublicFile("toy", "a")
    with pytest.raises(InputError, match=r"toy/a is not offered .* from https://example\.org and pass"):
        fetch_files(recipe(signed, signed), None, be_silent)


def test_a_mirror_is_checked_and_never_changed(tmp_path):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "a").write_bytes(b"other\n")
    file = PublicFile("toy", "a", sha256(b"text\n"))
    with pytest.raises(InputError, match=r"toy/a: not the file of the recipe"):
        fetch_files(recipe(file, file), tmp_path, be_silent)
    assert (tmp_path / "toy" / "a").read_bytes() == b"other\n"
    with pytest.raises(InputError, match="toy/b: the file is missing from the mirror"):
        fetch_files(recipe(PublicFile("toy", "b"), file), tmp_path, be_silent)


def make_archives(folder):
    folder.mkdir()
    with tarfile.open(folder / "a.tgz", "w:gz") as archive:
        for name, content in (("t/x.en", b"a\nb\n"), ("t/x.de", b"A\nB\n")):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    with zipfile.ZipFile(folder / "b.zip", "w") as archive:
        archive.writestr("y.en.sgm", '<doc><p>\n<seg id="1">c &lt; d</seg>\n</p></doc>')
        archive.writestr("y.de.sgm", '<doc><seg id="1">C &lt; D </seg></doc>')


def test_archives_are_read_and_parts_joined(tmp_path):
    make_archives(tmp_path / "toy")
    tar, packed = PublicFile("toy", "a.tgz"), PublicFile("toy", "b.zip")
    parts = (
        (Passage(tar, "t/x.en"), Passage(tar, "t/x.de")),
        (Passage(packed, "y.en.sgm"), Passage(packed, "y.de.sgm")),
    )
    toy = Recipe("toy", ("en", "de"), "", "", {"train": parts})
    train = collect_splits(toy, tmp_path, tmp_path / "work")["train"]
    assert train.source.read_text() == "a\nb\nc < d\n"
    assert train.target.read_text() == "A\nB\nC < D\n"


def test_broken_archives_are_said(tmp_path):
    make_archives(tmp_path / "toy")
    tar = PublicFile("toy", "a.tgz")
    absent = Recipe("toy", ("en", "de"), "", "", {"train": ((Passage(tar, "no"), Passage(tar, "no")),)})
    with pytest.raises(InputError, match=r"a\.tgz: there is no no in it"):
        collect_splits(absent, tmp_path, tmp_path / "work")
    (tmp_path / "toy" / "a.tgz").write_bytes(b"nonsense")
    with pytest.raises(InputError, match=r"a\.tgz: not a whole archive"):
        collect_splits(absent, tmp_path, tmp_path / "work")


def test_the_nearest_name_is_offered():
    with pytest.raises(InputError, match=r"'multi30k\.de-en'; did you mean multi30k\.en-de\?"):
        find_recipe("multi30k.de-en")
    with pytest.raises(InputError, match=r"there are: multi30k\.en-de, "):
        find_recipe("?")


def test_the_papers_tasks():
    assert find_recipe("wmt16.ro-en").text == MosesText(("ro", "en"), 40_000)
    assert find_recipe("wmt14.en-de").text == MosesText(("en", "de"), 37_000)
    assert find_recipe("wat17.en-ja").text == SentencePieceText(16_384, "unigram", joint=False)


@pytest.mark.parametrize("name", list(RECIPES))
def test_recipes_are_consistent(name):
    found = RECIPES[name]
    assert (found.name, "-".join(found.languages)) == (name, name.split(".")[1])
    assert "train" in found.splits
    for file in found.files():
        assert file.url is None or file.url.startswith(("http://", "https://"))
        assert file.sha256 is not None or file.corpus == "wat17.en-ja" or file.name in UNPUBLISHED


@pytest.mark.skipif(not SHARED.exists(), reason="the corpora are not here")
@pytest.mark.parametrize("name", [name for name in RECIPES if not name.startswith(("wmt", "wat"))])
def test_the_shared_corpora_are_those_of_the_recipes(name):
    fetch_files(find_recipe(name), SHARED, be_silent)
