#!/usr/bin/env python3
"""The pictures that open the pages of the types: doc/pictures/<name>.svg.

    packaging/site/pictures.py [NAME ...]

Each picture is a function below, drawn with a few helpers, so that all have one style.  They
bring their own light background: GitHub shows them on a dark page, too.  Texts are 14 pixels or
more on 640, which is still readable on a phone.
"""

import os
import sys
from xml.sax.saxutils import escape

TEXT, SOFT, LINE, BOX = "#1f2328", "#59636e", "#8c959f", "#f3f5f7"
BLUE, ORANGE, GREEN = "#1b5e9e", "#c4541d", "#2a7d4f"
PALE_BLUE, PALE_ORANGE, PALE_GREEN = "#d6e6f5", "#fbe0d2", "#d5efdf"
SANS = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
MONO = "Menlo, Consolas, 'DejaVu Sans Mono', monospace"


class Picture:
    """An SVG of 640 pixels by `height`, with a title and a description for screen readers."""

    def __init__(self, height, title, description):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 {height}" '
            f'width="640" height="{height}" role="img" font-family="{SANS}" font-size="15" '
            f'fill="{TEXT}">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(description)}</desc>",
            "<defs>"
            + "".join(
                f'<marker id="a{color[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
                f'markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" '
                f'fill="{color}"/></marker>'
                for color in (LINE, BLUE, ORANGE, GREEN)
            )
            + "</defs>",
            f'<rect x="0.5" y="0.5" width="639" height="{height - 1}" rx="10" fill="#ffffff" '
            'stroke="#d1d9e0"/>',
        ]
        self.text(20, 31, title, size=17, bold=True)

    def text(self, x, y, text, size=15, color=TEXT, at="start", bold=False, mono=False):
        more = ' font-weight="bold"' if bold else ""
        more += f' font-family="{MONO}"' if mono else ""
        more += f' text-anchor="{at}"' if at != "start" else ""
        more += f' font-size="{size}"' if size != 15 else ""
        more += f' fill="{color}"' if color != TEXT else ""
        self.parts.append(f'<text x="{x}" y="{y}"{more}>{escape(text)}</text>')

    def box(self, x, y, width, height, fill=BOX, line=LINE, round=4, dashed=False):
        more = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round}" '
            f'fill="{fill}" stroke="{line}"{more}/>'
        )

    def chip(self, x, y, text, width=None, fill=BOX, line=LINE, color=TEXT):
        """A value in a box of its width, 26 high; returns the width."""
        width = width or 9 * len(text) + 14
        self.box(x, y, width, 26, fill, line, 6)
        self.text(x + width / 2, y + 18, text, 14, color, "middle", mono=True)
        return width

    def cells(self, x, y, values, width=28, height=26, fills=None, color=TEXT):
        """A row of cells; `fills` maps places to (fill, colour of the text)."""
        for i, value in enumerate(values):
            fill, ink = (fills or {}).get(i, (BOX, color))
            self.box(x + i * width, y, width, height, fill, round=0)
            if value != "":
                self.text(x + (i + 0.5) * width, y + height / 2 + 5, str(value), 14, ink, "middle",
                          mono=True)

    def line(self, x1, y1, x2, y2, color=LINE, arrow=True, width=1.6, dashed=False):
        more = f' marker-end="url(#a{color[1:]})"' if arrow else ""
        more += ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(
            f'<path d="M{x1:g},{y1:g} L{x2:g},{y2:g}" stroke="{color}" stroke-width="{width}" '
            f'fill="none"{more}/>'
        )

    def bars(self, x, y, heights, width=9, unit=4.2, color=BLUE):
        """Registers as bars that stand on y."""
        for i, h in enumerate(heights):
            self.parts.append(
                f'<rect x="{x + i * width}" y="{y - h * unit:g}" width="{width - 2}" '
                f'height="{h * unit:g}" fill="{color}"/>'
            )
        self.line(x - 2, y + 0.5, x + len(heights) * width, y + 0.5, arrow=False, width=1)

    def svg(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


def hll():
    p = Picture(282, "One sketch a day, and any span of days from the sketches",
                "Values of three days go into three sketches of a few registers each. The merged "
                "sketch has the larger of each register, and estimates the distinct values of all.")
    days = [("Mon", "ana bob ana cy …", [3, 1, 5, 2, 4, 2, 1, 6, 2, 3], "8,929"),
            ("Tue", "bob dan bob eve …", [2, 4, 2, 3, 1, 5, 2, 2, 4, 1], "9,007"),
            ("Wed", "eve cy fay eve …", [1, 2, 3, 7, 2, 1, 4, 3, 1, 5], "9,030")]
    merged = [max(column) for column in zip(*(d[2] for d in days))]
    p.text(20, 62, "rows", 14, SOFT)
    p.text(232, 62, "hll_agg(visitor)", 14, SOFT, mono=True)
    p.text(480, 62, "hll_merge_agg", 14, SOFT, mono=True)
    for i, (day, values, registers, count) in enumerate(days):
        y = 112 + i * 56
        p.text(20, y - 6, day, bold=True)
        p.text(62, y - 6, values, 14, mono=True)
        p.line(204, y - 11, 228, y - 11)
        p.bars(238, y, registers)
        p.text(338, y - 6, "# " + count, color=BLUE, mono=True)
        p.line(420, y - 11, 474, 158 + (i - 1) * 12)
    p.bars(490, 178, merged, width=12, color=GREEN)
    p.text(490, 206, "# 16,992", 17, GREEN, bold=True, mono=True)
    p.text(490, 226, "exactly 17,000", 14, SOFT)
    p.text(20, 264, "Each register keeps a maximum, so whoever comes twice counts once.", 14, SOFT)
    return p


def bloom():
    p = Picture(306, "A value sets a few bits; a bit that is not set proves \"no\"",
                "Two added values set three bits each. A probe that meets an empty bit was never "
                "added. A probe whose bits were all set by others is a false positive.")
    x, y, w = 40, 128, 28
    sets = {"host7": (2, 7, 13), "host9": (4, 13, 17)}
    ones = {i for places in sets.values() for i in places}
    middle = lambda i: x + (i + 0.5) * w
    p.text(20, 79, "added", 14, SOFT)
    for name, at in (("host7", 210), ("host9", 420)):
        p.chip(at - 32, 60, name, fill=PALE_BLUE, line=BLUE)
        for i in sets[name]:
            p.line(at, 86, middle(i), y - 3, BLUE)
    p.cells(x, y, [1 if i in ones else 0 for i in range(20)], w,
            fills={i: (BLUE, "#ffffff") for i in ones}, color=SOFT)
    probes = [("host7", 106, sets["host7"], GREEN, PALE_GREEN, "yes", ""),
              ("www7", 300, (4, 10, 17), ORANGE, PALE_ORANGE, "no: certain", "a bit is not set"),
              ("www5", 508, (2, 13, 17), LINE, BOX, "yes: wrong", "a false positive")]
    for name, at, places, color, fill, answer, why in probes:
        for i in places:
            off = name == "www7" and i != 10
            p.line(at, 222, middle(i), y + 29, color, dashed=off, width=1.2 if off else 1.8)
        width = 9 * len(name) + 14
        p.chip(at - width / 2, 222, name, fill=fill, line=color)
        p.text(at, 268, answer, 15, color if color != LINE else TEXT, "middle", bold=True)
        p.text(at, 288, why, 14, SOFT, "middle")
    p.text(20, 240, "probe", 14, SOFT)
    return p


def cms():
    p = Picture(298, "One counter in each row; the smallest is the answer",
                "A value adds to one counter in each of five rows. Other values share some of "
                "these "
                "counters, so the smallest of them is the estimate, and never too low.")
    x, y, w, h = 160, 62, 46, 32
    places, counts = [6, 1, 8, 4, 2], ["1,502", "1,382", "1,455", "1,390", "1,611"]
    p.chip(24, 130, "page 8", fill=PALE_BLUE, line=BLUE)
    for row in range(5):
        fill = {}
        values = [""] * 10
        for i in range(10):
            if (i * 7 + row * 5) % 4 == 1:
                fill[i] = ("#e3e8ed", TEXT)
        fill[places[row]] = (PALE_BLUE, TEXT)
        p.cells(x, y + row * 36, values, w, h, fill)
        at = x + places[row] * w
        best = counts[row] == "1,382"
        p.box(at, y + row * 36, w, h, PALE_GREEN if best else PALE_BLUE, GREEN if best else BLUE, 0)
        p.text(at + w / 2, y + row * 36 + 21, counts[row], 14, GREEN if best else TEXT, "middle",
               bold=best)
        p.line(94, 143, x - 4, y + row * 36 + h / 2, BLUE)
    p.text(24, 270, "estimate", 15)
    p.text(94, 270, "1,382", 17, GREEN, bold=True)
    p.text(160, 270, "Other values in a counter only add to it: never too low.", 14, SOFT)
    return p


def topk():
    p = Picture(282, "The frequent values keep a counter, the rare ones drop out",
                "A stream of values goes into counters. Frequent values are known by name, with a "
                "lower and an upper bound. Rare values drop out, and the sketch knows how much it "
                "can have missed.")
    p.text(20, 62, "rows", 14, SOFT)
    for i, value in enumerate(["/home", "/news", "/home", "/p/8731", "/home", "/p/17", "…"]):
        p.text(20, 90 + i * 24, value, 14, SOFT if value.startswith("/p/") else TEXT, mono=True)
    p.line(110, 152, 146, 152)
    p.text(160, 62, "topk_items: item", 14, SOFT, mono=True)
    p.text(390, 62, "lower to upper", 14, SOFT)
    rows = [("/home", 105000, 105000), ("/news", 60000, 60000), ("/shop", 13500, 13531),
            ("/faq", 2000, 2049)]
    for i, (item, lower, upper) in enumerate(rows):
        y = 76 + i * 34
        p.text(160, y + 17, item, 14, mono=True)
        scale = 150 / 105000
        p.box(226, y, lower * scale, 24, BLUE, BLUE, 2)
        if upper > lower:
            p.box(226 + lower * scale, y, 6, 24, PALE_BLUE, BLUE, 2)
        bounds = f"{lower:,}" if lower == upper else f"{lower:,} to {upper:,}"
        p.text(390, y + 17, bounds, 15)
        if lower == upper:
            p.text(454, y + 17, "exact", 14, GREEN)
    p.box(160, 216, 440, 26, "none", LINE, 4, dashed=True)
    p.text(172, 234, "any other value: at most the error, 57", 14, SOFT)
    p.text(20, 267, "The bounds always hold, whatever the data.", 14, SOFT)
    return p


def cuckoo():
    p = Picture(326, "A fingerprint in one of two buckets; it can be removed",
                "A value has a short fingerprint, which is kept in one of two buckets of four "
                "slots. A removed value takes its fingerprint with it. A probe looks into both "
                "buckets of the value.")
    table = [["a3", "", "", ""], ["5c", "e1", "", ""], ["", "", "", ""], ["0b", "19", "d4", ""],
             ["77", "", "", ""]]
    for i, slots in enumerate(table):
        fills = {j: (PALE_BLUE, TEXT) for j, s in enumerate(slots) if s}
        if i == 1:
            fills[0] = (BLUE, "#ffffff")
        if i == 4:
            fills, slots = {}, [""] * 4
        p.cells(330, 70 + i * 38, slots, 56, 30, fills)
    p.text(330, 62, "buckets of four slots", 14, SOFT)
    p.chip(24, 74, "add s1", fill=PALE_BLUE, line=BLUE)
    p.text(104, 93, "5c", 15, BLUE, bold=True, mono=True)
    p.line(134, 88, 326, 122, BLUE)
    p.line(134, 91, 326, 160, BLUE, dashed=True)
    p.text(250, 152, "or here", 14, BLUE, "end")
    p.chip(24, 190, "remove s2", fill=PALE_ORANGE, line=ORANGE)
    p.text(131, 209, "77", 15, ORANGE, bold=True, mono=True)
    p.line(160, 206, 326, 236, ORANGE)
    p.text(358, 242, "77", 15, ORANGE, "middle", mono=True)
    p.line(344, 237, 372, 237, ORANGE, arrow=False)
    p.text(562, 242, "taken out", 14, ORANGE)
    p.chip(24, 236, "s2 ?", fill=BOX)
    p.text(86, 254, "no: certain", 15, ORANGE, bold=True)
    p.text(20, 292,
           "A fingerprint takes a few bits, however long the value is. Two values with the", 14,
           SOFT)
    p.text(20, 311, "same fingerprint in the same buckets make a false positive.", 14, SOFT)
    return p


def counting_bloom():
    p = Picture(274, "Counters in the place of bits: what was added can be removed",
                "Adding a value adds one to its counters, removing it subtracts one. A value whose "
                "counters are all above zero is in the set; one with a zero is not.")
    x, y, w = 40, 126, 28
    middle = lambda i: x + (i + 0.5) * w
    values = [0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 0]
    fills = {i: (BLUE if v > 1 else "#6fa3d4", "#ffffff") for i, v in enumerate(values) if v}
    p.chip(110, 60, "add 'session 8'", fill=PALE_GREEN, line=GREEN)
    for i in (4, 7, 13):
        p.line(185, 86, middle(i), y - 3, GREEN)
    p.text(266, 78, "+1 each", 14, GREEN, bold=True)
    p.chip(382, 60, "remove 'session 7'", fill=PALE_ORANGE, line=ORANGE)
    for i in (10, 15, 18):
        p.line(468, 86, middle(i), y - 3, ORANGE)
    p.text(566, 78, "−1 each", 14, ORANGE, bold=True)
    values[10] = 1
    p.cells(x, y, values, w, fills=fills, color=SOFT)
    p.chip(110, 206, "session 8 ?")
    for i in (4, 7, 13):
        p.line(166, 206, middle(i), y + 29, GREEN)
    p.text(234, 224, "yes", 15, GREEN, bold=True)
    p.chip(382, 206, "session 7 ?")
    for i in (10, 15, 18):
        p.line(438, 206, middle(i), y + 29, ORANGE, dashed=i == 10)
    p.text(506, 224, "no: certain", 15, ORANGE, bold=True)
    p.text(20, 258, "A zero proves that the value is not in the set.", 14, SOFT)
    return p


def scalable_bloom():
    p = Picture(268, "When a layer is full, a larger one is added",
                "A filter for 1,000 values has grown to four layers of 1,000, 2,000, 4,000 and "
                "8,000 values. A probe looks into all layers, whose rates add up to less than the "
                "promised one.")
    p.text(20, 62, "layer", 14, SOFT)
    p.text(74, 62, "values", 14, SOFT)
    p.text(620, 62, "rate at most", 14, SOFT, "end")
    layers = [(1000, 1000, "0.5 %"), (2000, 2002, "0.076 %"), (4000, 3999, "0.061 %"),
              (8000, 2939, "0.049 %")]
    for i, (capacity, items, rate) in enumerate(layers):
        y = 74 + i * 36
        width = capacity * 0.036
        p.text(34, y + 19, str(i + 1), 15, bold=True, at="middle")
        p.text(122, y + 19, f"{items:,}", 14, at="end")
        p.box(140, y, width, 26, PALE_BLUE, BLUE, 3)
        p.box(140, y, min(items / capacity, 1) * width, 26, BLUE, BLUE, 3)
        if i < 3:
            p.text(140 + width + 10, y + 19, "full", 14, SOFT)
        else:
            p.text(264, y + 19, "new values go here", 14)
        p.text(620, y + 19, rate, 14, at="end")
    p.text(20, 248,
           "A probe looks into all layers. All of them together stay below the promised 1 %.",
           14, SOFT)
    return p


def minhash():
    p = Picture(288, "Two sets are as similar as their sketches have equal bins",
                "Each bin of a sketch keeps the smallest hash that came to it. In 11 of 16 bins "
                "two "
                "sketches agree, so the sets share about 69 % of their union.")
    a = ["3f", "0a", "71", "22", "58", "9c", "14", "b0", "4e", "67", "05", "8d", "33", "a1", "2b",
         "76"]
    b = list(a)
    for i, value in ((2, "6e"), (5, "88"), (8, "1d"), (11, "40"), (14, "09")):
        b[i] = value
    equal = [i for i in range(16) if a[i] == b[i]]
    p.parts.append(f'<circle cx="70" cy="120" r="44" fill="{BLUE}" fill-opacity="0.25" '
                   f'stroke="{BLUE}"/>'
                   f'<circle cx="102" cy="120" r="44" fill="{ORANGE}" fill-opacity="0.25" '
                   f'stroke="{ORANGE}"/>')
    p.text(40, 126, "a", 17, BLUE, "middle", bold=True)
    p.text(132, 126, "b", 17, ORANGE, "middle", bold=True)
    p.text(170, 62, "the smallest hash of each bin", 14, SOFT)
    for name, values, y, color in (("a", a, 76, BLUE), ("b", b, 142, ORANGE)):
        p.text(176, y + 19, name, 17, color, "middle", bold=True)
        p.cells(190, y, values, 27, 28, {i: (PALE_GREEN, GREEN) for i in equal}, SOFT)
    for i in range(16):
        x = 190 + 27 * (i + 0.5)
        p.text(x, 129, "=" if i in equal else "≠", 15, GREEN if i in equal else SOFT, "middle",
               bold=i in equal)
    p.text(190, 205,
           f"{len(equal)} of 16 bins are equal: the sets share about {100 * len(equal) / 16:.0f} %",
           15, GREEN, bold=True)
    p.text(20, 248, "A sketch of 128 bins takes some 150 bytes, however large the set is.", 14,
           SOFT)
    p.text(20, 268, "Groups of bins (bands) go into a GIN index, which finds similar sets.", 14,
           SOFT)
    return p


def ddsketch():
    p = Picture(262, "Each number falls into a bucket, and the sketch counts",
                "Edges of buckets grow by a fixed factor, so each bucket is as wide as a fixed "
                "share of its numbers. The sketch keeps the counts of buckets, and the exact "
                "smallest and largest number.")
    counts = [1, 0, 2, 5, 9, 14, 18, 21, 19, 15, 11, 7, 5, 3, 2, 0, 1]
    edges = [0.9 * 1.19 ** i for i in range(len(counts) + 1)]
    width = 34
    for i, n in enumerate(counts):
        x = 30 + i * width
        median = i == 7
        if n:
            p.box(x + 2, 190 - n * 6, width - 4, n * 6, PALE_ORANGE if median else PALE_BLUE,
                  ORANGE if median else BLUE, 2)
            p.text(x + width / 2, 184 - n * 6, str(n), 14, SOFT, "middle")
        if i % 2 == 0:
            p.text(x, 210, f"{edges[i]:.1f}", 14, SOFT, "middle")
    p.text(30 + 7.5 * width, 52, "the median is in here", 14, ORANGE, "middle")
    p.text(20, 240, "Each edge is 19 % above the one before: every number of a bucket is within "
           "9 %", 14)
    p.text(20, 256, "of its middle.", 14)
    return p


def existence():
    p = Picture(290, "A small index in front of the table: most lookups end there",
                "An insert adds the key to the table and to the existence index. A lookup reads a "
                "page or two of the index. The answer no is certain and the table is not read. "
                "Only maybe leads to the table.")
    p.chip(22, 70, "INSERT", fill=PALE_BLUE, line=BLUE)
    p.chip(22, 158, "is this key there?", fill=BOX)
    p.box(252, 112, 130, 116, PALE_BLUE, BLUE, 8)
    p.text(317, 148, "existence", 15, at="middle", bold=True)
    p.text(317, 168, "index", 15, at="middle", bold=True)
    p.text(317, 194, "10 bits a row", 14, SOFT, "middle")
    p.text(317, 213, "one page or two", 14, SOFT, "middle")
    p.box(500, 62, 118, 166, BOX, LINE, 8)
    p.text(559, 86, "table", 15, at="middle", bold=True)
    for i in range(7):
        p.box(514, 98 + i * 17, 90, 11, "#dfe5ea", "none", 2)
    p.line(92, 83, 496, 83, BLUE)
    p.line(92, 90, 249, 126, BLUE)
    p.line(203, 171, 249, 171)
    p.line(385, 152, 496, 152, dashed=True)
    p.text(440, 144, "maybe", 15, TEXT, "middle", bold=True)
    p.text(440, 172, "look there", 14, SOFT, "middle")
    p.line(317, 231, 317, 252, ORANGE)
    p.text(330, 254, "no: certain, the table is not read", 15, ORANGE, bold=True)
    p.text(20, 276, "Of keys that are not there, 1 % get a \"maybe\".", 14, SOFT)
    return p


def rollups():
    p = Picture(290, "Writers append small parts, readers merge them",
                "Each INSERT appends a part for each day of its rows. An UPDATE or a DELETE "
                "appends a mark. A reader merges the parts of a day, and computes a marked day "
                "from the table.")
    for x, name in ((20, "visit"), (216, "daily_parts"), (446, "daily")):
        p.text(x, 62, name, 14, SOFT, mono=True)
    parts = [("INSERT", "Mon", [2, 0, 4, 1, 0, 2, 0, 3]),
             ("INSERT", "Mon", [0, 1, 2, 2, 3, 0, 1, 1]),
             ("COPY", "Tue", [2, 4, 2, 3, 1, 5, 2, 2]), ("DELETE", "Wed", None)]
    for i, (statement, day, registers) in enumerate(parts):
        y = 72 + i * 42
        color = BLUE if registers else ORANGE
        p.box(20, y, 96, 34)
        p.text(68, y + 22, statement, 14, color, "middle", mono=True)
        p.line(118, y + 17, 210, y + 17, color)
        p.box(216, y, 144, 34, BOX if registers else PALE_ORANGE, LINE if registers else ORANGE, 0)
        p.text(226, y + 22, day, 15, bold=True)
        if registers:
            p.bars(276, y + 29, registers, 8, 4.2)
        else:
            p.text(276, y + 22, "a mark", 14, ORANGE)
    days = [("Mon", [max(c) for c in zip(parts[0][2], parts[1][2])], 93),
            ("Tue", parts[2][2], 156), ("Wed", [1, 2, 3, 4, 2, 1, 0, 3], 198)]
    for day, registers, y in days:
        p.box(446, y, 150, 34, BOX, LINE, 0)
        p.text(456, y + 22, day, 15, bold=True)
        p.bars(506, y + 29, registers, 8, 4.2, GREEN)
    for y, to in ((89, 106), (131, 114), (173, 173)):
        p.line(362, y, 440, to, GREEN)
    p.line(362, 215, 440, 215, ORANGE, dashed=True)
    p.text(401, 206, "query", 14, ORANGE, "middle")
    p.text(401, 90, "merge", 14, GREEN, "middle")
    p.text(20, 258, "Nobody looks anything up before writing, and no writer waits for another.", 14,
           SOFT)
    p.text(20, 278, "A marked day is computed from visit. A refresh stores the result as one part.",
           14, SOFT)
    return p


def fuse():
    p = Picture(286, "Some slots of a window come to the value's fingerprint",
                "The hash of a value chooses a window of slots, some slots in it, and a "
                "fingerprint. The slots were computed so that the exclusive or of the chosen ones "
                "is the fingerprint, for all values of the set.")
    x, y, w = 40, 128, 28
    slots = list("70c52f9c31d8046be2a7")
    one, other = (2, 3, 6), (11, 12, 15)
    fills = {i: (PALE_BLUE, TEXT) for i in range(1, 9)}
    fills.update({i: (PALE_ORANGE, TEXT) for i in range(10, 18)})
    fills.update({i: (BLUE, "#ffffff") for i in one})
    fills.update({i: (ORANGE, "#ffffff") for i in other})
    p.cells(x, y, slots, w, 32, fills)
    p.chip(60, 60, "spam.example, of the set", fill=PALE_GREEN, line=GREEN)
    p.chip(370, 60, "www.example ?", fill=BOX)
    for start, chosen, color in ((150, one, BLUE), (430, other, ORANGE)):
        for i in chosen:
            p.line(start, 86, x + (i + 0.5) * w, y - 3, color)
    p.text(20, 190, "c xor 5 xor 9 = 0", 15, BLUE, bold=True, mono=True)
    p.text(20, 212, "its fingerprint is 0: yes", 15, BLUE)
    p.text(330, 190, "8 xor 0 xor b = 3", 15, ORANGE, bold=True, mono=True)
    p.text(330, 212, "its fingerprint is 6: no, for certain", 15, ORANGE)
    p.text(20, 250,
           "The slots solve one equation for each value of the set. A fingerprint of r bits is", 14,
           SOFT)
    p.text(20, 269, "met by chance once in 2^r. A new value would need other slots.", 14, SOFT)
    return p


PICTURES = [hll, bloom, cms, topk, cuckoo, counting_bloom, scalable_bloom, minhash, ddsketch,
            fuse, existence, rollups]


def main():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../doc/pictures")
    for draw in PICTURES:
        if len(sys.argv) < 2 or draw.__name__ in sys.argv[1:]:
            with open(os.path.join(folder, draw.__name__ + ".svg"), "w", encoding="utf-8") as file:
                file.write(draw().svg())


main()
