/** Part of a value that no record can hold, and what to send instead. */
type Unstorable = { path: (string | number)[]; message: string };

/** The SDK writes no larger number exactly; DynamoDB keeps none that is nearer to 0. */
const LARGEST = Number.MAX_SAFE_INTEGER;
export const NEAREST_TO_ZERO = 1e-130;

/**
 * The first part of a JSON value that the table cannot hold; undefined when it can hold all of it. Half a character was
 * replaced when the body was parsed.
 */
export function unstorable(value: unknown, path: Unstorable['path'] = []): Unstorable | undefined {
  if (typeof value === 'number') return isStorable(value) ? undefined : { path, message: NUMBER };
  if (typeof value === 'string')
    return value.isWellFormed() ? undefined : { path, message: 'must be whole characters' };
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
