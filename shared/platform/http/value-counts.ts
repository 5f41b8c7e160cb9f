import * as z from 'zod';
import { caseless } from '../runtime/texts.ts';
import type { Counts, TallyCount } from '../table/counters.ts';
import { figureLinks, type Place, withLists } from './figures.ts';

/** An item of the `/status`, `/type` and `/zone` listings. */
export const ValueCount = z
  .object({ value: z.string().nullable(), label: z.string(), count: z.int().nonnegative(), ...figureLinks })
  .meta({ id: 'ValueCount' });
type ValueCount = z.infer<typeof ValueCount>;

/** `never_connected` -> `Never connected` */
const label = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');

type Listing = (value: string | null) => Place;

/** The counters of the values of `status`, in their order, zeros included. */
export const statusCounts = (statuses: readonly string[], facets: Counts, list: Listing): ValueCount[] =>
  statuses.map((value) =>
    withLists({ value, label: label(value), count: facets[`status:${value}`] ?? 0 }, { count: list(value) }),
  );

/** Values that differ in letter case alone as one, in the first spelling: a list finds them together. */
export function inAnyCase(tallies: readonly TallyCount[]): TallyCount[] {
  const found = Map.groupBy(tallies, ({ value }) => (value === null ? null : caseless(value)));
  return [...found.values()].map((same) => ({
    value: same[0]?.value ?? null,
    counts: { n: same.reduce((sum, { counts }) => sum + (counts.n ?? 0), 0) },
  }));
}

/** The values in use, most frequent first. */
export const tallyCounts = (
  tallies: readonly TallyCount[],
  list: Listing,
  labelOf: (value: string | null) => string = (value) => label(value ?? ''),
): ValueCount[] =>
  tallies
    .map(({ value, counts }) =>
      withLists({ value, label: labelOf(value), count: counts.n ?? 0 }, { count: list(value) }),
    )
    .sort((a, b) => b.count - a.count);
