import { DAY_MS } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import type { Entity } from './entity.ts';
import { writeRows } from './io/commit.ts';
import { getRow, queryRows } from './io/read.ts';
import { EVERYTHING } from './layout/daily.ts';
import { keysOf, type Row } from './layout/keys.ts';
import { valueMark } from './layout/marks.ts';
import { cellMatches } from './layout/positions.ts';

type Collection = { dynamo: Dynamo; tenant: string; entity: Pick<Entity, 'name' | 'shards' | 'main'> };

/** All records, or those with a declared value, such as the application with this id. */
type Group = { name: string; value: string } | undefined;

const groupOf = (group: Group): string => (group ? valueMark(group.name, group.value) : EVERYTHING);

type Sums = Map<number, number>;

/**
 * Counts the records of a group at the end of a UTC day, by the cell of their dimensions: the end of the month before,
 * and the rows of the month. Two reads beside each other.
 * @returns undefined before the first day that is counted
 */
export async function countedOn(
  source: Collection,
  { day, group }: { day: string; group?: Group },
): Promise<((filter: Readonly<Record<string, string>>) => number) | undefined> {
  const { dynamo, entity } = source;
  const keys = keysOf(source.tenant, entity);
  const name = groupOf(group);
  const month = day.slice(0, 7);
  const [end, rows] = await Promise.all([
    getRow(dynamo, keys.monthEnd(name, monthBefore(month)), false),
    queryRows(dynamo, keys.days(name, { from: `${month}-01`, to: day })),
  ]);
  const earlier = end ? [] : await queryRows(dynamo, keys.days(name, { from: '0', to: lastOf(monthBefore(month)) }));
  const sums = sumsOf(end, [...earlier, ...rows], day);
  if (!end && sums.size === 0) return undefined;
  return (filter) => [...sums].reduce((sum, [cell, n]) => sum + (cellMatches(entity.main, cell, filter) ? n : 0), 0);
}

/** The first day on which records of the collection are counted. */
export async function firstDay({ dynamo, tenant, entity }: Collection): Promise<string | undefined> {
  const { pk } = keysOf(tenant, entity).daily(EVERYTHING, '');
  const [row] = await queryRows(dynamo, { pk, prefix: 'd', limit: 1 });
  const [digit] = row
    ? countersIn(row)
        .map(([, one]) => one)
        .sort()
    : [];
  return row && `${row.sk.slice(1)}${digit ?? 0}`;
}

/** Days of which each is counted; of earlier times each month's end. */
const KEPT_DAYS = 400;
const KEPT_MONTHS = 120;

/**
 * Writes the ends of the months that are over, and removes days and months that are older than they are kept. The end of
 * a month follows from its days, which no longer change, so that any number of workers may do this at any time; all
 * records come last, so that a worker repeats what a killed one did not end.
 */
export async function closeMonths(source: Collection, today: string): Promise<void> {
  const { dynamo, tenant, entity } = source;
  const keys = keysOf(tenant, entity);
  const last = monthBefore(dayBefore(today, SETTLED_DAYS).slice(0, 7));
  if (await getRow(dynamo, keys.monthEnd(EVERYTHING, last), false)) return;
  const groups = await queryRows(dynamo, { ...keys.groups, all: true });
  for (const group of [...groups.map(({ sk }) => sk), EVERYTHING]) await closeGroup(source, { group, last, today });
}

/** A transaction of the last minute of a month may be repeated after it. */
const SETTLED_DAYS = 2;

type Closing = { group: string; last: string; today: string };

async function closeGroup({ dynamo, tenant, entity }: Collection, { group, last, today }: Closing): Promise<void> {
  const keys = keysOf(tenant, entity);
  const rows = await queryRows(dynamo, { pk: keys.daily(group, '').pk, all: true, consistent: true });
  const ends = rows.filter(({ sk }) => sk.startsWith('m'));
  const days = rows.filter(({ sk }) => sk.startsWith('d'));
  const first = days[0]?.sk.slice(1, 8);
  const put: Row[] = [];
  let before = ends.at(-1);
  for (let month = before ? monthAfter(before.sk.slice(1)) : first; month && month <= last; month = monthAfter(month)) {
    const own = days.filter(({ sk }) => sk.slice(1, 8) === month);
    const sums = sumsOf(before, own, lastOf(month));
    before = {
      ...keys.monthEnd(group, month),
      ...Object.fromEntries([...sums].map(([cell, n]) => [cell.toString(36), n])),
    };
    put.push(before);
  }
  await writeRows(dynamo, { put });
  const [oldDay, oldMonth] = [dayBefore(today, KEPT_DAYS), monthBefore(last, KEPT_MONTHS)];
  // a day that is kept needs all days of its month before it
  const isOld = ({ sk }: Row) =>
    sk.startsWith('d') ? sk.slice(1, 8) < oldDay.slice(0, 7) && sk.slice(1, 8) <= last : sk.slice(1) < oldMonth;
  await writeRows(dynamo, { remove: rows.filter(isOld) });
}

/** The sums of a month's end and the days after it, up to a day. */
function sumsOf(end: Row | undefined, days: readonly Row[], until: string): Sums {
  const sums: Sums = new Map();
  const add = (cell: number, n: number) => sums.set(cell, (sums.get(cell) ?? 0) + n);
  for (const [name, n] of Object.entries(end ?? {}))
    if (name !== 'pk' && name !== 'sk') add(Number.parseInt(name, 36), Number(n));
  for (const row of days)
    for (const [cell, digit, n] of countersIn(row)) if (`${row.sk.slice(1)}${digit}` <= until) add(cell, n);
  return sums;
}

/** Cell, last digit of the day, and how many records more. */
const countersIn = ({ pk: _pk, sk: _sk, ...counters }: Row): [number, string, number][] =>
  Object.entries(counters).map(([name, n]) => {
    const [cell = '', digit = ''] = name.split('_');
    return [Number.parseInt(cell, 36), digit, Number(n)];
  });

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
const monthBefore = (month: string, months = 1): string => shifted(month, -months);
const monthAfter = (month: string): string => shifted(month, 1);
const shifted = (month: string, months: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
};
const lastOf = (month: string): string => dayBefore(`${monthAfter(month)}-01`, 1);
