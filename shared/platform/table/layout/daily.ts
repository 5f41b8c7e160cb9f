import type { Entity, Stored } from '../entity.ts';
import { type Adds, addTo } from './contribution.ts';
import type { Keys } from './keys.ts';
import type { Contribution } from './packed.ts';
import { cellOf } from './positions.ts';

/** The facet of records that are in the counters by day; `rekey` adds records of an earlier release. */
export const DAILY = 'daily';

/** The group of all records. The others are marks, such as `application=AZv...`. */
export const EVERYTHING = 'all';

/** The most groups of a record by each name of a mark: a change writes a row for each, and a transaction has 100 rows. */
const MAX_GROUPS = 20;

type State = { cell: number; groups: readonly string[] };

const NOWHERE: State = { cell: 0, groups: [] };

/** Where a record with this contribution is counted. */
function stateOf({ facets, lists, marks }: Contribution, names: readonly string[]): State {
  if (!facets[DAILY]) return NOWHERE;
  const groups = names.flatMap((name) =>
    marks
      .filter((mark) => mark.startsWith(`${name}=`) && mark.length > name.length + 1)
      .sort()
      .slice(0, MAX_GROUPS),
  );
  return { cell: lists['']?.cell ?? 0, groups: [EVERYTHING, ...groups] };
}

type Change = { from: Contribution; to: Contribution };
type Kept<T> = Pick<NonNullable<Entity<T & Stored>['daily']>, 'marks'>;

/** Counts a change of today in the groups of the record: how many records of each cell a day has more or fewer than the day before. */
export function addDaily(
  adds: Adds,
  keys: Keys,
  { marks, change, day }: Kept<Stored> & { change: Change; day: string },
) {
  move(adds, keys, { day, from: stateOf(change.from, marks), to: stateOf(change.to, marks) });
}

/** Counts a record that was not counted before, on the days that it knows of its past. */
export function addPast<T extends Stored>(
  adds: Adds,
  keys: Keys,
  { entity, item, to }: { entity: Pick<Entity<T>, 'daily' | 'main'>; item: T; to: Contribution },
): void {
  if (!entity.daily) return;
  const { groups } = stateOf(to, entity.daily.marks);
  let from = NOWHERE;
  for (const { day, ...values } of entity.daily.past(item)) {
    const next = { cell: cellOf(entity.main, { ...item, ...values }), groups };
    move(adds, keys, { day, from, to: next });
    from = next;
  }
}

function move(adds: Adds, keys: Keys, { day, from, to }: { day: string; from: State; to: State }): void {
  for (const group of new Set([...from.groups, ...to.groups])) {
    const before = from.groups.includes(group) ? from.cell : 0;
    const after = to.groups.includes(group) ? to.cell : 0;
    if (before === after) continue;
    const key = keys.daily(group, day);
    if (before) addTo(adds, key, { [counterOf(before, day)]: -1 });
    if (after) addTo(adds, key, { [counterOf(after, day)]: 1 });
    const gained = Number(Boolean(after)) - Number(Boolean(before));
    if (gained !== 0 && group !== EVERYTHING) addTo(adds, keys.group(group), { n: gained });
  }
}

/** Ten days share a row: the end of a name is the last digit of the day. */
const counterOf = (cell: number, day: string): string => `${cell.toString(36)}_${day.slice(9)}`;
