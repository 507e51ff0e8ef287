"""The page in a real browser, before a real server with the shipped model: what a writer does, and what happens."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.serving.page.conftest import NewWriter, Server, Writer

AXE = Path(sys.prefix) / "npm" / "node_modules" / "axe-core" / "axe.min.js"
LETTER = "Most of the boxes is still unpacked. We have recieved three offers. Two of the windows is broken."


def test_what_is_typed_is_underlined_and_has_a_card(writer: Writer) -> None:
    writer.editor.focus()
    writer.page.keyboard.type("He go to school yesterday.", delay=5)
    expect(writer.underlines).to_have_text(["go"])
    expect(writer.cards).to_have_count(1)
    expect(writer.page.locator("#finding-count")).to_have_text("1 finding")
    expect(writer.page.locator("#word-count")).to_have_text("5 words")


def test_one_click_on_the_suggestion_accepts_it_and_undo_brings_text_and_finding_back(writer: Writer) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.page.get_by_role("button", name="Accept: received instead of recieved").click()
    expect(writer.underlines).to_have_text(["is", "is"])
    assert "We have received three" in writer.text
    writer.page.keyboard.press("Control+z")  # the keyboard is back in the text
    expect(writer.underlines).to_have_text(["is", "recieved", "is"])
    assert writer.text == LETTER
    writer.page.get_by_role("button", name="Redo").click()
    expect(writer.underlines).to_have_text(["is", "is"])


def test_findings_stay_where_they_are_while_one_types_elsewhere(writer: Writer) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    keys = writer.underlines.evaluate_all("all => all.map(each => each.dataset.key)")
    writer.page.route("**/api/check/stream", lambda route: None)  # no answer comes: what is there must stand on its own
    writer.page.keyboard.press("Control+Home")
    writer.page.keyboard.type("Dear Ann, ", delay=5)
    expect(writer.underlines).to_have_text(["is", "recieved", "is"])
    assert writer.underlines.evaluate_all("all => all.map(each => each.dataset.key)") == keys
    writer.page.get_by_role("button", name="Accept: received").click()
    assert writer.text == f"Dear Ann, {LETTER}".replace("recieved", "received")
    writer.page.unroute("**/api/check/stream")
    writer.page.keyboard.press("Control+End")
    writer.page.keyboard.type(" Hello there.")
    writer.has_checked()
    expect(writer.underlines).to_have_text(["is", "is"])
    assert writer.underlines.evaluate_all("all => all.map(each => each.dataset.key)") == [keys[0], keys[2]]


def test_a_finding_goes_at_once_when_its_own_word_is_changed(writer: Writer) -> None:
    writer.write("We have recieved three offers.")
    expect(writer.underlines).to_have_text(["recieved"])
    writer.page.route("**/api/check/stream", lambda route: None)
    writer.underlines.first.dblclick()
    writer.page.keyboard.type("got")
    expect(writer.underlines).to_have_count(0)


def test_the_card_folds_out_reason_and_how_sure_and_offers_alternatives(writer: Writer) -> None:
    writer.write("Last week we has moved into the new office.")
    expect(writer.cards).to_have_count(1)
    writer.cards.first.locator(".fold").click()
    expect(writer.cards.first).to_contain_text("The helping verb “has” is not needed")
    expect(writer.cards.first.locator(".how-sure")).to_have_text(re.compile(r"How sure\d\d %"))
    writer.page.get_by_role("button", name="Accept instead: had").click()
    assert writer.text == "Last week we had moved into the new office."


def test_a_word_is_not_called_wrong_before_it_is_finished(writer: Writer) -> None:
    writer.editor.focus()
    writer.page.keyboard.type("Yesterday he go", delay=5)
    writer.has_checked()
    expect(writer.underlines).to_have_count(0)
    expect(writer.underlines).to_have_text(["go"])  # the writer has stopped


def test_underline_and_card_light_up_together(writer: Writer) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.underlines.nth(1).hover()
    expect(writer.page.locator(".card.hot")).to_contain_text("recieved")
    writer.card("recieved").hover()
    expect(writer.page.locator(".finding.hot")).to_have_text("recieved")
    writer.underlines.nth(0).click()
    expect(writer.page.locator(".card.open")).to_contain_text("should agree")


def test_the_keyboard_goes_from_finding_to_finding_accepts_and_dismisses(writer: Writer) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.page.keyboard.press("Control+Home")
    writer.page.keyboard.press("F8")
    expect(writer.page.locator(".finding.active")).to_have_text("is")
    expect(writer.page.locator("#voice")).to_contain_text("are instead of is")
    writer.page.keyboard.press("Control+Enter")
    expect(writer.page.locator(".finding.active")).to_have_text("recieved")
    writer.page.keyboard.press("Control+Shift+Enter")
    expect(writer.underlines).to_have_text(["is"])
    writer.has_checked()
    expect(writer.underlines).to_have_text(["is"])  # the server knows it, too
    writer.page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(writer.underlines).to_have_text(["recieved", "is"])
    writer.page.keyboard.press("Shift+F8")
    expect(writer.page.locator(".finding.active")).to_have_count(1)


def test_cards_can_be_worked_through_without_a_mouse(writer: Writer) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.page.keyboard.press("F8")
    writer.page.keyboard.press("Control+.")
    expect(writer.card("is").first.locator(".suggestion").first).to_be_focused()
    writer.page.keyboard.press("ArrowDown")
    expect(writer.page.get_by_role("button", name="Accept: received")).to_be_focused()
    writer.page.keyboard.press("Enter")
    expect(writer.cards).to_have_count(2)
    assert writer.page.evaluate("document.activeElement.closest('.card') !== null")
    writer.page.keyboard.press("Escape")
    expect(writer.editor).to_be_focused()


def test_all_of_a_type_are_accepted_in_one_step(writer: Writer) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.underlines.first.click()
    writer.page.get_by_role("button", name=re.compile("Accept all 2 of")).click()
    expect(writer.underlines).to_have_text(["recieved"])
    assert writer.text.count(" are ") == 2
    writer.page.keyboard.press("Control+z")
    assert writer.text == LETTER


def test_behind_all_that_was_accepted_or_taken_back_the_keyboard_is_in_the_text(writer: Writer) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.page.get_by_role("button", name="Accept all", exact=True).click()
    expect(writer.underlines).to_have_count(0)
    accepted = writer.text
    expect(writer.editor).to_be_focused()
    writer.page.locator("#toast").get_by_role("button", name="Undo").click()
    expect(writer.editor).to_be_focused()
    assert writer.text == LETTER
    writer.page.keyboard.press("Control+y")
    assert writer.text == accepted


def test_slider_and_filters_work_on_what_has_arrived(writer: Writer) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.page.route("**/api/**", lambda route: None)  # nobody is asked
    slider = writer.page.get_by_role("slider", name="Sure at least")
    slider.fill("99")
    expect(writer.underlines).to_have_count(0)
    expect(writer.page.locator("#fine")).to_contain_text("3 findings hidden")
    slider.fill("0")
    expect(writer.underlines).to_have_count(3)
    writer.page.get_by_role("button", name="Grammar 2").click()
    expect(writer.underlines).to_have_text(["recieved"])
    expect(writer.cards).to_have_count(1)


def test_a_word_in_the_dictionary_is_never_changed_again(writer: Writer) -> None:
    writer.write("We have recieved three offers.")
    expect(writer.underlines).to_have_text(["recieved"])
    writer.underlines.first.click()
    writer.page.get_by_role("button", name="Add “recieved” to dictionary").click()
    expect(writer.underlines).to_have_count(0)
    writer.page.reload()
    writer.has_checked()
    expect(writer.underlines).to_have_count(0)
    writer.page.get_by_role("button", name="More", exact=True).click()
    writer.page.get_by_role("button", name="Dictionary", exact=True).click()
    writer.page.get_by_role("button", name="Remove recieved").click()
    writer.page.keyboard.press("Escape")
    expect(writer.underlines).to_have_text(["recieved"])


def test_modes_say_what_they_mean_and_change_what_is_found(writer: Writer) -> None:
    text = "If you will have time, we could meet us in a café near the station."
    writer.write(text)
    writer.has_checked()
    before = writer.underlines.count()
    writer.page.get_by_role("button", name="Mode: Balanced").click()
    expect(writer.page.locator("#mode-menu")).to_contain_text("of 1,528 correct sentences touched")
    writer.page.get_by_role("radio", name="Thorough").check()
    expect(writer.underlines.nth(before)).to_be_visible()


def test_a_dropped_file_is_opened_in_its_format_and_markup_is_left_alone(writer: Writer) -> None:
    text = "# The boxes\r\n\r\nMost of the boxes *is* still unpacked; see `he go`.\r\n"
    writer.page.evaluate(
        """text => {
          const data = new DataTransfer()
          data.items.add(new File([text], "letter.md"))
          document.querySelector(".cm-content").dispatchEvent(
            new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}))
        }""",
        text,
    )
    expect(writer.page.locator("#file-name")).to_have_text("letter.md")
    expect(writer.page.get_by_label("Format of the text")).to_have_value("markdown")
    expect(writer.underlines).to_have_text(["is"])
    writer.page.get_by_role("button", name="Accept: are instead of is").click()
    writer.page.get_by_role("button", name="Copy or download").click()
    with writer.page.expect_download() as waiting:
        writer.page.get_by_role("button", name="Download", exact=True).click()
    assert waiting.value.suggested_filename == "letter.md"
    assert waiting.value.path().read_bytes().decode() == text.replace("*is*", "*are*")


@pytest.mark.parametrize(
    ("what", "notation", "expected"),
    [
        ("With tracked changes", "html", "boxes <del>is</del><ins>are</ins> still"),
        ("With tracked changes", "critic", "boxes {~~is~>are~~} still"),
        ("With open suggestions", "critic", "{~~recieved~>received~~}"),
    ],
)
def test_tracked_changes_are_downloaded(writer: Writer, what: str, notation: str, expected: str) -> None:
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.page.get_by_role("button", name="Accept: are instead of is").first.click()
    writer.page.keyboard.press("Control+s")
    writer.page.get_by_role("radio", name=what).check()
    writer.page.get_by_label("Changes marked as").select_option(notation)
    with writer.page.expect_download() as waiting:
        writer.page.get_by_role("button", name="Download", exact=True).click()
    assert expected in waiting.value.path().read_text(encoding="utf-8")


def test_tracked_changes_are_copied_for_word_processors(writer: Writer) -> None:
    writer.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.page.get_by_role("button", name="Accept: received").click()
    writer.page.keyboard.press("Control+s")
    writer.page.get_by_role("radio", name="With tracked changes").check()
    writer.page.get_by_role("button", name="Copy", exact=True).click()
    expect(writer.page.locator("#toast")).to_have_text("Copied.")
    copied = writer.page.evaluate(
        "navigator.clipboard.read().then(([item]) => item.getType('text/html')).then(it => it.text())"
    )
    assert "<del>recieved</del><ins>received</ins>" in copied


def test_tracked_changes_hold_both_texts_whatever_they_are(writer: Writer) -> None:
    broken = writer.page.evaluate(
        """async () => {
          const {diff, critic, latex, markedHtml} = await import("/page/tracked.js")
          let seed = 7
          const draw = most => (seed = (seed * 48271) % 2147483647) % most
          const parts = ["a", "b ", "go", " ", "\\n", ".", "é", "<b>"]
          const text = () => Array.from({length: draw(40)}, () => parts[draw(8)]).join("")
          for (let round = 0; round < 2000; round++) {
            const [before, after] = [text(), text()]
            const pieces = diff(before, after)
            const sides = ["before", "after"].map(side => pieces.map(each => each[side]).join(""))
            if (sides[0] !== before || sides[1] !== after) return [before, after]
          }
          const pieces = diff("<p>He go <b>home</b>.</p>", "<p>He goes <i>home</i> now.</p>")
          const latexPieces = diff("He go", "He goes")
          return [critic(diff("We has a car", "We have a red car")), latex(latexPieces), markedHtml(pieces)]
        }"""
    )
    assert broken == [
        "We {~~has~>have~~} a{++ red++} car",
        r"He \replaced{goes}{go}",
        "<p>He <del>go </del><ins>goes </ins><i>home</i><ins> now</ins>.</p>",
    ]


def test_what_one_wrote_survives_a_reload_and_can_be_erased(writer: Writer) -> None:
    writer.write(LETTER)
    writer.has_checked()
    writer.page.reload()
    expect(writer.underlines).to_have_count(3)
    assert writer.text == LETTER
    writer.page.get_by_role("button", name="More", exact=True).click()
    writer.page.get_by_role("button", name="Erase all from this browser").click()
    writer.page.get_by_role("button", name="Erase", exact=True).click()
    expect(writer.page.get_by_role("heading", name="Write, paste or drop a text")).to_be_visible()
    assert "boxes" not in json.dumps(writer.page.evaluate("({...localStorage, ...sessionStorage})"))
    writer.page.reload()
    expect(writer.page.get_by_role("heading", name="Write, paste or drop a text")).to_be_visible()


def test_it_shows_how_it_decided_and_takes_another_sentence(writer: Writer) -> None:
    writer.page.get_by_label("Format of the text").select_option("markdown")
    writer.write("Hello there.\n\nLast week we has moved\ninto the new office.")
    expect(writer.underlines).to_have_text(["has"])
    writer.underlines.first.click()
    writer.page.get_by_role("button", name="See how it decided").click()
    dialog = writer.page.get_by_role("dialog", name="How it decided")
    expect(dialog.locator("svg.matrix rect.path").first).to_be_visible()
    dialog.get_by_text("The path as a table").click()
    expect(dialog.get_by_role("row").nth(1)).to_contain_text("start")
    other = dialog.locator(".hypotheses li", has=writer.page.locator("ins", has_text="had"))
    other.first.get_by_role("button", name="Use").click()
    assert writer.text == "Hello there.\n\nLast week we had moved\ninto the new office."


def test_a_text_of_twenty_thousand_words_is_underlined_and_stays_light(writer: Writer) -> None:
    paragraph = f"{LETTER} She lives in a small house near the river. "
    text = "\n\n".join(paragraph * 3 for _ in range(250))
    assert len(text.split()) > 20_000 - 800
    writer.write(text)
    expect(writer.underlines.first).to_be_visible()
    writer.page.evaluate("document.querySelector('.cm-scroller').scrollTo(0, 1e7)")
    writer.has_checked()
    expect(writer.page.locator("#finding-count")).to_have_text(f"{3 * 3 * 250:,} findings")
    assert writer.underlines.count() < 300  # what one sees, and a little around it
    assert writer.cards.count() < 100
    writer.page.keyboard.press("Control+End")
    writer.page.keyboard.type(" He go home yesterday.", delay=5)
    expect(writer.underlines.last).to_have_text("go")
    expect(writer.card("went")).to_be_visible()


def test_the_open_card_stands_beside_its_text(writer: Writer) -> None:
    writer.write("\n\n".join([LETTER] * 12))
    expect(writer.page.locator("#finding-count")).to_have_text("36 findings")
    writer.page.keyboard.press("Control+Home")
    for _ in range(20):
        writer.page.keyboard.press("F8")
        expect(writer.page.locator(".card.open .suggestion").first).to_be_in_viewport(ratio=1)
        expect(writer.page.locator(".finding.active")).to_be_in_viewport(ratio=1)
    writer.page.wait_for_function(
        """() => {
          const top = each => document.querySelector(each).getBoundingClientRect().top
          return Math.abs(top(".finding.active") - top(".card.open")) < 200
        }"""
    )


def test_the_server_may_go_and_come_back(writer: Writer, server: Server) -> None:
    writer.write("You have recieved my letter.")
    expect(writer.underlines).to_have_text(["recieved"])
    server.stop()
    try:
        writer.page.keyboard.type(" He go to school yesterday.")
        expect(writer.page.locator("#banner")).to_contain_text("Your text is safe")
        expect(writer.underlines).to_have_text(["recieved"])
        writer.underlines.first.click()
        writer.page.keyboard.press("Control+Shift+Enter")  # what one wants meanwhile is not forgotten
    finally:
        server.start()
    expect(writer.underlines).to_have_text(["go"])
    expect(writer.page.locator("#banner")).to_be_hidden()
    writer.page.reload()
    expect(writer.underlines).to_have_text(["go"])


def test_without_any_network_the_text_is_kept_and_checking_goes_on_later(writer: Writer) -> None:
    writer.page.context.set_offline(True)
    writer.write("He go to school yesterday.")
    expect(writer.page.locator("#banner")).to_contain_text("does not answer")
    writer.page.context.set_offline(False)
    expect(writer.underlines).to_have_text(["go"])


def test_a_busy_server_is_asked_again(writer: Writer) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=503, headers={"Retry-After": "1"}, json={"error": "too busy"})

    writer.page.route("**/api/check/stream", refuse, times=1)
    writer.write("He go to school yesterday.")
    expect(writer.page.locator("#banner")).to_contain_text("busy")
    expect(writer.underlines).to_have_text(["go"])
    expect(writer.page.locator("#banner")).to_be_hidden()


def test_a_text_that_is_too_long_is_said_to_be_so(writer: Writer) -> None:
    writer.write("word " * 50_000)
    expect(writer.page.locator("#banner")).to_contain_text("200,000 characters is the most")


def test_a_token_is_taken_from_the_address_or_asked_for(new_writer: NewWriter, server: Server) -> None:
    def guard(route: Route) -> None:
        if route.request.headers.get("authorization") == "Bearer secret":
            route.continue_()
        else:
            route.fulfill(status=401, json={"error": "a token is needed"})

    writer = new_writer()
    writer.page.context.route("**/api/**", guard)
    writer.page.reload()
    writer.write("He go to school yesterday.")
    writer.page.get_by_label("Token", exact=True).fill("secret")
    writer.page.get_by_role("button", name="Continue").click()
    expect(writer.underlines).to_have_text(["go"])

    other = new_writer("about:blank")
    other.page.context.route("**/api/**", guard)
    other.page.goto(f"{server.url}#token=secret")
    other.write("He go to school yesterday.")
    expect(other.underlines).to_have_text(["go"])
    assert "secret" not in other.page.url


def test_a_token_may_have_any_letters(new_writer: NewWriter, server: Server) -> None:
    server.stop()
    server.options = ("--token", "тайна ü")
    try:
        server.start()
        writer = new_writer(f"{server.url}#token=тайна ü")
        writer.write("He go to school yesterday.")
        expect(writer.underlines).to_have_text(["go"])
    finally:
        server.stop()
        server.options = ()
        server.start()


def test_a_text_without_errors_is_called_fine(writer: Writer) -> None:
    writer.write("She goes to school.")
    expect(writer.page.locator("#fine")).to_contain_text("All fine")


def test_on_a_narrow_screen_the_cards_are_a_sheet_at_the_bottom(new_writer: NewWriter) -> None:
    writer = new_writer(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.underlines.nth(1).tap()
    expect(writer.card("received")).to_be_in_viewport()
    writer.card("received").locator(".suggestion").first.tap()
    assert "received" in writer.text
    assert writer.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_half_a_character_keeps_nothing_from_being_checked(writer: Writer) -> None:
    writer.editor.focus()
    writer.page.evaluate(r"document.execCommand('insertText', false, 'Hello \ud83d. He go to school yesterday.')")
    expect(writer.underlines).to_have_text(["go"])
    writer.page.get_by_role("button", name="Accept: went instead of go").click()
    assert writer.text.endswith(" He went to school yesterday.")


def test_text_is_text_whatever_it_looks_like(writer: Writer) -> None:
    writer.write("He go to <img src=x onerror=alert(1)> school yesterday. We have recieved <b>three</b> offers.")
    expect(writer.underlines.first).to_be_visible()
    assert writer.page.locator(".cm-content img, .card img, .card b").count() == 0


@pytest.mark.parametrize(("colours", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_serious(new_writer: NewWriter, colours: str, width: int) -> None:
    if not AXE.exists():
        assert not os.environ.get("CI"), "scripts/test installs axe-core where it may"
        pytest.skip("there is no axe-core (scripts/test brings it where npm is)")
    writer = new_writer(color_scheme=colours, reduced_motion="reduce", viewport={"width": width, "height": 800})
    assert _violations(writer) == []
    writer.write(LETTER)
    expect(writer.cards).to_have_count(3)
    writer.underlines.first.click()
    expect(writer.page.locator(".card.open")).to_be_visible()
    assert _violations(writer) == []
    for opens in ("F1", "Control+s"):
        writer.page.keyboard.press(opens)
        assert _violations(writer) == []
        writer.page.keyboard.press("Escape")
    writer.page.locator("#mode-button").click()
    assert _violations(writer) == []
    writer.page.keyboard.press("Escape")
    writer.page.get_by_role("button", name="See how it decided").click()
    expect(writer.page.locator("svg.matrix")).to_be_visible()
    assert _violations(writer) == []


def _violations(writer: Writer) -> list[str]:
    """Return what axe-core calls serious or critical."""
    writer.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = writer.page.evaluate("axe.run()")["violations"]
    return [
        f"{each['id']}: {[node['html'][:120] for node in each['nodes']]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
