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

/** How many records each cell has. */
type Sums = Iterable<[cell: number, n: number]>;
type Change = { day: string; cell: number; n: number };

/** The number of records whose dimensions have these values. */
type Count = (filter: Readonly<Record<string, string>>) => number;

/**
 * Counts the records of a group at the end of each of these UTC days, oldest first, by the cell of their dimensions: from the
 * ends of months and the rows of days. Two reads beside each other.
 * @returns undefined for a day before the first that is counted
 */
export async function countedOn(
  source: Collection,
  { days, group }: { days: readonly string[]; group?: Group },
): Promise<(Count | undefined)[]> {
  const { dynamo, entity } = source;
  const keys = keysOf(source.tenant, entity);
  const name = groupOf(group);
  const [month = '', last = ''] = [days[0]?.slice(0, 7), days.at(-1)];
  const before = monthBefore(month);
  const [ends, rows] = await Promise.all([
    queryRows(dynamo, { ...keys.monthEnds(name, { from: before, to: last.slice(0, 7) }), all: true }),
    queryRows(dynamo, { ...keys.days(name, { from: `${month}-01`, to: last }), all: true }),
  ]);
  const endOf = new Map(ends.map((row) => [lastOf(row.sk.slice(1)), row]));
  const closed = endOf.get(lastOf(before));
  // in its first days a month follows one that is not closed yet
  const start =
    closed ?? (await queryRows(dynamo, { ...keys.monthEnds(name, { from: '0', to: before }), all: true })).at(-1);
  const since = start ? `${monthAfter(start.sk.slice(1))}-01` : '0';
  const earlier = closed ? [] : await queryRows(dynamo, keys.days(name, { from: since, to: lastOf(before) }));
  let sums = sumsOf(endIn(start));
  let later = [...earlier, ...rows].flatMap(changesIn);
  return days.map((day) => {
    const end = endOf.get(day);
    const counted = end ? sumsOf(endIn(end)) : sumsOf(sums, upTo(day, later));
    sums = counted;
    later = later.filter((change) => change.day > day);
    if (!start && counted.size === 0) return undefined;
    return (filter) =>
      [...counted].reduce((sum, [cell, n]) => sum + (cellMatches(entity.main, cell, filter) ? n : 0), 0);
  });
}

/** The first day on which records of the collection are counted. */
export async function firstDay({ dynamo, tenant, entity }: Collection): Promise<string | undefined> {
  const { pk } = keysOf(tenant, entity).daily(EVERYTHING, '');
  const [row] = await queryRows(dynamo, { pk, prefix: 'd', limit: 1 });
  return row && changesIn(row).reduce((first, { day }) => (day < first ? day : first), `${row.sk.slice(1)}9`);
}

/** Days of which each is counted; of earlier times each month's end. */
export const KEPT_DAYS = 400;
export const KEPT_MONTHS = 120;

/** Whether figures of a day are kept. */
export const isKept = (day: string, today: string): boolean =>
  day >= dayBefore(today, KEPT_DAYS) ||
  (day === lastOf(day.slice(0, 7)) && day.slice(0, 7) >= monthBefore(today.slice(0, 7), KEPT_MONTHS));

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

/** Removes the ends of months whose days are kept, so that they are written again, with what `rekey` counted in the past. */
export async function reopenMonths({ dynamo, tenant, entity }: Collection, today: string): Promise<void> {
  const keys = keysOf(tenant, entity);
  const kept = dayBefore(today, KEPT_DAYS).slice(0, 7);
  const groups = await queryRows(dynamo, { ...keys.groups, all: true });
  for (const group of [EVERYTHING, ...groups.map(({ sk }) => sk)])
    await writeRows(dynamo, { remove: await queryRows(dynamo, keys.monthEnds(group, { from: kept, to: today })) });
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
    const sums = sumsOf(endIn(before), upTo(lastOf(month), own.flatMap(changesIn)));
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

function sumsOf(start: Sums, changes: readonly Change[] = []): Map<number, number> {
  const sums = new Map(start);
  for (const { cell, n } of changes) sums.set(cell, (sums.get(cell) ?? 0) + n);
  return sums;
}

const upTo = (last: string, changes: readonly Change[]) => changes.filter(({ day }) => day <= last);

const endIn = ({ pk: _pk, sk: _sk, ...counters }: Partial<Row> = {}): [number, number][] =>
  Object.entries(counters).map(([name, n]) => [Number.parseInt(name, 36), Number(n)]);

/** The name of a counter is the cell and the last digit of the day. */
const changesIn = ({ pk: _pk, sk, ...counters }: Row): Change[] =>
  Object.entries(counters).map(([name, n]) => {
    const [cell = '', digit = ''] = name.split('_');
    return { day: `${sk.slice(1)}${digit}`, cell: Number.parseInt(cell, 36), n: Number(n) };
  });

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);
const monthBefore = (month: string, months = 1): string => shifted(month, -months);
const monthAfter = (month: string): string => shifted(month, 1);
const shifted = (month: string, months: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
};
/** The last day of a month. */
export const lastOf = (month: string): string => dayBefore(`${monthAfter(month)}-01`, 1);
