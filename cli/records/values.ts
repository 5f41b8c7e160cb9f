import { oneLine } from '../texts.ts';

/** The value of a path such as `asset.name`; undefined where the record has none. */
export const valueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? Reflect.get(value, name) : undefined), record);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const progressOf = ({ done, total, unit }: { done: unknown; total?: unknown; unit: unknown }): string =>
  `${done}${total === undefined || total === done ? '' : ` of ${total}`} ${unit}`;

/** A value as a cell of a table for people: days of times, names of people and things. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return TIME.test(value) ? value.slice(0, 10) : oneLine(value);
  if (Array.isArray(value)) return value.map(cellOf).join(', ');
  if (!isObject(value)) return String(value);
  if ('done' in value && 'unit' in value) return progressOf(value);
  const name = valueAt(value, 'name') ?? valueAt(value, 'value');
  return name === undefined ? oneLine(JSON.stringify(value)) : cellOf(name);
}
