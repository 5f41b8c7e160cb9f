import { isDeepStrictEqual } from 'node:util';

/** The fields whose values differ from the record; undefined when no value differs. */
export function differing<T extends object>(record: T, fields: Partial<T>): Partial<T> | undefined {
  const changes: Partial<T> = { ...fields };
  for (const name in changes)
    if (changes[name] === undefined || isDeepStrictEqual(record[name], changes[name])) delete changes[name];
  return Object.keys(changes).length === 0 ? undefined : changes;
}
