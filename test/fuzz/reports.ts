import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fixture, recordedReports } from '../support/recorded.ts';
import { anything, type Dice, damaged, oneOf } from './values.ts';

export type Report = { format: string; content: Buffer };

/** Larger ones take too long for so many imports. */
const MAX_BYTES = 1_000_000;

/** The recorded reports, and the files of a folder of real ones. */
export function readReports(folder: string | undefined): Report[] {
  const recorded = recordedReports.map(([format, file]) => ({ format, content: fixture(file) }));
  const found = folder
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    : [];
  const real = found
    .filter((file) => statSync(file).isFile())
    .map((file) => ({ format: 'auto', content: readFileSync(file) }));
  return [...recorded, ...real].filter(({ content }) => content.length <= MAX_BYTES);
}

const place = (dice: Dice, bytes: Buffer): number => Math.floor(dice() * bytes.length);

/** Changes of bytes: bits, pieces that are lost, doubled, or moved to where another report has something else. */
const BYTES: ((dice: Dice, bytes: Buffer, other: Buffer) => Buffer)[] = [
  (dice, bytes) => {
    const changed = Buffer.from(bytes);
    for (let n = 0; n < 1 + dice() * 5; n += 1) changed[place(dice, bytes)] = Math.floor(dice() * 256);
    return changed;
  },
  (dice, bytes) => bytes.subarray(0, place(dice, bytes)),
  (dice, bytes) => bytes.subarray(place(dice, bytes)),
  (dice, bytes) => {
    const [from, to] = [place(dice, bytes), place(dice, bytes)].toSorted((a, b) => a - b);
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  },
  (dice, bytes) => {
    const [from, to] = [place(dice, bytes), place(dice, bytes)].toSorted((a, b) => a - b);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (dice, bytes, other) => Buffer.concat([bytes.subarray(0, place(dice, bytes)), other.subarray(place(dice, other))]),
];

/** Text between quotes or tags, in whose place another value stands afterwards. */
const TEXT = /(?<=")[^"\n]{1,200}(?=")|(?<=>)[^<\n]{1,200}(?=<)|\b\d+(?:\.\d+)?\b/g;

function changedTexts(dice: Dice, text: string): string {
  const places = [...text.matchAll(TEXT)];
  if (places.length === 0) return text;
  const { index, 0: old } = oneOf(dice, places);
  const value = anything(dice);
  return (
    text.slice(0, index) + (typeof value === 'string' ? value : JSON.stringify(value)) + text.slice(index + old.length)
  );
}

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A real report with a few changes: of its bytes, of a text in it, or of one value where it is JSON. */
export function mutated(dice: Dice, reports: readonly Report[]): Report {
  const { format, content } = oneOf(dice, reports);
  let changed = content;
  for (let n = 0; n < 1 + dice() * 3; n += 1) {
    const kind = dice();
    const json = kind < 0.4 ? asJson(changed.toString()) : undefined;
    if (json !== undefined) changed = Buffer.from(JSON.stringify(damaged(dice, json)) ?? '');
    else if (kind < 0.7) changed = Buffer.from(changedTexts(dice, changed.toString()));
    else changed = oneOf(dice, BYTES)(dice, changed, oneOf(dice, reports).content);
  }
  return { format, content: changed };
}
