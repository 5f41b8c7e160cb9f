import { ordinalText } from './keys.ts';

/** The sort keys of a record's rank rows. The number is inverted: the highest comes first in key order. */
export const rankTexts = (ranks: Record<string, number | undefined>): string[] =>
  Object.entries(ranks).flatMap(([name, rank]) => (rank === undefined ? [] : [`${prefixOf(name)}${inverted(rank)}`]));

export const MAX_RANK = 2 ** 40 - 1;

export const prefixOf = (name: string): string => `${name}:`;

export function inverted(rank: number): string {
  if (!Number.isInteger(rank) || rank < 0 || rank > MAX_RANK)
    throw new Error(`a rank is a whole number from 0 to 2^40 - 1, not ${rank}`);
  return ordinalText(MAX_RANK - rank);
}

export const rankIn = (name: string, text: string): number =>
  MAX_RANK - Number.parseInt(text.slice(prefixOf(name).length), 36);
