"""Documents that are archives: read with limits, and written with every other member as it was."""

from __future__ import annotations

import copy
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import PureWindowsPath

from translator.errors import InputError
from translator.text.formats.pieces import Filler, Piece, PieceDocument

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
        """Check an archive.

        Args:
            name: of the file, for errors.
            data: the file.

        Raises:
            InputError: it is damaged, encrypted, too large, or has names that lead elsewhere.
        """
        self._name, self._data = name, data
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            members = self._zip.infolist()
            self._check(members)
            for member in members:
                self._check_content(member)
        except _DAMAGE as error:
            if isinstance(error, InputError):
                raise
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

    def with_contents(self, contents: Mapping[str, bytes]) -> bytes:
        """Return the archive with other contents for some members; order and settings stay."""
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as target:
            target.comment = self._zip.comment
            for member in self._zip.infolist():
                content = contents.get(member.filename)
                if content is None:
                    content = self._zip.read(member)
                target.writestr(copy.copy(member), content)  # writing changes what it is given
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
            is_elsewhere = path.anchor or ".." in path.parts
            if is_elsewhere or member.filename in seen:
                raise InputError(
                    f"{self._name}: has a member named {member.filename!r}, which no document has; "
                    "save it again with the program it is from"
                )
            if member.flag_bits & 1:
                raise InputError(
                    f"{self._name}: is encrypted; save it without a password", "encrypted_file"
                )
            seen.add(member.filename)

    def _check_content(self, member: zipfile.ZipInfo) -> None:
        """Unpack a member up to the size it has declared; its checksum is checked."""
        with self._zip.open(member) as stream:
            while stream.read(_BLOCK):
                pass


class ArchiveDocument(PieceDocument[bytes]):
    """An archive as a document."""

    def __init__(
        self,
        name: str,
        archive: Archive,
        parts: Mapping[str, tuple[Sequence[Piece], Callable[[str], bytes]]],
    ) -> None:
        """Take an archive, and of each member with text the pieces and what makes bytes of them.

        Raises:
            InputError: there are too many units.
        """

        def write(filler: Filler) -> bytes:
            return archive.with_contents(
                {member: encode(filler.text(pieces)) for member, (pieces, encode) in parts.items()}
            )

        super().__init__([piece for pieces, _ in parts.values() for piece in pieces], name, write)
