/** Part of a value that no record can hold, and what to send instead. */
type Unstorable = { path: (string | number)[]; message: string };

/** The SDK writes no larger number exactly; DynamoDB keeps none that is nearer to 0. */
const LARGEST = Number.MAX_SAFE_INTEGER;
export const NEAREST_TO_ZERO = 1e-130;

const WHOLE = 'must be whole characters: no half of a surrogate pair, such as \\ud800 alone';

/** The first text or name in a JSON value that has half a character, for which UTF-8 has no form. */
export function halfCharacter(value: unknown): Unstorable | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { path: [], message: WHOLE };
  return firstWithin(value, halfCharacter);
}

/** The first part of a JSON value that the table cannot hold; undefined when the table can hold all of it. */
export function unstorable(value: unknown): Unstorable | undefined {
  if (typeof value === 'number') return isStorable(value) ? undefined : { path: [], message: NUMBER };
  if (typeof value === 'string') return halfCharacter(value);
  return firstWithin(value, unstorable, RESERVED);
}

/** The first problem in a list or object. Its path is made on the way back: of 4 MB of zeros none is made. */
function firstWithin(
  value: unknown,
  problemOf: (inner: unknown) => Unstorable | undefined,
  reserved: ReadonlySet<string> = NONE,
): Unstorable | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) {
    for (let n = 0; n < value.length; n++) {
      const problem = problemOf(value[n]);
      if (problem) return { ...problem, path: [n, ...problem.path] };
    }
    return undefined;
  }
  for (const name of Object.keys(value)) {
    if (reserved.has(name)) return { path: [name], message: 'must have another name: this one is reserved' };
    if (!name.isWellFormed()) return { path: [name.toWellFormed()], message: `the name ${WHOLE}` };
    const problem = problemOf(Reflect.get(value, name));
    if (problem) return { ...problem, path: [name, ...problem.path] };
  }
  return undefined;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The SDK mistakes an object with a field of this name for an instance of another class; the table has no empty names.
 */
const RESERVED = new Set<string>(['constructor', '']);

const NUMBER = `must be 0 or a number between ${NEAREST_TO_ZERO} and ${LARGEST} (or the same below 0)`;

const isStorable = (value: number): boolean =>
  value === 0 || (Math.abs(value) <= LARGEST && Math.abs(value) >= NEAREST_TO_ZERO);
