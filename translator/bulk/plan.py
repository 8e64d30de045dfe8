"""The plan of a job: which parts its files are cut into, kept beside what comes of them.

Whoever continues a job does so by the plan that is there, so that the same parts have the same
names, whatever has happened meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from translator.bulk.formats.kinds import EXTENSIONS, ROW_FORMATS, FormatName, format_of
from translator.bulk.formats.lines import compression_of
from translator.bulk.formats.rows import Columns, Split
from translator.bulk.storage import InputFile, OutputFolder, find_files
from translator.errors import InputError

PLAN = "_plan.json"
PLAN_VERSION = 1
BYTES_A_ROW = 200
"""A part has no more bytes than so many for each of the rows that it may have."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """Rows that are translated as a whole, by one process."""

    number: int  # of the part, from 0, in the order of the rows
    url: str  # of the file that it is a part of
    split: Split  # where in the file


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """What is to be translated, and where."""

    place: str  # a path, a URL, or a pattern
    columns: Columns  # of the rows
    input_format: str = ""  # of the files; by their names if empty
    output_format: str = ""  # of what is written; the same if empty
    max_rows: int = 5000  # of a part


@dataclass(frozen=True, kw_only=True, slots=True)
class JobPlan:
    """What there is to do."""

    settings: Mapping[str, Any]  # all that the result depends on besides the files, for JSON
    files: Sequence[InputFile]
    input_format: FormatName
    output_format: FormatName
    ending: str  # of the files that are written
    parts: Sequence[Part]  # in the order of the rows

    @property
    def num_rows(self) -> int:
        """Rows of all parts."""
        return sum(part.split.num_rows for part in self.parts)

    def name_of(self, part: Part) -> str:
        """Return the name of the file that a part is written to."""
        return f"part-{part.number:06}{self.ending}"

    def missing(self, names: set[str]) -> list[Part]:
        """Return the parts that are not among the names of what is there."""
        return [part for part in self.parts if self.name_of(part) not in names]


def open_plan(source: Source, settings: Mapping[str, Any], out: OutputFolder) -> JobPlan:
    """Return the plan of a job: the one that is there, else a new one, which is written.

    Raises:
        InputError: the folder has the results of another job, or something else; or the files
            cannot be cut.
    """
    inside = f"{out.url}/"
    files = [file for file in find_files(source.place) if not file.url.startswith(inside)]
    if not files:
        raise InputError(f"{source.place}: has no files except those of --out")
    before = out.read_json(PLAN)
    if before is not None:
        return _continued(before, files, settings, out)
    if names := sorted(out.names()):
        raise InputError(
            f"{out.url}: has {names[0]}, which this command did not write; name another "
            "folder with --out"
        )
    plan = _made(source, settings, files)
    out.write_json(PLAN, _table(plan))
    return plan


def _made(source: Source, settings: Mapping[str, Any], files: Sequence[InputFile]) -> JobPlan:
    name = format_of([file.url for file in files], source.input_format)
    rows, max_bytes = ROW_FORMATS[name], source.max_rows * BYTES_A_ROW
    parts = list[Part]()
    for file in files:
        for split in rows.splits(file.url, source.columns, source.max_rows, max_bytes):
            parts.append(Part(number=len(parts), url=file.url, split=split))
    written = format_of([], source.output_format) if source.output_format else name
    compression = compression_of(files[0].url) if written == name else ""
    return JobPlan(
        settings=settings,
        files=files,
        input_format=name,
        output_format=written,
        ending=EXTENSIONS[written] + compression,
        parts=parts,
    )


def _continued(
    table: Any, files: Sequence[InputFile], settings: Mapping[str, Any], out: OutputFolder
) -> JobPlan:
    """Return a plan that was written earlier, if it is of the same job."""
    place = f"{out.url}/{PLAN}"
    try:
        if table["version"] != PLAN_VERSION:
            raise InputError(
                f"{place}: was written by another version; name another folder with --out"
            )
        plan = _read(table)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{place}: is damaged; name another folder with --out") from error
    changed = [name for name in settings if plan.settings.get(name) != settings[name]]
    if [*plan.files] != [*files]:
        changed.append("files")
    if changed:
        raise InputError(
            f"{out.url}: was made with other {', '.join(changed)}; name another folder with "
            "--out, or delete this one"
        )
    return replace(plan, settings=settings)


def _table(plan: JobPlan) -> dict[str, Any]:
    """Return a plan as a table for JSON, in which a part is four numbers."""
    places = {file.url: number for number, file in enumerate(plan.files)}
    return {
        "version": PLAN_VERSION,
        "settings": dict(plan.settings),
        "files": plan.files,
        "input_format": plan.input_format,
        "output_format": plan.output_format,
        "ending": plan.ending,
        "parts": [[places[part.url], *part.split] for part in plan.parts],
    }


def _read(table: Mapping[str, Any]) -> JobPlan:
    files = [InputFile(*about) for about in table["files"]]
    parts = [
        Part(number=number, url=files[file].url, split=Split(*split))
        for number, (file, *split) in enumerate(table["parts"])
    ]
    return JobPlan(
        settings=table["settings"],
        files=files,
        input_format=table["input_format"],
        output_format=table["output_format"],
        ending=table["ending"],
        parts=parts,
    )
