from __future__ import annotations

import base64
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

if TYPE_CHECKING:
    from pages import Pages
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

AXE = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
NAMES = (
    *("mixed", "clean", "changes", "certificate", "marked", "timeline", "gang", "matrix", "compare"),
    *("explored", "finding"),
)
LISTS = ("mixed", "changes", "clean", "matrix", "compare")
"""The pages with a filter: of runs, of what has changed, of mutants, of runs side by side."""
QUICK = ("mixed", "timeline", "gang", "compare")
"""One page of each kind: a run, timelines, runs side by side."""
FEW_FILTERS = {"clean": 1}
"""Where all pass there is one verdict; elsewhere there are three at least."""
FOCUSABLE = """
  [...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")]
    .filter((one) => one.getAttribute("tabindex") !== "-1" && one.checkVisibility())
"""
OF_COLOURS = ("color-contrast", "link-in-text-block")
OF_SIZES = ("scrollable-region-focusable", "color-contrast", "meta-viewport")
"""The rules of axe that colours or sizes decide: the others find the same in the dark and on a phone."""
CLIPBOARD_S = 10.0
"""How long a browser may take to answer whether a page may write to the clipboard."""
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}


def some_quick(*names: str) -> list[Any]:
    """Pages of which the quick tier opens one of each kind."""
    return [pytest.param(name, marks=pytest.mark.quick) if name in QUICK else name for name in names]


def css(browser: Chrome, selector: str) -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, selector)


def shown(browser: Chrome) -> list[str]:
    """The ids of the requirements that can be seen."""
    return [row.get_attribute("id") or "" for row in css(browser, ".r") if row.is_displayed()]


def media(browser: Chrome, *, dark: bool = False, kind: str = "") -> None:
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": scheme})


def phone(browser: Chrome) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)


def said(browser: Chrome) -> list[Any]:
    """What the console of the browser says since it was asked last."""
    found: list[Any] = browser.get_log("browser")  # type: ignore[no-untyped-call]
    return found


def violations(browser: Chrome, *rules: str) -> list[Any]:
    """What axe finds, each with where; by all of its rules, or by some."""
    browser.execute_script(AXE)
    only = {"runOnly": list(rules)} if rules else {}
    run = "axe.run(document, arguments[0]).then(arguments[arguments.length - 1])"
    found = browser.execute_async_script(run, only)
    return [
        (one["id"], one["help"], [node["html"][:160] for node in one["nodes"][:3]])
        for one in found["violations"]
    ]


def open_folds(browser: Chrome) -> None:
    """Open what keeps whole rows folded."""
    browser.execute_script("for (const part of document.querySelectorAll('.fold')) part.open = true")


def fresh(browser: Chrome, url: str) -> None:
    """Open a page; a change of the hash alone would not load it."""
    browser.get("about:blank")
    browser.get(url)


# Whatever the page


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", some_quick(*NAMES))
def test_axe_finds_no_violation_and_the_console_no_error(
    browser: Chrome, pages: Pages, name: str, dark: bool
) -> None:
    media(browser, dark=dark)
    fresh(browser, pages.url(name))
    browser.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    assert said(browser) == []
    assert violations(browser, *(OF_COLOURS if dark else ())) == []


@pytest.mark.parametrize("name", some_quick(*NAMES))
def test_a_phone_need_not_be_scrolled_sideways(browser: Chrome, pages: Pages, name: str) -> None:
    phone(browser)
    fresh(browser, pages.url(name))
    browser.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    width = browser.execute_script("return document.scrollingElement.scrollWidth")
    assert width <= PHONE["width"]
    assert violations(browser, *OF_SIZES) == []


@pytest.mark.parametrize(
    "name",
    some_quick("mixed", "clean", "changes", "timeline", "gang", "matrix", "compare", "explored", "finding"),
)
def test_the_page_is_dark_where_the_reader_wants_it(browser: Chrome, pages: Pages, name: str) -> None:
    lights = []
    for dark in (False, True):
        media(browser, dark=dark)
        fresh(browser, pages.url(name))
        colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        lights.append(sum(map(int, re.findall(r"\d+", colour)[:3])))
    assert lights[0] > 600
    assert lights[1] < 150


# Filters and links


@pytest.mark.parametrize("name", some_quick(*LISTS))
def test_every_filter_hides_its_rows_and_no_others(browser: Chrome, pages: Pages, name: str) -> None:
    fresh(browser, pages.url(name))
    open_folds(browser)
    everything = shown(browser)
    boxes = [box.get_attribute("id") or "" for box in css(browser, ".filter input[type=checkbox]")]
    assert len(boxes) >= FEW_FILTERS.get(name, 3)
    for box in boxes:
        what = box.removeprefix("show-")
        of_it = [row.get_attribute("id") for row in css(browser, f".r.{what}")]
        assert of_it
        browser.find_element(By.ID, box).click()
        assert shown(browser) == [id_ for id_ in everything if id_ not in of_it]
        browser.find_element(By.ID, box).click()
        assert shown(browser) == everything


@pytest.mark.parametrize("name", some_quick(*LISTS))
def test_every_filter_works_without_a_script(browser: Chrome, pages: Pages, name: str) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    fresh(browser, pages.url(name))
    for box in css(browser, ".filter input[type=checkbox]"):
        what = (box.get_attribute("id") or "").removeprefix("show-")
        folded = not css(browser, f".r.{what}")[0].is_displayed()
        box.click()
        assert not any(row.is_displayed() for row in css(browser, f".r.{what}"))
        box.click()
        assert folded or all(row.is_displayed() for row in css(browser, f".r.{what}"))


@pytest.mark.parametrize("name", some_quick(*LISTS))
def test_every_anchor_leads_to_its_row_even_where_that_is_folded(
    browser: Chrome, pages: Pages, name: str
) -> None:
    fresh(browser, pages.url(name))
    anchors = css(browser, ".anchor") + css(browser, ".tiles .tile")
    links = [one.get_attribute("href") or "" for one in anchors]
    assert len(links) >= 4
    for url in links:
        fresh(browser, url)
        target = browser.find_element(By.CSS_SELECTOR, ":target")
        assert "r" in (target.get_attribute("class") or "").split()
        assert target.is_displayed()


def test_a_filter_hides_rows_with_their_headings_and_stays_in_the_address(
    browser: Chrome, pages: Pages
) -> None:
    fresh(browser, pages.url("mixed"))
    assert len(shown(browser)) == 10
    browser.find_element(By.ID, "show-passed").click()
    left = shown(browser)
    assert left == ["EXP-001", "EXP-002", "EXP-003", "FIN-003", "FIN-004", "FIN-005", "TTL-001"]
    assert not browser.find_element(By.ID, "area-BAS").is_displayed()
    assert "show=failed" in browser.current_url
    assert "passed" not in browser.current_url
    address = browser.current_url
    fresh(browser, address)
    assert shown(browser) == left
    browser.find_element(By.ID, "show-passed").click()
    assert "#" not in browser.current_url
    assert len(shown(browser)) == 10


@pytest.mark.quick
def test_words_find_requirements_and_stay_in_the_address(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("mixed"))
    browser.find_element(By.ID, "search").send_keys("pod twice")
    assert shown(browser) == ["EXP-001"]
    address = browser.current_url
    assert address.endswith("#words=pod+twice")
    fresh(browser, address)
    assert shown(browser) == ["EXP-001"]
    browser.find_element(By.ID, "search").send_keys(" nothing has this")
    assert shown(browser) == []
    assert browser.find_element(By.CSS_SELECTOR, ".nothing").is_displayed()


def test_a_link_to_a_hidden_row_shows_and_opens_it(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("mixed"))
    browser.find_element(By.ID, "show-failed").click()
    assert "FIN-004" not in shown(browser)
    browser.find_element(By.CSS_SELECTOR, ".cause h3 a[href='#FIN-004']").click()
    assert "FIN-004" in shown(browser)
    row = browser.find_element(By.ID, "FIN-004")
    assert row.find_element(By.TAG_NAME, "details").get_attribute("open")
    top = browser.execute_script("return arguments[0].getBoundingClientRect().top", row)
    assert 0 <= top < 900


def test_an_address_with_a_requirement_opens_its_row(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("mixed", "EXP-002"))
    row = browser.find_element(By.ID, "EXP-002")
    assert row.find_element(By.TAG_NAME, "details").get_attribute("open")
    assert browser.execute_script("return arguments[0].getBoundingClientRect().top < innerHeight", row)


@pytest.mark.quick
def test_every_tile_and_anchor_leads_to_its_row(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("mixed"))
    ids = [tile.get_attribute("href") or "" for tile in css(browser, ".tile")]
    anchors = [anchor.get_attribute("href") or "" for anchor in css(browser, ".anchor")]
    assert sorted(ids) == sorted(anchors)
    for url in ids:
        browser.get(url)
        assert browser.execute_script("return document.querySelector(':target').classList.contains('r')")


def test_all_rows_open_and_close(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("mixed"))
    browser.find_element(By.ID, "expand").click()
    assert all(part.get_attribute("open") for part in css(browser, ".r > tr > td > details"))
    browser.find_element(By.ID, "collapse").click()
    assert not any(part.get_attribute("open") for part in css(browser, ".r details"))


@pytest.mark.quick
def test_without_a_script_the_page_shows_the_same_and_filters(browser: Chrome, pages: Pages) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    fresh(browser, pages.url("mixed"))
    assert len(shown(browser)) == 10
    browser.find_element(By.ID, "show-passed").click()
    assert len(shown(browser)) == 7
    assert not browser.find_element(By.ID, "search").is_displayed()


def answered(browser: Chrome, button: WebElement) -> None:
    """Wait until a button shows what became of its click."""
    WebDriverWait(browser, CLIPBOARD_S, poll_frequency=0.1).until(
        lambda _: button.text in {"Copied", "Selected"}
    )


def test_a_button_copies_the_command_before_it(browser: Chrome, pages: Pages) -> None:
    """A page from a file may not write to the clipboard everywhere: then the command is selected."""
    fresh(browser, pages.url("mixed"))
    buttons = [one for one in css(browser, "button.copy") if one.is_displayed()]
    assert buttons
    for button in buttons:
        command = browser.execute_script("return arguments[0].previousElementSibling.textContent", button)
        button.click()
        answered(browser, button)
        assert browser.execute_script("return getSelection().toString()") == command
        assert command.startswith("batchproof run ")


def test_without_a_script_there_is_no_button_and_a_click_selects_the_command(
    browser: Chrome, pages: Pages
) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    fresh(browser, pages.url("mixed"))
    assert not any(one.is_displayed() for one in css(browser, "button.copy"))
    command = next(one for one in css(browser, "code.command") if one.is_displayed())
    assert command.value_of_css_property("user-select") == "all"


def test_what_processes_printed_is_folded_at_first(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("mixed"))
    (fold, *_) = [one for one in css(browser, "details.printed") if one.is_displayed()]
    assert not fold.get_attribute("open")
    fold.find_element(By.TAG_NAME, "summary").click()
    assert "panic: assignment to entry in nil map" in fold.text


@pytest.mark.quick
def test_the_keyboard_reaches_the_tiles_the_filter_and_the_rows(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("mixed"))
    active = browser.switch_to.active_element
    reached = []
    for _ in range(90):
        active.send_keys(Keys.TAB)
        active = browser.switch_to.active_element
        reached.append(active.get_attribute("class") or active.get_attribute("id") or active.tag_name)
        style = browser.execute_script("return getComputedStyle(arguments[0]).outlineStyle", active)
        if active.tag_name != "body":
            assert style != "none"
        if active.get_attribute("id") == "search":
            break
    assert any(one.startswith("tile") for one in reached)
    assert "show-passed" in reached


@pytest.mark.parametrize("name", ["mixed", "clean", "changes", "matrix", "compare", "timeline", "finding"])
def test_the_keyboard_reaches_all_that_can_be_followed_opened_or_set(
    browser: Chrome, pages: Pages, name: str
) -> None:
    fresh(browser, pages.url(name))
    number = browser.execute_script(f"window.all = {FOCUSABLE}; return all.length")
    assert number > 10
    browser.find_element(By.TAG_NAME, "body").click()
    browser.execute_script("getSelection().removeAllRanges(); document.activeElement.blur(); scrollTo(0, 0)")
    reached = set()
    for _ in range(
        number + 40
    ):  # a place that was clicked may be where it begins, and the browser has its own
        browser.switch_to.active_element.send_keys(Keys.TAB)
        place, outline = browser.execute_script(
            "const at = document.activeElement;"
            "return [all.indexOf(at), at === document.body ? 'body' : getComputedStyle(at).outlineStyle]"
        )
        assert outline != "none"
        reached.add(place)
    assert reached - {-1} == {*range(number)}


# Runs side by side


def test_runs_side_by_side_show_what_differs_and_fold_the_rest(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("compare"))
    at_first = shown(browser)
    assert at_first[0] == "FIN-004"
    same = [row.get_attribute("id") for row in css(browser, ".r.same")]
    assert same
    assert not set(same) & set(at_first)
    browser.find_element(By.ID, "search").send_keys(str(same[0]))
    assert shown(browser) == [same[0]]


@pytest.mark.quick
def test_a_verdict_leads_to_the_timeline_of_that_run(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("compare"))
    row = browser.find_element(By.ID, "FIN-004")
    links = [one.get_attribute("href") or "" for one in row.find_elements(By.CSS_SELECTOR, ".tile")]
    assert len(links) == 3
    assert "/marked/timelines/" in links[0]
    assert links[1].endswith("/mixed/index.html#FIN-004")  # its histories are not there
    for url in links:
        fresh(browser, url)
        assert said(browser) == []
    fresh(browser, links[0])
    assert css(browser, ".tl .cross")


def test_a_wide_comparison_scrolls_in_its_frame_and_its_sentences_stay(browser: Chrome, pages: Pages) -> None:
    phone(browser)
    fresh(browser, pages.url("compare"))
    frame = browser.find_element(By.CSS_SELECTOR, ".matrix")
    sentence = frame.find_element(By.CSS_SELECTOR, ".more p")
    browser.execute_script("arguments[0].scrollLeft = 400", frame)
    assert browser.execute_script("return arguments[0].scrollLeft", frame) > 0
    edge = browser.execute_script("return arguments[0].getBoundingClientRect().left", sentence)
    assert 0 <= edge <= 40


# The timeline


@pytest.mark.parametrize("name", some_quick("timeline", "gang"))
def test_a_timeline_has_lanes_and_says_what_each_mark_is(browser: Chrome, pages: Pages, name: str) -> None:
    fresh(browser, pages.url(name))
    assert len(css(browser, ".tl g[class^=lane]")) >= 5
    marks = css(browser, ".tl a")
    assert len(marks) > 20
    for mark in marks:
        title = browser.execute_script("return arguments[0].querySelector('title').textContent", mark)
        assert title.strip()
        assert mark.accessible_name
    assert len(css(browser, ".tl .cross")) == 1
    assert bool(css(browser, ".tl .lane-room .least")) == (name == "gang")


@pytest.mark.parametrize("name", some_quick("timeline", "gang"))
def test_the_key_explains_what_is_drawn_and_nothing_else(browser: Chrome, pages: Pages, name: str) -> None:
    fresh(browser, pages.url(name))
    swatches = {
        kind: css(browser, f".key .swatch .{kind}")
        for kind in (
            "decisive",
            "done",
            "refused",
            "lost",
            "killed",
            "action",
            "written",
            "bound",
            "gone",
            "tracked",
            "least",
            "fired",
            "mist",
        )
    }
    assert {kind for kind, found in swatches.items() if found} == {
        kind for kind in swatches if css(browser, f".drawing .{kind}:not(text)")
    }
    assert all(one.text.strip() for one in css(browser, ".key li"))


@pytest.mark.quick
def test_what_decides_has_a_ring_on_its_lanes(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("marked"))
    (cause, *_) = css(browser, ".cause .drawing")
    rings = cause.find_elements(By.CSS_SELECTOR, "a .decisive")
    assert rings
    assert len(cause.find_elements(By.CSS_SELECTOR, "text.decided")) == len(rings)


@pytest.mark.parametrize(
    ("name", "anchor"), [("timeline", "t-here"), ("gang", "t-here"), ("marked", "drawn-0-here")]
)
def test_on_a_phone_what_decides_comes_into_view_beside_the_names_of_the_lanes(
    browser: Chrome, pages: Pages, name: str, anchor: str
) -> None:
    phone(browser)
    fresh(browser, pages.url(name))
    browser.find_element(By.CSS_SELECTOR, f"a[href='#{anchor}']").click()
    assert browser.current_url.endswith(f"#{anchor}")
    names, frame, cross = (
        browser.execute_script("return arguments[0].getBoundingClientRect()", css(browser, selector)[0])
        for selector in (".drawing .names", ".drawing", ".drawing .cross")
    )
    assert frame["left"] - 1 <= names["left"] <= frame["left"] + 2
    assert names["right"] <= cross["left"]
    assert cross["right"] <= frame["right"]
    assert 0 <= cross["top"] <= PHONE["height"]


def test_what_was_found_leads_to_its_steps_and_its_timeline_and_back(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("explored"))
    assert [one.text.split()[0] for one in css(browser, ".unmet h2")] == ["FIN-004", "FIN-004"]
    css(browser, ".unmet .where a")[0].click()
    assert browser.current_url == pages.url("finding")
    assert [one.text for one in css(browser, "ol li")][:1] == ["a Job with 3 pods"]
    assert css(browser, "svg.tl .lane-calls")
    browser.find_element(By.CSS_SELECTOR, ".kind a").click()
    assert browser.current_url.startswith(pages.url("explored"))


@pytest.mark.quick
def test_a_mark_leads_to_its_record_even_where_that_is_folded(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("timeline"))
    for mark in css(browser, ".tl a")[:10]:
        mark.send_keys(Keys.ENTER)
        record = browser.find_element(By.CSS_SELECTOR, ":target")
        assert record.is_displayed()
        assert str(record.get_attribute("id")) in browser.current_url


@pytest.mark.quick
def test_the_picture_on_the_page_of_a_run_leads_to_the_timeline(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("marked"))
    assert browser.find_element(By.CSS_SELECTOR, ".cause .tl").is_displayed()
    link = browser.find_element(By.CSS_SELECTOR, ".cause figcaption > a")
    link.click()
    assert "/timelines/" in browser.current_url
    assert said(browser) == []
    browser.find_element(By.LINK_TEXT, "the whole report").click()
    assert browser.current_url.endswith("index.html#FIN-004")


def test_every_recorded_timeline_fits_its_frame(browser: Chrome, pages: Pages) -> None:
    for path in sorted((pages.paths["marked"].parent / "timelines").iterdir()):
        fresh(browser, path.as_uri())
        outside = browser.execute_script(
            """
            const svg = document.querySelector(".tl"), box = svg.viewBox.baseVal;
            return [...svg.querySelectorAll("rect, text, path, circle")]
              .map((one) => one.getBBox())
              .filter((at) => at.x < -6 || at.y < -6 || at.x + at.width > box.width + 60
                || at.y + at.height > box.height + 6).length;
            """
        )
        assert outside == 0, path.name


# Print and size


def test_it_is_printed_without_an_empty_page(browser: Chrome, pages: Pages) -> None:
    fresh(browser, pages.url("large"))
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    leaves = len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))
    assert 5 < leaves <= 40
    media(browser, kind="print")
    broken = browser.execute_script("return getComputedStyle(document.querySelector('.unmet')).breakInside")
    assert broken == "auto"
    assert not browser.find_element(By.ID, "search").is_displayed()


@pytest.mark.parametrize("name", some_quick("timeline", "mixed", "finding"))
def test_paper_is_as_wide_as_a_timeline_needs(browser: Chrome, pages: Pages, name: str) -> None:
    fresh(browser, pages.url(name))
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    sizes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)", pdf)
    assert sizes
    assert all(float(width) > float(height) for width, height in sizes)


@pytest.mark.parametrize(
    "name", some_quick("mixed", "clean", "changes", "matrix", "compare", "timeline", "gang", "finding")
)
def test_in_print_the_words_stay_and_the_controls_go(browser: Chrome, pages: Pages, name: str) -> None:
    fresh(browser, pages.url(name))
    sentences = [one for one in css(browser, ".r td, .sentence") if one.is_displayed() and one.text]
    media(browser, kind="print")
    assert not any(one.is_displayed() for one in css(browser, "#search, #expand, .filter input, .skip"))
    assert sum(one.is_displayed() for one in sentences) >= len(sentences) / 2
    assert browser.find_element(By.TAG_NAME, "h1").is_displayed()
    paper = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert re.findall(r"\d+", paper)[:3] == ["255", "255", "255"]


def test_eight_hundred_scenarios_take_less_than_five_megabytes(pages: Pages) -> None:
    """How fast such a page opens, benchmarks/report_page.py measures: no test is timed."""
    assert pages.paths["large"].stat().st_size < 5_000_000
