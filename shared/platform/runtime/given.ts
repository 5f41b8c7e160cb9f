import type * as z from 'zod';

/** Zod compiles a schema at its first use, which takes longer than the use. */
const partials = new WeakMap<z.ZodObject, z.ZodType>();

/** The fields that a stored object has, checked. A default that it lacks is not filled in. */
export function givenFields<S extends z.ZodObject>(schema: S, stored: object): Partial<z.output<S>> {
  const partial = partials.get(schema) ?? schema.partial();
  partials.set(schema, partial);
  const fields = Object.entries(partial.parse(stored) as object);
  return Object.fromEntries(fields.filter(([name]) => Object.hasOwn(stored, name))) as Partial<z.output<S>>;
}

/** The fields that have a value. */
export const given = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** These fields of a record; null where it has no value. */
export const orNull = <T extends object, K extends keyof T>(record: T, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, record[name] ?? null])) as { [N in K]-?: NonNullable<T[N]> | null };
