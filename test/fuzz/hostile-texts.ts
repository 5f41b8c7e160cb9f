import { gzipSync } from 'node:zlib';
import { anything, type Dice, oneOf } from './values.ts';

/** Most inputs are small, so that there are many; one of three hundred is as large as a request may be. */
export const sizeOf = (dice: Dice): number => {
  const kind = dice();
  const most = kind < 0.95 ? 4_000 : kind < 0.997 ? 100_000 : 4_000_000;
  return 1 + Math.floor(dice() * most);
};

/** Texts that make a pattern try again from every place, or a reader hold what it has read. */
const RUNS = [
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    '/',
    ':',
    '@',
    '-',
    '.',
    '\\',
    '"',
    "'",
    '<',
    '&',
    '&#',
    '(',
    '{',
    '[',
    '=',
    ',',
    ';',
    '*',
  ],
  ...[
    'a',
    'a/',
    'ab:',
    '@a',
    '../',
    'a.',
    'a-',
    'A=',
    '0',
    '9',
    '\\"',
    '&amp;',
    '<a>',
    '<a b="',
    '{}',
    '[]',
    '%20',
    '%',
  ],
  ...['|', 'a|', '::', '--', 'é', '\u0000', '\ufdfa', '\ud83d\ude00', 'CVE-2021-', 'key=', 'password: ', '-----BEGIN '],
];

export const run = (dice: Dice, size: number): string => {
  const part = oneOf(dice, RUNS);
  return part.repeat(Math.ceil(size / part.length)) + (dice() < 0.5 ? '!' : '');
};

/** JSON or XML that costs more than its length. Texts stand without quotes where a value stands. */
const VALUES: ((dice: Dice, size: number) => string)[] = [
  (_, size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  (_, size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  (_, size) => `{${'"k":1,'.repeat(size / 6)}"k":1}`,
  (_, size) => `[${'[],'.repeat(size / 3)}[]]`,
  (_, size) => `[${'{},'.repeat(size / 3)}{}]`,
  (dice, size) => JSON.stringify(run(dice, size)),
  (dice, size) => `{${JSON.stringify(run(dice, size))}:null}`,
  (_, size) => '9'.repeat(size),
  (_, size) => `-0.${'0'.repeat(size)}1e-${'9'.repeat(Math.min(size, 300))}`,
  (_, size) => `1e${'9'.repeat(Math.min(size, 2_000))}`,
  (_, size) => `[${'{"a":['.repeat(size / 6)}`,
  (dice) => JSON.stringify(anything(dice)) ?? 'null',
];

const ELEMENTS: ((dice: Dice, size: number) => string)[] = [
  (_, size) => '<a>'.repeat(size / 3),
  (_, size) => '<a>'.repeat(size / 7) + '</a>'.repeat(size / 7),
  (_, size) => `<a ${'b="c" '.repeat(size / 6)}/>`,
  (_, size) => `<a b="${'&#x41;'.repeat(size / 6)}"/>`,
  (_, size) => `<!--${'-'.repeat(size)}-->`,
  (_, size) => `<![CDATA[${']'.repeat(size)}]]>`,
  (dice, size) => `<a>${run(dice, size)}</a>`,
];

/** A place where a value of JSON, or the text of an element, begins and ends. */
const PLACES =
  /(?<=[:[,]\s?)(?:"[^"\n]{0,200}"|-?\d[\d.eE+-]{0,20}|true|false|null|\[\]|\{\})|(?<=>)[^<\n]{1,200}(?=<)|(?<=")[^"\n<]{1,200}(?=")/g;

/** A document of which one value costs more than its length. */
function grown(dice: Dice, text: string, size: number): string {
  const places = [...text.matchAll(PLACES)];
  if (places.length === 0) return text + run(dice, size);
  const { index, 0: old } = oneOf(dice, places);
  const isXml = text[index - 1] === '>';
  const quoted = text[index - 1] === '"';
  const value = isXml ? oneOf(dice, ELEMENTS)(dice, size) : quoted ? run(dice, size) : oneOf(dice, VALUES)(dice, size);
  return text.slice(0, index) + value + text.slice(index + old.length);
}

/** A document in which one piece, often an entry of a list, comes again and again. */
function repeated(dice: Dice, text: string, size: number): string {
  const from = Math.floor(dice() * text.length);
  const start = Math.max(text.lastIndexOf('{', from), text.lastIndexOf('<', from), text.lastIndexOf('\n', from), 0);
  const piece = text.slice(start, start + 20 + Math.floor(dice() * 600));
  return text.slice(0, start) + `${piece},`.repeat(1 + size / (piece.length + 1)) + text.slice(start);
}

const tinyLines = (dice: Dice, size: number): string => {
  const line = oneOf(dice, [
    '\n',
    'a\n',
    '{}\n',
    '[]\n',
    '0\n',
    '""\n',
    ',\n',
    '{"a":1}\n',
    '\r',
    '<34>\n',
    'CEF:0|\n',
  ]);
  return line.repeat(size / line.length);
};

const BOMBS = ['\n', '0', '[', ' ', 'a\n', '{"a":', '<a>', ',', '"'];

/** The bytes of a text. Every tenth is packed, and one of fifty of these unpacks to far more. */
export function packed(dice: Dice, text: string): Buffer {
  const bytes = Buffer.from(text);
  if (dice() > 0.1) return bytes;
  if (dice() > 0.02) return gzipSync(bytes, { level: 1 });
  const bomb = Buffer.alloc(Math.floor(dice() * 60_000_000), oneOf(dice, BOMBS));
  return gzipSync(dice() < 0.3 ? Buffer.concat([bytes, bomb]) : bomb, { level: 1 });
}

/** A document of the kind of `text`, made to hurt. */
export function hostileText(dice: Dice, text: string): string {
  const size = sizeOf(dice);
  const kind = dice();
  if (kind < 0.45) return grown(dice, text, size);
  if (kind < 0.6) return repeated(dice, text, size);
  if (kind < 0.7) return oneOf(dice, VALUES)(dice, size);
  if (kind < 0.8) return tinyLines(dice, size);
  if (kind < 0.9) return text.slice(0, dice() * text.length) + run(dice, size);
  return grown(dice, grown(dice, text, size / 2), size / 2);
}
