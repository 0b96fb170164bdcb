"""Lists the public items of a crate with their fields, variants, methods and traits, one a line.

    python3 tests/api/list.py target/doc/hashfall_foam/all.html

It reads the pages of `cargo doc`, which the stable toolchain writes: each signature stands there in
an element of the class `code-header`, each declaration in `item-decl`. Items of other crates that a
crate passes on are named alone: their own crate lists them.
"""

import html
import re
import sys
from pathlib import Path

KINDS = ("struct", "enum", "trait", "fn", "type", "constant", "static", "macro", "union")


def text(markup):
    """The text of markup, without what unfolds long declarations."""
    markup = re.sub(r"<summary.*?</summary>", "", markup, flags=re.DOTALL)
    markup = re.sub(r"<(?:br|/div)[^>]*>", "\n", markup)
    return html.unescape(re.sub(r"<[^>]+>", "", markup))


def one_line(markup):
    return " ".join(text(markup).split())


def section(page, name):
    """What stands below a heading, up to the next one."""
    found = re.search(rf'<h2 id="{name}".*?(?=<h2 id=|</main>|\Z)', page, flags=re.DOTALL)
    return found.group() if found else ""


def headers(markup):
    """Each impl and each signature in it, in the order of the page: its level and its text."""
    pattern = r'<h([34]) class="code-header">(.*?)</h\1>'
    return [(level, one_line(code)) for level, code in re.findall(pattern, markup, re.DOTALL)]


def methods(page):
    """The methods of an item's own impls; those of bounded impls with their bounds."""
    impl, lines = "", []
    for level, code in headers(section(page, "implementations")):
        if level == "3":
            impl = f"{code}: " if "<" in code or "where" in code else ""
        else:
            lines.append(impl + code)
    return sorted(lines)


def traits(page):
    """The traits that an item implements; not those that every type does."""
    found = headers(section(page, "trait-implementations"))
    return sorted(
        code for level, code in found if level == "3" and "impl StructuralPartialEq" not in code
    )


def declaration(page):
    found = re.search(r'<pre class="rust item-decl"><code>(.*?)</code></pre>', page, re.DOTALL)
    lines = text(found.group(1)).splitlines() if found else []
    return [line.rstrip() for line in lines if line.strip()]


def owner(page):
    """The crate whose source the heading links to; none if its pages were not there yet."""
    heading = page.split('<pre class="rust item-decl">')[0]
    found = re.search(r'class="src[^"]*" href="(?:\.\./)+src/(\w+)/', heading)
    return found.group(1) if found else None


def main(index):
    crate = index.parent.name
    links = re.findall(r'href="([a-zA-Z0-9_/.]+)\.html">', index.read_text())
    for item in sorted({link for link in links if link.split("/")[-1].startswith(KINDS)}):
        page = (index.parent / f"{item}.html").read_text()
        print(item)
        if owner(page) == crate:
            for line in declaration(page) + methods(page) + traits(page):
                print(f"    {line}")


main(Path(sys.argv[1]))
