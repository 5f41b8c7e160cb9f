import { isDeepStrictEqual } from 'node:util';

/** Those of the fields that the record does not have as they are; undefined when it has them all. */
export function differing<T extends object>(record: T, fields: Partial<T>): Partial<T> | undefined {
  const changes: Partial<T> = { ...fields };
  for (const name in changes)
    if (changes[name] === undefined || isDeepStrictEqual(record[name], changes[name])) delete changes[name];
  return Object.keys(changes).length === 0 ? undefined : changes;
}
