"""Documents that are archives: read with limits, and written with every other member as it was."""

from __future__ import annotations

import copy
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PureWindowsPath

from translator.documents.document import Filler, Piece, PieceDocument
from translator.documents.encoding import TextEncoding
from translator.errors import InputError

MAX_MEMBERS = 10_000
MAX_BYTES = 256 << 20
"""Of all members together, unpacked."""

MAX_RATIO = 200
MIN_BYTES_OF_BOMB = 16 << 20
"""A smaller archive may be packed as tightly as it can."""

_BLOCK = 1 << 20
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError),
    *(RuntimeError, ValueError, OSError),
)


class Archive:
    """A zip archive in memory, checked as a whole: nothing of it is ever written to a folder."""

    def __init__(self, name: str, data: bytes) -> None:
        """Check an archive; the name is for errors.

        Raises:
            InputError: it is damaged, encrypted, too large, or has names that lead elsewhere.
        """
        self._name, self._data = name, data
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            members = self._zip.infolist()
            self._check(members)
            for member in members:
                for _ in self._blocks(member):  # up to the size that it has declared
                    pass  # its checksum is checked
        except _DAMAGE as error:
            if isinstance(error, InputError):
                raise
            if not data:
                raise InputError(f"{name}: is empty; save it again") from error
            raise InputError(
                f"{name}: is damaged, or no document of this kind ({error}); save it again"
            ) from error
        self.names = tuple(member.filename for member in members)

    def read(self, member: str) -> bytes:
        """Return the content of a member.

        Raises:
            InputError: there is none of that name.
        """
        if member not in self.names:
            raise InputError(f"{self._name}: has no {member}, so it is no document of this kind")
        return self._zip.read(member)

    def with_contents(self, content_of: Callable[[str], Iterable[bytes] | None]) -> bytes:
        """Return the archive with other contents for some members; order and settings stay.

        Args:
            content_of: takes the name of a member, in the order of the archive, and returns what it
                is to contain, in parts that are written one by one; None if it stays as it is.
        """
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as target:
            target.comment = self._zip.comment
            for member in self._zip.infolist():
                content = content_of(member.filename)
                made = copy.copy(member)  # writing changes what it is given
                with target.open(made, "w") as stream:
                    for part in self._blocks(member) if content is None else content:
                        stream.write(part)
        return written.getvalue()

    def _check(self, members: Sequence[zipfile.ZipInfo]) -> None:
        total = sum(member.file_size for member in members)
        if len(members) > MAX_MEMBERS or total > MAX_BYTES:
            raise InputError(
                f"{self._name}: unpacks to {len(members):,} files of {total:,} bytes; "
                f"{MAX_MEMBERS:,} files of {MAX_BYTES:,} bytes are the most",
                "file_too_large",
            )
        if total > max(MAX_RATIO * len(self._data), MIN_BYTES_OF_BOMB):
            raise InputError(
                f"{self._name}: unpacks to more than {MAX_RATIO} times its size, "
                "as no document does"
            )
        seen = set[str]()
        for member in members:
            path = PureWindowsPath(member.filename)  # takes slashes of both kinds
            if member.filename in seen:
                raise InputError(
                    f"{self._name}: has two members named {member.filename!r}, of which programs "
                    "read one or the other; save it again with the program it is from"
                )
            if path.anchor or ".." in path.parts:
                raise InputError(
                    f"{self._name}: has a member named {member.filename!r}, which no document has; "
                    "save it again with the program it is from"
                )
            if member.flag_bits & 1:
                raise InputError(
                    f"{self._name}: is encrypted; save it without a password", "encrypted_file"
                )
            seen.add(member.filename)

    def _blocks(self, member: zipfile.ZipInfo) -> Iterator[bytes]:
        with self._zip.open(member) as stream:
            while block := stream.read(_BLOCK):
                yield block


ReadMember = Callable[[], tuple[Iterable[Piece], TextEncoding]]
"""Reads a member: its pieces, and how its text is written."""

Finish = Callable[[bytes], bytes]
"""Changes a file that has its translations."""


class ArchiveDocument(PieceDocument[bytes]):
    """An archive as a document.

    A member is read for its units, and once more when it is written: nothing of it is held between.
    """

    def __init__(
        self,
        name: str,
        archive: Archive,
        parts: Mapping[str, ReadMember],
        finish: Finish = lambda written: written,
    ) -> None:
        """Take an archive, and what reads each member with text, in the order of the units.

        `finish` changes what is written.

        Raises:
            InputError: a member is damaged, or there are too many units.
        """

        def write(filler: Filler) -> bytes:
            return finish(archive.with_contents(_Contents(parts, filler).of))

        super().__init__((piece for part in parts.values() for piece in part()[0]), name, write)


class _Contents:
    """New contents of members: made in the order of the units, and asked for in the archive's."""

    def __init__(self, parts: Mapping[str, ReadMember], filler: Filler) -> None:
        self._waiting, self._filler = dict(parts), filler
        self._made: dict[str, Sequence[bytes]] = {}

    def of(self, member: str) -> Iterable[bytes] | None:
        """Return a content, which is to be taken before the next is asked for."""
        while member in self._waiting:
            first = next(iter(self._waiting))
            pieces, encoding = self._waiting.pop(first)()
            content = encoding.encoded_markup(self._filler.parts(pieces))
            if first == member:
                return content
            self._made[first] = [*content]
        return self._made.pop(member, None)
