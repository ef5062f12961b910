"""What is not to be translated of a text with markup is hidden, and comes back."""

import json
import time
import urllib.error

import pytest

from editmt.serving.hiding import HiddenMarkup
from tests.serving.echo import echo_service
from tests.serving.running import listening
from tests.serving.test_clients import post

AS_JSON = {"Content-Type": "application/json"}
HIDDEN_IN_HTML = {
    "<p>sea</p><script>let a = 'old sea';</script>": ["<script>let a = 'old sea';</script>"],
    "<STYLE>p { color: red }</STYLE>sea": ["<STYLE>p { color: red }</STYLE>"],
    'An <b translate="no">old <i>sea</i></b>, a sea': ['<b translate="no">old <i>sea</i></b>'],
    "<b class='x notranslate y'>old</b> sea": ["<b class='x notranslate y'>old</b>"],
    '<b class="notranslated" translate="yes">old</b> sea': [],
    "<script>no end, sea": [],
}


@pytest.mark.parametrize("text", HIDDEN_IN_HTML)
def test_what_html_has_for_programs_is_hidden(text):
    hidden = HiddenMarkup(text, (), is_html=True)
    assert list(hidden._hidden.values()) == HIDDEN_IN_HTML[text]
    assert hidden.restore(hidden.segment.text) == text


def test_in_xml_there_are_no_such_elements():
    assert not HiddenMarkup('<script>sea</script> <b translate="no">old</b>', ())._hidden


@pytest.mark.parametrize(
    "element",
    ["<k>com<k>put</k>er</k>", "<k/>", '<k a="1 > 0"></k>', "<K>old</K>", "<k>a<m>b</m></k>", "<k\n>a</k >"],
)
def test_an_ignored_element_is_hidden_with_all_that_is_in_it(element):
    hidden = HiddenMarkup(f"A {element} sea <m>x</m>", ["k "])
    assert list(hidden._hidden.values()) == [element]


def test_references_to_characters_are_read_but_where_markup_needs_them():
    text = (
        '<a title="&quot;">I don&#39;t know the caf&eacute;&nbsp;&quot;Sea&quot; &lt;3 &amp; &#0;&#xD800;</a>'
    )
    read = '<a title="&quot;">I don\'t know the café&nbsp;"Sea" &lt;3 &amp; &#0;&#xD800;</a>'
    assert HiddenMarkup(text, ()).segment.text == read


def test_more_elements_than_there_are_characters_for_them():
    text = "<k>a</k>" * 7_000
    hidden = HiddenMarkup(text, ["k"])
    assert hidden.restore(hidden.segment.text) == text


def test_elements_without_an_end_take_no_longer():
    began = time.perf_counter()
    HiddenMarkup("<k>" * 40_000, ["k"])
    assert time.perf_counter() - began < 5


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with listening(echo_service(tmp_path_factory.mktemp("server"))) as url:
        yield url


def test_libretranslates_html(url):
    text = "<p>The old sea.</p><script>var sea = 1;</script>"
    fields = {"q": [text], "source": "en", "target": "de"}
    (answer,) = post(f"{url}/translate", json.dumps(fields | {"format": "html"}).encode(), **AS_JSON)[
        "translatedText"
    ]
    assert answer == text


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("formality", ["default", "prefer_more", "prefer_less", "", None], ["more", "less", "rude", 1]),
        ("tag_handling", ["xml", "html", "", None], ["yaml", 1]),
    ],
)
def test_deepls_options_that_there_are_not(url, field, good, bad):
    def ask(value):
        fields = {"text": ["The sea."], "target_lang": "DE", field: value}
        return post(f"{url}/v2/translate", json.dumps(fields).encode(), **AS_JSON)

    for value in good:
        assert ask(value)["translations"][0]["text"] == "The sea."
    for value in bad:
        with pytest.raises(urllib.error.HTTPError) as error:
            ask(value)
        assert error.value.code == 400
        assert field in json.load(error.value)["message"]
