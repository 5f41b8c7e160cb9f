import * as z from 'zod';
import type { Counts, TallyCount } from '../table/counters.ts';

/** An item of the `/status`, `/type` and `/zone` listings. */
export const ValueCount = z
  .object({ value: z.string().nullable(), label: z.string(), count: z.int().nonnegative() })
  .meta({ id: 'ValueCount' });
type ValueCount = z.infer<typeof ValueCount>;

/** `never_connected` -> `Never connected` */
const label = (value: string): string => value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' ');

/** The counters of an enum's values, in their order, zeros included. */
export const valueCounts = (values: readonly string[], facets: Counts, facet: string): ValueCount[] =>
  values.map((value) => ({ value, label: label(value), count: facets[`${facet}:${value}`] ?? 0 }));

/** The values in use, most frequent first. */
export const tallyCounts = (
  tallies: readonly TallyCount[],
  labelOf: (value: string | null) => string = (value) => label(value ?? ''),
): ValueCount[] =>
  tallies
    .map(({ value, counts }) => ({ value, label: labelOf(value), count: counts.n ?? 0 }))
    .sort((a, b) => b.count - a.count);
