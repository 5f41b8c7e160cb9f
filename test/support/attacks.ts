import type { Pattern } from './patterns.ts';

/** One part of a pattern that matches a character. */
const UNIT = /\[(?:[^\]\\]|\\.)*\]|\\p\{\w+\}|\\[^bB]|[^\\^$()|*+?{}]/uy;
/** Parts that match no character by themselves. */
const OTHER = /\\[bB]|\(\?(?:<?[=!]|:|<\w+>)|\{\d+(?:,\d*)?\}|[\s\S]/uy;

const CANDIDATES = [...'aA0 .-_:/\\"\'[](){}<>@#%=*?!,;&\n\t\u0001\u0301ü'];

/** A character that most parts do not match. */
const NOWHERE = '\u0000';

/** Some characters that each part may match; among them the one with which the pattern begins, where it fits. */
function unitsOf({ source, flags }: Pattern): string[][] {
  const units: string[][] = [];
  for (let at = 0; at < source.length; ) {
    UNIT.lastIndex = at;
    OTHER.lastIndex = at;
    const unit = UNIT.exec(source)?.[0];
    const samples = unit === undefined ? [] : samplesOf(unit, flags);
    const [first = ''] = units[0] ?? [];
    if (samples.length > 0) units.push(fits(unit ?? '', flags, first) ? [...samples, first] : samples);
    at += (unit ?? OTHER.exec(source)?.[0] ?? ' ').length;
  }
  return units;
}

const samplesOf = (unit: string, flags: string): string[] =>
  [...CANDIDATES, unit.slice(-1)].filter((character) => fits(unit, flags, character)).slice(0, 2);

const fits = (unit: string, flags: string, character: string): boolean =>
  new RegExp(`^(?:${unit})$`, flags.replaceAll(/[gy]/g, '')).test(character);

/** `[:@][^/]+$` goes to the end of `:::…` at each colon only if a slash stands there, `.+$` if a line ends, `\S+$` if a blank does. */
const END = `/x\n ${NOWHERE}`;

/**
 * Texts of about this length on which a pattern that is not linear takes long: each of its parts repeated, alone, after
 * the parts before it, and with the part after it; and the whole repeated. All end in characters on which a match fails late.
 */
export function attacksOn(pattern: Pattern, length: number): string[] {
  const units = unitsOf(pattern);
  const first = units.map(([sample = '']) => sample);
  const cores = units.flatMap((samples, n) => {
    const before = first.slice(0, n).join('');
    const next = units[n + 1] ?? [''];
    const pairs = samples.flatMap((sample) => next.map((other) => [before, sample + other]));
    return [
      ...samples.flatMap((sample) => [
        ['', sample],
        [NOWHERE, sample],
        [before, sample],
      ]),
      ...pairs,
    ];
  });
  const words = first.map((_, n) => ['', first.slice(0, n + 1).join('')]);
  return [...new Set([...cores, ...words].map(([before = '', repeated = '']) => attack(before, repeated, length)))];
}

const attack = (before: string, repeated: string, length: number): string =>
  `${before}${repeated.repeat(Math.ceil(length / Math.max(repeated.length, 1)))}${END}`;
