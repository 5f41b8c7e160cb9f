import { isDeepStrictEqual } from 'node:util';
import type { Grouped } from '../entity.ts';
import { type Adds, addTo, type ContributionChange, type RecordPlace } from './contribution.ts';
import type { Amounts, Contribution } from './packed.ts';
import { originOf } from './record.ts';

/** The facet of records that are in the counters of their groups; `rekey` adds other records. */
const GROUPED = 'grouped';

/** Whether a record that was read is in the counters of its groups. */
export const isGrouped = (item: object): boolean => originOf(item).contribution().facets[GROUPED] !== undefined;

type Counting = { grouped: Grouped; change: ContributionChange };

/**
 * Adds the change to the counters of the groups of a record, which are tallies with the mark of the group as their facet. They
 * follow from what the record stores anyway, so that a later write removes exactly these amounts.
 */
export function addGrouped(adds: Adds, { keys, ordinal }: RecordPlace, { grouped, change }: Counting): void {
  const [from, to] = [countedIn(change.from, grouped), countedIn(change.to, grouped)];
  if (from && to && isDeepStrictEqual(from, to)) return;
  for (const group of from?.groups ?? [])
    for (const { value, add } of from?.counters ?? []) addTo(adds, keys.tally(group, value, ordinal), negated(add));
  for (const group of to?.groups ?? [])
    for (const { value, add } of to?.counters ?? []) addTo(adds, keys.tally(group, value, ordinal), add);
}

/** The groups and the counters of a record; undefined if it is in none. */
function countedIn(of: Contribution, { marks, counters }: Grouped) {
  if (!of.facets[GROUPED]) return undefined;
  const groups: string[] = [];
  for (const name of marks) {
    const prefix = `${name}=`;
    for (const mark of of.marks) if (mark.startsWith(prefix) && mark.length > prefix.length) groups.push(mark);
  }
  return groups.length === 0 ? undefined : { groups, counters: counters(of) };
}

const negated = (add: Amounts): Amounts =>
  Object.fromEntries(Object.entries(add).map(([name, amount]) => [name, -amount]));
