/** Part of a value that no record can hold, and what to send instead. */
type Unstorable = { path: (string | number)[]; message: string };

/** The SDK writes no larger number exactly; DynamoDB keeps none that is nearer to 0. */
const LARGEST = Number.MAX_SAFE_INTEGER;
export const NEAREST_TO_ZERO = 1e-130;

const WHOLE = 'must be whole characters: no half of a surrogate pair, such as \\ud800 alone';

/** The first text or name in a JSON value that has half a character, for which UTF-8 has no form. */
export function halfCharacter(value: unknown, path: Unstorable['path'] = []): Unstorable | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { path, message: WHOLE };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const name = typeof key === 'string' ? key.toWellFormed() : key;
    if (name !== key) return { path: [...path, name], message: `the name ${WHOLE}` };
    const problem =
      typeof inner === 'string' && inner.isWellFormed() ? undefined : halfCharacter(inner, [...path, key]);
    if (problem) return problem;
  }
  return undefined;
}

/** The first part of a JSON value that the table cannot hold; undefined when it can hold all of it. */
export function unstorable(value: unknown, path: Unstorable['path'] = []): Unstorable | undefined {
  if (typeof value === 'number') return isStorable(value) ? undefined : { path, message: NUMBER };
  if (typeof value === 'string') return halfCharacter(value, path);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const here = [...path, key];
    if (RESERVED.has(key)) return { path: here, message: 'must have another name: this one is reserved' };
    const problem = unstorable(inner, here);
    if (problem) return problem;
  }
  return undefined;
}

/** The SDK takes an object with a field of this name for one of another class; the table has no empty names. */
const RESERVED = new Set<unknown>(['constructor', '']);

const NUMBER = `must be 0 or a number between ${NEAREST_TO_ZERO} and ${LARGEST} (or the same below 0)`;

const isStorable = (value: number): boolean =>
  value === 0 || (Math.abs(value) <= LARGEST && Math.abs(value) >= NEAREST_TO_ZERO);
