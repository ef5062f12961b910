"""How soon the page of `editmt serve` can be used, and what it weighs, in headless Chromium on this machine.

    python bench/page.py

Each load is a new context without a cache. It can be used when its scripts listen and the server has told its
languages (`data-ready`); the time is the browser's own, from the begin of the navigation.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright
from serve import Figure, Server

WATCH = """new MutationObserver(() => {
    if ("ready" in document.documentElement.dataset) window.readyAt ??= performance.now();
}).observe(document, { attributes: true, subtree: true });"""
WEIGH = """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .reduce((sum, { transferSize }) => sum + transferSize, 0)"""


def load_page(browser: Browser, address: str) -> tuple[float, float]:
    """Return the milliseconds until the page can be used, and its bytes."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    milliseconds, weight = page.evaluate(f"[window.readyAt, {WEIGH}]")
    context.close()
    return milliseconds, weight


def main() -> None:
    """Load the page some times, and print a table of every figure."""
    parser = argparse.ArgumentParser(
        formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__
    )
    parser.add_argument("--model", type=Path, help="a run or a model (default: the one that ships)")
    parser.add_argument("--languages", default="en-de")
    parser.add_argument("--loads", type=int, default=20)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(options, folder) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        address = f"http://127.0.0.1:{server.port}/"
        loads = [load_page(browser, address) for _ in range(options.loads)]
        browser.close()
    times = [milliseconds for milliseconds, _ in loads]
    figures = [
        Figure("server ready after, s", server.start_seconds, most=2),
        Figure("page can be used after, ms, first load", times[0]),
        Figure("page can be used after, ms, median", statistics.median(times), most=300),
        Figure("page can be used after, ms, slowest", max(times)),
        Figure("page, KB", max(weight for _, weight in loads) / 1000, most=150),
    ]
    for figure in figures:
        print(figure)
    sys.exit(any(figure.fails for figure in figures))


if __name__ == "__main__":
    main()
