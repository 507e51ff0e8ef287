"""Whether LibreOffice's own LanguageTool client gets on with `permend serve`: a letter with three errors is checked.

Run: python -m benchmarks.libreoffice [MODEL]

It needs Debian's packages libreoffice-writer and python3-uno (90 MB to fetch, 290 MB on disk, which is why no test does
this; what LibreOffice sends is replayed in tests/serving/test_recorded_clients.py). LibreOffice runs without a window
and with a profile of its own, in which Tools, Options, Languages, LanguageTool Server is switched on with permend's
address. The document is checked twice: by the component itself, and by the iterator that underlines text in Writer.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from benchmarks.serving_fuzz import served

LETTER = "I definately agree with R&D. 😀 He go to school yesterday. She have two 100% good ideas."
WRONG = ["definately", "go", "have"]
_SETTING = '<item oor:path="/org.openoffice.Office.Linguistic/GrammarChecking/LanguageTool">{}</item>'
_PROFILE = f"""<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{_SETTING.format('<prop oor:name="BaseURL" oor:op="fuse"><value>ADDRESS/v2</value></prop>')}
{_SETTING.format('<prop oor:name="IsEnabled" oor:op="fuse"><value>true</value></prop>')}
</oor:items>
"""
_CHECK = """
import json, sys, threading, time, uno, unohelper
from com.sun.star.beans import PropertyValue
from com.sun.star.lang import Locale

pipe, text = sys.argv[1:]
here = uno.getComponentContext()
resolver = here.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", here)
for attempt in range(300):
    try:
        there = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        break
    except Exception:
        time.sleep(0.2)
make = lambda name: there.ServiceManager.createInstanceWithContext(name, there)
english = Locale("en", "US", "")
document = make("com.sun.star.frame.Desktop").loadComponentFromURL(
    "private:factory/swriter", "_blank", 0, (PropertyValue("Hidden", 0, True, 0),))
document.Text.setString(text)
cursor = document.Text.createTextCursor()
cursor.gotoEnd(True)
cursor.CharLocale = english
paragraph = document.getFlatParagraphIterator(2, True).getFirstPara()  # 2: what proofreading underlines
checker = make("org.openoffice.lingu.LanguageToolGrammarChecker")
iterator = make("com.sun.star.linguistic2.ProofreadingIterator")
proofread = {
    "component": lambda: checker.doProofreading("1", text, english, 0, len(text.encode("utf-16-le")) // 2, ()),
    "iterator": lambda: iterator.checkSentenceAtPosition(document, paragraph, text, english, 0, -1, 0),
}
units = text.encode("utf-16-le")
found = {
    name: [
        [units[2 * e.nErrorStart : 2 * (e.nErrorStart + e.nErrorLength)].decode("utf-16-le"), list(e.aSuggestions)]
        for e in check().aErrors
    ]
    for name, check in proofread.items()
}
found["languages"] = sorted(f"{each.Language}-{each.Country}".strip("-") for each in checker.getLocales())
print(json.dumps(found))
try:
    make("com.sun.star.frame.Desktop").terminate()
except Exception:
    pass
"""


@contextmanager
def office(address: str, pipe: str) -> Iterator[None]:
    """Start LibreOffice with a profile that names a server."""
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "user" / "registrymodifications.xcu"
        profile.parent.mkdir()
        profile.write_text(_PROFILE.replace("ADDRESS", address), encoding="utf-8")
        options = ["--headless", "--norestore", "--nologo", f"-env:UserInstallation={Path(folder).as_uri()}"]
        process = subprocess.Popen(
            ["soffice", *options, f"--accept=pipe,name={pipe};urp;"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait()


@click.command()
@click.argument("model", required=False)
def main(model: str | None) -> None:
    """Have LibreOffice check a letter."""
    python = "/usr/bin/python3"  # the one that Debian's uno belongs to
    if not shutil.which("soffice") or subprocess.run([python, "-c", "import uno"], capture_output=True).returncode:
        raise click.ClickException("needs Debian's packages libreoffice-writer and python3-uno")
    pipe = f"permend{os.getpid()}"
    with served(model) as (_, address), office(address, pipe):
        said = subprocess.run([python, "-c", _CHECK, pipe, LETTER], capture_output=True, text=True, timeout=180)
    if said.returncode:
        raise click.ClickException(said.stderr)
    found = json.loads(said.stdout)
    print(subprocess.run(["soffice", "--version"], capture_output=True, text=True).stdout.strip())
    print(f"languages that the server offers: {', '.join(found['languages'])}")
    for name in ("component", "iterator"):
        print(f"{name}:", *(f"{before} → {', '.join(after)};" for before, after in found[name]))
    sys.exit([before for before, _ in found["component"]] != WRONG)


if __name__ == "__main__":
    main()
