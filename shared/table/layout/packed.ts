import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isWord } from './marks.ts';

/**
 * A contribution as one short text. Every record stores it and a list row must stay within 1 KB, so names are not
 * repeated and an amount of one is left out: about a third of the size of an attribute map.
 */
type Packed = [
  facets: (string | number)[],
  tallies: (string | number | null | Amounts)[][],
  lists: (string | number)[][],
  words: string,
  values: string[],
  ranks: string[],
];

export function pack({ facets, tallies, lists, marks, ranks }: Contribution): string {
  const packed: Packed = [
    sorted(facets).flatMap(([name, amount]) => (amount === 1 ? [name] : [name, amount])),
    tallies.map(({ facet, value, add }) => (isOne(add) ? [facet, value] : [facet, value, add])),
    Object.entries(lists).map(([name, { cell, planes }]) => [name, cell, planes]),
    marks.filter(isWord).join(' '),
    marks.filter((mark) => !isWord(mark)),
    ranks,
  ];
  const text = JSON.stringify(packed);
  return text.length <= PLAIN ? text : DEFLATED + deflateRawSync(text).toString('latin1');
}

/** A longer text is deflated: a finding's is 525 bytes, and 303 so, which keeps its list row within 1 KB. */
const PLAIN = 300;
const DEFLATED = '\u0001';

const textOf = (packed: string): string =>
  packed.startsWith(DEFLATED) ? inflateRawSync(Buffer.from(packed.slice(1), 'latin1')).toString() : packed;

/** The attribute that holds a packed contribution, and the contribution in it: bytes where it is deflated. */
export const storedContribution = (packed: string): string | Uint8Array =>
  packed.startsWith(DEFLATED) ? Buffer.from(packed, 'latin1') : packed;

export const packedIn = (stored: unknown): string =>
  stored instanceof Uint8Array ? Buffer.from(stored).toString('latin1') : String(stored);

export function unpack(stored: string): Contribution {
  // a record of release 1.6 has words alone, none of which stands in the index: `rekey` brings its marks in
  const [facets, tallies, lists, words, values, ranks = []] = JSON.parse(textOf(stored)) as Packed;
  return {
    facets: unpackFacets(facets),
    tallies: tallies.map(([facet, value, add]) => ({
      facet: facet as string,
      value: value as string | null,
      add: (add ?? { n: 1 }) as Amounts,
    })),
    lists: Object.fromEntries(
      lists.map(([name, cell, planes]) => [name, { cell: cell as number, planes: planes as number }]),
    ),
    marks: values ? [...words.split(' ').filter(Boolean), ...values] : [],
    ranks,
  };
}

/** Each name is followed by its amount, unless the amount is one. */
function unpackFacets(entries: (string | number)[]): Amounts {
  const facets: Amounts = {};
  entries.forEach((entry, n) => {
    const amount = entries[n + 1];
    if (typeof entry === 'string') facets[entry] = typeof amount === 'number' ? amount : 1;
  });
  return facets;
}

const sorted = (amounts: Amounts): [string, number][] => Object.entries(amounts).sort(([a], [b]) => (a < b ? -1 : 1));

const isOne = (add: Amounts): boolean => add.n === 1 && Object.keys(add).length === 1;
export type Amounts = Record<string, number>;

/**
 * Everything that one record adds to the rows around it. The record stores it, so that a later write takes back exactly
 * that, also under another release.
 */
export type Contribution = {
  facets: Amounts;
  tallies: { facet: string; value: string | null; add: Amounts }[];
  /** List -> cell in it. '' is the list of all records, `list=parent` the list of one parent. */
  lists: Record<string, { cell: number; planes: number }>;
  /** Words, declared values and places in orders: in the index, one bit of each. */
  marks: string[];
  ranks: string[];
};
