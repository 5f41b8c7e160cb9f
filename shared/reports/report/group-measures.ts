import type { Counts, TallyCount } from '#shared/platform/table/counters.ts';
import type { Entity } from '#shared/platform/table/entity.ts';
import { SUM } from './time-measures.ts';

type Counters = NonNullable<Entity['grouped']>['counters'];

/** A histogram has a letter in the rows of groups. */
const LETTERS = new Map([
  ['repair', 'r'],
  ['acknowledge', 'a'],
  ['detect', 'd'],
  ['contain', 'c'],
]);
const HISTOGRAMS = new Map([...LETTERS].map(([facet, letter]) => [letter, facet]));

/**
 * The counters of `lifeTallies` for a zone, an application or an owner, in two rows a month, because a change of a record writes them for
 * each of its groups:
 *
 * - `spans 2026-11`: `rc1k`, the bucket `1k` of repairs of critical records, and `rcS`, their seconds; of each day `f05` and `F05`;
 * - `since 2026-11`: how many records are open since each day (`05`), and `S`, the sum of the seconds since which they are.
 */
function counters({ facets, tallies }: Parameters<Counters>[0]): ReturnType<Counters> {
  const rows: { value: string; add: Counts }[] = [];
  for (const { facet, value, add } of tallies) {
    const letter = LETTERS.get(facet);
    if (value === null || (letter === undefined && facet !== 'since' && facet !== 'day')) continue;
    const month = value.slice(0, 7);
    if (facet === 'since') rows.push({ value: `since ${month}`, add: { ...add, [SUM]: sinceIn(facets) } });
    else {
      let renamed: Counts | undefined;
      for (const name in add) {
        const other = letter ? letter + value.slice(7) + name : repairOn(value.slice(8), name);
        if (other) renamed = { ...renamed, [other]: add[name] ?? 0 };
      }
      if (renamed) rows.push({ value: `spans ${month}`, add: renamed });
    }
  }
  return rows;
}

/** The groups by which people see a part of the organization. */
export const grouped = { marks: ['zone', 'application', 'assetOwner'], counters };

/** The time since which a record is open, of `openFacets`. */
function sinceIn(facets: Readonly<Record<string, number>>): number {
  for (const name in facets) if (name.startsWith('since:')) return facets[name] ?? 0;
  return 0;
}

/** A repair and its seconds, of the counters of a day; undefined for the others. */
const repairOn = (tenDays: string, name: string): string | undefined =>
  name[0] === 'f' || name[0] === 'F' ? name[0] + tenDays + name.slice(1) : undefined;

export const sinceRows = { from: 'since', to: 'since ~' };
export const spanRows = (months: { from: string; to: string }) => ({
  from: `spans ${months.from}`,
  to: `spans ${months.to}`,
});

/** The rows of groups added up, as the tallies of all records are: `of` the facet, and what is open in all. */
export function addGroups(rows: readonly TallyCount[]) {
  const sums = new Map<string, Map<string, Counts>>();
  const open = { count: 0, since: 0 };
  const add = (facet: string, value: string, name: string, amount: number): void => {
    const values = sums.get(facet) ?? new Map<string, Counts>();
    const counts = values.get(value) ?? {};
    counts[name] = (counts[name] ?? 0) + amount;
    sums.set(facet, values.set(value, counts));
  };
  for (const { value, counts } of rows) {
    const [kind, month = ''] = (value ?? '').split(' ');
    for (const [name, amount] of Object.entries(counts)) {
      const [letter = '', second = '', third = ''] = name;
      const histogram = HISTOGRAMS.get(letter);
      if (kind === 'since' && name === SUM) open.since += amount;
      else if (kind === 'since') {
        open.count += amount;
        add('since', month, name, amount);
      } else if (histogram) add(histogram, month + second, name.slice(2), amount);
      else add('day', `${month}-${second}`, letter + third, amount);
    }
  }
  const of = (facet: string): TallyCount[] =>
    [...(sums.get(facet) ?? [])].map(([value, counts]) => ({ value, counts }));
  return { open, of };
}
