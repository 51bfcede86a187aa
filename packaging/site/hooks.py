"""Hooks of MkDocs: what GitHub's Markdown has and Python-Markdown reads differently."""

import json
import os
import re
import shutil


def github_slug(text, separator):
    """The anchor that GitHub gives a heading (toc numbers repeated ones)."""
    text = re.sub(r"<[^>]*>", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", separator)


def on_config(config):
    config["mdx_configs"]["toc"] = {"slugify": github_slug}
    try:
        import pygments  # noqa: F401
    except ImportError:
        return config
    config["markdown_extensions"].append("codehilite")
    config["mdx_configs"]["codehilite"] = {"guess_lang": False}
    return config


def on_page_markdown(markdown, page, config, files):
    lines = []
    fenced = False
    item = 0  # how far the text of the list's item is indented here; Python-Markdown wants 4
    for line in markdown.split("\n"):
        if re.match(r" *```", line):
            fenced = not fenced
            # Python-Markdown takes one word behind the fence
            line = re.sub(r"(```\w+) .*", r"\1", line)
        elif not fenced:
            start = re.match(r"([-*]|\d+\.) +", line)
            if start:
                item = len(start[0])
            elif line and not line.startswith(" "):
                item = 0
            elif item and line.startswith(" " * item):
                line = " " * 4 + line[item:]
            # a bar in code is no end of a cell; the backslash before it would be shown
            if line.startswith("|"):
                line = re.sub(r"`[^`]*`", lambda m: m[0].replace("\\|", "|"), line)
        lines.append(line)
    return "\n".join(lines)


def on_page_content(html, page, config, files):
    # wide tables scroll by themselves, not with the page
    html = html.replace("<table>", '<div class="wide"><table>')
    html = html.replace("</table>", "</table></div>")
    # a picture leads to itself, to be enlarged
    html = re.sub(r'(<img [^>]*src="([^"]*)"[^>]*>)', r'<a href="\2">\1</a>', html)
    # numbered anchors are "-1", "-2" on GitHub
    return re.sub(r' id="([\w-]+)_(\d+)"(?=>)', r' id="\1-\2"', html)


def on_post_build(config):
    """The index of the search as a script, which pages on a disk may read, too."""
    folder = os.path.join(config["site_dir"], "search")
    with open(os.path.join(folder, "search_index.json"), encoding="utf-8") as file:
        index = json.load(file)
    shutil.rmtree(folder)
    os.mkdir(folder)
    docs = [[d["location"], d["title"], " ".join(d["text"].split())] for d in index["docs"]]
    with open(os.path.join(folder, "index.js"), "w", encoding="utf-8") as file:
        file.write("searchIndex(" + json.dumps(docs, ensure_ascii=False) + ");\n")
