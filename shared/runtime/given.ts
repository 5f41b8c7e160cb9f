import type * as z from 'zod';

/** The fields that a stored object has, checked. A default that it lacks is not filled in. */
export function givenFields<S extends z.ZodObject>(schema: S, stored: object): Partial<z.output<S>> {
  const fields = Object.entries(schema.partial().parse(stored));
  return Object.fromEntries(fields.filter(([name]) => Object.hasOwn(stored, name))) as Partial<z.output<S>>;
}
