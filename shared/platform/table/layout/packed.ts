import { isWord } from './marks.ts';

/**
 * A contribution as one short text. Every record stores it and a list row must stay within 1 KB, so names are not
 * repeated and an amount of one is left out: about a third of the size of an attribute map.
 */
export type Packed = [
  facets: (string | number)[],
  tallies: (string | number | null | Amounts)[][],
  lists: (string | number)[][],
  words: string,
  values: string[],
  ranks: string[],
];

export function pack({ facets, tallies, lists, marks, ranks }: Contribution): string {
  const { words = [], values = [] } = Object.groupBy(marks, (mark) => (isWord(mark) ? 'words' : 'values'));
  const packed: Packed = [
    packedFacets(facets),
    tallies.map(({ facet, value, add }) => (isOne(add) ? [facet, value] : [facet, value, add])),
    Object.entries(lists).map(([name, { cell, planes }]) => [name, cell, planes]),
    words.join(' '),
    values,
    ranks,
  ];
  return JSON.stringify(packed);
}

function packedFacets(facets: Amounts): Packed[0] {
  const packed: Packed[0] = [];
  for (const name of Object.keys(facets).sort()) {
    packed.push(name);
    if (facets[name] !== 1) packed.push(facets[name] ?? 0);
  }
  return packed;
}

export function unpack([facets, tallies, lists, words, values, ranks]: Packed): Contribution {
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
    marks: [...words.split(' ').filter(Boolean), ...values],
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

const isOne = (add: Amounts): boolean => add.n === 1 && Object.keys(add).length === 1;
export type Amounts = Record<string, number>;

/**
 * Everything that one record adds to the rows around it. The record stores it, so that a later write removes exactly
 * these amounts, also under another release.
 */
export type Contribution = {
  facets: Amounts;
  tallies: { facet: string; value: string | null; add: Amounts }[];
  /** List -> cell in the list. '' is the list of all records, `list=parent` the list of one parent. */
  lists: Record<string, { cell: number; planes: number }>;
  /** Words, declared values and places in orders: in the index, one bit of each. */
  marks: string[];
  ranks: string[];
};
