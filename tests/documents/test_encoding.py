"""Files in any encoding: read, or refused with its name."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.documents import read_document
from permend.documents.encoding import decode
from permend.errors import InputError, PermendError

MARKED = ["utf-8-sig", "utf-16", "utf-32"]


@given(text=st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"])), size=st.integers(1, 5))
@pytest.mark.parametrize("name", ["utf-8", *MARKED, "utf-16-be with its mark"])
def test_bytes_come_back_whatever_the_size_of_chunks(name: str, text: str, size: int) -> None:
    data = b"\xfe\xff" + text.encode("utf-16-be") if "with" in name else text.encode(name)
    if name == "utf-8" and data[:5].startswith((b"%PDF-", b"%!PS", b"{\\rtf", b"GIF8", b"\xef\xbb\xbf")):
        return
    encoding, chunks = decode([data[at : at + size] for at in range(0, len(data), size)])
    decoded = "".join(chunks)
    assert decoded == text
    assert encoding.mark + encoding.encode(decoded) == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("a café".encode("latin-1"), r"this is not valid UTF-8 \(byte 6\); it looks like iso-8859-1"),
        (
            "it’s “fine”".encode("cp1252"),
            r"byte 3\); it looks like windows-1252: read it with --encoding windows-1252$",
        ),
        ("Доброе утро, как дела?".encode("cp1251"), "looks like windows-1251"),
        ("これは日本語の文章です。".encode("shift_jis"), "looks like shift_jis"),
        ("这是一个中文句子。".encode("gb18030"), "looks like gb18030"),
        (
            "no mark".encode("utf-16-le"),
            "looks like UTF-16-LE without a byte-order mark: read it with --encoding utf-16-le$",
        ),
        (b"\xff\xfea\0b", r"this is not valid UTF-16-LE \(byte 5\)$"),
        (b"a\0b\x01\x02\xff", "this is a binary file, not text"),
        (b"a" * 40_000 + b"\0", "this is a binary file, not text"),
        (b"%PDF-1.7\n", "this is a PDF file, not text"),
        (b"{\\rtf1 text}", "this is an RTF file, not text"),
        (b"PK\x03\x04....", "a packed file"),
    ],
)
def test_what_is_no_utf8_is_refused_by_name(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_document(io.BytesIO(data)))


def test_an_encoding_can_be_given() -> None:
    document = read_document(io.BytesIO("Un café.".encode("latin-1")), encoding="latin-1")
    [block] = document
    assert block.text == "Un café."
    assert document.encoding.encode(block.text) == "Un café.".encode("latin-1")
    assert document.encoding.can_write("é")
    assert not document.encoding.can_write("“")
    with pytest.raises(PermendError, match="cannot write '“'"):
        document.encoding.encode("“")
    with pytest.raises(PermendError, match="'klingon' is no encoding"):
        read_document(io.BytesIO(b"a"), encoding="klingon")
    with pytest.raises(InputError, match=r"not valid UTF-8 \(byte 1\)$"):
        list(read_document(io.BytesIO(b"\xff\xfe"), encoding="utf-8"))


@pytest.mark.parametrize("order", ["", "-le", "-be"])
@pytest.mark.parametrize("name", ["utf-16", "utf-32"])
@pytest.mark.parametrize("text", ["He go home.\r\nA naïve 🙂 café.\n", "他 去 学校。\n"])
def test_the_byte_order_need_not_be_given(name: str, order: str, text: str) -> None:
    data = text.encode(name + order)
    encoding, chunks = decode([data[:9], data[9:]], name)
    pieces = "".join(chunks).splitlines(keepends=True)
    assert "".join(pieces) == text
    assert encoding.mark + b"".join(map(encoding.encode, pieces)) == data


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_mark_is_written_once_where_it_stood(mark: bytes) -> None:
    data = mark + b"One.\nTwo.\n"
    encoding, chunks = decode([data], "utf-8-sig")
    assert encoding.mark + b"".join(map(encoding.encode, "".join(chunks).splitlines(keepends=True))) == data
