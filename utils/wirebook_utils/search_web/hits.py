"""Make hits of an engine's rows: filled, cleaned, each address once.

Left out: judging them. The order is the engine's.
"""

import html
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import urlsplit

from wirebook_utils.contracts import Hit
from wirebook_utils.search_web.engine import Row

LONGEST = 2000
"""The most characters of a title or a text; an encyclopedia gives whole introductions."""

_HIDDEN = re.compile(r"<(script|style)\b[^<>]*>.*?</\1\s*>|<!--.*?-->", re.I | re.S)
# Only these: `List<String>` is no tag.
_TAG = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|br|cite|code|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|li|mark|ol|p"
    r"|pre|q|s|script|small|span|strong|style|sub|sup|table|tbody|td|th|tr|tt|u|ul|wbr)"
    r"(?:\s[^<>]*)?/?>",
    re.I,
)
# Marks that turn the direction of what follows, and one that says how a file is encoded.
_UNSEEN = re.compile("[\u202a-\u202e\u2066-\u2069\ufeff]")


def hits(rows: Iterable[Row], top: int) -> list[Hit]:
    """Make the first `top` hits; `score` is 1/rank, since engines give an order and no score.

    A row without a title is titled by its link, one without a text has its title for it. One with
    neither title nor link is left out, and so is one whose address was there before.
    """
    found: list[Hit] = []
    seen: set[str] = set()
    for row in rows:
        title, url, text = plain(row.get("title")), _link(row.get("href")), plain(row.get("body"))
        address = _address(url)
        if not (title or url) or address in seen:
            continue
        if address:
            seen.add(address)
        found.append(Hit(title or url, url, text or title, 1 / (len(found) + 1)))
    return found[:top]


def plain(value: object) -> str:
    """Give a field as one line of text: no tags, entities, or control characters."""
    text = "" if value is None else str(value)
    text = _TAG.sub(" ", _HIDDEN.sub(" ", text[: 2 * LONGEST]))
    text = _HIDDEN.sub(" ", html.unescape(text))
    return visible(_TAG.sub(" ", text))[:LONGEST].rstrip()


def visible(text: str) -> str:
    """Join white space, and drop control characters and what else cannot be seen or encoded."""
    text = _UNSEEN.sub("", text)
    if not (text.isascii() and text.isprintable()):
        gone = ("Cc", "Cs")
        text = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in gone)
    return " ".join(text.split())


def _link(value: object) -> str:
    """Give an address of the web; one that would run something, such as `javascript:`, is none."""
    url = "" if value is None else visible(str(value)).replace(" ", "%20")
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        return ""
    return url if scheme in ("http", "https", "") else ""


def _address(url: str) -> str:
    """Give what two links to one page have in common."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return parts.netloc.lower().removeprefix("www.") + parts.path.rstrip("/") + query
