"""`search_files` over HTML, PDF and text in other encodings: what is read, and what is said."""

import io
import logging
import sys
import time
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter
from wirebook_utils.search_files import file_text, search_files
from wirebook_utils.search_files.html_text import html_text
from wirebook_utils.search_files.passages import cut

PAGE = """<!doctype html><html><head><title>Sea &amp; land</title>
<script>var hidden = "<p>otters</p>";</script><style>p { color: red }</style></head>
<body><nav><a href="/">Home</a><nav>deep</nav> still</nav>
<p>Otters hold   hands &mdash; and <b>sle</b>ep.<br>A new line.</p>
<template><p>never seen</p></template>
<h2>Food <em>of</em>
otters</h2>
<div>Clams<div>and crabs</div></div>
<!-- <p>a comment > here</p> -->
<ul><li>one<li>two</ul>
<table><tr><th>Name<th>Kg</tr><tr><td><p>Sea</p></td><td>30</td></tr><tr><td><td>5</table>
<pre>
def  f():
    pass
</pre>
<h3>水獺</h3><p>手を&#12388;なぐ 1 < 2 <a title="x > y">end</a>
"""
TEXT = """Otters hold hands — and sleep.
A new line.

Food of otters

Clams

and crabs

one
two

Name | Kg
Sea | 30
| 5

def  f():
    pass

水獺

手をつなぐ 1 < 2 end"""


def test_text_of_a_page() -> None:
    """Blocks, rows, items and code are told apart; what is not shown is left out."""
    assert html_text(PAGE)[0] == TEXT


def test_title_of_a_block_is_the_heading_above() -> None:
    """Before the first heading it is the page's title, and without that the file's name."""
    text, parts = html_text(PAGE)
    titles = {text[start:end]: title for title, start, end in parts}
    assert titles["Otters hold hands — and sleep.\nA new line."] == "Sea & land"
    assert titles["Food of otters"] == titles["one\ntwo"] == "Food of otters"
    assert titles["手をつなぐ 1 < 2 end"] == "水獺"
    assert cut("a.html", *html_text("<p>plain</p>"))[0].title == "a.html"


def test_span_cuts_a_hit_out_of_the_text_of_its_file(tmp_path: Path) -> None:
    """For HTML and PDF a span counts in what `file_text` gives."""
    (tmp_path / "a.html").write_text(PAGE * 9, encoding="utf-8")
    (tmp_path / "b.pdf").write_bytes(pdf("Nothing here.", "Otters eat clams."))
    (tmp_path / "c.HTM").write_text("<p>otters</p>", encoding="utf-8")
    hits = search_files(tmp_path, top=50)("otters clams")
    assert {hit.url for hit in hits} == {"a.html", "b.pdf", "c.HTM"}
    for hit in hits:
        assert hit.span
        assert file_text(tmp_path / hit.url)[hit.span[0] : hit.span[1]] == hit.text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("", ""),
        ("no markup at all", "no markup at all"),
        ("a <b> c", "a c"),
        ("a < b > c <3 & &lt;p&gt;", "a < b > c <3 & <p>"),
        ("<p>a<script>x", "a"),
        ("<p>a<!-- x <p>b", "a"),
        ("<p>a <b", "a <b"),
        ("<p>a</p><!-->b", "a\n\nb"),
        ("a<a href='x>b</a><p>c", "ab\n\nc"),
        ("<SCRIPT>x</p></Script ><P>a", "a"),
        ("<svg><title>no</title></svg><p>a", "a"),
        ("<p>a</nav></td></tr>b", "a\nb"),
        ("<?xml version='1.0'?><![CDATA[x]]><p/>a", "a"),
        ("<h1></h1><p>a", "a"),
    ],
)
def test_broken_markup_is_read_as_well_as_it_can_be(page: str, text: str) -> None:
    """What is not closed ends where a browser would end it; what is no tag is text."""
    assert html_text(page)[0] == text


@pytest.mark.parametrize(
    "piece",
    ["<a ", "<!--", '<a b="', "<a '\">", '<a "> "', "<div>", "<table><tr><td>", "<svg>", "&#", "<"],
)
@pytest.mark.parametrize("end", ["", ">", '">'])
def test_page_made_to_take_long_does_not(piece: str, end: str) -> None:
    """A million characters of what is never closed, or of depth, take about a second at most."""
    begin = time.monotonic()
    html_text(piece * (1_000_000 // len(piece)) + end)
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("<p>été</p>".encode(), "été"),
        ("\ufeff<p>été</p>".encode(), "été"),
        ("<p>été</p>".encode("utf-16"), "été"),
        ('<meta charset="windows-1251"><p>выдра'.encode("cp1251"), "выдра"),
        (b"<meta content='text/html; charset=ISO-8859-1'><p>\x93hi\x94", "“hi”"),
        ('<?xml version="1.0" encoding="euc-jp"?><p>水'.encode("euc-jp"), "水"),
        ("<meta charset=unicode-escape><p>a\\u0041é".encode(), "a\\u0041é"),
        ("<meta charset=utf-16><p>é".encode(), "é"),
        ("<meta charset=big5><p>é".encode("utf-8-sig"), "é"),
    ],
)
def test_encoding_of_a_page(tmp_path: Path, data: bytes, text: str) -> None:
    """The mark at its begin counts, then what stands at its head, then UTF-8."""
    (tmp_path / "a.html").write_bytes(data)
    assert file_text(tmp_path / "a.html") == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-8"])
def test_marked_encoding_of_text_is_read(tmp_path: Path, encoding: str) -> None:
    """A byte order mark says how to read a text; spans count behind it."""
    (tmp_path / "a.txt").write_bytes("\ufeffOtters 水獺".encode(encoding))
    [hit] = search_files(tmp_path)("otters")
    assert (hit.text, hit.span) == ("Otters 水獺", (0, 9))


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.txt", "été".encode("cp1252"), r"a\.txt is no UTF-8 text: left out"),
        ("a.txt", b"\xff\xfea", r"a\.txt is no UTF-8 text: left out"),
        ("a.md", b"text\x00\x01\x02", r"a\.md is no text, but binary: left out"),
        ("a.html", b"<p>\xe9t\xe9", r"a\.html is no UTF-8 text: left out"),
        ("a.htm", b"<p>\x00", r"a\.htm is no text, but binary: left out"),
        ("a.pdf", b"not a pdf", r"a\.pdf cannot be read as PDF \(PdfStreamError\): left out"),
        ("a.pdf", b"", r"a\.pdf cannot be read as PDF \(EmptyFileError\): left out"),
    ],
)
def test_file_that_cannot_be_read_is_named_once(
    tmp_path: Path, name: str, data: bytes, why: str
) -> None:
    """It is left out with one warning that says why; the others are searched."""
    (tmp_path / name).write_bytes(data)
    (tmp_path / "good.txt").write_text("word", encoding="utf-8")
    with pytest.warns(UserWarning, match=why) as warned:
        search = search_files(tmp_path)
    assert len(warned) == 1
    assert len(search("word")) == 1


def pdf(*pages: str) -> bytes:
    """Write a PDF by hand, a page for each text; an empty text is a page without any."""
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    parts = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for i, text in enumerate(pages):
        show = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET" if text else "0 0 10 10 re f"
        fonts = "/Resources << /Font << /F1 3 0 R >> >> /MediaBox [0 0 612 792]"
        parts.append(f"<< /Type /Page /Parent 2 0 R {fonts} /Contents {5 + 2 * i} 0 R >>")
        parts.append(f"<< /Length {len(show)} >>\nstream\n{show}\nendstream")
    data, places = "%PDF-1.4\n", list[int]()
    for n, part in enumerate(parts, 1):
        places.append(len(data))
        data += f"{n} 0 obj\n{part}\nendobj\n"
    size = len(parts) + 1
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return f"{data}{head}startxref\n{len(data)}\n%%EOF\n".encode("cp1252")


def encrypted(data: bytes, password: str) -> bytes:
    """Encrypt a PDF so that it opens with a password only, or with none."""
    writer, out = PdfWriter(clone_from=PdfReader(io.BytesIO(data))), io.BytesIO()
    writer.encrypt(password, "owner", algorithm="RC4-128")
    writer.write(out)
    return out.getvalue()


def test_passage_of_a_pdf_is_titled_by_its_page(tmp_path: Path) -> None:
    """The page number is the title, pages without text count, and no passage goes over two."""
    (tmp_path / "a.pdf").write_bytes(pdf("Moles dig.", "", "Otters hold h\xe4nds."))
    [hit] = search_files(tmp_path)("otters")
    assert (hit.title, hit.url, hit.text) == ("page 3", "a.pdf", "Otters hold händs.")


def test_pdf_that_only_forbids_changes_is_read(tmp_path: Path) -> None:
    """Without a password to open it, its encryption does not matter."""
    (tmp_path / "a.pdf").write_bytes(encrypted(pdf("Otters."), ""))
    assert len(search_files(tmp_path)("otters")) == 1


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (encrypted(pdf("Otters."), "secret"), r"a\.pdf is encrypted: left out"),
        (pdf("", ""), r"a\.pdf has no text, only pictures: left out"),
        (pdf("Otters.")[:300], r"a\.pdf cannot be read as PDF"),
    ],
    ids=["encrypted", "pictures", "cut off"],
)
def test_pdf_without_text_says_why(
    tmp_path: Path, data: bytes, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It is left out with one warning, and pypdf says nothing beside it."""
    (tmp_path / "a.pdf").write_bytes(data)
    (tmp_path / "b.txt").write_text("word", encoding="utf-8")
    with pytest.warns(UserWarning, match=why) as warned:
        search_files(tmp_path)
    assert len(warned) == 1
    assert caplog.records == []
    assert logging.getLogger("pypdf").level == logging.NOTSET


def test_without_pypdf_the_rest_is_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One warning for all PDF files, with the line to type."""
    monkeypatch.setitem(sys.modules, "pypdf", None)
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(pdf("Otters."))
    (tmp_path / "c.txt").write_text("word", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"needs 'pypdf'.*pip install .*\[pdf\]") as warned:
        search = search_files(tmp_path)
    assert len(warned) == 1
    assert len(search("word")) == 1
