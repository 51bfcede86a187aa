#!/usr/bin/env python3
"""The picture of the demo in README.md: what ./demo/run printed, as an SVG of a terminal.

    ./demo/run | packaging/site/terminal.py 1 4 >doc/pictures/demo.svg

The arguments are the sections that are shown, behind the head; "…" stands for those that are
left out.  Letters keep their columns
whatever font the reader has.
"""

import re
import sys
from xml.sax.saxutils import escape

WIDE, HIGH, SIZE = 8.4, 19, 14
COLUMNS = 92
FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"


def sections(text):
    """The head, and what follows each title ("1. One sketch …"), by the number."""
    parts = re.split(r"(?m)^(?=\d\. |What it takes on disk)", text)
    found = {"": parts[0]}
    for part in parts[1:]:
        found[part.split(".")[0] if part[0].isdigit() else "disk"] = part
    return found


def line_of(text, row):
    """A line as SVG: titles and SQL stand out, and so does what was faster."""
    y = 62 + row * HIGH
    indent = len(text) - len(text.lstrip())
    body = text.strip()
    if not body:
        return ""
    color = "#c9d1d9"
    if re.match(r"\$ |\d\. ", text):
        color = "#ffffff"
    elif re.match(r"(CREATE|SELECT|FROM|WHERE|GROUP) ", body):
        color = "#79c0ff"
    elif "times as fast" in body:
        color = "#7ee787"
    bold = ' font-weight="bold"' if color == "#ffffff" else ""
    return (
        f'<text x="{20 + indent * WIDE:g}" y="{y}" fill="{color}"{bold} '
        f'textLength="{len(body) * WIDE:g}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">'
        f"{escape(body)}</text>"
    )


def main():
    found = sections(sys.stdin.read())
    lines = ["$ ./demo/run", ""]
    before = ""
    for name in [""] + sys.argv[1:]:
        if before.isdigit() and name != str(int(before) + 1):
            lines += ["…", ""]
        before = name
        lines += found[name].strip("\n").split("\n") + [""]
    lines = [line[:COLUMNS] for line in lines[:-1]]
    width = round(40 + COLUMNS * WIDE)
    height = 62 + len(lines) * HIGH
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" font-family="{FONT}" font-size="{SIZE}">'
    )
    print("<title>What ./demo/run prints</title>")
    print(f'<rect width="{width}" height="{height}" rx="10" fill="#0d1117" stroke="#3d444d"/>')
    for i, color in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        print(f'<circle cx="{24 + 20 * i}" cy="22" r="6" fill="{color}"/>')
    for row, line in enumerate(lines):
        svg = line_of(line, row)
        if svg:
            print(svg)
    print("</svg>")


main()
