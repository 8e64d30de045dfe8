// Files for the reader, and several in one: a ZIP without compression, which all programs read.
//
// Source: PKWARE, APPNOTE.TXT, 4.3

import { make } from "../strings.js";

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const UTF8 = 1 << 11; // how names are written
const NEW_YEAR_1980 = 0x21;

const checksum = (bytes) => (bytes.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), -1) ^ -1) >>> 0;

/** Return numbers of 2 or 4 bytes, as [number, bytes], in the order of little ends. */
function numbers(...fields) {
  const bytes = new Uint8Array(fields.reduce((sum, [, size]) => sum + size, 0));
  let at = 0;
  for (const [number, size] of fields) for (let n = 0; n < size; n++) bytes[at++] = (number / 256 ** n) & 255;
  return bytes;
}

/** Return files, as {name, bytes}, in one Blob; of names that are the same, later ones get a number. */
export function zip(files) {
  const parts = [];
  const entries = [];
  const names = new Set();
  let offset = 0;
  let ends = 0;
  for (const { name: wanted, bytes } of files) {
    let name = wanted;
    for (let n = 2; names.has(name); n++) name = wanted.replace(/(?=\.[^.]*$|$)/, ` (${n})`);
    names.add(name);
    const encoded = new TextEncoder().encode(name);
    const common = [[20, 2], [UTF8, 2], [0, 2], [0, 2], [NEW_YEAR_1980, 2], [checksum(bytes), 4], [bytes.length, 4], [bytes.length, 4], [encoded.length, 2], [0, 2]];
    const head = numbers([0x04034b50, 4], ...common);
    const entry = numbers([0x02014b50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]);
    parts.push(head, encoded, bytes);
    entries.push(entry, encoded);
    offset += head.length + encoded.length + bytes.length;
    ends += entry.length + encoded.length;
  }
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [ends, 4], [offset, 4], [0, 2]);
  return new Blob([...parts, ...entries, end], { type: "application/zip" });
}

/** Hand a Blob to the reader, as a file of that name. */
export function download(blob, name) {
  const href = URL.createObjectURL(blob);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
