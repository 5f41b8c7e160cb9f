/* Reading JSON that others wrote: any field may be missing or of the wrong type, and a wrong type counts as missing. */

export type JsonObject = Record<string, unknown>;
type Step = string | number;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldAt(value: unknown, ...path: Step[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof step === 'number') current = Array.isArray(current) ? current[step] : undefined;
    else current = isObject(current) && Object.hasOwn(current, step) ? current[step] : undefined;
  }
  return current;
}

/** The text there, or undefined when there is none or it is blank. */
export function textAt(value: unknown, ...path: Step[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' && found.trim() !== '' ? found : undefined;
}

/** The number there; many tools write numbers as strings. */
export function numberAt(value: unknown, ...path: Step[]): number | undefined {
  const found = fieldAt(value, ...path);
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function indexAt(value: unknown, ...path: Step[]): number | undefined {
  const number = numberAt(value, ...path);
  return number !== undefined && Number.isInteger(number) && number >= 0 ? number : undefined;
}

export function listAt(value: unknown, ...path: Step[]): unknown[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The texts there, of a list or of a single text. */
export function textsAt(value: unknown, ...path: Step[]): string[] {
  const found = fieldAt(value, ...path);
  const list = Array.isArray(found) ? found : [found];
  return list.filter((entry): entry is string => typeof entry === 'string' && entry.trim() !== '');
}

/** A text, a number or a boolean as text. `String` of an object of JSON throws where the object has a member `toString`. */
export function plainAt(value: unknown, ...path: Step[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : textAt(found);
}
