#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks all links of a site between its own files, with anchors. usage: links.py FOLDER; a dead one is an error."""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The anchors and links of one page."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values[key] for key in ("id", "name") if values.get(key)}
        self.links += [values[key] for key in ("href", "src") if values.get(key)]


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(folder.glob("*.html"))}
    dead, checked, elsewhere = [], 0, set()
    for path, page in pages.items():
        for link in page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                elsewhere.add(link)
                continue
            checked += 1
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            anchor = urllib.parse.unquote(url.fragment)
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].anchors):
                dead.append(f"{path.name}: {link}")
    print("\n".join(dead))
    print(f"{len(pages)} pages, {checked} links checked, {len(dead)} dead; {len(elsewhere)} to other places, unchecked")
    return 1 if dead or len(pages) < 8 or checked < 100 else 0


sys.exit(main())
