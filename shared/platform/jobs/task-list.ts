import type { Marked } from '../table/combined.ts';
import { hasMarks } from '../table/match.ts';
import type { Table } from '../table/table.ts';
import { OPERATION_NAMES, type Operation } from './operations.ts';
import { EVERY_TASK, isOfPart, type Task, type TaskPlace, type TaskRow, taskPlaces, taskRows } from './task.ts';
import { marksOfTask } from './task-filter.ts';

export type TaskQuery = {
  operations: readonly Operation[];
  /** Only tasks of this caller. */
  owner?: string;
  status?: readonly Task['status'][];
  /** The condition of its filter, which is tried on each task. */
  matching?: Marked;
  /** Only tasks that were made then or later. */
  since?: string;
  /** `next` of the page before. */
  before?: string;
  limit: number;
};

/** Tasks that are read for a page of some statuses or of a filter, and places that are read for a page of one caller. */
const LOOKED_AT = 100;
const PLACES = 500;

/**
 * A page of tasks, newest first. Its work is bounded: when few tasks match the filter, a page may be empty and have a
 * next one. A new task takes its place before the first page, so the pages show each task once.
 */
export async function listTasks(table: Table, query: TaskQuery): Promise<{ data: TaskRow[]; next: string | null }> {
  const { operations, owner, status, matching, limit } = query;
  const most = status || matching ? LOOKED_AT : limit;
  const lists = listsOf(operations);
  const reach = owner === undefined ? (lists === operations ? most : 2 * most) : PLACES;
  const places = await newestPlaces(table, { ...query, lists }, reach + 1);
  const named = new Set<string>(operations);
  const isAsked = (place: TaskPlace) => named.has(place.operation) && (owner === undefined || place.owner === owner);
  const own = places.slice(0, reach).filter(isAsked);
  const fitting = (await tasksAt(table, own.slice(0, most))).filter(
    (task) => (!status || status.includes(task.status)) && (!matching || hasMarks(matching, marksOfTask(task))),
  );
  const data = fitting.slice(0, limit);
  const ends = [
    fitting.length > limit && data.at(-1),
    own.length > most && own[most - 1],
    places.length > reach && places[reach - 1],
  ];
  const last = ends.find(Boolean);
  return { data, next: last ? cursorOf(last) : null };
}

const cursorOf = ({ createdAt, id }: Pick<Task, 'createdAt' | 'id'>): string => `${createdAt}_${id}`;

/** Greater than every cursor. */
const NEWEST = '~';

/**
 * A caller who may read most operations reads the list of all tasks and leaves out some; other callers read a list for
 * each operation.
 */
const listsOf = (operations: readonly Operation[]): readonly string[] =>
  operations.length > OPERATION_NAMES.length / 2 ? [EVERY_TASK] : operations;

type Range = Pick<TaskQuery, 'since' | 'before'> & { lists: readonly string[] };

/** The first `n` places of all these lists together. */
async function newestPlaces(table: Table, { lists, since = '0', before = NEWEST }: Range, n: number) {
  if (before < since) return [];
  const range = { between: { from: since, to: before }, backward: true, limit: n + 1 };
  const found = await Promise.all(lists.map((list) => table.rows(taskPlaces).query(list, range)));
  const places = found.flat().filter((place) => cursorOf(place) !== before);
  return places.sort((a, b) => (cursorOf(a) < cursorOf(b) ? 1 : -1)).slice(0, n);
}

/** The tasks in the order of their places. A task that has expired is left out. */
async function tasksAt(table: Table, places: readonly TaskPlace[]): Promise<TaskRow[]> {
  const keys = places.map(({ id }) => ({ id }));
  const tasks = new Map((await table.rows(taskRows).findMany(keys, true)).map((task) => [task.id, task]));
  return places.flatMap(({ id }) => tasks.get(id) ?? []).filter((task) => isOfPart(table, task));
}
