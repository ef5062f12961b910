"""The page in a real browser, with the echo engine behind it."""

import json
import os
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.serving.echo import echo_service
from tests.serving.running import listening

PICTURES = os.environ.get("EDITMT_PICTURES")
"""A folder for screenshots, for who wants to look at them."""


TEXT = "The old man on the sea."


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    with listening(echo_service(tmp_path_factory.mktemp("page"))) as url:
        yield url


@pytest.fixture
def page(browser, url):
    """Open the page; anything that it logs as an error, or asks of others than the server, is a failure."""
    context = browser.new_context(viewport={"width": 1100, "height": 800}, reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url)
    page = context.new_page()
    complaints, outside = [], []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(url) else outside.append(request.url))
    page.complaints = complaints
    open_page(page, url)
    yield page
    assert complaints == []
    assert outside == []
    context.close()


def open_page(page, url):
    page.goto(url)
    page.wait_for_selector("html[data-ready]")


def translate(page, text=TEXT):
    page.fill("#source", text)
    with page.expect_response("**/v1/translate"):
        page.keyboard.press("Control+Enter")
    expect(page.locator("#output")).not_to_have_class("old")


def add_term(page, text, kind="soft"):
    page.select_option("#term-kind", kind)
    page.fill("#term", text)
    page.press("#term", "Enter")


def take_picture(page, name):
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


def shown(page):
    return page.locator("#output").text_content()


def test_a_text_is_translated(page):
    expect(page.locator("#languages")).to_have_text("en → de · echo")
    page.fill("#source", TEXT)
    page.click("#translate")
    expect(page.locator("#output")).to_have_text(TEXT)
    expect(page.locator("#status")).to_contain_text("ms")


def test_sentences_and_their_white_space(page):
    text = "The old sea.  A man!\n\n A boat? "
    translate(page, text)
    assert shown(page) == text
    assert page.locator(".sentence").count() == 3


def test_terms_of_every_kind(page):
    add_term(page, "sea → Meer")
    add_term(page, "Boot", "hard")
    add_term(page, "The", "forbidden")
    add_term(page, "old", "verbatim")
    assert page.locator("#terms li").count() == 4
    translate(page)
    words = shown(page).split()
    assert "Boot" in words
    assert "Meer" in words
    assert "The" not in words
    report = page.locator("#report li")
    assert [report.nth(number).get_attribute("data-status") for number in range(3)] == ["used"] * 3
    take_picture(page, "terms")
    page.locator("#terms li").first.get_by_role("button", name="Change").click()
    expect(page.locator("#terms li").first).to_have_class("hard")
    page.get_by_role("button", name="Remove Boot").click()
    assert page.locator("#terms li").count() == 3


def test_passes_are_counted_alike_where_a_translation_was_mended(page):
    add_term(page, "old", "forbidden")
    translate(page)
    rows = page.locator("#player tbody tr").count()
    assert rows > 2, "two passes of the model, and what was mended"
    expect(page.locator("#status")).to_contain_text(f" {rows} passes")


def test_a_dropped_glossary(page):
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["sea\\tMeer\\nbad\\nman\\tMann\\n"], "ours.tsv"));
            document.getElementById("source-pane").dispatchEvent(
                new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    expect(page.locator("#terms li.glossary")).to_contain_text("ours.tsv (2 terms)")
    expect(page.locator("#status")).to_contain_text("line 2")
    translate(page)
    assert {"Meer", "Mann"} <= set(shown(page).replace(".", " ").split())
    page.get_by_role("button", name="Remove ours.tsv").click()
    assert page.locator("#terms li").count() == 0


def test_another_glossary_takes_the_place_of_the_first(page):
    asked = []
    page.on("request", lambda request: asked.append(request.method))
    for name in ("a.csv", "b.csv"):
        page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": b"sea;Meer\n"})
        expect(page.locator("#terms li.glossary")).to_contain_text(f"{name} (1 term)")
    assert page.locator("#terms li").count() == 1
    assert asked == ["POST", "POST", "DELETE"]


def test_a_chosen_glossary_file(page):
    page.set_input_files(
        "#file", {"name": "g.csv", "mimeType": "text/csv", "buffer": b"sea;Meer\nman;Mann\n"}
    )
    expect(page.locator("#terms li.glossary")).to_contain_text("g.csv (2 terms)")


def test_a_locked_word_stays_when_it_is_translated_again(page):
    translate(page)
    page.get_by_role("button", name="man", exact=True).click()
    expect(page.get_by_role("button", name="man", exact=True)).to_have_attribute("aria-pressed", "true")
    with page.expect_request("**/v1/translate") as request:
        page.click("#translate")
    (asked,) = json.loads(request.value.post_data)["texts"]
    assert (asked["draft"], asked["locked"]) == (TEXT, [[8, 11]])
    expect(page.locator("#output")).to_have_text("man " + TEXT)
    locked = page.locator('.word[aria-pressed="true"]')
    expect(locked).to_have_text("man")
    take_picture(page, "locked")
    page.click("#unlock")
    expect(page.locator("#output")).to_have_text(TEXT)


def test_a_word_is_changed_and_kept(page):
    translate(page)
    page.get_by_role("button", name="sea", exact=True).dblclick()
    page.keyboard.type("Ozean")
    page.keyboard.press("Enter")
    assert shown(page) == TEXT.replace("sea", "Ozean")
    with page.expect_request("**/v1/translate") as request:
        page.keyboard.press("Control+Enter")
    (asked,) = json.loads(request.value.post_data)["texts"]
    assert asked["draft"][slice(*asked["locked"][0])] == "Ozean"
    expect(page.locator("#output")).to_contain_text("Ozean")


def test_a_change_that_is_given_up_locks_nothing(page):
    translate(page)
    page.get_by_role("button", name="sea", exact=True).dblclick()
    page.keyboard.type("Ozean")
    page.keyboard.press("Escape")
    assert shown(page) == TEXT
    assert page.locator('.word[aria-pressed="true"]').count() == 0


def test_characters_beyond_16_bits_are_counted_as_the_server_does(page):
    translate(page, "👩‍🚀🇩🇪 old sea")
    page.get_by_role("button", name="sea", exact=True).click()
    with page.expect_request("**/v1/translate") as request:
        page.click("#translate")
    (asked,) = json.loads(request.value.post_data)["texts"]
    assert asked["draft"][slice(*asked["locked"][0])] == "sea"


def test_everything_by_keyboard(page):
    page.focus("#source")
    page.keyboard.type(TEXT)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#output")).to_have_text(TEXT)
    page.locator(".word").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator(".word").nth(1)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("F2")
    page.keyboard.type("alt")
    page.keyboard.press("Escape")
    assert shown(page) == TEXT
    for name in ("#term-kind", "#term", "#choose-file", "#translate", "#copy", "#share", "#play", "#theme"):
        page.focus(name)
        assert page.evaluate("document.activeElement.id") == name[1:]


def test_a_long_translation_is_one_stop_for_tab(page):
    translate(page, TEXT * 5)
    page.locator(".word").first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "copy"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.textContent") == "."


def test_who_removes_terms_stays_among_them(page):
    for term in ("Boot", "Meer"):
        add_term(page, term)
    for focused in ("Remove Meer", "Term"):
        page.locator("#terms button[aria-label^=Remove]").first.press("Enter")
        assert page.evaluate("document.activeElement.ariaLabel") == focused


def test_the_player_goes_through_the_edits(page):
    add_term(page, "Boot")
    translate(page)
    player = page.locator("#player")
    expect(player).to_be_visible()
    last = int(page.get_attribute("#step", "max"))
    assert page.input_value("#step") == str(last)
    assert "".join(page.locator("#stage .token").all_text_contents()[1:-1]).startswith("BootThe")
    page.fill("#step", "0")
    expect(page.locator("#step-name")).to_contain_text("start")
    for expected in ("move", "make room", "fill in words"):
        page.click("#forward")
        expect(page.locator("#step-name")).to_contain_text(expected)
        take_picture(page, f"player-{expected.split()[0]}")
        if expected == "make room":
            assert page.locator(".token.slot").count() > 3
    assert page.locator("#stage .token.new").count() > 3
    page.click("#back")
    expect(page.locator("#step-name")).to_contain_text("make room")
    inserted = page.locator("#counts tbody tr").first.locator("td").nth(3).text_content()
    assert int(inserted) > 3
    page.click("#play")
    expect(page.locator("#play")).to_have_text("Pause")
    expect(page.locator("#play")).to_have_text("Play", timeout=20_000)
    assert page.input_value("#step") == str(last)


def test_frames_of_moves_copies_and_deletions(page):
    trace = {
        "first": ["<s>", "▁a", "▁b", "▁c", "</s>"],
        "steps": [
            {"action": "reposition", "index": [0, 2, 2, 0, 4], "canvas": ["<s>", "▁b", "▁b", "</s>"]},
            {
                "action": "placeholders",
                "count": [2, 0, 0],
                "canvas": ["<s>", "<plh>", "<plh>", "▁b", "▁b", "</s>"],
            },
            {"action": "tokens", "canvas": ["<s>", "<plh>", "▁d", "▁b", "▁b", "</s>"]},
            {"action": "tokens", "canvas": ["<s>", "▁e", "▁d", "▁b", "▁b", "</s>"]},
        ],
    }
    frames = page.evaluate("async (trace) => (await import('./page/player.js')).makeFrames(trace)", trace)
    canvases = [[token["piece"] for token in frame["tokens"]] for frame in frames]
    assert canvases == [trace["first"], *(step["canvas"] for step in trace["steps"])]
    assert [(frame["moved"], frame["deleted"], frame["inserted"]) for frame in frames] == [
        (0, 0, 0), (1, 1, 0), (0, 0, 2), (0, 0, 0), (0, 0, 0),
    ]  # fmt: skip
    states = [[token["state"] for token in frame["tokens"][1:3]] for frame in frames[2:]]
    assert states == [["slot", "slot"], ["slot", "new"], ["new", "kept"]], "some words come first"
    ids = [[token["id"] for token in frame["tokens"]] for frame in frames]
    assert ids[1][1] == ids[0][2], "the same token, elsewhere"
    assert ids[2] == ids[3] == ids[4], "a slot becomes its word"
    assert all(len(set(each)) == len(each) for each in ids)


def test_what_is_deleted_is_shown_struck_out(page):
    translate(page)
    page.get_by_role("button", name="man", exact=True).click()
    with page.expect_response("**/v1/translate"):
        page.click("#translate")
    page.fill("#step", "1")
    expect(page.locator("#step-name")).to_contain_text("move and delete")
    pieces = "".join(page.locator("#stage .token.gone").all_text_contents())
    assert pieces == "Theoldonthesea."
    take_picture(page, "player-delete")


def test_sharing_by_the_address(page, browser, url):
    add_term(page, "sea → Meer", "hard")
    translate(page)
    page.click("#share")
    expect(page.locator("#status")).to_have_text("The address is copied.")
    address = page.evaluate("navigator.clipboard.readText()")
    assert address.startswith(url + "/#")
    other = browser.new_page()
    open_page(other, address)
    expect(other.locator("#output")).to_contain_text("Meer")
    assert other.input_value("#source") == TEXT
    other.close()
    page.click("#copy")
    expect(page.locator("#status")).to_have_text("The translation is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == shown(page)


@pytest.mark.parametrize(
    "fragment", ["%", "5", "{}", quote('{"text": "<img src=x onerror=alert(1)>", "terms": []}')]
)
def test_garbage_in_the_address(browser, url, fragment):
    page = browser.new_page()
    page.on("dialog", lambda _: pytest.fail("a script ran"))
    open_page(page, f"{url}/#{fragment}")
    assert page.locator("#output img").count() == 0
    page.close()


def test_terms_that_are_none_are_not_taken_from_the_address(browser, url):
    terms = [
        [1, {}, "soft"],
        [None, None, "hard"],
        [None, "", "soft"],
        ["a", "b", "any"],
        ["sea", "Meer", "hard"],
    ]
    page = browser.new_page()
    open_page(page, f"{url}/#" + quote(json.dumps({"text": TEXT, "terms": terms})))
    expect(page.locator("#output")).to_contain_text("Meer")
    assert page.locator("#terms li").count() == 1
    page.close()


def test_errors_are_told(page):
    page.route("**/v1/translate", lambda route: route.abort())
    page.fill("#source", TEXT)
    page.click("#translate")
    expect(page.locator("#status")).to_have_text("The server does not answer.")
    page.unroute("**/v1/translate")
    translate(page, "word " * 400)
    expect(page.locator("#status")).to_contain_text("the source has")
    page.route("**/v1/translate", lambda route: route.fulfill(status=502, body="<h1>Bad gateway"))
    page.click("#translate")
    expect(page.locator("#status")).to_have_text("The server said 502.")
    take_picture(page, "error")
    page.complaints.clear()  # the browser's own, of requests that failed


def test_nothing_to_do_is_told(page):
    page.click("#copy")
    expect(page.locator("#status")).to_have_text("There is no translation to copy yet.")
    page.fill("#source", "  \n ")
    page.click("#translate")
    expect(page.locator("#status")).to_have_text("There is no text to translate yet.")
    for half in ("→ Couch", "sofa →", "sofa="):
        add_term(page, half)
        expect(page.locator("#status")).to_contain_text("A term is a word")
        assert page.input_value("#term") == half, "it can be mended"
    add_term(page, "Couch")
    expect(page.locator("#status")).to_be_empty()


def test_a_key_is_asked_for(browser, tmp_path):
    service = echo_service(tmp_path, require_keys=True)
    key = service.keys.add("anna")
    with listening(service) as url:
        page = browser.new_page()
        open_page(page, url)
        expect(page.locator("#key-field")).to_be_visible()
        page.fill("#key", key)
        page.press("#key", "Enter")
        expect(page.locator("#languages")).to_contain_text("echo")
        expect(page.locator("#key-field")).to_be_hidden()
        translate(page)
        assert shown(page) == TEXT
        page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_both_themes_at_both_widths(browser, url, theme, width):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=theme)
    page = context.new_page()
    open_page(page, url)
    add_term(page, "sea → Meer", "hard")
    add_term(page, "Boot")
    translate(page, TEXT + " A very long second sentence about the old sea and its many boats.")
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0, "nothing to scroll sideways for"
    left, right, player = (pane.bounding_box() for pane in page.locator(".pane").all())
    assert left["x"] == player["x"]
    assert right["x"] + right["width"] == pytest.approx(player["x"] + player["width"], abs=1), (
        "no gap beside it"
    )
    assert (right["x"] > left["x"]) == (width > 400)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, colour[4:-1].split(","))) < 380) == (theme == "dark")
    take_picture(page, f"{theme}-{width}")
    page.click("#theme")  # auto → light
    page.click("#theme")  # → dark
    forced = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, forced[4:-1].split(","))) < 380
    context.close()


def test_the_page_is_light(browser, url):
    page = browser.new_page()
    sizes = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    open_page(page, url)
    assert 5 < len(sizes) < 15
    assert sum(sizes) < 150_000
    page.close()
