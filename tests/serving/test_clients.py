"""The real clients of other services: the server is right if they are content."""

import contextlib
import json
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import deepl
import pytest
from libretranslatepy import LibreTranslateAPI

from editmt.serving.settings import BatchLimits
from tests.serving.echo import echo_service
from tests.serving.running import listening

TEXT = "The old sea."
ENTRIES = {"sea": "Meer", "old ship": "altes Schiff"}


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with listening(echo_service(tmp_path_factory.mktemp("server"))) as url:
        yield url


@pytest.fixture(scope="module")
def client(url):
    with contextlib.closing(deepl.DeepLClient("any", server_url=url)) as client:
        yield client


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """The client's own retries of 429 and 5xx take half a minute."""
    monkeypatch.setattr(deepl.http_client, "max_network_retries", 0)


def test_deepl_translates_one_text_and_several(client):
    result = client.translate_text(TEXT, target_lang="DE")
    assert (result.text, result.detected_source_lang, result.billed_characters) == (TEXT, "EN", 12)
    both = client.translate_text([TEXT, "A man. A boat."], source_lang="en", target_lang="de")
    assert [each.text for each in both] == [TEXT, "A man. A boat."]


def test_deepl_keeps_white_space_and_markup(client):
    text = "The <b>old</b> sea.\n\n  A man has {count} boats. "
    assert client.translate_text(text, target_lang="DE", tag_handling="html").text.count("<b>old</b>") == 1
    weblate = 'Hello <x id="7"></x> sea'
    result = client.translate_text(weblate, target_lang="DE", tag_handling="xml", ignore_tags=["x"])
    assert '<x id="7"></x>' in result.text
    kept = "An <code>old sea</code> boat"
    glossary = client.create_glossary("g", "en", "de", {"sea": "Meer"})
    options = {"source_lang": "EN", "target_lang": "DE", "glossary": glossary, "tag_handling": "xml"}
    assert "<code>old sea</code>" in client.translate_text(kept, ignore_tags="code", **options).text
    assert "Meer" in client.translate_text(kept, **options).text


def test_deepl_knows_the_languages_and_the_usage(client):
    assert [language.code for language in client.get_source_languages()] == ["EN"]
    assert [language.code for language in client.get_target_languages()] == ["DE"]
    before = client.get_usage().character.count
    client.translate_text("twelve chars", target_lang="DE")
    usage = client.get_usage()
    assert usage.character.count == before + 12
    assert not usage.any_limit_reached
    (pair,) = client.get_glossary_languages()
    assert (pair.source_lang, pair.target_lang) == ("en", "de")


def test_deepl_glossaries_live_and_die(client):
    made = client.create_glossary("ours", source_lang="EN", target_lang="DE", entries=ENTRIES)
    assert (made.name, made.ready, made.entry_count) == ("ours", True, 2)
    assert made.glossary_id in [each.glossary_id for each in client.list_glossaries()]
    assert client.get_glossary(made.glossary_id).creation_time == made.creation_time
    assert client.get_glossary_entries(made) == ENTRIES
    result = client.translate_text_with_glossary([TEXT, "Old ships."], made)
    assert "Meer" in result[0].text
    assert "ltes Schiff" in result[1].text, "the plural is found, too"
    client.delete_glossary(made)
    for gone in (client.get_glossary, client.get_glossary_entries, client.delete_glossary):
        with pytest.raises(deepl.GlossaryNotFoundException):
            gone(made.glossary_id)
    with pytest.raises(deepl.DeepLException, match="no such glossary"):
        client.translate_text(TEXT, source_lang="EN", target_lang="DE", glossary=made.glossary_id)


def test_deepl_glossaries_from_csv(client):
    csv = 'sea,Meer\n"salt, fine","Salz, fein",en,de\n'
    made = client.create_glossary_from_csv("csv", "EN", "DE", csv)
    assert client.get_glossary_entries(made) == {"sea": "Meer", "salt, fine": "Salz, fein"}


def test_deepl_multilingual_glossaries(client):
    entries = deepl.api_data.MultilingualGlossaryDictionaryEntries
    made = client.create_multilingual_glossary(
        "m", [entries("EN", "DE", ENTRIES), entries("DE", "EN", {"x": "y"})]
    )
    assert len(made.dictionaries) == 2
    identity = made.glossary_id
    assert identity in [each.glossary_id for each in client.list_multilingual_glossaries()]
    (found,) = client.get_multilingual_glossary_entries(made, "EN", "DE").dictionaries
    assert found.entries == ENTRIES or found.entries == "\n".join(map("\t".join, ENTRIES.items()))
    assert "Meer" in client.translate_text(TEXT, source_lang="EN", target_lang="DE", glossary=made).text
    assert client.update_multilingual_glossary_name(made, "renamed").name == "renamed"
    added = client.update_multilingual_glossary_dictionary(
        made, entries("EN", "DE", {"sea": "See", "man": "Mann"})
    )
    assert {(each.source_lang, each.entry_count) for each in added.dictionaries} == {("EN", 3), ("DE", 1)}
    assert "See" in client.translate_text(TEXT, source_lang="EN", target_lang="DE", glossary=made).text
    replaced = client.replace_multilingual_glossary_dictionary(made, entries("EN", "DE", {"sea": "Ozean"}))
    assert replaced.entry_count == 1
    client.delete_multilingual_glossary_dictionary(made, source_lang="DE", target_lang="EN")
    assert len(client.get_multilingual_glossary(identity).dictionaries) == 1
    client.delete_multilingual_glossary(made)
    with pytest.raises(deepl.GlossaryNotFoundException):
        client.get_multilingual_glossary(identity)


BAD_ENTRIES = ["sea", "sea\t", "\tMeer", "sea\tMeer\nsea\tSee", "a\tb\tc", "x" * 1025 + "\ty", " "]


@pytest.mark.parametrize("entries", BAD_ENTRIES, ids=range(len(BAD_ENTRIES)))
def test_deepl_says_what_is_wrong_with_entries(client, entries):
    data = {"name": "bad", "source_lang": "en", "target_lang": "de", "entries_format": "tsv"}
    status, _, answer = client._api_call("v2/glossaries", json=data | {"entries": entries})
    assert status == 400
    assert "line " in answer["message"] or "no entries" in answer["message"]


def test_deepl_errors_are_its_exceptions(tmp_path):
    service = echo_service(tmp_path, require_keys=True)
    key, poor = service.keys.add("anna"), service.keys.add("poor", quota=5)

    def ask(key, **changes):
        with contextlib.closing(deepl.DeepLClient(key, server_url=url)) as client:
            return client.translate_text(TEXT, **({"target_lang": "DE"} | changes))

    with listening(service) as url:
        assert ask(key).text == TEXT
        with pytest.raises(deepl.AuthorizationException):
            ask("wrong")
        with pytest.raises(deepl.QuotaExceededException):
            ask(poor)
        with pytest.raises(deepl.DeepLException, match="'FR' is not supported") as bad:
            ask(key, target_lang="FR")
        assert bad.value.http_status_code == 400
        with pytest.raises(deepl.DeepLException, match="'JA' is not supported"):
            ask(key, source_lang="JA")
        with pytest.raises(deepl.DeepLException) as large:
            ask(key, context="x" * 200_000)
        assert large.value.http_status_code == 413
        with pytest.raises(deepl.DeepLException, match=f"'{'X' * 40}…' is not supported"):
            ask(key, target_lang="X" * 10_000)


def test_deepl_takes_a_full_queue_for_too_many_requests(tmp_path):
    service = echo_service(tmp_path, batches=BatchLimits(waiting_texts=0))
    with (
        listening(service) as url,
        contextlib.closing(deepl.DeepLClient("any", server_url=url)) as client,
        pytest.raises(deepl.TooManyRequestsException),
    ):
        client.translate_text(TEXT, target_lang="DE")


def test_deepls_command_line(url):
    command = [sys.executable, "-m", "deepl", "--auth-key", "any", "--server-url", url]

    def run(*arguments):
        return subprocess.run([*command, *arguments], capture_output=True, text=True, check=True).stdout

    assert run("text", "--to", "DE", TEXT) == TEXT + "\n"
    assert "DE: German" in run("languages")


def test_libretranslate(url):
    client = LibreTranslateAPI(url)
    assert client.translate(TEXT, "en", "de") == TEXT
    assert client.translate(TEXT, "auto", "de") == TEXT
    assert [language["code"] for language in client.languages()] == ["en", "de"]
    assert client.detect("the old man and the sea")[0]["language"] == "en"
    assert client.detect("der alte Mann und das Meer")[0]["language"] == "de"
    with pytest.raises(urllib.error.HTTPError) as error:
        client.translate(TEXT, "en", "fr")
    assert error.value.code == 400
    assert "not supported" in json.load(error.value)["error"]


def test_libretranslates_key_may_be_in_the_body(tmp_path):
    service = echo_service(tmp_path, require_keys=True)
    key = service.keys.add("anna")
    with listening(service) as url:
        assert LibreTranslateAPI(url, key).translate(TEXT, "en", "de") == TEXT
        for wrong in (None, "wrong"):
            with pytest.raises(urllib.error.HTTPError) as error:
                LibreTranslateAPI(url, wrong).translate(TEXT, "en", "de")
            assert error.value.code == 403
            error.value.close()


def post(url, data=b"", **headers):
    request = urllib.request.Request(url, data, headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_libretranslate_takes_a_query_a_form_and_json(url):
    fields = {"q": TEXT, "source": "en", "target": "de"}
    query = urllib.parse.urlencode(fields)
    expected = {"translatedText": TEXT}
    assert post(f"{url}/translate?{query}") == expected, "deep-translator does so"
    assert post(f"{url}/translate", query.encode()) == expected
    as_json = {"Content-Type": "application/json"}
    assert post(f"{url}/translate", json.dumps(fields).encode(), **as_json) == expected
    several = json.dumps(fields | {"q": [TEXT, "A man."]}).encode()
    assert post(f"{url}/translate", several, **as_json) == {"translatedText": [TEXT, "A man."]}


NODE = Path(__file__).parent / "deepl_node.mjs"


@pytest.mark.slow
def test_deepl_node(url, tmp_path):
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--prefix", tmp_path, "deepl-node@1.28.0"], check=True
    )
    script = tmp_path / NODE.name
    script.write_text(NODE.read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run(["node", script, url], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "content\n"), done.stderr
